// SPDX-License-Identifier: Apache-2.0
// Whether the server can be asked and is to be trusted, found out before somebody types a PIN for it.
import MPinCurl
import MPinLogin
import MPinProof
import MPinWire

extension Asked {
    /// Whether a person will be asked. Programs learn the same from the first call.
    private var isAtTerminal: Bool {
        guard isTyped, let terminal = Terminal() else { return false }
        _ = consume terminal
        return true
    }

    /// Throws what keeps the server from being asked, where a person is about to type.
    func checkServer(_ settings: Settings) throws(Failure) {
        guard isAtTerminal else { return }
        let answer: Answer
        do throws(TransportError) {
            var relay = try TimedRelay(settings)
            answer = try relay.exchange(.settings)
        } catch { throw Failure(error, settings) }
        guard answer.status == 200 else { throw Failure(answer, settings) }
    }

    /// The same without a relay.
    func checkServer(personal settings: Settings) throws(Failure) {
        guard isAtTerminal else { return }
        let answer: Answer
        do throws(TransportError) {
            var line = try connected(settings)
            answer = try line.exchange(.settings)
        } catch { throw Failure(personal: .transport(error), settings) }
        guard answer.status == 200 else { throw Failure(answer, settings) }
    }
}
