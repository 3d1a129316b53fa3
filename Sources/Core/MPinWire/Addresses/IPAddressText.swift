// SPDX-License-Identifier: Apache-2.0
// The text of an IP address, for logs and settings.
#if !hasFeature(Embedded)
    import Glibc

    extension IPAddress {
        /// The usual notation, as inet_ntop(3) writes it.
        package var text: String {
            var text = [CChar](repeating: 0, count: 46)
            let family = octets.count == 4 ? AF_INET : AF_INET6
            let written = unsafe octets.withUnsafeBytes { octets in
                unsafe inet_ntop(family, octets.baseAddress, &text, socklen_t(text.count))
            }
            guard unsafe written != nil else { return "" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
#endif
