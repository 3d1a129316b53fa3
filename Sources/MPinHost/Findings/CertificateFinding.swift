// SPDX-License-Identifier: Apache-2.0
// What the end of a server's certificate means for this host.

/// A certificate that ends within three weeks.
package func certificateFinding(end: Int64, now: Int64, server: String) -> Finding? {
    let days = (end - now) / 86_400
    guard days < 21 else { return nil }
    return Finding(
        .certificateEnds, "The certificate of \(server) ends in \(days) days; then nobody can log in.",
        "Renew it on the server.")
}
