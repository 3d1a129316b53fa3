// SPDX-License-Identifier: Apache-2.0
// The prompts of commands: a wrong answer brings the prompt once more, and without a terminal there is none.
import Foundation
@testable import MPinAdmin
import TestSupport
import Testing

@Suite struct DialogueTests {
    private func join(_ respondent: ScriptedRespondent, code: Int32? = nil) throws -> Failure? {
        let folder = try TemporaryFolder()
        let server = ServerChoice(
            backends: ["unix:/nowhere/s"], relay: Array("/nowhere/relay".utf8),
            store: Array("\(folder.path)/store".utf8))
        do throws(Failure) {
            _ = try joinHost(as: "db1", at: server, Dialogue(code: code, with: respondent))
            return nil
        } catch { return error }
    }

    @Test func `an invalid code is reported, and the prompt comes once more`() throws {
        let person = ScriptedRespondent("BCDF", "BCDF-GHJK-LMNP-QRST")
        let failure = try #require(try join(person))
        #expect(person.asked == ["Join code for db1: ", "Join code for db1: "])
        #expect(person.heard == ["A join code has 16 letters, as in BCDF-GHJK-LMNP-QRST."])
        // The second code was accepted: the relay comes next.
        #expect(failure.sentence.hasPrefix("/nowhere/relay cannot be started."))
    }

    @Test func `without a terminal a command names the option for the answer`() throws {
        let failure = try #require(try join(ScriptedRespondent()))
        #expect(failure.kind == .settings)
        #expect(failure.sentence.hasSuffix("Name a descriptor: --code-fd N."))
    }

    @Test func `an invalid code from a descriptor is refused without a prompt`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("BCDF\n".utf8))
        try pipe.fileHandleForWriting.close()
        let person = ScriptedRespondent("BCDF-GHJK-LMNP-QRST")
        let failure = try #require(try join(person, code: pipe.fileHandleForReading.fileDescriptor))
        #expect(failure.kind == .refused && person.asked.isEmpty && person.heard.isEmpty)
    }

    @Test func `each kind of failure has an exit status`() {
        let kinds: [FailureKind] = [
            .refused, .notEnrolled, .settings, .store, .broken, .unreachable, .cancelled,
        ]
        #expect(kinds.map(\.exit) == [1, 1, 2, 2, 2, 3, 4])
    }
}
