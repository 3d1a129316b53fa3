// SPDX-License-Identifier: Apache-2.0
// The mathematics of the phone page's module without a machine around it, for the test vectors.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages
import Secrets

/// Takes `stretch RULE PIN`, or `MPINID TOKEN FACTOR X Y DATE PERMIT` with an empty date if there is no
/// permit.
@_expose(wasm, "mpin_vector") @_cdecl("mpin_vector")
public func vector(_ count: UInt32) -> UnsafePointer<UInt8>? {
    unsafe answer(vectorResult(received(count)))
}

private func vectorResult(_ fields: [[UInt8]]) -> Message {
    var result = Message("vector")
    if fields.count == 3, fields[0].spells("stretch"), let rule = PINRule(text: fields[1]),
        let pin = secret(fields[2]), let factor = try? rule.factor(of: pin)
    {
        result.add(factor.withBytes(copied))
    } else if fields.count == 7, let octets = secret(fields[1]), let token = try? Token(octets),
        let factor = secret(fields[2]), let x = secret(fields[3])
    {
        let date = wholeNumber(fields[5], in: 0...UInt32.max)
        do throws(MPinError) {
            let pass = try PassOne(
                mpinID: fields[0], token: token, factor: factor,
                permit: date.map { ($0, fields[6]) }, x: x)
            result.add(pass.u)
            result.add(pass.ut)
            guard let y = Challenge(fields[4]) else { throw .invalidScalar }
            result.add(try pass.answer(y: y))
        } catch { result.add("refused") }
    }
    return result
}
