// SPDX-License-Identifier: Apache-2.0
// Where libcurl puts the body of an answer: no more of it than the limit.
import CCurl

final class Sink {
    /// Octets of the longest answer that is read; a longer one ends the call.
    let limit: Int
    private(set) var octets: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    fileprivate func take(_ chunk: UnsafeRawBufferPointer) -> Int {
        guard chunk.count <= limit - octets.count else { return 0 }
        unsafe octets.append(contentsOf: chunk)
        return chunk.count
    }
}

/// For CURLOPT_WRITEFUNCTION, which ends the transfer if less is taken than came; the context is a `Sink`.
let collect: mpin_curl_sink = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let sink = unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
    return unsafe sink.take(UnsafeRawBufferPointer(start: bytes, count: size &* count))
}
