// SPDX-License-Identifier: Apache-2.0
// A connection to the server in memory, in place of a relay.
import MPinWire

struct FakeServerLine: ~Copyable, Transport {
    let server: FakeServer
    mutating func connect(octets: UInt16) { server.announced.append(octets) }
    mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        try server.exchange(question)
    }
}
