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
    let sink = Sink(limit: Curl.limit)
    /// A socket that `dial` has connected, until it is used.
    private var connected: CInt?
    /// The last socket that was made for this transfer.
    private var socket: CInt?
    private var isAdopted = false
    private var hasBegun = false
    /// Why there is no connection, if a callback found that out.
    private(set) var failure: UInt16?
    /// Whether the backend listens, but its queue is full. Nothing was sent then.
    private(set) var isQueued = false

    /// - Parameter connected: a socket that is connected to the place of the request; nil: none.
    init(_ request: Request, connected: CInt?) {
        backend = request.address.place.socket
        late = request.late
        mayRepeat = request.mayRepeat
        self.connected = connected
    }

    deinit { if let connected { close(connected) } }

    /// libcurl could not connect and does not say why. If a process listens at the Unix socket, its queue is
    /// full.
    func noteFullQueue() {
        switch backend?.dial(Limit(milliseconds: 0)) {
        case .connected(let descriptor):
            close(descriptor)
            isQueued = true
        case .failed(RelayResponse.machineFailed): isQueued = true
        case .failed, .none: break
        }
        if isQueued { failure = RelayResponse.timedOut }
    }

    /// Makes the socket, or gives the connected one; -1 ends the transfer.
    func open(_ address: curl_sockaddr) -> CInt {
        if let backend, !backend.isInTrustedFolder {
            failure = Distrust.socket.status
            return -1
        }
        isAdopted = connected != nil
        let made =
            connected.take()
            ?? CPlatform.socket(
                address.family, address.socktype | CInt(SOCK_CLOEXEC.rawValue), address.protocol)
        socket = made
        return made
    }

    /// Whether the socket that `open` gave is connected.
    var isConnected: Bool { isAdopted }

    /// Checks the other end of a Unix socket; false ends the transfer before anything is sent. If a kept
    /// connection ends before an answer, libcurl begins again with a new one: a proof must not be sent twice.
    func begin() -> Bool {
        if let backend, let socket { failure = backend.refusal(of: socket) }
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
    return unsafe Transfer.of(context).open(address.pointee)
}

let adoptSocket: curl_sockopt_callback = { context, _, _ in
    guard let context = unsafe context else { return CURL_SOCKOPT_ERROR }
    return unsafe Transfer.of(context).isConnected ? CURL_SOCKOPT_ALREADY_CONNECTED : CURL_SOCKOPT_OK
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
