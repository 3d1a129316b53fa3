// SPDX-License-Identifier: Apache-2.0
// Messages for administrators: why a settings file is refused.

extension GrammarError.Reason {
    /// The end of a sentence that begins with the file and the line.
    package var sentence: StaticString {
        switch self {
        case .tooLong: "the file is longer than 64 KiB."
        case .lineTooLong: "the line is longer than 1024 bytes."
        case .notUTF8: "the line is not UTF-8."
        case .forbiddenByte: "the line has a NUL or a carriage return in it."
        case .notALine: "this is neither a comment nor a [section] nor 'key = value'."
        case .badKey: "a key may have only the letters a to z, digits and hyphens."
        case .badSectionName: "this cannot be the name of a section."
        case .duplicateSection: "an earlier section has the same name."
        }
    }
}
