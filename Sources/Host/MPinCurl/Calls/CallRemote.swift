// SPDX-License-Identifier: Apache-2.0
// One HTTP request to a server that an administrator named, by which mpind calls an external RPA.
import CCurl

/// An answer, whatever its HTTP status.
package struct RemoteResponse: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
}

/// Sends `body` (nothing with GET) and waits for the whole answer, for five seconds at most; nil without an
/// answer. It follows no redirects, uses no proxy and reads no file but the system's certificates. Each call
/// has its own handle, so it may be used on any thread.
package func callRemote(
    _ method: String, _ url: String, headers: [String], body: [UInt8]
) -> RemoteResponse? {
    guard let handle = CurlHandle() else { return nil }
    let sink = Sink(limit: 65_536)
    let list = TextList(headers + ["Expect:"])
    // libcurl's use of signals is safe only in programs with one thread.
    handle.set(CURLOPT_NOSIGNAL, 1)
    handle.set(CURLOPT_USERAGENT, "mpind/" + Release.version)
    handle.set(CURLOPT_HTTPHEADER, list)
    handle.setWay(to: url, schemes: "http,https", milliseconds: 5_000)
    let code = withExtendedLifetime(list) {
        handle.send(method == "GET" ? .get : .post, body: body, into: sink)
    }
    guard code == CURLE_OK else { return nil }
    return RemoteResponse(status: handle.number(CURLINFO_RESPONSE_CODE), body: sink.octets)
}
