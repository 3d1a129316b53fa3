// SPDX-License-Identifier: Apache-2.0
// Malformed bodies, paths and queries: each gets an answer, never a 5xx.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Octets
import TestSupport
import Testing

@Suite(.slow) struct FuzzTests {
    /// A well-formed body of every request, for the tests to spoil.
    private func bodies(_ server: Server) async throws -> [(method: String, path: String, body: [UInt8])] {
        let host = try await server.join("prod-db1")
        let question = try host.question(server, ids: [IdentityHash(repeating: 1)])
        var user = RegisterRequest(userId: "alice", mobile: 1)
        user.activateCode = "BCDF-GHJK-LMNP-QRST"
        user.regOTT = "00"
        user.ask = HexOctets(question.octets)
        user.askTag = HexOctets(try host.tag(question))
        var first = PassOneRequest(mpinID: [UInt8]("{}".utf8), u: [4], ut: [4])
        first.ask = user.ask
        first.askTag = user.askTag
        let (n, id) = (ServerNonce(repeating: 2), IdentityHash(repeating: 2))
        let second = PassTwoRequest(mpinID: [UInt8]("{}".utf8), v: [4], wid: "0", otp: true, n: n)
        let last = AuthenticateRequest(
            mpinResponse: PassTwoResponse(authOTT: "00"), a: question.a, id: id, deny: true)
        let console = try await host.open(server, ids: [id])
        let look = CodeStatusRequest(status: "wid", wid: console.wid, a: console.question.a)
        let approval = AuthenticateRequest(mpinResponse: PassTwoResponse(authOTT: "00"), deny: false)
        first.seen = user.ask
        let join = HostJoinRequest(host: "prod-db1", joinId: [UInt8](repeating: 3, count: 16))
        func text(_ message: some Encodable) throws -> [UInt8] { [UInt8](try JSONEncoder().encode(message)) }
        return [
            ("PUT", Route.user, try text(user)), ("PUT", Route.user + "/7b7d", try text(user)),
            ("POST", Route.passOne, try text(first)), ("POST", Route.passTwo, try text(second)),
            (
                "POST", Route.getQrUrl,
                try text(SealedRequest(ask: question.octets, askTag: host.tag(question)))
            ),
            ("POST", Route.codeStatus, try text(look)),
            ("POST", Route.codeStatus, try text(CodeStatusRequest(status: "wid", wid: console.number))),
            ("POST", Route.waiting, try text(WaitingRequest(time: 1, by: DeviceTag(id: id, tag: [4])))),
            ("POST", Route.mobileAuthenticate, try text(approval)),
            ("POST", Route.logout, try text(LogoutData(userId: "alice", sessionToken: "00"))),
            ("POST", Route.authenticate, try text(AuthenticateRequest(a: console.question.a))),
            ("POST", Route.authenticate, try text(last)), ("POST", Route.host, try text(join)),
            (
                "POST", Route.otp,
                try text(OTPTagsRequest(ask: question.octets, askTag: host.tag(question), otpTags: []))
            ),
            (
                "POST", Route.standing,
                try text(SealedRequest(ask: question.octets, askTag: host.tag(question)))
            ),
            ("POST", Route.authenticate, try text(AuthenticateRequest(a: question.a, id: id))),
            (
                "POST", AdminRoute.applications,
                try text(AddApplicationRequest(app: "x", redirectUris: ["x:/"]))
            ),
            ("POST", Route.authorizationCode, try text(AuthorizationCodeRequest(code: "0", userID: "bob"))),
            ("POST", AdminRoute.removeApplication, try text(ApplicationRequest(app: "x"))),
            ("POST", AdminRoute.users, try text(AddUserRequest(userId: "bob", replace: true))),
            (
                "POST", AdminRoute.endCode,
                try text(EndCodeRequest(userId: "bob", activationCode: "BCDFGHJKLMNPQRST"))
            ),
            ("POST", AdminRoute.revokeUser, try text(UserRequest(id: id))),
            ("POST", AdminRoute.removeUser, try text(UserRequest(userId: "bob"))),
            ("POST", AdminRoute.unlockUser, try text(UserRequest(userId: "bob"))),
            ("POST", AdminRoute.confirmUser, try text(UserRequest(userId: "bob"))),
            ("POST", AdminRoute.hosts, try text(HostRequest(host: "x"))),
            ("POST", AdminRoute.rotateHost, try text(HostRequest(host: "x"))),
            ("POST", AdminRoute.removeHost, try text(HostRequest(host: "x"))),
        ]
    }

    @Test func `spoiled bodies are answered`() async throws {
        let server = try Server(registration: .confirm)
        var random = SplitMix(seed: 37)
        for (method, path, body) in try await bodies(server) {
            for _ in 0..<rounds(150) {
                let spoiled = spoil(body, &random)
                let response =
                    path.hasPrefix("/v1")
                    ? await server.admin.respond(
                        to: Request(
                            method: method, target: path, host: nil, peer: .local(user: 0, process: 1),
                            body: spoiled))
                    : await server.send(method, path, spoiled)
                let text = String(decoding: response.body, as: UTF8.self)
                #expect(
                    response.status < 500,
                    "\(path) \(response.status) \(text) \(String(decoding: spoiled, as: UTF8.self))")
            }
        }
    }

    @Test func `values of the wrong type, size and depth are answered`() async throws {
        let server = try Server()
        let values = [
            "null", "true", "-1", "1e999", "18446744073709551616", "\"\"", "\"zz\"", "\"0\"", "[]", "{}",
            "[[[[[[]]]]]]",
            "\"\\ud800\"", "\"\\u0000\"", "\"" + String(repeating: "00", count: 20_000) + "\"",
            String(repeating: "[", count: 5_000),
        ]
        for (method, path, body) in try await bodies(server) where !path.hasPrefix("/v1") {
            for key in try object(body).keys.sorted() {
                for value in values {
                    let text = try object(body).map {
                        "\"\($0.key)\":" + ($0.key == key ? value : $0.value.written)
                    }
                    .joined(separator: ",")
                    let response = await server.send(method, path, [UInt8]("{\(text)}".utf8))
                    #expect(response.status < 500, "\(path) \(key) \(value.prefix(30)) \(response.status)")
                }
            }
        }
    }

    @Test func `spoiled paths and queries are answered`() async throws {
        let server = try Server()
        let alice = try await Enrolled.onDevice(server, "alice", code: server.add("alice"), pin: "1234")
        let mpinID = HexOctets(alice.mpinID).text
        let hash = hexText(alice.id)
        let targets = [
            "\(Route.timePermit)/\(mpinID)", "\(Route.signature)/\(mpinID)?regOTT=00&A=\(hash)",
            "\(Route.authorityTimePermit)?hash_mpin_id=\(hash)&app_id=x&signature=\(hash)&date=20777",
            "\(Route.authorityClientSecret)?mobile=1&expires=2026-11-20T23%3A44%3A23Z&app_id=x"
                + "&hash_mpin_id=\(hash)&signature=\(hash)&hash_user_id=",
            Route.clientSettings, Route.status, Route.service, Route.authorityStatus,
        ]
        var random = SplitMix(seed: 38)
        for target in targets {
            for _ in 0..<rounds(150) {
                let spoiled = String(decoding: spoil([UInt8](target.utf8), &random), as: UTF8.self)
                let response = await server.send("GET", spoiled)
                #expect(response.status < 500, "\(spoiled) \(response.status)")
            }
        }
    }

    /// Changes, removes or inserts one to three octets, or cuts off the end.
    private func spoil(_ octets: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var octets = octets
        for _ in 0...random.next(3) where !octets.isEmpty {
            let place = random.next(octets.count)
            switch random.next(4) {
            case 0: octets[place] = UInt8(random.next(256))
            case 1: octets.remove(at: place)
            case 2: octets.insert(UInt8.random(in: 0x20...0x7e, using: &random), at: place)
            default: octets = [UInt8](octets.prefix(place))
            }
        }
        return octets
    }
}

extension JSON {
    /// The value as JSON again; the strings in these tests need no escapes.
    var written: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): "\(Int(number))"
        case .string(let text): "\"\(text)\""
        case .array(let array): "[" + array.map(\.written).joined(separator: ",") + "]"
        case .object(let object):
            "{" + object.map { "\"\($0.key)\":\($0.value.written)" }.joined(separator: ",") + "}"
        }
    }
}
