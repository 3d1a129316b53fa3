// SPDX-License-Identifier: Apache-2.0
// A libcurl handle with the options that all transfers share, over TCP or a Unix socket.
import CCurl
import CPlatform

/// Every transfer follows no redirects, accepts no TLS older than 1.2 and no certificate that is not valid
/// for the name, uses only a proxy that is named, and reads no more of an answer than the sink accepts. If
/// libcurl refuses an option, the handle is spoiled: from then on it sends nothing.
@safe final class CurlHandle {
    /// For libcurl's functions; nil, which they refuse, after `close`.
    private(set) var pointer: UnsafeMutableRawPointer?
    /// Keeps the connections.
    private let multi: UnsafeMutableRawPointer
    private(set) var isSpoiled = false

    /// Initialises libcurl once, before several threads can use it.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// nil if libcurl cannot start.
    init?() {
        guard CurlHandle.isReady, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        guard let pointer = unsafe curl_easy_init() else {
            unsafe curl_multi_cleanup(multi)
            return nil
        }
        unsafe self.pointer = pointer
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        check(unsafe mpin_curl_watch(pointer))
    }

    deinit { close() }

    /// Closes the connections; after that libcurl uses nothing that an option pointed to.
    func close() {
        guard let pointer = unsafe pointer else { return }
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_multi_cleanup(multi)
        unsafe self.pointer = nil
    }

    func check(_ code: CURLcode) { if code != CURLE_OK { isSpoiled = true } }

    func set(_ option: CURLoption, _ value: Int) {
        check(unsafe mpin_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ text: String?) {
        check(unsafe mpin_curl_set_text(pointer, option, text))
    }

    /// The list must live until the transfer ends.
    func set(_ option: CURLoption, _ list: TextList) {
        check(unsafe mpin_curl_set_list(pointer, option, list.head))
    }

    /// Sets where the next request is sent, and how long all of it may take.
    ///
    /// - Parameters:
    ///   - schemes: those that libcurl may use, separated by commas.
    ///   - socket: the Unix socket to connect to; nil for the URL's host.
    ///   - proxy: `http://HOST:PORT`; nil for none, whatever the environment says.
    func setWay(
        to url: String, schemes: String, socket: String? = nil, proxy: String? = nil, milliseconds: Int
    ) {
        set(CURLOPT_URL, url)
        set(CURLOPT_PROTOCOLS_STR, schemes)
        set(CURLOPT_UNIX_SOCKET_PATH, socket)
        set(CURLOPT_PROXY, proxy ?? "")
        set(CURLOPT_NOPROXY, proxy == nil ? "*" : "")
        set(CURLOPT_TIMEOUT_MS, milliseconds)
    }

    /// Sends the request and waits for the end of the answer. With GET there is no body.
    /// - Parameter ending: a descriptor; once it is readable, the transfer ends with CURLE_GOT_NOTHING. -1:
    ///   none.
    func send(_ method: BackendMethod, body: [UInt8], into sink: Sink, endedBy ending: CInt = -1) -> CURLcode
    {
        unsafe body.withUnsafeBytes { unsafe send(method, body: $0, into: sink, endedBy: ending) }
    }

    /// The same with a body that may still change until the connection is established.
    func send(
        _ method: BackendMethod, body: UnsafeRawBufferPointer, into sink: Sink, endedBy ending: CInt
    ) -> CURLcode {
        set(CURLOPT_MAXFILESIZE, sink.limit)
        check(unsafe mpin_curl_set_sink(pointer, CURLOPT_WRITEFUNCTION, collect))
        check(
            unsafe mpin_curl_set_pointer(
                pointer, CURLOPT_WRITEDATA, Unmanaged.passUnretained(sink).toOpaque()))
        unsafe setBody(method, body)
        return withExtendedLifetime(sink) {
            unsafe isSpoiled ? CURLE_FAILED_INIT : mpin_curl_perform(multi, pointer, ending)
        }
    }

    private func setBody(_ method: BackendMethod, _ body: UnsafeRawBufferPointer) {
        switch method {
        case .get: set(CURLOPT_HTTPGET, 1)
        case .put, .post:
            set(CURLOPT_POST, 1)
            set(CURLOPT_POSTFIELDSIZE, body.count)
            let octets = unsafe UnsafeMutableRawPointer(mutating: body.baseAddress)
            check(unsafe mpin_curl_set_pointer(pointer, CURLOPT_POSTFIELDS, octets))
        }
        set(CURLOPT_CUSTOMREQUEST, method.rawValue)
    }

    /// Whether an address of the server, or of the proxy, took the connection of the last transfer.
    var wasConnected: Bool { number(CURLINFO_LOCAL_PORT) > 0 }

    /// The address that took the connection of the last transfer, as text; nil if none did.
    var peer: String? {
        guard let peer = unsafe mpin_curl_peer(pointer) else { return nil }
        let text = unsafe String(cString: peer)
        return text.isEmpty ? nil : text
    }

    /// Whether the kernel gave a reason why the last transfer could not connect. It gives none for a Unix
    /// socket whose queue is full.
    var hasError: Bool { ![0, Int(EAGAIN)].contains(number(CURLINFO_OS_ERRNO)) }

    /// A number that libcurl reports about the last transfer; 0 if it has none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe mpin_curl_get_long(pointer, info, &value)
        return value
    }
}
