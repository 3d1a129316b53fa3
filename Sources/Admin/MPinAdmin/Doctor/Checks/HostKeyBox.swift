// SPDX-License-Identifier: Apache-2.0
// Checks of the host key: whether it is there, closed to others, made for this host, and left out of backups.
import CPlatform
import MPin
import MPinLogin
import MPinProof
import MPinHostStore

/// The host key of a store, or the error that reading it threw.
struct HostKeyBox: ~Copyable {
    private(set) var key: HostKey?
    private var error: StoreError?

    init() {}

    init(_ store: borrowing FileStore) {
        do throws(StoreError) { key = try store.hostKey() } catch { self.error = error }
    }

    consuming func take() -> HostKey? { key }

    borrowing func findings(_ place: String, _ owners: Set<UInt32>) -> [Finding] {
        let path = place + "/host"
        if let error { return [finding(error, at: path, owners)] }
        switch key {
        case .none: return []
        case .some(let key):
            var found = [
                Finding(ok: "host-key", "mpind knows this host as '\(text(key.name))' (epoch \(key.epoch)).")
            ]
            if let finding = nameFinding(key.name) { found.append(finding) }
            if isInBackups(path) {
                found.append(
                    Finding(
                        note: "host-key-in-backups",
                        "\(path) is not marked to be left out of backups. Whoever has it can pose as this "
                            + "host.",
                        "Run 'sudo chattr +d \(path)', or 'sudo mpin doctor --fix', and leave it out of your "
                            + "backups.",
                        fix: .leaveOutOfBackups(path: path)))
            }
            return found
        }
    }

    private borrowing func finding(_ error: StoreError, at path: String, _ owners: Set<UInt32>) -> Finding {
        guard error.fault != .missing else {
            return Finding(
                problem: "host-key-missing", "This host has no key that it shares with mpind.",
                "Run 'sudo mpin setup', or 'sudo mpin host join NAME' with a join code.")
        }
        let rule = FileRule(path, .file, owners: owners, mode: 0o600, forbidden: 0o077)
        guard let open = fileFacts(path).flatMap({ rule.finding($0, "host-key-open") }) else {
            return Finding(
                problem: "host-key-wrong", Failure(error).sentence, "Run 'sudo mpin host join NAME' again.")
        }
        let rotate =
            " If someone may have read it, run 'sudo mpind host rotate NAME --leaked' on the server, then "
            + "'sudo mpin host join NAME' here."
        return Finding(problem: "host-key-open", open.message, (open.advice ?? "") + rotate, fix: open.fix)
    }

    private borrowing func nameFinding(_ name: [UInt8]) -> Finding? {
        let machine = machineName()
        let short = machine.prefix { $0 != UInt8(ascii: ".") }
        guard name != machine, !name.elementsEqual(short) else { return nil }
        return Finding(
            note: "host-renamed",
            "This machine is called '\(text(machine))', but mpind and second devices call it "
                + "'\(text(name))'.",
            "If this is a copy of '\(text(name))', give it its own name: 'sudo mpin host join NAME'.")
    }
}

/// Whether the file lacks the attribute that leaves it out of backups. false where the attribute is unknown.
private func isInBackups(_ path: String) -> Bool {
    let file = unsafe mpin_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0)
    guard file >= 0 else { return false }
    defer { close(file) }
    return mpin_is_left_out(file) == 0
}
