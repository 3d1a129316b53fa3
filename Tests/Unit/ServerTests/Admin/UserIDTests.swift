// SPDX-License-Identifier: Apache-2.0
// User IDs: characters that a terminal does not show, and the limit of 64 octets.
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct UserIDTests {
    @Test(arguments: [
        "\u{202e}", "\u{200f}", "\u{61c}", "\u{2066}", "\u{2028}", "\u{85}", "\u{7}", "\u{378}", "\u{3164}",
        "\u{115f}", "\u{1160}", "\u{ffa0}", "\u{2800}", "\u{200b}", "\u{200d}", "\u{feff}", "\u{a0}",
        "\u{3000}",
        "\u{34f}", "\u{fe0f}", "\u{e0041}",
    ])
    func `a userID with an invisible character is refused, from administrators and devices alike`(
        _ sign: String
    ) async throws {
        let server = try Server(registration: .confirm)
        let name = "alice" + sign + "moc.live@"
        #expect(try await server.send("PUT", Route.user, RegisterRequest(userId: name)).status == 400)
        let added = try await server.administer(
            "POST", AdminRoute.users, AddUserRequest(userId: name, replace: false))
        #expect(added.status == 400)
        #expect(try await server.storage.waitingRegistrations().isEmpty)
        let plain = RegisterRequest(userId: "Ålice الأمير 😀")
        #expect(try await server.send("PUT", Route.user, plain).status == 200)
    }

    @Test(arguments: [("a", 63), ("å", 62)])
    func `a userID has 64 octets at most, also when a device sends it`(_ sign: String, _ others: Int)
        async throws
    {
        let server = try Server(registration: .confirm)
        let longest = String(repeating: "x", count: others) + sign
        try #require(longest.utf8.count == 64)
        for (name, status) in [(longest, 200), ("x" + longest, 400), ("", 400)] {
            #expect(try await server.send("PUT", Route.user, RegisterRequest(userId: name)).status == status)
            let added = try await server.administer(
                "POST", AdminRoute.users, AddUserRequest(userId: name, replace: false))
            #expect(added.status == status)
        }
        #expect(try await server.storage.waitingRegistrations().map(\.description.userID) == [longest])
    }
}
