// SPDX-License-Identifier: Apache-2.0
// The daemon's secret files, and the formats in which it writes a time.
import FoundationEssentials
import Glibc
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct SetupTests {
    @Test func `secrets are made once, are readable only by their owner, and differ between servers`()
        async throws
    {
        let (one, other) = (try newFolder(), try newFolder())
        defer {
            removeFolder(one)
            removeFolder(other)
        }
        for folder in [one, other] {
            try ServerSecrets.create(folder: folder)
            try MasterFile.create(folder: folder)
            #expect(throws: SetupError.self) { try ServerSecrets.create(folder: folder) }
            #expect(throws: SetupError.self) { try MasterFile.create(folder: folder) }
            for name in ["server", "authority"] { #expect(try mode(folder + "/" + name) == 0o600) }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                    "authority", "server",
                ])
        }
        for name in ["server", "authority"] {
            let contents = try [one, other].map {
                try String(contentsOf: URL(filePath: $0 + "/" + name), encoding: .utf8)
            }
            #expect(contents[0] != contents[1])
        }
        #expect(try ServerSecrets(folder: one).application.id != ServerSecrets(folder: other).application.id)
    }

    @Test func `a restarted server knows its users, its hosts and its master secret`() async throws {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        for _ in 0..<2 { _ = try await host.login(server, alice, pin: "4321") }
        let again = try await server.restarted()
        #expect(try await host.login(again, alice, pin: "4321").verdict.verdict == .blocked)
        _ = try await again.administer("POST", AdminRoute.unlockUser, UserRequest(userId: "alice"))
        #expect(try await host.login(again, alice, pin: "1234").verdict.verdict == .granted)
    }

    @Test func `after a change of the master secret users must enrol again, and the answer says so`()
        async throws
    {
        let server = try Server()
        let host = try await server.join("prod-db1")
        let alice = try await host.enrol(server, "alice", code: server.add("alice"), pin: "1234")
        let file = URL(filePath: server.folder + "/authority")
        let next = try String(contentsOf: file, encoding: .utf8).replacing("epoch = 1", with: "epoch = 2")
        try next.write(to: file, atomically: false, encoding: .utf8)
        let (status, verdict) = try await host.login(server.restarted(), alice, pin: "1234")
        #expect(status == 409)
        #expect(verdict.verdict == .secretExpired)
    }

    @Test(arguments: [
        ("server", "mpin-server = 1", "mpin-server = 2"), ("server", "sealed = no", "sealed = tpm"),
        ("server", "app-id = ", "app-id = 0"), ("server", "wrapping-key = ", "wrapping-key = zz"),
        ("server", "app-key = ", "other = "), ("server", "sealed = no", "sealed = no\nsealed = no"),
        ("server", "sealed = no", "[section]"), ("authority", "epoch = 1", "epoch = 0"),
        ("authority", "epoch = 1", "epoch = -1"), ("authority", "share-1 = ", "share-1 = 0"),
        ("authority", "share-2 = ", "# share-2 = "), ("authority", "mpin-authority = 1", ""),
    ]) func `a file with any other content is refused`(_ file: String, _ old: String, _ new: String) throws {
        try withSecrets { folder in
            let url = URL(filePath: folder + "/" + file)
            let contents = try String(contentsOf: url, encoding: .utf8)
            try #require(contents.contains(old))
            try contents.replacing(old, with: new).write(to: url, atomically: false, encoding: .utf8)
            #expect(throws: SetupError.self) { try open(file, folder) }
        }
    }

    @Test func `a share that is not a multiplier is refused`() throws {
        try withSecrets { folder in
            let url = URL(filePath: folder + "/authority")
            for share in [String(repeating: "0", count: 64), String(repeating: "f", count: 64)] {
                let file =
                    "mpin-authority = 1\nsealed = no\nepoch = 1\nshare-1 = \(share)\nshare-2 = \(share)\n"
                try file.write(to: url, atomically: false, encoding: .utf8)
                #expect(throws: SetupError.self) { try open("authority", folder) }
            }
        }
    }

    @Test func `files that others may read, links and folders are refused`() throws {
        try withSecrets { folder in
            for file in ["server", "authority"] {
                let path = folder + "/" + file
                #expect(unsafe chmod(path, 0o640) == 0)
                #expect(throws: SetupError.self) { try open(file, folder) }
                #expect(unsafe chmod(path, 0o600) == 0)
                try open(file, folder)
                #expect(unsafe rename(path, path + ".moved") == 0)
                #expect(throws: SetupError.self) { try open(file, folder) }
                #expect(unsafe symlink(path + ".moved", path) == 0)
                #expect(throws: SetupError.self) { try open(file, folder) }
                #expect(unsafe unlink(path) == 0)
                #expect(unsafe mkdir(path, 0o700) == 0)
                #expect(throws: SetupError.self) { try open(file, folder) }
            }
        }
    }

    @Test func `a folder that others may enter is refused`() throws {
        try withSecrets { folder in
            try checkPrivateFolder(folder)
            #expect(unsafe chmod(folder, 0o750) == 0)
            #expect(throws: SetupError.self) { try checkPrivateFolder(folder) }
            #expect(throws: SetupError.self) { try makePrivateFolder(folder) }
            #expect(throws: SetupError.self) { try checkPrivateFolder(folder + "/server") }
            #expect(throws: SetupError.self) { try checkPrivateFolder(folder + "/nothing") }
        }
    }

    @Test func `damaged secret files never crash the reader`() throws {
        try withSecrets { folder in
            var random = SplitMix(seed: 34)
            for file in ["server", "authority"] {
                let url = URL(filePath: folder + "/" + file)
                let whole = [UInt8](try Data(contentsOf: url))
                for round in 0..<rounds(500) {
                    var octets = whole
                    let (place, octet) = (random.next(octets.count), UInt8(random.next(256)))
                    switch round % 3 {
                    case 0: octets = [UInt8](octets.prefix(place))
                    case 1: octets[place] = octet
                    default: octets.insert(octet, at: place)
                    }
                    try Data(octets).write(to: url)
                    try? open(file, folder)
                }
            }
        }
    }

    private func open(_ file: String, _ folder: String) throws {
        if file == "server" {
            _ = try ServerSecrets(folder: folder)
        } else {
            _ = try MasterFile(folder: folder)
        }
    }

    private func mode(_ path: String) throws -> UInt32 {
        var status = stat()
        try #require(unsafe stat(path, &status) == 0)
        return status.st_mode & 0o777
    }
}

@Suite(.slow) struct TimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z", 0), (1_795_218_203, "2026-11-20T23:43:23Z", 20_777),
        (951_782_399, "2000-02-28T23:59:59Z", 11_015), (951_782_400, "2000-02-29T00:00:00Z", 11_016),
        (4_107_542_399, "2100-02-28T23:59:59Z", 47_540), (-1, "1969-12-31T23:59:59Z", 0),
    ]) func `a time is written and read in the protocol's format`(_ seconds: Int, _ text: String, _ day: Int)
    {
        let time = UnixTime(seconds: Int64(seconds))
        #expect(time.isoText == text)
        #expect(UnixTime(isoText: text) == time)
        #expect(time.day == UInt32(day))
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_795_218_203, "Fri, 20 Nov 2026 23:43:23 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ]) func `a header has the time in the format of HTTP`(_ seconds: Int64, _ text: String) {
        #expect(UnixTime(seconds: seconds).headerText == text)
    }

    @Test(arguments: [
        "", "2026-11-20T23:43:23", "2026-13-20T23:43:23Z", "2026-02-30T00:00:00Z", "2026-11-20 23:43:23Z",
        "2026-11-20T24:00:00Z", "20x6-11-20T23:43:23Z",
    ])
    func `any other text is not a time`(_ text: String) { #expect(UnixTime(isoText: text) == nil) }

    @Test func `a time has six decimals where Milagro writes them`() {
        let time = UnixTime(microseconds: 1_795_218_203_000_187)
        #expect(time.preciseText == "2026-11-20T23:43:23.000187")
        #expect(time.issuedText == "2026-11-20 23:43:23.000187")
    }
}
