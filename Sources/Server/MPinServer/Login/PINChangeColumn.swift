// SPDX-License-Identifier: Apache-2.0
// What a change of a PIN is bound to, as one column of `pass_ones` and `verdicts`.
import MPinDatabase
import Octets

/// The hash A of the host's question (32 octets), then the account.
struct PINChangeColumn {
    let a: QuestionHash
    let account: [UInt8]

    init(_ a: QuestionHash, account: [UInt8]) { (self.a, self.account) = (a, account) }

    init(_ octets: [UInt8]) throws(StorageError) {
        a = try questionHash(octets.prefix(32))
        account = Array(octets.dropFirst(32))
    }

    var value: Value { .octets(a.octets + account) }
}

/// What names a question, as a column holds it.
func questionHash(_ octets: some Sequence<UInt8>) throws(StorageError) -> QuestionHash {
    guard let question = QuestionHash(Array(octets)) else { throw .corrupt }
    return question
}
