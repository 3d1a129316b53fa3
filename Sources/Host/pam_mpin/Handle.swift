// SPDX-License-Identifier: Apache-2.0
// The handle of one call by libpam: its items, its environment and its log.
import CPAM
import CPlatform
import MPinConsole
import MPinLogin
import MPinProof
import Octets

/// A `pam_handle_t`, valid as long as the call lasts. PAM_AUTHTOK is neither read nor set through it.
@safe struct Handle: ~Copyable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// A text item without the NUL at its end; nil if it is not set.
    func text(_ item: CInt) -> [UInt8]? {
        var value: UnsafeRawPointer?
        guard unsafe pam_get_item(pointer, item, &value) == PAM_SUCCESS, let value = unsafe value else {
            return nil
        }
        return unsafe octets(value.assumingMemoryBound(to: CChar.self))
    }

    /// The name of the user. libpam asks for it if the application has not set it. Throws libpam's result
    /// code if there is no name.
    func user() throws(Refused) -> [UInt8] {
        var name: UnsafePointer<CChar>?
        let result = unsafe pam_get_user(pointer, &name, nil)
        guard result == PAM_SUCCESS, let name = unsafe name else { throw Refused(code: result) }
        return unsafe octets(name)
    }

    /// libpam's result code for a name that it could not get.
    struct Refused: Error { let code: CInt }

    /// A variable of the PAM environment, which is not the environment of the process.
    func variable(_ name: StaticString) -> [UInt8]? {
        guard let value = unsafe mpin_pam_getenv(pointer, ascii(name) + [0]) else { return nil }
        return unsafe octets(value)
    }

    /// Sets a variable of the PAM environment. It reaches the user's shell, so it must not be a secret.
    func set(_ name: StaticString, to value: [UInt8]) {
        _ = unsafe mpin_pam_putenv(pointer, ascii(name) + ascii("=") + value + [0])
    }

    /// Whether the application passes no data to its conversation function. In sshd this identifies the
    /// method `password`, which answers every hidden prompt with the Unix password.
    var conversationHasNoData: Bool {
        var value: UnsafeRawPointer?
        guard unsafe pam_get_item(pointer, PAM_CONV, &value) == PAM_SUCCESS, let value = unsafe value else {
            return false
        }
        return unsafe value.assumingMemoryBound(to: pam_conv.self).pointee.appdata_ptr == nil
    }

    /// Writes one line to the log, facility authpriv, with the prefix that libpam gives to those of modules.
    func log(_ priority: CInt, _ line: LogLine) {
        let prefix = ascii("pam_mpin(") + (text(PAM_SERVICE) ?? ascii("<unknown>")) + ascii(":auth): ")
        let log = mpin_log_open()
        defer { close(log.socket) }
        unsafe mpin_log_send(log, priority, mpin_program_name(), prefix + line.octets + [0])
    }

    /// The answers that were wrong in earlier calls under this handle. sudo, for example, begins anew after
    /// each wrong answer.
    @inline(never)
    func wrongAnswers() -> WrongAnswers {
        if let kept = unsafe mpin_pam_kept(pointer) {
            return unsafe Unmanaged<WrongAnswers>.fromOpaque(kept).takeUnretainedValue()
        }
        let new = WrongAnswers()
        let kept = unsafe Unmanaged.passRetained(new)
        let result = unsafe mpin_pam_keep(pointer, kept.toOpaque()) { _, data, _ in
            guard let data = unsafe data else { return }
            unsafe Unmanaged<WrongAnswers>.fromOpaque(data).release()
        }
        if result != PAM_SUCCESS { unsafe kept.release() }
        return new
    }

    /// Requests a delay after a refusal; libpam waits when the whole stack is done.
    func delayFailure(microseconds: UInt32) { _ = unsafe pam_fail_delay(pointer, microseconds) }
}

/// The octets of a C string.
func octets(_ text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
}
