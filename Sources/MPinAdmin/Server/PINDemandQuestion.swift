// SPDX-License-Identifier: Apache-2.0
// Whether the server can be asked and is to be trusted, and what it asks of new PINs: found out before
// somebody types a PIN for it.
import MPinCurl
import MPinLogin
import MPinProof
import MPinStore
import MPinWire

extension SecretInput {
    /// Whether a person will be asked. Programs learn the same from the first call.
    private var isAtTerminal: Bool { isTyped && respondent.isAtTerminal }

    /// Throws what keeps the server from being asked, where a person is about to type.
    func checkServer(_ settings: Settings) throws(Failure) {
        guard isAtTerminal else { return }
        _ = try pinDemand(settings)
    }

    /// The same without a relay.
    func checkServer(personal settings: Settings) throws(Failure) {
        guard isAtTerminal else { return }
        _ = try pinDemand(personal: settings)
    }
}

/// What the server asks of new PINs. Throws what keeps it from being asked.
func pinDemand(_ settings: Settings) throws(Failure) -> PINDemand {
    let answer: RelayResponse
    do throws(TransportError) {
        var relay = try TimedRelay(settings)
        answer = try relay.exchange(.settings)
    } catch { throw Failure(error, settings) }
    return try demand(in: answer, settings)
}

/// The same without a relay.
func pinDemand(personal settings: Settings) throws(Failure) -> PINDemand {
    let answer: RelayResponse
    do throws(TransportError) {
        var line = try connected(settings)
        answer = try line.exchange(.settings)
    } catch { throw Failure(personal: .transport(error), settings) }
    return try demand(in: answer, settings)
}

private func demand(in answer: RelayResponse, _ settings: Settings) throws(Failure) -> PINDemand {
    guard case .settings(_, let pins)? = answer.body else { throw Failure(answer, settings) }
    return pins
}
