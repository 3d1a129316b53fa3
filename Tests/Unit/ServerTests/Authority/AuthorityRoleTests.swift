// SPDX-License-Identifier: Apache-2.0
// The settings of a D-TA that runs apart from its RPS.
import FoundationEssentials
import Glibc
import MPin
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct AuthorityRoleTests {
    @Test func `a D-TA apart has a role, credentials of its RPS, and no plain address for clients`() throws {
        let dta = try settings(
            """
            role = dta2
            rps-credentials = /etc/mpin/credentials.json
            listen = [::]:443
            tls-certificate = /c
            tls-key = /k
            """)
        #expect(dta.role?.half == .second && dta.role?.name == "dta2")
        #expect(dta.role?.credentials == "/etc/mpin/credentials.json")
        try dta.check()
        #expect(try settings("role = all").role == nil)
        let open = try settings("role = dta1\nrps-credentials = /c\nlisten = 0.0.0.0:80")
        #expect(throws: SetupError.self) { try open.check() }
    }

    @Test func `credentials are read from the RPS's file, which only its owner can read`() throws {
        let path = try newFolder() + "/credentials.json"
        func write(_ text: String, mode: mode_t = 0o600) throws {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            _ = unsafe chmod(path, mode)
        }
        let key = String(repeating: "k", count: 32)
        #expect(throws: SetupError.self) { try ApplicationKey(credentials: path) }
        try write(#"{"app_id": "x", "app_key": "\#(key)", "api_url": "https://dta2.example.org"}"#)
        #expect(try ApplicationKey(credentials: path).id == "x")
        try write(#"{"app_id": "x", "app_key": "\#(key)"}"#, mode: 0o644)
        #expect(throws: SetupError.self) { try ApplicationKey(credentials: path) }
        for text in [
            #"{"app_id": "", "app_key": "\#(key)"}"#, #"{"app_id": "x", "app_key": "short"}"#,
            #"{"app_id": "x"}"#, "no JSON", "{}",
        ] {
            try write(text)
            #expect(throws: SetupError.self, "\(text)") { try ApplicationKey(credentials: path) }
        }
        removeFolder(String(path.dropLast("/credentials.json".count)))
    }
}
