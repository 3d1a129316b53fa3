// SPDX-License-Identifier: Apache-2.0
// The record of a login that the server confirmed, for `grace`: a file below /run/mpin/grace with the time of
// the login and a hash of its user, place and proof. If anything is wrong with it, the user is asked.
import CPlatform
import MPin
package import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets

package struct Grace: Equatable, Sendable {
    /// SHA-256 of account, service, place, public key and boot id.
    private let mark: [UInt8]
    /// The file's name: uid and first octet of the mark. So an account has at most 256 files, and its
    /// terminals rarely share one.
    private let name: [UInt8]
    /// The folder that holds `mpin/grace`.
    private let root: [UInt8]

    package static var standardRoot: [UInt8] { ascii("/run") }

    /// nil where only the login itself would show who the user is. In a remote login the same public key from
    /// the same address shows it; in a local one, a setuid program that the account started in the same
    /// session. uid 0 has no grace.
    package init?(
        of context: LoginContext, _ call: CallFacts, root: [UInt8] = Grace.standardRoot,
        session: () -> [UInt8]? = callersSession
    ) {
        guard let account = context.account, account.uid != 0 else { return nil }
        let place: [UInt8]
        let key: [UInt8]
        if context.isRemote {
            guard context.hasKeyOfSSHD, let address = context.address else { return nil }
            (place, key) = (address.octets, call.authInfo)
        } else {
            let process = call.process
            guard process.isSecure, process.effectiveUID == 0, process.realUID == account.uid,
                let session = session()
            else { return nil }
            (place, key) = (session, [])
        }
        var text = bigEndian(account.uid)
        let boot = beginning(ofFile: ascii("/proc/sys/kernel/random/boot_id"), atMost: 1_024)
        for part in [context.service, place, key, boot] {
            text += bigEndian(UInt32(clamping: part.count)) + part
        }
        mark = sha256(text)
        name = decimal(account.uid) + ascii(".") + hex([mark[0]])
        self.root = root
    }

    /// How many seconds ago that login was; nil: there was none within the last `seconds`.
    package func age(within seconds: Int, now: UInt64 = bootSeconds()) -> Int? {
        let text: [UInt8]
        do throws(StoreError.Fault) {
            let folder = try Descriptor.folder(root).folder(ascii("mpin"))
                .folder(ascii("grace"), isPrivate: true)
            text = try folder.file(name, forbidden: 0o177).text()
        } catch { return nil }
        guard text.count == 40, text[8...].elementsEqual(mark) else { return nil }
        let time = text[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard time > 0, time <= now, now - time < UInt64(clamping: seconds) else { return nil }
        return Int(clamping: now - time)
    }

    /// Records a login that has just been confirmed. If that fails, the user is asked at the next one.
    package func record(now: UInt64 = bootSeconds()) {
        do throws(StoreError.Fault) {
            let folder = try Descriptor.folder(root).making(ascii("mpin"), mode: 0o755)
                .making(ascii("grace"), mode: 0o700)
            let text = bigEndian(now) + mark
            let page: Secret
            do throws(OutOfMemory) { page = try unsafe Secret(copying: text.span.bytes) } catch {
                throw StoreError.Fault.outOfMemory
            }
            try folder.replace(name, by: page, count: text.count)
        } catch { return }
    }
}

/// Terminal and session of this process and the start time of the session's leader, as the kernel reports
/// them. nil without a terminal, because all programs of a desktop may share one session; nil also if the
/// leader has ended or is in another namespace.
package func callersSession() -> [UInt8]? {
    let own = status(of: ascii("self"))
    guard own.count > 19, !own[3].spells("0"), !own[4].spells("0") else { return nil }
    let leader = status(of: own[3])
    guard leader.count > 19 else { return nil }
    return own[4] + ascii(" ") + own[3] + ascii(" ") + leader[19]
}

/// The fields of /proc/PID/stat after the program's name, which any program may choose: 0 is the state, 1 the
/// parent, 2 the group, 3 the session, 4 the terminal, 19 the start time. See proc_pid_stat(5).
private func status(of process: [UInt8]) -> [[UInt8]] {
    let text = beginning(ofFile: ascii("/proc/") + process + ascii("/stat"), atMost: 1_024)
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return [] }
    return words([UInt8](text[(end + 1)...]))
}
