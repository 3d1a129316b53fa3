// SPDX-License-Identifier: Apache-2.0
// What libcurl calls back during one transfer.
import CCurl
import CPlatform
import MPinWire

/// The state of one transfer, which libcurl hands to its callbacks.
final class Transfer {
    private let socket: UnixSocket?
    private let milliseconds: Int
    private(set) var body: [UInt8] = []
    private(set) var hasOpenedSocket = false
    /// Why there is no socket, where that is not for libcurl to say.
    private(set) var failure: UInt16?

    init(socket: UnixSocket?, milliseconds: Int) {
        self.socket = socket
        self.milliseconds = milliseconds
    }

    var isUnix: Bool { socket != nil }

    /// False ends the transfer: the body is longer than the bound.
    func append(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard chunk.count <= Curl.limit - body.count else { return false }
        unsafe body.append(contentsOf: chunk)
        return true
    }

    /// -1 ends the transfer: no connection.
    func open(_ address: curl_sockaddr) -> CInt {
        hasOpenedSocket = true
        do {
            if let socket { return try socket.connect(milliseconds: milliseconds) }
            return try newSocket(address.family, address.socktype, address.protocol)
        } catch {
            switch error {
            case .cannotConnect: failure = Answer.unreachable
            case .wrongOwner: failure = Answer.tlsRefused
            case .noSocket: failure = Answer.notUnderstood
            }
            return -1
        }
    }

    static func of(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}

let receive: mpin_curl_sink = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let chunk = unsafe UnsafeRawBufferPointer(start: bytes, count: size &* count)
    return unsafe Transfer.of(context).append(chunk) ? chunk.count : 0
}

let openSocket: curl_opensocket_callback = { context, _, address in
    guard let context = unsafe context, let address = unsafe address else { return -1 }
    return unsafe Transfer.of(context).open(address.pointee)
}

let prepareSocket: curl_sockopt_callback = { context, _, _ in
    guard let context = unsafe context else { return CURL_SOCKOPT_ERROR }
    return unsafe Transfer.of(context).isUnix ? CURL_SOCKOPT_ALREADY_CONNECTED : CURL_SOCKOPT_OK
}

/// A list of texts as libcurl has it.
@safe final class TextList {
    private(set) var head: UnsafeMutablePointer<curl_slist>?

    /// Without memory the list ends early.
    init(_ texts: [String]) {
        for text in texts {
            guard let longer = unsafe curl_slist_append(head, text) else { return }
            unsafe head = longer
        }
    }

    deinit { unsafe curl_slist_free_all(head) }
}
