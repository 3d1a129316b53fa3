// SPDX-License-Identifier: Apache-2.0
// The findings about the phone page at `phone-address`: phones must trust its certificate, it must be
// unchanged, and it must come from the server to which it sends its requests.

/// What this host has seen at `phone-address`.
struct PageFacts: Equatable, Sendable {
    /// Why a browser would trust the server's certificate.
    enum Trust: Equatable, Sendable {
        /// A public CA, which phones know, vouches for it.
        case everybody
        /// The CA of `ca-file` vouches for it; phones do not know this CA unless it was installed on them.
        case ownAuthority
        /// The certificate is self-signed.
        case selfSigned
        /// This host has no list of public CAs, so it cannot tell.
        case unknown
    }
    /// The result of fetching the page.
    enum Observation: Equatable, Sendable {
        /// No answer; the reason, as the end of a sentence.
        case nothing(String)
        /// A certificate that is not accepted; the fault, as the end of a sentence.
        case distrust(String)
        /// This host knows no CA at all, so it has sent no request.
        case unverifiable
        /// An answer that is not a page, with its status.
        case status(Int)
        case page(Page)
    }
    /// The page that was fetched.
    struct Page: Equatable, Sendable {
        let trust: Trust
        /// The origin that the M-Pin server there gives as its own; nil if no M-Pin server answers.
        let publicOrigin: String?
        /// Whether the headers have mpind's policy, which forbids foreign scripts and frames.
        let isGuarded: Bool
        /// The files that differ from those of the package; nil if the package is not installed on this host.
        let changed: [String]?
    }

    let address: String
    /// The origin of `address`, in lower case, without a default port.
    let origin: String
    let seen: Observation
}

extension PageFacts {
    /// The findings about the phone page.
    var findings: [Finding] {
        switch seen {
        case .nothing(let why):
            return [
                Finding(
                    warning: "page-unreachable", "The phone page at \(address) could not be fetched: \(why).",
                    "Is 'phone-address' right? Phones must reach it from wherever people are.")
            ]
        case .distrust(let fault):
            return [
                Finding(
                    warning: "page-untrusted", "Phones will not open \(address): \(fault).",
                    "Run 'sudo mpind tls self' on the server, or get a certificate of a public CA.")
            ]
        case .unverifiable:
            return [unknownTrust(address)]
        case .status(421):
            return [pageElsewhere(address, "the server there does not go by that name")]
        case .status(let status):
            return [
                Finding(
                    warning: "page-missing", "There is no phone page at \(address) (status \(status)).",
                    "Install mpin-page on the server and look at 'page' in mpind.conf(5), or correct "
                        + "'phone-address'.")
            ]
        case .page(let page):
            let found =
                originFindings(self, page) + contentFindings(address, page) + trustFindings(address, page)
            guard found.isEmpty else { return found }
            return [
                Finding(
                    ok: "page",
                    "The page at \(address) is that of mpin-page, and phones trust its certificate.")
            ]
        }
    }
}

private func pageElsewhere(_ address: String, _ why: String) -> Finding {
    Finding(
        warning: "page-elsewhere", "The page at \(address) cannot approve anything: \(why).",
        "'phone-address' and 'public-url' of the server that serves the page must have the same origin.")
}

/// The findings about the origin: the page sends requests to its own origin, and mpind answers only pages of
/// `public-url`.
private func originFindings(_ facts: PageFacts, _ page: PageFacts.Page) -> [Finding] {
    guard let origin = page.publicOrigin else {
        return [pageElsewhere(facts.address, "no M-Pin server answers at its origin")]
    }
    guard origin != facts.origin else { return [] }
    return [pageElsewhere(facts.address, "'public-url' of the server there is \(origin)")]
}

private func contentFindings(_ address: String, _ page: PageFacts.Page) -> [Finding] {
    var found: [Finding] = []
    if !page.isGuarded {
        found.append(
            Finding(
                problem: "page-changed",
                "The page at \(address) comes without mpind's Content-Security-Policy.",
                "Something in front of mpind changes headers: let it pass them on as they are."))
    }
    guard let changed = page.changed else {
        return found + [
            Finding(
                note: "page-uncompared",
                "The page at \(address) could not be compared: mpin-page is not installed here.",
                "Install mpin-page on this host too, or run 'sudo mpin doctor' on the server.")
        ]
    }
    guard !changed.isEmpty else { return found }
    let names = changed.prefix(4).joined(separator: ", ") + (changed.count > 4 ? ", ..." : "")
    return found + [
        Finding(
            problem: "page-changed",
            "The page at \(address) is not that of mpin-page on this host: \(names).",
            "A changed page can steal PINs. If both machines have the same version of mpin-page, and 'sudo "
                + "systemctl reload mpind' does not help, stop people from using it until you know why.")
    ]
}

private func unknownTrust(_ address: String) -> Finding {
    Finding(
        note: "page-uncompared",
        "Whether phones trust \(address) could not be checked: this host has no list of public CAs.",
        "Install ca-certificates.")
}

private func trustFindings(_ address: String, _ page: PageFacts.Page) -> [Finding] {
    switch page.trust {
    case .everybody: []
    case .unknown: [unknownTrust(address)]
    case .ownAuthority:
        [
            Finding(
                note: "page-own-ca", "Phones trust \(address) only where its own CA was installed on them.",
                "Android: Settings, Encryption & credentials, Install a certificate, CA certificate. iOS: "
                    + "open the file, install the profile, then Settings, General, About, Certificate Trust "
                    + "Settings. See PHONES in mpin(1).")
        ]
    case .selfSigned:
        [
            Finding(
                warning: "page-self-signed",
                "Phones do not trust \(address): its certificate is self-signed, which iOS never accepts.",
                "'sudo mpind tls self' makes a CA that can be installed on phones; better, use a public CA.")
        ]
    }
}
