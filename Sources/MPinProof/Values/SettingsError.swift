// SPDX-License-Identifier: Apache-2.0
// Why the settings of mpin.conf cannot be used, and which of its rules leaves somebody out.
package import MPinWire

/// Where settings are wrong, and how.
package struct SettingsError: Error, Equatable, Sendable {
    /// What is wrong at that place.
    package enum Problem: Equatable, Sendable {
        /// The file is not there, or not as a file of root must be.
        case unreadable(StoreError.Fault)
        case grammar(GrammarError.Reason)
        case key(KeyError.Problem)
        case conflict(Conflict)
    }
    /// Settings that each are right and do not go together.
    package enum Conflict: Equatable, Sendable {
        /// `answer = unsealed` is for `method = pin` alone.
        case unsealedNeedsPIN
        /// `answer = unsealed` is for https alone.
        case unsealedNeedsHTTPS
        /// `unavailable = ignore` in a remote service needs `remote-ignore = yes` beside it.
        case remoteIgnore
        /// `remote` and `grace` are for one service: they stand in a section, or in the arguments of a stack.
        case needsSection
        /// A call may not take less time than its connection.
        case connectTimeoutTooLong
        /// Enrolment never goes over plain http.
        case enrolmentNeedsSecrecy
        /// The service has the name of a question that is no login (`SealedQuestion.reservedServices`).
        case reservedService
    }
    /// Path of the file; empty for the module's arguments.
    package let file: [UInt8]
    /// Counted from 1; in arguments, which one; 0 where no line is to blame.
    package let line: Int
    /// Empty where no key is to blame.
    package let key: [UInt8]
    package let problem: Problem

    package init(file: [UInt8], line: Int, key: [UInt8], problem: Problem) {
        self.file = file
        self.line = line
        self.key = key
        self.problem = problem
    }
}

/// The rule that leaves somebody out.
package enum Rule: Equatable, Sendable { case never, users, groups, networks }
