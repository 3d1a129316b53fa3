// SPDX-License-Identifier: Apache-2.0
// A server's demands on new PINs: in JSON, in frames, and clamped.
import Foundation
import MPinWire
import Testing

@Suite struct PINDemandTests {
    private func demand(_ members: String) throws -> PINDemand {
        try JSONDecoder().decode(ClientSettings.self, from: Data("{\(members)}".utf8)).pinDemand
    }

    @Test func `a server without a demand demands nothing`() throws {
        #expect(try demand("") == PINDemand.none)
        #expect(PINDemand.none == PINDemand(length: 4, refusesDates: false))
    }

    @Test func `a demand passes through clientSettings unchanged`() throws {
        for demand in [
            PINDemand.none, PINDemand(length: 8), PINDemand(refusesDates: true),
            PINDemand(length: 12, refusesDates: true),
        ] {
            var settings = ClientSettings()
            settings.pinDemand = demand
            let octets = try JSONEncoder().encode(settings)
            #expect(try JSONDecoder().decode(ClientSettings.self, from: octets).pinDemand == demand)
            #expect(String(decoding: octets, as: UTF8.self).contains("pin") == (demand != PINDemand.none))
        }
    }

    @Test(arguments: [
        (#""pinLength": 3"#, 4), (#""pinLength": 0"#, 4), (#""pinLength": -9"#, 4), (#""pinLength": 13"#, 12),
        (#""pinLength": 9223372036854775807"#, 12), (#""pinLength": "8""#, 4), (#""pinLength": [8]"#, 4),
        (#""pinLength": null"#, 4), (#""pinKinds": 7"#, 4), (#""pinKinds": "dates""#, 4),
    ])
    func `no demand of a server is looser than the rule, or longer than users can remember`(
        _ members: String, _ length: Int
    ) throws {
        #expect(try demand(members) == PINDemand(length: length))
    }

    @Test func `a frame with a length out of bounds is refused`() throws {
        let good = try RelayResponse(
            kind: .settings, status: 200, body: .settings(usesPermits: true, pins: PINDemand(length: 8))
        ).encoded()
        #expect(good == [130, 0, 2, 0, 200, 0, 1, 1, 0, 1, 8, 0, 1, 0])
        for length in [0, 3, 13, 255] as [UInt8] {
            var bad = good
            bad[10] = length
            #expect(throws: FrameError.badField) { try RelayResponse(decoding: bad) }
        }
    }
}
