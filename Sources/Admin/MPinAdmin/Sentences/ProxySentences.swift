// SPDX-License-Identifier: Apache-2.0
// Sentences for a server that is reached through a proxy and did not answer.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

extension Settings {
    /// The proxy through which all backends are reached; nil if there is none, or not all backends use it.
    private var wayToServer: String? {
        guard backends.allSatisfy({ $0.channel == .https }) else { return nil }
        return proxy.map { text($0) }
    }

    /// Why no answer came, and what to do; nil if the proxy is not the cause.
    func proxyFault(_ status: UInt16?) -> (fault: String, cure: String)? {
        guard let proxy = wayToServer else { return nil }
        if let said = status.flatMap({ RelayResponse.proxysWord($0) }) {
            return (
                "The proxy at \(proxy) refused (HTTP \(said)).",
                "It must let this host CONNECT to the server in 'backend', and ask for no password."
            )
        }
        switch status {
        case .some(RelayResponse.unreachable):
            return (
                "The proxy at \(proxy) did not answer.", "Is it running, and is 'proxy' in mpin.conf right?"
            )
        case .none, .some(RelayResponse.timedOut):
            return (
                "The proxy at \(proxy), or the server behind it, did not answer in time.",
                "Look at the load of both, and at the name servers of this host."
            )
        default: return nil
        }
    }
}
