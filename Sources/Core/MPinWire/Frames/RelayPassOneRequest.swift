// SPDX-License-Identifier: Apache-2.0
// The messages of a proof: time permit, the two passes, the verdict.
package import Octets

/// The shares of a time permit from D-TA 1 and D-TA 2, 65 octets each.
package struct PermitShares: Equatable, Sendable {
    /// Days since 1970-01-01 UTC.
    package let date: UInt32
    package let share1: [UInt8]
    package let share2: [UInt8]

    package init(date: UInt32, share1: [UInt8], share2: [UInt8]) {
        self.date = date
        self.share1 = share1
        self.share2 = share2
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> PermitShares {
        PermitShares(
            date: try fields.number(date), share1: try fields.octets(share1, 65),
            share2: try fields.octets(share2, 65))
    }
}

/// Pass 1 of a proof. U and UT are points of G1, 65 octets each.
package struct RelayPassOneRequest: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let u: [UInt8]
    /// Empty without a time permit.
    package let ut: [UInt8]
    package let sealed: TaggedQuestion
    /// What a second device showed, as the backend sent it. Frames do not carry it.
    package let seen: [UInt8]
    /// The tag made with the device key, or empty. Frames do not carry it.
    package let deviceTag: [UInt8]

    package init(
        mpinID: [UInt8], u: [UInt8], ut: [UInt8], sealed: TaggedQuestion, seen: [UInt8] = [],
        deviceTag: [UInt8] = []
    ) {
        self.mpinID = mpinID
        self.u = u
        self.ut = ut
        self.sealed = sealed
        self.seen = seen
        self.deviceTag = deviceTag
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayPassOneRequest {
        guard seen.isEmpty, deviceTag.isEmpty else { throw .badField }
        return RelayPassOneRequest(
            mpinID: try fields.mpinID(mpinID), u: try fields.octets(u, 65),
            ut: try fields.octets(ut, 65, or: 0),
            sealed: try sealed.passed(through: &fields, isOptional: true))
    }
}

/// The challenge of a proof.
package struct RelayPassOneResponse: Equatable, Sendable {
    package let y: Challenge
    /// Present if mpind bound y to the purpose of the proof; nil with a Milagro server.
    package let n: ServerNonce?

    package init(y: Challenge, n: ServerNonce?) {
        self.y = y
        self.n = n
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayPassOneResponse {
        RelayPassOneResponse(y: try fields.fixed(y), n: try fields.optional(n))
    }
}

/// Pass 2 of a proof. V is a point of G1, 65 octets.
package struct RelayPassTwoRequest: Equatable, Sendable {
    package let mpinID: [UInt8]
    package let v: [UInt8]
    /// The session: 32 hexadecimal digits, seven digits, or `0` for a proof that is not for a session.
    package let wid: [UInt8]
    package let wantsOTP: Bool
    /// n as pass 1 gave it; nil with a Milagro server.
    package let n: ServerNonce?
    /// The tag made with the device key, or empty. Frames do not carry it.
    package let deviceTag: [UInt8]

    package init(
        mpinID: [UInt8], v: [UInt8], wid: [UInt8], wantsOTP: Bool, n: ServerNonce?, deviceTag: [UInt8] = []
    ) {
        self.mpinID = mpinID
        self.v = v
        self.wid = wid
        self.wantsOTP = wantsOTP
        self.n = n
        self.deviceTag = deviceTag
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayPassTwoRequest {
        guard deviceTag.isEmpty else { throw .badField }
        return RelayPassTwoRequest(
            mpinID: try fields.mpinID(mpinID), v: try fields.octets(v, 65),
            wid: try fields.text(wid, 1...Bound.wid), wantsOTP: try fields.flag(wantsOTP),
            n: try fields.optional(n))
    }
}

/// The ticket of pass 2, and the one-time password that came with it.
package struct RelayPassTwoResponse: Equatable, Sendable {
    package let authOTT: [UInt8]
    /// Empty if none was requested.
    package let otp: [UInt8]

    package init(authOTT: [UInt8], otp: [UInt8]) {
        self.authOTT = authOTT
        self.otp = otp
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayPassTwoResponse {
        RelayPassTwoResponse(
            authOTT: try fields.text(authOTT, 1...Bound.ticket), otp: try fields.text(otp, 0...Bound.otp))
    }
}

/// Asks for the verdict on a proof, a one-time password or a session.
package struct RelayAuthenticateRequest: Equatable, Sendable {
    /// The ticket, as text, for way 1 (PIN); otherwise empty.
    package let authOTT: [UInt8]
    /// The identity hash for way 3 (one-time password); otherwise nil.
    package let id: IdentityHash?
    /// The hash A of the sealed question; nil for a Milagro server.
    package let a: QuestionHash?

    package init(authOTT: [UInt8], id: IdentityHash?, a: QuestionHash?) {
        self.authOTT = authOTT
        self.id = id
        self.a = a
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayAuthenticateRequest {
        RelayAuthenticateRequest(
            authOTT: try fields.text(authOTT, 0...Bound.ticket), id: try fields.optional(id),
            a: try fields.optional(a))
    }
}

/// A message that mpind sealed (a verdict has 86 octets) and its tag; both are empty with a Milagro server.
package struct RelaySealedResponse: Equatable, Sendable {
    package static let none = RelaySealedResponse(answer: [], tag: [])
    package let answer: [UInt8]
    package let tag: [UInt8]
    /// The notice of wrong tries and its tag, with a granted login; otherwise both are empty.
    package let notice: [UInt8]
    package let noticeTag: [UInt8]

    package init(answer: [UInt8], tag: [UInt8], notice: [UInt8] = [], noticeTag: [UInt8] = []) {
        self.answer = answer
        self.tag = tag
        self.notice = notice
        self.noticeTag = noticeTag
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelaySealedResponse {
        let sealed = RelaySealedResponse(
            answer: try fields.octets(answer, 86, or: 0), tag: try fields.octets(tag, 32, or: 0),
            notice: try fields.octets(notice, 0...Bound.notice),
            noticeTag: try fields.octets(noticeTag, 32, or: 0))
        guard sealed.answer.isEmpty == sealed.tag.isEmpty, sealed.notice.isEmpty == sealed.noticeTag.isEmpty
        else { throw .badField }
        return sealed
    }

    /// A message of other length, always with its tag and without a notice.
    func passed(
        through fields: inout FrameFields, _ bounds: ClosedRange<Int>
    ) throws(FrameError) -> RelaySealedResponse {
        RelaySealedResponse(answer: try fields.octets(answer, bounds), tag: try fields.octets(tag, 32))
    }
}

extension FrameFields {
    mutating func mpinID(_ value: [UInt8]) throws(FrameError) -> [UInt8] {
        try octets(value, 1...Bound.mpinID)
    }

    /// How long mpinId and question of a pass 1 are together.
    mutating func passOneOctets(_ value: UInt16) throws(FrameError) -> UInt16 {
        let octets = try number(value)
        guard areEmpty || (1...Bound.mpinID + Bound.question).contains(Int(octets)) else { throw .badField }
        return octets
    }
}
