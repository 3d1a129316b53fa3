// SPDX-License-Identifier: Apache-2.0
// One login as a machine without input or output of its own: it takes an event and says the next step.
import MPin
package import MPinWire
package import Secrets

package enum Step: Equatable, Sendable {
    case ask(Prompt)
    case tell(Notice)
    case exchange(Question)
    case finished(Outcome)
}

package enum Event: ~Copyable {
    case begin
    /// What was typed.
    case answered(Secret)
    case told
    case conversationBroken(ConversationError)
    case received(Answer)
    case transportBroken(TransportError)
    /// The deadline of the whole login is over.
    case timedOut
}

package struct Login: ~Copyable {
    enum Stage: ~Copyable {
        case fresh
        case asking
        case telling
        case proving(Proof)
        case over
    }

    let settings: Settings
    let scene: Scene
    let nonce: () throws(NoRandomness) -> [UInt8]
    let credential: Credential?
    var stage = Stage.fresh
    /// How it ends where nothing can change that any more. In remote services the questions go on all the
    /// same, and nothing is sent, so that the screens are everybody's.
    var settled: Outcome?
    var triesLeft: Int
    var known = Known()
    /// A status other than "could not connect" came in this login.
    var wasHeard = false
    /// The nonce of the next question; the first is drawn at once, for the attempt id.
    var nextNonce: [UInt8]?
    /// A reason of the host's own ends the login before anybody is asked.
    private let endsAtOnce: Bool
    /// Whether how it ends may depend on the account. In remote services the reason is then for the log.
    package private(set) var isPersonal: Bool
    /// 8 octets that name this login in every log.
    package let attempt: [UInt8]
    /// Of the last answer, by Milagro's table.
    package internal(set) var status = Status.ok
    package internal(set) var state = UserState.registered

    /// - Parameter nonce: 32 octets, new at each call (`freshNonce`).
    package init(
        settings: Settings, scene: Scene, standing: consuming Standing,
        nonce: @escaping () throws(NoRandomness) -> [UInt8]
    ) {
        self.settings = settings
        self.scene = scene
        self.nonce = nonce
        triesLeft = settings.tries
        let first = try? nonce()
        nextNonce = first
        var isHosts = first == nil
        var isPersonal = false
        switch consume standing {
        case .enrolled(let credential):
            let question = first.flatMap { credential.question($0, in: scene, life: settings.deadline) }
            attempt = [UInt8]((question?.a ?? Login.random(first)).prefix(8))
            self.credential = consume credential
        case .notEnrolled(let cause):
            let ignored = cause == .noFile && settings.unenrolled == .ignore
            settled = .notEnrolled(NotEnrolled(cause: cause, ignored: ignored))
            attempt = Login.random(first)
            credential = nil
        case .unreadable(let reason):
            settled = .failed(reason)
            isPersonal = true
            attempt = Login.random(first)
            credential = nil
        case .failed(let reason):
            settled = .failed(reason)
            isHosts = true
            attempt = Login.random(first)
            credential = nil
        }
        if first == nil { settled = .failed(.noRandomness) }
        endsAtOnce = isHosts
        self.isPersonal = isPersonal
    }

    /// The random part of a nonce names a login that asks no sealed question.
    private static func random(_ nonce: [UInt8]?) -> [UInt8] {
        [UInt8]((nonce ?? [UInt8](repeating: 0, count: 32)).dropFirst(8).prefix(8))
    }

    /// The next step. An event out of turn ends the login in an error, and nothing comes after the end.
    package mutating func resume(_ event: consuming Event) -> Step {
        switch exchange(&stage, with: .over) {
        case .fresh:
            switch consume event {
            case .begin: return begin()
            case let other: return ended(by: other)
            }
        case .asking:
            switch consume event {
            case .answered(let answer): return typed(answer)
            case .timedOut: return .finished(settled ?? .refused(.tooLate))
            case let other: return ended(by: other)
            }
        case .telling:
            switch consume event {
            case .told: return ask()
            case let other: return ended(by: other)
            }
        case .proving(let proof):
            switch consume event {
            case .received(let answer): return received(answer, proof)
            case let other: return ended(by: other)
            }
        case .over:
            return .finished(.failed(.outOfTurn))
        }
    }

    /// How a login ends by an event that no stage goes on from.
    private mutating func ended(by event: consuming Event) -> Step {
        switch consume event {
        case .conversationBroken(let error): .finished(error == .cancelled ? .cancelled : .conversationFailed)
        case .transportBroken(.timedOut): .finished(tooSlow)
        case .transportBroken(.cancelled): .finished(.cancelled)
        case .transportBroken(let error): ended(.failed(.transport(error)))
        case .timedOut: .finished(tooSlow)
        case .begin: .finished(.failed(.outOfTurn))
        case .answered: .finished(.failed(.outOfTurn))
        case .told: .finished(.failed(.outOfTurn))
        case .received: .finished(.failed(.outOfTurn))
        }
    }

    private var tooSlow: Outcome { .unavailable(Unavailable(status: nil, ignored: false)) }

    private mutating func begin() -> Step {
        if case .failed(let reason)? = settled, endsAtOnce || !scene.isRemote {
            return .finished(.failed(reason))
        }
        if case .notEnrolled(let why)? = settled, why.ignored || !scene.isRemote {
            return .finished(.notEnrolled(why))
        }
        if scene.isRemote, !mayAskFromAfar { return .finished(settled ?? .refused(.noPINFromAfar)) }
        return ask()
    }

    /// Whether a PIN is asked of anybody at all who comes over the network: a matter of settings and of the
    /// key shown before, never of the account.
    private var mayAskFromAfar: Bool {
        switch settings.remotePIN {
        case .key: scene.keyAccepted
        case .long: true
        case .no: false
        }
    }

    mutating func ask() -> Step {
        stage = .asking
        isPersonal = true
        return .ask(.pin(label: scene.isRemote ? nil : label))
    }

    private var label: [UInt8]? {
        switch credential {
        case .none: nil
        case .some(let credential): credential.identity.label
        }
    }
}
