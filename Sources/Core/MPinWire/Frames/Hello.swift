// SPDX-License-Identifier: Apache-2.0
// The messages about relay and server themselves: the first request, the server's settings, its clock.

/// The first request to every relay.
package struct Hello: Equatable, Sendable {
    static let none = Hello(
        attempt: [], backends: [], alsoOrigins: [], caFile: [], connectMilliseconds: 0, totalMilliseconds: 0)
    package let version: UInt8
    /// The attempt id, 8 octets.
    package let attempt: [UInt8]
    /// `unix:PATH` or URLs, tried in this order; at least one.
    package let backends: [[UInt8]]
    /// Further origins that the server's settings may name.
    package let alsoOrigins: [[UInt8]]
    /// `NAME ADDRESS`: the last known address of a name, used if no name server answers.
    package let addresses: [[UInt8]]
    /// The file of CA certificates; empty for the system's certificates.
    package let caFile: [UInt8]
    /// `http://HOST:PORT`, the proxy for every https origin; empty for none.
    package let proxy: [UInt8]
    /// The time limit for establishing a connection.
    package let connectMilliseconds: UInt32
    /// The time limit for a whole call.
    package let totalMilliseconds: UInt32

    package init(
        attempt: [UInt8], backends: [[UInt8]], alsoOrigins: [[UInt8]], addresses: [[UInt8]] = [],
        caFile: [UInt8], proxy: [UInt8] = [], connectMilliseconds: UInt32, totalMilliseconds: UInt32,
        version: UInt8 = Frame.version
    ) {
        self.version = version
        self.attempt = attempt
        self.backends = backends
        self.alsoOrigins = alsoOrigins
        self.addresses = addresses
        self.caFile = caFile
        self.proxy = proxy
        self.connectMilliseconds = connectMilliseconds
        self.totalMilliseconds = totalMilliseconds
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> Hello {
        let version = try fields.number(version)
        return Hello(
            attempt: try fields.octets(attempt, 8),
            backends: try fields.lines(backends, 1...Bound.addresses),
            alsoOrigins: try fields.lines(alsoOrigins, 0...Bound.addresses),
            addresses: try fields.lines(addresses, 0...Bound.addresses),
            caFile: try fields.text(caFile, 0...Bound.address),
            proxy: try fields.text(proxy, 0...Bound.address),
            connectMilliseconds: try fields.number(connectMilliseconds),
            totalMilliseconds: try fields.number(totalMilliseconds), version: version)
    }
}

extension PINDemand {
    func passed(through fields: inout FrameFields) throws(FrameError) -> PINDemand {
        let length: UInt8 = try fields.number(UInt8(clamping: length))
        guard PINDemand.lengths.contains(Int(length)) else { throw .badField }
        return PINDemand(length: Int(length), refusesDates: try fields.flag(refusesDates))
    }
}

/// What the backend reports about itself, in Unix seconds; 0 for what it does not report.
package struct RelayInspectResponse: Equatable, Sendable {
    /// Its clock.
    package let time: UInt64
    /// When its certificate expires.
    package let certificateEnd: UInt64

    package init(time: UInt64, certificateEnd: UInt64) {
        self.time = time
        self.certificateEnd = certificateEnd
    }

    func passed(through fields: inout FrameFields) throws(FrameError) -> RelayInspectResponse {
        RelayInspectResponse(
            time: try fields.number(time), certificateEnd: try fields.number(certificateEnd))
    }
}
