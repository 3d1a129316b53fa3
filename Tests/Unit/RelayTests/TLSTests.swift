// SPDX-License-Identifier: Apache-2.0
// TLS with a real server: which certificates are trusted, and how a refusal is reported.
import Foundation
import MPinCurl
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct TLSTests {
    /// openssl's own server, with a certificate for these names, which serves clientSettings.
    private final class TLSServer {
        let folder: TemporaryFolder
        let port: String
        private let process: Background
        var certificate: String { folder.path + "/certificate" }

        /// - Parameter authority: the server whose key signs this certificate; nil: self-signed.
        init(
            names: String = "DNS:localhost,IP:127.0.0.1", days: Int = 2, by authority: TLSServer? = nil,
            _ options: [String] = []
        ) throws {
            folder = try TemporaryFolder()
            let (key, certificate) = (folder.path + "/key", folder.path + "/certificate")
            let (wanted, more) = (folder.path + "/request", folder.path + "/more")
            try Data("subjectAltName=\(names)\nbasicConstraints=CA:TRUE".utf8).write(to: URL(filePath: more))
            let curve = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
            let asked = try run(
                "/usr/bin/openssl",
                ["req", "-new", "-newkey"] + curve
                    + ["-subj", "/CN=\(folder.path.suffix(6))", "-keyout", key, "-out", wanted])
            let signer =
                authority.map { ["-CA", $0.certificate, "-CAkey", $0.folder.path + "/key"] }
                ?? ["-signkey", key]
            let made = try run(
                "/usr/bin/openssl",
                ["x509", "-req", "-in", wanted, "-days", String(days), "-extfile", more, "-out", certificate]
                    + signer)
            try #require(asked.status == 0 && made.status == 0)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/rps", withIntermediateDirectories: false)
            try Data("{}".utf8).write(to: URL(filePath: folder.path + "/rps/clientSettings"))
            process = try Background(
                "/usr/bin/openssl",
                ["s_server", "-accept", "127.0.0.1:0", "-WWW", "-key", key, "-cert", certificate] + options,
                in: folder.path, until: "ACCEPT 127.0.0.1:")
            port = String(process.greeting.firstMatch(of: #/ACCEPT 127.0.0.1:(\d+)/#)?.1 ?? "")
        }
    }

    private func status(_ backend: String, caFile: String = "") throws -> UInt16 {
        try ask(.settings, hello([backend], caFile: caFile)).status
    }

    @Test func `a certificate of the named authority is trusted, for its names`() throws {
        let server = try TLSServer()
        #expect(try status("https://localhost:\(server.port)", caFile: server.certificate) == 200)
        #expect(try status("https://127.0.0.1:\(server.port)", caFile: server.certificate) == 200)
        #expect(try status("https://127.0.0.1:\(server.port)") == Distrust.selfSigned.status)
    }

    @Test func `the end of a certificate is reported exactly`() throws {
        let server = try TLSServer()
        let answer = try ask(
            .inspect, hello(["https://localhost:\(server.port)"], caFile: server.certificate))
        guard case .inspect(let facts) = answer.body else {
            Issue.record("\(answer)")
            return
        }
        // openssl made the certificate for two days from now.
        let left = Double(facts.certificateEnd) - Date().timeIntervalSince1970
        #expect((47 * 3_600...48 * 3_600).contains(left) && facts.time == 0)
    }

    /// A server with one flaw, whose certificate the client knows otherwise.
    private func server(_ flaw: Distrust, _ authority: TLSServer) throws -> TLSServer {
        switch flaw {
        case .issuer: try TLSServer(by: TLSServer())
        case .selfSigned: try TLSServer()
        case .expired: try TLSServer(days: -1, by: authority)
        case .name: try TLSServer(names: "DNS:other.example", by: authority)
        case .version: try TLSServer(by: authority, ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        case .tls: try TLSServer(by: authority, ["-tls1_2", "-cipher", "NULL-SHA256:@SECLEVEL=0"])
        case .certificate, .notYetValid, .socket, .owner: throw Unmade()
        }
    }
    private struct Unmade: Error {}

    @Test(arguments: [Distrust.issuer, .selfSigned, .expired, .name, .version, .tls])
    func `a server whose TLS is refused is reported with the reason, by relay and library`(
        _ flaw: Distrust
    ) throws {
        let authority = try TLSServer()
        let server = try server(flaw, authority)
        let address = "https://localhost:\(server.port)"
        #expect(try status(address, caFile: authority.certificate) == flaw.status)
        let web = try Web(authorities: authority.certificate)
        let error = #expect(throws: WebError.self) {
            try web.send(.get, address + "/", socket: nil, headers: [:], body: [], seconds: 20)
        }
        #expect(error?.message == "\(address)/: the server cannot be trusted: \(flaw.fault)")
    }

    @Test func `a server without TLS is refused, and one that sends nothing times out`() throws {
        let authority = try TLSServer()
        let plain = try Server(.ipv4) { _ in settings() }
        let backend = plain.backend.replacing("http:", with: "https:")
        let greeting = hello([backend], caFile: authority.certificate, total: 3000)
        #expect(try ask(.settings, greeting).status == RelayResponse.timedOut)
        #expect(plain.received.isEmpty)
        let anonymous = try Background(
            "/usr/bin/python3", ["-c", TLSTests.anonymousServer], until: "ACCEPT 127.0.0.1:")
        let port = String(anonymous.greeting.firstMatch(of: #/ACCEPT 127.0.0.1:(\d+)/#)?.1 ?? "")
        #expect(try status("https://127.0.0.1:\(port)", caFile: authority.certificate) == Distrust.tls.status)
    }

    /// Speaks TLS without a certificate, with every client.
    private static let anonymousServer = """
        import socket, ssl
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers("aNULL:@SECLEVEL=0")
        server = socket.create_server(("127.0.0.1", 0))
        print("ACCEPT 127.0.0.1:%d" % server.getsockname()[1], flush=True)
        while True:
            connection, _ = server.accept()
            try:
                context.wrap_socket(connection, server_side=True)
            except OSError:
                pass
        """

    @Test func `authorities that are unreadable, empty or writable by others end the relay with a reason`()
        throws
    {
        let folder = try TemporaryFolder()
        let file = folder.path + "/authorities"
        let greeting = hello(["https://127.0.0.1"], caFile: file)
        let program = try relayProgram.get()
        #expect(throws: TransportError.noCertificates) { _ = try start(program, greeting) }
        try Data().write(to: URL(filePath: file))
        #expect(throws: TransportError.noCertificates) { _ = try start(program, greeting) }
        try Data("no certificate".utf8).write(to: URL(filePath: file))
        #expect(throws: TransportError.noCertificates) { _ = try start(program, greeting) }
        try Data("-----BEGIN CERTIFICATE-----".utf8).write(to: URL(filePath: file))
        #expect(unsafe chmod(file, 0o666) == 0)
        #expect(throws: TransportError.noCertificates) { _ = try start(program, greeting) }
    }

    @Test func `broken authorities are not blamed on the server`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/authorities"
        let broken = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
        try Data(broken.utf8).write(to: URL(filePath: file))
        let server = try TLSServer()
        #expect(try status("https://localhost:\(server.port)", caFile: file) == RelayResponse.noCertificates)
    }

    @Test func `a backend on a Unix socket needs no authorities`() throws {
        let server = try Server { _ in settings() }
        #expect(try ask(.settings, hello([server.backend], caFile: "/nowhere")).status == 200)
    }
}
