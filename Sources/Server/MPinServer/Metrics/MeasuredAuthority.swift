// SPDX-License-Identifier: Apache-2.0
// An authority whose commands are timed for the metrics.
import MPin
import Octets
import Secrets

struct MeasuredAuthority: Authority {
    let authority: any Authority
    let metrics: Metrics

    var epoch: UInt32 { authority.epoch }

    func answers() async -> Bool { await authority.answers() }

    func serverSecretShare(_ half: ShareIndex) async throws(AuthorityError) -> Secret {
        let clock = begin(.serverSecret)
        defer { clock() }
        return try await authority.serverSecretShare(half)
    }

    func clientSecretShare(_ half: ShareIndex, of id: IdentityHash) async throws(AuthorityError) -> Secret {
        let clock = begin(.clientSecret)
        defer { clock() }
        return try await authority.clientSecretShare(half, of: id)
    }

    func timePermitShare(
        _ half: ShareIndex, of id: IdentityHash, date: UInt32
    ) async throws(AuthorityError) -> [UInt8] {
        let clock = begin(.timePermit)
        defer { clock() }
        return try await authority.timePermitShare(half, of: id, date: date)
    }

    func revoke(_ id: IdentityHash) async throws(AuthorityError) {
        let clock = begin(.revoke)
        defer { clock() }
        try await authority.revoke(id)
    }

    /// Starts a clock; the result stops it and notes the time, also of a command that failed.
    private func begin(_ command: AuthorityQuestion.Command) -> () -> Void {
        let began = ContinuousClock.now
        return { metrics.answered(command, after: .now - began) }
    }
}
