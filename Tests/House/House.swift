// SPDX-License-Identifier: Apache-2.0
// The checkout as the tests of the house read it.
import Foundation
import TestSupport
import Testing

struct SourceFile: Sendable, CustomTestStringConvertible {
    /// Path below the checkout.
    let path: String
    let lines: [String]
    var testDescription: String { path }
}

enum House {
    static let root = checkout

    /// Every file below `folders` that people write by hand.
    static func files(in folders: [String], where wanted: (String) -> Bool = { _ in true }) -> [SourceFile] {
        folders.flatMap { folder in
            let paths =
                (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path))
                ?? []
            return paths.sorted().map { folder + "/" + $0 }.filter(wanted).compactMap(file)
        }
    }

    /// nil for a folder, and for what is no text.
    static func file(_ path: String) -> SourceFile? {
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
            return nil
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return SourceFile(path: path, lines: lines)
    }

    static let swift = files(in: ["Sources", "Tests"]) { $0.hasSuffix(".swift") }
    static let c = files(in: ["Sources", "Tests"]) { $0.hasSuffix(".c") || $0.hasSuffix(".h") }

    /// What a program prints; nil if it fails.
    static func output(of program: String, _ arguments: [String]) throws -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let printed = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: printed, as: UTF8.self) : nil
    }
}
