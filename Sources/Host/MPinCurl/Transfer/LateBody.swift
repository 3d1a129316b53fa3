// SPDX-License-Identifier: Apache-2.0
// A body that is made only when the connection to the server is established. libcurl must know its length
// before, so blanks behind the JSON fill it up.

@safe final class LateBody {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let make: () -> [UInt8]?
    private(set) var isMade = false

    /// - Parameters:
    ///   - length: in octets.
    ///   - make: gives the JSON, at most `length` octets; nil if nothing is to be sent. Called once.
    init(length: Int, make: @escaping () -> [UInt8]?) {
        unsafe buffer = .allocate(capacity: length)
        unsafe buffer.initialize(repeating: UInt8(ascii: " "))
        self.make = make
    }

    deinit { unsafe buffer.deallocate() }

    /// The octets, which libcurl reads after `isReady` returned true.
    var octets: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(buffer) }

    /// Makes the body, unless it is made: libcurl sends it again if a kept connection turns out to be closed.
    /// False if there is none.
    func isReady() -> Bool {
        if isMade { return true }
        guard let body = make(), unsafe body.count <= buffer.count else { return false }
        for (index, octet) in body.enumerated() { unsafe buffer[index] = octet }
        isMade = true
        return true
    }
}
