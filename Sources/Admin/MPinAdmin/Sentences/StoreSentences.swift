// SPDX-License-Identifier: Apache-2.0
// Sentences that say what is wrong with a file of this host or with a new PIN, and what to do.
import CPlatform
import MPinSystem
import MPinProof
import MPinWire
import Octets

extension Failure {
    init(_ error: StoreError) {
        if error.fault == .missing, error.file.suffix(5) == [UInt8]("/host".utf8) {
            self.init(
                .store, "\(text(error.file)): this host has no key yet. Run 'sudo mpin host join NAME'.")
            return
        }
        self.init(.store, "\(text(error.file)): \(explained(error.fault))")
    }

    init(_ error: SettingsError) {
        if error.problem == .unreadable(.missing) {
            self.init(
                .settings, "There is no \(text(error.file)). Write one, or name the server with --backend.")
            return
        }
        let place: String
        if error.file.isEmpty {
            place = error.key.isEmpty ? "The settings" : "The setting '\(text(error.key))'"
        } else {
            let line = error.line > 0 ? ":\(error.line)" : ""
            place = text(error.file) + line + (error.key.isEmpty ? "" : ": '\(text(error.key))'")
        }
        let form = error.problem == .key(.badValue) ? takenForm(of: text(error.key)) : ""
        self.init(.settings, "\(place): \(explained(error.problem))\(form)")
    }
}

/// The values that a key accepts, as a sentence to follow the one about the bad value; empty for most keys.
private func takenForm(of key: String) -> String {
    switch key {
    case "backend": " A server is unix:PATH or an https URL."
    case "exempt-users", "exempt-groups", "exempt-from":
        " Name who is exempt, or write 'none'. 'all' would exempt everybody: take the module out of the "
            + "stack instead." + (key == "exempt-from" ? "" : quotes)
    case "never", "users", "groups", "qr-off-users": quotes
    case "grace": " It is 'off', or from 1m to 60m, such as 90s or 5m."
    default: ""
    }
}

/// How a list names somebody whose name has blanks.
private let quotes = " A name with blanks stands in double quotes."

/// Parses mpin.conf for editing.
func settingsText(_ octets: [UInt8], _ path: String) throws(Failure) -> SettingsText {
    do { return try SettingsText(octets) } catch {
        let problem = SettingsError.Problem.grammar(error.reason)
        throw Failure(
            SettingsError(file: [UInt8](path.utf8), line: error.line, key: [], problem: problem))
    }
}

private func explained(_ fault: StoreError.Fault) -> String {
    switch fault {
    case .missing: "there is no such file or folder."
    case .foreignOwner where geteuid() != 0:
        "permission denied: it belongs to another user. Run this command as its owner, or as root (sudo)."
    case .foreignOwner: "it belongs to another user. Run this command as its owner."
    case .tooOpen:
        "others can change or read it. Files here must have mode 0600, folders 0700, and no other user may "
            + "write above them."
    case .wrongType: "it is not the file or folder that belongs here, but a link or something else."
    case .badPath: "a path must be absolute and without '.' and '..'."
    case .tooLong: "it is longer than 64 KiB."
    case .noMarker: "the folder has no marker '.mpin-store'. Is the right disk mounted?"
    case .system(let number): "\(accessMessage(number))."
    case .grammar(let line, let reason): "line \(line): \(reason.sentence)"
    case .key(let error):
        (error.line > 0 ? "line \(error.line): " : "") + "'\(text(error.key))': \(explained(error.problem))"
    case .otherUID: "its name and its contents have different uids."
    case .otherName:
        "it belongs to an account with another name. If the account was renamed, correct 'name'; if the uid "
            + "was given to another user, remove the file."
    case .otherHost: "it was made for another host. Enrol the user on this one."
    case .otherIdentity: "a section's name is not the hash of its 'mpin-id'."
    case .badSecret: "a token or key in it is invalid."
    case .secondToken:
        "it has, or would get, a second token of one identity: an attacker with both tokens could find both "
            + "PINs."
    case .outOfMemory: "there is not enough memory."
    case .locked: "another program has kept the store locked for too long. Try again."
    }
}

private func explained(_ problem: SettingsError.Problem) -> String {
    switch problem {
    case .unreadable(let fault): explained(fault)
    case .grammar(let reason): "\(reason.sentence)"
    case .key(let problem): explained(problem)
    case .conflict(let conflict): explained(conflict)
    }
}

private func explained(_ conflict: SettingsError.Conflict) -> String {
    switch conflict {
    case .unsealedNeedsPIN: "'answer = unsealed' goes with 'method = pin' only."
    case .unsealedNeedsHTTPS: "'answer = unsealed' goes with https only."
    case .stackDecides:
        "there is no such key. Take it out. To let logins past M-Pin while its server is away, write "
            + "'authinfo_unavail=ignore' into the PAM stack: see pam_mpin(8), The server is away."
    case .needsSection: "this key is for one service: write it into a section, such as '[login]'."
    case .connectTimeoutTooLong: "'call-timeout' must not be shorter than 'connect-timeout'."
    case .enrolmentNeedsSecrecy: "users cannot be enrolled over plain http; use https or a Unix socket."
    case .reservedService:
        "this name is reserved for questions that are not logins. Give the service another name, "
            + "or put 'service=NAME' on its line."
    }
}

private func explained(_ problem: KeyError.Problem) -> String {
    switch problem {
    case .unknown: "there is no such key."
    case .repeated: "the key is given twice."
    case .missing: "the key is missing."
    case .badValue: "this value is not allowed here; see mpin.conf(5)."
    }
}

extension Failure {
    init(_ error: HostFileError) {
        self.init(.settings, "\(shown(error.path)): \(error.words)")
    }

    /// - Parameter folder: the folder of the PAM stacks.
    init(_ error: PAMError, in folder: String = PAMFolder.standard.path) {
        let file = error.file.hasPrefix("/") ? error.file : "\(folder)/\(error.file)"
        let line = error.line > 0 ? ":\(error.line)" : ""
        self.init(.settings, "\(shown(file))\(line): \(error.sentence) Nothing was changed.")
    }
}

extension Failure {
    init(_ fault: PINFault) {
        let sentence =
            switch fault {
            case .tooShort:
                "A PIN has at least \(PINPolicy.shortest) characters, and at least "
                    + "\(PINPolicy.shortestRemote) with --remote."
            case .shorterThanAsked(let least): "This server requires a PIN of at least \(least) characters."
            case .tooLong: "A PIN has at most \(PINPolicy.longest) characters."
            case .foreignCharacter: "A PIN has only letters, digits, blanks and signs of ASCII."
            case .repeated: "That repeats itself; it is among the first to be guessed."
            case .counted: "That counts up or down; it is among the first to be guessed."
            case .year: "That reads as a year; it is among the first to be guessed."
            case .date: "That reads as a date, and this server accepts no dates as PINs."
            case .accountName: "That is the account's name; it is among the first to be guessed."
            case .readsAsCode:
                "That looks like a code of six or sixteen letters, and a login would read it as one."
            }
        self.init(.refused, sentence)
    }
}
