// SPDX-License-Identifier: Apache-2.0
// The loop that drives an approval over a connection to the token's own server.
package import MPin
package import MPinWire
package import Secrets

/// Runs an approval to its end.
/// - Parameter ask: shows the approval details and asks for the PIN; returns nil if the user cancels.
package func drive<T: DeviceTransport & ~Copyable>(
    _ approval: inout Approval, over line: inout T, ask: (ApprovalDetails?) -> Secret?
) -> ApprovalOutcome {
    var step = approval.resume(.begin)
    while true {
        do throws(TransportError) {
            switch step {
            case .finished(let outcome): return outcome
            case .ask(let question): step = approval.resume(.told(try line.exchange(question)))
            case .exchange(let question): step = approval.resume(.received(try line.exchange(question)))
            case .show(let details):
                if let pin = ask(details) {
                    step = approval.resume(.typed(pin))
                } else {
                    step = approval.resume(.declined)
                }
            }
        } catch { step = approval.resume(.transportBroken(error)) }
    }
}
