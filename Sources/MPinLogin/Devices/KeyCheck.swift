// SPDX-License-Identifier: Apache-2.0
// Whether a server still knows this host's key, seen without an attempt: a session that nobody can approve.
package import MPin
package import MPinProof
package import MPinWire

package struct KeyCheck: ~Copyable {
    private let phones: Phones

    package init(_ key: consuming HostKey) { phones = Phones([], key: key) }

    /// A question of nobody's login; nil if the host's name is too long for one.
    package borrowing func question(_ nonce: [UInt8], in context: LoginContext) -> SealedQuestion? {
        phones.question(nonce, in: context, life: 10, acceptsUnseen: false)
    }

    /// What asks it.
    package borrowing func request(_ question: SealedQuestion) throws(Reason) -> RelayRequest {
        .session(try phones.sealed(question))
    }

    /// What ends the session again; `.seal` if the answer is not of somebody who has this key.
    package borrowing func end(
        _ answer: RelaySessionResponse, to question: SealedQuestion
    ) throws(Reason) -> RelayRequest {
        let session = try phones.session(answer, to: question, from: 0)
        return .end(RelayEndRequest(wid: session.wid, a: session.a))
    }
}
