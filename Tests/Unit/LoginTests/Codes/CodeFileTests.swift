// SPDX-License-Identifier: Apache-2.0
// codes/UID and the strike-out: what is read, what a failed or killed write leaves, and simultaneous logins.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct `The file of backup codes` {
    private let path = "store/codes/4711"

    private func fault(_ text: String) throws -> StoreError.Fault? {
        let fixture = try LoginFixture()
        try fixture.giveCodes(1)
        try fixture.folder.write(text, to: path)
        do throws(StoreError) {
            _ = try FileStore(at: fixture.store).codesLeft(uid: alice.uid)
            return nil
        } catch { return error.fault }
    }

    private func changed(_ old: String, _ new: String) throws -> StoreError.Fault? {
        let fixture = try LoginFixture()
        try fixture.giveCodes(1)
        let text = try fixture.folder.text(path)
        return try fault(text.replacing(try Regex(old), with: new))
    }

    @Test func `names account, host, time and rule, and contains no letters of a code`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes(2)
        let text = try fixture.folder.text(path)
        let form =
            #/mpin-codes = 1\nuid = 4711\nname = alice\nhost = prod-db1\nmade = 2026-11-21T12:00:00Z\n/#
        #expect(try form.prefixMatch(in: text) != nil)
        #expect(text.contains(#/rule = scrypt 16384 8 1 [0-9a-f]{32}\n(code = [0-9a-f]{64}\n){2}$/#))
        for code in codes {
            #expect(!text.uppercased().contains(code.prefix(4) + code.dropFirst(5).prefix(4)))
        }
        let info = try FileManager.default.attributesOfItem(atPath: fixture.folder.path + "/" + path)
        #expect(info[.posixPermissions] as? Int == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: fixture.folder.path + "/store/codes")
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test(arguments: [
        ("mpin-codes = 1", "mpin-codes = 2"), ("mpin-codes = 1\n", ""), ("uid = 4711", "uid = x"),
        ("name = alice\n", ""), ("host = prod-db1\n", ""), ("made = .*\n", ""),
        ("rule = scrypt 16384", "rule = scrypt 1024"), ("rule = .*\n", "rule = milagro-string\n"),
        ("rule = .*\n", ""), ("code = ..", "code = "), ("code = ..", "code = zz"), ("code", "codes"),
        (
            "(code = .*\n)",
            "code = \(String(repeating: "0a", count: 32))\ncode = \(String(repeating: "0a", count: 32))\n"
        ),
        ("(code = .*\n)", "[more]\n"), ("uid = 4711", "uid = 4711\nuid = 4711"),
        ("(code = .*\n)", (0...16).map { "code = \(String(repeating: "\(10 + $0)", count: 32))\n" }.joined()),
    ])
    func `is refused if any line is invalid`(_ old: String, _ new: String) throws {
        guard case .key = try changed(old, new) else {
            Issue.record("\(old) as \(new)")
            return
        }
    }

    @Test func `may hold sixteen codes, or none`() throws {
        let sixteen = (0..<16).map { "code = \(String(repeating: "\(10 + $0)", count: 32))\n" }.joined()
        #expect(try changed("code = .*\n", sixteen) == nil)
        #expect(try changed("code = .*\n", "") == nil)
    }

    @Test(arguments: [0o640, 0o604]) func `is refused if others may read it`(_ mode: Int) throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        try fixture.mode(path, mode)
        guard case .failed(.store(let error)) = try fixture.loginWithCodes(codes).outcome else {
            Issue.record("read")
            return
        }
        #expect(error.fault == .tooOpen)
    }

    @Test func `of any octets is read or refused`() throws {
        let fixture = try LoginFixture()
        try fixture.giveCodes()
        let text = Array(try fixture.folder.text(path).utf8)
        let files = try FileStore(at: fixture.store)
        var random = SplitMix(seed: 39)
        for _ in 0..<rounds(1_000) {
            var octets = text
            for _ in 0...random.next(4) { octets[random.next(octets.count)] = UInt8(random.next(256)) }
            if random.next(3) == 0 { octets.removeLast(random.next(octets.count)) }
            try Data(octets).write(to: URL(fileURLWithPath: fixture.folder.path + "/" + path))
            do throws(StoreError) {
                let left = try files.codesLeft(uid: alice.uid)
                #expect((0...3).contains(left ?? 0))
            } catch { #expect(error.file == fixture.store + Array("/codes/4711".utf8)) }
        }
    }

    @Test func `is replaced by a new set, and removed with the whole set`() throws {
        let fixture = try LoginFixture()
        let old = try fixture.giveCodes()
        let new = try fixture.giveCodes(2)
        #expect(try fixture.loginWithCodes(old).outcome == .refused(.wrongBackupCode))
        #expect(try fixture.loginWithCodes([new[0]]).left == 1)
        let files = try FileStore(at: fixture.store)
        #expect(try files.removeCodes(uid: alice.uid))
        let isGone = try !files.removeCodes(uid: alice.uid)
        #expect(isGone && !FileManager.default.fileExists(atPath: fixture.folder.path + "/" + path))
    }
}

@Suite(.slow) struct `A strike-out` {
    @Test func `that fails grants no login`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        // A folder cannot be unlinked as a file can, and is not a file.
        let hash = try #require(try fixture.unused.first)
        let path = fixture.folder.path + "/store/codes/4711.unused/" + hash
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let shown = try fixture.loginWithCodes(codes)
        guard case .failed(.store(let error)) = shown.outcome else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect(error.fault == .wrongType && shown.prompts.count == 1)
        try FileManager.default.removeItem(atPath: path)
        #expect(try fixture.codesLeft == 2)
    }

    @Test func `of codes whose files are missing, or of another set, grants no login`() throws {
        let fixture = try LoginFixture()
        let old = try fixture.giveCodes()
        let before = try fixture.unused
        let folder = fixture.folder.path + "/store/codes/4711.unused"
        let new = try fixture.giveCodes()
        for name in before {
            let file = URL(fileURLWithPath: folder + "/" + name)
            try Data().write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        #expect(try fixture.codesLeft == 3)
        #expect(try fixture.loginWithCodes(old).outcome == .refused(.wrongBackupCode))
        try FileManager.default.removeItem(atPath: folder)
        #expect(try fixture.codesLeft == 0)
        #expect(try fixture.loginWithCodes([new[0]]).outcome == .conversationFailed)
    }

    @Test func `of a code that was replaced during the prompt grants no login`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let settings = try fixture.settings(naming: "su")
        let changes: [() throws -> Void] = [
            { try fixture.giveCodes() }, { _ = try FileStore(at: fixture.store).removeCodes(uid: 4_711) },
        ]
        for change in changes {
            let login = Login(
                settings: settings, context: fixture.context(),
                credentials: .find(settings, fixture.context()),
                nonce: freshNonce)
            var person = Late(answer: codes[0], before: change)
            let outcome = drive(login, &person, deadline: Deadline(milliseconds: 600_000)) {
                fixture.server.connect()
            }
            #expect(outcome == .conversationFailed && person.notices == [.wrongBackupCode])
            try fixture.giveCodes()
        }
    }

    @Test func `does not wait for a locked store`() throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes()
        let lock = unsafe open(fixture.folder.path + "/store/users/.lock", O_RDWR)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        #expect(try fixture.loginWithCodes([codes[0]]).left == 2)
        close(lock)
    }

    @Test func `of one code by many logins succeeds once, and of many codes for each`() async throws {
        let fixture = try LoginFixture()
        let codes = try fixture.giveCodes(8)
        try fixture.keep()
        let settings = try fixture.settings(naming: "su", "method = pin")
        let context = fixture.context()
        func lets(_ code: String) async -> Int? {
            await Task.detached {
                let login = Login(
                    settings: settings, context: context, credentials: .find(settings, context),
                    nonce: freshNonce)
                var person = Person([code])
                let outcome = drive(login, &person, deadline: Deadline(milliseconds: 600_000)) {
                    () throws(TransportError) -> Away in Away()
                }
                guard case .granted(let grant) = outcome else { return nil }
                return grant.left
            }.value
        }
        let typed = [String](repeating: codes[0], count: 8) + codes.dropFirst()
        let left = await withTaskGroup(of: Int?.self) { group in
            for code in typed { group.addTask { await lets(code) } }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(left.count == 8 && left.allSatisfy { (0..<8).contains($0) })
        #expect(try fixture.codesLeft == 0)
    }
}

/// Runs an action while the user types.
private struct Late: Conversation {
    let answer: String
    let before: () throws -> Void
    var notices: [Notice] = []
    private var isAsked = false

    init(answer: String, before: @escaping () throws -> Void) {
        (self.answer, self.before) = (answer, before)
    }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        guard !isAsked else { throw .failed }
        isAsked = true
        do {
            try before()
            return try secret(answer)
        } catch { throw .failed }
    }

    mutating func tell(_ notice: Notice) throws(ConversationError) { notices.append(notice) }
}

/// A relay that cannot reach a server.
private struct Away: ~Copyable, Transport {
    mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        RelayResponse(kind: question.kind, status: RelayResponse.unreachable)
    }
}
