// SPDX-License-Identifier: Apache-2.0
// What all commands have in common: a report for people or for programs, or a failure told as both.
import ArgumentParser
import CPlatform
import FoundationEssentials

/// What a command has to tell when it did its work.
protocol Report: Encodable {
    /// For people.
    var lines: [String] { get }
    /// What went wrong although there is something to tell.
    var failures: [Failure] { get }
    /// The status that the command ends with; nil is 0.
    var exit: Int32? { get }
}

extension Report {
    var failures: [Failure] { [] }
    var exit: Int32? { failures.map(\.trouble.exit).max() }
}

protocol Command: ParsableCommand {
    associatedtype Done: Report
    var output: OutputOptions { get }
    func act() throws(Failure) -> Done
}

extension Command {
    func run() throws {
        let done: Done
        do { done = try act() } catch {
            if output.json { printJSON(ErrorReport(error)) }
            complain(error)
            throw ExitCode(error.trouble.exit)
        }
        if output.json { printJSON(done) } else { for line in done.lines { print(line) } }
        // A password or code that nobody saw is none.
        guard fflush(nil) == 0 else {
            complain(Failure(.broken, "The work is done, but its output cannot be written."))
            throw ExitCode(FailureKind.broken.exit)
        }
        for failure in done.failures { complain(failure) }
        if let exit = done.exit { throw ExitCode(exit) }
    }
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object on standard output.")
    var json = false
}

/// What `--json` prints for a failure: the sentence of standard error, and a word for its kind.
private struct ErrorReport: Encodable {
    struct Body: Encodable {
        let kind: String
        let message: String
    }
    let error: Body

    init(_ failure: Failure) {
        error = Body(kind: failure.trouble.rawValue, message: failure.sentence)
    }
}

private func printJSON(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding structs of strings and numbers cannot fail; were it to, programs would see no object.
    if let data = try? encoder.encode(value) { print(String(decoding: data, as: UTF8.self)) }
}

private func complain(_ failure: Failure) { say("mpin: \(failure.sentence)") }

/// A line on standard error.
func say(_ line: String) {
    let octets = [UInt8](line.utf8) + [0x0a]
    _ = unsafe octets.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
