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

    /// Sends a message, or asks for a list without one, and prints the answer, as JSON or by `show`.
    func call<Answer: Decodable>(
        _ path: String, _ message: (any Encodable)? = nil, show: (Answer) -> Void
    ) throws {
        let body = try respond(path, message)
        if json {
            print(String(decoding: withTimes(body), as: UTF8.self))
        } else {
            show(try JSONDecoder().decode(Answer.self, from: Data(body)))
        }
        try flushed()
    }

    /// The answer to a message, whatever the output format is.
    func answer<Answer: Decodable>(_ path: String, _ message: (any Encodable)? = nil) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(respond(path, message)))
    }

    private func respond(_ path: String, _ message: (any Encodable)?) throws -> [UInt8] {
        let socket = try place.adminSocketPath()
        let body = try message.map { [UInt8](try JSONEncoder().encode($0)) }
        let response: LocalResponse
        do throws(LocalCallError) {
            response = try callLocal(body == nil ? "GET" : "POST", path, body: body ?? [], socket: socket)
        } catch {
            switch error {
            case .unreachable:
                throw failure(.unreachable, "There is no answer at \(socket). Is `mpind serve` running?")
            case .denied:
                throw failure(
                    .settings,
                    "\(socket): permission denied: run this command as root (sudo), or as a member of the"
                        + " group mpin-admin.")
            case .failed(let why): throw failure(.unreachable, "\(socket): \(why)")
            }
        }
        guard response.status == 200 else { throw refused(response) }
        return response.body
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
