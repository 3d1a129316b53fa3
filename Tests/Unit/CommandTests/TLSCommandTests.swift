// SPDX-License-Identifier: Apache-2.0
// `mpind tls`: OpenSSL verifies the CA and the certificate, for the names that were given and for others.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct TLSCommandTests {
    private let temporary: TemporaryFolder
    private let folder: String
    private var authority: String { folder + "/ca.pem" }
    private var files: [String] { ["ca.key", "ca.pem", "server.key", "server.pem"] }

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path + "/tls"
    }

    private func tls(_ words: String...) throws -> Ending {
        try command(["mpind", "tls"] + words + ["--folder", folder])
    }

    private func openssl(_ words: String...) throws -> Ending {
        try run("/usr/bin/env", ["openssl"] + words, withErrors: true)
    }

    /// OpenSSL's verdict on a certificate, as that of a server.
    private func verdict(_ file: String = "server.pem", _ options: String...) throws -> Ending {
        try run(
            "/usr/bin/env",
            ["openssl", "verify", "-CAfile", authority, "-x509_strict", "-purpose", "sslserver"] + options
                + ["\(folder)/\(file)"], withErrors: true)
    }

    private func contents() throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            found[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return found
    }

    /// The verdict on a certificate that OpenSSL signs with the CA's key, for any names.
    private func signed(for names: String) throws -> Ending {
        let script = """
            cd '\(folder)' && umask 077
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=M-Pin server' \
                -addext 'subjectAltName = \(names)' -keyout other.key -out other.csr 2>/dev/null
            openssl x509 -req -in other.csr -copy_extensions copy -CA ca.pem -CAkey ca.key -days 1 \
                -out other.pem 2>/dev/null
            """
        #expect(try run("/bin/sh", ["-ec", script]).status == 0)
        return try verdict("other.pem")
    }

    @Test(arguments: [
        ["login.example.org"], ["Login.Example.org", "192.0.2.1"], ["2001:db8::1"], ["192.0.2.1"],
        ["a.example", "b.example", "2001:db8::1", "192.0.2.1"],
    ]) func `OpenSSL accepts the certificate for each name`(_ names: [String]) throws {
        #expect(try command(["mpind", "tls", "self", "--folder", folder] + names).status == 0)
        for name in names {
            let isAddress = name.contains(":") || name.hasPrefix("192.")
            let ending = try verdict("server.pem", isAddress ? "-verify_ip" : "-verify_hostname", name)
            #expect(ending.status == 0, "\(name): \(ending.output)")
        }
        #expect(try verdict("server.pem", "-verify_hostname", "other.example").status != 0)
        #expect(try verdict("server.pem", "-verify_ip", "192.0.2.2").status != 0)
        #expect(try Set(contents().keys) == Set(files))
    }

    @Test(arguments: [["login.example.org"], ["192.0.2.1"], ["login.example.org", "2001:db8::1"]])
    func `the CA's certificates are invalid for names that were not given`(_ names: [String]) throws {
        #expect(try command(["mpind", "tls", "self", "--folder", folder] + names).status == 0)
        let own = try signed(
            for: names.map { ($0.contains("example") ? "DNS:" : "IP:") + $0 }.joined(separator: ","))
        #expect(own.status == 0, "\(own.output)")
        for other in [
            "DNS:bank.example", "DNS:example.org", "IP:192.0.2.2", "IP:2001:db8::2",
            names[0].contains("example")
                ? "DNS:login.example.org,DNS:bank.example" : "IP:192.0.2.1,DNS:a.example",
        ] {
            let ending = try signed(for: other)
            #expect(
                ending.status != 0 && ending.output.contains("subtree violation"),
                "\(other): \(ending.output)")
        }
    }

    @Test func `modes, lifetimes and serial number are as the manual says`() throws {
        #expect(try tls("self", "login.example.org").status == 0)
        for (name, mode) in [("ca.pem", 0o644), ("ca.key", 0o600), ("server.pem", 0o644)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
        let key = try FileManager.default.attributesOfItem(atPath: folder + "/server.key")
        #expect((key[.posixPermissions] as? Int ?? 0o777) & 0o137 == 0)
        for (name, days) in [("server.pem", 397), ("ca.pem", 3650)] {
            let file = "\(folder)/\(name)"
            let (before, after) = ("\(days * 86_400 - 3700)", "\(days * 86_400)")
            #expect(try openssl("x509", "-in", file, "-noout", "-checkend", before).status == 0)
            #expect(try openssl("x509", "-in", file, "-noout", "-checkend", after).status == 1)
        }
        let number = try openssl("x509", "-in", authority, "-noout", "-serial").output
        #expect(number.wholeMatch(of: #/serial=[0-9A-F]{28,32}\n/#) != nil, "\(number)")
    }

    @Test func `no file is overwritten without --force`() throws {
        #expect(try tls("self", "login.example.org").status == 0)
        let before = try contents()
        #expect(try tls("self", "login.example.org").isSilent(status: 2))
        #expect(try contents() == before)
        try FileManager.default.removeItem(atPath: folder + "/server.pem")
        #expect(try tls("self", "login.example.org").isSilent(status: 2))
        #expect(try tls("self", "a.example", "--force").status == 0)
        #expect(try verdict("server.pem", "-verify_hostname", "a.example").status == 0)
        #expect(try Set(contents().keys) == Set(files))
    }

    @Test(arguments: ["ca.key", "ca.pem", "server.key", "server.pem"])
    func `if one file cannot be replaced, all stay as they were`(_ name: String) throws {
        #expect(try tls("self", "login.example.org").status == 0)
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(name)/x", withIntermediateDirectories: true)
        let before = try contents()
        #expect(try tls("self", "a.example", "--force").isSilent(status: 2))
        #expect(try contents() == before)
    }

    @Test func `a renewed certificate has a new key, the same names and the same CA`() throws {
        #expect(try tls("self", "login.example.org", "192.0.2.1").status == 0)
        let before = try contents()
        #expect(try tls("renew", "--days", "30").status == 0)
        let after = try contents()
        #expect(after["ca.pem"] == before["ca.pem"] && after["ca.key"] == before["ca.key"])
        #expect(after["server.key"] != before["server.key"] && after["server.pem"] != before["server.pem"])
        #expect(try verdict("server.pem", "-verify_hostname", "login.example.org").status == 0)
        #expect(try verdict("server.pem", "-verify_ip", "192.0.2.1").status == 0)
        #expect(try verdict("server.pem", "-verify_hostname", "other.example").status != 0)
    }

    @Test func `without the CA's key nothing is renewed`() throws {
        #expect(try tls("self", "login.example.org", "--discard-ca-key").status == 0)
        let before = try contents()
        #expect(Set(before.keys) == ["ca.pem", "server.key", "server.pem"])
        #expect(try tls("renew").isSilent(status: 2))
        #expect(try contents() == before)
    }

    @Test func `no certificate outlives its CA`() throws {
        #expect(try tls("self", "login.example.org", "--days", "2", "--ca-days", "2").status == 0)
        #expect(try tls("renew").status == 0)
        let ends = try ["ca.pem", "server.pem"].map {
            try openssl("x509", "-in", "\(folder)/\($0)", "-noout", "-enddate").output
        }
        #expect(ends[0] == ends[1])
    }

    @Test func `the report in JSON has its shape and OpenSSL's fingerprint`() throws {
        let report = try object(tls("self", "login.example.org", "--json"))
        #expect(
            report.keys.sorted() == [
                "authority", "authorityEnds", "certificate", "ends", "fingerprint", "key", "names", "url",
            ])
        let said = try openssl("x509", "-in", authority, "-noout", "-fingerprint", "-sha256").output
        #expect(said.hasSuffix("=\(report["fingerprint"] as? String ?? "?")\n"))
        #expect(report["url"] as? String == "https://login.example.org")
    }

    @Test func `an invalid name or number of days ends with 64`() throws {
        for words in [
            ["bad_name"], ["-a"], ["a..b"], ["a.example,DNS:b.example"], ["192.0.2"], ["*.example"],
            ["é.example"],
            [String(repeating: "a", count: 64) + ".example"], ["a.example", "--days", "0"],
            ["a.example", "--days", "399"], ["a.example", "--ca-days", "100"],
            ["a.example", "--ca-days", "9999"],
        ] {
            #expect(
                try command(["mpind", "tls", "self", "--folder", folder] + words).isSilent(status: 64),
                "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
