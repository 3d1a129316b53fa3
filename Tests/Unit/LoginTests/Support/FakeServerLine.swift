// SPDX-License-Identifier: Apache-2.0
// A line to the server in memory, as a relay would hold it.
import MPinWire

struct FakeServerLine: ~Copyable, Transport {
    let server: FakeServer
    mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        try server.exchange(question)
    }
}
