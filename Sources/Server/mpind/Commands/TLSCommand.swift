// SPDX-License-Identifier: Apache-2.0
// `mpind tls`: makes and renews a certificate for this server under a CA of its own.
import ArgumentParser
import Glibc
import MPinServer

struct TLSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tls", abstract: "Make this server's certificate under a CA of your own, and renew it.",
        subcommands: [Own.self, Renew.self])

    struct Own: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "self",
            abstract: "Make a CA of your own and a certificate, for a trial or a closed network.",
            discussion: """
                To trust this server, hosts need the file ca.pem and nothing else: the CA can vouch
                only for the names given here. Existing files are not overwritten without --force.
                """)
        @OptionGroup var wish: CertificateWish
        @OptionGroup var place: CertificatePlace
        @ArgumentParser.Flag(help: "Replace the CA and the certificate that are there.") var force = false
        @OptionGroup var output: JSONOutput

        func run() throws {
            let names = try wish.serverNames()
            let folder = place.tlsFolder
            try wish.make(names, in: folder, replaces: force)
            try TLSReport(folder).show(output, named: "made")
        }
    }

    struct Renew: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a new key and certificate under the same CA.",
            discussion:
                """
                Hosts trust it without any change. `sudo systemctl reload mpind` makes the server use it. Once
                a day mpind-renew.timer runs this command with --if-due, if `mpind setup` made the CA.
                """)
        @Option(help: ArgumentHelp("For how many days, 1 to 398.", valueName: "number")) var days = 397
        @ArgumentParser.Flag(
            help: ArgumentHelp(
                "Only if the server uses a certificate of this CA that has less than a third of its life "
                    + "left: renew it for the same number of days, and make the server use it."))
        var ifDue = false
        @OptionGroup var place: CertificatePlace
        @OptionGroup var output: JSONOutput

        func validate() throws { try checkDays(days) }

        func run() throws {
            let folder = place.tlsFolder
            guard !ifDue else { return try folder.renewIfDue() }
            try folder.renew(days: days)
            try TLSReport(folder).show(output, named: "renewed")
        }
    }
}

struct CertificatePlace: ParsableArguments {
    @Option(help: ArgumentHelp("Where the files are.", valueName: "dir")) var folder = TLSFolder.usual

    var tlsFolder: TLSFolder { TLSFolder(path: absolute(folder)) }
}

/// The options that describe the certificate to make.
struct CertificateWish: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "DNS names and IP addresses of this server (default: the full name of this machine).",
            valueName: "name"))
    var names: [String] = []
    @Option(help: ArgumentHelp("For how many days the certificate is good, 1 to 398.", valueName: "number"))
    var days = 397
    @Option(help: ArgumentHelp("For how many days the CA is good, to 7300.", valueName: "number"))
    var caDays = 3650
    @ArgumentParser.Flag(help: "Do not keep the CA's key: `mpind tls renew` is impossible then.")
    var discardCAKey = false

    func validate() throws {
        try checkDays(days)
        guard (days...7300).contains(caDays) else {
            throw ValidationError("--ca-days takes a number from that of --days to 7300.")
        }
        for name in names where ServerName(name) == nil {
            throw ValidationError(
                "\(name) is neither an IP address nor a DNS name in ASCII (give others in their xn-- form).")
        }
        guard names.count <= 20 else { throw ValidationError("Give 20 names at most.") }
    }

    func serverNames() throws -> [ServerName] {
        var given: [ServerName] = []
        for name in names.compactMap(ServerName.init) where !given.contains(name) { given.append(name) }
        guard given.isEmpty else { return given }
        guard let own = ServerName.ofThisMachine() else {
            throw ValidationError("This machine has no full name. Name the server: mpind tls self NAME.")
        }
        return [own]
    }

    func make(_ names: [ServerName], in folder: TLSFolder, replaces: Bool) throws(SetupError) {
        try folder.make(
            names, days: days, authorityDays: caDays, keepsKey: !discardCAKey, replaces: replaces)
    }
}

private func checkDays(_ days: Int) throws {
    guard (1...398).contains(days) else { throw ValidationError("--days takes a number from 1 to 398.") }
}

/// The contents of a certificate folder, as text and as JSON.
struct TLSReport: Encodable {
    private let names: [String]
    private let authority: String
    private let authorityEnds: String
    /// SHA-256 of the CA's certificate.
    private let fingerprint: String
    private let certificate: String
    private let ends: String
    private let key: String
    private let url: String

    init(_ folder: TLSFolder) throws(SetupError) {
        let (authority, certificate) = (
            try Certificate(file: folder.authority), try Certificate(file: folder.certificate)
        )
        names = certificate.names.map(\.text)
        url = certificate.names.first?.url ?? ""
        self.authority = folder.authority
        authorityEnds = authority.end.isoText
        fingerprint = authority.fingerprint
        self.certificate = folder.certificate
        ends = certificate.end.isoText
        key = folder.key
    }

    func show(_ output: JSONOutput, named what: String) throws {
        try output.show(self, lines: facts(what) + (what == "made" ? server + host : reload))
    }

    func facts(_ what: String) -> [String] {
        [
            "The certificate for \(names.joined(separator: ", ")) is \(what): \(certificate)",
            "    good until \(ends); its key is \(key)",
            "Its CA: \(authority)", "    good until \(authorityEnds), SHA-256 fingerprint",
            "    \(fingerprint)",
        ]
    }

    private var reload: [String] { ["The server uses the new one after: sudo systemctl reload mpind"] }

    private var server: [String] {
        [
            "", "In mpind.conf of this server (`mpind setup` does this and starts it):",
        ] + settings.map { "    \($0)" }
            + [
                "and once, so that systemd binds port 443 for it:",
                "    sudo systemctl enable mpind-tls.socket",
                "    sudo systemctl stop mpind.socket mpind-admin.socket mpind.service",
                "    sudo systemctl start mpind-tls.socket mpind.socket mpind-admin.socket mpind.service",
            ]
    }

    private var settings: [String] {
        [
            "listen = unix:/run/mpind/mpind.sock", "listen = [::]:443", "public-url = \(url)",
            "tls-certificate = \(certificate)", "tls-key = \(key)",
        ]
    }

    /// The lines that say what to do on each login host.
    var host: [String] {
        [
            "", "On each host, with a copy of ca.pem (it is no secret, but take it from here alone):",
            "    sudo mpin setup --backend \(url) --ca-file ca.pem",
            "It shows the fingerprint of the file; compare it with the one above.",
        ]
    }
}
