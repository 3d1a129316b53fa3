// SPDX-License-Identifier: Apache-2.0
// TLS with a real server: who is believed, and what a refusal is called.
import Foundation
import MPinLogin
import MPinWire
import TestSupport
import Testing

@Suite struct TLSTests {
    /// openssl's own server, with a certificate for these names, that gives out clientSettings.
    private final class TLSServer {
        let folder: TemporaryFolder
        let port: String
        private let process: Background
        var certificate: String { folder.path + "/certificate" }

        init(names: String = "DNS:localhost,IP:127.0.0.1", _ options: [String] = []) throws {
            folder = try TemporaryFolder()
            let (key, certificate) = (folder.path + "/key", folder.path + "/certificate")
            let made = try run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "2",
                ]
                    + [
                        "-subj", "/CN=test", "-addext", "subjectAltName=" + names, "-keyout", key, "-out",
                        certificate,
                    ])
            try #require(made.status == 0)
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

    @Test func `a certificate of the named authority is believed, for its names`() throws {
        let server = try TLSServer()
        #expect(try status("https://localhost:\(server.port)", caFile: server.certificate) == 200)
        #expect(try status("https://127.0.0.1:\(server.port)", caFile: server.certificate) == 200)
        #expect(try status("https://127.0.0.1:\(server.port)") == Answer.tlsRefused)
    }

    @Test func `the end of a certificate is told, to the day of its making`() throws {
        let server = try TLSServer()
        let answer = try ask(
            .inspect, hello(["https://localhost:\(server.port)"], caFile: server.certificate))
        guard case .inspect(let facts) = answer.body else {
            Issue.record("\(answer)")
            return
        }
        // openssl made it for two days from now.
        let left = Double(facts.certificateEnd) - Date().timeIntervalSince1970
        #expect((47 * 3_600...48 * 3_600).contains(left) && facts.time == 0)
    }

    @Test func `a certificate for another name is refused`() throws {
        let server = try TLSServer(names: "DNS:other.example")
        #expect(
            try status("https://localhost:\(server.port)", caFile: server.certificate) == Answer.tlsRefused)
    }

    @Test func `an old TLS is refused`() throws {
        let server = try TLSServer(["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        #expect(
            try status("https://localhost:\(server.port)", caFile: server.certificate) == Answer.tlsRefused)
    }

    @Test func `a server without TLS is refused, and one that says nothing is timed out`() throws {
        let authority = try TLSServer()
        let plain = try Server(.ipv4) { _ in settings() }
        let backend = plain.backend.replacing("http:", with: "https:")
        let greeting = hello([backend], caFile: authority.certificate, total: 700)
        #expect(try ask(.settings, greeting).status == Answer.timedOut)
        #expect(plain.received.isEmpty)
        let anonymous = try Background(
            "/usr/bin/python3", ["-c", TLSTests.anonymousServer], until: "ACCEPT 127.0.0.1:")
        let port = String(anonymous.greeting.firstMatch(of: #/ACCEPT 127.0.0.1:(\d+)/#)?.1 ?? "")
        #expect(try status("https://127.0.0.1:\(port)", caFile: authority.certificate) == Answer.tlsRefused)
    }

    /// Speaks TLS without a certificate, with whoever comes.
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

    @Test func `authorities that cannot be read, or that others can write, end the relay`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/authorities"
        let greeting = hello(["https://127.0.0.1"], caFile: file)
        let program = try relayProgram.get()
        #expect(throws: TransportError.closed) { _ = try start(program, greeting) }
        try Data().write(to: URL(filePath: file))
        #expect(throws: TransportError.closed) { _ = try start(program, greeting) }
        try Data("x".utf8).write(to: URL(filePath: file))
        #expect(unsafe chmod(file, 0o666) == 0)
        #expect(throws: TransportError.closed) { _ = try start(program, greeting) }
    }
}
