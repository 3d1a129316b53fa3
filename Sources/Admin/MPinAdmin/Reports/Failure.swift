// SPDX-License-Identifier: Apache-2.0
// How a command fails: an exit status, a word for programs, and a sentence that says what to do.
import MPinSystem
import MPinProof
import Octets

/// The kind of a failure. Its raw value stands in JSON; its exit status goes to the shell.
package enum FailureKind: String {
    /// The server refused, or the user's answer is not acceptable.
    case refused
    /// The account has no PIN on this host, or no such identity.
    case notEnrolled = "not-enrolled"
    /// The fault is in mpin.conf, in the meaning of an argument, or in the host key.
    case settings
    /// The fault is in the store, or in a file in it.
    case store
    case unreachable
    case cancelled
    /// Something between this command and the server does not work as it must.
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

/// Why a command did not do its work: a kind, and a sentence for people.
package struct Failure: Error, Equatable {
    /// The kind of failure.
    package let kind: FailureKind
    /// What happened and what to do, for a terminal.
    package let sentence: String

    /// A failure of a kind, explained by a sentence.
    package init(_ kind: FailureKind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    /// The result of work in the store, whose error becomes a failure.
    @discardableResult
    static func ofStore<Result: ~Copyable>(
        _ work: @autoclosure () throws(StoreError) -> Result
    ) throws(Failure) -> Result {
        do { return try work() } catch { throw Failure(error) }
    }

    /// The same of work with a file of this host.
    @discardableResult
    static func ofFile<Result: ~Copyable>(
        _ work: @autoclosure () throws(HostFileError) -> Result
    ) throws(Failure) -> Result {
        do { return try work() } catch { throw Failure(error) }
    }

    /// The file at a path, or a new one if there is none.
    static func fileOrNew(_ path: String) throws(Failure) -> HostFile {
        try ofFile(HostFile.ifThere(path)) ?? HostFile(new: path)
    }

    static let cancelled = Failure(.cancelled, "Cancelled. Nothing was changed.")
    static let impossiblePIN = Failure(.refused, "That cannot be a PIN. Nothing was sent.")
    static let noRandomness = Failure(.broken, "The system's random number generator failed.")
    static let outOfMemory = Failure(.broken, "There is not enough memory.")
}

/// The last section of every help text and manual page.
package let exitCodes = """
    EXIT STATUS: 0 done, 1 refused, 2 settings or store, 3 server not reachable, 4 cancelled, 64 usage.
    """
