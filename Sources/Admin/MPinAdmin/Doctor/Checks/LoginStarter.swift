// SPDX-License-Identifier: Apache-2.0
// Lines that start login(1) with the name of a host (-h): it becomes PAM_RHOST, and users count as remote.

/// A line of a unit or of inittab(5) that may start a getty or login.
enum LoginStarter {
    /// Whether the line gives login(1) the name of a host.
    static func namesHost(_ line: String) -> Bool {
        let words = line.split { " \t:=".contains($0) }.map { $0.filter { !"'\"".contains($0) } }
        guard let first = words.first, !first.hasPrefix("#"), !first.hasPrefix(";"),
            let at = words.firstIndex(where: { programs.contains(program($0)) })
        else { return false }
        let options = words[(at + 1)...]
        // With agetty -h means flow control, except among the options that it passes on.
        let isGetty = program(words[at]) != "login"
        let passed = options.drop { $0 != "-o" && $0 != "--login-options" }
        return isGetty
            ? options.contains { ["-E", "--remote", "-H", "--host"].contains($0) } || passed.contains("-h")
            : options.contains("-h")
    }

    private static let programs: Set<String> = ["agetty", "getty", "login"]

    private static func program(_ word: String) -> String {
        word.contains("/") ? String(word.split(separator: "/").last ?? "") : ""
    }
}

extension Finding {
    /// The finding about lines that make people at a terminal remote; nil if there are none.
    /// - Parameter places: file and line of each.
    static func loginHost(at places: [String]) -> Finding? {
        guard !places.isEmpty else { return nil }
        return Finding(
            note: "login-host",
            "\(places.joined(separator: ", ")): login is started with the name of a host (-h), so that "
                + "people at that terminal count as remote.",
            "Take the option out, or write 'remote = no' into the section [login] of mpin.conf if nobody "
                + "comes over the network by login.")
    }
}

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
