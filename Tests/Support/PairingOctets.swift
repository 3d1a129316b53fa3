// SPDX-License-Identifier: Apache-2.0
// Values of the pairing as octets, for comparing and printing.
package import Pairing

extension Scalar {
    package var octets: [UInt8] {
        var octets = [UInt8](repeating: 0, count: Scalar.octetCount)
        var span = octets.mutableSpan
        var bytes = unsafe span.mutableBytes
        encode(into: &bytes)
        return octets
    }
}

extension G2 {
    package var octets: [UInt8]? {
        var octets = [UInt8](repeating: 0, count: G2.octetCount)
        var span = octets.mutableSpan
        var bytes = unsafe span.mutableBytes
        return encode(into: &bytes) ? octets : nil
    }
}
