// SPDX-License-Identifier: Apache-2.0
// Makes a QR code from a text, with libqrencode.
import CQRencode

package struct QRCode: Equatable, Sendable {
    /// The number of modules in a row and in a column, without the quiet zone.
    package let side: Int
    /// All modules, row by row.
    private let darkModules: [Bool]

    /// The smallest QR code for the text. The size depends only on the text's length, so that the QR codes of
    /// all sessions have the same size; a text without lower-case letters takes less room.
    /// nil for an empty text, a text that does not fit, octets outside 21-7E, and if memory is short.
    /// - Parameter level: the error correction, 0 to 3 for L, M, Q and H. L is the default, because screens
    ///   are small and not damaged.
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
        // The lowest bit is the colour; the others are flags of libqrencode.
        darkModules = unsafe UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark. Outside the square is the quiet zone, which is light.
    func isDark(column: Int, row: Int) -> Bool {
        let inside = 0..<side
        return inside.contains(column) && inside.contains(row) && darkModules[row * side + column]
    }
}
