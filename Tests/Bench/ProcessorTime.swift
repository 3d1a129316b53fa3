// SPDX-License-Identifier: Apache-2.0
// How long processes have used a processor.
import FoundationEssentials
import Glibc

/// The seconds that these processes have used.
func processorSeconds(of processes: [Int]) throws -> Double {
    try processes.reduce(0) { try $0 + processorSeconds("/proc/\($1)/stat", fields: 11...12) }
}

/// The seconds that a PostgreSQL server has used: its first process, those that it started, and those that
/// have ended.
func processorSeconds(ofServer process: Int) throws -> Double {
    let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return try children.split(separator: " ").reduce(
        processorSeconds("/proc/\(process)/stat", fields: 11...14)
    ) { sum, child in
        // A process that ends now is counted by the first one.
        sum + ((try? processorSeconds("/proc/\(child)/stat", fields: 11...12)) ?? 0)
    }
}

/// The time of this thread, in nanoseconds.
func threadNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// - Parameter fields: places after the process's name: 11 utime, 12 stime, 13 cutime, 14 cstime.
private func processorSeconds(_ path: String, fields: ClosedRange<Int>) throws -> Double {
    let stat = try String(contentsOfFile: path, encoding: .utf8)
    let found = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].dropFirst(2).split(separator: " ")
    let ticks = found[fields].reduce(0) { $0 + (Int($1) ?? 0) }
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
}
