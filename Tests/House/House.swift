// SPDX-License-Identifier: Apache-2.0
// The files of the checkout, as the tests of the house read them.
import Foundation
import TestSupport
import Testing

struct SourceFile: Sendable, CustomTestStringConvertible {
    /// The path below the checkout.
    let path: String
    let lines: [String]
    var text: String { lines.joined(separator: "\n") }
    var testDescription: String { path }
}

enum House {
    static let root = checkout

    /// Every wanted file below `folders` that is text.
    static func files(in folders: [String], where wanted: (String) -> Bool = { _ in true }) -> [SourceFile] {
        folders.flatMap { folder in
            let paths =
                (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path))
                ?? []
            return paths.sorted().map { folder + "/" + $0 }.filter(wanted).compactMap(file)
        }
    }

    /// nil for a folder, and for a file that is not UTF-8.
    static func file(_ path: String) -> SourceFile? {
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
            return nil
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return SourceFile(path: path, lines: lines)
    }

    static let swift = files(in: ["Sources", "Tests"]) { $0.hasSuffix(".swift") }
    static let c = files(in: ["Sources", "Tests"]) { $0.hasSuffix(".c") || $0.hasSuffix(".h") }

    /// The output of a program; nil if it fails.
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
