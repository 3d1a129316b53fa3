// SPDX-License-Identifier: Apache-2.0
// Writes facts about the server into mpin.conf: the addresses of its names, for when no name server answers,
// and the address of its phone page.
import MPinCurl
import MPinSystem
import MPinLogin
import MPinProof
import MPinHostStore

extension Settings {
    /// The names of backends without a recorded address. With a proxy it is the proxy's name: this host looks
    /// up only that one.
    var unrecordedNames: [[UInt8]] {
        let wanted = backends.compactMap { backend in
            backend.channel == .https && proxy != nil ? proxyName : backend.name
        }
        let names = wanted.filter { name in
            !backendAddresses.contains { $0.name == name }
        }
        return names.enumerated().filter { !names[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private var proxyName: [UInt8]? {
        let origin = proxy.flatMap { Origin.split(String(decoding: $0, as: UTF8.self))?.origin }
        return origin?.name.map { [UInt8]($0.utf8) }
    }
}

/// `NAME ADDRESS` for each current address of a name, four at most; empty if the lookup fails.
func recordableAddresses(of name: [UInt8]) -> [String] {
    addresses(of: String(decoding: name, as: UTF8.self), milliseconds: 3_000).prefix(4).map {
        "\(String(decoding: name, as: UTF8.self)) \($0)"
    }
}

/// The name in an address of a backend.
func backendName(_ address: String) -> [UInt8]? { Backend([UInt8](address.utf8))?.name }

/// Adds to mpin.conf what is missing there about its server: the addresses of names that have none, and the
/// phone page that the first backend serves.
/// - Returns: the lines that were added.
func recordAddresses(_ settings: Settings, in path: String) throws(Failure) -> [String] {
    guard let file = try? HostFile(path), var said = try? SettingsText(file.text) else { return [] }
    let backends = said.values("backend")
    guard !backends.isEmpty else { return [] }
    let addresses = settings.unrecordedNames.flatMap { recordableAddresses(of: $0) }
    var added = addresses.map { "backend-address = \($0)" }
    said.set("backend-address", said.values("backend-address") + addresses, after: "backend")
    // Only the page of a server that this file names is written into it.
    let first = settings.backends.first.map { String(decoding: $0.address, as: UTF8.self) } ?? ""
    if settings.phoneAddress == nil, said.values("phone-address").isEmpty, backends.contains(first),
        let page = servedPage(
            first, .file(settings.caFile.map { String(decoding: $0, as: UTF8.self) }),
            proxy: settings.proxy.map { String(decoding: $0, as: UTF8.self) })
    {
        added.append("phone-address = \(page)")
        said.set("phone-address", [page])
    }
    guard !added.isEmpty else { return [] }
    try Failure.ofFile(file.replace(with: said.octets))
    return added
}
