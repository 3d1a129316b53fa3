// SPDX-License-Identifier: Apache-2.0
// An answer together with its frame, which is encoded only once.
package import MPinWire

/// A backend's answer, and the octets that a relay sends for it.
package struct FramedResponse: Sendable {
    /// The answer, including what no frame carries, for programs that need no relay.
    package let response: RelayResponse
    /// At most `Frame.limit` octets; `RelayResponse(decoding:)` reads it.
    package let frame: [UInt8]

    /// Encodes an answer. One that cannot be encoded had an invalid field: it becomes `notUnderstood`.
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
