// SPDX-License-Identifier: Apache-2.0
// The errors of mpin.conf, and the rules by which it excludes an account.
package import MPinWire

/// What is wrong with the settings, and where.
package struct SettingsError: Error, Equatable, Sendable {
    /// What is wrong at that place.
    package enum Problem: Equatable, Sendable {
        /// The file is missing, or does not have the owner, mode or type that a file of root must have.
        case unreadable(StoreError.Fault)
        case grammar(GrammarError.Reason)
        case key(KeyError.Problem)
        case conflict(Conflict)
    }
    /// Settings that are each valid but cannot be combined.
    package enum Conflict: Equatable, Sendable {
        /// `answer = unsealed` is only for `method = pin`.
        case unsealedNeedsPIN
        /// `answer = unsealed` is only for https.
        case unsealedNeedsHTTPS
        /// There is no such key: the PAM stack decides what to do while the server is away.
        case stackDecides
        /// `remote` and `grace` are for one service: they must be in a section or in the arguments of a
        /// stack.
        case needsSection
        /// The timeout of a connection must not be longer than that of a call.
        case connectTimeoutTooLong
        /// Enrolment never uses plain http.
        case enrolmentNeedsSecrecy
        /// The service has a name that is reserved for other questions (`SealedQuestion.reservedServices`).
        case reservedService
    }
    /// The path of the file; empty for the module's arguments.
    package let file: [UInt8]
    /// The number of the line or of the argument, counted from 1; 0 if the error is not in a line.
    package let line: Int
    /// Empty if the error is not in the value of a key.
    package let key: [UInt8]
    package let problem: Problem

    package init(file: [UInt8], line: Int, key: [UInt8], problem: Problem) {
        self.file = file
        self.line = line
        self.key = key
        self.problem = problem
    }
}

/// The rule that excludes an account.
package enum Rule: Equatable, Sendable { case never, users, groups, networks }
