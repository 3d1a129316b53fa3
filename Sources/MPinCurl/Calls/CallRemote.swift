// SPDX-License-Identifier: Apache-2.0
// One HTTP request to another server that an administrator named: how mpind asks an RPA.
import CCurl

package struct RemoteResponse: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
}

/// Sends `body` (or, with GET, nothing) and waits for the whole answer, five seconds at most; nil without
/// one. It follows nothing, asks no proxy and reads no file but the system's certificates. Safe on any
/// thread, each call has a handle of its own.
package func callRemote(
    _ method: String, _ url: String, headers: [String], body: [UInt8]
) -> RemoteResponse? {
    guard isReady, let handle = unsafe curl_easy_init() else { return nil }
    defer { unsafe curl_easy_cleanup(handle) }
    let sink = Sink(limit: 65_536)
    let list = TextList(headers + ["Expect:"])
    let code = unsafe body.withUnsafeBytes { body in
        let octets = unsafe UnsafeMutableRawPointer(mutating: body.baseAddress)
        let options = unsafe [
            mpin_curl_set_text(handle, CURLOPT_URL, url),
            mpin_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
            mpin_curl_set_text(handle, CURLOPT_PROXY, ""),
            mpin_curl_set_text(handle, CURLOPT_NOPROXY, "*"),
            mpin_curl_set_text(handle, CURLOPT_USERAGENT, "mpind/" + Release.version),
            mpin_curl_set_long(handle, CURLOPT_NOSIGNAL, 1),
            mpin_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0),
            mpin_curl_set_long(handle, CURLOPT_TIMEOUT_MS, 5_000),
            mpin_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            mpin_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, body.count),
            mpin_curl_set_pointer(handle, CURLOPT_POSTFIELDS, octets),
            mpin_curl_set_long(handle, method == "GET" ? CURLOPT_HTTPGET : CURLOPT_POST, 1),
            mpin_curl_set_list(handle, CURLOPT_HTTPHEADER, list.head),
            mpin_curl_set_sink(handle, CURLOPT_WRITEFUNCTION, collect),
            mpin_curl_set_pointer(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(sink).toOpaque()),
        ]
        guard options.allSatisfy({ $0 == CURLE_OK }) else { return CURLE_FAILED_INIT }
        return withExtendedLifetime((sink, list)) { unsafe curl_easy_perform(handle) }
    }
    guard code == CURLE_OK else { return nil }
    var status = 0
    unsafe mpin_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    return RemoteResponse(status: status, body: sink.octets)
}

/// libcurl is made ready once, before any two threads use it.
private let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
