// SPDX-License-Identifier: Apache-2.0
// One call of libpam: its items, its environment and its log.
import CPAM
import CPlatform
import MPinConsole
import MPinProof
import Octets

/// A `pam_handle_t`, for as long as the call lasts. PAM_AUTHTOK is neither read nor set through it.
@safe struct Handle: ~Copyable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// A text item without the zero octet at its end; nil if it is not set.
    func text(_ item: CInt) -> [UInt8]? {
        var value: UnsafeRawPointer?
        guard unsafe pam_get_item(pointer, item, &value) == PAM_SUCCESS, let value = unsafe value else {
            return nil
        }
        return unsafe octets(value.assumingMemoryBound(to: CChar.self))
    }

    /// The name of the user, asked for by libpam where the application has not said it; the result code if
    /// there is none.
    func user() throws(Refused) -> [UInt8] {
        var name: UnsafePointer<CChar>?
        let result = unsafe pam_get_user(pointer, &name, nil)
        guard result == PAM_SUCCESS, let name = unsafe name else { throw Refused(code: result) }
        return unsafe octets(name)
    }

    /// libpam's own refusal.
    struct Refused: Error { let code: CInt }

    /// A variable of the PAM environment, which is not the environment of the process.
    func variable(_ name: StaticString) -> [UInt8]? {
        guard let value = unsafe mpin_pam_getenv(pointer, ascii(name) + [0]) else { return nil }
        return unsafe octets(value)
    }

    /// Sets a variable of the PAM environment; it reaches the user's shell, so it is never a secret.
    func set(_ name: StaticString, to value: [UInt8]) {
        _ = unsafe mpin_pam_putenv(pointer, ascii(name) + ascii("=") + value + [0])
    }

    /// Whether the application's conversation function gets no data of its own: in sshd that is the method
    /// `password`, which answers every hidden prompt with the Unix password.
    var conversationHasNoData: Bool {
        var value: UnsafeRawPointer?
        guard unsafe pam_get_item(pointer, PAM_CONV, &value) == PAM_SUCCESS, let value = unsafe value else {
            return false
        }
        return unsafe value.assumingMemoryBound(to: pam_conv.self).pointee.appdata_ptr == nil
    }

    /// One line to authpriv.
    func log(_ priority: CInt, _ line: LogLine) {
        unsafe mpin_pam_log(pointer, priority, line.octets + [0])
    }

    /// The delay after a refusal, which libpam takes when the whole stack is done.
    func delayFailure(microseconds: UInt32) { _ = unsafe pam_fail_delay(pointer, microseconds) }
}

/// The octets of a C string.
func octets(_ text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
}
