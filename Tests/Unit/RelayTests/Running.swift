// SPDX-License-Identifier: Apache-2.0
// Functions that start relays in tests.
import Foundation
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import TestSupport

func octets(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

func hello(
    _ backends: [String], also: [String] = [], addresses: [String] = [], caFile: String = "",
    connect: UInt32 = 3000, total: UInt32 = 20_000
) -> Hello {
    Hello(
        attempt: [1, 2, 3, 4, 5, 6, 7, 8], backends: backends.map(octets), alsoOrigins: also.map(octets),
        addresses: addresses.map(octets), caFile: octets(caFile), connectMilliseconds: connect,
        totalMilliseconds: total)
}

/// The relay of this build, copied to where another user may run it until the tests end.
let relayProgram: Result<Program, any Error> = Result {
    let program = try Program("mpin-relay")
    atexit { try? relayProgram.get().remove() }
    return program
}

/// `nobody`, if this test may become it.
let someUser = geteuid() == 0 ? RelayUser(uid: 65534, gid: 65534) : nil

func start(
    _ program: Program, _ hello: Hello, deadline: UInt32 = 180_000
) throws(TransportError) -> Relay {
    var relay = try Relay.start(
        path: octets(program.path), hello: hello, user: someUser, deadline: Deadline(milliseconds: deadline))
    try relay.settle()
    return relay
}

/// The relay's answer to one request about these backends.
func ask(_ question: RelayRequest, _ hello: Hello) throws -> RelayResponse {
    var relay = try start(try relayProgram.get(), hello)
    return try relay.exchange(question)
}

/// The relay's answer to one request about one server.
func ask(_ question: RelayRequest, _ server: Server, also: [String] = [], total: UInt32 = 20_000) throws
    -> RelayResponse
{
    try withExtendedLifetime(server) { try ask(question, hello([server.backend], also: also, total: total)) }
}

/// clientSettings as mpind sends them, with some values replaced.
func settings(_ changes: [String: String] = [:]) -> Reply {
    var keys = [
        "authenticateURL": "/mpinAuthenticate", "certivoxURL": "/dta2/", "codeStatusURL": "/rps/codeStatus",
        "getQrUrl": "/rps/getQrUrl", "mpinAuthServerURL": "/rps", "registerURL": "/rps/user",
        "signatureURL": "/rps/signature", "timePermitsURL": "/rps/timePermit", "timePermitsStorageURL": "",
        "appID": "app",
    ]
    keys.merge(changes) { $1 }
    let body = keys.map { "\"\($0.key)\": \"\($0.value)\"" }.joined(separator: ", ")
    return .json(200, "{\(body)}")
}
