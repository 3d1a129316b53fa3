// SPDX-License-Identifier: Apache-2.0
// The callbacks of libcurl during a transfer, and their state.
import CCurl
import CPlatform
import MPinWire

/// The state of one transfer, which libcurl passes to its callbacks.
final class Transfer {
    private let backend: UnixSocket?
    let sink = Sink(limit: Curl.limit)
    /// The last socket that was made for this transfer.
    private var socket: CInt?
    /// Why there is no connection, if a callback found that out.
    private(set) var failure: UInt16?

    init(backend: UnixSocket?) { self.backend = backend }

    /// libcurl could not connect and does not say why. If a process listens at the Unix socket, its queue is
    /// full.
    func noteFullQueue() {
        switch backend?.dial(Limit(milliseconds: 0)) {
        case .connected(let descriptor):
            close(descriptor)
            failure = RelayResponse.timedOut
        case .failed(RelayResponse.machineFailed): failure = RelayResponse.timedOut
        case .failed, .none: break
        }
    }

    /// Whether the backend listens, but its queue is full. Nothing was sent then.
    var isQueued: Bool { failure == RelayResponse.timedOut }

    /// Makes the socket; -1 ends the transfer.
    func open(_ address: curl_sockaddr) -> CInt {
        if let backend, !backend.isInTrustedFolder {
            failure = Distrust.socket.status
            return -1
        }
        let made = CPlatform.socket(
            address.family, address.socktype | CInt(SOCK_CLOEXEC.rawValue), address.protocol)
        socket = made
        return made
    }

    /// Checks the other end of a Unix socket; false ends the transfer before anything is sent.
    func begin() -> Bool {
        guard let backend, let socket else { return true }
        failure = backend.refusal(of: socket)
        return failure == nil
    }

    static func of(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}

let openSocket: curl_opensocket_callback = { context, _, address in
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    return unsafe Transfer.of(context).open(address.pointee)
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
