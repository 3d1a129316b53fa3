// SPDX-License-Identifier: Apache-2.0
// A whole process whose memory is closed to the others of its user.
import CPlatform

/// The memory of this process.
package enum ProcessMemory {
    /// From here on nobody but root can trace this process or read its memory, and no core of it is written;
    /// false if the system refuses. prctl(2), PR_SET_DUMPABLE.
    package static func hide() -> Bool { mpin_undumpable() == 0 }
}
