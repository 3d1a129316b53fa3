// SPDX-License-Identifier: Apache-2.0
// What setup does at the server: this host joins, people are enrolled.
import MPinHost
import MPinLogin
import MPinProof
import MPinStore
import Secrets

/// Whose login proves the stacks, and his PIN where it was typed a moment ago.
struct Prover: ~Copyable {
    let account: Account
    let pin: Secret?
}

extension Setup {
    func join(_ wish: SetupWish, _ settings: Settings) throws(Failure) {
        dialogue.progress("Joining \(shown(wish.settings.backend)) as '\(shown(wish.host))' ...")
        _ = try joinServer(as: wish.host, settings) { host throws(Failure) in
            guard !wish.isHere else { return try LocalServer().join(host) }
            return try dialogue.code("join code").answer(
                "Join code for \(shown(wish.host)) (from 'sudo mpind host add NAME'): "
            ) {
                typed throws(Failure) in try joining(host, typed)
            }
        }
    }

    /// Enrols whoever has no PIN yet.
    /// - Parameter config: mpin.conf, or the draft of it.
    /// - Returns: the first of those named, else somebody who has a PIN here; nil: nobody has.
    func enrolled(
        _ wish: SetupWish, config: String, _ report: inout SetupReport
    ) throws(Failure) -> Prover? {
        var first: Account?
        var kept: Secret?
        for person in wish.people where try !hasPIN(person.account.uid) {
            let name = text(person.account.name)
            dialogue.progress("Enrolling \(name) as \(shown(person.identity)) ...")
            var copy: Secret?
            let enrolled = try enrolment(person.identity, isHere: wish.isHere, config: config).enrolHere(name)
            {
                pin throws(Failure) in
                do {
                    copy = try pin.withBytes { octets throws(OutOfMemory) in try Secret(copying: octets) }
                } catch { throw .outOfMemory }
            }
            if let failure = enrolled.failures.first { throw failure }
            report.enrolled.append(name)
            if first == nil {
                first = person.account
                kept = copy.take()
            }
        }
        if let first { return Prover(account: first, pin: kept.take()) }
        for person in wish.people where try hasPIN(person.account.uid) {
            return Prover(account: person.account, pin: nil)
        }
        guard let other = try anybody() else { return nil }
        return Prover(account: other, pin: nil)
    }

    private func enrolment(_ identity: String, isHere: Bool, config: String) -> Enrolment {
        var enrolment = Enrolment(at: ServerChoice(config: [UInt8](config.utf8)), dialogue)
        (enrolment.name, enrolment.isHere) = (identity, isHere)
        return enrolment
    }

    private func hasPIN(_ uid: UInt32) throws(Failure) -> Bool {
        do throws(StoreError) {
            let store = try FileStore(at: places.store)
            guard let file = try store.user(uid: uid) else { return false }
            return file.identities.contains { $0.pin != nil }
        } catch { throw Failure(error) }
    }

    /// An account that has a PIN; root last, who may be kept out of remote services.
    private func anybody() throws(Failure) -> Account? {
        var uids: [UInt32]
        do { uids = try FileStore(at: places.store).uids() } catch { throw Failure(error) }
        uids = uids.filter { $0 != 0 } + uids.filter { $0 == 0 }
        for uid in uids where try hasPIN(uid) {
            let name: [UInt8]?
            do throws(StoreError) {
                let store = try FileStore(at: places.store)
                if let file = try store.user(uid: uid) { name = file.name } else { name = nil }
            } catch { throw Failure(error) }
            if let name, let account = try account(named: name), account.uid == uid { return account }
        }
        return nil
    }
}
