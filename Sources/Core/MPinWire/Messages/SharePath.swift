// SPDX-License-Identifier: Apache-2.0
// The paths of requests for shares of client secrets and time permits, which relay, client library and page
// append to the addresses of clientSettings.
package import Octets

/// The end of a URL that requests a share: ASCII, with every value percent-encoded.
package enum SharePath {
    /// `/HEX?regOTT=...`, appended to `signatureURL`, requests D-TA 1's share of a client secret.
    ///
    /// - Parameters:
    ///   - mpinID: `mpinId` of the registration.
    ///   - regOTT: the one-time text of the registration.
    ///   - a: the hash A of the question that sealed the registration; nil to request a plain share.
    ///   - pushToken: the client's address for push messages; empty for none.
    package static func signature(
        mpinID: [UInt8], regOTT: [UInt8], a: QuestionHash? = nil, pushToken: [UInt8] = []
    ) -> [UInt8] {
        var values: [(key: String, value: [UInt8])] = [(QueryKey.regOTT, regOTT)]
        if let a { values.append((QueryKey.a, hex(a))) }
        if !pushToken.isEmpty { values.append((QueryKey.pushToken, pushToken)) }
        return ascii("/") + hex(mpinID) + ascii("?") + query(values)
    }

    /// `clientSecret?...`, appended to `certivoxURL` (which ends in a slash), requests D-TA 2's share of a
    /// client secret. nil if `params` cannot be part of a URL.
    ///
    /// - Parameter params: the query from D-TA 1's response, without changes.
    package static func clientSecret(params: [UInt8]) -> [UInt8]? {
        isPath(ascii("/") + params) ? ascii("clientSecret?") + params : nil
    }

    /// `timePermit?...`, appended to `certivoxURL` (which ends in a slash), requests D-TA 2's share of a time
    /// permit.
    ///
    /// - Parameters:
    ///   - storageID: the identity hash in hexadecimal, from D-TA 1's response.
    ///   - appID: `appID` of clientSettings; empty if they have none.
    ///   - signature: the signature from D-TA 1's response.
    package static func timePermit(storageID: [UInt8], appID: [UInt8], signature: [UInt8]) -> [UInt8] {
        ascii("timePermit?")
            + query([
                (QueryKey.hashMPinID, storageID), (QueryKey.appID, appID), (QueryKey.mobile, ascii("1")),
                (QueryKey.signature, signature),
            ])
    }

    private static func query(_ values: [(key: String, value: [UInt8])]) -> [UInt8] {
        var text: [UInt8] = []
        for (key, value) in values {
            if !text.isEmpty { text.append(UInt8(ascii: "&")) }
            text += [UInt8](key.utf8) + ascii("=") + percentEncoded(value)
        }
        return text
    }
}
