// SPDX-License-Identifier: Apache-2.0
// An answer with its frame: it is written, and read back to prove it, once.
package import MPinWire

/// What a backend answered, and the octets that a relay sends of it.
package struct FramedResponse: Sendable {
    /// With what no frame carries, for programs that need no relay.
    package let response: RelayResponse
    /// Of `Frame.limit` octets at most; `RelayResponse(decoding:)` reads it.
    package let frame: [UInt8]

    /// A field that no frame may carry was not what the message says: that is the answer then.
    init(_ response: RelayResponse) throws(TransportError) {
        if let frame = try? response.encoded() {
            (self.response, self.frame) = (response, frame)
            return
        }
        let refusal = RelayResponse(kind: response.kind, status: RelayResponse.notUnderstood)
        do { frame = try refusal.encoded() } catch { throw .brokenFrame }
        self.response = refusal
    }
}
