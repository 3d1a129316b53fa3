// SPDX-License-Identifier: Apache-2.0
// Decoding and encoding of points and scalars, with the errors of the protocol.
import Pairing
import Secrets

/// A secret of `count` zero octets.
func newSecret(_ count: Int) throws(MPinError) -> Secret {
    do { return try Secret(count: count) } catch { throw .outOfMemory }
}

extension G1 {
    init(decoding octets: [UInt8]) throws(MPinError) {
        guard let point = G1(unsafe octets.span.bytes) else { throw .invalidPoint }
        self = point
    }

    init(decoding octets: borrowing Secret) throws(MPinError) {
        guard let point = octets.withBytes({ G1($0) }) else { throw .invalidPoint }
        self = point
    }
}

extension G1.Affine {
    func encoded() throws(MPinError) -> [UInt8] {
        guard let octets else { throw .infinity }
        return octets
    }

    func encodedSecret() throws(MPinError) -> Secret {
        var secret = try newSecret(G1.octetCount)
        guard secret.withMutableBytes({ encode(into: &$0) }) else { throw .infinity }
        return secret
    }
}

extension G2 {
    init(decoding octets: borrowing Secret) throws(MPinError) {
        guard let point = octets.withBytes({ G2($0) }) else { throw .invalidPoint }
        self = point
    }

    func encodedSecret() throws(MPinError) -> Secret {
        var secret = try newSecret(G2.octetCount)
        guard secret.withMutableBytes({ encode(into: &$0) }) else { throw .infinity }
        return secret
    }
}

extension Scalar {
    init(decoding octets: borrowing Secret) throws(MPinError) {
        guard let scalar = octets.withBytes({ Scalar($0) }) else { throw .invalidScalar }
        self = scalar
    }

    init(nonZero octets: borrowing Secret) throws(MPinError) {
        try self.init(decoding: octets)
        guard !isZero else { throw .invalidScalar }
    }

    init(nonZero octets: [UInt8]) throws(MPinError) {
        guard let scalar = Scalar(unsafe octets.span.bytes), !scalar.isZero else { throw .invalidScalar }
        self = scalar
    }

    func encodedSecret() throws(MPinError) -> Secret {
        var secret = try newSecret(Scalar.octetCount)
        secret.withMutableBytes { encode(into: &$0) }
        return secret
    }

    /// A random scalar from 1 to r-1, as 32 octets, big-endian. It is not inlined: see `clearStack`.
    @inline(never)
    static func random() throws(MPinError) -> Secret {
        var seed = try newSecret(48)
        do { try seed.randomize() } catch { throw .noRandomness }
        return try seed.withBytes { Scalar(nonZeroFrom: $0) }.encodedSecret()
    }
}
