// SPDX-License-Identifier: Apache-2.0
// Lines of the server's log: whatever a value contains, a record is one line, in text and in JSON.
import FoundationEssentials
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct LogFormatTests {
    private let hostile = "a\" source=\"192.0.2.1\\\n\u{1b}\u{202e}é"

    @Test func `a line of text has an event, pairs and a sentence`() {
        let fields = [LogField("source", "192.0.2.1"), LogField("attempt", ""), LogField("status", 401)]
        #expect(LogFormat.text.line("request", fields) == #"request source="192.0.2.1" status="401""#)
        #expect(
            LogFormat.text.line("refused", [LogField("why", "handshake")], sentence: "It failed.")
                == #"refused why="handshake". It failed."#)
        #expect(LogFormat.text.line("warning", [], sentence: "It ends.") == "warning: It ends.")
        #expect(LogFormat.text.line("stopped", []) == "stopped")
    }

    @Test func `a line of JSON has the same names, in the same order`() {
        let fields = [LogField("source", "192.0.2.1"), LogField("attempt", ""), LogField("status", 401)]
        #expect(
            LogFormat.json.line("request", fields)
                == #"{"event":"request","source":"192.0.2.1","status":401}"#)
        #expect(
            LogFormat.json.line("refused", [LogField("why", "handshake")], sentence: "It \"failed\".")
                == #"{"event":"refused","why":"handshake","message":"It \"failed\"."}"#)
        #expect(LogFormat.json.line("stopped", []) == #"{"event":"stopped"}"#)
    }

    @Test func `a field that may occur twice is an array in JSON`() {
        let one = [LogField("listen", "unix:/a")]
        #expect(LogFormat.json.line("ready", one) == #"{"event":"ready","listen":["unix:/a"]}"#)
        let more = one + [LogField("role", "dta1"), LogField("listen", "[::]:443")]
        #expect(
            LogFormat.json.line("ready", more)
                == #"{"event":"ready","listen":["unix:/a","[::]:443"],"role":"dta1"}"#)
    }

    @Test(arguments: [LogFormat.text, .json])
    func `a value can forge neither a line nor another value`(_ format: LogFormat) throws {
        let line = format.line("request", [LogField("user", hostile), LogField("source", "local:0")])
        #expect(line.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        guard format == .json else {
            #expect(line.hasPrefix(#"request user="a\042\040source=\042192.0.2.1\134\012\033"#))
            #expect(line.hasSuffix(#"" source="local:0""#))
            return
        }
        #expect(try object(line) == ["event": "request", "user": hostile, "source": "local:0"])
    }

    @Test(arguments: [LogFormat.text, .json])
    func `a value is cut after 64 octets, and a sentence is not`(_ format: LogFormat) {
        let long = String(repeating: "x", count: 99)
        #expect(format.line("e", [LogField("k", long)]).filter { $0 == "x" }.count == 64)
        #expect(format.line("e", [], sentence: long).filter { $0 == "x" }.count == 99)
    }

    @Test(arguments: [LogFormat.text, .json])
    func `a value of the settings is whole, however long it is`(_ format: LogFormat) {
        let book =
            "postgresql://_mpind-ta@db.example.org/mpind?hostaddr=192.0.2.7&sslrootcert=/etc/mpin/ca.pem"
        let line = format.line("ready", [LogField("book", setting: book)])
        #expect(line.contains(book))
    }

    @Test func `a character that is cut in the middle leaves valid JSON`() throws {
        let line = LogFormat.json.line("e", [LogField("k", String(repeating: "€", count: 30))])
        #expect(try object(line)["k"] == String(repeating: "€", count: 21) + "\u{fffd}")
    }

    @Test func `the setting chooses the format, and text is the default`() throws {
        #expect(try settings("").logFormat == .text)
        #expect(try settings("log-format = text").logFormat == .text)
        #expect(try settings("log-format = json").logFormat == .json)
        #expect(try settings("role = dta1\nrps-credentials = /c\nlog-format = json").logFormat == .json)
        for text in ["log-format = xml", "log-format =", "log-format = json\nlog-format = json"] {
            let error = #expect(throws: SetupError.self) { try settings(text) }
            #expect(error?.description.contains("`log-format`") == true)
        }
    }
}

private func object(_ line: String) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
}
