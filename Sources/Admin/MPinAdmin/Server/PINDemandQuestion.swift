// SPDX-License-Identifier: Apache-2.0
// Checks, before a user types a PIN, that the server can be reached and trusted, and fetches its requirements
// for new PINs.
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

extension SecretInput {
    /// Whether a user will type the PIN. Without one there is no early check: the first call fails as well.
    private var isAtTerminal: Bool { isTyped && respondent.isAtTerminal }

    /// If a user is about to type a PIN, throws why the server cannot be reached or trusted.
    func checkServer(_ settings: Settings) throws(Failure) {
        guard isAtTerminal else { return }
        _ = try pinDemand(settings)
    }

    /// The same for a personal token, without a relay.
    func checkServer(personal settings: Settings) throws(Failure) {
        guard isAtTerminal else { return }
        _ = try pinDemand(personal: settings)
    }
}

/// The server's requirements for new PINs. Throws if the server cannot be reached or trusted.
func pinDemand(_ settings: Settings) throws(Failure) -> PINDemand {
    try demand(in: TimedRelay.answer(to: .settings, settings), settings)
}

/// The same for a personal token, without a relay.
func pinDemand(personal settings: Settings) throws(Failure) -> PINDemand {
    let response: RelayResponse
    do throws(TransportError) {
        var line = try connected(settings)
        response = try line.exchange(.settings)
    } catch { throw Failure(personal: .transport(error), settings) }
    return try demand(in: response, settings)
}

private func demand(in response: RelayResponse, _ settings: Settings) throws(Failure) -> PINDemand {
    guard case .settings(_, let pins)? = response.body else { throw Failure(response, settings) }
    return pins
}
