// SPDX-License-Identifier: Apache-2.0
// The names by which other machines know a server: DNS names and IP addresses.
import Glibc
import MPinServer
import MPinWire
import Octets

struct ServerName: Equatable {
    /// In lower case; an address in its usual notation.
    let text: String
    /// nil for a DNS name.
    let address: IPAddress?

    /// nil if the text is neither a host name in ASCII nor an address.
    init?(_ typed: String) {
        if let address = IPAddress(Array(typed.utf8)) {
            self.address = address
            text = address.text
            return
        }
        let name = typed.lowercased()
        guard isHostName(name) else { return nil }
        address = nil
        text = name
    }

    /// The full name of this machine by its own settings; nil if it is not a host name.
    static func ofThisMachine() -> ServerName? {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_CANONNAME
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
        if unsafe getaddrinfo(name, nil, &hints, &found) == 0,
            let full = unsafe found?.pointee.ai_canonname.map({ unsafe String(cString: $0) }),
            let name = ServerName(full), name.address == nil
        {
            return name
        }
        return ServerName(
            String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// The name as an entry of subjectAltName.
    var alternative: String { (address == nil ? "DNS:" : "IP:") + text }

    /// The name as a CA's name constraint: only this name (and, for a DNS name, those below it).
    var constraint: String {
        guard let address else { return "permitted;DNS:\(text)" }
        return "permitted;IP:\(text)/"
            + (address.octets.count == 4
                ? "255.255.255.255" : Array(repeating: "ffff", count: 8).joined(separator: ":"))
    }

    var url: String { "https://" + (address?.octets.count == 16 ? "[\(text)]" : text) }
}

/// Labels of letters, digits and hyphens; the last label must not be a number, because that would be an
/// address.
private func isHostName(_ name: String) -> Bool {
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, let last = labels.last, !last.utf8.allSatisfy(isDigit) else { return false }
    return labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { isDigit($0) || (0x61...0x7a).contains($0) || $0 == 0x2d }
    }
}
