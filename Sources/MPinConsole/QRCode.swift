// SPDX-License-Identifier: Apache-2.0
// A text as the square of modules that a phone scans; libqrencode makes it.
import CQRencode

package struct QRCode: Equatable, Sendable {
    /// Modules in a row and in a column, without the quiet zone.
    package let side: Int
    /// Row by row.
    private let darkModules: [Bool]

    /// The smallest code that holds the text, at level L unless said otherwise, for screens are small and
    /// neither dirty nor torn; 1 to 3 are M, Q and H.
    /// The length of the text alone decides its size, so that every session's picture takes the same room; a
    /// text without small letters takes less. nil for an empty text, for one that does not fit or has other
    /// octets than those of an address, 21-7E, and where memory is short.
    package init?(_ text: [UInt8], level: Int = 0) {
        guard !text.isEmpty, text.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let level = QRecLevel(UInt32(truncatingIfNeeded: level & 3))
        let made =
            if text.contains(where: { (0x61...0x7A).contains($0) }) {
                unsafe QRcode_encodeData(CInt(text.count), text, 0, level)
            } else {
                unsafe (text.map { CChar($0) } + [0]).withUnsafeBufferPointer {
                    unsafe QRcode_encodeString($0.baseAddress, 0, level, QR_MODE_8, 1)
                }
            }
        guard let made = unsafe made else { return nil }
        defer { unsafe QRcode_free(made) }
        let width = Int(unsafe made.pointee.width)
        guard width > 0, let data = unsafe made.pointee.data else { return nil }
        side = width
        // The lowest bit is the colour; the others say what the module is for.
        darkModules = unsafe UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; outside of the square lies the quiet zone, which is light.
    func isDark(column: Int, row: Int) -> Bool {
        let inside = 0..<side
        return inside.contains(column) && inside.contains(row) && darkModules[row * side + column]
    }
}
