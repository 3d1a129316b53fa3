// SPDX-License-Identifier: Apache-2.0
// A file of the store while it is being written. The draft is in a secret's memory: it may hold tokens and
// keys.
import CPlatform
package import MPinProof
import MPinWire
import Octets
package import Secrets

struct SecretFileWriter: ~Copyable {
    private var page: Secret
    private(set) var count = 0

    init() throws(StoreError.Fault) {
        do { page = try Secret(count: Grammar.limit) } catch { throw .outOfMemory }
    }

    mutating func append(_ octets: [UInt8]) throws(StoreError.Fault) {
        guard octets.count <= page.count - count else { throw .tooLong }
        let start = count
        page.withMutableBytes { page in
            for (index, octet) in octets.enumerated() {
                page.storeBytes(of: octet, toByteOffset: start + index, as: UInt8.self)
            }
        }
        count += octets.count
    }

    /// Appends a part of another secret.
    mutating func append(_ secret: borrowing Secret, _ place: Range<Int>) throws(StoreError.Fault) {
        let start = count
        guard place.count <= page.count - count, place.lowerBound >= 0, place.upperBound <= secret.count
        else {
            throw .tooLong
        }
        page.withMutableBytes { page in
            secret.withBytes { octets in
                for index in 0..<place.count {
                    let octet = unsafe octets.unsafeLoad(
                        fromByteOffset: place.lowerBound + index, as: UInt8.self)
                    page.storeBytes(of: octet, toByteOffset: start + index, as: UInt8.self)
                }
            }
        }
        count += place.count
    }

    /// Appends the hexadecimal digits of a secret, in lower case.
    mutating func append(hexOf octets: RawSpan) throws(StoreError.Fault) {
        let start = count
        guard octets.byteCount * 2 <= page.count - count else { throw .tooLong }
        page.withMutableBytes { page in
            for index in 0..<octets.byteCount {
                let octet = unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                page.storeBytes(of: hexDigit(octet >> 4), toByteOffset: start + index * 2, as: UInt8.self)
                page.storeBytes(of: hexDigit(octet & 15), toByteOffset: start + index * 2 + 1, as: UInt8.self)
            }
        }
        count += octets.byteCount * 2
    }

    mutating func append(_ entries: [Entry]) throws(StoreError.Fault) {
        for entry in entries {
            // A line break in a value would begin a new entry.
            guard !entry.value.contains(0x0a) else { throw .key(entry.badValue) }
            try append(entry.key)
            try append(ascii(" = "))
            try append(entry.value)
            try append([0x0a])
        }
    }

    /// A copy of what has been written so far.
    borrowing func text() throws(StoreError.Fault) -> Secret {
        let count = count
        do {
            return try page.withBytes { page throws(OutOfMemory) in
                try Secret(copying: page.extracting(0..<count))
            }
        } catch { throw .outOfMemory }
    }

    /// Replaces the file `name` by the draft.
    package borrowing func replace(_ name: [UInt8], in folder: borrowing Descriptor) throws(StoreError.Fault)
    {
        try folder.replace(name, by: page, count: count)
    }
}

extension Descriptor {
    /// Replaces the file `name` in this folder by the first `count` octets of a secret. The replacement is
    /// atomic: at any moment either the old or the new file is there.
    package func replace(
        _ name: [UInt8], by page: borrowing Secret, count: Int
    ) throws(StoreError.Fault) {
        let code = page.withBytes { page in
            FileReplacement(name, in: number).write(page.extracting(0..<count))
        }
        guard code == 0 else { throw .system(errno: code) }
    }
}
