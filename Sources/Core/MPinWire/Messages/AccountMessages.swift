// SPDX-License-Identifier: Apache-2.0
// Messages of the administrator's socket about the state of users: states, suspensions, wrong tries.
#if !hasFeature(Embedded)

    /// The state of a user or of one registration. If several apply, it is the one that lasts longest.
    package enum AccountState: String, Codable, CaseIterable, Sendable {
        case active
        /// Waits for an enrolment or for `mpind user confirm`.
        case waiting
        case suspended
        /// Locked after wrong PINs, at least from some sources.
        case locked
        /// Blocked after too many wrong PINs, until `mpind user unlock`.
        case blocked
        case revoked
    }

    /// POST users/suspend: until `until` (in seconds since 1970-01-01 UTC), or for `seconds` from now;
    /// without both, until users/resume.
    package struct SuspendRequest: Codable, Equatable, Sendable {
        package let userId: String
        package var until: Int?
        package var seconds: Int?
        /// A text for administrators, at most 200 octets.
        package var reason: String?

        package init(userId: String) { self.userId = userId }
    }

    /// The response of users/suspend, and a suspension in the list of users.
    package struct SuspensionMessage: Codable, Equatable, Sendable {
        package let since: Int
        /// Absent if the suspension lasts until users/resume.
        package let until: Int?
        package let reason: String?

        package init(since: Int, until: Int?, reason: String?) {
            (self.since, self.until, self.reason) = (since, until, reason)
        }
    }

    /// The wrong tries since the last granted login. `last` is the time of the last one, in seconds since
    /// 1970-01-01 UTC, and `lastFrom` its source.
    package struct WrongTriesMessage: Codable, Equatable, Sendable {
        package let count: Int
        package let last: Int
        package let lastFrom: String

        package init(count: Int, last: Int, lastFrom: String) {
            (self.count, self.last, self.lastFrom) = (count, last, lastFrom)
        }
    }
#endif
