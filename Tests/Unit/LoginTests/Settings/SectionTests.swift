// SPDX-License-Identifier: Apache-2.0
// Which section of mpin.conf holds for a service, and names with blanks in its lists.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

@Suite struct `Settings in sections` {
    @Test(
        arguments: [
            ("su", [], "su"), ("su-l", [], "su"), ("sudo-i", [], nil), ("cron", [], nil),
            ("xyz", ["section=su"], "su"), ("su-l", ["section=su-l"], "su"), ("xyz", ["section=su-l"], "su"),
            ("deep", ["section=su"], "deep"), ("xyz", ["section=deep"], "deep"), ("xyz", ["section=no"], nil),
            ("su-l", ["section=deep"], "deep"), ("xyz", ["service=su-l"], "su"),
        ] as [(String, [String], String?)])
    func `have one section: the service's own, that of the stack, or that of sudo or su`(
        _ service: String, _ arguments: [String], _ section: String?
    ) throws {
        let text = leastSettings + "tries = 5\nhelp = all\n[deep]\ntries = 4\n[su]\ntries = 2\nhelp = su\n"
        let settings = try readSettings(text, arguments, service: service)
        #expect(settings.section == section.map { Array($0.utf8) })
        #expect(settings.tries == (section == "su" ? 2 : section == "deep" ? 4 : 5))
        // Keys of other sections do not count, not even those of the sibling's.
        #expect(settings.help == Array((section == "su" ? "su" : "all").utf8))
    }

    @Test(arguments: [["section="], ["section"], ["section=a", "section=b"]])
    func `take the name of a stack once`(_ arguments: [String]) throws {
        let error = try #require(settingsFault(leastSettings, arguments))
        #expect(error.file == [] && error.key == Array("section".utf8))
    }

    @Test(
        arguments: [
            ("a b", ["a", "b"]), ("\"a b\"", ["a b"]), ("!\"a b\" c", ["!a b", "c"]), ("a\" \"b", ["a b"]),
            (" \t\"a\tb\"\t", ["a\tb"]), ("\"a", nil), ("a b\"", nil), ("\"\"", [""]), ("", []),
            ("\"a\"\"b\"", ["ab"]), ("'a b'", ["'a", "b'"]),
        ] as [(String, [String]?)])
    func `of names take a name with blanks in quotes`(_ value: String, _ wanted: [String]?) throws {
        #expect(listItems(Array(value.utf8)) == wanted.map { $0.map { Array($0.utf8) } })
        for key in ["never", "users", "groups", "exempt-users", "exempt-groups", "qr-off-users"] {
            let found = settingsFault(leastSettings + "\(key) = \(value)")
            let isGood = wanted.map { !$0.isEmpty && !$0.contains("") } ?? false
            #expect(found?.key == (isGood ? nil : Array(key.utf8)))
        }
    }
}
