// SPDX-License-Identifier: Apache-2.0
// The two passes of a proof, and the redemption of the ticket that they bring.
import MPin
import MPinWire
import Secrets

extension Client {
    /// What a proof is made for.
    struct PassPurpose {
        static let here = "0"
        /// The session of a browser or console, by its number or code.
        var wid = here
        var wantsOTP = false
    }

    /// A proof that was sent: who made it, and the answer to be redeemed. Whether it was good shows there.
    struct SentProof {
        let record: StoredRecord
        let answer: PassTwoResponse
    }

    func prove(_ user: User, _ pin: consuming PIN, for purpose: PassPurpose) throws(Failure) -> SentProof {
        let record = try record(of: user, in: .registered)
        let backend = try currentBackend()
        let permit = memory(of: record).permit
        guard permit != nil || !backend.settings.permitsAreUsed else {
            throw .flow("the login was not begun")
        }
        guard !pin.isEmpty else { throw Failure(.pinInputCancelled, "the PIN is empty") }
        let server = try backend.target(backend.settings.mpinAuthServerURL, "passes", trusting: trusted)
        let device = try Device(record)
        let passes = try passOne(record, pin: pin, permit: backend.settings.permitsAreUsed ? permit : nil)
        let session = try shown(purpose.wid, to: record)
        var first = PassOneRequest(mpinID: record.mpinID, u: passes.u, ut: passes.ut)
        first.seen = session.map { HexOctets($0.octets) }
        first.deviceTag = try device.tag(passes, seen: session?.octets ?? [])
        let challenge = try exchange(
            .passOne, method: .post, to: server.appending("/pass1"), message: first, as: PassOneResponse.self)
        try check(challenge, record: record, passes: passes, purpose: session?.purpose ?? noPurpose)
        let v: [UInt8]
        do throws(MPinError) { v = try passes.answer(y: challenge.y.octets) } catch { throw Failure(error) }
        var second = PassTwoRequest(
            mpinID: record.mpinID, v: v, wid: purpose.wid, otp: purpose.wantsOTP, n: challenge.n?.octets)
        second.deviceTag = try device.tag(v, answering: challenge, purpose)
        let answer = try exchange(
            .passTwo, method: .post, to: server.appending("/pass2"), message: second, as: PassTwoResponse.self
        )
        return SentProof(record: record, answer: answer)
    }

    /// What the server says of the session that a proof is for; nil for none, and at a server that binds no
    /// proofs. A proof for something else would count as a wrong PIN, so none is sent.
    private func shown(_ wid: String, to record: StoredRecord) throws(Failure) -> ApprovalDetails? {
        guard wid != PassPurpose.here else { return nil }
        if details[wid] == nil, record.isBound {
            _ = try sessionDetails(accessCode: wid, for: record.user)
            guard details[wid] != nil else {
                throw Failure(.incorrectAccessNumber, "no login waits under this number or code")
            }
        }
        return details[wid]
    }

    private func passOne(
        _ record: StoredRecord, pin: borrowing PIN, permit: Permit?
    ) throws(Failure) -> PassOne {
        let token = try token(fromHex: record.token)
        do throws(MPinError) {
            return try PassOne(
                mpinID: record.mpinID, token: token, factor: record.rule.factor(of: pin.secret),
                permit: permit.map { ($0.date, $0.octets) })
        } catch { throw Failure(error) }
    }

    /// Before V exists, y must be what this proof is for: a V made for one purpose is spent on no other. A
    /// server that said at the registration that it would tell how it makes y must tell.
    private func check(
        _ answer: PassOneResponse, record: StoredRecord, passes: borrowing PassOne, purpose: [UInt8]
    ) throws(Failure) {
        guard let n = answer.n?.octets else {
            if record.isBound {
                throw Failure(.cryptoError, "the server does not say how it made its challenge")
            }
            return
        }
        let y = try? challenge(
            n: n, id: identityHash(record.mpinID), u: passes.u, ut: passes.ut, purpose: purpose)
        guard y == answer.y.octets else {
            throw Failure(.cryptoError, "the challenge was made for something else")
        }
    }

    /// What the ticket is worth: the body of status 200. At 410 the user is blocked from now on.
    ///
    /// - Parameters:
    ///   - denies: the proof refuses a session.
    ///   - isForeign: its user did not begin the login that is refused.
    func redeem(
        _ proof: SentProof, _ call: Call, at target: Target, denies: Bool = false, isForeign: Bool = false
    ) throws(Failure) -> [UInt8] {
        var request = AuthenticateRequest(mpinResponse: proof.answer)
        if denies { request.deny = true }
        if isForeign { request.notMe = true }
        do throws(Failure) {
            let body = try send(call, method: .post, to: target, body: written(request))
            guard body.isEmpty || JSON(body) != nil else { throw .answer("the verdict is not JSON") }
            hear(body, after: proof)
            return body
        } catch {
            guard let http = error.httpStatus else { throw error }
            var record = proof.record
            record.state = record.state.after(call, http: http)
            if record.state == .blocked {
                (record.token, record.deviceKey) = ("", "")
                try book.store(record)
                forget(record)
            }
            throw error
        }
    }
}
