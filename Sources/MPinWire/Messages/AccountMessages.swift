// SPDX-License-Identifier: Apache-2.0
// Messages of the administrator's socket about how people stand: states, suspensions, wrong tries.
#if !hasFeature(Embedded)

    /// How somebody, or one registration, stands; the one that keeps out longest is told.
    package enum AccountState: String, Codable, CaseIterable, Sendable {
        case active
        /// For an enrolment, or for `mpind user confirm`.
        case waiting
        case suspended
        /// After wrong PINs, from some sources at least.
        case locked
        /// After too many of them, until `mpind user unlock`.
        case blocked
        case revoked
    }

    /// POST users/suspend: `until` in seconds since 1970, or `seconds` from now; neither: until users/resume.
    package struct SuspendRequest: Codable, Equatable, Sendable {
        package let userId: String
        package var until: Int?
        package var seconds: Int?
        /// For administrators: 200 octets of text at most.
        package var reason: String?

        package init(userId: String) { self.userId = userId }
    }

    /// The answer of users/suspend, and what the list says of who is.
    package struct SuspensionMessage: Codable, Equatable, Sendable {
        package let since: Int
        /// Absent: until users/resume.
        package let until: Int?
        package let reason: String?

        package init(since: Int, until: Int?, reason: String?) {
            (self.since, self.until, self.reason) = (since, until, reason)
        }
    }

    /// Wrong tries since the last granted login.
    package struct WrongTriesMessage: Codable, Equatable, Sendable {
        package let count: Int
        package let last: Int
        package let lastFrom: String

        package init(count: Int, last: Int, lastFrom: String) {
            (self.count, self.last, self.lastFrom) = (count, last, lastFrom)
        }
    }
#endif
