// SPDX-License-Identifier: Apache-2.0
// The callbacks of libcurl during a transfer, and their state.
import CCurl
import CPlatform
import MPinWire

/// The state of one transfer, which libcurl passes to its callbacks.
final class Transfer {
    private let backend: UnixSocket?
    private let late: LateBody?
    /// Whether libcurl may send the request a second time.
    private let mayRepeat: Bool
    /// Addresses that are not tried, because they cut an earlier transfer of the request off.
    private let avoided: Set<String>
    let sink = Sink(limit: Curl.limit)
    /// The last socket that was made for this transfer.
    private var socket: CInt?
    /// Whether there was a connection, TLS included.
    private(set) var hasBegun = false
    /// Why there is no connection, if a callback found that out.
    private(set) var failure: UInt16?
    /// Why no socket could be made; 0: it could.
    private(set) var socketError: CInt = 0

    init(_ request: BackendRequest, avoiding avoided: Set<String>) {
        self.avoided = avoided
        backend = request.address.place.socket
        late = request.late
        mayRepeat = request.mayRepeat
    }

    /// Whether the request may be sent to another address: it was not sent, or it may be repeated.
    var mayGoOn: Bool { mayRepeat || !hasBegun }

    /// Makes the socket. -1 ends the attempt at this address.
    func open(_ address: UnsafePointer<curl_sockaddr>) -> CInt {
        if let backend, !backend.isInTrustedFolder {
            failure = Distrust.socket.status
            return -1
        }
        if avoided.contains(where: { unsafe mpin_curl_is(address, $0) != 0 }) { return -1 }
        let (family, type) = unsafe (address.pointee.family, address.pointee.socktype)
        let made = CPlatform.socket(
            family, type | CInt(SOCK_CLOEXEC.rawValue), unsafe address.pointee.protocol)
        socket = made
        socketError = made < 0 ? mpin_errno() : 0
        return made
    }

    /// Checks the other end of a Unix socket; false ends the transfer before anything is sent. If a kept
    /// connection ends before an answer, libcurl begins again with a new one: a proof must not be sent twice.
    func begin() -> Bool {
        if let backend, let socket, !backend.isAnsweredByOwner(socket) { failure = Distrust.owner.status }
        if hasBegun, !mayRepeat { failure = RelayResponse.timedOut }
        hasBegun = true
        guard failure == nil else { return false }
        return late?.isReady() ?? true
    }

    static func of(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}

let openSocket: curl_opensocket_callback = { context, _, address in
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    return unsafe Transfer.of(context).open(address)
}

let beginRequest: curl_prereq_callback = { context, _, _, _, _ in
    guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
    return unsafe Transfer.of(context).begin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// A list of texts for libcurl.
@safe final class TextList {
    private(set) var head: UnsafeMutablePointer<curl_slist>?

    /// If memory runs out, the list ends early.
    init(_ texts: [String]) {
        for text in texts {
            guard let longer = unsafe curl_slist_append(head, text) else { return }
            unsafe head = longer
        }
    }

    deinit { unsafe curl_slist_free_all(head) }
}
