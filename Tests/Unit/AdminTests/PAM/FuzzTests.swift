// SPDX-License-Identifier: Apache-2.0
// Random texts: none traps, and a file that can be edited is restored exactly.
@testable import MPinAdmin
import TestSupport
import Testing

@Suite struct FuzzTests {
    private static let pieces = [
        "auth", "-auth", "account", "required", "sufficient", "[success=1 default=ignore]", "[", "]", "=",
        "pam_unix.so", "pam_rootok.so", "pam_mpin.so", "pam_env.so", "@include", "include", "substack",
        "common-auth", "x", "\\", "\\\n", "\n", "\n", "\n", "#", " ", "\t", Mark.begin, Mark.end,
        Factor.only.block(for: "x"), "auth required pam_unix.so\n", "@include common-auth\n", "\u{0}", "\r",
        "é",
        "auth optional pam_faildelay.so delay=1\n", "# a comment\n", "auth required pam_unix.so\n",
        "@include common-auth\n", "\n", "\n# another\n", "account required pam_unix.so\n",
    ]

    @Test func `a text of random pieces is refused, or edited and restored`() throws {
        var random = SplitMix(seed: 22)
        var edited = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<14, using: &random)
            let text = (0..<count).map { _ in
                (Self.pieces.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
            }.joined()
            var folder = Folder.debian12
            folder.files["x"] = text
            guard let written = try? folder.with(.second, in: "x") else { continue }
            edited += 1
            let after = try PAMFile("x", text: Array(written.utf8))
            let plain = try PAMFile("x", text: Array(text.utf8)).withoutSetup() ?? Array(text.utf8)
            #expect(try after.withoutSetup() == plain, "\(text)")
            folder.files["x"] = written
            #expect(try folder.stack("x").places().count == 1, "\(text)")
        }
        #expect(edited > 200)
    }

    @Test func `random octets do not trap`() {
        var random = SplitMix(seed: 22)
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            do {
                let file = try PAMFile("x", text: text)
                _ = try file.with(.only) { name throws(PAMError) in
                    throw PAMError.missing(name)
                }
            } catch { #expect(error.line >= 0) }
        }
    }
}
