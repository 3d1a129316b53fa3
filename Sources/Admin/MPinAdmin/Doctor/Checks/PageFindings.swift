// SPDX-License-Identifier: Apache-2.0
// Checks of the phone page at `phone-address`: whether phones can reach and trust it, and whether the served
// files are those of the package.
import FoundationEssentials
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets

/// The CA that `mpind setup` makes.
private let ownCA = "/etc/mpin/tls/ca.pem"
private let digestsFile = "/usr/share/mpin-page/SHA256SUMS"

extension Check {
    static let page = Check("page", reads: "the page at phone-address, and the package's checksums") { run in
        (try? run.settings.get()).map { run.doctor.pageFindings($0) } ?? []
    }
}

extension Doctor {
    fileprivate func pageFindings(_ settings: Settings) -> [Finding] {
        guard let address = settings.phoneAddress.map({ String(decoding: $0, as: UTF8.self) }),
            settings.answer == .sealed,
            let origin = Backend([UInt8](address.utf8))?.origin
        else { return [] }
        // A host beside its server reaches it without TLS, and names no CA.
        let isHere = settings.backends.contains { $0.channel == .unix }
        let caFile = settings.caFile.map { String(decoding: $0, as: UTF8.self) } ?? (isHere ? ownCA : nil)
        let own = caFile.flatMap { Web.authorities($0) }
        let proxy = settings.proxy.map { String(decoding: $0, as: UTF8.self) }
        let seen = seen(address, own: own, proxy: proxy)
        return PageFacts(address: shown(address), origin: text(origin), seen: seen).findings
    }

    /// - Parameters:
    ///   - own: the certificates of `ca-file`.
    ///   - proxy: the proxy of this host; phones do not use it.
    private func seen(_ address: String, own: [UInt8]?, proxy: String?) -> PageFacts.Observation {
        let everybodys = publicAuthorities()
        guard !everybodys.isEmpty else {
            guard let own else { return .unverifiable }
            return seen(address, by: own, proxy: proxy, .unknown).seen
        }
        let (first, distrust) = seen(address, by: everybodys, proxy: proxy, .everybody)
        guard let distrust, distrust.isOfCertificate, let own else { return first }
        return seen(address, by: own, proxy: proxy, distrust == .selfSigned ? .selfSigned : .ownAuthority)
            .seen
    }

    /// - Parameters:
    ///   - authorities: the only certificates that may vouch for the server, in PEM.
    ///   - trust: the trust to report if they vouch for it.
    private func seen(
        _ address: String, by authorities: [UInt8], proxy: String?, _ trust: PageFacts.Trust
    ) -> (seen: PageFacts.Observation, distrust: Distrust?) {
        guard let page = PhonePage(address, authorities, proxy: proxy) else {
            return (.nothing("it is not an https address"), nil)
        }
        do throws(WebError) { return (try seen(page, trust), nil) } catch {
            guard let distrust = error.distrust else { return (.nothing(shown(error.message)), nil) }
            return (.distrust("\(distrust.fault)"), distrust)
        }
    }

    private func seen(_ page: PhonePage, _ trust: PageFacts.Trust) throws(WebError) -> PageFacts.Observation {
        let answer = try page.get("")
        guard PhonePage.isPage(answer) else { return .status(answer.status) }
        return .page(
            PageFacts.Page(
                trust: trust, publicOrigin: try page.publicOrigin(), isGuarded: PhonePage.isGuarded(answer),
                changed: try changed(page)))
    }

    /// The names of files that are served with other content than in the package; nil if the package is not
    /// installed.
    private func changed(_ page: PhonePage) throws(WebError) -> [String]? {
        guard let text = fileText(digestsFile) else { return nil }
        var digests: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { digests[parts[1].drop { " *".contains($0) }.description] = "\(parts[0])" }
        }
        var changed: [String] = []
        for (name, digest) in digests.sorted(by: { $0.key < $1.key }) where !isCompressed(name) {
            var served = [try page.get(name)]
            for (suffix, coding) in codings where digests[name + suffix] != nil {
                served.append(try page.get(name, coding: coding))
            }
            let isGenuine = served.allSatisfy { answer in
                let coding = answer.header("content-encoding")
                let suffix = codings.first { $0.coding == coding }?.suffix
                guard answer.status == 200, coding == nil || suffix != nil else { return false }
                return hexText(sha256(answer.body)) == suffix.map { digests[name + $0] ?? "" } ?? digest
            }
            if !isGenuine { changed.append(shown(name)) }
        }
        return changed
    }
}

private let codings = [(suffix: ".br", coding: "br"), (suffix: ".gz", coding: "gzip")]

private func isCompressed(_ name: String) -> Bool { codings.contains { name.hasSuffix($0.suffix) } }

/// The system's CAs, in PEM, without those that an administrator of this host has added: phones do not know
/// these.
private func publicAuthorities() -> [UInt8] {
    guard let text = Web.authorities("") else { return [] }
    let folder = "/usr/local/share/ca-certificates"
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let added = Set(names.flatMap { certificates(fileText(folder + "/" + $0) ?? []) }.map(onOneLine))
    let kept = certificates(text).filter { !added.contains(onOneLine($0)) }
    return [UInt8](
        kept.map { "-----BEGIN CERTIFICATE-----\($0)-----END CERTIFICATE-----\n" }.joined().utf8)
}

/// The text between the first and the last line of each PEM certificate.
private func certificates(_ text: [UInt8]) -> [String] {
    String(decoding: text, as: UTF8.self).components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        .map { $0.components(separatedBy: "-----END CERTIFICATE-----")[0] }
}

private func onOneLine(_ text: String) -> String { text.filter { !$0.isWhitespace } }
