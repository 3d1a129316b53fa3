// SPDX-License-Identifier: Apache-2.0
// The unit of measurement of mpin-bench: multiplications in Fp.

/// Does `count` multiplications in Fp, each of the previous result, so that they cannot run in parallel or be
/// optimized away. The returned word depends on all of them.
package func multiplicationChain(_ count: Int) -> UInt64 {
    let factor = BN254CX.gamma.re
    var product = factor
    for _ in 0..<count { product = product * factor }
    return product.limbs[0]
}
