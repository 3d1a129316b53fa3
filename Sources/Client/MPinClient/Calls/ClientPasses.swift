// SPDX-License-Identifier: Apache-2.0
// Sends the two passes of MPinProof, and redeems their ticket. This is not MPinProof's `Proof` or `Approval`:
// an app proceeds step by step, at any server, and gets Milagro's statuses and the server's answers; no
// verdict is sealed for it.
import MPin
import MPinProof
import MPinWire
import Octets
import Secrets

extension Client {
    /// The purpose of a proof.
    struct PassPurpose {
        /// The `wid` of a login at this device.
        static let here = "0"
        /// The number or code of a browser's or console's session.
        var wid = here
        var wantsOTP = false
    }

    /// A proof that was sent: its user, and the ticket. Only the redemption shows whether the proof was good.
    struct SentProof {
        let record: StoredRecord
        let answer: PassTwoResponse
    }

    func prove(_ user: User, _ pin: consuming PIN, for purpose: PassPurpose) throws(ClientFailure)
        -> SentProof
    {
        let record = try record(of: user, in: .registered)
        let backend = try currentBackend()
        let permit = memory(of: record).permit
        guard permit != nil || !backend.settings.permitsAreUsed else {
            throw .flow("the login was not begun")
        }
        guard !pin.isEmpty else { throw ClientFailure(.pinInputCancelled, "the PIN is empty") }
        let server = try backend.target(backend.settings.mpinAuthServerURL, "passes", trusting: trusted)
        let credential = try record.credential()
        let factor: Secret
        do throws(MPinError) { factor = try record.rule.factor(of: pin.secret) } catch {
            throw ClientFailure(error)
        }
        let shown = try shown(purpose.wid, to: record)
        let known = backend.settings.permitsAreUsed ? permit.map { (date: $0.date, octets: $0.octets) } : nil
        let passes = Passes(
            factor: factor,
            purpose: .app(
                shown: shown, wid: [UInt8](purpose.wid.utf8), wantsOTP: purpose.wantsOTP,
                isPromised: record.isBound),
            cache: BackendCache(permit: known))
        return SentProof(record: record, answer: try send(passes, of: credential, to: server))
    }

    /// Sends both passes and returns the answer to pass 2. Throws if an answer's status is not 200.
    private func send(
        _ passes: consuming Passes, of credential: borrowing Credential, to server: Target
    ) throws(ClientFailure) -> PassTwoResponse {
        var step = passes.begin(credential)
        while true {
            switch step {
            case .exchange(.passOne(let pass)):
                let answer = try exchange(
                    .passOne, method: .post, to: server.appending("/pass1"), message: PassOneRequest(pass),
                    as: PassOneResponse.self)
                step = passes.resume(
                    RelayResponse(kind: .passOne, status: 200, body: .passOne(RelayPassOneResponse(answer))),
                    credential)
            case .exchange(.passTwo(let pass)):
                return try exchange(
                    .passTwo, method: .post, to: server.appending("/pass2"), message: PassTwoRequest(pass),
                    as: PassTwoResponse.self)
            case .exchange, .ended: throw .flow("the proof was out of turn")
            case .finished(let outcome): throw ClientFailure(outcome)
            }
        }
    }

    /// The approval details of the session that a proof is for; nil without a session, and for a user whose
    /// proofs no server binds, mpind included. Throws if they cannot be had: a proof for something else would
    /// count as a wrong PIN.
    private func shown(_ wid: String, to record: StoredRecord) throws(ClientFailure) -> ApprovalDetails? {
        guard wid != PassPurpose.here, record.isBound else { return nil }
        if details[wid] == nil {
            _ = try sessionDetails(accessCode: wid, for: record.user)
            guard details[wid] != nil else {
                throw ClientFailure(.incorrectAccessNumber, "no login waits under this number or code")
            }
        }
        return details[wid]
    }

    /// Redeems a ticket and returns the body of an answer of status 200. At 410 the user becomes blocked.
    ///
    /// - Parameters:
    ///   - denies: whether the proof refuses a session.
    ///   - isForeign: whether the user says that somebody else began the refused login.
    func redeem(
        _ proof: SentProof, _ call: Call, at target: Target, denies: Bool = false, isForeign: Bool = false
    ) throws(ClientFailure) -> [UInt8] {
        var request = AuthenticateRequest(mpinResponse: proof.answer)
        if denies { request.deny = true }
        if isForeign { request.notMe = true }
        do throws(ClientFailure) {
            let body = try send(call, method: .post, to: target, body: written(request))
            guard body.isEmpty || JSON(body) != nil else { throw .answer("the verdict is not JSON") }
            keepNotice(in: body, after: proof)
            return body
        } catch {
            guard let http = error.httpStatus else { throw error }
            var record = proof.record
            record.state = record.state.after(call, http: http)
            if record.state == .blocked {
                (record.token, record.deviceKey) = ("", "")
                try userStore.store(record)
                forget(record)
            }
            throw error
        }
    }
}
