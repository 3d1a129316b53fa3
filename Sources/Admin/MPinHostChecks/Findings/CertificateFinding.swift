// SPDX-License-Identifier: Apache-2.0
// The finding about a server certificate that ends soon.

/// The finding if a certificate ends within three weeks; nil otherwise. Times are Unix seconds.
package func certificateFinding(end: Int64, now: Int64, server: String) -> Finding? {
    let days = (end - now) / 86_400
    guard days < 21 else { return nil }
    return Finding(
        .certificateEnds, "The certificate of \(server) ends in \(days) days; then nobody can log in.",
        "Renew it on the server.")
}
