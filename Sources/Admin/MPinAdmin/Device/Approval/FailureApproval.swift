// SPDX-License-Identifier: Apache-2.0
// The failures of a proof with the user's own token.
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore

extension Failure {
    static let unnamed = Failure(
        .settings, "Name the login by the number that its console shows: mpin approve NUMBER.")
    static let nothingWaits = Failure(
        .refused,
        "No login waits for you. Begin it first, and run this within its time. If it waits already: is this "
            + "machine's clock right, and may this device approve there? To answer a web page or a binding, "
            + "add the number or address that it shows.")
    static let nothingApproved = Failure(.cancelled, "Nothing was approved.")

    /// The failure of a proof that was sent, if no answer came: a server may keep a device waiting until the
    /// login has ended.
    static func unanswered(_ why: Unavailable, _ settings: Settings) -> Failure {
        Failure(
            .unreachable,
            "\(Failure(why, settings).sentence) It has the proof, so the login may be answered: look where "
                + "it waits before you try again.")
    }

    private static func application(named name: [UInt8], _ nothing: String) -> Failure {
        Failure(
            .refused,
            "This is a login to the application \(cut(name)), and at no console: 'mpin approve' cannot "
                + "answer it. Use 'mpin authcode --app ID URL', with the application's client id and "
                + "authorize URL. " + nothing)
    }

    /// - Parameter nothing: a sentence that says what was not done.
    init(_ outcome: ApprovalOutcome, _ settings: Settings, nothing: String = "Nothing was approved.") {
        switch outcome {
        case .approved, .denied, .authorised, .password:
            self.init(.broken, "The server's answer does not fit what was asked.")
        case .declined: self.init(.cancelled, nothing)
        case .noSession:
            self.init(
                .refused,
                "No login of yours waits under this number. It may be over, or somebody else's: look at the "
                    + "console. If you asked for ten numbers within a minute, wait for a minute.")
        case .otherOrigin: self = .otherBackend
        case .otherSession:
            self.init(
                .broken, "The server's answer is about another login. The connection may be intercepted.")
        case .application(let name): self = .application(named: name, nothing)
        case .noRefusal:
            self.init(
                .refused,
                "With this token a login cannot be refused: its server would take the proof for an approval. "
                    + "Let the login expire.")
        case .wrongPIN(let left):
            self.init(.refused, "\(explained(.wrongPIN(triesLeft: left))) \(nothing)")
        case .locked(.none):
            self.init(
                .refused,
                "The server refuses this device: it is locked, revoked or suspended. Ask your administrator "
                    + "which. \(nothing)")
        case .locked(let seconds): self.init(.refused, explained(.blocked(seconds: seconds, help: nil)))
        case .blocked:
            self.init(.refused, "Too many wrong PINs: an administrator must unlock you.")
        case .secretExpired: self.init(.refused, "Your token is no longer valid. Enrol this device again.")
        case .notUnderstood(let status):
            self.init(.broken, "\(nothing.dropLast()): \(explained(status: status, settings))")
        case .unproved(let why):
            self = Failure(personal: why, settings) ?? Failure(.broken, "The approval ended too early.")
        }
    }
}
