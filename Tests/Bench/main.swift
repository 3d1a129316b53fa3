// SPDX-License-Identifier: Apache-2.0
// mpin-bench: the cost of the mathematics and the protocol, in time and in field multiplications; with a
// word, the cost of logins (LoginBench.swift).
import MPin
import Octets
import Pairing
import Secrets

let id: [UInt8] = Array("someone@example.org".utf8)
let hash = identityHash(id)
let date: UInt32 = 20_777
let master = try MasterShare.random()
let clientSecretOctets = try master.clientSecretShare(of: hash)
let permit = try master.timePermitShare(of: hash, date: date)
let serverSecretOctets = try master.serverSecretShare()
let verifier = try Verifier(serverSecret: serverSecretOctets)
let lines = try PreparedG2(.generator)

var digits = try Secret(count: 4)
digits.withMutableBytes {
    for place in 0..<4 { $0.storeBytes(of: 0x31, toByteOffset: place, as: UInt8.self) }
}
let factor = try PINRule.number(modulus: 10_000).factor(of: digits)
let token = try Token(clientSecret: clientSecretOctets, mpinID: id, factor: factor)
let ones = [UInt8](repeating: 1, count: 32)
let y = Challenge(ones) ?? .zero
let scalar = Scalar(nonZeroFrom: unsafe ones.span.bytes)

let (u, ut, v) = try passes()

/// U, UT and V of a client with a time permit.
func passes() throws -> ([UInt8], [UInt8], [UInt8]) {
    let pass = try PassOne(mpinID: id, token: token, factor: factor, permit: (date, permit))
    let (u, ut) = (pass.u, pass.ut)
    return try (u, ut, pass.answer(y: y))
}

/// Feeds each result into the next operation, so that none is optimised away.
func chained<T>(_ count: Int, _ start: T, _ step: (T) -> T) -> T {
    var value = start
    for _ in 0..<count { value = step(value) }
    return value
}

let operations = [
    Operation("yardstick multiplication", 100_000) { Yardstick.chain($0) },
    Operation("field multiplication", 100_000) { multiplicationChain($0) },
    Operation("G1, constant time", 40) {
        chained($0, G1.generator) { scalar * $0 }.isInfinity ? 1 : 0
    },
    Operation("G2, constant time", 15) {
        chained($0, G2.generator) { scalar * $0 }.isInfinity ? 1 : 0
    },
    Operation("hash to G1", 60) {
        var digest = hash.octets
        var infinite: UInt64 = 0
        for index in 0..<$0 {
            digest[31] = UInt8(truncatingIfNeeded: index)
            infinite += G1(hashing: digest).isInfinity ? 1 : 0
        }
        return infinite
    },
    Operation("pairing, lines known", 8) {
        var ones: UInt64 = 0
        for _ in 0..<$0 { ones += pairing(lines, .generator)?.isOne == true ? 1 : 0 }
        return ones
    },
    Operation("client, with time permit", 10) {
        var last: UInt8 = 0
        for _ in 0..<$0 { last ^= try passes().2[64] }
        return UInt64(last)
    },
    Operation("server, with time permit", 8) {
        var accepted: UInt64 = 0
        for _ in 0..<$0 {
            accepted += try verifier.verify(mpinID: id, date: date, u: u, ut: ut, y: y, v: v) ? 1 : 0
        }
        return accepted
    },
]
/// The proof of a sealed login has no time permit.
let sealed = try sealedProof()

func sealedProof() throws -> ([UInt8], [UInt8]) {
    let pass = try PassOne(mpinID: id, token: token, factor: factor, permit: nil)
    let u = pass.u
    return (u, try pass.answer(y: y))
}

/// The milliseconds of a processor in which a server verifies the proof of a sealed login: the median.
func verificationTime() throws -> Double {
    let times = try (0..<200).map { _ in
        let began = threadNanoseconds()
        guard try verifier.verify(mpinID: id, date: nil, u: sealed.0, ut: [], y: y, v: sealed.1) else {
            throw BenchError.arguments
        }
        return threadNanoseconds() - began
    }
    return Double(times.sorted()[100]) / 1e6
}

let words = Array(CommandLine.arguments.dropFirst())
let options = try BenchOptions(words.dropFirst())
switch words.first {
case "fill": try Population.fill(options.text("database"), count: options.number("identities"))
case "script": print(Population.script(count: try options.number("identities")))
case "join": try joinHosts(options)
case "logins": try LoginBench(options).logins(verification: verificationTime())
case "endure": try Endurance(options).run()
case "housekeeping": try LoginBench(options).housekeeping()
case "beside": try LoginBench(options).beside()
case "heading": print(Measurement.heading)
default: try run(operations, rounds: 25, unit: "field multiplication")
}

/// Joins as many hosts as there are `codes`; the first is `host0`.
func joinHosts(_ options: BenchOptions) throws {
    for (number, code) in options.list("codes").enumerated() {
        _ = try BenchHost(HTTPClient(options.text("sockets")), name: "host\(number)", joinCode: code)
    }
}
