// SPDX-License-Identifier: Apache-2.0
// Instructions that depend on the server: on this host, where root enrols users without a code, on another
// machine, or one of Milagro, which has no commands of ours.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// Which server it is, where it runs, and whom the instructions are about.
struct ServerPlace {
    let isHere: Bool
    /// Whether it is mpind. A Milagro server has commands of its own, or none.
    let isOurs: Bool
    /// The address of the first backend; empty if there are no settings.
    private let address: String
    /// The account, as a word for the shell.
    private let account: String
    /// The account's usual name at the server, as a word for the shell.
    private let name: String
    /// The name of this host, as a word for the shell.
    private let host: String

    /// - Parameter user: the account; nil if no account is meant in particular, so that the one that runs
    ///   sudo is an example.
    init(_ settings: Settings, of user: String? = nil) {
        self.init(settings.backends, isOurs: settings.answer == .sealed, of: user, in: settings.store)
    }

    init(_ backends: [Backend], isOurs: Bool, of user: String? = nil, in store: [UInt8]? = nil) {
        let here = try? LocalServer()
        isHere = here.map { here in backends.contains { here.isMeant(by: $0) } } ?? false
        self.isOurs = isOurs
        address = backends.first.map { text($0.address) } ?? ""
        let user = user ?? (variable("SUDO_USER").isEmpty ? nil : text(variable("SUDO_USER")))
        account = user.map { shellWord(shown($0)) } ?? "ACCOUNT"
        let host = store.flatMap(knownName) ?? machineName()
        self.host = shellWord(text(host))
        name = user.map { shellWord(shown(usualIdentity(of: $0, on: host))) } ?? "NAME"
    }

    /// The place that mpin.conf gives, for commands that make no request to the server.
    init(store: [UInt8]?, of user: String) {
        let settings = try? ServerChoice(store: store).settings()
        self.init(
            settings?.backends ?? [], isOurs: settings?.answer != .unsealed, of: user,
            in: settings?.store ?? store)
    }

    var onServer: String {
        isHere ? "on this host" : address.isEmpty ? "on the server" : "on the server at \(address)"
    }

    /// The command that gives an account a PIN on this host; nil: any account.
    static func enrolmentCommand(isHere: Bool) -> String {
        isHere ? "sudo mpin enroll ACCOUNT --here" : "sudo mpin enroll ACCOUNT"
    }

    /// A sentence about how an account gets a PIN on this host.
    var enrolmentAdvice: String {
        guard isOurs else {
            return
                "Run 'sudo mpin enroll \(account) --identity NAME', with the name that the user has at the "
                + "server."
        }
        guard !isHere else { return "Run 'sudo mpin enroll \(account) --here'." }
        return "'sudo mpind user add \(name)' \(onServer) prints a code. With it, run 'sudo mpin enroll "
            + "\(account)' here."
    }

    /// The sentence for a server that does not accept the key of this host.
    var unknownHost: String {
        "The server does not know this host's key: it was rotated because it had leaked, or the host was "
            + "removed. \(joinAnew)"
    }

    /// A sentence about how this host gets a new key.
    var joinAnew: String {
        "Run 'sudo mpind host rotate \(host)' or 'sudo mpind host add \(host)' \(onServer), then 'sudo mpin "
            + "host join \(host)' here."
    }

    /// What an administrator does for a user who is revoked or suspended.
    var enrolAnew: String {
        guard isOurs else { return "The server's administrator can say why. \(enrolmentAdvice)" }
        return
            "To end a suspension, run 'sudo mpind user resume NAME' \(onServer). A revoked user must enrol "
            + "again: " + enrolmentAdvice
    }
}

/// The name that an account of a host has at the server, unless the administrator gives it another one.
func usualIdentity(of user: String, on host: [UInt8]) -> String { "\(user)@\(text(host))" }

/// The name of this host in a store; nil if it has none yet, or it cannot be read.
private func knownName(_ store: [UInt8]) -> [UInt8]? {
    do throws(StoreError) { return try FileStore(at: store).hostName() } catch { return nil }
}
