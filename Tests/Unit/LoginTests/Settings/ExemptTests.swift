// SPDX-License-Identifier: Apache-2.0
// `exempt-users`, `exempt-groups` and `exempt-from` of mpin.conf: how they are read, and whom they exempt.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

private let minimum = "backend = unix:/run/mpind.sock\n"

private func read(_ text: String, service: String = "sshd") throws(SettingsError) -> Settings {
    try Settings(
        text: Array((minimum + text).utf8), file: Array("mpin.conf".utf8), service: Array(service.utf8))
}

private func fault(_ text: String) -> SettingsError? {
    do throws(SettingsError) {
        _ = try read(text)
        return nil
    } catch { return error }
}

private let root = Account(uid: 0, gid: 0, name: Array("root".utf8))
private let key = "publickey ssh-ed25519 AAAA\n"

/// A login by sshd, or a local login if no address is given.
private func context(
    _ account: Account?, from rhost: String? = "192.0.2.7", authInfo: String? = nil, tty: String = "ssh"
) -> LoginContext {
    LoginContext(
        service: Array("sshd".utf8), account: account, rhost: rhost.map { Array($0.utf8) },
        tty: rhost == nil ? nil : Array(tty.utf8), authInfo: authInfo.map { Array($0.utf8) },
        realUID: 1_001)
}

@Suite struct `An exemption` {
    @Test func `applies to no login by default, nor with the value none`() throws {
        for text in ["", "exempt-users = none\nexempt-groups = none\nexempt-from = none"] {
            let settings = try read(text)
            #expect(!settings.exempts && settings.exemptUsers == [] && settings.exemptGroups == [])
            #expect(settings.exemptFrom == [] && settings.grace == 0)
            #expect(try settings.exemption(in: context(alice)) == nil)
        }
        let settings = try read("exempt-users = alice\n[sshd]\nexempt-users = none")
        #expect(try settings.exemption(in: context(alice)) == nil)
    }

    @Test(arguments: [
        ("exempt-users", ""), ("exempt-users", "all"), ("exempt-users", "alice all"), ("exempt-users", "!"),
        ("exempt-groups", "all"), ("exempt-groups", ""), ("exempt-from", "all"), ("exempt-from", ""),
        ("exempt-from", "192.0.2.0/33"), ("exempt-from", "gateway.example.org"), ("exempt-from", "none all"),
        ("exempt-from", "192.0.2.7 none"), ("exempt-from", "192.0.2"), ("exempt-users", "!bob"),
        ("exempt-groups", "!bob !al*"), ("exempt-from", "!192.0.2.0/24"),
    ])
    func `with a bad value is refused, with its key and line`(_ key: String, _ value: String) throws {
        let error = try #require(fault("\(key) = \(value)"))
        #expect(error.key == Array(key.utf8) && error.problem == .key(.badValue) && error.line == 2)
    }

    @Test(
        arguments: [
            ("exempt-users = alice", Exemption.users), ("exempt-users = al*", .users),
            ("exempt-users = bob", nil), ("exempt-users = Alice", nil), ("exempt-users = * !alice", nil),
            ("exempt-users = * !root", .users), ("exempt-from = 192.0.2.0/24", .from),
            ("exempt-from = 192.0.2.0/30", nil), ("exempt-from = 192.0.2.4/30", .from),
            ("exempt-from = 192.0.2.7", .from), ("exempt-from = 192.0.2.6 2001:db8::/32", nil),
            ("exempt-from = 0.0.0.0/0 !192.0.2.7", nil), ("exempt-from = ::/0", nil),
            ("exempt-users = bob\nexempt-from = 192.0.2.7", .from),
            ("users = bob\nexempt-users = alice", .users), ("[sshd]\nexempt-users = alice", .users),
            ("[sudo]\nexempt-users = alice", nil),
        ] as [(String, Exemption?)])
    func `is named after the first list that matches the login`(_ text: String, _ wanted: Exemption?) throws {
        #expect(try read(text).exemption(in: context(alice)) == wanted)
    }

    @Test func `by group applies to the members of the group`() throws {
        let settings = try read("exempt-groups = root")
        #expect(try settings.exemption(in: context(root, from: nil)) == .groups)
        #expect(try settings.exemption(in: context(alice)) == nil)
        // This account is in a group without a name.
        let stray = Account(uid: 4_711, gid: 4_294_967_000, name: Array("no-such-account".utf8))
        let excluding = try read("exempt-groups = * !root")
        #expect(throws: ExemptionFault.self) { try excluding.exemption(in: context(stray)) }
        #expect(excluding.unasked(in: context(stray), mayLetIn: true, before: nil) == nil)
    }

    @Test(
        arguments: [
            ("exempt-users = alice no-such-account", Exemption.users, "no-such-account"),
            ("exempt-users = * !no-such-account", .users, "no-such-account"),
            ("exempt-groups = no-such root", .groups, "no-such"),
            ("exempt-groups = root \"no such\"", .groups, "no such"),
        ] as [(String, Exemption, String)])
    func `by a list with an unknown name applies to nobody`(
        _ line: String, _ key: Exemption, _ name: String
    ) throws {
        let settings = try read(line)
        let who = key == .users ? context(alice) : context(root, from: nil)
        #expect(throws: ExemptionFault.unknownName(key, Array(name.utf8))) { try settings.exemption(in: who) }
        var noted: ExemptionFault?
        #expect(settings.unasked(in: who, mayLetIn: true, before: nil) { noted = $0 } == nil)
        #expect(noted == .unknownName(key, Array(name.utf8)))
        // Nobody else notices.
        let other = Account(uid: 4_712, gid: 4_712, name: Array("another".utf8))
        if !line.contains("*") { #expect(try settings.exemption(in: context(other)) == nil) }
    }

    @Test(arguments: [
        ("192.0.2.0/25", "192.0.2.127", true), ("192.0.2.0/25", "192.0.2.128", false),
        ("192.0.2.0/25", "192.0.1.255", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("192.0.2.0/24", "::ffff:192.0.2.1", true),
        ("192.0.2.0/24", "gateway.example.org", false), ("192.0.2.0/24", "", false),
    ])
    func `by address applies up to the edges of the network`(
        _ list: String, _ rhost: String, _ isExempt: Bool
    )
        throws
    {
        let found = try read("exempt-from = \(list)").exemption(in: context(alice, from: rhost))
        #expect(found == (isExempt ? .from : nil))
    }

    @Test func `by address does not apply to local logins, and needs no account`() throws {
        let settings = try read("exempt-from = 0.0.0.0/0")
        #expect(try settings.exemption(in: context(alice, from: nil)) == nil)
        #expect(try settings.exemption(in: context(nil)) == .from)
        #expect(try read("exempt-users = *\nexempt-groups = *").exemption(in: context(nil)) == nil)
    }

    @Test func `never applies to a remote login of root, whatever never lists`() throws {
        let lists = "exempt-users = *\nexempt-groups = *\nexempt-from = 0.0.0.0/0\n"
        for never in ["", "never = none", "never = bob"] {
            let settings = try read(lists + never)
            #expect(try settings.exemption(in: context(root, authInfo: key)) == nil, "\(never)")
            #expect(settings.unasked(in: context(root, authInfo: key), mayLetIn: true, before: nil) == nil)
            #expect(try settings.exemption(in: context(root, from: nil)) == .users)
        }
    }

    @Test func `does not apply to accounts in never, locally or remotely`() throws {
        let settings = try read("exempt-users = *\nexempt-from = 0.0.0.0/0\nnever = 4711 root")
        #expect(try settings.exemption(in: context(alice)) == nil)
        #expect(try settings.exemption(in: context(alice, from: nil)) == nil)
        #expect(try settings.exemption(in: context(root, from: nil)) == nil)
    }

    @Test func `grants a login with a key that sshd accepted, and otherwise leaves it to the stack`() throws {
        let settings = try read("exempt-users = alice")
        func ending(_ context: LoginContext, mayLetIn: Bool = true) -> Unasked? {
            settings.unasked(in: context, mayLetIn: mayLetIn, before: nil)
        }
        #expect(ending(context(alice, authInfo: key)) == .exempt(.users, byKey: true))
        #expect(ending(context(alice, authInfo: key))?.letsIn == true)
        for other in [
            context(alice), context(alice, authInfo: "password"), context(alice, from: nil, authInfo: key),
            context(alice, authInfo: key, tty: "pts/1"),
        ] {
            #expect(ending(other) == .exempt(.users, byKey: false))
            #expect(ending(other)?.letsIn == false)
        }
        // With its method `password`, sshd answers every prompt itself.
        #expect(ending(context(alice, authInfo: key), mayLetIn: false) == .exempt(.users, byKey: false))
    }
}
