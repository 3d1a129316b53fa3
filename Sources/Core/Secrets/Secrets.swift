// SPDX-License-Identifier: Apache-2.0
// Secrets: values that must not leak, and the algorithms of libcrypto that need them.
//
// `Secret` is the type to know: noncopyable octets on locked pages of their own, read only inside a closure,
// wiped when the value ends. Whoever holds a PIN, a token or a key holds a `Secret`. `revealed` marks the
// few values that were computed from secrets and may be public.
//
// Files around it, each named after its subject, have random octets, SHA-256 with HMAC, scrypt and AES-GCM.
// A browser has no libcrypto: the page's build takes PortableHash.swift and PortableStretch.swift instead,
// with the same results.
