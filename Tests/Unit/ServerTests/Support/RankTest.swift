// SPDX-License-Identifier: Apache-2.0
// A rank test: whether the times of two kinds of requests tell the kinds apart.
import Glibc

/// Whether one kind can be distinguished from the other: its runs are shorter, or longer, by a sixth more
/// often than not, and more often than chance explains. In pass 2 the database's work is 5 % less for an
/// identity that is unknown or locked; an attacker who measures that has been counted, and mpinIds cannot be
/// guessed.
func canTell(_ these: [Int], _ those: [Int]) -> Bool {
    let rounds = min(these.count, those.count)
    let deviation = (Double(2 * rounds + 1) / Double(12 * rounds * rounds)).squareRoot()
    let likely = max(
        precedence(of: these, over: those.map { $0 * 5 / 6 }),
        precedence(of: those, over: these.map { $0 * 5 / 6 }))
    return likely > 0.5 + 3 * deviation
}

/// The probability that one of these is shorter than one of those (Mann and Whitney's U over the number of
/// pairs).
private func precedence(of these: [Int], over those: [Int]) -> Double {
    let wins = these.reduce(0.0) { sum, this in
        those.reduce(sum) { $0 + (this < $1 ? 1 : this == $1 ? 0.5 : 0) }
    }
    return wins / Double(these.count * those.count)
}

/// The processor time that this process has used, in nanoseconds.
func spentTime() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
