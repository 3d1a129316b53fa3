// SPDX-License-Identifier: Apache-2.0
// Properties of a terminal: its size, its locale, and the drawing that follows from them.
import MPinConsole
import Testing

@Suite struct DisplayTests {
    @Test(arguments: [
        ((0, 0), (80, 24)), ((120, 0), (120, 24)), ((0, 40), (80, 40)), ((132, 43), (132, 43)),
    ])
    func `the assumed size replaces a size that the kernel does not know`(size: (Int, Int), known: (Int, Int))
    {
        let display = Display(size: size, isUTF8: false, assumed: (80, 24))
        #expect((display.columns, display.rows) == known)
    }

    @Test func `UTF-8 is drawn in half blocks, everything else in ASCII`() {
        #expect(Display(size: (80, 24), isUTF8: true, assumed: (80, 24)).drawing == .utf8)
        #expect(Display(size: (80, 24), isUTF8: false, assumed: (80, 24)).drawing == .ascii)
    }

    @Test func `a terminal behind sshd is assumed to use UTF-8`() {
        let display = Display(assumed: (100, 30))
        #expect(display == Display(size: (100, 30), isUTF8: true, assumed: (80, 24)))
        #expect(display.drawing == .utf8)
    }

    @Test(arguments: [
        ("", "", "", false), ("", "", "C", false), ("", "", "en_GB", false), ("", "", "en_GB.UTF-8", true),
        ("", "", "C.utf8", true), ("", "C.UTF-8", "C", true), ("C", "C.UTF-8", "C.UTF-8", false),
        ("POSIX", "", "de_DE.UTF-8", false), ("ru_RU.KOI8-R", "", "", false),
        ("sr_RS.UTF-8@latin", "", "", true),
        ("de_DE@euro", "", "", false), ("de_DE.ISO-8859-15@euro", "", "", false),
        ("", "en_GB.UTF8", "", true),
        ("UTF-8", "", "", false), ("a.utf-16", "", "", false), ("a.utf80", "", "", false),
    ])
    func `the first variable that is set decides`(all: String, ctype: String, lang: String, is: Bool) {
        let found = isUTF8Locale(
            lcAll: Array(all.utf8), lcCType: Array(ctype.utf8), lang: Array(lang.utf8))
        #expect(found == `is`)
    }
}
