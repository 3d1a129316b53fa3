// SPDX-License-Identifier: Apache-2.0
// A system call that the kernel refused to the relay, such as a socket that the unit of a service forbids.
import CPlatform

/// A system call, and the number of its error.
package struct RefusedCall {
    /// The call's name.
    package let name: String
    /// The number of its error.
    package let errno: CInt

    /// nil unless a socket could not be made, or connecting was not permitted.
    /// - Parameter connectError: libcurl's errno of the last connection.
    init?(_ socketError: CInt, _ connectError: Int) {
        if socketError != 0 {
            (name, errno) = ("socket", socketError)
        } else if [EPERM, EACCES, ENOSYS].contains(CInt(truncatingIfNeeded: connectError)) {
            (name, errno) = ("connect", CInt(truncatingIfNeeded: connectError))
        } else {
            return nil
        }
    }
}
