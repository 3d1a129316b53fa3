// SPDX-License-Identifier: Apache-2.0
// Secrets that a proof leaves on the stack below its caller, where the next function or a core dump finds
// them.
import MPin
import Octets
import Pairing
import Secrets
import TestSupport
import Testing

/// The limbs of numbers of 32 octets, as words of the processor.
private func limbs(_ octets: [UInt8]) -> [UInt64] {
    stride(from: 0, to: octets.count, by: 8).map { start in
        octets[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// How many of these words are in the 32 KiB below this frame. The frame itself is excluded.
@inline(never)
private func countBelow(_ words: [UInt64]) -> Int {
    var mark: UInt64 = 0
    let here = unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) } & ~7
    var count = 0
    var address = here - 1_024
    while address > here - 32_768 {
        guard let place = unsafe UnsafePointer<UInt64>(bitPattern: address) else { return -1 }
        let word = unsafe place.pointee
        for wanted in words where wanted == word { count += 1 }
        address -= 8
    }
    return count
}

private func copy(_ secret: borrowing Secret) -> [UInt8] {
    secret.withBytes { octets in (0..<octets.byteCount).map { octets.octet($0) } }
}

@Suite struct `The stack` {
    private let id = Array("{\"userID\":\"alice\"}".utf8)
    private let x = [UInt8](1...32)
    private let factor = [UInt8](11...42)

    private func secret(_ octets: [UInt8]) throws -> Secret {
        try unsafe Secret(copying: octets.span.bytes)
    }

    @Test func `holds no secret number after a token was made and a proof answered`() throws {
        let client = try MasterShare.random().clientSecretShare(of: identityHash(id))
        let whole = copy(client)
        let token = try Token(clientSecret: client, mpinID: id, factor: secret(factor))
        let wanted = limbs(Array(whole[1...])) + limbs(factor) + limbs(x)
        #expect(countBelow(limbs(Array(whole[1...])) + limbs(factor)) == 0, "token")
        let pass = try PassOne(
            mpinID: id, token: token, factor: secret(factor), permit: nil, x: secret(x))
        #expect(countBelow(wanted) == 0, "pass 1")
        _ = try pass.answer(y: Challenge(exactly: 3...34))
        #expect(countBelow(wanted) == 0, "pass 2")
    }
}
