// SPDX-License-Identifier: Apache-2.0
// A login that waits for one of the user's tokens, as the server lists it, and the report of all of them.
import MPin
import MPinConsole
import MPinHostStore
import MPinProof
import MPinWire
import Octets

/// A login in the list of those that wait.
struct ListedLogin: Encodable {
    /// The number that its console shows, seven digits.
    let number: String
    let host, account, service, source, time, attempt: String
    /// How many seconds it waits in all, from `time` on.
    let life: Int
    /// The id of the token that may approve it.
    let identity: String
    /// The session as if the user had scanned it.
    let scanned: Scanned

    private enum CodingKeys: CodingKey {
        case number, host, account, service, source, time, life, attempt, identity
    }

    /// nil if the details belong to another session or server, or the number is invalid.
    init?(_ login: WaitingLogin, of identity: Identity, at backend: Backend) {
        guard let seen = ApprovalDetails(decoding: login.seen.octets), seen.origin == backend.origin,
            seen.wid == [UInt8](login.wid.utf8), AccessNumber.isValid([UInt8](login.number.utf8))
        else { return nil }
        (host, account, service) = (cut(seen.host), cut(seen.account), cut(seen.service))
        (source, time) = (cut(seen.source), seen.time)
        (number, life, attempt) = (login.number, login.life, cut([UInt8](login.attempt.utf8)))
        self.identity = hexText(identity.id)
        scanned = .session(wid: seen.wid, origin: seen.origin)
    }

    /// The number as the console shows it.
    var groupedNumber: String { text(grouped([UInt8](number.utf8))) }

    /// The logins as a table, with their places in it.
    static func table(_ logins: [ListedLogin]) -> [String] {
        alignedColumns(
            [["", "number", "host", "account", "service", "from", "at"]]
                + logins.enumerated().map { index, login in
                    [
                        "\(index + 1)", login.groupedNumber, login.host, login.account, login.service,
                        login.source, login.time,
                    ]
                })
    }
}

/// The logins that wait for the user's tokens: the report of `mpin session` without a number.
package struct WaitingReport: Report {
    let waiting: [ListedLogin]
    /// One for each token whose server did not answer.
    package let failures: [Failure]

    private enum CodingKeys: CodingKey { case waiting }

    /// Asks the servers of the chosen tokens.
    package init(with choice: TokenChoice) throws(Failure) {
        let tokens = try PersonalStore.open(choice.store)
        var logins: [ListedLogin] = []
        var failures: [Failure] = []
        switch try tokens.file() {
        case .none: throw .enrolledNowhere
        case .some(let file):
            for identity in try choice.among(file.identities) {
                do throws(Failure) {
                    let token = try OwnToken(identity, file, in: tokens.store.path)
                    // A login may ask for two tokens of one user.
                    logins += try token.waiting().filter { login in
                        !logins.contains { $0.scanned == login.scanned }
                    }
                } catch { failures.append(error) }
            }
        }
        if let failure = failures.first, logins.isEmpty { throw failure }
        (waiting, self.failures) = (logins, failures)
    }

    /// The table, or that there is nothing.
    package var lines: [String] {
        waiting.isEmpty ? ["No login waits for you."] : ListedLogin.table(waiting)
    }
}
