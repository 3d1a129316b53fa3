// SPDX-License-Identifier: Apache-2.0
// The relay's response to a request. The statuses are those of relay.md, section 4.

/// A response: the status of the call, and its result.
package struct RelayResponse: Equatable, Sendable {
    /// No backend could be reached: its name has no address, or none of its addresses took the connection in
    /// time.
    package static let unreachable: UInt16 = 0
    /// The server was reached, and there was no complete response in time.
    package static let timedOut: UInt16 = 1
    /// The response does not follow protocol 0.3, or it names a redirect or URL that may not be followed.
    package static let notUnderstood: UInt16 = 3
    /// This machine failed: no memory, process or descriptor.
    package static let machineFailed: UInt16 = 4
    /// The server's settings have a URL with an origin that they may not name.
    package static let foreignOrigin: UInt16 = 13
    /// To a device that asks which login waits: a Milagro server sent details to which a proof cannot be
    /// bound.
    package static let bindsNothing: UInt16 = 14
    /// No request was sent: the file of CA certificates cannot be read, or has none.
    package static let noCertificates: UInt16 = 32
    /// mpind's HTTP status of a pass 1 with a sealed question but without a time permit, if it needs one. The
    /// question is not used up.
    package static let permitNeeded: UInt16 = 428
    /// Added to the HTTP status with which a proxy refused to connect to the server: the request did not
    /// reach the server.
    package static let proxyRefused: UInt16 = 1_000

    /// Whether a status is known: one of those that a frame carries, of `Distrust`, or of HTTP.
    static func isKnown(_ status: UInt16) -> Bool {
        status <= machineFailed || status == foreignOrigin || status == noCertificates
            || Distrust(status: status) != nil || (100...599).contains(status) || proxysWord(status) != nil
    }

    /// The HTTP status with which a proxy refused to connect to the server; nil for every other status.
    package static func proxysWord(_ status: UInt16) -> UInt16? {
        (proxyRefused + 300...proxyRefused + 599).contains(status) ? status - proxyRefused : nil
    }

    /// Whether a status means that no trusted server could be reached, or that the server itself failed.
    package static func isUnavailable(_ status: UInt16) -> Bool {
        switch status {
        case unreachable, timedOut, machineFailed, 500...: true
        default: Distrust(status: status) != nil
        }
    }

    /// The kind of the request.
    package let kind: Kind
    /// An HTTP status, one of those above, or one of `Distrust`.
    package let status: UInt16
    /// Present only at status 200, except for `authenticate`, where it is always present.
    package let body: Body?
    /// The seconds after which the server wants the request to be repeated; 0 if it named none. Frames do not
    /// carry it.
    package let retryAfter: UInt32
    /// Only at status `foreignOrigin`: the origin that the settings named, a text of at most `Bound.address`
    /// octets.
    package let origin: [UInt8]

    /// Without `body`, a response to `authenticate` gets an empty one.
    package init(
        kind: Kind, status: UInt16, body: Body? = nil, retryAfter: UInt32 = 0, origin: [UInt8] = []
    ) {
        self.kind = kind
        self.status = status
        self.body = body ?? (kind == .authenticate ? .authenticate(.none) : nil)
        self.retryAfter = retryAfter
        self.origin = origin
    }
}

extension RelayResponse {
    /// The frame: the status, then the fields of the result, which are empty if there is none. Throws an
    /// error if the other end would refuse it.
    package func encoded() throws(FrameError) -> [UInt8] {
        var fields = FrameFields(writing: kind.rawValue + Frame.answerOffset)
        _ = try passed(through: &fields)
        let frame = try fields.finished()
        guard try RelayResponse(decoding: frame) == framed else { throw .badField }
        return frame
    }

    /// Decodes a frame of any octets; the result is a response or an error.
    package init(decoding frame: [UInt8]) throws(FrameError) {
        var fields = try FrameFields(reading: frame)
        guard fields.kind >= Frame.answerOffset, let kind = Kind(rawValue: fields.kind - Frame.answerOffset)
        else { throw .unknownKind(fields.kind) }
        self = try RelayResponse(kind: kind, status: 0).passed(through: &fields)
        _ = try fields.finished()
    }

    /// At `foreignOrigin` there is one field, the origin.
    private func passed(through fields: inout FrameFields) throws(FrameError) -> RelayResponse {
        let status = try fields.number(status)
        guard RelayResponse.isKnown(status) else { throw .badField }
        if status == RelayResponse.foreignOrigin {
            let origin = try fields.text(origin, 1...Bound.address)
            return RelayResponse(kind: kind, status: status, origin: origin)
        }
        fields.areEmpty = status != 200 && kind != .authenticate
        let body = try (body ?? Body(kind)).passed(through: &fields)
        return RelayResponse(kind: kind, status: status, body: fields.areEmpty ? nil : body)
    }

    /// This response without the values that frames do not carry.
    private var framed: RelayResponse {
        if case .register(let new)? = body {
            let carried = RelayRegisterResponse(mpinID: new.mpinID, regOTT: new.regOTT, active: new.active)
            return RelayResponse(kind: kind, status: status, body: .register(carried))
        }
        if case .clientSecret(let shares)? = body {
            let carried = ClientSecretShares(share1: shares.share1, share2: shares.share2)
            return RelayResponse(kind: kind, status: status, body: .clientSecret(carried))
        }
        return RelayResponse(kind: kind, status: status, body: body, origin: origin)
    }
}
