// SPDX-License-Identifier: Apache-2.0
// A screen as a camera sees it, read by zbar.
import Foundation
import Testing

/// Text of a terminal as grey pixels, eight by sixteen for a character.
struct ScreenImage {
    private static let module = 8
    private let width: Int
    private let height: Int
    private var pixels: [UInt8]
    private let ink: UInt8

    /// - Parameter lightInk: light characters on a dark screen; false: dark on a light screen.
    init(_ text: String, columns: Int, lightInk: Bool) {
        let lines = ScreenImage.wrapped(text, at: columns)
        width = columns * ScreenImage.module
        height = lines.count * 2 * ScreenImage.module
        ink = lightInk ? 255 : 0
        pixels = [UInt8](repeating: 255 - ink, count: width * height)
        for (row, line) in lines.enumerated() {
            for (column, character) in line.enumerated() { paint(character, column, row) }
        }
    }

    private static func wrapped(_ text: String, at columns: Int) -> [[Character]] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let line = Array(line)
            return stride(from: 0, to: max(line.count, 1), by: columns).map {
                Array(line[$0..<min($0 + columns, line.count)])
            }
        }
    }

    private mutating func paint(_ character: Character, _ column: Int, _ row: Int) {
        let size = ScreenImage.module
        let (left, top) = (column * size, row * 2 * size)
        switch character {
        case " ": break
        case "█", "#": fill(left..<left + size, top..<top + 2 * size)
        case "▀": fill(left..<left + size, top..<top + size)
        case "▄": fill(left..<left + size, top + size..<top + 2 * size)
        default: fill(left + 2..<left + size - 2, top + 4..<top + 2 * size - 4)
        }
    }

    private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
        for row in rows {
            for column in columns { pixels[row * width + column] = ink }
        }
    }

    /// The text that zbar, like a phone's camera, reads in the image; empty if it finds no QR code. Codes
    /// of light modules on dark ones are not found: zbar reads them only in a mode that is off.
    func read() throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "mpin-\(UUID()).pgm")
        defer { try? FileManager.default.removeItem(at: file) }
        try (Data("P5 \(width) \(height) 255\n".utf8) + Data(pixels)).write(to: file)
        let zbar = Process()
        zbar.executableURL = URL(filePath: "/usr/bin/zbarimg")
        zbar.arguments = ["--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable", file.path]
        let pipe = Pipe()
        zbar.standardOutput = pipe
        try zbar.run()
        let read = pipe.fileHandleForReading.readDataToEndOfFile()
        zbar.waitUntilExit()
        // Status 4 means that zbar found no code.
        #expect([0, 4].contains(zbar.terminationStatus))
        return String(decoding: read, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
