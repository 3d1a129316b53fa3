// SPDX-License-Identifier: Apache-2.0
// The notice of wrong tries before a login, for people and for programs.
import FoundationEssentials
import MPinConsole
import MPinProof

struct TriesReport: Encodable {
    /// Wrong PINs since the last login.
    let wrong: Int
    private(set) var last: String?
    private(set) var source: String?
    /// The number of tries left before the PIN is blocked; nil while there are many.
    let left: Int?

    init(_ tries: Tries) {
        (wrong, left) = (tries.wrong, tries.left)
        guard wrong > 0 else { return }
        last = Date(timeIntervalSince1970: TimeInterval(tries.lastSeconds)).formatted(.iso8601)
        source = cut(tries.lastSource)
    }
}

extension Tries {
    func sentences(on machine: TriesSentence.Machine) -> [String] {
        TriesSentence.all(
            wrong: wrong, lastSeconds: lastSeconds, source: lastSource, left: left, machine
        ).map { String(decoding: $0.octets, as: UTF8.self) }
    }
}
