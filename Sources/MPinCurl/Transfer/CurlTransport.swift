// SPDX-License-Identifier: Apache-2.0
// Questions answered over HTTP by libcurl: inside mpin-relay, and in programs that need no relay.
package import MPinWire

/// `hello` comes first and once. A wrong one (another version, a backend that may not be used) is
/// `.brokenFrame`. That certificates cannot be read is the status of its answer, and then no other question
/// is taken; every later failure is the status of an answer too.
package struct CurlTransport: ~Copyable, Transport {
    private var session: Session?
    /// Who stands beside root and `_mpind` as the owner of folders and sockets: nobody else where it is root.
    private let caller: UInt32

    package init(caller: UInt32) { self.caller = caller }

    package mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        try answer(question).response
    }

    /// The same with the frame of the answer.
    package mutating func answer(_ question: RelayRequest) throws(TransportError) -> FramedResponse {
        if case .hello(let hello) = question { return try FramedResponse(begin(hello)) }
        return try open().answer(question)
    }

    private mutating func begin(_ hello: Hello) throws(TransportError) -> RelayResponse {
        guard session == nil, hello.version == Frame.version else { throw .brokenFrame }
        do { session = try Session(hello, caller: caller) } catch {
            guard error.isOfCertificates else { throw .brokenFrame }
            return RelayResponse(kind: .hello, status: RelayResponse.noCertificates)
        }
        return RelayResponse(kind: .hello, status: 200, body: .hello(version: hello.version))
    }

    /// Closes the connections that are kept; the next question makes its own.
    package func rest() { session?.network.rest() }

    /// Whoever waited for a second device waits no longer: what was opened and neither granted nor ended ends
    /// now, within 1.5 seconds.
    package mutating func close() { session?.endOpened() }

    /// The session that `hello` began.
    func open() throws(TransportError) -> Session {
        guard let session else { throw .brokenFrame }
        return session
    }
}
