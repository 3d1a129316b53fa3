// SPDX-License-Identifier: Apache-2.0
// Checks without a login whether a server still knows this host's key: opens a session that nobody can
// approve.
package import MPin
package import MPinProof
package import MPinWire
package import Octets

package struct KeyCheck: ~Copyable {
    private let phones: Phones

    package init(_ key: consuming HostKey) { phones = Phones([], key: key) }

    /// A question that belongs to no login and lists no device; nil if a text is too long for one.
    package borrowing func question(_ nonce: QuestionNonce, in context: LoginContext) -> SealedQuestion? {
        phones.question(nonce, in: context, life: 10, acceptsUnseen: false)
    }

    /// The request that sends the question.
    package borrowing func request(_ question: SealedQuestion) throws(Reason) -> RelayRequest {
        .session(try phones.sealed(question))
    }

    /// The request that ends the session; throws `.seal` if the answer does not come from a server with this
    /// key.
    package borrowing func end(
        _ answer: RelaySessionResponse, to question: SealedQuestion
    ) throws(Reason) -> RelayRequest {
        let session = try phones.session(answer, to: question, from: 0)
        return .end(RelayEndRequest(wid: session.wid, a: session.a))
    }
}
