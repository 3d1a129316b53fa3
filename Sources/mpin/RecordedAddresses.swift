// SPDX-License-Identifier: Apache-2.0
// What mpin.conf is told of its server: where its names live, for the day when no name server answers, and
// which page phones open.
import MPinCurl
import MPinHost
import MPinLogin
import MPinProof
import MPinWire

extension Settings {
    /// The names of backends of which no address is recorded.
    var unrecordedNames: [[UInt8]] {
        let names = backends.compactMap(\.name).filter { name in
            !backendAddresses.contains { $0.name == name }
        }
        return names.enumerated().filter { !names[..<$0.offset].contains($0.element) }.map(\.element)
    }
}

/// `NAME ADDRESS` of each address that a name has now; none where no name server says.
func recordableAddresses(of name: [UInt8]) -> [String] {
    addresses(of: String(decoding: name, as: UTF8.self), milliseconds: 3_000).prefix(4).map {
        "\(String(decoding: name, as: UTF8.self)) \($0)"
    }
}

/// The name in an address of a backend.
func backendName(_ address: String) -> [UInt8]? { Backend([UInt8](address.utf8))?.name }

/// Adds to mpin.conf what is known of its server and not said there: the addresses of names that have none,
/// and the phone page that the first backend serves.
/// - Returns: the lines that were added.
func recordAddresses(_ settings: Settings, in path: String) throws(Failure) -> [String] {
    guard let file = try? HostFile(path) else { return [] }
    let before = String(decoding: file.text, as: UTF8.self)
    var lines = before.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let firstSection = lines.firstIndex { $0.hasPrefix("[") } ?? lines.count
    guard let backend = lines[..<firstSection].lastIndex(where: { key($0) == "backend" }) else { return [] }
    var added = settings.unrecordedNames.flatMap { recordableAddresses(of: $0) }.map {
        "backend-address = \($0)"
    }
    // A page of another server than the file names would be no default of this file.
    let first = settings.backends.first.map { String(decoding: $0.address, as: UTF8.self) } ?? ""
    if settings.phoneAddress == nil, !lines.contains(where: { key($0) == "phone-address" }),
        lines[..<firstSection].contains(where: { key($0) == "backend" && value($0) == first }),
        let page = servedPage(first, .file(settings.caFile.map { String(decoding: $0, as: UTF8.self) }))
    {
        added.append("phone-address = \(page)")
    }
    guard !added.isEmpty else { return [] }
    lines.insert(contentsOf: added, at: backend + 1)
    do { try file.replace(with: [UInt8](lines.joined(separator: "\n").utf8)) } catch { throw Failure(error) }
    return added
}

private func key(_ line: String) -> String {
    line.prefix { $0 != "=" }.split(separator: " ").joined(separator: " ")
}

private func value(_ line: String) -> String {
    line.drop { $0 != "=" }.dropFirst().split(separator: " ").joined(separator: " ")
}
