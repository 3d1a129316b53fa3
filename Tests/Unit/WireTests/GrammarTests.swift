// SPDX-License-Identifier: Apache-2.0
// The grammar of every file: what is parsed, what is refused and where, and that writing is the inverse.
import MPinWire
import Octets
import TestSupport
import Testing

@Suite struct GrammarTests {
    @Test func `sections, entries, comments and blanks are parsed`() throws {
        let sections = try parse(
            ascii(
                "# settings\n\nbackend = unix:/a b\nkey= #1 \n  \t\n[sshd]\n\tmethod =pin phone\t\n[su-l]\nx="
            ))
        #expect(sections.map(\.name) == [nil, ascii("sshd"), ascii("su-l")])
        #expect(sections.map(\.line) == [0, 6, 8])
        #expect(sections[0].entries.map(\.key) == [ascii("backend"), ascii("key")])
        #expect(sections[0].entries.map(\.value) == [ascii("unix:/a b"), ascii("#1")])
        #expect(sections[0].entries.map(\.line) == [3, 4])
        #expect(sections[1].entries.map(\.value) == [ascii("pin phone")])
        #expect(sections[2].entries.map(\.value) == [[]])
    }

    @Test func `an empty file has one empty section`() throws {
        #expect(try parse([]) == [Section(name: nil, entries: [])])
    }

    @Test(arguments: [
        ("a = 1\nnonsense\n", 2, GrammarError.Reason.notALine),
        ("[sshd\n", 1, .notALine), ("[\n", 1, .notALine), ("\n[sshd] x\n", 2, .notALine),
        ("= 1\n", 1, .badKey), ("A = 1\n", 1, .badKey), ("a b = 1", 1, .badKey), ("a_b = 1", 1, .badKey),
        ("å = 1", 1, .badKey), ("[]\n", 1, .badSectionName), ("[ sshd ]\n", 1, .badSectionName),
        ("[a]b]\n", 1, .badSectionName), ("[å]\n", 1, .badSectionName),
        ("[a]\n[b]\n[a]\n", 3, .duplicateSection),
        ("a = 1\r\n", 1, .forbiddenByte), ("# \0\n", 1, .forbiddenByte),
        ("a = 1\n\u{feff}b = 1", 2, .badKey),
    ]) func `a bad line is named`(text: String, line: Int, reason: GrammarError.Reason) {
        #expect(throws: GrammarError(line: line, reason: reason)) { try parse(ascii(text)) }
    }

    @Test(
        arguments: [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func `invalid UTF-8 is refused, also in comments`(octets: [UInt8]) {
        #expect(throws: GrammarError(line: 2, reason: .notUTF8)) {
            try parse(ascii("a = 1\n# ") + octets + ascii("\n"))
        }
    }

    @Test func `a line has 1024 octets at most, a file 65536`() throws {
        #expect(try parse(ascii("k=") + filled(1_022, 0x61)).first?.entries.first?.value.count == 1_022)
        #expect(throws: GrammarError(line: 1, reason: .lineTooLong)) {
            try parse(ascii("k=") + filled(1_023, 0x61))
        }
        #expect(throws: GrammarError(line: 1, reason: .lineTooLong)) { try parse(filled(1_025, 0x23)) }
        #expect(try parse(filled(65_536, 0x0a)).count == 1)
        #expect(throws: GrammarError(line: 0, reason: .tooLong)) { try parse(filled(65_537, 0x0a)) }
    }

    @Test func `a secret value is not copied`() throws {
        let file = ascii("label = x\ntoken =  00ff \n")
        let entries = try unsafe parse(file.span.bytes, leaving: ["token"])[0].entries
        #expect(entries.map(\.value) == [ascii("x"), []])
        #expect([UInt8](file[entries[1].place]) == ascii("00ff"))
    }

    @Test func `written sections can be parsed again`() throws {
        let sections = [
            Section(name: nil, entries: [Entry(key: ascii("mpin-user"), value: ascii("1"))]),
            Section(
                name: ascii("00ff"),
                entries: [
                    Entry(key: ascii("label"), value: ascii("ålice # [x] = y")),
                    Entry(key: ascii("empty"), value: []), Entry(key: ascii("label"), value: ascii("again")),
                ]),
        ]
        let file = try written(sections)
        #expect(
            file == ascii("mpin-user = 1\n[00ff]\nlabel = ålice # [x] = y\nempty = \nlabel = again\n"))
        #expect(try written(parse(file)) == file)
        let longest = [Section(name: nil, entries: [Entry(key: ascii("k"), value: filled(1_022, 0x61))])]
        #expect(try parse(written(longest))[0].entries[0].value == filled(1_022, 0x61))
    }

    @Test(arguments: [
        Entry(key: ascii("label"), value: ascii("x\nremote = yes")),
        Entry(key: ascii("label"), value: ascii("x ")),
        Entry(key: ascii("label"), value: [0xff]), Entry(key: ascii("a=b"), value: ascii("1")),
        Entry(key: [], value: ascii("1")), Entry(key: ascii("# a"), value: ascii("1")),
        Entry(key: ascii(" a"), value: ascii("1")), Entry(key: ascii("k"), value: filled(1_023, 0x61)),
    ]) func `an entry that no file can contain is not written`(entry: Entry) {
        #expect(throws: GrammarError.self) { try written([Section(name: nil, entries: [entry])]) }
    }

    @Test func `an invalid section name is not written`() {
        for name in [[], ascii("a]\nb = 1"), ascii("a b")] {
            #expect(throws: GrammarError.self) { try written([Section(name: name, entries: [])]) }
        }
    }

    @Test func `keys must be known, not repeated, and not missing`() throws {
        let section = try parse(ascii("a = 1\nb = 2\nb = 3\n"))[0]
        #expect(throws: KeyError(line: 2, key: ascii("b"), problem: .unknown)) {
            try section.allow(only: ["a", "c"])
        }
        #expect(throws: KeyError(line: 3, key: ascii("b"), problem: .repeated)) { try section.one("b") }
        #expect(throws: KeyError(line: 0, key: ascii("c"), problem: .missing)) { try section.required("c") }
        #expect(try section.required("a").value == ascii("1"))
        #expect(try section.one("c") == nil)
        #expect(section.all("b").map(\.value) == [ascii("2"), ascii("3")])
        try section.allow(only: ["a", "b"])
    }

    @Test func `random files are refused, or equal after writing and parsing`() throws {
        var generator = SplitMix(seed: 2)
        let signs = ascii("ab-z09 \t=#[]\n\n\nB\r\0å")
        let good = ascii("# x\nbackend = unix:/run/mpind.sock\n[sshd]\nmethod = pin\n[sudo]\ntries = 1\n")
        var accepted = 0
        for _ in 0..<rounds(2_000) {
            let count = Int.random(in: 0...40, using: &generator)
            let random = (0..<count).compactMap { _ in signs.randomElement(using: &generator) }
            for octets in [random, Fuzz.mutated(good, by: &generator), Fuzz.octets(count, by: &generator)] {
                guard let sections = try? parse(octets) else { continue }
                accepted += 1
                let again = try parse(written(sections))
                #expect(again.map(\.name) == sections.map(\.name))
                #expect(again.map { $0.entries.map(\.key) } == sections.map { $0.entries.map(\.key) })
                #expect(again.map { $0.entries.map(\.value) } == sections.map { $0.entries.map(\.value) })
            }
        }
        #expect(accepted > 0)
    }
}

@Suite struct OctetsTests {
    @Test func `hexadecimal is written in lower case and read in either`() {
        #expect(hex([0, 0x9a, 0xff]) == ascii("009aff"))
        #expect(octets(fromHex: ascii("009aFf")) == [0, 0x9a, 0xff])
        #expect(octets(fromHex: []) == [])
        for bad in ["0", "0g", "0x", " 0", "00 ", "é"] { #expect(octets(fromHex: ascii(bad)) == nil) }
        let all = [UInt8](UInt8.min...UInt8.max)
        #expect(octets(fromHex: hex(all)) == all)
    }
}
