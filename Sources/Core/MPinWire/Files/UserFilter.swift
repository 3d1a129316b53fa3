// SPDX-License-Identifier: Apache-2.0
// The filter that selects users of a list for an administrator.
#if !hasFeature(Embedded)

    /// Which users of a list are shown; an empty filter shows all.
    package struct UserFilter: Equatable, Sendable {
        /// An empty set stands for all states.
        package var states: Set<AccountState> = []
        /// A name; `*` stands for any characters, `?` for one.
        package var pattern: String?
        /// Shows users who logged in, were registered or were added at this time or later; in seconds since
        /// 1970-01-01 UTC.
        package var since: Int?

        package init() {}

        /// Whether the filter shows users in this state; nil stands for a user without a state.
        package func takes(_ state: AccountState?) -> Bool {
            guard let state else { return states.isEmpty }
            return states.isEmpty || states.contains(state)
        }

        fileprivate func takes(name: String) -> Bool { pattern.map { matches(name, pattern: $0) } ?? true }

        fileprivate func takes(time: Int?) -> Bool {
            guard let since else { return true }
            return time.map { $0 >= since } ?? false
        }
    }

    extension UserList {
        /// The users that a filter shows, each with the registrations that it shows.
        package func filtered(by filter: UserFilter) -> UserList {
            let left = waiting.filter { one in
                filter.takes(.waiting) && filter.takes(name: one.userId) && filter.takes(time: one.since)
            }
            return UserList(users: users.compactMap { $0.filtered(by: filter) }, waiting: left)
        }
    }

    extension UserList.User {
        fileprivate func filtered(by filter: UserFilter) -> UserList.User? {
            guard filter.takes(name: userId) else { return nil }
            let taken = identities.filter { identity in
                filter.takes(identity.state)
                    && filter.takes(time: [identity.lastLogin, identity.registered].compactMap(\.self).max())
            }
            // A user without a registration, or with an open activation code, can be shown by their own
            // state.
            let isOwn =
                identities.isEmpty && filter.takes(state)
                || codeExpires != nil && filter.takes(codeState)
            guard !taken.isEmpty || isOwn && filter.takes(time: added) else { return nil }
            var user = UserList.User(userId: userId, identities: taken, codeExpires: codeExpires)
            (user.state, user.added, user.revoked, user.suspended) = (state, added, revoked, suspended)
            return user
        }
    }

    /// Whether a name matches a pattern with `*` and `?`, compared character by character (Unicode scalars).
    package func matches(_ name: String, pattern: String) -> Bool {
        let (signs, wanted) = (Array(name.unicodeScalars), Array(pattern.unicodeScalars))
        var (sign, want) = (0, 0)
        // The position of the last star, and up to which character it matches so far.
        var star: (want: Int, sign: Int)?
        while sign < signs.count {
            if want < wanted.count, wanted[want] == "*" {
                star = (want, sign)
                want += 1
            } else if want < wanted.count, wanted[want] == "?" || wanted[want] == signs[sign] {
                sign += 1
                want += 1
            } else if let last = star {
                star = (last.want, last.sign + 1)
                (want, sign) = (last.want + 1, last.sign + 1)
            } else {
                return false
            }
        }
        return wanted[want...].allSatisfy { $0 == "*" }
    }
#endif
