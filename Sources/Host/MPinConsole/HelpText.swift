// SPDX-License-Identifier: Apache-2.0
// The help and usage of a program, wrapped to the width of the terminal.
import CPlatform

#if !hasFeature(Embedded)
    /// A help text as ArgumentParser makes it: it wraps the options, but neither the usage nor paragraphs
    /// that have line breaks of their own.
    package enum HelpText {
        /// The width of the terminal: COLUMNS if it is set, else that of standard output; 80 if there is
        /// none.
        private static var columns: Int {
            if let said = unsafe mpin_getenv(Array("COLUMNS".utf8) + [0]),
                let columns = unsafe Int(String(cString: said)), columns > 0
            {
                return columns
            }
            var size = winsize()
            let isTerminal = unsafe mpin_terminal_size(STDOUT_FILENO, &size) == 0
            return isTerminal && size.ws_col > 0 ? Int(size.ws_col) : 80
        }

        /// The text that `make` gives for the width of the terminal, with overview and usage wrapped; any
        /// other text stays as it is.
        package static func wrapped(_ make: (_ columns: Int) -> String) -> String {
            let columns = columns
            let text = make(columns)
            var lines: [String] = []
            var paragraph = ""
            var isOverview = text.hasPrefix("OVERVIEW: ")
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
                let isUsage = line.lowercased().hasPrefix("usage: ")
                isOverview = isOverview && !isUsage
                // Lines that begin with a blank stand as they were written.
                if isOverview, !line.isEmpty, !line.hasPrefix(" ") {
                    paragraph += paragraph.isEmpty ? line : " " + line
                    continue
                }
                lines += wrapped(paragraph.split(separator: " "), to: columns, indent: 0)
                paragraph = ""
                lines += isUsage ? wrapped(parts(line), to: columns, indent: 7) : [line]
            }
            return (lines + wrapped(paragraph.split(separator: " "), to: columns, indent: 0))
                .joined(separator: "\n")
        }

        /// The words of a usage line; what stands in one pair of brackets is one word.
        private static func parts(_ usage: String) -> [Substring] {
            var parts: [Substring] = []
            var depth = 0
            var start = usage.startIndex
            for index in usage.indices {
                switch usage[index] {
                case "[", "(", "<": depth += 1
                case "]", ")", ">": depth -= 1
                case " " where depth == 0:
                    parts.append(usage[start..<index])
                    start = usage.index(after: index)
                default: break
                }
            }
            return (parts + [usage[start...]]).filter { !$0.isEmpty }
        }

        private static func wrapped(_ words: [Substring], to columns: Int, indent: Int) -> [String] {
            var lines: [String] = []
            for word in words {
                if let last = lines.last, last.count + 1 + word.count <= columns {
                    lines[lines.count - 1] += " " + word
                } else {
                    lines.append((lines.isEmpty ? "" : String(repeating: " ", count: indent)) + word)
                }
            }
            return lines
        }
    }
#endif
