// SPDX-License-Identifier: Apache-2.0
// Sentences for the administrator that say how a login or an enrolment ended. Unlike the prompt of a login,
// they give the reason.
import CPlatform
import MPinConsole
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinSystem
import MPinWire
import Octets

extension Outcome {
    /// The outcome as a word for programs.
    var word: String {
        switch self {
        case .granted: "granted"
        case .refused: "refused"
        case .blocked(let seconds): seconds == nil ? "blocked" : "locked"
        case .revoked: "revoked"
        case .secretExpired: "secret-expired"
        case .notEnrolled: "not-enrolled"
        case .unavailable: "unreachable"
        case .cancelled: "cancelled"
        case .conversationFailed, .failed: "broken"
        }
    }
}

extension Failure {
    /// The failure of a login; nil if it was granted.
    /// - Parameter user: the account, for the advice.
    init?(_ outcome: Outcome, _ settings: Settings, of user: String? = nil) {
        switch outcome {
        case .granted: return nil
        case .refused(.wrongPIN(let left)):
            self.init(.refused, explained(.wrongPIN(triesLeft: left.map { Int($0) })))
        case .refused(.noPIN): self = .impossiblePIN
        case .refused(.noCode): self.init(.refused, explained(.phone(.noCode)))
        case .refused(.wrongCode): self.init(.refused, explained(.phone(.wrongCode)))
        case .refused(.wrongOTP): self.init(.refused, explained(.phone(.wrongOTP)))
        case .refused(.noOTP): self.init(.refused, explained(.phone(.noOTP)))
        case .refused(.wrongBackupCode): self.init(.refused, explained(.backup(.wrong)))
        case .refused(.noBackupCode): self.init(.refused, explained(.backup(.none)))
        case .refused(.notApproved): self.init(.refused, explained(.phone(.notApproved)))
        case .refused(.expired), .refused(.tooLate): self.init(.refused, explained(.tooLate))
        case .refused(.remotePINRefused):
            self.init(.refused, "Users who come over the network are not asked for a PIN.")
        case .blocked(let seconds):
            self.init(.refused, explained(.blocked(seconds: seconds.map { Int($0) }, help: settings.help)))
        case .revoked:
            self.init(
                .refused,
                "\(explained(.revoked(help: settings.help))) \(ServerPlace(settings, of: user).enrolAnew)")
        case .secretExpired: self.init(.refused, explained(.enrolAgain(help: settings.help)))
        case .notEnrolled(let why): self.init(.notEnrolled, explained(why.cause, settings, of: user))
        case .unavailable(let why): self.init(why, settings)
        case .cancelled: self = .cancelled
        case .conversationFailed: self.init(.broken, "The PIN could not be asked for.")
        case .failed(let reason): self.init(reason, settings)
        }
    }

    init(_ why: Unavailable, _ settings: Settings) {
        self.init(.unreachable, explained(why.status, settings))
    }

    /// The failure for an answer that does not have the expected content.
    init(_ answer: RelayResponse, _ settings: Settings) {
        if RelayResponse.isUnavailable(answer.status) {
            self.init(.unreachable, explained(answer.status, settings))
        } else {
            self.init(.answer(answer.kind, status: answer.status), settings)
        }
    }

    init(_ reason: Reason, _ settings: Settings) {
        switch reason {
        case .settings(let error): self.init(error)
        case .store(let error): self.init(error)
        case .account(let error):
            self.init(.broken, "The passwd database cannot be read: \(systemMessage(error.errno)).")
        case .transport(let error): self.init(error, settings)
        case .answer(let kind, 403) where kind.isOfHost && settings.answer == .sealed:
            self.init(.refused, ServerPlace(settings).unknownHost)
        case .answer(let kind, let status):
            self.init(.broken, "\(kind.call): \(explained(status: status, settings))")
        case .seal(let fault): self.init(.broken, explained(fault, settings))
        case .mathematics:
            self.init(.broken, "A value from the server or the token is invalid.")
        case .deviceKey(.notGiven):
            self.init(
                .broken,
                "The server gave this device no device key. Does mpind have the same version as mpin?")
        case .deviceKey(.lost):
            self.init(
                .store,
                "The device key of this token is missing, so nothing was sent. Enrol this device again: "
                    + "'mpin enroll --personal --identity NAME --backend ADDRESS'.")
        case .questionTooLong:
            self.init(.settings, "A name is too long: that of the identity, host, service or account.")
        case .outOfMemory: self = .outOfMemory
        case .noRandomness: self = .noRandomness
        case .callerNotRoot:
            self.init(
                .broken,
                "The program that asks does not run as root, so it cannot read M-Pin's files. Only for the "
                    + "account that it runs as does M-Pin step aside.")
        case .outOfTurn: self.init(.broken, "This command has an internal error. Please report it.")
        }
    }

    init(_ error: TransportError, _ settings: Settings) {
        switch error {
        case .cannotStart:
            self.init(
                .broken,
                "\(text(settings.relay)) cannot be started. It must be a program that root owns and only "
                    + "root can write, and the user '_mpin' must exist. Without CAP_SYS_RESOURCE, the limit "
                    + "on processes ('ulimit -u') must leave room for it.")
        case .closed:
            self.init(
                .broken,
                "mpin-relay stopped before it had answered. Look for 'mpin-relay' in the system's log.")
        case .timedOut: self.init(.unreachable, "The server took too long.")
        case .cancelled: self = .cancelled
        case .brokenFrame:
            self.init(.broken, "mpin-relay gave an invalid answer. Does it have the same version as mpin?")
        case .otherVersion:
            self.init(
                .broken,
                "mpin-relay has another version than mpin. Install the same version of both packages.")
        case .noCertificates:
            let (fault, cure) = certificateSentences(settings)
            self.init(.settings, "\(fault) \(cure)")
        }
    }
}

func explained(_ sentence: Sentence) -> String { String(decoding: sentence.octets, as: UTF8.self) }

/// - Parameter user: the account, for the advice.
func explained(_ cause: NotEnrolled.Cause, _ settings: Settings, of user: String?) -> String {
    let word = user.map { shellWord(shown($0)) } ?? "ACCOUNT"
    return switch cause {
    case .unknownAccount: "There is no such account on this host."
    case .noFile:
        "The account has no identity on this host. \(ServerPlace(settings, of: user).enrolmentAdvice)"
    case .noPINHere: "The account has no PIN on this host. \(ServerPlace(settings, of: user).enrolmentAdvice)"
    case .noPhone: "The account has no second device. Run 'sudo mpin enroll \(word) --phone'."
    case .noBackupCodes: "The account has no unused backup codes. Run 'sudo mpin backup-codes \(word)'."
    case .notForRemote: "The account's PIN was not enrolled with --remote."
    case .excluded(let rule):
        "The setting '\(rule) = \(settings.words(of: rule))' excludes this account here."
    }
}

func explained(_ status: UInt16?, _ settings: Settings) -> String {
    let backends = settings.backends.map { text($0.address) }
    let names = backends.joined(separator: ", ")
    if let reason = status.flatMap({ Distrust(status: $0) }) {
        return "\(reason.sentence(names)) \(reason.advice(backends))"
    }
    if let (fault, cure) = settings.proxyFault(status) { return "\(fault) \(cure)" }
    switch status {
    case .none, .some(RelayResponse.timedOut): return "\(names) took too long to answer."
    case .some(RelayResponse.machineFailed):
        return "This host could not ask \(names): it lacks memory, processes or descriptors."
    case .some(500...): return "\(names) has an internal error (status \(status ?? 0))."
    case .some: return "\(names) cannot be reached. Is it running, and is the address right?"
    }
}

/// The sentences for a server that sends clients to another origin, and what to do. Requests the settings
/// again to learn that origin.
func foreignOriginSentences(_ settings: Settings) -> (fault: String, cure: String) {
    let origin = text((try? foreignOrigin(settings)) ?? [])
    let named = origin.isEmpty ? "an address of another origin" : "an address at \(origin)"
    let cure =
        origin.hasPrefix("http:")
        ? "Only an https origin can be: set 'authenticate-url' at the server to one, or to a path."
        : "If it should be, add 'also-origin = \(origin.isEmpty ? "ORIGIN" : origin)' to mpin.conf, or use "
            + "--also-origin."
            + (origin.isEmpty ? " 'mpin backend test ADDRESS' shows it to users other than root." : "")
    return ("the server sends its clients to \(named), which is not trusted here.", cure)
}

/// The other origin that the server names; empty if it names its own by now. Root asks through the relay, as
/// always.
private func foreignOrigin(_ settings: Settings) throws(TransportError) -> [UInt8] {
    if geteuid() == 0 {
        var relay = try TimedRelay(settings)
        return try relay.exchange(.settings).origin
    }
    var line = try connected(settings)
    return try line.exchange(.settings).origin
}

/// What the status of an unexpected answer means, as the end of a sentence.
func explained(status: UInt16, _ settings: Settings) -> String {
    switch status {
    case RelayResponse.notUnderstood:
        return "the server's answer does not follow the protocol. Is this the address of an M-Pin server?"
    case RelayResponse.foreignOrigin:
        let (fault, cure) = foreignOriginSentences(settings)
        return "\(fault) \(cure)"
    case RelayResponse.noCertificates:
        let (fault, cure) = certificateSentences(settings)
        return "\(fault) \(cure)"
    case RelayResponse.bindsNothing:
        return
            "a login waits, but mpin cannot approve logins at a Milagro server. Use the app that the token "
            + "came from."
    default: return "the server answered with the unexpected status \(status)."
    }
}

private func explained(_ fault: SealFault, _ settings: Settings) -> String {
    switch fault {
    case .missing, .malformed:
        "The server does not seal its answers. Is it mpind? For a Milagro server set 'answer = unsealed' in "
            + "mpin.conf."
    case .unexpected: "The server seals its answers; remove 'answer = unsealed' from mpin.conf."
    case .wrongTag, .wrongShare:
        "The server's answer is sealed with another key than this host's. "
            + ServerPlace(settings).joinAnew
    case .otherQuestion, .otherWay, .otherIdentity, .wrongChallenge:
        "The server's answer belongs to another login. The connection may be intercepted."
    case .noNotice:
        "The server's answer came without its notice of wrong PINs. The connection may be intercepted, or "
            + "mpind is older than mpin."
    }
}
