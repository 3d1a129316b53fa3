// SPDX-License-Identifier: Apache-2.0
// Logins that end before anybody is asked: exempt by mpin.conf, or in grace after another one.
package import MPinProof
import MPinStore
import MPinWire
import Octets

/// The key of mpin.conf that exempts somebody.
package enum Exemption: Equatable, Sendable {
    case users, groups, from

    /// For logs and programs.
    package var word: StaticString {
        switch self {
        case .users: "exempt-users"
        case .groups: "exempt-groups"
        case .from: "exempt-from"
        }
    }
}

package enum Unasked: Equatable, Sendable {
    /// `byKey`: sshd accepted a public key, which is the proof; otherwise the rest of the stack decides.
    case exempt(Exemption, byKey: Bool)
    /// The server confirmed a login of the same person from the same place so many seconds ago.
    case grace(seconds: Int)

    /// Whether the module answers with success.
    package var letsIn: Bool {
        switch self {
        case .exempt(_, let byKey): byKey
        case .grace: true
        }
    }
}

extension Settings {
    /// Why nobody is asked; nil: the login goes its way. What cannot be found out exempts nobody.
    /// - Parameters:
    ///   - mayLetIn: false where the application answers prompts by itself: nothing is proven by it.
    ///   - before: what the login before this one must have been; nil: there is no grace here.
    package func unasked(in context: LoginContext, mayLetIn: Bool, before: Grace?) -> Unasked? {
        if let found = try? exemption(in: context) {
            return .exempt(found, byKey: mayLetIn && context.hasKeyOfSSHD)
        }
        // Whoever has no way in any more has no grace either.
        guard mayLetIn, grace > 0, let seconds = before?.age(within: grace),
            AccountCredentials.find(self, context).methods.ending(self) == nil
        else { return nil }
        return .grace(seconds: seconds)
    }
}

extension LoginContext {
    /// Whether sshd, which says `ssh` for a terminal, accepted a public key of an account from afar.
    package var hasKeyOfSSHD: Bool { account != nil && keyAccepted && tty.spells("ssh") }
}

extension Grant {
    /// Whether the server said yes to this very login, and not a backup code alone.
    package var isConfirmed: Bool {
        switch proof {
        case .identity: true
        case .backupCode(_, let standing): standing == .confirmed
        }
    }
}
