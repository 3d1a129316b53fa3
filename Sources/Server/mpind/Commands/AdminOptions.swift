// SPDX-License-Identifier: Apache-2.0
// The administrator's commands as clients of the admin socket.
import ArgumentParser
import FoundationEssentials
import Glibc
import MPinCurl
import MPinServer
import MPinWire

/// Options of all these commands: where mpind is, and how its answers are printed.
struct AdminOptions: ParsableArguments {
    @OptionGroup var place: SettingsOptions

    @ArgumentParser.Flag(help: "Print the daemon's answer as JSON.")
    var json = false

    func validate() { answerInJSON(json) }

    /// Sends a message and prints the answer, as JSON or by `show`.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, message: (some Encodable)?, show: (Answer) -> Void
    ) throws {
        let response = try response(method, path, message: message)
        if json {
            print(String(decoding: withTimes(response.body), as: UTF8.self))
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
            throw failure(.unreachable, "There is no answer at \(socket). Is `mpind serve` running?")
        } catch LocalCallError.denied {
            throw failure(
                .settings,
                "\(socket): permission denied: run this command as root (sudo), or as a member of the group "
                    + "mpin-admin.")
        } catch LocalCallError.failed(let why) {
            throw failure(.unreachable, "\(socket): \(why)")
        }
    }

    private func refused(_ response: LocalResponse) -> ExitCode {
        let message = try? JSONDecoder().decode(StatusMessage.self, from: Data(response.body)).message
        // 503: the server could not do it, or does not know whether it did.
        return failure(
            response.status == 503 ? .unreachable : .refused,
            "\(message ?? "the daemon refused (status \(response.status))").")
    }
}

/// Fails if the output could not be written.
func flushed() throws {
    guard fflush(nil) == 0 else {
        throw failure(.broken, "done, but the output cannot be written.")
    }
}

/// The message of requests without a body.
let nothing: HostRequest? = nil
