// SPDX-License-Identifier: Apache-2.0
// Why a relay could not start, or ended early: the system call that the kernel refused. For the log.
import CPlatform
import Octets

/// A relay notes here what went wrong with it.
package final class RelayTrouble {
    /// The system call that failed; empty if that is unknown.
    package private(set) var call: [UInt8] = []
    /// Why it failed; 0 if that is unknown.
    package private(set) var errno: Int32 = 0
    /// The relay's exit status, 128 and a signal if one ended it; 0 if nothing is wrong with it, or unknown.
    package private(set) var exit: Int32 = 0

    /// Nothing is wrong yet.
    package init() {}

    /// Notes the call, by its number in relay.h, that failed in this process.
    func note(call number: Int32) {
        let error = mpin_errno()
        note(number)
        errno = error
    }

    /// Notes a call that this process may not make; other errors than a lack of rights are not noted.
    func noteIfDenied(_ name: StaticString) {
        let error = mpin_errno()
        guard call.isEmpty, [EPERM, EACCES, ENOSYS].contains(error) else { return }
        call = ascii(name)
        errno = error
    }

    /// Notes the exit status of the relay.
    func note(exit status: Int32) {
        guard call.isEmpty, status > 0 else { return }
        note(status)
        if call.isEmpty { exit = status }
    }

    private func note(_ number: Int32) {
        guard let name = unsafe mpin_call_name(number) else { return }
        call = unsafe octets(ofCString: name)
    }
}
