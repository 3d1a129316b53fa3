// SPDX-License-Identifier: Apache-2.0
// What mpin-bench measures everything by.

/// `count` dependent multiplications in Fp, which nothing can shorten; the result depends on all of them.
package func multiplicationChain(_ count: Int) -> UInt64 {
    let factor = BN254CX.gamma.re
    var product = factor
    for _ in 0..<count { product = product * factor }
    return product.limbs[0]
}
