// SPDX-License-Identifier: Apache-2.0
// One HTTP request over a Unix socket of this machine, by which mpind's commands call the daemon.
import CCurl
import CPlatform

/// Why a call over a Unix socket has no answer.
package enum LocalCallError: Error, Equatable {
    /// No process accepts connections at the socket.
    case unreachable
    /// This user may not open the socket.
    case denied
    /// Another failure, with libcurl's message.
    case failed(String)
}

/// An answer, whatever its HTTP status.
package struct LocalResponse: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
}

/// Sends JSON (nothing with GET) to `path` at the socket, and waits up to 30 seconds for the whole answer.
package func callLocal(
    _ method: String, _ path: String, body: [UInt8], socket: String
) throws(LocalCallError) -> LocalResponse {
    guard let handle = CurlHandle() else { throw .failed("libcurl cannot start") }
    // The longest answer is a list of many users.
    let sink = Sink(limit: 64 << 20)
    handle.setWay(to: "http://localhost" + path, schemes: "http", socket: socket, milliseconds: 30_000)
    let code = handle.send(method == "GET" ? .get : .post, body: body, into: sink)
    guard code == CURLE_OK else {
        if code == CURLE_COULDNT_CONNECT {
            throw handle.number(CURLINFO_OS_ERRNO) == Int(EACCES) ? .denied : .unreachable
        }
        throw .failed(unsafe String(cString: curl_easy_strerror(code)))
    }
    return LocalResponse(status: handle.number(CURLINFO_RESPONSE_CODE), body: sink.octets)
}
