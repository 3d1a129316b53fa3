// SPDX-License-Identifier: Apache-2.0
// What a client remembers of a user without storing it.
import MPin
import MPinWire
import Secrets

final class ClientMemory {
    /// The two halves of a client secret. Together they are worth a token and its PIN: they are never stored.
    var shares: Shares?
    var permit: Permit?
    var logout: Logout?
    var notice: LoginNotice?
}

final class Shares {
    private let first: Secret
    private let second: Secret
    /// Of a bound registration.
    let deviceKey: DeviceKey?

    init(_ first: [UInt8], _ second: [UInt8], deviceKey: consuming DeviceKey?) throws(Failure) {
        self.deviceKey = deviceKey
        do throws(OutOfMemory) {
            self.first = try Secret(copying: unsafe first.span.bytes)
            self.second = try Secret(copying: unsafe second.span.bytes)
        } catch { throw Failure(.outOfMemory) }
    }

    /// What is left of their sum when the PIN's factor is taken off.
    func token(of mpinID: [UInt8], factor: borrowing Secret) throws(MPinError) -> Token {
        try Token(clientSecret: clientSecret(first, second), mpinID: mpinID, factor: factor)
    }
}

struct Permit {
    /// Days since 1970-01-01 UTC, by the server.
    let date: UInt32
    /// Both shares, added.
    let octets: [UInt8]
}

/// How to end the browser's session that was opened from here.
struct Logout {
    let url: String
    let data: JSON?
}
