// SPDX-License-Identifier: Apache-2.0
// The metrics of this process, which the kernel counts. They are read when they are shown.
import Glibc
import Octets

/// A metric whose value is read from /proc/self; it has no sample if that fails.
struct ProcessMetric: MetricFamily {
    let kind: MetricKind
    private let value: @Sendable (ProcessStatus) -> Double?

    init(_ kind: MetricKind, _ value: @escaping @Sendable (ProcessStatus) -> Double?) {
        self.kind = kind
        self.value = value
    }

    var samples: [Sample] {
        ProcessStatus().flatMap(value).map { [Sample(labels: [], value: $0)] } ?? []
    }
}

/// What /proc/self says. The files of the whole system, such as /proc/stat, are hidden by the unit of mpind.
struct ProcessStatus {
    /// The fields of proc_pid_stat(5), beginning with field 3; the name before them may have blanks.
    private let fields: [Substring]
    private static let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))

    init?() {
        let octets = beginning(ofFile: ascii("/proc/self/stat"), atMost: 4096)
        let text = String(decoding: octets, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        fields = text[end...].dropFirst().split(separator: " ")
    }

    private func field(_ number: Int) -> Double? {
        fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil
    }

    var seconds: Double? {
        guard let user = field(14), let system = field(15) else { return nil }
        return (user + system) / ProcessStatus.ticks
    }

    var threads: Double? { field(20) }
    var addressSpace: Double? { field(23) }
    var memory: Double? { field(24).map { $0 * Double(sysconf(CInt(_SC_PAGESIZE))) } }

    /// Since 1970. The kernel has the time since the machine started.
    var start: Double? {
        field(22).map { time(CLOCK_REALTIME) - time(CLOCK_BOOTTIME) + $0 / ProcessStatus.ticks }
    }

    private func time(_ clock: CInt) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The open descriptors, without the one that this function opens.
    var descriptors: Double? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while let entry = unsafe readdir(folder) {
            // `.` and `..`
            if unsafe entry.pointee.d_name.0 != 0x2e { count += 1 }
        }
        return Double(count - 1)
    }

    var mostDescriptors: Double? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }
}
