// SPDX-License-Identifier: Apache-2.0
// Finds what starts login(1) on this host with the name of a host: units of gettys, and inittab.
import MPinHostChecks

/// The lines that give login(1) the name of a host, as `FILE:LINE`.
func loginStarters() -> [String] {
    let folders = ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system"]
    let units = folders.flatMap { folder in
        names(in: folder).filter { $0.contains("getty") }.flatMap { name in
            name.hasSuffix(".d")
                ? names(in: "\(folder)/\(name)").map { "\(folder)/\(name)/\($0)" } : ["\(folder)/\(name)"]
        }
    }
    return (units + ["/etc/inittab"]).flatMap { path in
        String(decoding: fileText(path) ?? [], as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { LoginStarter.namesHost(String($0.element)) }.map { "\(path):\($0.offset + 1)" }
    }
}
