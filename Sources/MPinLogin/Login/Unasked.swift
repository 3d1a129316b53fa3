// SPDX-License-Identifier: Apache-2.0
// Logins that end before the user is asked: exempt by mpin.conf, or in grace after another login.
package import MPinProof
import MPinStore
import MPinWire
import Octets

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

    /// Whether the module returns success (true) or is ignored (false).
    package var letsIn: Bool {
        switch self {
        case .exempt(_, let byKey): byKey
        case .grace: true
        }
    }
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
