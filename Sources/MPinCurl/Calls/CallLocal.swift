// SPDX-License-Identifier: Apache-2.0
// One HTTP request over a Unix socket of this machine: how mpind's commands speak with the daemon.
import CCurl

package enum LocalCallError: Error, Equatable {
    /// Nobody answers at the socket.
    case unreachable
    /// libcurl's sentence about anything else.
    case failed(String)
}

package struct LocalResponse: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
}

/// Sends JSON (or, with GET, nothing) to `path` behind the socket and waits for the whole answer.
package func callLocal(
    _ method: String, _ path: String, body: [UInt8], socket: String
) throws(LocalCallError) -> LocalResponse {
    guard let handle = unsafe curl_easy_init() else { throw .failed("libcurl cannot start") }
    defer { unsafe curl_easy_cleanup(handle) }
    // The longest answer is a list of many users.
    let sink = Sink(limit: 64 << 20)
    let code = unsafe body.withUnsafeBytes { body in
        let octets = unsafe UnsafeMutableRawPointer(mutating: body.baseAddress)
        let options = unsafe [
            mpin_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, socket),
            mpin_curl_set_text(handle, CURLOPT_URL, "http://localhost" + path),
            mpin_curl_set_text(handle, CURLOPT_NOPROXY, "*"),
            mpin_curl_set_long(handle, CURLOPT_TIMEOUT, 30),
            mpin_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, body.count),
            mpin_curl_set_pointer(handle, CURLOPT_POSTFIELDS, octets),
            mpin_curl_set_long(handle, method == "GET" ? CURLOPT_HTTPGET : CURLOPT_POST, 1),
            mpin_curl_set_sink(handle, CURLOPT_WRITEFUNCTION, collect),
            mpin_curl_set_pointer(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(sink).toOpaque()),
        ]
        guard options.allSatisfy({ $0 == CURLE_OK }) else { return CURLE_FAILED_INIT }
        return withExtendedLifetime(sink) { unsafe curl_easy_perform(handle) }
    }
    guard code == CURLE_OK else {
        if code == CURLE_COULDNT_CONNECT { throw .unreachable }
        throw .failed(unsafe String(cString: curl_easy_strerror(code)))
    }
    var status = 0
    unsafe mpin_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    return LocalResponse(status: status, body: sink.octets)
}
