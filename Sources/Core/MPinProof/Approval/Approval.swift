// SPDX-License-Identifier: Apache-2.0
// The approval by a second device as a state machine: the login that waits, the PIN, a proof bound to that
// login, and the approval code; or a proof for a one-time password or an application.
package import MPin
package import MPinWire
import Secrets

/// One approval by a second device. Its driver resumes it with an event and carries out the step it returns.
package struct Approval: ~Copyable {
    private enum State: ~Copyable {
        case fresh
        case looking
        case showing(ApprovalDetails?)
        case choosing(Passes)
        case proving(Passes)
        case approving
        case over
    }

    private let purpose: ApprovalPurpose
    /// The origin of the backend that the token is for.
    private let origin: [UInt8]
    private let credential: Credential
    private var password: [UInt8] = []
    private var state = State.fresh
    /// The ticket of the proof that is being redeemed.
    private var ticket: [UInt8] = []
    /// Whether the login is in a browser, where there is no console to type an approval code at.
    private var isForBrowser = false
    /// The console's attempt id, as soon as the server has sent it.
    package private(set) var attempt: [UInt8] = []
    /// How to end the approved login, if the server reports that.
    package private(set) var logout: Logout?
    /// The wrong PINs before a proof that was right.
    package private(set) var tries: Tries?
    /// Whether the notice of wrong PINs is missing or not sealed under the device key.
    package private(set) var hasNoNotice = false
    /// The device key to store instead of the old one; nil as long as the old one is valid.
    package private(set) var newDeviceKey: DeviceKey?

    /// - Parameter credential: that of the device's owner, who is enrolled at `backend`.
    package init(_ purpose: ApprovalPurpose, at backend: Backend, by credential: consuming Credential) {
        self.purpose = purpose
        origin = backend.origin
        self.credential = credential
    }

    /// Whether the proof was sent to be redeemed: without an answer, it may have been accepted.
    package var isRedeemed: Bool { !ticket.isEmpty }

    /// The identity that approves.
    package var identity: Identity { credential.identity }

    /// Runs `body` with the identity, its token and its new device key, which it stores; nil as long as the
    /// old key is valid.
    package borrowing func withNewDeviceKey<R>(
        _ body: (Identity, borrowing Token, borrowing DeviceKey) -> R
    ) -> R? {
        switch newDeviceKey {
        case .none: nil
        case .some(let key): body(credential.identity, credential.token, key)
        }
    }

    /// The session; nil if there is none.
    private var wid: [UInt8]? {
        switch purpose {
        case .console(let scanned, _): scanned.wid
        case .application(let wid): wid
        case .password: nil
        }
    }

    private var isBound: Bool { credential.pin.personal?.isBound ?? true }

    /// The next step. After any error the machine is over and its secrets are wiped.
    package mutating func resume(_ event: consuming ApprovalEvent) -> ApprovalStep {
        switch exchange(&state, with: .over) {
        case .fresh:
            guard case .begin = consume event else { return lost }
            return begun()
        case .looking:
            switch consume event {
            case .told(let answer): return looked(answer)
            case let other: return ended(by: other)
            }
        case .showing(let details):
            switch consume event {
            case .typed(let pin): return typed(pin, details)
            case let other: return ended(by: other)
            }
        case .choosing(let passes):
            switch consume event {
            case .told(let answer): return chosen(answer, passes)
            case let other: return ended(by: other)
            }
        case .proving(var passes):
            switch consume event {
            case .received(let answer):
                let step = passes.resume(answer, credential)
                return follow(step, passes)
            case let other: return ended(by: other)
            }
        case .approving:
            switch consume event {
            case .told(let answer): return .finished(verdict(answer))
            case let other: return ended(by: other)
            }
        case .over: return lost
        }
    }

    private mutating func begun() -> ApprovalStep {
        // Without the device key the PIN could not be proved, so the user is not asked for it.
        guard !credential.lacksDeviceKey else {
            return .finished(.unproved(.failed(.deviceKey(.lost))))
        }
        guard let wid else {
            state = .showing(nil)
            return .show(nil)
        }
        do throws(Reason) {
            let tag = try credential.tag(status: "wid", wid: wid)
            state = .looking
            return .ask(.look(wid: wid, by: tag))
        } catch { return .finished(.unproved(.failed(error))) }
    }

    private var lost: ApprovalStep { .finished(.unproved(.failed(.outOfTurn))) }

    /// How an approval ends after an event for which the current state has no next step.
    private func ended(by event: consuming ApprovalEvent) -> ApprovalStep {
        switch consume event {
        case .declined: .finished(.declined)
        case .transportBroken(.timedOut):
            .finished(.unproved(.unavailable(Unavailable(status: nil))))
        case .transportBroken(let error): .finished(.unproved(.failed(.transport(error))))
        case .begin: lost
        case .told: lost
        case .typed: lost
        case .received: lost
        }
    }

    /// Shows the approval details only if the backend of the token made them for this very session.
    private mutating func looked(_ response: DeviceResponse) -> ApprovalStep {
        guard case .look(let octets, let attempt)? = response.body else {
            return .finished(refusal(response))
        }
        guard !octets.isEmpty else { return .finished(.noSession) }
        guard let details = ApprovalDetails(decoding: octets) else {
            return .finished(.notUnderstood(status: 200))
        }
        guard details.origin == origin else { return .finished(.otherOrigin) }
        guard details.wid == wid else { return .finished(.otherSession) }
        if case .console = purpose, details.service == ApprovalDetails.applicationService {
            return .finished(.application(named: details.host))
        }
        if case .console(_, denies: true) = purpose, !isBound { return .finished(.noRefusal) }
        self.attempt = attempt
        isForBrowser = details.service == ApprovalDetails.browserService
        state = .showing(details)
        return .show(details)
    }

    private mutating func typed(_ pin: consuming Secret, _ details: ApprovalDetails?) -> ApprovalStep {
        guard pin.count > 0 else { return .finished(.declined) }
        guard PINPolicy.canBePIN(pin) else { return .finished(.unproved(.refused(.noPIN))) }
        let factor: Secret
        do throws(MPinError) { factor = try credential.pin.rule.factor(of: pin) } catch {
            return .finished(.unproved(.failed(.mathematics(error))))
        }
        guard let details else {
            let proved = isBound ? ProofPurpose.password : .unbound(wantsOTP: true)
            var passes = Passes(factor: factor, purpose: proved, cache: BackendCache())
            let step = passes.begin(credential)
            return follow(step, passes)
        }
        let proved = isBound ? ProofPurpose.session(details) : .unbound(wid: details.wid)
        do throws(Reason) {
            let tag = try credential.tag(status: "user", wid: details.wid)
            state = .choosing(Passes(factor: factor, purpose: proved, cache: BackendCache()))
            return .ask(.choose(wid: details.wid, userID: credential.identity.label, by: tag))
        } catch { return .finished(.unproved(.failed(error))) }
    }

    private mutating func chosen(_ response: DeviceResponse, _ passes: consuming Passes) -> ApprovalStep {
        guard response.body == .chosen else { return .finished(refusal(response)) }
        let step = passes.begin(credential)
        return follow(step, passes)
    }

    private mutating func follow(_ step: PassesStep, _ passes: consuming Passes) -> ApprovalStep {
        switch step {
        case .exchange(let question):
            state = .proving(passes)
            return .exchange(question)
        case .ended(let ticket, let otp):
            state = .approving
            password = otp
            self.ticket = ticket
            if case .console(_, let denies) = purpose {
                return .ask(.approve(ticket: ticket, denies: denies))
            }
            return .ask(.redeem(ticket: ticket))
        case .finished(let outcome): return .finished(.unproved(outcome))
        }
    }

    private mutating func verdict(_ response: DeviceResponse) -> ApprovalOutcome {
        if response.body != nil {
            let outcome = good(response)
            if outcome != nil { read(response.word) }
            return outcome ?? .notUnderstood(status: response.status)
        }
        switch response.status {
        case 401: return .wrongPIN(triesLeft: response.word.triesLeft)
        case 403 where response.word.isRevoked: return .unproved(.revoked)
        case 403: return .locked(seconds: response.word.retryAfter)
        case 408, 412: return .noSession
        case 409: return .secretExpired
        case 410: return .blocked
        default: return refusal(response)
        }
    }

    /// Reads the notice and the new key, which are tagged under the key that made the proof's tags. The
    /// number of tries that are left has no tag; it is only as trustworthy as the connection.
    private mutating func read(_ word: DeviceWord) {
        switch credential.deviceKey {
        case .none: return
        case .some(let key):
            let notice = key.open(
                notice: word.notice, tag: word.noticeTag, for: credential.identity.id, ticket: ticket)
            tries = notice.map { Tries($0, left: word.triesLeft) }
            hasNoNotice = notice == nil
            newDeviceKey = key.open(
                newer: word.deviceKey, tag: word.deviceKeyTag, for: credential.identity.id)
        }
    }

    /// The outcome of a right proof; nil if the response does not match the purpose of the proof.
    private mutating func good(_ response: DeviceResponse) -> ApprovalOutcome? {
        switch (purpose, response.body) {
        case (.console(_, true), .approved): return .denied
        case (.console(_, false), .approved(let code, let logout)):
            self.logout = logout
            if code.isEmpty, isForBrowser || !isBound { return .approved(code: []) }
            let isCode = code.count == PhoneCode.count && code.allSatisfy(CodeAlphabet.letters.contains)
            return isCode ? .approved(code: code) : nil
        case (.application, .redeemed(_, let code)):
            let isCode = (1...255).contains(code.count) && code.allSatisfy { (0x21...0x7e).contains($0) }
            return isCode ? .authorised(code: code) : nil
        case (.password, .redeemed(let seconds, _)):
            let isPassword =
                password.count == OTPDigits.count && password.allSatisfy(CodeAlphabet.digits.contains)
            // A Milagro server need not say for how long.
            return isPassword && (seconds > 0 || !isBound) ? .password(password, seconds: seconds) : nil
        case (.console, _), (.application, _), (.password, _): return nil
        }
    }

    private func refusal(_ response: DeviceResponse) -> ApprovalOutcome {
        RelayResponse.isUnavailable(response.status)
            ? .unproved(.unavailable(Unavailable(status: response.status)))
            : .notUnderstood(status: response.status)
    }
}
