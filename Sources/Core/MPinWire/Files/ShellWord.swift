// SPDX-License-Identifier: Apache-2.0
// Quoting for commands that are printed for the user to copy into a shell.
#if !hasFeature(Embedded)
    /// The text as one word for a shell: in single quotes unless it needs no quotes.
    package func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { sign in
            switch sign {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case _: "@._+-/".utf8.contains(sign)
            }
        }
        guard text.isEmpty || !isPlain else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
#endif
