// SPDX-License-Identifier: Apache-2.0
// The functions of MPin that handle secrets, exported to C. The wrappers add no branch on a secret.
import MPin
import Octets
import Pairing
import Secrets

public typealias Octets = UnsafePointer<UInt8>
public typealias Out = UnsafeMutablePointer<UInt8>

private func secret(_ octets: Octets, _ count: Int) throws(MPinError) -> Secret {
    do {
        return try unsafe Secret(copying: RawSpan(_unsafeStart: octets, byteCount: count))
    } catch { throw .outOfMemory }
}

private func array(_ octets: Octets, _ count: Int) -> [UInt8] {
    unsafe [UInt8](UnsafeBufferPointer(start: octets, count: count))
}

private func fixed<Meaning>(_ octets: Octets) throws(MPinError) -> FixedOctets<32, Meaning> {
    guard let value = unsafe FixedOctets<32, Meaning>(array(octets, 32)) else { throw .invalidPoint }
    return value
}

private func write(_ octets: [UInt8], _ out: Out) {
    for index in octets.indices { unsafe out[index] = octets[index] }
}

private func write(_ octets: borrowing Secret, _ out: Out) {
    octets.withBytes { for index in 0..<$0.byteCount { unsafe out[index] = $0.octet(index) } }
}

/// 0, or -1 for an error.
private func result(_ body: () throws(MPinError) -> Void) -> CInt {
    do {
        try body()
        return 0
    } catch { return -1 }
}

@c(entry_passes)
public func passes(
    _ id: Octets, _ idCount: Int, _ token: Octets, _ factor: Octets, _ factorCount: Int, _ permit: Octets,
    _ date: UInt32, _ x: Octets, _ y: Octets, _ u: Out, _ ut: Out, _ v: Out
) -> CInt {
    result { () throws(MPinError) in
        var scalar = try unsafe secret(factor, factorCount)
        if factorCount == 48 {
            let reduced = scalar.withBytes { Scalar(reducing: $0) }
            scalar = try unsafe secret(factor, 32)
            scalar.withMutableBytes { reduced.encode(into: &$0) }
        }
        let pass = try unsafe PassOne(
            mpinID: array(id, idCount), token: Token(secret(token, 65)), factor: scalar,
            permit: (date, array(permit, 65)), x: secret(x, 32))
        unsafe write(pass.u, u)
        unsafe write(pass.ut, ut)
        unsafe write(try pass.answer(y: fixed(y)), v)
    }
}

@c(entry_token)
public func token(
    _ id: Octets, _ idCount: Int, _ share1: Octets, _ share2: Octets, _ pin: Octets, _ pinCount: Int,
    _ out: Out
) -> CInt {
    result { () throws(MPinError) in
        let whole = try unsafe clientSecret(secret(share1, 65), secret(share2, 65))
        let factor = try unsafe PINRule.milagroString.factor(of: secret(pin, pinCount))
        let made = try unsafe Token(clientSecret: whole, mpinID: array(id, idCount), factor: factor)
        unsafe write(made.octets, out)
    }
}

@c(entry_number)
public func number(_ pin: Octets, _ pinCount: Int, _ out: Out) -> CInt {
    result { () throws(MPinError) in
        unsafe write(try PINRule.number(modulus: 10_000).factor(of: secret(pin, pinCount)), out)
    }
}

@c(entry_authority)
public func authority(
    _ master: Octets, _ hash: Octets, _ date: UInt32, _ server: Out, _ client: Out, _ permit: Out
) -> CInt {
    result { () throws(MPinError) in
        let share = try unsafe MasterShare(secret(master, 32))
        unsafe write(try share.serverSecretShare(), server)
        unsafe write(try share.clientSecretShare(of: fixed(hash)), client)
        unsafe write(try share.timePermitShare(of: fixed(hash), date: date), permit)
    }
}

@c(entry_verify)
public func verify(
    _ share1: Octets, _ share2: Octets, _ id: Octets, _ idCount: Int, _ date: UInt32, _ u: Octets,
    _ ut: Octets,
    _ y: Octets, _ v: Octets
) -> CInt {
    do throws(MPinError) {
        let whole = try unsafe serverSecret(secret(share1, 128), secret(share2, 128))
        let accepted = try unsafe Verifier(serverSecret: whole).verify(
            mpinID: array(id, idCount), date: date, u: array(u, 65), ut: array(ut, 65), y: fixed(y),
            v: array(v, 65))
        return accepted ? 1 : 0
    } catch { return -1 }
}

/// Branches on a secret, as no other function here may.
@c(entry_leaky)
@inline(never)
public func leaky(_ secret: Octets) -> CInt {
    if unsafe secret[0] > 5 {
        return unsafe multiplicationChain(Int(secret[1] & 1) + 1) == 0 ? 1 : 2
    }
    return 3
}

@c(entry_multiplications)
public func multiplications(_ count: Int) -> UInt64 { multiplicationChain(count) }
