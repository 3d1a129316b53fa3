// SPDX-License-Identifier: Apache-2.0
// An enrolment as a machine: register, client secret, token, and one login that proves it.
package import MPin
import MPinWire
package import Secrets

package struct Registration: ~Copyable {
    /// What is there before the token.
    struct Work: ~Copyable {
        let factor: Secret
        let hostKey: HostKey?
    }

    struct Made: ~Copyable {
        let credential: Credential
        let factor: Secret
    }

    struct Proving: ~Copyable {
        let credential: Credential
        var proof: Proof
    }

    enum Stage: ~Copyable {
        case fresh(Work)
        case registering(Work)
        case saving(Work)
        case fetching(Work)
        case storing(Made)
        case proving(Proving)
        case closing
        case over
    }

    let request: RegistrationRequest
    let nonce: () throws(NoRandomness) -> [UInt8]
    var stage: Stage
    var pending: PendingRegistration?
    /// Hash of the question of this run.
    var a: [UInt8] = []
    /// What was stored, from then on.
    var identity: Identity?
    var end: RegistrationOutcome?

    /// - Parameters:
    ///   - hostKey: nil for a Milagro server, whose shares come plain.
    ///   - nonce: 32 octets, new at each call (`freshNonce`).
    package init(
        _ request: RegistrationRequest, pin: consuming Secret, hostKey: consuming HostKey?,
        nonce: @escaping () throws(NoRandomness) -> [UInt8]
    ) throws(RegistrationError) {
        let fault = PINPolicy.fault(of: pin, account: request.scene.accountName, remote: request.remote)
        if let fault { throw .pin(fault) }
        let factor: Secret
        do throws(MPinError) { factor = try request.rule.factor(of: pin) } catch {
            throw .failed(.mathematics(error))
        }
        self.request = request
        self.nonce = nonce
        stage = .fresh(Work(factor: factor, hostKey: hostKey))
    }

    /// The token, while the step `store` is to be done; nil at any other time.
    package borrowing func withToken<R>(_ body: (borrowing Token) -> R) -> R? {
        switch stage {
        case .storing(let made): body(made.credential.token)
        case .fresh: nil
        case .registering: nil
        case .saving: nil
        case .fetching: nil
        case .proving: nil
        case .closing: nil
        case .over: nil
        }
    }

    /// The next step. Whatever goes wrong, the machine is over, and what it held is wiped.
    package mutating func resume(_ event: RegistrationEvent) -> RegistrationStep {
        do throws(Reason) {
            return try next(event)
        } catch {
            stage = .over
            return .finished(.failed(error))
        }
    }

    private mutating func next(_ event: RegistrationEvent) throws(Reason) -> RegistrationStep {
        switch event {
        case .transportBroken(.timedOut):
            return broken(.unavailable(Unavailable(status: nil, ignored: false)))
        case .transportBroken(let error): return broken(.failed(.transport(error)))
        case .storeBroken(let error): throw .store(error)
        case .begin, .received, .done: break
        }
        switch exchange(&stage, with: .over) {
        case .fresh(let work):
            guard event == .begin else { throw .outOfTurn }
            return try register(work)
        case .registering(let work):
            guard case .received(let answer) = event else { throw .outOfTurn }
            return try registered(answer, work)
        case .saving(let work):
            guard event == .done else { throw .outOfTurn }
            return try fetch(work)
        case .fetching(let work):
            guard case .received(let answer) = event else { throw .outOfTurn }
            return try fetched(answer, work)
        case .storing(let made):
            guard event == .done else { throw .outOfTurn }
            return try prove(made)
        case .proving(var proving):
            guard case .received(let answer) = event else { throw .outOfTurn }
            let step = proving.proof.resume(answer, proving.credential)
            return went(step, proving)
        case .closing:
            guard event == .done, let end else { throw .outOfTurn }
            return .finished(end)
        case .over: throw .outOfTurn
        }
    }
}
