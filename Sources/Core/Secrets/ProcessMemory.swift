// SPDX-License-Identifier: Apache-2.0
// Hides the memory of the whole process from other processes of its user.
import CPlatform

/// The memory of this process.
package enum ProcessMemory {
    /// After this call only root can trace this process or read its memory, and the kernel writes no core
    /// dump of it; false if the system refuses. See prctl(2), PR_SET_DUMPABLE.
    package static func hide() -> Bool { mpin_undumpable() == 0 }
}
