// SPDX-License-Identifier: Apache-2.0
// Logins that end before the user is asked: exempt by mpin.conf, in grace after another login, or asked for
// by a program that runs as the user.
import CPlatform
package import MPinProof
import MPinHostStore
import MPinWire
package import Octets

/// The key of mpin.conf that exempts a login.
package enum Exemption: Equatable, Sendable {
    case users, groups, from

    /// The key's name, for the log and for programs.
    package var word: StaticString {
        switch self {
        case .users: "exempt-users"
        case .groups: "exempt-groups"
        case .from: "exempt-from"
        }
    }
}

/// Why a list of exemptions exempts nobody.
package enum ExemptionFault: Error, Equatable {
    /// A database could not be queried.
    case unread(AccountError)
    /// No database has this name, which the list has.
    case unknownName(Exemption, [UInt8])
}

/// Why the user is not asked.
package enum Unasked: Equatable, Sendable {
    /// `byKey`: sshd accepted a public key, which is the proof; otherwise the rest of the stack decides.
    case exempt(Exemption, byKey: Bool)
    /// The server confirmed a login of the same user from the same place that many seconds ago.
    case grace(seconds: Int)
    /// The program runs as the account that it asks for, so M-Pin's files are closed to it.
    case ownAccount

    /// Whether the module returns success (true) or is ignored (false).
    package var letsIn: Bool {
        switch self {
        case .exempt(_, let byKey): byKey
        case .grace: true
        case .ownAccount: false
        }
    }
}

/// What happens to a program that cannot read M-Pin's files, which belong to root.
package enum WithoutRoot: Equatable, Sendable {
    /// It asks for the account that it runs as: whoever runs it has that account already.
    case ownAccount
    case denied
}

extension Settings {
    /// Why the user is not asked; nil: the login takes its usual course. An error in looking up accounts or
    /// groups exempts nobody.
    /// - Parameters:
    ///   - mayLetIn: false where the application answers prompts by itself: such a login proves nothing.
    ///   - before: the record that an earlier login must have left; nil: there is no grace here.
    ///   - note: is told why a list exempts nobody.
    package func unasked(
        in context: LoginContext, mayLetIn: Bool, before: Grace?, note: (ExemptionFault) -> Void = { _ in }
    ) -> Unasked? {
        do throws(ExemptionFault) {
            if let found = try exemption(in: context) {
                return .exempt(found, byKey: mayLetIn && context.hasKeyOfSSHD)
            }
        } catch { note(error) }
        // An account without an open method has no grace either.
        guard mayLetIn, grace > 0, let seconds = before?.age(within: grace),
            AccountCredentials.find(self, context).methods.ending(self) == nil
        else { return nil }
        return .grace(seconds: seconds)
    }
}

extension Settings {
    /// nil for a process of root, and for one that owns the store, as in a demonstration.
    ///
    /// A program asks for its own account if it has no more than that account's rights, nothing shows that
    /// the user comes over the network, and no rule excludes the account here.
    package func withoutRoot(in context: LoginContext, _ call: CallFacts) -> WithoutRoot? {
        let process = call.process
        guard process.effectiveUID != 0, ownerOfStore != process.effectiveUID else { return nil }
        guard process.isOrdinary, let account = context.account, account.uid == process.realUID,
            account.uid == process.effectiveUID, call.rhost.isEmpty
        else { return .denied }
        switch context.seat {
        case .setting(remote: true), .network, .setuid, .setuidService, .console: return .denied
        case .setting(remote: false), .unproved: break
        }
        do throws(AccountError) {
            switch try exclusion(of: account, in: context) {
            case .never, .users, .groups: return .denied
            // A program at this host has no address.
            case .networks, .none: return .ownAccount
            }
        } catch { return .denied }
    }

    private var ownerOfStore: UInt32? {
        var status = stat()
        guard unsafe withCString(store, { unsafe stat($0, &status) }) == 0 else { return nil }
        return status.st_uid
    }
}

extension LoginContext {
    /// Whether sshd, which reports the terminal `ssh`, accepted a public key of the account.
    package var hasKeyOfSSHD: Bool { account != nil && keyAccepted && tty.spells("ssh") }
}

extension Grant {
    /// Whether the server confirmed this login, not a backup code alone.
    package var isConfirmed: Bool {
        switch proof {
        case .identity: true
        case .backupCode(_, let standing): standing == .confirmed
        }
    }
}
