// SPDX-License-Identifier: Apache-2.0
// The system's own words for an error number.
import CPlatform

/// Why a file of root's cannot be opened, for a sentence's end.
package func accessMessage(_ number: Int32) -> String {
    guard [EACCES, EPERM].contains(number), geteuid() != 0 else { return systemMessage(number) }
    return "permission denied: run this command as root (sudo)"
}

package func systemMessage(_ number: Int32) -> String {
    guard let message = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: message)
}
