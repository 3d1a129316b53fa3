// SPDX-License-Identifier: Apache-2.0
// The transport of a request to the backend and of its response: the relay, or libcurl in this process.

/// Why the transport itself failed. Failures of the backend or the network are statuses of the response
/// instead.
package enum TransportError: Error, Equatable {
    case cannotStart
    /// The other end of the channel has closed it.
    case closed
    /// The deadline of the whole login has passed.
    case timedOut
    /// The user cancelled the wait.
    case cancelled
    /// The relay sent an invalid frame, or a response to another request.
    case brokenFrame
    /// The relay uses another version of the frames: it was upgraded after this program was loaded.
    case otherVersion
    /// The relay cannot read the file of CA certificates, or the file has none.
    case noCertificates
}

/// A connection to the server: a relay, or libcurl in this process.
package protocol Transport: ~Copyable {
    /// Connects to the backend for the pass 1 that follows, and does not wait for it. A failure to connect is
    /// the answer to the next request.
    /// - Parameter octets: how long mpinId and question of the pass 1 are together.
    mutating func connect(octets: UInt16)
    mutating func exchange(_ request: RelayRequest) throws(TransportError) -> RelayResponse
}

extension Transport where Self: ~Copyable {
    /// Without a process of its own, a transport connects with its first request.
    package mutating func connect(octets: UInt16) {}
}
