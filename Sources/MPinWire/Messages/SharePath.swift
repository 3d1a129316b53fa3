// SPDX-License-Identifier: Apache-2.0
// How shares of client secrets and time permits are asked for: what relay, client library and page append to
// the addresses of clientSettings.
import Octets

/// What stands behind an address at which a share is asked for: ASCII, with every value escaped.
package enum SharePath {
    /// `/HEX?regOTT=...` behind `signatureURL`: D-TA 1's share of a client secret.
    ///
    /// - Parameters:
    ///   - mpinID: of the registration.
    ///   - regOTT: its one-time text.
    ///   - a: hash of the question that the registration was sealed with; empty: the share is wanted plain.
    ///   - pushToken: where messages reach the client; empty: nowhere.
    package static func signature(
        mpinID: [UInt8], regOTT: [UInt8], a: [UInt8] = [], pushToken: [UInt8] = []
    ) -> [UInt8] {
        var values: [(key: String, value: [UInt8])] = [(QueryKey.regOTT, regOTT)]
        if !a.isEmpty { values.append((QueryKey.a, hex(a))) }
        if !pushToken.isEmpty { values.append((QueryKey.pushToken, pushToken)) }
        return ascii("/") + hex(mpinID) + ascii("?") + query(values)
    }

    /// `clientSecret?...` behind `certivoxURL`, which ends in a slash: D-TA 2's share of a client secret.
    ///
    /// - Parameter params: as D-TA 1's answer has them; nil for what can stand in no URL.
    package static func clientSecret(params: [UInt8]) -> [UInt8]? {
        isPath(ascii("/") + params) ? ascii("clientSecret?") + params : nil
    }

    /// `timePermit?...` behind `certivoxURL`, which ends in a slash: D-TA 2's share of a time permit.
    ///
    /// - Parameters:
    ///   - storageID: hash of the identity in hex, as D-TA 1's answer has it; `signature` too.
    ///   - appID: of clientSettings; empty where they name none.
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
