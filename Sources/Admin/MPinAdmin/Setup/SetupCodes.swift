// SPDX-License-Identifier: Apache-2.0
// `mpin setup` and backup codes: who gets them, and when they are made. Where root's password is locked they
// are often the only way to root while the server is away.
import MPinLogin
import MPinProof
import MPinHostStore

extension Setup {
    /// Makes the backup codes of the plan. Throws if they are the only way to root and the server has not
    /// confirmed the account, because without its answer they are good for nobody.
    func makeCodes(_ plan: SetupPlan, config: String) throws(Failure) -> SetupCodes? {
        guard let coder = plan.coder else { return nil }
        let change = BackupCodesChange(of: text(coder.name), in: places.store)
        let made = try change.make(BackupCodesChange.usualCount, config: [UInt8](config.utf8))
        let settings = try plan.wish.loaded(for: nil, from: config)
        let codes = SetupCodes(
            made, days: settings.answer == .sealed ? settings.backupCodeOffline : nil,
            areOnlyWay: plan.needsCodes)
        let why = made.isRevoked == true ? "it is revoked or suspended" : made.unasked
        if plan.needsCodes, let why {
            forgetCodes(plan, codes)
            throw Failure(
                .unreachable,
                "The server does not vouch for \(text(coder.name)), so that backup codes would be no way to "
                    + "root: \(why) Nothing was switched on.")
        }
        // Shown before they are needed: whoever ends this command must not leave codes that nobody has seen.
        if !isForPrograms { for line in codes.lines { dialogue.tell(line) } }
        return codes
    }

    /// Ends codes that nobody has seen.
    func forgetCodes(_ plan: SetupPlan, _ codes: SetupCodes?) {
        guard codes != nil, let coder = plan.coder else { return }
        _ = try? BackupCodesChange(of: text(coder.name), in: places.store).end()
    }
}

extension SetupWish {
    /// Whether somebody has a PIN here, or gets one, so that a login can be proved.
    var hasProver: Bool { !people.isEmpty || !uidsWithPIN.isEmpty }

    fileprivate var uidsWithPIN: [UInt32] {
        do throws(StoreError) {
            let store = try FileStore(at: places.store)
            var found: [UInt32] = []
            for uid in try store.uids() {
                guard let file = try store.user(uid: uid) else { continue }
                if file.identities.contains(where: { $0.pin != nil }) { found.append(uid) }
            }
            return found
        } catch { return [] }
    }
}

extension WithoutServer {
    /// The account that is to get backup codes: the first that becomes root by them, else the first of all.
    /// nil: none is wanted, or an account that has some becomes root by them.
    func coder(_ wish: SetupWish) -> Account? {
        guard wish.wantsCodes, !codes.contains(where: { way(of: $0) != nil }) else { return nil }
        let uids = wish.people.map(\.account.uid) + wish.uidsWithPIN
        let without = uids.filter { !codes.contains($0) }
        let best = without.first { uid in
            var planned = self
            planned.codes.insert(uid)
            return planned.way(of: uid) != nil
        }
        guard let uid = best ?? (codes.isEmpty ? without.first : nil) else { return nil }
        return passwdLines().first { $0.uid == uid }?.account
    }
}

/// The planned stacks and settings.
func withoutServer(
    _ wish: SetupWish, stacks: [SetupPlan.Stack], _ ssh: SSHPlan?, settings: [UInt8]
) -> WithoutServer {
    let texts = Dictionary(stacks.map { ($0.service, $0.after) }) { first, _ in first }
    func stack(_ service: String) -> StackCheck? {
        (try? wish.places.stacks.stack(service, with: texts)).map { StackCheck($0) }
    }
    return WithoutServer(
        codes: uidsWithCodes(in: wish.places.store), stack: stack,
        settings: { service in
            let arguments = stack(service)?.places.first?.entry.rule.arguments ?? []
            return try? Settings(
                text: settings, file: [UInt8](wish.places.settings.utf8),
                arguments: arguments.map { [UInt8]($0.utf8) }, service: [UInt8](service.utf8))
        },
        ssh: { name in ssh?.settings(of: name)?.then ?? SSHPlan.current(user: name) })
}

/// The codes that setup made, and what they are good for.
struct SetupCodes: Encodable {
    private let made: BackupCodesReport
    /// For how many days they are good without the server; nil: for ever.
    private let days: Int?
    private let areOnlyWay: Bool

    init(_ made: BackupCodesReport, days: Int?, areOnlyWay: Bool) {
        (self.made, self.days, self.areOnlyWay) = (made, days, areOnlyWay)
    }

    func encode(to encoder: any Encoder) throws { try made.encode(to: encoder) }

    var lines: [String] {
        let head = ["", "Write these down."] + made.lines
        guard let days else { return head + [""] }
        guard days > 0 else {
            return head + ["Without the server they are refused (backup-code-offline = 0).", ""]
        }
        let end =
            areOnlyWay
            ? "After that nobody can become root here until it answers again: give root a password, or "
                + "set 'backup-code-offline' in mpin.conf (90 at most)."
            : "After that they are refused until it answers again ('backup-code-offline' in mpin.conf)."
        return head + [
            "Without the server they are good for \(days) days after its last answer about \(made.user).",
            end, "",
        ]
    }
}
