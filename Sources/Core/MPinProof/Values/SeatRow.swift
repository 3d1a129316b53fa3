// SPDX-License-Identifier: Apache-2.0
// Decides whether a user who logs in is at this host, by a table whose first matching row applies.
package import MPinWire
import Octets

/// What PAM and the kernel report about one call of the module: only facts, no decisions.
package struct CallFacts: Equatable, Sendable {
    /// PAM_RHOST; empty if PAM has none.
    package let rhost: [UInt8]
    /// PAM_TTY; empty if PAM has none.
    package let tty: [UInt8]
    /// SSH_AUTH_INFO_0 from PAM's environment (never from the process's), one method on each line.
    package let authInfo: [UInt8]
    /// PAM_SILENT: nothing may be said that the user does not need in order to log in.
    package let isSilent: Bool
    package let process: ProcessFacts

    package init(
        rhost: [UInt8] = [], tty: [UInt8] = [], authInfo: [UInt8] = [], isSilent: Bool = false,
        process: ProcessFacts
    ) {
        (self.rhost, self.tty, self.authInfo, self.process) = (rhost, tty, authInfo, process)
        self.isSilent = isSilent
    }
}

/// What the kernel reports about the process that calls the module.
package struct ProcessFacts: Equatable, Sendable {
    /// AT_SECURE: the program got more rights than the user who started it, like a setuid program.
    package let isSecure: Bool
    /// The real uid of the process. PAM_RUSER is not used, because any program can set it.
    package let realUID: UInt32
    package let effectiveUID: UInt32
    /// Whether the process has the rights of its real uid and no others, neither by a setuid or setgid
    /// program nor by capabilities.
    package let isOrdinary: Bool
    /// The kernel's major device number of the terminal, if PAM_TTY and descriptor 0 are the same character
    /// device; otherwise nil.
    package let terminalMajor: UInt32?
    /// The kernel's name of this host.
    package let hostName: [UInt8]
    /// The uids of this host's people.
    package let people: PersonalUIDs

    package init(
        isSecure: Bool, realUID: UInt32, effectiveUID: UInt32, isOrdinary: Bool = false,
        terminalMajor: UInt32? = nil, hostName: [UInt8] = [], people: PersonalUIDs = PersonalUIDs()
    ) {
        (self.isSecure, self.realUID, self.effectiveUID) = (isSecure, realUID, effectiveUID)
        (self.isOrdinary, self.terminalMajor) = (isOrdinary, terminalMajor)
        (self.hostName, self.people) = (hostName, people)
    }
}

/// The row of the table that decided whether the user is at this host.
package enum SeatRow: Equatable, Sendable {
    /// `remote = yes` or `no` in the section of the service.
    case setting(remote: Bool)
    /// PAM_RHOST or PAM_TTY shows that the user comes over the network.
    case network
    /// A personal account of this host started a setuid program.
    case setuid
    /// An account that is not personal started a setuid program.
    case setuidService
    /// A process of root at a real terminal.
    case console
    /// Nothing shows that the user is at this host.
    case unproved

    /// - Parameters:
    ///   - account: the account that wants to log in; nil if there is no account of that name.
    ///   - remote: `remote` of mpin.conf; nil if it is not set.
    @inline(never)
    package init(_ call: CallFacts, account: Account?, remote: Bool?) {
        let process = call.process
        let isPersons = process.realUID == account?.uid || process.people.contains(process.realUID)
        // Processes of root can have AT_SECURE without setuid, through file capabilities or a security
        // domain.
        let isSetuid = process.isSecure && process.effectiveUID == 0 && process.realUID != 0 && isPersons
        // sudo's option `pam_rhost` sets PAM_RHOST to the name of this host.
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

    /// Whether the login counts as remote.
    package var isRemote: Bool {
        switch self {
        case .setting(let remote): remote
        case .setuid, .console: false
        case .network, .setuidService, .unproved: true
        }
    }

    /// The row as a word for logs and programs.
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

    /// The source of a login without a numeric address.
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

    /// Whether a major device number is that of a pseudoterminal, which any user can create: BSD (2, 3) or
    /// Unix98 (128 to 143), either end.
    package static func isPseudoterminal(_ major: UInt32) -> Bool {
        (2...3).contains(major) || (128...143).contains(major)
    }
}
