// SPDX-License-Identifier: Apache-2.0
// What carries a question to the backend and its answer back: the relay, or libcurl in this process.

/// The carrier itself failed; what the backend said or did not say is the answer's status instead.
package enum TransportError: Error, Equatable {
    case cannotStart
    /// The other end of the channel is gone.
    case closed
    /// The deadline of the whole login is over.
    case timedOut
    /// The person broke the wait off.
    case cancelled
    /// A frame that is none, or that answers another question.
    case brokenFrame
    /// The relay speaks another version of frames: it was upgraded, and this program was loaded before.
    case otherVersion
    /// The relay cannot read the certificates that may vouch for the server, or there are none in the file.
    case noCertificates
}

/// A line to the server: a relay, or curl in this process.
package protocol Transport: ~Copyable {
    mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse
}
