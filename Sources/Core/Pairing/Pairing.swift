// SPDX-License-Identifier: Apache-2.0
// Pairing: the curve BN254CX, its fields and groups, and the optimal ate pairing. It knows no protocol.
//
// Read from the bottom up: `Natural` (integers as limbs, without branches on values), `PrimeField`
// (Montgomery form), `Quadratic`, `Sextic` and `Dodecic` (the tower of fields), `Curve` with `G1`, `G2` and
// `GT`, and at last `MillerLoop` and the final exponentiation. `BN254CX` has the constants, each with the
// formula that gives it.
//
// A function that takes variable time has it in its name (`...Vartime`). docs/cryptography.md says which
// others must be constant, and `make ct` measures it. Papers are named where their formulas stand.
