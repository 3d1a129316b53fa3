// SPDX-License-Identifier: Apache-2.0
// Checks of the store: whether it is complete and closed to others, has the host key, and who is enrolled.
import CPlatform
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

extension Check {
    static let store = Check("store", reads: "the store: its modes, the host key, accounts and codes") {
        $0.doctor.storeFindings($0.settings)
    }
}

extension Doctor {
    /// The host key of a store that is as it must be; else an empty box.
    func hostKey(in store: [UInt8]) -> HostKeyBox {
        let place = String(decoding: store, as: UTF8.self)
        guard canLook(into: place), folderFinding(place) == nil else { return HostKeyBox() }
        do throws(StoreError) { return HostKeyBox(try FileStore(at: store)) } catch { return HostKeyBox() }
    }

    /// Whether the caller can look into a store, which may be another user's.
    private func canLook(into place: String) -> Bool {
        isRoot || fileFacts(place).map { $0.uid == geteuid() } ?? false
    }

    fileprivate func storeFindings(_ settings: Result<Settings, SettingsError>) -> [Finding] {
        var path = givenStore ?? Settings.standardStore
        var isSealed = true
        var backends: [Backend] = []
        if case .success(let settings) = settings {
            path = settings.store
            backends = settings.backends
            isSealed = settings.answer == .sealed
        }
        let place = String(decoding: path, as: UTF8.self)
        guard canLook(into: place) else { return [] }
        if let finding = folderFinding(place) { return [finding] }
        let store: FileStore
        do throws(StoreError) { store = try FileStore(at: path) } catch {
            return [storeFinding(error, place)]
        }
        let key = HostKeyBox(store)
        let found =
            (isSealed ? key.findings(place, owners) : [])
            + filesFindings(store, at: place, backends, isSealed: isSealed)
        let broken = found.contains { $0.level == .problem }
        return (broken ? [] : [Finding(ok: "store", "\(place) is complete, and closed to others.")]) + found
    }

    /// The first finding about the owners and modes of the folders and the marker; nil if all are right.
    private func folderFinding(_ place: String) -> Finding? {
        let users = place + "/users"
        let codes = place + "/codes"
        for (path, mode, forbidden) in [
            (place, UInt16(0o755), UInt16(0o022)), (users, 0o700, 0o077), (codes, 0o700, 0o077),
        ] {
            guard let facts = fileFacts(path), path != codes || facts.kind != .missing else { continue }
            guard facts.kind != .missing else {
                return Finding(
                    problem: "store-missing", "There is no folder \(path).",
                    "Is the right disk mounted? If it is, and nobody has a PIN here yet, 'sudo mpin setup' "
                        + "makes it; else restore it.")
            }
            let rule = FileRule(path, .folder, owners: owners, mode: mode, forbidden: forbidden)
            if let finding = rule.finding(facts, "store-open") { return finding }
        }
        let marker = FileRule(users + "/.mpin-store", .file, owners: owners, mode: 0o600, forbidden: 0o077)
        return fileFacts(marker.path).flatMap { marker.finding($0, "store-open") }
    }

    private func storeFinding(_ error: StoreError, _ place: String) -> Finding {
        guard error.fault == .noMarker else {
            return Finding(
                problem: "store-wrong", Failure(error).sentence, "Until you correct this, nobody can log in.")
        }
        // Without files of users, the disk may not be mounted, so the marker is not set automatically.
        let isInUse = names(in: place + "/users").contains { !$0.hasPrefix(".") }
        return Finding(
            problem: "store-unmarked", "\(place) has no marker '.mpin-store', and nobody can log in.",
            isInUse
                ? "If these are the right files, 'sudo mpin doctor --fix' makes the marker."
                : "Is the right disk mounted? If it is: 'sudo touch \(place)/users/.mpin-store'.",
            fix: isInUse ? .mark(path: place) : nil)
    }

    /// The findings about the users' files: owner and mode first, then the content.
    private func filesFindings(
        _ store: borrowing FileStore, at place: String, _ backends: [Backend], isSealed: Bool
    ) -> [Finding] {
        let uids: [UInt32]
        let host: [UInt8]
        do throws(StoreError) {
            uids = try store.uids()
            host = try store.hostName() ?? machineName()
        } catch { return [] }
        guard !uids.isEmpty else {
            return [
                Finding(
                    note: "nobody-enrolled", "Nobody is enrolled on this host.",
                    ServerPlace(backends, isOurs: isSealed).enrolmentAdvice)
            ]
        }
        var found: [Finding] = []
        for uid in uids { found += userFindings(uid, in: store, at: place, host: host) }
        if isSealed { found += standingFindings(uids, in: store) }
        let enrolled = uids.count == 1 ? "1 account is enrolled" : "\(uids.count) accounts are enrolled"
        return found + [Finding(ok: "users", "\(enrolled). 'sudo mpin users' lists them.")]
    }

    private func userFindings(
        _ uid: UInt32, in store: borrowing FileStore, at place: String, host: [UInt8]
    ) -> [Finding] {
        let path = "\(place)/users/\(uid)"
        let rule = FileRule(path, .file, owners: owners, mode: 0o600, forbidden: 0o077)
        if let finding = fileFacts(path).flatMap({ rule.finding($0, "user-file-open") }) {
            return [finding]
        }
        do throws(StoreError) {
            guard let file = try store.user(uid: uid) else { return [] }
            return accountFindings(file, at: path, host: host) + file.tokenFindings(path)
                + (try codesFindings(file, in: store, at: place))
        } catch {
            return [
                Finding(
                    problem: "user-file-wrong", Failure(error).sentence,
                    "Restore the file, or remove it and enrol the account again.")
            ]
        }
    }

    private func codesFindings(
        _ file: borrowing UserFile, in store: borrowing FileStore, at place: String
    ) throws(StoreError) -> [Finding] {
        let path = "\(place)/codes/\(file.uid)"
        let rule = FileRule(path, .file, owners: owners, mode: 0o600, forbidden: 0o077)
        if let finding = fileFacts(path).flatMap({ rule.finding($0, "user-file-open") }) {
            return [finding]
        }
        guard let left = try store.codesLeft(uid: file.uid), left < 3 else { return [] }
        let name = text(file.name)
        return [
            Finding(
                note: "few-codes",
                "'\(name)' has \(left == 1 ? "1 backup code" : "\(left) backup codes") left.",
                "Run 'sudo mpin backup-codes \(shellWord(name))' and hand over the new ones.")
        ]
    }

    private func accountFindings(
        _ file: borrowing UserFile, at path: String, host: [UInt8]
    ) -> [Finding] {
        let name = text(file.name)
        var found: [Finding] = []
        if let account = try? account(named: file.name), account.uid == file.uid, account.name == file.name {
        } else if let entry = try? passwdEntry(uid: file.uid) {
            let now = text(entry.name)
            found.append(
                Finding(
                    problem: "account-renamed",
                    "\(path) belongs to '\(name)', but uid \(file.uid) is '\(now)' now: logins of "
                        + "'\(now)' fail.",
                    "If the account was renamed, correct 'name' in the file. If the uid was given to "
                        + "another user: 'sudo mpin remove \(file.uid)'."))
        } else {
            let labels = file.identities.map { "'\(text($0.label))'" }.joined(separator: ", ")
            found.append(
                Finding(
                    warning: "account-gone",
                    "\(path) belongs to '\(name)', but no account has uid \(file.uid) any more.",
                    "Run 'sudo mpin remove \(file.uid)' here, and let the server refuse \(labels)."))
        }
        if file.host != host {
            found.append(
                Finding(
                    problem: "other-host",
                    "\(path) was made for the host '\(text(file.host))': logins of '\(name)' fail.",
                    "Remove it and enrol the account again."))
        }
        return found
    }
}

extension UserFile {
    fileprivate borrowing func tokenFindings(_ path: String) -> [Finding] {
        var found: [Finding] = []
        for (index, identity) in identities.enumerated() {
            guard let pin = identity.pin else { continue }
            do throws(StoreError.Fault) { _ = try token(at: index) } catch {
                found.append(
                    Finding(
                        problem: "user-file-wrong",
                        Failure(StoreError(file: [UInt8](path.utf8), fault: error)).sentence,
                        "Restore the file, or remove it and enrol the account again."))
            }
            if case .scrypt = pin.rule { continue }
            found.append(
                Finding(
                    note: "weak-pin-rule",
                    "\(path): the PIN of '\(text(identity.label))' is not stretched, as at a Milagro client; "
                        + "anyone who steals the file can try many PINs quickly.",
                    "Enrol the account again."))
        }
        return found
    }
}
