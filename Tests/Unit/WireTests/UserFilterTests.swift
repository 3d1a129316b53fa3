// SPDX-License-Identifier: Apache-2.0
// Which entries the filters of `mpind user list` keep.
import MPinWire
import Octets
import TestSupport
import Testing

@Suite struct UserFilterTests {
    private func identity(
        _ id: UInt8, _ state: AccountState, registered: Int = 10, lastLogin: Int? = nil
    ) -> UserList.Identity {
        var identity = UserList.Identity(id: [id])
        (identity.state, identity.registered, identity.lastLogin) = (state, registered, lastLogin)
        return identity
    }

    private func user(
        _ name: String, _ state: AccountState, _ identities: [UserList.Identity] = [],
        codeExpires: Int? = nil
    ) -> UserList.User {
        var user = UserList.User(userId: name, identities: identities, codeExpires: codeExpires)
        (user.state, user.added) = (state, 5)
        return user
    }

    private var list: UserList {
        UserList(
            users: [
                user("alice", .active, [identity(1, .active, lastLogin: 90), identity(2, .revoked)]),
                user("bob", .suspended, [identity(3, .suspended, lastLogin: 20)]),
                user("carol", .waiting, codeExpires: 99),
                user("dave", .active, [identity(4, .active)], codeExpires: 99),
                user("erin", .waiting), user("gina", .suspended, codeExpires: 99),
            ],
            waiting: [.init(id: [9], userId: "frank", source: "192.0.2.1", since: 50, expires: 99)])
    }

    private func told(_ change: (inout UserFilter) -> Void) -> [String] {
        var filter = UserFilter()
        change(&filter)
        let taken = list.filtered(by: filter)
        let users = taken.users.map { user in
            ([user.userId] + user.identities.map { String($0.id.text.prefix(2)) }).joined(separator: " ")
        }
        return users + taken.waiting.map(\.userId)
    }

    @Test func `without a filter the list is unchanged`() {
        #expect(list.filtered(by: UserFilter()) == list)
    }

    @Test func `several states may be given`() {
        #expect(told { $0.states = [.active] } == ["alice 01", "dave 04"])
        #expect(told { $0.states = [.revoked, .suspended] } == ["alice 02", "bob 03", "gina"])
        #expect(told { $0.states = [.waiting] } == ["carol", "dave", "erin", "frank"])
        #expect(told { $0.states = [.blocked] } == [])
    }

    @Test func `names are matched by a pattern`() {
        #expect(told { $0.pattern = "*a*" } == ["alice 01 02", "carol", "dave 04", "gina", "frank"])
        #expect(told { $0.pattern = "???" } == ["bob 03"])
        #expect(told { $0.pattern = "Alice" } == [])
    }

    @Test func `a time excludes what is older`() {
        #expect(told { $0.since = 50 } == ["alice 01", "frank"])
        #expect(told { $0.since = 5 }.count == 7)
        #expect(told { $0.since = 91 } == [])
    }

    @Test(arguments: [
        ("alice", "alice", true), ("alice", "", false), ("", "", true), ("", "*", true), ("", "?", false),
        ("alice@a.org", "*@a.org", true), ("alice@a.org", "*@b.org", false), ("aaab", "*ab", true),
        ("aXbXc", "a*X?", true), ("aXbXc", "a*b", false), ("ab", "a**b", true), ("a*b", "a*b", true),
        ("axb", "a?b", true), ("ab", "a?b", false), ("caf\u{e9}", "caf?", true), ("ab", "abc", false),
        (String(repeating: "a", count: 64), String(repeating: "a*", count: 32) + "b", false),
    ]) func `star and question mark are wildcards`(_ name: String, _ pattern: String, _ fits: Bool) {
        #expect(matches(name, pattern: pattern) == fits)
    }
}
