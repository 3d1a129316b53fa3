// SPDX-License-Identifier: Apache-2.0
// `mpin allow`: lets an identity that was registered elsewhere log in to an account, or gives one a new
// label.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

/// The authentication method of an identity.
package enum WayName: String, CaseIterable {
    /// By a PIN on this host.
    case pin
    /// By a second device.
    case phone
}

/// The permission for an identity to log in to an account, with a label.
package struct Allowance {
    private let user: String
    private let identity: String
    private let way: WayName
    private let label: String

    /// A permission for `identity`, given by its 64 hex digits, or by the first eight if the account has it
    /// already.
    package init(of identity: String, to user: String, by way: WayName, label: String) {
        (self.user, self.identity, self.way, self.label) = (user, identity, way, label)
    }

    /// Writes the identity into the store, or gives it the label if it is there. `given` is the folder of the
    /// store; nil: the usual one. Throws if the method does not match, or there is no such account.
    package func write(to given: [UInt8]?) throws(Failure) -> AllowReport {
        let account = try findAccount(user)
        let label = try readLabel(label)
        let store = try openStore(given ?? Settings.standardStore)
        let host = try hostName(store)
        let known = try knownIdentity(of: account, host, in: store, given)
        let identity: Identity
        if let known { identity = known } else { identity = try newIdentity(label, given) }
        do throws(StoreError) {
            if known == nil {
                try store.add(identity, of: account, host: host)
            } else {
                try store.relabel(identity.id, label, of: account, host: host)
            }
        } catch { throw Failure(error) }
        return try readUser(account.uid, named: user, in: store) { file throws(Failure) in
            AllowReport(
                user: String(decoding: file.name, as: UTF8.self), uid: file.uid,
                identity: IdentityReport(try namedIdentity(hexText(identity.id), in: file)))
        }
    }

    /// The identity if the account has it already; throws if it has another method.
    private func knownIdentity(
        of account: Account, _ host: [UInt8], in store: borrowing FileStore, _ given: [UInt8]?
    ) throws(Failure) -> Identity? {
        let file = try Failure.ofStore(store.user(account, host: host))
        guard let file else { return nil }
        let known: Identity
        do { known = try namedIdentity(identity, in: file) } catch {
            guard error.kind == .notEnrolled else { throw error }
            return nil
        }
        guard (known.pin == nil) == (way == .phone) else {
            throw Failure(
                .settings,
                known.pin == nil
                    ? "\(shown(identity)) is a second device, and cannot become a PIN of this host. "
                        + ServerPlace(store: given, of: user).enrolmentAdvice
                    : "\(shown(identity)) is a PIN on this host. Remove it first: 'sudo mpin remove "
                        + "\(shellWord(shown(user))) --identity \(shellWord(shown(identity)))'.")
        }
        return known
    }

    private func newIdentity(_ label: [UInt8], _ given: [UInt8]?) throws(Failure) -> Identity {
        guard way == .phone else {
            throw Failure(
                .settings,
                "This command cannot enrol a PIN on this host. "
                    + ServerPlace(store: given, of: user).enrolmentAdvice)
        }
        guard let id = octets(fromHex: [UInt8](identity.utf8)).flatMap({ IdentityHash($0) }) else {
            throw Failure(.settings, "Name a new identity in full, by its 64 hex digits.")
        }
        return Identity(id: id, label: label, enrolled: currentTime(), pin: nil)
    }
}

/// An identity and the account to which it may log in.
package struct AllowReport: Report {
    let user: String
    let uid: UInt32
    let identity: IdentityReport

    /// One sentence that states the permission.
    package var lines: [String] {
        ["\(shown(identity.label)) (\(identity.id8)) may log in as \(shown(user)) by \(identity.wayText)."]
    }
}

/// A label, checked for the grammar of our files: one line of 1 to 255 octets, no blanks at its ends.
func readLabel(_ text: String) throws(Failure) -> [UInt8] {
    let octets = [UInt8](text.utf8)
    let isPlain = octets.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    guard (1...255).contains(octets.count), isPlain, octets.first != 0x20, octets.last != 0x20 else {
        throw Failure(.settings, "A label is one line of 1 to 255 bytes, without blanks at its ends.")
    }
    return octets
}
