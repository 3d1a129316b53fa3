// SPDX-License-Identifier: Apache-2.0
// The floors of the house: a target imports only what its row allows.
import Testing

/// What each target may import. A row names only targets of rows above it.
private let floors: KeyValuePairs<String, Set<String>> = [
    "CPlatform": [], "CPAM": [], "CCrypto": [], "CQRencode": [], "CCurl": [], "CSQLite": [], "PAMShim": [],
    "CX509": [], "CPostgres": [], "CPage": [],
    "Octets": ["CPlatform"],
    "Secrets": ["CPlatform", "CCrypto"],
    "Pairing": ["Secrets", "CPlatform"],
    "MPin": ["Octets", "Pairing", "Secrets"],
    "MPinWire": ["Octets"],
    "MPinProof": ["Octets", "MPinWire", "MPin", "Secrets"],
    "PageMessages": ["Octets", "MPinProof", "Secrets", "CPlatform"],
    "MPinPage": ["Octets", "PageMessages", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
    "MPinStore": ["Octets", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
    "MPinLogin": ["MPinStore", "Octets", "MPinProof", "MPinWire", "MPin", "Secrets", "CPlatform"],
    "MPinConsole": ["Octets", "CQRencode", "CPlatform"],
    "pam_mpin": [
        "Octets", "MPinLogin", "MPinStore", "MPinProof", "MPinConsole", "MPinWire", "MPin", "Secrets", "CPAM",
        "CPlatform",
    ],
    "MPinCurl": ["Octets", "MPinWire", "Secrets", "CCurl", "CPlatform"],
    "MPinClient": [
        "Octets", "MPinCurl", "MPinLogin", "MPinStore", "MPinProof", "MPinWire", "MPin", "Secrets",
        "CPlatform",
    ],
    "MPinStorage": ["Octets", "MPinWire", "MPin", "Secrets"],
    "MPinSQL": ["Octets", "Secrets", "MPinStorage", "CSQLite", "CPostgres"],
    "MPinService": ["Octets", "MPinStorage", "MPinWire", "MPin", "Secrets"],
    "MPinHost": ["Octets", "MPinWire", "Secrets", "CPlatform"],
    "mpin-relay": ["MPinCurl", "MPinWire", "CPlatform"],
    "MPinAdmin": [
        "Octets", "MPinStore", "MPinLogin", "MPinProof", "MPinConsole", "MPinCurl", "MPinClient", "MPinHost",
        "MPinWire", "MPin",
        "Secrets", "CPlatform", "CPAM",
    ],
    "mpin": ["MPinAdmin", "MPinConsole", "MPinHost", "CPlatform", "ArgumentParser"],
    "mpind": [
        "Octets", "MPinService", "MPinSQL", "MPinConsole", "MPinCurl", "MPinHost", "MPinWire", "MPin",
        "Secrets",
        "CX509",
        "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOPosix", "NIOExtras", "NIOTLS", "NIOSSL",
        "NIOHTTPTypes", "ServiceLifecycle", "UnixSignals", "Logging", "ArgumentParser",
    ],
]

/// Targets that are also built as Embedded Swift: they may use nothing but the standard library.
private let embeddable: Set = [
    "Octets", "Secrets", "Pairing", "MPin", "MPinWire", "MPinProof", "PageMessages", "MPinPage", "MPinStore",
    "MPinLogin", "MPinConsole", "pam_mpin",
]
/// Modules of the toolchain that the other targets may use; no program contains the whole of Foundation.
private let toolchain: Set = ["FoundationEssentials", "Synchronization", "Dispatch", "Glibc"]

@Suite struct ImportTests {
    @Test func `a target imports only from the floors below it`() throws {
        let allowed = Dictionary(uniqueKeysWithValues: floors.map { ($0.key, $0.value) })
        var imports = 0
        for file in House.swift where file.path.hasPrefix("Sources/") {
            let target = target(of: file)
            let row = try #require(allowed[target], "\(file.path): no row for \(target)")
            for module in file.lines.compactMap(importedModule) {
                imports += 1
                let fromToolchain = !embeddable.contains(target) && toolchain.contains(module)
                #expect(row.contains(module) || fromToolchain, "\(file.path) imports \(module)")
            }
        }
        #expect(imports > 20)
    }

    @Test func `a row names only rows above it`() {
        var above: Set<String> = [
            "ArgumentParser", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOPosix", "NIOExtras",
            "NIOTLS", "NIOSSL", "NIOHTTPTypes", "ServiceLifecycle", "UnixSignals", "Logging",
        ]
        for (target, row) in floors {
            #expect(row.isSubset(of: above), "\(target) is below \(row.subtracting(above))")
            above.insert(target)
        }
    }

    @Test func `every folder of sources has a row`() {
        let rows = Set(floors.map(\.key))
        let folders = Set(House.files(in: ["Sources"]).map(target))
        #expect(folders.subtracting(rows).isEmpty)
    }

    @Test func `an import is found whatever precedes it`() {
        #expect(importedModule("package import MPin") == "MPin")
        #expect(importedModule("    @preconcurrency import Glibc.POSIX") == "Glibc")
        #expect(importedModule("import struct FoundationEssentials.Data") == "FoundationEssentials")
        #expect(importedModule("// import nothing") == nil)
        #expect(importedModule("let important = 1") == nil)
    }
}

/// The target that a file of Sources belongs to: its folder, or its folder below Sources/C.
func target(of file: SourceFile) -> String {
    let folders = file.path.split(separator: "/")
    return String(folders[1] == "C" ? folders[2] : folders[1])
}

/// The module that a line imports.
private func importedModule(_ line: String) -> String? {
    var words = line.split(separator: " ")[...]
    while let word = words.first,
        word.hasPrefix("@") || ["package", "public", "internal", "private"].contains(word)
    {
        words = words.dropFirst()
    }
    guard words.first == "import", var name = words.dropFirst().first else { return nil }
    if ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"].contains(name) {
        guard let named = words.dropFirst(2).first else { return nil }
        name = named
    }
    return name.split(separator: ".").first.map(String.init)
}
