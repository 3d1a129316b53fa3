// SPDX-License-Identifier: Apache-2.0
// The answers that were wrong in a login, so that none of them is sent or counted again: a program may answer
// every prompt with the same text.
import Octets
import Secrets

/// A class, because it outlives one call of the module: an application may call it several times in one
/// login.
package final class WrongAnswers {
    /// What an answer was read as. The same digits may be wrong as an approval code and right as a PIN.
    enum Kind: UInt8 { case pin, approvalCode, otp }

    /// More answers than one login has prompts.
    private static let limit = 32

    /// Drawn for this login and wiped with it, so that the tags reveal nothing afterwards. nil: nothing is
    /// remembered.
    private let key: Secret?
    private var tags: [[UInt8]] = []
    /// How many tries the server left after the last wrong PIN; nil if it did not say.
    var triesLeft: UInt16?

    /// No answer was wrong yet.
    @inline(never)
    package init() { key = newKey() }

    /// The tag of an answer for this account; nil without memory for it.
    @inline(never)
    func tag(of answer: borrowing Secret, _ kind: Kind, for account: [UInt8]) -> [UInt8]? {
        switch key {
        case .none: return nil
        case .some(let key):
            guard let text = try? Secret(joining: [kind.rawValue] + account + [0], answer) else { return nil }
            return try? hmac(key: key, text)
        }
    }

    func contains(_ tag: [UInt8]) -> Bool { tags.contains { constantTimeEqual($0, tag) } }

    func insert(_ tag: [UInt8]) { if tags.count < WrongAnswers.limit, !contains(tag) { tags.append(tag) } }
}

private func newKey() -> Secret? {
    guard var key = try? Secret(count: 32), (try? key.randomize()) != nil else { return nil }
    return key
}
