// SPDX-License-Identifier: Apache-2.0
// Reads /etc/login.defs: how long login(1) gives a login.
import MPinHostStore
import MPinWire

extension Check {
    static let loginDefaults = Check("login timeout", reads: "/etc/login.defs", isForRoot: true) { run in
        guard run.asks("login"), case .success(let settings) = run.doctor.settings(of: "login"),
            settings.method != .pin, let text = fileText("/etc/login.defs")
        else { return [] }
        let found = Finding.login(timeout: loginTimeout(text), deadline: settings.deadline)
        return found.map { [$0] } ?? []
    }
}

/// LOGIN_TIMEOUT of the text of /etc/login.defs, in seconds; 0: no limit. login takes 60 where there is none.
func loginTimeout(_ text: [UInt8]) -> Int {
    loginDefsNumber("LOGIN_TIMEOUT", in: text, 0...1_000_000) ?? 60
}

extension Finding {
    /// Reports that login(1) ends a login before M-Pin's deadline, in seconds; nil if it does not.
    static func login(timeout: Int, deadline: Int) -> Finding? {
        guard timeout > 0, timeout <= deadline else { return nil }
        return Finding(
            note: "login-timeout",
            "login has LOGIN_TIMEOUT \(timeout) in /etc/login.defs: a login at a console, with the code that "
                + "a phone scans, ends after \(timeout) s, not after M-Pin's \(deadline) s.",
            "If people need longer for the phone there, set LOGIN_TIMEOUT above \(deadline).")
    }
}
