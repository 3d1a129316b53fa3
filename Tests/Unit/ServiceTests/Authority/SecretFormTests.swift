// SPDX-License-Identifier: Apache-2.0
// The two secret files in their three forms: what opens each, and that nothing else does.
import FoundationEssentials
import Glibc
import MPinService
import TestSupport
import Testing

@Suite(.slow) struct SecretFormTests {
    private let passphrase = "dGhpcyBpcyBhIGxvbmcgZW5vdWdoIHBhc3NwaHJhc2U=\n"

    private func write(_ text: String, _ path: String, mode: mode_t = 0o600) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        _ = unsafe chmod(path, mode)
    }

    private func open(_ kind: SecretKind, _ folder: String, _ opening: SecretOpening) throws {
        switch kind {
        case .server: _ = try ServerSecrets(folder: folder, opening)
        case .authority: _ = try MasterFile(folder: folder, opening)
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }

    @Test(arguments: SecretKind.allCases)
    func `a file sealed by a passphrase shows no secret and opens with that passphrase only`(
        _ kind: SecretKind
    ) throws {
        try withSecrets { folder in
            let (path, file) = (kind.path(in: folder), folder + "/passphrase")
            let plain = try text(path)
            try write(passphrase, file)
            let opening = try SecretOpening(passphrase: Passphrase(file: file))
            try writeSealed(
                plainSecrets(kind, in: folder, opening), kind, in: folder, by: Passphrase(file: file))
            #expect(try secretForm(kind, in: folder) == .passphrase)
            let sealed = try text(path)
            for line in plain.split(separator: "\n").dropFirst(2) {
                let value = line.split(separator: " ").last.map(String.init) ?? ""
                #expect(value.utf8.count < 8 || !sealed.contains(value), "\(line.prefix(8))")
            }
            try open(kind, folder, opening)
            #expect(throws: SetupError.self) { try open(kind, folder, SecretOpening()) }
            // Only the first line counts.
            try write(passphrase + "another line\n", file)
            try open(kind, folder, SecretOpening(passphrase: Passphrase(file: file)))
            try write("another " + passphrase, file)
            let other = try SecretOpening(passphrase: Passphrase(file: file))
            #expect(throws: SetupError.self) { try open(kind, folder, other) }
            try write("short\n" + passphrase, file)
            #expect(throws: SetupError.self) { _ = try Passphrase(file: file) }
            try write(passphrase, file, mode: 0o644)
            #expect(throws: SetupError.self) { _ = try Passphrase(file: file) }
            try writePlain(plainSecrets(kind, in: folder, opening), kind, in: folder)
            #expect(try text(path) == plain)
        }
    }

    @Test func `an unreadable line is explained in a sentence`() throws {
        try withSecrets { folder in
            let path = SecretKind.server.path(in: folder)
            try write(text(path) + "nonsense\n", path)
            let lines = try text(path).split(separator: "\n").count
            let why = "\(path), line \(lines): this is neither a comment nor a [section] nor 'key = value'."
            do {
                try open(.server, folder, SecretOpening())
                Issue.record("the file opens")
            } catch let error as SetupError { #expect(error.description == why) }
        }
    }

    @Test func `a box of one file does not open as the other file`() throws {
        try withSecrets { folder in
            let file = folder + "/passphrase"
            try write(passphrase, file)
            let opening = try SecretOpening(passphrase: Passphrase(file: file))
            try writeSealed(
                plainSecrets(.server, in: folder, opening), .authority, in: folder,
                by: Passphrase(file: file))
            #expect(throws: SetupError.self) { try open(.authority, folder, opening) }
            let swapped = try text(SecretKind.authority.path(in: folder))
                .replacing("mpin-authority", with: "mpin-server")
            try write(swapped, SecretKind.server.path(in: folder))
            #expect(throws: SetupError.self) { try open(.server, folder, opening) }
        }
    }

    @Test(arguments: SecretKind.allCases)
    func `a secret in a credential is read from where systemd puts it`(_ kind: SecretKind) throws {
        try withSecrets { folder in
            let path = kind.path(in: folder)
            let opening = SecretOpening(credentials: folder)
            try write(text(path), folder + "/" + kind.credential)
            try writePointer(kind, in: folder)
            #expect(try secretForm(kind, in: folder) == .systemd)
            try open(kind, folder, opening)
            #expect(throws: SetupError.self) {
                try open(kind, folder, SecretOpening(credentials: "/nowhere"))
            }
            // A credential that is itself a pointer to a credential is refused.
            try write(text(path), folder + "/" + kind.credential)
            #expect(throws: SetupError.self) { try open(kind, folder, opening) }
        }
    }

    @Test(arguments: SecretKind.allCases)
    func `a damaged sealed file is refused with a setup error`(_ kind: SecretKind) throws {
        try withSecrets { folder in
            let (path, file) = (kind.path(in: folder), folder + "/passphrase")
            try write(passphrase, file)
            let opening = try SecretOpening(passphrase: Passphrase(file: file))
            try writeSealed(
                plainSecrets(kind, in: folder, opening), kind, in: folder, by: Passphrase(file: file))
            let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
            var random = SplitMix(seed: 35)
            for round in 0..<rounds(20) {
                var octets = whole
                // A place among the hexadecimal digits of the box, which end the file except for the newline.
                let place = octets.count - 200 + random.next(199)
                if round % 2 == 0 {
                    octets[place] ^= UInt8.random(in: 1...255, using: &random)
                } else {
                    octets.remove(at: place)
                }
                try Data(octets).write(to: URL(filePath: path))
                _ = unsafe chmod(path, 0o600)
                let isSame =
                    String(decoding: octets, as: UTF8.self).lowercased()
                    == String(decoding: whole, as: UTF8.self)
                if !isSame { #expect(throws: SetupError.self) { try open(kind, folder, opening) } }
            }
        }
    }
}
