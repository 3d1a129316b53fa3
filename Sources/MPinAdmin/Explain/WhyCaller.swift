// SPDX-License-Identifier: Apache-2.0
// What asks through PAM, as `mpin why` tells its kinds apart.
import MPinHost

/// The kinds of programs that ask through PAM.
package enum WhyCaller: String, CaseIterable {
    /// A setuid program that a person started.
    case setuid
    /// Root's process at a terminal.
    case console
    /// A daemon.
    case daemon

    /// What usually is behind a service.
    init(_ service: String) {
        switch UsualCaller(service) {
        case .setuid: self = .setuid
        case .console: self = .console
        case .sshd, .nobody, .daemon: self = .daemon
        }
    }
}
