// SPDX-License-Identifier: Apache-2.0
// The kinds of programs that call PAM, for `mpin why --caller`.

/// A kind of program that calls PAM.
package enum WhyCaller: String, CaseIterable {
    /// A setuid program that a user started.
    case setuid
    /// A process of root at a terminal.
    case console
    /// A daemon.
    case daemon
    /// A program that runs as the user who logs in, such as one that locks a screen.
    case user

    /// The usual caller of a service.
    init(_ service: String) {
        switch UsualCaller(service) {
        case .setuid: self = .setuid
        case .console: self = .console
        case .user: self = .user
        case .sshd, .nobody, .daemon: self = .daemon
        }
    }
}
