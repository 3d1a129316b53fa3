// SPDX-License-Identifier: Apache-2.0
// Checks of mpin.conf: whether it can be read, and whether a setting is dangerous, incomplete, or names a
// user or group that does not exist.
import MPinSystem
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

extension Check {
    static let settings = Check("settings", reads: "mpin.conf") { $0.doctor.settingsFindings($0.settings) }
}

extension Doctor {
    var file: String { String(decoding: config ?? Settings.standardFile, as: UTF8.self) }

    /// The text of mpin.conf; nil if it cannot be read or parsed.
    var settingsText: SettingsText? { fileText(file).flatMap { try? SettingsText($0) } }

    fileprivate func settingsFindings(_ settings: Result<Settings, SettingsError>) -> [Finding] {
        switch settings {
        case .failure(let error): return [finding(error)]
        case .success(let settings):
            let general = settings
            var found = dangers(settings, file) + unknownNames(settings, file) + caFileFinding(settings)
            found += settings.exemptionFindings(file)
            // A section changes the settings of its own service only.
            for service in ["sshd"] + sections where service != "doctor" {
                switch self.settings(of: service) {
                case .failure(let error): found.append(finding(error))
                case .success(let settings):
                    let place = "\(file) [\(shown(service))]"
                    var own =
                        dangers(settings, place) + unknownNames(settings, place)
                        + settings.exemptionFindings(place)
                    if service == "sshd", settings.qrIsColoured, !general.qrIsColoured {
                        own.append(colourFinding(place))
                    }
                    let known = found.map { $0.message.droppingPlace }
                    found += own.filter { !known.contains($0.message.droppingPlace) }
                }
            }
            let isGood = found.allSatisfy { $0.level == .note }
            let good = Finding(ok: "settings", "\(file) can be read, and every line of it is valid.")
            return found + (isGood ? [good] : [])
        }
    }

    /// The services that have their own section.
    private var sections: [String] {
        settingsText?.sections ?? []
    }

    private func finding(_ error: SettingsError) -> Finding {
        switch error.problem {
        case .unreadable(.missing):
            return Finding(
                problem: "settings-missing",
                "There is no \(text(error.file)), and without it nobody can log in.",
                "Run 'sudo mpin setup', or write the file yourself: see mpin.conf(5).")
        case .unreadable(.tooOpen), .unreadable(.foreignOwner):
            let rule = FileRule(file, .file, owners: owners, mode: 0o644, forbidden: 0o022)
            let own = fileFacts(file).flatMap { rule.finding($0, "settings-open") }
            return own
                ?? Finding(
                    problem: "settings-open", "Accounts other than root can change a folder above \(file).",
                    "Look at 'namei -l \(file)', and let root alone write there.")
        case .unreadable, .grammar, .key, .conflict:
            return Finding(
                problem: "settings-wrong", Failure(error).sentence,
                "Correct it: until then nobody can log in. See mpin.conf(5).")
        }
    }

    private func unknownNames(_ settings: Settings, _ place: String) -> [Finding] {
        settings.unknownNames().filter { !$0.isExemption }.map {
            Finding(warning: "unknown-name", "\(place): \($0.sentence)", "Correct the name, or take it out.")
        }
    }

    private func caFileFinding(_ settings: Settings) -> [Finding] {
        guard let path = settings.caFile.map({ String(decoding: $0, as: UTF8.self) }),
            let fault = CertificateFault.find(path)
        else { return [] }
        return [
            Finding(
                problem: "ca-file-wrong",
                "'ca-file': the certificates in \(shown(path)) cannot be used: \(fault.reason).", fault.cure)
        ]
    }

    private func dangers(_ settings: Settings, _ place: String) -> [Finding] {
        var found = promptFindings(settings, place)
        found += settings.rows.compactMap { looserFinding($0, place) }
        for backend in settings.backends where backend.channel == .loopback {
            found.append(
                Finding(
                    note: "plain-http",
                    "\(place): users cannot be enrolled over \(text(backend.address)), because any user "
                        + "here can listen on that port.",
                    "Use 'backend = unix:...' for a server on this host."))
        }
        let showsSession = settings.method == .phone || settings.method == .pinAndPhone
        if settings.answer == .sealed, showsSession, settings.phoneAddress == nil {
            found.append(
                Finding(
                    note: "no-phone-address",
                    "\(place): without 'phone-address' a login shows the number and no QR code.",
                    "Set it to the 'public-url' of the server, if mpin-page is installed there."
                ))
        }
        return found
    }
}

/// Reports a value that is less strict than the default; nil for others.
private func looserFinding(_ row: SettingRow, _ place: String) -> Finding? {
    guard let why = row.looser else { return nil }
    let message = "\(place): '\(row.key)\(row.value.map { " = " + $0 } ?? "")': \(why)"
    return row.key == "answer"
        ? Finding(warning: "unsealed", message, "Use a server that seals its answers as soon as you can.")
        : Finding(
            warning: "looser", message,
            "Leave it out if you can: the default is stricter. See mpin.conf(5).")
}

/// Prompts that contain "password": programs that fill in passwords look for this word, and so does sudo.
private func promptFindings(_ settings: Settings, _ place: String) -> [Finding] {
    let prompts = [("pin-prompt", settings.pinPrompt), ("code-prompt", settings.codePrompt)]
    return prompts.compactMap { key, words -> Finding? in
        guard let words, String(decoding: words, as: UTF8.self).lowercased().contains("password") else {
            return nil
        }
        return Finding(
            warning: "password-prompt",
            "\(place): '\(key)' looks like the prompt of a password: programs that fill in passwords answer "
                + "it, and each wrong answer counts as a try.", "Leave the word 'password' out of it.")
    }
}

private func colourFinding(_ place: String) -> Finding {
    Finding(
        warning: "colour-unused",
        "\(place): 'qr-colour = yes' does nothing here: ssh clients show colours as text, so sshd gets none.",
        "Take the line out of this section. For a light screen set 'qr = utf8-inverse'.")
}

extension String {
    /// The message from its first colon on, without the file and section before it.
    fileprivate var droppingPlace: Substring {
        self[...].drop { $0 != ":" }
    }
}
