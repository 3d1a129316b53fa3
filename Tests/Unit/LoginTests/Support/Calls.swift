// SPDX-License-Identifier: Apache-2.0
// Callers for tests: a setuid program that a user started, unless PAM names a host or sshd.
import MPinLogin
import MPinProof

extension LoginContext {
    init(
        service: [UInt8], account: Account?, rhost: [UInt8]?, tty: [UInt8]?, authInfo: [UInt8]?,
        realUID: UInt32
    ) {
        let process = ProcessFacts(isSecure: true, realUID: realUID, effectiveUID: 0)
        let call = CallFacts(rhost: rhost ?? [], tty: tty ?? [], authInfo: authInfo ?? [], process: process)
        self.init(
            service: service, account: account, call: call,
            seat: SeatRow(call, account: account, remote: nil))
    }
}
