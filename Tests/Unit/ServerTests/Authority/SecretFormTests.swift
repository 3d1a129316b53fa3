// SPDX-License-Identifier: Apache-2.0
// The two secret files in their two forms: what opens each, and that nothing else does.
import FoundationEssentials
import Glibc
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct SecretFormTests {
    private func write(_ text: String, _ path: String, mode: mode_t = 0o600) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        _ = unsafe chmod(path, mode)
    }

    private func open(_ kind: SecretKind, _ folder: String, credentials: String? = nil) throws {
        switch kind {
        case .server: _ = try ServerSecrets(folder: folder, credentials: credentials)
        case .authority: _ = try MasterFile(folder: folder, credentials: credentials)
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }

    @Test func `an unreadable line is explained in a sentence`() throws {
        try withSecrets { folder in
            let path = SecretKind.server.path(in: folder)
            try write(text(path) + "nonsense\n", path)
            let lines = try text(path).split(separator: "\n").count
            let why = "\(path), line \(lines): this is neither a comment nor a [section] nor 'key = value'."
            do {
                try open(.server, folder)
                Issue.record("the file opens")
            } catch let error as SetupError { #expect(error.description == why) }
        }
    }

    @Test(arguments: SecretKind.allCases)
    func `a secret in a credential is read from where systemd puts it`(_ kind: SecretKind) throws {
        try withSecrets { folder in
            let path = kind.path(in: folder)
            try write(text(path), folder + "/" + kind.credential)
            try writePointer(kind, in: folder)
            #expect(try secretForm(kind, in: folder) == .systemd)
            try open(kind, folder, credentials: folder)
            #expect(throws: SetupError.self) {
                try open(kind, folder, credentials: "/nowhere")
            }
            // A credential that is itself a pointer to a credential is refused.
            try write(text(path), folder + "/" + kind.credential)
            #expect(throws: SetupError.self) { try open(kind, folder, credentials: folder) }
        }
    }
}
