// SPDX-License-Identifier: Apache-2.0
// The findings about the difference between the clocks of a server and this host.

/// The findings about both clocks, whose times are in Unix seconds.
package func clockFindings(ours: Int64, theirs: Int64, server: String) -> [Finding] {
    let (ahead, behind) = (ours - theirs, theirs - ours)
    let distance = max(ahead, behind)
    let words = "This host's clock is \(seconds(distance)) \(ahead > 0 ? "ahead of" : "behind") \(server)'s."
    let advice = "Let both take their time from the network: 'sudo timedatectl set-ntp true'."
    switch distance {
    case ...30: return [Finding(.clock, "The clock agrees with \(server)'s to \(max(distance, 1)) s.")]
    case ...300:
        return [
            Finding(.clockOff, words + " From 10 minutes on, every login is refused.", advice)
        ]
    default:
        return [
            Finding(.clockWrong, words + " From 10 minutes on, every login is refused.", advice)
        ]
    }
}

private func seconds(_ count: Int64) -> String {
    switch count {
    case ..<120: "\(count) s"
    case ..<7_200: "\(count / 60) minutes"
    case ..<172_800: "\(count / 3_600) hours"
    default: "\(count / 86_400) days"
    }
}
