// SPDX-License-Identifier: Apache-2.0
// `mpind seal` and `mpind unseal`: how the two secret files are kept.
import ArgumentParser
import Glibc
import MPinServer
import MPinWire
import Secrets

extension SecretForm: ExpressibleByArgument {
    /// Reads a form by its name on the command line.
    public init?(argument: String) {
        guard let form = SecretForm.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = form
    }

    /// The form's name, as it is typed.
    public var defaultValueDescription: String { "\(self)" }
    /// The names of all forms, as they are typed.
    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Encrypt the server's two secret files.",
        discussion: """
            The files become credentials of systemd for the two units: encrypted by a key of this machine,
            and by its TPM where it has one, in \(CredentialStore.folder). No other machine can open
            them, so before you seal, put a copy of both files where no other backup is (mpind(8), BACKUP).

            A running server continues; it reads the new form at its next start.
            """)

    @OptionGroup var place: SettingsOptions

    func run() throws {
        try keep(place.configuration(), as: .systemd)
    }
}

struct UnsealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unseal", abstract: "Write the server's two secret files as plain files again.",
        discussion: "For a move to another machine, or a copy for a safe place. `mpind seal` encrypts them.")

    @OptionGroup var place: SettingsOptions

    func run() throws {
        try keep(place.configuration(), as: .plain)
    }
}

/// Brings both files into a form. Both are opened before either is written, and each is the old or the new
/// file at any moment.
func keep(_ settings: DaemonSettings, as form: SecretForm) throws(SetupError) {
    let first = try KeptFile(.server, in: settings.data)
    let second = try KeptFile(.authority, in: settings.authorityData)
    for kind in SecretKind.allCases where form == .systemd {
        let file = kind == .server ? first.place : second.place
        try CredentialStore.check(kind, in: file.folder, of: file.owner)
        guard file.form == .systemd || !CredentialStore.has(kind) else {
            throw CredentialStore.taken(kind)
        }
    }
    try first.write(as: form)
    try second.write(as: form)
}

/// One of the two secret files and its contents.
private struct KeptFile: ~Copyable {
    struct Location {
        let kind: SecretKind
        let folder: String
        let owner: UserAccount?
        let form: SecretForm
    }

    let place: Location
    private let secrets: Secret

    init(_ kind: SecretKind, in folder: String) throws(SetupError) {
        let owner = try UserAccount.owner(of: kind.path(in: folder))
        let form = try acting(as: owner) { () throws(SetupError) in try secretForm(kind, in: folder) }
        if form == .systemd {
            // A pointer file in another folder does not belong to the system's server, whoever wrote it.
            try CredentialStore.check(kind, in: folder, of: owner)
            secrets = try CredentialStore.decrypt(kind)
        } else {
            secrets = try acting(as: owner) { () throws(SetupError) in
                try plainSecrets(kind, in: folder)
            }
        }
        place = Location(kind: kind, folder: folder, owner: owner, form: form)
    }

    func write(as form: SecretForm) throws(SetupError) {
        let (kind, folder) = (place.kind, place.folder)
        if form == .systemd {
            try CredentialStore.encrypt(secrets, kind, replaces: place.form == .systemd)
        }
        try acting(as: place.owner) { () throws(SetupError) in
            switch form {
            case .plain: try writePlain(secrets, kind, in: folder)
            case .systemd: try writePointer(kind, in: folder)
            }
        }
        if place.form == .systemd, form != .systemd { CredentialStore.forget(kind) }
        show("\(kind.path(in: folder)): \(form.sentence)")
    }
}

extension SecretForm {
    fileprivate var sentence: String {
        switch self {
        case .plain: "plain. Anyone who reads it or a copy has the secrets."
        case .systemd: "sealed by systemd, in \(CredentialStore.folder)."
        }
    }
}
