// SPDX-License-Identifier: Apache-2.0
// One check of `mpin doctor`, and the list of all checks.

/// One check: what it looks at, and a function that gives its findings.
struct Check: Sendable {
    let name: String
    /// What it reads.
    let reads: String
    /// Whether only root can read that, and only a host with M-Pin in a stack needs it.
    let isForRoot: Bool
    let findings: @Sendable (Examination) -> [Finding]

    init(
        _ name: String, reads: String, isForRoot: Bool = false,
        findings: @escaping @Sendable (Examination) -> [Finding]
    ) {
        (self.name, self.reads, self.isForRoot, self.findings) = (name, reads, isForRoot, findings)
    }

    /// All checks, in the order of their findings.
    static let all: [Check] = [
        .module, .relay, .relayUser, .settings, .store, .servers, .page, .stacks, .includedStacks, .sections,
        .gone, .uses, .seats, .sshd, .loginDefaults, .sudo, .root, .clock, .mpind, .unseen,
    ]
}
