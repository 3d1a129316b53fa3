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
    guard let handle = CurlHandle() else { return nil }
    let sink = Sink(limit: 65_536)
    let list = TextList(headers + ["Expect:"])
    // What libcurl does with signals is for programs of one thread.
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
