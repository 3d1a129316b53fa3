// SPDX-License-Identifier: Apache-2.0
// Where the names of backends live, recorded in mpin.conf for the day when no name server answers.
import MPinCurl
import MPinHost
import MPinLogin
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

/// Adds the addresses of names that have none to mpin.conf, behind its last backend.
/// - Returns: the lines that were added.
func recordAddresses(_ settings: Settings, in path: String) throws(Failure) -> [String] {
    let values = settings.unrecordedNames.flatMap { recordableAddresses(of: $0) }
    guard !values.isEmpty, let file = try? HostFile(path) else { return [] }
    let before = String(decoding: file.text, as: UTF8.self)
    var lines = before.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let firstSection = lines.firstIndex { $0.hasPrefix("[") } ?? lines.count
    guard let backend = lines[..<firstSection].lastIndex(where: isBackend) else { return [] }
    let added = values.map { "backend-address = \($0)" }
    lines.insert(contentsOf: added, at: backend + 1)
    do { try file.replace(with: [UInt8](lines.joined(separator: "\n").utf8)) } catch { throw Failure(error) }
    return added
}

private func isBackend(_ line: String) -> Bool {
    line.prefix { $0 != "=" }.split(separator: " ") == ["backend"]
}
