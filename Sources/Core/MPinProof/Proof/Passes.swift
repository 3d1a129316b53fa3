// SPDX-License-Identifier: Apache-2.0
// The two passes of a proof as a state machine: settings, permit, U, y, V. It ends with a ticket, not with a
// verdict.
package import MPin
package import MPinWire
package import Octets
package import Secrets

/// What is kept from one proof to the next: none of it is secret.
package struct BackendCache: Sendable {
    package init() {}

    /// For a server whose settings and permit are already known.
    ///
    /// - Parameter permit: days since 1970-01-01 UTC, and the sum of both shares; nil if the server uses no
    ///   permits.
    package init(permit: (date: UInt32, octets: [UInt8])?) {
        usesPermits = permit != nil
        self.permit = permit
    }

    /// Whether the server uses time permits; nil if that is not known yet.
    package var usesPermits: Bool?
    var permit: (date: UInt32, octets: [UInt8])?
}

/// What the driver of the passes must do next.
package enum PassesStep {
    case exchange(RelayRequest)
    /// V was sent. The ticket can be redeemed once for the verdict. The one-time password is empty unless it
    /// was requested, and not valid before that verdict.
    case ended(ticket: [UInt8], otp: [UInt8])
    case finished(Outcome)
}

/// The two passes of a proof. The driver calls `resume` with each response and carries out the step that it
/// returns.
package struct Passes: ~Copyable {
    private enum State { case idle, settings, permits, passOne, passTwo, over }

    private var state = State.idle
    /// The PIN's factor, as long as another U may have to follow.
    private var factor: Secret?
    /// U was sent, and no V yet.
    private var pass: PassOne?
    private(set) var cache: BackendCache
    private let purpose: ProofPurpose

    /// - Parameter factor: the PIN's factor by the credential's rule, a scalar of 32 octets.
    package init(factor: consuming Secret, purpose: ProofPurpose, cache: BackendCache) {
        self.cache = cache
        self.purpose = purpose
        self.factor = .some(factor)
    }

    /// The first step. A second device without its device key sends nothing: mpind would count its tries as a
    /// stranger's.
    package mutating func begin(_ credential: borrowing Credential) -> PassesStep {
        let factor = factor.take()
        if credential.lacksDeviceKey {
            state = .over
            return .finished(.failed(.deviceKey(.lost)))
        }
        switch next() {
        case .idle:
            // mpind tells in its answer to pass 1 whether a host needs a permit.
            guard cache.usesPermits != nil || !purpose.sealed.isNone else {
                self.factor = consume factor
                state = .settings
                return .exchange(.settings)
            }
            return permitOrPass(factor, credential)
        case .settings, .permits, .passOne, .passTwo, .over: return .finished(.failed(.outOfTurn))
        }
    }

    /// The next step. After any error the machine is over: secrets that are not put back are wiped.
    package mutating func resume(
        _ response: RelayResponse, _ credential: borrowing Credential
    ) -> PassesStep {
        let factor = factor.take()
        let pass = pass.take()
        switch next() {
        case .settings:
            guard case .settings(let usesPermits, _) = response.body else {
                return refusal(.settings, response)
            }
            cache.usesPermits = usesPermits
            return permitOrPass(factor, credential)
        case .permits:
            guard case .permits(let shares) = response.body else { return refusal(.permits, response) }
            do throws(MPinError) {
                cache.permit = (shares.date, try timePermit(shares.share1, shares.share2))
            } catch { return .finished(.failed(.mathematics(error))) }
            return permitOrPass(factor, credential)
        case .passOne:
            if case .passOne(let challenge) = response.body {
                return answerChallenge(challenge, pass: pass, credential: credential)
            }
            guard response.kind == .passOne, response.status == RelayResponse.permitNeeded,
                cache.usesPermits == nil
            else { return refusal(.passOne, response) }
            // Another U follows. This one gets no V.
            cache.usesPermits = true
            return permitOrPass(factor, credential)
        case .passTwo:
            guard case .passTwo(let ticket) = response.body else { return refusal(.passTwo, response) }
            return .ended(ticket: ticket.authOTT, otp: ticket.otp)
        case .idle, .over: return .finished(.failed(.outOfTurn))
        }
    }

    /// The state; every other one must be set anew.
    private mutating func next() -> State {
        let state = state
        self.state = .over
        return state
    }

    private mutating func permitOrPass(
        _ factor: consuming Secret?, _ credential: borrowing Credential
    ) -> PassesStep {
        guard cache.usesPermits == true, cache.permit == nil else { return passOne(factor, credential) }
        self.factor = consume factor
        state = .permits
        return .exchange(.permits(mpinID: credential.pin.mpinID))
    }

    private mutating func passOne(
        _ factor: consuming Secret?, _ credential: borrowing Credential
    ) -> PassesStep {
        guard let factor else { return .finished(.failed(.outOfTurn)) }
        let mpinID = credential.pin.mpinID
        let pass: PassOne
        do throws(MPinError) {
            pass = try PassOne(
                mpinID: mpinID, token: credential.token, factor: factor,
                permit: cache.usesPermits == true ? cache.permit : nil)
        } catch { return .finished(.failed(.mathematics(error))) }
        do throws(Reason) {
            let question = RelayPassOneRequest(
                mpinID: mpinID, u: pass.u, ut: pass.ut, sealed: purpose.sealed, seen: purpose.seen,
                deviceTag: try credential.tag(u: pass.u, ut: pass.ut, seen: purpose.seen))
            if cache.usesPermits == nil { self.factor = .some(factor) }
            self.pass = .some(pass)
            state = .passOne
            return .exchange(.passOne(question))
        } catch { return .finished(.failed(error)) }
    }

    /// Checks y against the purpose of this proof before it computes V: a V made for one purpose must not be
    /// usable for another.
    private mutating func answerChallenge(
        _ answer: RelayPassOneResponse, pass: consuming PassOne?, credential: borrowing Credential
    ) -> PassesStep {
        guard let pass else { return .finished(.failed(.outOfTurn)) }
        if let fault = challengeFault(answer, pass: pass, credential: credential) {
            return .finished(.failed(.seal(fault)))
        }
        let v: [UInt8]
        do throws(MPinError) { v = try pass.answer(y: answer.y) } catch {
            return .finished(.failed(.mathematics(error)))
        }
        do throws(Reason) {
            let question = RelayPassTwoRequest(
                mpinID: credential.pin.mpinID, v: v, wid: purpose.wid, wantsOTP: purpose.wantsOTP,
                n: answer.n, deviceTag: try credential.tag(v: v, answering: answer, purpose))
            state = .passTwo
            return .exchange(.passTwo(question))
        } catch { return .finished(.failed(error)) }
    }

    private func challengeFault(
        _ answer: RelayPassOneResponse, pass: borrowing PassOne, credential: borrowing Credential
    ) -> SealFault? {
        guard let x = purpose.x else { return answer.n == nil ? nil : .unexpected }
        guard let n = answer.n else { return purpose.isPromised ? .missing : nil }
        let y = try? challenge(
            n: n, id: credential.identity.id, u: pass.u, ut: pass.ut, purpose: x)
        return y == answer.y ? nil : .wrongChallenge
    }

    private func refusal(_ kind: Kind, _ response: RelayResponse) -> PassesStep {
        guard response.kind == kind else { return .finished(.failed(.transport(.brokenFrame))) }
        if kind == .permits {
            if response.status == 410 { return .finished(.revoked) }
            let refuses = response.status == 401 || response.status == 403
            if refuses, purpose.x == nil { return .finished(.revoked) }
        }
        // The server has no record of pass 1: it was restarted, or this proof took too long.
        if kind == .passTwo, response.status == 403 {
            return .finished(.unavailable(Unavailable(status: response.status)))
        }
        return .finished(unanswered(kind, response))
    }
}

extension Credential {
    /// The tag of pass 1; empty if the credential has no device key.
    fileprivate borrowing func tag(u: [UInt8], ut: [UInt8], seen: [UInt8]) throws(Reason) -> [UInt8] {
        switch deviceKey {
        case .none: return []
        case .some(let key):
            let pass = DevicePass(id: identity.id, u: u, ut: ut, seen: seen)
            do throws(SealFailure) { return try key.tag(of: pass) } catch { throw .outOfMemory }
        }
    }

    /// The tag of a look-up of a session; nil if the credential has no device key.
    package borrowing func tag(status: StaticString, wid: [UInt8]) throws(Reason) -> DeviceTag? {
        switch deviceKey {
        case .none: return nil
        case .some(let key):
            return try key.tag(
                DevicePass(id: identity.id, status: ascii(status), wid: wid), of: identity.id)
        }
    }

    /// The identity and the tag with which the device asks which logins wait for it; nil if the credential
    /// has no device key.
    ///
    /// - Parameter time: in seconds since 1970-01-01 UTC, as sent.
    package borrowing func tag(waitingAt time: UInt64) throws(Reason) -> DeviceTag? {
        switch deviceKey {
        case .none: return nil
        case .some(let key):
            return try key.tag(DevicePass(id: identity.id, waitingAt: time), of: identity.id)
        }
    }

    /// The tag of pass 2, with which a program that forwards the pass cannot change what it requests. Empty
    /// if the credential has no device key.
    fileprivate borrowing func tag(
        v: [UInt8], answering answer: RelayPassOneResponse, _ purpose: ProofPurpose
    ) throws(Reason) -> [UInt8] {
        switch deviceKey {
        case .none: return []
        case .some(let key):
            guard let n = answer.n else { throw .seal(.malformed) }
            let pass = DevicePass(
                id: identity.id, n: n, y: answer.y, v: v, wid: purpose.wid, wantsOTP: purpose.wantsOTP)
            do throws(SealFailure) { return try key.tag(of: pass) } catch { throw .outOfMemory }
        }
    }
}

extension DeviceKey {
    /// The identity and the tag of a device that sends `pass`.
    package borrowing func tag(_ pass: DevicePass, of id: IdentityHash) throws(Reason) -> DeviceTag {
        do throws(SealFailure) { return DeviceTag(id: id, tag: try tag(of: pass)) } catch {
            throw .outOfMemory
        }
    }
}

/// The outcome after a response without the requested result.
package func unanswered(_ kind: Kind, _ response: RelayResponse) -> Outcome {
    RelayResponse.isUnavailable(response.status)
        ? .unavailable(Unavailable(status: response.status))
        : .failed(.answer(kind, status: response.status))
}
