// SPDX-License-Identifier: Apache-2.0
// What a client keeps of a user only in memory.
import MPin
import MPinWire
import Secrets

final class ClientMemory {
    /// The two shares of a client secret. They are never stored: together they are as good as a token with
    /// its PIN.
    var shares: Shares?
    var permit: Permit?
    var logout: BrowserLogout?
    var notice: LoginNotice?
}

final class Shares {
    private let first: Secret
    private let second: Secret
    /// The device key of a bound registration.
    let deviceKey: DeviceKey?

    init(_ first: [UInt8], _ second: [UInt8], deviceKey: consuming DeviceKey?) throws(ClientFailure) {
        self.deviceKey = deviceKey
        do throws(OutOfMemory) {
            self.first = try Secret(copying: unsafe first.span.bytes)
            self.second = try Secret(copying: unsafe second.span.bytes)
        } catch { throw ClientFailure(.outOfMemory) }
    }

    /// The token: the sum of the shares minus the PIN's part.
    func token(of mpinID: [UInt8], factor: borrowing Secret) throws(MPinError) -> Token {
        try Token(clientSecret: clientSecret(first, second), mpinID: mpinID, factor: factor)
    }
}

/// A complete time permit.
struct Permit {
    /// Days since 1970-01-01 UTC, by the server's clock.
    let date: UInt32
    /// The sum of both shares, 65 octets.
    let octets: [UInt8]
}

/// What is needed to end the login in a browser that this client finished.
struct BrowserLogout {
    let url: String
    let data: JSON?
}
