// SPDX-License-Identifier: Apache-2.0
// A store in a folder of its own, an enrolled account, and a user who types.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets

/// A folder that is removed with the value.
final class Folder {
    let path: String

    init() throws {
        // Every folder above must belong to root or to us and be no link; the temporary folder itself may be
        // one.
        var template = Array("/tmp/mpin-client-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var octets: [UInt8] { Array(path.utf8) }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
    }
}

/// Gives the answers in order, and records what was shown.
struct Person: ~Copyable, Conversation {
    var answers: [String]
    var prompts: [Prompt] = []
    var notices: [Notice] = []
    var breaks: ConversationError?

    init(_ answers: [String], breaks: ConversationError? = nil) {
        self.answers = answers
        self.breaks = breaks
    }

    mutating func ask(_ prompt: Prompt) throws(ConversationError) -> Secret {
        prompts.append(prompt)
        guard !answers.isEmpty else { throw breaks ?? .failed }
        do { return try secret(answers.removeFirst()) } catch { throw .failed }
    }

    mutating func tell(_ notice: Notice) throws(ConversationError) { notices.append(notice) }
}

let alice = Account(uid: 4_711, gid: 4_711, name: Array("alice".utf8))

extension PINRule {
    /// The rule of new enrolments. Each try takes a hundredth of a second and more, so by default a fixture
    /// has the rule of Milagro's tokens, which takes no time.
    static let stretched = PINRule.scrypt(.standard, salt: Array(16..<32))
}

/// A host with its server; alice is enrolled with PIN 2580 by default.
final class LoginFixture {
    let folder: Folder
    let server: FakeServer
    let store: [UInt8]
    let rule: PINRule
    /// How many sets of backup codes it has given.
    var setsGiven = 0

    init(
        sealed: Bool = true, enrolled: Bool = true, remote: Bool = false,
        rule: PINRule = .milagroString
    ) throws {
        self.rule = rule
        folder = try Folder()
        server = try FakeServer(sealed: sealed)
        store = Array((folder.path + "/store").utf8)
        let files = try FileStore.make(at: store)
        if sealed { try files.write(try testHostKey()) }
        if enrolled {
            let outcome = try enrol(pin: remote ? LoginFixture.longPIN : LoginFixture.pin, remote: remote)
            guard case .enrolled = outcome else { throw StageError.notEnrolled(outcome) }
        }
    }

    enum StageError: Error { case notEnrolled(RegistrationOutcome) }

    static let pin = "2580"
    static let longPIN = "rattling kettle"

    var host: [UInt8] { server.hostKey == nil ? machineName() : Array("prod-db1".utf8) }

    func request(
        known: [IdentityHash] = [], pending: PendingRegistration? = nil, remote: Bool = false,
        enrolled: String = "2026-11-21T12:00:00Z", code: String = "BCDFGHJKLMNPQRST"
    ) -> RegistrationRequest {
        RegistrationRequest(
            context: context(service: "mpin"), userID: Array("alice@example.org".utf8),
            activationCode: Array(code.utf8), deviceName: Array("prod-db1".utf8),
            backend: Array("unix:/run/mpind.sock".utf8), enrolled: Array(enrolled.utf8), remote: remote,
            rule: rule, known: known, pending: pending)
    }

    func registration(_ request: RegistrationRequest, pin: String) throws -> Registration {
        try Registration(
            request, pin: try secret(pin), hostKey: server.hostKey == nil ? nil : try testHostKey(),
            nonce: freshNonce)
    }

    @discardableResult
    func enrol(
        pin: String, remote: Bool = false, enrolled: String = "2026-11-21T12:00:00Z",
        code: String = "BCDFGHJKLMNPQRST", stop: (RegistrationStep) -> Void = { _ in }
    ) throws -> RegistrationOutcome {
        let files = try FileStore(at: store)
        let known = try ids(files)
        let pending = try files.pending(alice, host: host)
        var machine = try registration(
            request(known: known, pending: pending, remote: remote, enrolled: enrolled, code: code), pin: pin)
        return drive(&machine, of: alice, host: host, in: files, progress: stop) { server.connect() }
    }

    func ids(_ files: borrowing FileStore) throws -> [IdentityHash] {
        guard let file = try files.user(alice, host: host) else { return [] }
        return file.identities.map(\.id)
    }

    func settings(_ lines: String = "", service: String = "su") throws -> Settings {
        let backend = server.hostKey == nil ? "https://mpin.example.org" : "unix:/run/mpind.sock"
        let form = server.hostKey == nil ? "answer = unsealed\nmethod = pin\n" : ""
        let path = String(decoding: store, as: UTF8.self)
        return try Settings(
            text: Array("backend = \(backend)\nstore = \(path)\n\(form)\(lines)\n".utf8),
            file: Array("mpin.conf".utf8), service: Array(service.utf8))
    }

    /// The settings of a host with another backend.
    func settings(_ backend: String, _ lines: String) throws -> Settings {
        let path = String(decoding: store, as: UTF8.self)
        return try Settings(
            text: Array("\(backend)\nstore = \(path)\n\(lines)\n".utf8), file: Array("mpin.conf".utf8),
            service: Array("su".utf8))
    }

    func context(
        service: String = "su", account: Account? = alice, rhost: String? = nil, tty: String? = "pts/3",
        authInfo: String? = nil
    ) -> LoginContext {
        LoginContext(
            service: Array(service.utf8), account: account, rhost: rhost.map { Array($0.utf8) },
            tty: tty.map { Array($0.utf8) }, authInfo: authInfo.map { Array($0.utf8) }, realUID: 1_001)
    }

    /// A login by sshd, after a public key.
    var afar: LoginContext {
        context(service: "sshd", rhost: "203.0.113.9", tty: "ssh", authInfo: "publickey ssh-ed25519 AAAA\n")
    }

    struct Shown {
        let outcome: Outcome
        let prompts: [Prompt]
        let notices: [Notice]
        let attempt: [UInt8]
        let isPersonal: Bool
    }

    func login(
        _ answers: [String], settings: Settings, context: LoginContext, breaks: ConversationError? = nil,
        deadline: Deadline = Deadline(milliseconds: 600_000)
    ) -> Shown {
        let machine = Login(
            settings: settings, context: context, credentials: .find(settings, context), nonce: freshNonce)
        var person = Person(answers, breaks: breaks)
        let outcome = drive(machine, &person, deadline: deadline) { server.connect() }
        return Shown(
            outcome: outcome, prompts: person.prompts, notices: person.notices, attempt: machine.attempt,
            isPersonal: machine.isPersonal)
    }

    func login(_ answers: String...) throws -> Shown {
        login(answers, settings: try settings(), context: context())
    }
}

extension Outcome {
    var isGranted: Bool {
        if case .granted = self { return true }
        return false
    }
}
