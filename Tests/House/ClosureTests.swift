// SPDX-License-Identifier: Apache-2.0
// The libraries and symbols that the module needs and exports, compared with a reviewed file.
import Foundation
import TestSupport
import Testing

/// These tests read `build/pam_mpin.so`, which `make pam` makes.
@Suite(.slow) struct ClosureTests {
    private static let module = House.root.appending(path: "build/pam_mpin.so").path
    private static let golden = House.root.appending(path: "Tests/House/closure.txt")

    @Test func `the module's closure equals the reviewed one`() throws {
        let needed = try Self.needed().map { "needed " + $0 }
        let exported = try Self.symbols("--defined-only", "--extern-only").map { "exported " + $0 }
        let undefined = try Self.symbols("--undefined-only").map { "undefined " + $0 }
        let closure = (needed + exported + undefined).joined(separator: "\n") + "\n"
        #expect(try closure == String(contentsOf: Self.golden, encoding: .utf8))
    }

    @Test func `the module needs five libraries at most and has no run path`() throws {
        let few: Set = ["libpam.so.0", "libc.so.6", "libm.so.6", "libcrypto.so.3", "libqrencode.so.4"]
        #expect(try Set(Self.needed()).isSubset(of: few))
        let dynamic = try #require(try House.output(of: "readelf", ["-dW", Self.module]))
        #expect(!dynamic.contains("RUNPATH") && !dynamic.contains("RPATH"))
        #expect(dynamic.contains("NODELETE") && dynamic.contains("BIND_NOW"))
    }

    @Test func `the module exports the entry points of PAM and nothing else`() throws {
        #expect(
            try Self.symbols("--defined-only", "--extern-only") == [
                "pam_sm_acct_mgmt", "pam_sm_authenticate", "pam_sm_chauthtok", "pam_sm_close_session",
                "pam_sm_open_session", "pam_sm_setcred",
            ])
    }

    @Test func `the module is smaller than 360 KB`() throws {
        let size = try FileManager.default.attributesOfItem(atPath: Self.module)[.size] as? Int
        #expect(try #require(size) < 360_000)
    }

    private static func needed() throws -> [String] {
        let dynamic = try #require(
            try House.output(of: "readelf", ["-dW", module]), "`make pam` makes the module")
        return dynamic.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap {
            $0.split(separator: "[").last?.split(separator: "]").first.map(String.init)
        }.sorted()
    }

    /// Symbols without the versions that the libraries of one distribution append.
    private static func symbols(_ which: String...) throws -> [String] {
        let list = try #require(
            try House.output(of: "nm", ["-D"] + which + [module]), "`make pam` makes the module")
        let names = list.split(separator: "\n").compactMap { $0.split(separator: " ").last }
        return Set(names.compactMap { $0.split(separator: "@").first.map(String.init) }).sorted()
    }
}
