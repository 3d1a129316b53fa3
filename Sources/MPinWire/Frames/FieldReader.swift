// SPDX-License-Identifier: Apache-2.0
// Writes the fields of a frame, and reads them with a check of every length.
import Octets

struct FieldWriter {
    private var frame: [UInt8]
    /// Whether a field was longer than a length of two octets can express.
    private var overflowed = false

    init(kind: UInt8) { frame = [kind] }

    mutating func octets(_ field: [UInt8]) {
        guard let count = UInt16(exactly: field.count) else {
            overflowed = true
            return
        }
        frame.append(UInt8(count >> 8))
        frame.append(UInt8(count & 0xff))
        frame.append(contentsOf: field)
    }

    /// nil: an empty field.
    mutating func fixed<let size: Int, Meaning>(_ field: FixedOctets<size, Meaning>?) {
        octets(field?.octets ?? [])
    }

    mutating func octet(_ value: UInt8) { octets([value]) }
    mutating func flag(_ value: Bool) { octets([value ? 1 : 0]) }
    mutating func number<N: FixedWidthInteger & UnsignedInteger>(_ value: N) { octets(bigEndian(value)) }
    mutating func lines(_ texts: [[UInt8]]) { octets([UInt8](texts.joined(separator: [0x0a]))) }
    mutating func empty(_ fields: Int) { for _ in 0..<fields { octets([]) } }

    func finished() throws(FrameError) -> [UInt8] {
        guard !overflowed, frame.count <= Frame.limit else { throw .tooLong }
        return frame
    }
}

struct FieldReader {
    private let frame: [UInt8]
    private var position = 1
    let kind: UInt8

    init(_ frame: [UInt8]) throws(FrameError) {
        guard frame.count <= Frame.limit else { throw .tooLong }
        guard let kind = frame.first else { throw .truncated }
        self.frame = frame
        self.kind = kind
    }

    /// The next field, with any content.
    private mutating func next() throws(FrameError) -> [UInt8] {
        guard frame.count - position >= 2 else { throw .truncated }
        let count = Int(frame[position]) << 8 | Int(frame[position + 1])
        guard frame.count - position - 2 >= count else { throw .truncated }
        let field = [UInt8](frame[position + 2..<position + 2 + count])
        position += 2 + count
        return field
    }

    /// A field of `first` octets or of one of the other lengths.
    mutating func octets(_ first: Int, or others: Int...) throws(FrameError) -> [UInt8] {
        let field = try next()
        guard field.count == first || others.contains(field.count) else { throw .badField }
        return field
    }

    mutating func fixed<let size: Int, Meaning>() throws(FrameError) -> FixedOctets<size, Meaning> {
        guard let field = FixedOctets<size, Meaning>(try next()) else { throw .badField }
        return field
    }

    /// nil: an empty field.
    mutating func optional<let size: Int, Meaning>() throws(FrameError) -> FixedOctets<size, Meaning>? {
        let field = try next()
        if field.isEmpty { return nil }
        guard let field = FixedOctets<size, Meaning>(field) else { throw .badField }
        return field
    }

    mutating func octets(_ bounds: ClosedRange<Int>) throws(FrameError) -> [UInt8] {
        let field = try next()
        guard bounds.contains(field.count) else { throw .badField }
        return field
    }

    mutating func text(_ bounds: ClosedRange<Int>) throws(FrameError) -> [UInt8] {
        let field = try octets(bounds)
        guard isPlainText(field) else { throw .badField }
        return field
    }

    /// A list of texts of 1 to `Bound.address` octets, one on each line.
    mutating func lines(_ counts: ClosedRange<Int>) throws(FrameError) -> [[UInt8]] {
        let field = try next()
        var lines: [[UInt8]] = []
        if !field.isEmpty {
            for line in field.split(separator: 0x0a, omittingEmptySubsequences: false) {
                lines.append([UInt8](line))
            }
        }
        let fit = lines.allSatisfy { (1...Bound.address).contains($0.count) && isPlainText($0) }
        guard counts.contains(lines.count), fit else { throw .badField }
        return lines
    }

    mutating func octet() throws(FrameError) -> UInt8 {
        guard let octet = try octets(1).first else { throw .badField }
        return octet
    }

    mutating func flag() throws(FrameError) -> Bool {
        let octet = try octet()
        guard octet <= 1 else { throw .badField }
        return octet == 1
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(
        _ type: N.Type = N.self
    ) throws(FrameError) -> N {
        var value: N = 0
        for octet in try octets(N.bitWidth / 8) { value = value << 8 | N(truncatingIfNeeded: octet) }
        return value
    }

    mutating func empty(_ fields: Int) throws(FrameError) {
        for _ in 0..<fields { _ = try octets(0) }
    }

    func finish() throws(FrameError) {
        guard position == frame.count else { throw .trailing }
    }
}
