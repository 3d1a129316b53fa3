// SPDX-License-Identifier: Apache-2.0
// Instructions that depend on where the server runs: on this host, where root enrols users without a code, or
// on another machine.
import MPinLogin
import MPinProof
import MPinStore

/// Where the server runs.
struct ServerPlace {
    let isHere: Bool
    /// The address of the first backend; empty if there are no settings.
    private let address: String

    init(_ settings: Settings) { self.init(settings.backends) }

    init(_ backends: [Backend]) {
        let here = try? LocalServer()
        isHere = here.map { here in backends.contains { here.isMeant(by: $0) } } ?? false
        address = backends.first.map { text($0.address) } ?? ""
    }

    /// The place that mpin.conf gives, for commands that make no request to the server.
    init(store: [UInt8]?) { self.init((try? hostSettings(store: store))?.backends ?? []) }

    var onServer: String {
        isHere ? "on this host" : address.isEmpty ? "on the server" : "on the server at \(address)"
    }

    /// The command that gives an account a PIN on this host.
    var enrolmentCommand: String { ServerPlace.enrolmentCommand(isHere: isHere) }

    static func enrolmentCommand(isHere: Bool) -> String {
        isHere ? "sudo mpin enroll USER --here" : "sudo mpin enroll USER --identity NAME"
    }

    /// A sentence about how an account gets a PIN on this host.
    var enrolmentAdvice: String {
        guard !isHere else { return "Run 'sudo mpin enroll USER --here'." }
        return "'sudo mpind user add NAME' \(onServer) prints a code. With it, run 'sudo mpin enroll USER "
            + "--identity NAME' here."
    }

    /// What an administrator does for a user who is revoked or suspended.
    var enrolAnew: String {
        "To end a suspension, run 'sudo mpind user resume NAME' \(onServer). A revoked user must enrol "
            + "again: " + enrolmentAdvice
    }
}
