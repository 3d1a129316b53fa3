// SPDX-License-Identifier: Apache-2.0
// Whether the server answered lately about the accounts with backup codes.
import CPlatform
import MPin
import MPinLogin
import MPinProof
import MPinHostStore

extension Doctor {
    /// Names the accounts with backup codes about which no answer is kept, or none of the last hour.
    func standingFindings(_ uids: [UInt32], in store: borrowing FileStore) -> [Finding] {
        let now = Int(clamping: secondsSince1970())
        var old: [String] = []
        for uid in uids {
            guard let left = try? store.codesLeft(uid: uid), left > 0 else { continue }
            let kept = (try? store.keptStanding(uid: uid)) ?? nil
            let asked = kept.flatMap { SealedQuestion(decoding: $0.question)?.seconds }
            if let asked, (-600...3_600).contains(now - Int(clamping: asked)) { continue }
            do throws(StoreError) {
                if let file = try store.user(uid: uid) { old.append(text(file.name)) }
            } catch {
                old.append("\(uid)")
            }
        }
        guard !old.isEmpty else { return [] }
        let names = old.map { "'\(shown($0))'" }.joined(separator: ", ")
        return [
            Finding(
                warning: "standing-old",
                "For an hour or more the server has not answered whether \(names) may still log in. "
                    + "Without an answer the backup codes end after 'backup-code-offline'.",
                "Run 'sudo mpin standing'. If that works, look at 'systemctl status mpin-standing.timer'.")
        ]
    }
}
