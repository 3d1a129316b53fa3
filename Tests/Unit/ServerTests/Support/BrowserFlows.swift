// SPDX-License-Identifier: Apache-2.0
// Flows between the public library, mpind, and a browser beside the device.
import MPin
import MPinClient
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Testing

extension Flow {
    static let browsers = [
        Flow(testDescription: "a browser by its access number, and a logout", server: { try .compatible() }) {
            world in
            let user = try register(world)
            let page = try opened(world, Route.getAccessNumber)
            try world.step { try $0.checkAccessNumber(page.wid) }
            #expect(try answered(world, user, page).code == nil)
            #expect(try loggedIn(world, page) == 200)
            #expect(world.client.canLogout(user) && world.client.logout(user))
            #expect(!world.client.canLogout(user) && !world.client.logout(user))
        },
        Flow(
            testDescription: "a browser by a number without a check digit",
            server: {
                var compatibility = Compatibility()
                compatibility.checksNumbers = false
                return try .compatible(compatibility)
            }
        ) { world in
            let user = try register(world)
            let page = try opened(world, Route.getAccessNumber)
            #expect(page.wid.utf8.count == 6)
            #expect(world.client.clientParameter("accessNumberDigits") == "6")
            try world.step { try $0.checkAccessNumber(page.wid) }
            _ = try answered(world, user, page)
            #expect(try loggedIn(world, page) == 200)
        },
        Flow(testDescription: "a browser by its QR code", server: { try .compatible() }) { world in
            let user = try register(world)
            let page = try opened(world, Route.getQrUrl)
            _ = try answered(world, user, page)
            #expect(try loggedIn(world, page) == 200)
        },
        Flow(
            testDescription: "a browser by its number, without a look-up of its session",
            server: { try .compatible() }
        ) { world in
            let user = try register(world)
            let page = try opened(world, Route.getAccessNumber)
            let number = page.wid
            try world.step { try $0.checkAccessNumber(number) }
            _ = try finished(world, user) {
                try $0.finishAuthentication(user, pin: PIN("1234"), accessNumber: number)
            }
            #expect(try loggedIn(world, page) == 200)
        },
        Flow(testDescription: "a browser whose session is aborted", server: { try .compatible() }) { world in
            _ = try register(world)
            let page = try opened(world, Route.getQrUrl)
            #expect(try state(world, page) == "new")
            try world.step { try $0.abortSession(accessCode: page.wid) }
            #expect(try state(world, page) == "expired")
        },
        Flow(testDescription: "a browser whose login is refused", server: { try .compatible() }) { world in
            let user = try register(world)
            let page = try opened(world, Route.getAccessNumber)
            try finished(world, user) { try $0.deny(user, pin: PIN("1234"), accessCode: page.wid) }
            #expect(try state(world, page) == "expired")
        },
    ]
}

private func opened(_ world: World, _ route: String) throws -> Page {
    let server = world.server
    return try waiting { try await Page.open(server, route) }
}

private func state(_ world: World, _ page: Page) throws -> String {
    let server = world.server
    return try waiting { try await page.poll(server) }.status
}

private func loggedIn(_ world: World, _ page: Page) throws -> Int {
    let server = world.server
    return try waiting { try await page.logIn(server) }.status
}

/// Completes a browser's login, after the device has looked up its session.
private func answered(_ world: World, _ user: User, _ page: Page) throws -> SessionLogin {
    try finished(world, user, page.wid) {
        #expect(try $0.sessionDetails(accessCode: page.wid).request?.service == "browser")
        return try $0.finishAuthentication(user, pin: PIN("1234"), accessNumber: page.wid)
    }
}
