// SPDX-License-Identifier: Apache-2.0
// What all commands have in common: they print a report or a failure, as text or as JSON.
import ArgumentParser
import CPlatform
import FoundationEssentials
import MPinAdmin

/// A command of `mpin`: `act` does the work, and `run` prints its report or failure and exits.
protocol Command: ParsableCommand {
    var output: OutputOptions { get }
    func act() throws(Failure) -> any Report
}

extension Command {
    func run() throws {
        let done: any Report
        do { done = try act() } catch {
            if output.json { printJSON(ErrorReport(error)) }
            complain(error)
            throw ExitCode(error.kind.exit)
        }
        if output.json { printJSON(done) } else { for line in done.lines { print(line) } }
        // A password or code that could not be printed is useless, so this is a failure.
        guard fflush(nil) == 0 else {
            complain(Failure(.broken, "The work is done, but its output cannot be written."))
            throw ExitCode(FailureKind.broken.exit)
        }
        for failure in done.failures { complain(failure) }
        if let exit = done.exit { throw ExitCode(exit) }
    }
}

/// What `--json` prints for a failure: the sentence on standard error, and a keyword for its kind.
private struct ErrorReport: Encodable {
    struct Body: Encodable {
        let kind: String
        let message: String
    }
    let error: Body

    init(_ failure: Failure) {
        error = Body(kind: failure.kind.rawValue, message: failure.sentence)
    }
}

private func printJSON(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding structs of strings and numbers cannot fail; if it did, no object would be printed.
    if let data = try? encoder.encode(value) { print(String(decoding: data, as: UTF8.self)) }
}

private func complain(_ failure: Failure) { writeToStandardError("mpin: \(failure.sentence)") }
