// SPDX-License-Identifier: Apache-2.0
// Which proofs count for an mpinId, by what it was registered for: at pass 2 and at redemption.

extension IdentityKind {
    /// Whether pass 1 came as this mpinId was registered: under its host's seal, from our client, or from a
    /// Milagro client.
    func fits(_ passOne: PassOneRecord, _ key: PassOneKey) -> Bool {
        switch (self, passOne.binding) {
        case (.host(let enrolment), .question), (.host(let enrolment), .changePIN):
            passOne.host.map { areSame($0, enrolment.host) } ?? false
        case (.bound, .nothing), (.bound, .seen): passOne.host == nil && key.isNamed
        case (.unbound, .nothing): passOne.host == nil && !key.isNamed
        case (.host, .nothing), (.host, .seen), (.bound, .question), (.bound, .changePIN),
            (.unbound, .question),
            (.unbound, .changePIN), (.unbound, .seen):
            false
        }
    }

    /// The same for a verdict.
    func fits(_ verdict: VerdictRecord) -> Bool {
        switch (self, verdict.purpose) {
        case (.host(let enrolment), .question), (.host(let enrolment), .changePIN):
            verdict.host.map { areSame($0, enrolment.host) } ?? false
        case (.bound, .login), (.bound, .session), (.bound, .application), (.unbound, .login),
            (.unbound, .session), (.unbound, .application):
            verdict.host == nil
        case (.host, .login), (.host, .session), (.host, .application), (.bound, .question),
            (.bound, .changePIN),
            (.unbound, .question),
            (.unbound, .changePIN):
            false
        }
    }
}
