// SPDX-License-Identifier: Apache-2.0
// The name of a route in the log and in the metrics.

/// Made of the path of an endpoint, or a literal of the source; never of a request's path, which may hold an
/// mpinId.
package struct RouteName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The components of the path, with dots between them; empty for a request without a route.
    package let text: String

    /// A name that the source has.
    package init(stringLiteral name: StaticString) { text = "\(name)" }

    /// The listener, if it is named, and the components of the path without `rps` and `v1` at its beginning,
    /// with dots between them.
    init<Server>(_ listener: StaticString = "", of endpoint: Endpoint<Server>) {
        let path = endpoint.components.drop { ["rps", "v1"].contains($0) }.joined(separator: ".")
        text = listener.utf8CodeUnitCount == 0 ? path : "\(listener).\(path)"
    }
}
