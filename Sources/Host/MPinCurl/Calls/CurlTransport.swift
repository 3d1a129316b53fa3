// SPDX-License-Identifier: Apache-2.0
// Answers questions by HTTP with libcurl: inside mpin-relay, and in programs that need no relay.
package import MPinWire

/// `hello` comes first and only once. A wrong one (another version, or a backend that may not be used) throws
/// `.brokenFrame`. If the certificates cannot be read, the answer to `hello` has that status, and no other
/// question is accepted; every later failure is the status of an answer too.
package struct CurlTransport: ~Copyable, Transport {
    private var session: Session?
    /// The uid that, besides root and `_mpind`, may own folders and sockets; root's for no other owner.
    private let caller: UInt32
    private let ending: CInt

    /// - Parameter ending: a descriptor that becomes readable when nobody waits for answers any more; -1:
    ///   none.
    package init(caller: UInt32, ending: CInt = -1) {
        self.caller = caller
        self.ending = ending
    }

    package mutating func exchange(_ request: RelayRequest) throws(TransportError) -> RelayResponse {
        try answer(request).response
    }

    /// The answer to a question, with its frame.
    package mutating func answer(_ request: RelayRequest) throws(TransportError) -> FramedResponse {
        if case .hello(let hello) = request { return try FramedResponse(begin(hello)) }
        return try open().answer(request)
    }

    private mutating func begin(_ hello: Hello) throws(TransportError) -> RelayResponse {
        guard session == nil, hello.version == Frame.version else { throw .brokenFrame }
        do { session = try Session(hello, caller: caller, ending: ending) } catch {
            guard error == .noCertificates else { throw .brokenFrame }
            return RelayResponse(kind: .hello, status: RelayResponse.noCertificates)
        }
        return RelayResponse(kind: .hello, status: 200, body: .hello(version: hello.version))
    }

    /// Whether the backends of `hello` include a Unix socket.
    package var needsUnixSockets: Bool { session?.client.hasSocket ?? false }

    /// The last system call without which a server could not be asked.
    package var refused: RefusedCall? { session?.client.refused }

    /// Closes the connections that are kept; the next question makes its own.
    package func rest() { session?.client.rest() }

    /// Ends the sessions that were opened and neither granted nor ended, within 1.5 seconds.
    package mutating func close() { session?.endOpened() }

    /// The session that `hello` began.
    func open() throws(TransportError) -> Session {
        guard let session else { throw .brokenFrame }
        return session
    }
}
