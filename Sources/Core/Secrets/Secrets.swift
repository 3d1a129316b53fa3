// SPDX-License-Identifier: Apache-2.0
// Secrets: values that must not leak, and the algorithms of libcrypto that need them.
//
// `Secret` is the type to know: noncopyable octets on locked pages of their own, read only inside a closure,
// wiped when the value ends. Whoever holds a PIN, a token or a key holds a `Secret`. `Revealed` marks the
// few values that were computed from secrets and may be public.
//
// Around it: `RandomOctets`, `SHA256` with HMAC, `Stretch` (scrypt) and `AESGCM`. A browser has no
// libcrypto: the page's build takes `PortableHash` and `PortableStretch` instead, with the same results.
