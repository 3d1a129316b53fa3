// SPDX-License-Identifier: Apache-2.0
// The administrator's commands as clients of the admin socket.
import ArgumentParser
import FoundationEssentials
import Glibc
import MPinCurl
import MPinService
import MPinWire

/// Options of all these commands: where mpind is, and how its answers are printed.
struct AdminOptions: ParsableArguments {
    @OptionGroup var place: SettingsOptions

    @ArgumentParser.Flag(help: "Print the daemon's answer as JSON.")
    var json = false

    /// Sends a message and prints the answer, as JSON or by `show`.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, message: (some Encodable)?, show: (Answer) -> Void
    ) throws {
        let response = try response(method, path, message: message)
        if json {
            print(String(decoding: response.body, as: UTF8.self))
        } else {
            show(try JSONDecoder().decode(Answer.self, from: Data(response.body)))
        }
        try flushed()
    }

    /// Sends a message and passes the answer to `take`, whatever the output format is.
    func ask<Answer: Decodable>(
        _ method: String, _ path: String, message: (some Encodable)?, take: (Answer) -> Void
    ) throws {
        let response = try response(method, path, message: message)
        take(try JSONDecoder().decode(Answer.self, from: Data(response.body)))
    }

    private func response(
        _ method: String, _ path: String, message: (some Encodable)?
    ) throws -> LocalResponse {
        let socket = try place.adminSocketPath()
        let body = try message.map { [UInt8](try JSONEncoder().encode($0)) } ?? []
        let response = try answer(method, path, body: body, socket: socket)
        guard response.status == 200 else { throw refused(response) }
        return response
    }

    private func answer(
        _ method: String, _ path: String, body: [UInt8], socket: String
    ) throws -> LocalResponse {
        do {
            return try callLocal(method, path, body: body, socket: socket)
        } catch LocalCallError.unreachable {
            say(
                "mpind: there is no answer at \(socket). Is `mpind serve` running, and may you open its "
                    + "socket?"
            )
            throw ExitCode(3)
        } catch LocalCallError.failed(let why) {
            say("mpind: \(socket): \(why)")
            throw ExitCode(3)
        }
    }

    private func refused(_ response: LocalResponse) -> ExitCode {
        let message = try? JSONDecoder().decode(StatusMessage.self, from: Data(response.body)).message
        say("mpind: \(message ?? "the daemon refused (status \(response.status))").")
        // 503: the server could not do it, or does not know whether it did.
        return ExitCode(response.status == 503 ? 3 : 1)
    }
}

/// Fails if the output could not be written.
func flushed() throws {
    guard fflush(nil) == 0 else {
        say("mpind: done, but the output cannot be written.")
        throw ExitCode(2)
    }
}

/// A message as JSON in ASCII only, because a terminal may show it.
func asciiJSON(_ message: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(message), as: UTF8.self).utf16.map { unit in
        unit < 0x7f
            ? String(UnicodeScalar(UInt8(unit))) : "\\u" + hexText([UInt8(unit >> 8), UInt8(unit & 255)])
    }.joined()
}

/// The message of requests without a body.
let nothing: HostRequest? = nil
