// SPDX-License-Identifier: Apache-2.0
// Our messages against those that Milagro's server and client wrote, and as tolerant as these are.
import Foundation
import MPinWire
import Octets
import TestSupport
import Testing

/// What follows the first octet of an id that is written as `[7]`.
private let zeros = String(repeating: "00", count: 31)

@Suite struct MessageTests {
    @Test func `every recorded answer can be decoded and encoded to the same JSON`() throws {
        var read: [String: Int] = [:]
        for exchange in try Exchange.all() where exchange.response.status == 200 {
            let body = exchange.response.body
            let same: Bool? =
                switch exchange.name {
                case "rpa GET /rps/clientSettings", "rps GET /rps/clientSettings":
                    try same(ClientSettings.self, body)
                case "rps GET /service": try same(ServiceDetails.self, body)
                case "rps GET /status": try same(StatusMessage.self, body)
                case "dta GET /status", "miracl-dta GET /status": try same(AuthorityMessage.self, body)
                case "rpa PUT /rps/user", "rps PUT /rps/user": try same(RegisterResponse.self, body)
                case "rpa GET /rps/signature", "rps GET /rps/signature":
                    try same(SignatureResponse.self, body)
                case "dta GET /clientSecret", "miracl-dta GET /clientSecret":
                    try same(ClientSecretResponse.self, body)
                case "rpa GET /rps/timePermit", "rps GET /rps/timePermit":
                    try same(TimePermitResponse.self, body)
                case "dta GET /timePermit", "miracl-dta GET /timePermit":
                    try same(DTATimePermitResponse.self, body)
                case "rpa POST /rps/pass1", "rps POST /rps/pass1": try same(PassOneResponse.self, body)
                case "rpa POST /rps/pass2", "rps POST /rps/pass2": try same(PassTwoResponse.self, body)
                case "rps POST /rps/getAccessNumber", "rps POST /rps/getQrUrl":
                    try same(SessionResponse.self, body)
                case "rps POST /rps/access": try same(AccessResponse.self, body)
                case "rps POST /authenticate":
                    try same(ExternalRPAAuthenticateResponse.self, body)
                default: nil
                }
            guard let same else { continue }
            #expect(same, "\(exchange.name): \(body)")
            read[String(exchange.name.drop { $0 != "/" }), default: 0] += 1
        }
        #expect(
            Set(read.keys) == [
                "/rps/clientSettings", "/service", "/status", "/rps/user", "/rps/signature", "/clientSecret",
                "/rps/timePermit", "/timePermit", "/rps/pass1", "/rps/pass2", "/rps/getAccessNumber",
                "/rps/getQrUrl", "/rps/access", "/authenticate",
            ])
    }

    @Test func `every recorded request that was accepted can be decoded and encoded to the same JSON`() throws
    {
        var read: [String: Int] = [:]
        for exchange in try Exchange.all() where exchange.response.status == 200 {
            let body = exchange.request.body
            let same: Bool? =
                switch exchange.name {
                case "rpa PUT /rps/user", "rps PUT /rps/user":
                    try same(RegisterRequest.self, body)
                case "rpa POST /rps/pass1", "rps POST /rps/pass1": try same(PassOneRequest.self, body)
                case "rpa POST /rps/pass2", "rps POST /rps/pass2": try same(PassTwoRequest.self, body)
                case "rpa POST /mpinAuthenticate": try same(AuthenticateRequest.self, body)
                case "rpa POST /mpinVerify": try same(VerifyRequest.self, body)
                case "rps POST /rps/access": try same(AccessRequest.self, body)
                case "rps POST /user": try same(ActivateRequest.self, body)
                case "rps POST /authenticate": try same(ExternalRPAAuthenticateRequest.self, body)
                case "rps POST /loginResult": try same(LoginResultRequest.self, body)
                default: nil
                }
            guard let same else { continue }
            #expect(same, "\(exchange.name): \(body)")
            read[exchange.name, default: 0] += 1
        }
        #expect(read.count == 12, "\(read)")
    }

    @Test func `a request that the server called malformed is refused`() throws {
        var refused = 0
        for exchange in try Exchange.all() where [400, 403].contains(exchange.response.status) {
            let body = Data(exchange.request.body.utf8)
            switch exchange.name {
            case "rps POST /rps/pass1":
                #expect(throws: (any Error).self) {
                    try JSONDecoder().decode(PassOneRequest.self, from: body)
                }
            case "rps POST /rps/pass2":
                #expect(throws: (any Error).self) {
                    try JSONDecoder().decode(PassTwoRequest.self, from: body)
                }
            default: continue
            }
            refused += 1
        }
        #expect(refused >= 6)
    }

    @Test(arguments: [
        ("1", 1), ("0", 0), (#""1""#, 1), (#""0""#, 0), ("7", 7), (#""-3""#, -3),
    ]) func `a number may be a string`(json: String, value: Int) throws {
        #expect(try decoded(Number.self, json).value == value)
    }

    @Test(arguments: ["1.5", "1e300", #""""#, #""x""#, #""1 ""#, "null", "[]", "{}", "true"])
    func `any other value is not a whole number`(json: String) {
        #expect(throws: (any Error).self) { try decoded(Number.self, json) }
    }

    @Test(arguments: [
        ("true", true), ("false", false), ("1", true), ("0", false), (#""1""#, true), (#""0""#, false),
    ]) func `a flag may be a number`(json: String, isOn: Bool) throws {
        #expect(try decoded(Flag.self, json).isOn == isOn)
    }

    @Test(arguments: ["2", #""yes""#, "null", "[]", "-1"]) func `any other value is not a flag`(json: String)
    {
        #expect(throws: (any Error).self) { try decoded(Flag.self, json) }
    }

    @Test func `hexadecimal is read in either case and written in lower`() throws {
        #expect(try decoded(HexOctets.self, #""0aFF""#).octets == [10, 255])
        #expect(try decoded(HexOctets.self, #""""#).octets == [])
        #expect(try encoded(HexOctets([10, 255])) == .text("0aff"))
        for bad in [#""0""#, #""0g""#, "10", "null"] {
            #expect(throws: (any Error).self) { try decoded(HexOctets.self, bad) }
        }
    }

    @Test func `unknown keys are ignored, and absent ones tolerated`() throws {
        #expect(try decoded(ClientSettings.self, "{}").permitsAreUsed)
        #expect(try !decoded(ClientSettings.self, #"{"usePermits": 0, "new": {"a": []}}"#).permitsAreUsed)
        #expect(try decoded(RegisterRequest.self, #"{"userId": "a"}"#).mobile == nil)
        #expect(
            try decoded(RegisterRequest.self, #"{"userId": "a", "mobile": "1", "userData": {}}"#).mobile == 1)
        let pass = try decoded(
            PassTwoRequest.self, #"{"mpin_id": "7B7D", "WID": "0", "OTP": "1", "V": "04", "x": null}"#)
        #expect(pass.otp.isOn && pass.mpinID.octets == [0x7b, 0x7d] && pass.n == nil)
        #expect(try decoded(AuthenticateRequest.self, "{}") == AuthenticateRequest())
        #expect(try decoded(AuthenticateResponse.self, #"{"userId": 5}"#).answer == nil)
        let browser = try decoded(AuthenticateRequest.self, #"{"mpinResponse": {"authOTT": "ab"}}"#)
        #expect(browser.mpinResponse?.authOTT == "ab" && browser.mpinResponse?.version == nil)
    }

    @Test func `the keys of the seal match its table`() throws {
        var register = RegisterRequest(userId: "a")
        register.ask = HexOctets([1])
        register.askTag = HexOctets([2])
        register.bound = 1
        register.authOTT = "c"
        #expect(
            try encoded(register)
                == JSON(
                    #"{"userId": "a", "mobile": 0, "ask": "01", "askTag": "02", "bound": 1, "authOTT": "c"}"#)
        )
        var pass = PassOneRequest(mpinID: [1], u: [2], ut: [])
        pass.ask = HexOctets([3])
        pass.askTag = HexOctets([4])
        pass.seen = HexOctets([5])
        #expect(
            try encoded(pass)
                == JSON(
                    """
                    {"pass": 1, "mpin_id": "01", "U": "02", "UT": "", "ask": "03", "askTag": "04",
                    "seen": "05"}
                    """))
        #expect(
            try encoded(PassTwoRequest(mpinID: [1], v: [2], wid: "0", otp: false, n: [3]))
                == JSON(
                    """
                    {"pass": 2, "mpin_id": "01", "V": "02", "WID": "0", "OTP": false,
                    "n": "03\(zeros)"}
                    """))
        #expect(
            try encoded(AuthenticateRequest(a: [1], id: [2], deny: true))
                == JSON(#"{"A": "01\#(zeros)", "id": "02\#(zeros)", "deny": true}"#))
        #expect(
            try encoded(SignatureResponse(sealedShare: [9], params: "p"))
                == JSON(#"{"sealedShare": "09", "params": "p"}"#))
        #expect(
            try encoded(ClientSecretResponse(sealedShare: [9]))
                == JSON(#"{"sealedShare": "09", "message": "OK"}"#))
        #expect(
            try encoded(HostJoinRequest(host: "h", joinId: [1])) == JSON(#"{"host": "h", "joinId": "01"}"#))
        #expect(
            try encoded(HostJoinResponse(epoch: 2, sealedKey: [1]))
                == JSON(#"{"epoch": 2, "sealedKey": "01"}"#))
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func `a hash or nonce of another length is refused`(_ count: Int) {
        let hex = String(repeating: "07", count: count)
        #expect(throws: DecodingError.self) { try decoded(AuthenticateRequest.self, #"{"A": "\#(hex)"}"#) }
        #expect(throws: DecodingError.self) { try decoded(AuthenticateRequest.self, #"{"id": "\#(hex)"}"#) }
        #expect(throws: DecodingError.self) { try decoded(PassOneResponse.self, #"{"y": "\#(hex)"}"#) }
    }

    @Test func `the administrator's messages can be decoded to the same values`() throws {
        var identity = UserList.Identity(id: [1])
        identity.lockedUntil = 5
        let users = UserList(
            users: [.init(userId: "a@b", identities: [identity], codeExpires: 7)],
            waiting: [.init(id: [3], userId: "b", source: "192.0.2.1", since: 8, expires: 9)])
        #expect(
            try encoded(users)
                == JSON(
                    """
                    {"users": [{"userId": "a@b", "codeExpires": 7,
                    "identities": [{"id": "01\(zeros)", "lockedUntil": 5}]}],
                    "waiting": [{"id": "03\(zeros)", "userId": "b", "source": "192.0.2.1", "since": 8,
                    "expires": 9}]}
                    """))
        try again(users)
        try again(AddUserRequest(userId: "a", replace: true))
        try again(AddUserResponse(userId: "a", activationCode: "BCDF-GHJK-LMNP-QRST", expires: 1))
        try again(UserRequest(userId: "a"))
        try again(UserRequest(id: [1]))
        try again(UserRequest(userId: "a", idPrefix: [1]))
        try again(UserResponse(identities: 2))
        var suspended = SuspendRequest(userId: "a")
        (suspended.until, suspended.reason) = (5, "leave")
        try again(suspended)
        try again(SuspensionMessage(since: 1, until: nil, reason: nil))
        try again(HostRequest(host: "h"))
        try again(HostCodeResponse(host: "h", epoch: 1, joinCode: "c", expires: 9))
        try again(HostList(hosts: [.init(host: "h", epoch: 1)]))
    }

    @Test func `random JSON is decoded or refused`() throws {
        var generator = SplitMix(seed: 3)
        var bodies: [String] = []
        for exchange in try Exchange.all() { bodies += [exchange.request.body, exchange.response.body] }
        bodies.removeAll { $0.first != "{" }
        #expect(!bodies.isEmpty)
        for round in 0..<rounds(2_000) {
            let body = Data(Fuzz.mutated([UInt8](bodies[round % bodies.count].utf8), by: &generator))
            func stable<Message: Codable & Equatable>(_ type: Message.Type) throws {
                guard let message = try? JSONDecoder().decode(type, from: body) else { return }
                try again(message)
            }
            try stable(ClientSettings.self)
            try stable(RegisterRequest.self)
            try stable(RegisterResponse.self)
            try stable(SignatureResponse.self)
            try stable(TimePermitResponse.self)
            try stable(PassOneRequest.self)
            try stable(PassTwoRequest.self)
            try stable(AuthenticateRequest.self)
            try stable(AuthenticateResponse.self)
        }
    }
}

private func decoded<Message: Decodable>(_ type: Message.Type, _ json: String) throws -> Message {
    try JSONDecoder().decode(type, from: Data(json.utf8))
}

private func encoded(_ message: some Encodable) throws -> JSON {
    try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(message))
}

private func again<Message: Codable & Equatable>(_ message: Message) throws {
    #expect(try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message)) == message)
}

/// Whether the message, decoded and encoded again, equals the recorded text.
private func same<Message: Codable>(
    _ type: Message.Type, _ text: String
) throws -> Bool {
    var recorded = try JSON(text)
    if case .object(var values) = recorded {
        // Some clients wrote `OTP` as a number, and one wrote `mpin_id` in upper case.
        if case .number(let number)? = values["OTP"] { values["OTP"] = .flag(number == 1) }
        if case .text(let id)? = values["mpin_id"] { values["mpin_id"] = .text(id.lowercased()) }
        recorded = .object(values)
    }
    return try encoded(decoded(type, text)) == recorded
}
