// SPDX-License-Identifier: Apache-2.0
// The fields of a frame, in their order: one function reads a field or writes it, with the same bounds.
import Octets

/// A frame that is being read or written, field by field. Each function below reads the next field and
/// returns its value, or writes the value that it is given and returns it. It throws if the value is out of
/// bounds.
struct FrameFields {
    private var frame: [UInt8]
    private var position = 1
    private let isReading: Bool
    let kind: UInt8
    /// Whether all fields that follow are empty, as in a response without a result; then the values that are
    /// given are returned.
    var areEmpty = false

    init(writing kind: UInt8) {
        frame = [kind]
        self.kind = kind
        isReading = false
    }

    init(reading frame: [UInt8]) throws(FrameError) {
        guard frame.count <= Frame.limit else { throw .tooLong }
        guard let kind = frame.first else { throw .truncated }
        self.frame = frame
        self.kind = kind
        isReading = true
    }

    /// The frame after its last field.
    func finished() throws(FrameError) -> [UInt8] {
        guard frame.count <= Frame.limit else { throw .tooLong }
        guard !isReading || position == frame.count else { throw .trailing }
        return frame
    }

    /// Reads the next field, or writes `value`; returns the value of the field.
    private mutating func next(_ value: [UInt8]) throws(FrameError) -> [UInt8] {
        let field = isReading ? try read() : areEmpty ? [] : value
        if !isReading { try write(field) }
        guard areEmpty else { return field }
        guard field.isEmpty else { throw .badField }
        return value
    }

    private mutating func read() throws(FrameError) -> [UInt8] {
        guard frame.count - position >= 2 else { throw .truncated }
        let count = Int(frame[position]) << 8 | Int(frame[position + 1])
        guard frame.count - position - 2 >= count else { throw .truncated }
        let field = [UInt8](frame[position + 2..<position + 2 + count])
        position += 2 + count
        return field
    }

    private mutating func write(_ field: [UInt8]) throws(FrameError) {
        guard let count = UInt16(exactly: field.count) else { throw .tooLong }
        frame += bigEndian(count)
        frame += field
    }

    /// - Parameter other: a length that is good as well; 0: the field may be empty.
    mutating func octets(
        _ value: [UInt8], _ bounds: ClosedRange<Int>, or other: Int? = nil
    ) throws(FrameError) -> [UInt8] {
        let field = try next(value)
        guard areEmpty || bounds.contains(field.count) || field.count == other else { throw .badField }
        return field
    }

    mutating func octets(_ value: [UInt8], _ count: Int, or other: Int? = nil) throws(FrameError) -> [UInt8] {
        try octets(value, count...count, or: other)
    }

    mutating func text(_ value: [UInt8], _ bounds: ClosedRange<Int>) throws(FrameError) -> [UInt8] {
        let field = try octets(value, bounds)
        guard isPlainText(field) else { throw .badField }
        return field
    }

    mutating func fixed<let size: Int, Meaning>(
        _ value: FixedOctets<size, Meaning>
    ) throws(FrameError) -> FixedOctets<size, Meaning> {
        guard let value = FixedOctets<size, Meaning>(try next(value.octets)) else { throw .badField }
        return value
    }

    /// nil: an empty field.
    mutating func optional<let size: Int, Meaning>(
        _ value: FixedOctets<size, Meaning>?
    ) throws(FrameError) -> FixedOctets<size, Meaning>? {
        let field = try next(value?.octets ?? [])
        if field.isEmpty { return nil }
        guard let value = FixedOctets<size, Meaning>(field) else { throw .badField }
        return value
    }

    /// A list of texts of 1 to `Bound.address` octets, one on each line.
    mutating func lines(_ value: [[UInt8]], _ counts: ClosedRange<Int>) throws(FrameError) -> [[UInt8]] {
        let field = try next([UInt8](value.joined(separator: [0x0a])))
        var lines = value
        if isReading {
            lines = []
            if !field.isEmpty {
                for line in field.split(separator: 0x0a, omittingEmptySubsequences: false) {
                    lines.append([UInt8](line))
                }
            }
        }
        let fit = lines.allSatisfy { (1...Bound.address).contains($0.count) && isPlainText($0) }
        guard counts.contains(lines.count), fit else { throw .badField }
        return lines
    }

    mutating func flag(_ value: Bool) throws(FrameError) -> Bool {
        let number: UInt8 = try number(value ? 1 : 0)
        guard number <= 1 else { throw .badField }
        return number == 1
    }

    mutating func number<N: FixedWidthInteger & UnsignedInteger>(_ value: N) throws(FrameError) -> N {
        var number: N = 0
        for octet in try octets(bigEndian(value), N.bitWidth / 8) {
            number = number << 8 | N(truncatingIfNeeded: octet)
        }
        return number
    }
}
