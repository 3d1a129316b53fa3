// SPDX-License-Identifier: Apache-2.0
// Whether somebody who logs in sits at this host: a table whose first row that fits decides.
import MPinWire
import Octets

/// What PAM and the kernel say about one call of the module: facts, none of them a decision.
package struct CallFacts: Equatable, Sendable {
    /// PAM_RHOST; empty where PAM has none.
    package let rhost: [UInt8]
    /// PAM_TTY; empty where PAM has none.
    package let tty: [UInt8]
    /// SSH_AUTH_INFO_0 of PAM's environment (never of the process's), a method on each line.
    package let authInfo: [UInt8]
    package let process: ProcessFacts

    package init(rhost: [UInt8] = [], tty: [UInt8] = [], authInfo: [UInt8] = [], process: ProcessFacts) {
        (self.rhost, self.tty, self.authInfo, self.process) = (rhost, tty, authInfo, process)
    }
}

/// What the kernel says of the process that calls the module.
package struct ProcessFacts: Equatable, Sendable {
    /// AT_SECURE: the program got more rights than whoever started it, as a setuid program does.
    package let isSecure: Bool
    /// Of the calling process; PAM_RUSER is anybody's word.
    package let realUID: UInt32
    package let effectiveUID: UInt32
    /// The kernel's major number of the terminal, where PAM_TTY names a character device and descriptor 0 is
    /// the same one.
    package let terminalMajor: UInt32?
    package let hostName: [UInt8]

    package init(
        isSecure: Bool, realUID: UInt32, effectiveUID: UInt32, terminalMajor: UInt32? = nil,
        hostName: [UInt8] = []
    ) {
        (self.isSecure, self.realUID, self.effectiveUID) = (isSecure, realUID, effectiveUID)
        (self.terminalMajor, self.hostName) = (terminalMajor, hostName)
    }
}

/// The row that decided.
package enum SeatRow: Equatable, Sendable {
    /// `remote = yes` or `no` in the section of the service.
    case setting(remote: Bool)
    /// PAM_RHOST or PAM_TTY says that somebody comes over the network.
    case network
    /// A person of this host started a setuid program.
    case setuid
    /// An account that is no person's started a setuid program.
    case setuidService
    /// A process of root's at a real terminal.
    case console
    /// Nothing shows that the person is at this host.
    case unproved

    /// - Parameters:
    ///   - account: that is to be logged in; nil: there is none of that name.
    ///   - remote: `remote` of mpin.conf; nil where it is not set.
    @inline(never)
    package init(_ call: CallFacts, account: Account?, remote: Bool?) {
        let process = call.process
        let isPersons = process.realUID == account?.uid || SeatRow.isPersonalUID(process.realUID)
        // Root's own processes may be secure by a file's capabilities or a domain, without setuid.
        let isSetuid = process.isSecure && process.effectiveUID == 0 && process.realUID != 0 && isPersons
        // sudo's `pam_rhost` names this host.
        let hasForeignHost = !call.rhost.isEmpty && !(isSetuid && call.rhost == process.hostName)
        if let remote {
            self = .setting(remote: remote)
        } else if call.tty.spells("ssh") || hasForeignHost {
            self = .network
        } else if isSetuid {
            self = .setuid
        } else if process.isSecure, !isPersons {
            self = .setuidService
        } else if process.realUID == 0, let major = process.terminalMajor, !SeatRow.isPseudoterminal(major) {
            self = .console
        } else {
            self = .unproved
        }
    }

    package var isRemote: Bool {
        switch self {
        case .setting(let remote): remote
        case .setuid, .console: false
        case .network, .setuidService, .unproved: true
        }
    }

    /// For logs and programs.
    package var word: StaticString {
        switch self {
        case .setting: "setting"
        case .network: "network"
        case .setuid: "setuid"
        case .setuidService: "setuid-service"
        case .console: "console"
        case .unproved: "unproved"
        }
    }

    /// Where a login without a numeric address comes from.
    func source(_ call: CallFacts, service: [UInt8]) -> [UInt8] {
        let uid = call.process.realUID
        let local = ascii("local:") + decimal(uid)
        switch self {
        case .setting(false): return uid == 0 ? local + ascii(":") + presentable(service) : local
        case .console: return local + ascii(":") + presentable(call.tty.dropping("/dev/") ?? call.tty)
        case .setuid: return local
        case .setting(true), .network, .setuidService, .unproved: return ascii("unknown")
        }
    }

    /// Whether an account of this uid may be a person's. Services have those below UID_MIN; systemd gives
    /// those from 60,514 to 65,535 to containers and to services without an account, and `nobody` is there.
    package static func isPersonalUID(_ uid: UInt32) -> Bool {
        uid >= 1_000 && !(60_514...65_535).contains(uid)
    }

    /// Anybody can make these: BSD's (2, 3) and Unix98's (128 to 143), both their ends.
    package static func isPseudoterminal(_ major: UInt32) -> Bool {
        (2...3).contains(major) || (128...143).contains(major)
    }
}
