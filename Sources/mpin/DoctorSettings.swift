// SPDX-License-Identifier: Apache-2.0
// Whether mpin.conf can be read, and what in it is dangerous, incomplete or about nobody.
import MPinHost
import MPinLogin
import MPinProof
import MPinWire

extension Doctor {
    private var file: String { String(decoding: config ?? Settings.standardFile, as: UTF8.self) }

    func settingsFindings(_ settings: Result<Settings, SettingsError>) -> [Finding] {
        switch settings {
        case .failure(let error): return [finding(error)]
        case .success(let settings):
            var found = dangers(settings, file) + strangers(settings, file) + caFileFinding(settings)
            // A section says what it says in its own service alone.
            for service in ["sshd"] + sections where service != "doctor" {
                switch self.settings(of: service, remote: service == "sshd") {
                case .failure(let error): found.append(finding(error))
                case .success(let settings):
                    let place = "\(file) [\(shown(service))]"
                    let own = dangers(settings, place) + strangers(settings, place)
                    let known = found.map { $0.message.droppingPlace }
                    found += own.filter { !known.contains($0.message.droppingPlace) }
                }
            }
            let isGood = found.allSatisfy { $0.level == .note }
            let good = Finding(.settings, "\(file) can be read, and all of it means something.")
            return found + (isGood ? [good] : [])
        }
    }

    /// The services that have a section of their own.
    private var sections: [String] {
        let sections = fileText(file).flatMap { try? parse($0) } ?? []
        return sections.compactMap { $0.name.map { String(decoding: $0, as: UTF8.self) } }
    }

    private func finding(_ error: SettingsError) -> Finding {
        switch error.problem {
        case .unreadable(.missing):
            return Finding(
                .settingsMissing, "There is no \(text(error.file)), and without it nobody is let in.",
                "Run 'mpin setup', or write one: mpin.conf(5).")
        case .unreadable(.tooOpen), .unreadable(.foreignOwner):
            let rule = FileRule(file, .file, owners: owners, mode: 0o644, forbidden: 0o022)
            let own = fileFacts(file).flatMap { rule.finding($0, .settingsOpen) }
            return own
                ?? Finding(
                    .settingsOpen, "Others than root can change a folder above \(file).",
                    "Look at 'namei -l \(file)', and let root alone write there.")
        case .unreadable, .grammar, .key, .conflict:
            return Finding(
                .settingsWrong, Failure(error).sentence, "Correct it: nobody is let in. mpin.conf(5).")
        }
    }

    private func strangers(_ settings: Settings, _ place: String) -> [Finding] {
        ((try? settings.strangers()) ?? []).map {
            Finding(.unknownName, "\(place): \($0)", "Correct the name, or take it out.")
        }
    }

    private func caFileFinding(_ settings: Settings) -> [Finding] {
        guard let path = settings.caFile.map({ String(decoding: $0, as: UTF8.self) }) else { return [] }
        let rule = FileRule(path, .file, owners: owners, mode: 0o644, forbidden: 0o022)
        guard let facts = fileFacts(path), rule.fault(facts) == nil, facts.mode & 0o004 != 0 else {
            return [
                Finding(
                    .caFileWrong, "'ca-file': \(shown(path)) is no file of root's that '_mpin' can read.",
                    "Put the certificates there, root's, with mode 0644.")
            ]
        }
        return []
    }

    private func dangers(_ settings: Settings, _ place: String) -> [Finding] {
        var found: [Finding] = []
        if settings.answer == .unsealed {
            found.append(
                Finding(
                    .unsealed,
                    "\(place): 'answer = unsealed': the relay, and whoever holds the server's TLS key, can "
                        + "log in as anybody.", "Use mpind, which seals its answers, as soon as you can."))
        }
        if settings.unavailable == .ignore {
            found.append(
                Finding(
                    .failsOpen,
                    "\(place): 'unavailable = ignore': whoever can cut the network gets past M-Pin.",
                    "Say 'unavailable = deny', unless this is meant."))
            found += unrecordedFindings(settings, place)
        }
        for backend in settings.backends where backend.channel == .loopback {
            found.append(
                Finding(
                    .plainHTTP,
                    "\(place): nobody can be enrolled over \(text(backend.address)), and any user here can "
                        + "hold that port.", "Use 'backend = unix:...' for a server on this host."))
        }
        let showsSession = settings.method == .phone || settings.method == .pinAndPhone
        if settings.answer == .sealed, showsSession, settings.phoneAddress == nil {
            found.append(
                Finding(
                    .noPhoneAddress,
                    "\(place): without 'phone-address' no picture is shown, the number alone.",
                    "Set it to the 'public-url' of the server, if mpin-page is installed there."
                ))
        }
        return found
    }
}

private func unrecordedFindings(_ settings: Settings, _ place: String) -> [Finding] {
    settings.unrecordedNames.map {
        Finding(
            .noBackendAddress,
            "\(place): no address of \(text($0)) is recorded: while no name server answers, logins are "
                + "refused in spite of 'unavailable = ignore'.",
            "Add 'backend-address = \(text($0)) ADDRESS'.")
    }
}

extension String {
    /// What stands behind the file and its section.
    fileprivate var droppingPlace: Substring {
        self[...].drop { $0 != ":" }
    }
}
