// SPDX-License-Identifier: Apache-2.0
// A target imports only what Package.swift lists for it. The compiler finds every module that was built
// before, and SwiftPM's `--explicit-target-dependency-import-check error` refuses none of them (6.3).
import Foundation
import Testing

@Suite struct ImportTests {
    /// Modules of the toolchain, for targets that are never Embedded: not the whole of Foundation.
    private static let toolchain: Set<String> = [
        "FoundationEssentials", "Synchronization", "Dispatch", "Glibc",
    ]

    /// What each target may import. The page's targets have names of others, with less.
    private static let allowed: [String: Set<String>] = {
        let manifest = House.file("Package.swift")?.lines.joined(separator: "\n") ?? ""
        let targets = manifest.matches(
            of: #/\.(?:target|executableTarget|systemLibrary)\(\s*name: "([^"]+)"/#)
        let ends = targets.dropFirst().map(\.range.lowerBound) + [manifest.endIndex]
        return zip(targets, ends).reduce(into: [:]) { rows, found in
            let text = manifest[found.0.range.upperBound..<found.1]
            let listed = text.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.1 ?? ""
            let names = listed.replacing("argumentParser", with: "\"ArgumentParser\"")
                .matches(of: #/"([^"]+)"/#).map { String($0.1) }
            let others = text.contains("swiftSettings: embeddable") ? [] : toolchain
            rows[String(found.0.1), default: []].formUnion(others.union(names))
        }
    }()

    @Test func `a target imports only from the layers below it`() throws {
        let word = #/^ *(?:@\w+ |package |public |internal |private )*import (?:\w+ (?=\w))?(\w+)/#
        var imports = 0
        for file in House.swift where file.path.hasPrefix("Sources/") {
            let target = file.path.split(separator: "/").map(String.init).first { Self.allowed[$0] != nil }
            let row = try #require(Self.allowed[target ?? ""], "\(file.path) belongs to no target")
            for line in file.lines where line.contains("import ") {
                guard let module = line.firstMatch(of: word)?.1 else { continue }
                imports += 1
                // Inside of `#if`, which the format indents, a module of the toolchain may stand.
                let isConditional = line.hasPrefix(" ") && Self.toolchain.contains(String(module))
                #expect(row.contains(String(module)) || isConditional, "\(file.path) imports \(module)")
            }
        }
        #expect(imports > 20)
    }
}
