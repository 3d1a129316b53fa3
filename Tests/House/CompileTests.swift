// SPDX-License-Identifier: Apache-2.0
// Misuses that must not compile, each beside a similar use that must.
import Foundation
import TestSupport
import Testing

@Suite struct CompileTests {
    /// A function that uses modules of this build: a correct body, and a body that must be refused.
    struct Misuse: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let header: String
        let good: String
        let bad: String
        let complaint: String
    }

    static let misuses = [
        Misuse(
            testDescription: "one x answers two challenges",
            header: "import MPin\nimport Octets\n"
                + "func f(_ pass: consuming PassOne, _ y: Challenge) throws -> [UInt8] { ",
            good: "try pass.answer(y: y)", bad: "try pass.answer(y: y) + pass.answer(y: y)",
            complaint: "'pass' consumed more than once"),
        Misuse(
            testDescription: "an identity's hash is taken for a question's",
            header: "import MPin\nimport Octets\nfunc f(_ key: borrowing HostKey, _ a: QuestionHash, "
                + "_ id: IdentityHash) throws -> [UInt8] { ",
            good: "try key.bindDoneTag(a: a, id: id)", bad: "try key.bindDoneTag(a: id, id: a)",
            complaint: "cannot convert value of type 'IdentityHash'"),
        Misuse(
            testDescription: "the server's nonce is taken for that of a host's question",
            header: "import MPin\nimport Octets\n"
                + "func f(_ nonce: QuestionNonce, _ n: ServerNonce) -> Bind? { ",
            good: "Bind(host: [1], nonce: nonce, account: [1], source: [1], userID: [], life: 1)",
            bad: "Bind(host: [1], nonce: n, account: [1], source: [1], userID: [], life: 1)",
            complaint: "cannot convert value of type 'ServerNonce'"),
        Misuse(
            testDescription: "a secret is interpolated into a string",
            header: "import Secrets\nfunc f(_ secret: borrowing Secret) -> String { ",
            good: #""\(secret.count)""#, bad: #""\(secret)""#, complaint: "'appendInterpolation'"),
        Misuse(
            testDescription: "a secret is copied",
            header: "import Secrets\nfunc f(_ secret: consuming Secret) -> Secret { ",
            good: "let moved = secret; return moved", bad: "let copied = copy secret; return copied",
            complaint: "'copy' cannot be applied to noncopyable"),
    ]

    @Test(arguments: misuses) func `a misuse does not compile`(_ misuse: Misuse) throws {
        let good = try compiled(misuse.header + misuse.good + " }\n")
        #expect(good.status == 0, "\(good.output)")
        let bad = try compiled(misuse.header + misuse.bad + " }\n")
        #expect(bad.status == 1)
        #expect(bad.output.contains(misuse.complaint), "\(bad.output)")
    }

    /// Compiles as far as SIL, which is where ownership is checked; nothing is written.
    private func compiled(_ text: String) throws -> Ending {
        let source = try TemporaryFolder()
        let file = source.path + "/misuse.swift"
        try Data(text.utf8).write(to: URL(filePath: file))
        let build = try buildFolder()
        return try run(
            "/usr/bin/env",
            [
                "swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-package-name", packageName,
                "-I", build + "/Modules", "-I", House.root.appending(path: "Sources/C/CCrypto").path,
                "-Xcc", "-fmodule-map-file=\(build)/CPlatform.build/module.modulemap", file,
            ], withErrors: true)
    }

    /// The package's name, which SwiftPM derives from the folder of the checkout.
    private var packageName: String {
        String(House.root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}
