// SPDX-License-Identifier: Apache-2.0
// Whether a server still knows this host's key, seen without an attempt: a session that nobody can approve.
package import MPin
package import MPinProof
package import MPinWire

package struct KeyCheck: ~Copyable {
    private let phones: Phones

    package init(_ key: consuming HostKey) { phones = Phones([], key: key) }

    /// A question of nobody's login; nil if the host's name is too long for one.
    package borrowing func ask(_ nonce: [UInt8], in scene: Scene) -> Ask? {
        phones.question(nonce, in: scene, life: 10, acceptsUnseen: false)
    }

    package borrowing func question(_ ask: Ask) throws(Reason) -> Question {
        .session(try phones.sealed(ask))
    }

    /// What ends the session again; `.seal` if the answer is not of somebody who has this key.
    package borrowing func end(
        _ answer: SessionAnswer, to ask: Ask
    ) throws(Reason) -> Question {
        let session = try phones.session(answer, to: ask, from: 0)
        return .end(EndQuestion(wid: session.wid, a: session.a))
    }
}
