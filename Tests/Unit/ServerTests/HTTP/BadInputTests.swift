// SPDX-License-Identifier: Apache-2.0
// The answers of every public endpoint to malformed requests (milagro-0.3.md): one table, never a 5xx.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import TestSupport
import Testing

@Suite(.slow) struct BadInputTests {
    private static let digits = String(repeating: "0", count: 64)
    private static let long = String(repeating: "00", count: 2000)
    /// Coordinates that are not on the curve: the equation does not hold.
    private static let offCurve = "04" + String(repeating: "01", count: 64)
    private static let infinity = String(repeating: "00", count: 65)

    private func passOne(_ id: String, u: String, ut: String) -> String {
        "{\"pass\":1,\"mpin_id\":\"\(id)\",\"U\":\"\(u)\",\"UT\":\"\(ut)\"}"
    }

    private func send(_ server: Server, _ method: String, _ path: String, _ body: String) async -> Int {
        await server.send(method, path, [UInt8](body.utf8)).status
    }

    @Test(arguments: [nil, Compatibility()])
    func `invalid bodies, and bodies with a missing or malformed value`(_ compatibility: Compatibility?)
        async throws
    {
        let server = try Server(compatibility: compatibility)
        let rows: [(String, String, Int, [String])] = [
            (
                "PUT", Route.user, 400,
                [
                    "{}", "{\"userId\":\"\"}", "{\"userId\":1}", "{\"userId\":null}",
                    "{\"userId\":\"\(Self.long)\"}", "{\"userId\":\"a\\u0000b\"}", "{\"userId\":\"a\\nb\"}",
                    "{\"userId\":\"a\",\"mobile\":\"x\"}", "{\"userId\":\"a\",\"activateCode\":7}",
                    "{\"userId\":\"a\",\"ask\":\"zz\"}",
                ]
            ),
            (
                "POST", Route.passOne, 403,
                [
                    "{}", passOne("zz", u: "04", ut: "04"), passOne("7b7", u: "04", ut: "04"),
                    passOne("7b7d", u: "0", ut: "04"), passOne("7b7d", u: "04", ut: "xx"),
                    passOne("7b7d", u: Self.long, ut: ""), passOne(Self.long, u: "04", ut: "04"),
                    "{\"mpin_id\":\"7b7d\",\"U\":\"04\"}", "{\"mpin_id\":7,\"U\":\"04\",\"UT\":\"04\"}",
                    "{\"mpin_id\":\"7b7d\",\"U\":null,\"UT\":\"04\"}",
                    "{\"mpin_id\":\"7b7d\",\"U\":\"04\",\"UT\":\"04\",\"ask\":\"00\",\"askTag\":\"00\"}",
                ]
            ),
            (
                "POST", Route.passTwo, 403,
                [
                    "{}", "{\"mpin_id\":\"7b7d\",\"WID\":\"0\",\"OTP\":0,\"V\":\"0\"}",
                    "{\"mpin_id\":\"7b7d\",\"WID\":0,\"OTP\":0,\"V\":\"04\"}",
                    "{\"mpin_id\":\"7b7d\",\"WID\":\"0\",\"OTP\":2,\"V\":\"04\"}",
                    "{\"mpin_id\":\"7b7d\",\"WID\":\"0\",\"V\":\"04\"}",
                    "{\"mpin_id\":\"7b7d\",\"WID\":\"\(Self.long)\",\"OTP\":0,\"V\":\"04\"}",
                    // A request without a pass 1, and one with a wrong n.
                    "{\"mpin_id\":\"7b7d\",\"WID\":\"0\",\"OTP\":0,\"V\":\"04\"}",
                    "{\"mpin_id\":\"7b7d\",\"WID\":\"0\",\"OTP\":0,\"V\":\"04\",\"n\":\"00\"}",
                ]
            ),
            (
                "POST", Route.authenticate, 400,
                ["{}", "{\"mpinResponse\":{}}", "{\"mpinResponse\":7}", "{\"A\":\"zz\"}"]
            ),
            ("POST", Route.authenticate, 408, ["{\"mpinResponse\":{\"authOTT\":\"\(Self.long)\"}}"]),
            ("POST", Route.mobileAuthenticate, 400, ["{}", "{\"mpinResponse\":{\"authOTT\":7}}"]),
            ("POST", Route.mobileAuthenticate, 412, ["{\"mpinResponse\":{\"authOTT\":\"\"}}"]),
            ("POST", Route.codeStatus, 400, ["{}", "{\"status\":\"wid\"}", "{\"status\":1,\"wid\":\"0\"}"]),
            ("POST", Route.codeStatus, 200, ["{\"status\":\"wid\",\"wid\":\"\(Self.long)\"}"]),
            (
                "POST", Route.waiting, 400,
                ["{}"]
                    + ["", "\"time\":-1,", "\"time\":1.5,", "\"time\":\"x\",", "\"time\":1e99,"].map {
                        "{\"id\":\"\(Self.digits)\",\($0)\"deviceTag\":\"00\"}"
                    } + [
                        "{\"id\":\"00\",\"time\":1,\"deviceTag\":\"00\"}",
                        "{\"id\":\"\(Self.digits)\",\"time\":1,\"deviceTag\":\"0\"}",
                        "{\"id\":\"\(Self.digits)\",\"time\":1}",
                    ]
            ),
            (
                "POST", Route.waiting, 200,
                [
                    "{\"id\":\"\(Self.digits)\",\"time\":\"1\",\"deviceTag\":\"\"}",
                    "{\"id\":\"\(Self.digits)\",\"time\":\(Int.max),\"deviceTag\":\"\(Self.long)\"}",
                ]
            ),
            ("POST", Route.logout, 400, ["{}", "{\"userId\":\"a\",\"sessionToken\":\"\(Self.long)\"}"]),
            ("POST", Route.host, 400, ["{}", "{\"host\":7,\"joinId\":\"00\"}"]),
        ]
        for (method, path, status, bodies) in rows {
            for body in bodies + (status == 400 || status == 403 ? ["", "{", "[]", "7", "\"\""] : []) {
                #expect(await send(server, method, path, body) == status, "\(path) \(body.prefix(70))")
            }
        }
    }

    /// A decoder would spend minutes on the last of these bodies.
    @Test func `nested user data is limited in depth and size`() async throws {
        let server = try Server()
        func nested(_ levels: Int, _ leaf: String = "1", count: Int = 1) -> String {
            let leaves = Array(repeating: leaf, count: count).joined(separator: ",")
            return "{\"userId\":\"a\",\"userData\":" + String(repeating: "[", count: levels) + leaves
                + String(repeating: "]", count: levels) + "}"
        }
        for (body, status) in [
            (nested(15), 200), (nested(16), 400), (nested(2, count: 1000), 200),
            (nested(2, count: 1100), 400),
            (nested(490, "[]", count: 20_000), 400),
        ] {
            #expect(await send(server, "PUT", Route.user, body) == status)
        }
    }

    @Test func `bodies must be UTF-8, without NUL`() async throws {
        let server = try Server.compatible()
        for body in ["{\"userId\":\"a\"}", "{\"userId\":\"a\\u0000\"}", "{\"userId\":\"a\0\"}", "7"] {
            let little = body.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
            let big = body.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
            let wide = body.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8), 0, 0] }
            for octets in [little, big, wide, [0xff, 0xfe] + little, [0xfe, 0xff] + big] {
                #expect(await server.send("PUT", Route.user, octets).status == 400)
                #expect(await server.send("POST", Route.passOne, octets).status == 403)
            }
        }
        let latin = [UInt8]("{\"userId\":\"caf".utf8) + [0xe9] + [UInt8]("\"}".utf8)
        #expect(await server.send("PUT", Route.user, latin).status == 400)
        #expect(await send(server, "PUT", Route.user, "{\"userId\":\"caf\u{e9}\"}") == 200)
    }

    @Test func `invalid bodies of a browser's requests`() async throws {
        let server = try Server.compatible()
        for body in ["", "{", "{}", "[]", "{\"webOTT\":7}", "{\"webOTT\":null}"] {
            #expect(await send(server, "POST", Route.access, body) == 400)
        }
        #expect(await send(server, "POST", Route.access, "{\"webOTT\":\"\(Self.long)\"}") == 200)
        for path in [Route.getAccessNumber, Route.getQrUrl] {
            for body in ["{", "[]", "7", "{\"prerollid\":7}"] {
                #expect(await send(server, "POST", path, body) == 400, "\(path) \(body)")
            }
            let opened = await send(server, "POST", path, "{\"prerollid\":\"\(Self.long)\",\"x\":1}")
            #expect(opened == 200)
        }
    }

    @Test func `invalid paths and queries`() async throws {
        let server = try Server()
        let alice = try await server.milagroDevice("alice")
        let (mpinID, hash) = (hexText(alice.mpinID), hexText(alice.id))
        let secret = Route.authorityClientSecret + "?app_id=x&hash_user_id=&signature=00"
        let permit = Route.authorityTimePermit + "?app_id=x&hash_mpin_id="
        let rows = [
            ("\(Route.signature)/\(mpinID)", 400), ("\(Route.signature)/\(mpinID)?regOTT=", 401),
            ("\(Route.signature)/\(mpinID)?regOTT=\(Self.long)", 401),
            ("\(Route.signature)/7b7d?regOTT=0", 401),
            ("\(Route.signature)/ff?regOTT=0", 401), ("\(Route.signature)/zz?regOTT=0", 404),
            ("\(Route.signature)/7b7?regOTT=0", 404), (Route.signature, 404), ("\(Route.signature)/", 404),
            ("\(Route.timePermit)/7b7d", 410), ("\(Route.timePermit)/zz", 404), (Route.timePermit, 404),
            ("\(Route.timePermit)/\(Self.long)", 410), (Route.authorityClientSecret, 403),
            (secret + "&expires=x&hash_mpin_id=zz", 403), (secret + "&expires=x&hash_mpin_id=00", 403),
            (secret + "&expires=x&hash_mpin_id=" + hash, 401), (secret + "&hash_mpin_id=" + hash, 403),
            (permit, 403), (permit + "zz&signature=0", 403), (permit + hash, 403),
            (permit + hash + "&signature=\(hash)", 401), (permit + Self.long + "&signature=0", 403),
            ("/rps/user", 405), ("/rps/pass1", 405), ("/rps/%zz", 404), ("/%00", 404), ("//rps/user", 404),
        ]
        for (path, status) in rows {
            #expect(await server.send("GET", path).status == status, "\(path.prefix(80))")
        }
    }

    @Test func `an invalid point is a wrong proof, answered like any other`() async throws {
        let server = try Server.compatible()
        let alice = try await server.milagroDevice("alice")
        let right = try alice.passOne(pin: "1234", permit: await alice.permit(server))
        let u = hexText(right.u)
        for (u, ut, v) in [
            (Self.offCurve, Self.offCurve, Self.offCurve), (Self.infinity, Self.infinity, Self.infinity),
            (u, "", u), ("04", "04", "04"), ("", "", ""), (u, u, String(u.dropLast(2))),
            (u, u, u + u), ("02" + u.dropFirst(2), u, u),
        ] {
            let first = await server.send(
                "POST", Route.passOne, [UInt8](passOne(hexText(alice.mpinID), u: u, ut: ut).utf8))
            #expect(try keys(first) == ["message", "pass", "version", "y"])
            let body =
                "{\"mpin_id\":\"\(hexText(alice.mpinID))\",\"WID\":\"0\",\"OTP\":0,\"V\":\"\(v)\"}"
            let second = await server.send("POST", Route.passTwo, [UInt8](body.utf8))
            let answer = try read(PassTwoResponse.self, second)
            let asked = AuthenticateRequest(mpinResponse: answer)
            #expect(try await server.send("POST", Route.authenticate, asked).status == 401)
            _ = try await server.administer("POST", AdminRoute.unlockUser, UserRequest(userId: "alice"))
        }
        #expect(try await alice.login(server, pin: "1234") == 200)
    }
}
