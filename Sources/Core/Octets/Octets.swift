// SPDX-License-Identifier: Apache-2.0
// Octets, the lowest layer: text, numbers and files as octets, without Foundation.
//
// Module, phone page, programs and server all use it, so it compiles as Embedded Swift and as WebAssembly.
// Text from outside stays `[UInt8]`: a comparison of `String` would bring 80 KB of Unicode tables into the
// module.
//
// Read `FixedOctets` first: a value with a fixed number of octets and one meaning, such as `IdentityHash` or
// `ServerNonce`. The compiler refuses to exchange two meanings, and octets of another length fail where they
// are decoded. Then `TrustedFile` and `Descriptor`, by which every file is opened and checked, and
// `FileReplacement`: a file is replaced as a whole or not at all. PasswdEntry.swift asks passwd and group;
// Hex.swift, Decimal.swift and PercentEncoded.swift have the encodings, PresentableText.swift makes foreign
// text safe to show.
