// SPDX-License-Identifier: Apache-2.0
// codes/UID.standing: what mpind last said about an account with backup codes, as it was sealed (seal.md,
// section 9). It decides about a code while the server gives no answer.
import CPlatform
package import MPinProof
import MPinWire
import Octets
import Secrets

/// A sealed answer of mpind about the standing of an account, with the question that it answers. Whoever
/// reads it checks the seal.
package struct KeptStanding: Equatable, Sendable {
    /// The encoding of a `SealedQuestion`.
    package let question: [UInt8]
    /// A `SealedStanding` and its tag.
    package let answer: [UInt8]
    package let tag: [UInt8]

    package init(question: [UInt8], answer: [UInt8], tag: [UInt8]) {
        (self.question, self.answer, self.tag) = (question, answer, tag)
    }

    fileprivate init(_ octets: consuming Secret) throws(StoreError.Fault) {
        let sections = try octets.sections(leaving: [])
        do throws(KeyError) { try self.init(sections) } catch { throw .key(error) }
    }

    private init(_ sections: [Section]) throws(KeyError) {
        let head = try sections.head(of: "mpin-standing", keys: ["ask", "standing", "standing-tag"])
        var question: [UInt8] = []
        for entry in head.all("ask") {
            guard let part = octets(fromHex: entry.value) else { throw entry.badValue }
            question += part
        }
        self.init(
            question: question,
            answer: try head.value("standing") { octets(fromHex: $0) },
            tag: try head.value("standing-tag") { octets(fromHex: $0) })
    }

    /// The lines of the file. A question can be longer than a line, so it has several.
    fileprivate var entries: [Entry] {
        var entries = [Entry(key: ascii("mpin-standing"), value: ascii("1"))]
        var rest = question[...]
        while !rest.isEmpty {
            entries.append(Entry(key: ascii("ask"), value: hex([UInt8](rest.prefix(256)))))
            rest = rest.dropFirst(256)
        }
        return entries + [
            Entry(key: ascii("standing"), value: hex(answer)),
            Entry(key: ascii("standing-tag"), value: hex(tag)),
        ]
    }
}

extension FileStore {
    /// What is kept about an account; nil: nothing.
    package borrowing func keptStanding(uid: UInt32) throws(StoreError) -> KeptStanding? {
        do throws(StoreError.Fault) {
            guard let octets = try codesFolder()?.secret(standingName(uid)) else { return nil }
            return try KeptStanding(octets)
        } catch { throw StoreError(file: path(ofStanding: uid), fault: error) }
    }

    /// Keeps an answer in place of the one before.
    package borrowing func keep(_ standing: KeptStanding, uid: UInt32) throws(StoreError) {
        try locked(path(ofStanding: uid)) { () throws(StoreError.Fault) in
            guard let folder = try codesFolder() else { throw .missing }
            var writer = try SecretFileWriter()
            try writer.append(standing.entries)
            try writer.replace(standingName(uid), in: folder)
        }
    }

    /// Removes what is kept about an account.
    package borrowing func forgetStanding(uid: UInt32) throws(StoreError) {
        do throws(StoreError.Fault) { _ = try codesFolder()?.remove(standingName(uid)) } catch {
            throw StoreError(file: path(ofStanding: uid), fault: error)
        }
    }

    private borrowing func path(ofStanding uid: UInt32) -> [UInt8] {
        path + ascii("/codes/") + standingName(uid)
    }
}

/// The name of the file in the folder of the codes.
func standingName(_ uid: UInt32) -> [UInt8] { decimal(uid) + ascii(".standing") }
