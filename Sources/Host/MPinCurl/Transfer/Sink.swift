// SPDX-License-Identifier: Apache-2.0
// Collects the body of an answer from libcurl, up to a limit.
import CCurl

final class Sink {
    /// The longest answer that is read, in octets; a longer one ends the transfer.
    let limit: Int
    private(set) var octets: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    fileprivate func take(_ chunk: UnsafeRawBufferPointer) -> Int {
        guard chunk.count <= limit - octets.count else { return 0 }
        unsafe octets.append(contentsOf: chunk)
        return chunk.count
    }
}

/// The callback of CURLOPT_WRITEFUNCTION; libcurl ends the transfer if it takes less than it got. The context
/// is a `Sink`.
let collect: mpin_curl_sink = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let sink = unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
    return unsafe sink.take(UnsafeRawBufferPointer(start: bytes, count: size &* count))
}
