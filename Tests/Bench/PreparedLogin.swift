// SPDX-License-Identifier: Apache-2.0
// A whole login with a PIN under a host's seal. Everything that does not depend on the server's answers is
// computed before, so that the server has most of the processors while it is measured.
import FoundationEssentials
import Glibc
import MPin
import MPinWire
import Octets
import Secrets

/// A login host with its key.
final class BenchHost: Sendable {
    let key: HostKey

    /// Joins with a code of `mpind host add`.
    init(_ client: HTTPClient, name text: String, joinCode: String) throws {
        let name = [UInt8](text.utf8)
        let code = try OneTimeCode(typed: unsafe Secret(copying: [UInt8](joinCode.utf8).span.bytes))
        let asked = try HostJoinRequest(host: text, joinId: code.joinID())
        let answer = try client.post(Route.host, [UInt8](JSONEncoder().encode(asked)))
        let joined = try JSONDecoder().decode(HostJoinResponse.self, from: Data(answer))
        key = try HostKey(
            name: name, epoch: joined.epoch, sealedKey: joined.sealedKey.octets,
            joinKey: code.joinKey(host: name))
    }
}

/// One thread makes it, and later one thread runs it.
final class PreparedLogin: @unchecked Sendable {
    private let host: BenchHost
    private let mpinID: String
    private let a: QuestionHash
    private let firstBody: [UInt8]
    private var pass: PassOne?

    /// - Parameter date: the day of the time permit, which a server with `profile = compat` wants.
    init(
        _ population: Population, _ number: Int, at host: BenchHost, pin: String = "1234", date: UInt32? = nil
    ) throws {
        let mpinID = Population.mpinID(number)
        let id = identityHash(mpinID)
        let factor = try PINRule.number(modulus: 10_000).factor(
            of: unsafe Secret(copying: [UInt8]("1234".utf8).span.bytes))
        let typed = try PINRule.number(modulus: 10_000).factor(
            of: unsafe Secret(copying: [UInt8](pin.utf8).span.bytes))
        let token = try Token(clientSecret: population.clientSecret(id), mpinID: mpinID, factor: factor)
        let permit = try date.map { ($0, try population.timePermit(id, date: $0)) }
        let pass = try PassOne(mpinID: mpinID, token: token, factor: typed, permit: permit)
        let nonce = SealedQuestion.nonce(at: UInt64(time(nil)), random: try randomOctets(24))
        guard let nonce,
            let question = SealedQuestion(
                host: host.key.name, nonce: nonce, service: [UInt8]("sudo".utf8),
                account: [UInt8]("someone".utf8), source: [UInt8]("local:1000".utf8), tty: [], flags: 0,
                life: 90, ids: [id])
        else { throw BenchError.arguments }
        var first = PassOneRequest(mpinID: mpinID, u: pass.u, ut: pass.ut)
        first.ask = HexOctets(question.octets)
        first.askTag = HexOctets(try host.key.tag(of: question))
        self.host = host
        self.mpinID = hexText(mpinID)
        a = question.a
        firstBody = [UInt8](try JSONEncoder().encode(first))
        self.pass = consume pass
    }

    /// Logs in; throws unless the verdict is sealed and grants.
    func run(_ client: HTTPClient) throws {
        let ticket = try prove(client)
        guard try isGranted(ticket, client) else {
            throw BenchError.refused(status: 200, body: "not granted")
        }
    }

    /// Both passes; the ticket (authOTT).
    func prove(_ client: HTTPClient) throws -> String {
        let first = try client.post(Route.passOne, firstBody)
        guard let y = Challenge(hexOctets(try value("y", first)) ?? []), let pass = pass.take() else {
            throw BenchError.arguments
        }
        let n = try value("n", first)
        let v = hexText(try pass.answer(y: y))
        let second = try client.post(
            Route.passTwo,
            [UInt8](
                #"{"pass":2,"WID":"0","OTP":false,"mpin_id":"\#(mpinID)","V":"\#(v)","n":"\#(n)"}"#.utf8))
        return String(try value("authOTT", second))
    }

    /// Redeems the ticket: whether the sealed verdict grants.
    func isGranted(_ ticket: String, _ client: HTTPClient) throws -> Bool {
        let last = try client.post(
            Route.authenticate,
            [UInt8](#"{"mpinResponse":{"authOTT":"\#(ticket)"},"A":"\#(hexText(a))"}"#.utf8))
        let verdict = try host.key.open(
            answer: hexOctets(value("answer", last)) ?? [], tag: hexOctets(value("answerTag", last)) ?? [],
            to: a, by: .pin)
        return verdict.verdict == .granted
    }
}

/// The text of a key in a JSON object, which must have no escaped characters.
private func value(_ key: String, _ body: [UInt8]) throws -> Substring {
    let text = String(decoding: body, as: UTF8.self)
    let name = "\"\(key)\":\""
    guard let start = text.firstRange(of: name) else { throw BenchError.refused(status: 200, body: text) }
    return text[start.upperBound...].prefix { $0 != "\"" }
}
