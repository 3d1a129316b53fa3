// SPDX-License-Identifier: Apache-2.0
// How a command ends badly: an exit code, a word for programs, and a sentence that says what to do.

/// Why a command did not do what it was asked. The word goes into JSON, its exit code to the shell.
package enum FailureKind: String {
    /// The server, or the person's answer, said no.
    case refused
    /// Somebody with this uid has no PIN on this host, or no such identity.
    case notEnrolled = "not-enrolled"
    /// mpin.conf, an argument's meaning, or the host's key.
    case settings
    /// The folder of tokens, or a file in it.
    case store
    case unreachable
    case cancelled
    /// Something between this command and the server is not as it must be.
    case broken

    /// The status with which the command ends.
    package var exit: Int32 {
        switch self {
        case .refused, .notEnrolled: 1
        case .settings, .store, .broken: 2
        case .unreachable: 3
        case .cancelled: 4
        }
    }
}

/// A sentence for people, and what kind of trouble it tells of.
package struct Failure: Error, Equatable {
    /// What kind it is.
    package let trouble: FailureKind
    /// What happened and what to do, for a terminal.
    package let sentence: String

    /// A failure of a kind, told by a sentence.
    package init(_ trouble: FailureKind, _ sentence: String) {
        self.trouble = trouble
        self.sentence = sentence
    }

    static let cancelled = Failure(.cancelled, "Cancelled. Nothing was changed.")
    static let impossiblePIN = Failure(.refused, "That cannot be a PIN. Nothing was sent.")
    static let noRandomness = Failure(.broken, "The system's random generator gave nothing.")
    static let outOfMemory = Failure(.broken, "There is not enough memory.")
}

/// The last section of every help text and manual page.
package let exitCodes = """
    EXIT STATUS: 0 done, 1 refused, 2 settings or store, 3 server not reachable, 4 cancelled, 64 usage.
    """
