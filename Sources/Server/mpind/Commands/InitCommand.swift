// SPDX-License-Identifier: Apache-2.0
// `mpind init`: makes the secrets of a new server, its folders and its empty databases.
import ArgumentParser
import Glibc
import MPinDatabase
import MPinServer
import MPinWire

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make the secrets and the database of a new server.",
        discussion: """
            Makes the two shares of the master secret, the master of the host keys and the application's
            credentials, each in a file that only you can read. Existing files are never overwritten. The
            shares can be made only once: if they are lost, all users must enrol again, and anyone who has
            both can log in as any user. On one machine, two shares protect no better than one secret.

            If root runs it without --data, the server belongs to the user \(DaemonSettings.user), as which
            the system runs it, if that user exists, and the authority to \(DaemonSettings.authorityUser);
            --user names another user for both. Otherwise the server belongs to you.
            """)

    @OptionGroup var place: SettingsOptions

    @Option(
        help: ArgumentHelp(
            "The user that the server will run as; only root can choose it.", valueName: "name"))
    var user: String?

    @Option(
        help: """
            How the two secret files are kept (mpind seal): plain or systemd. Default: systemd if root makes \
            the system's server and systemd runs, else plain.
            """)
    var seal: SecretForm?

    mutating func run() throws {
        let settings = try place.configuration()
        let owner = try UserAccount.ofNewServer(user: user, hasFolder: place.data != nil)
        guard try make(settings, owner: owner, authority: try owner?.ofNewAuthority(settings)) else {
            let folders = "\(settings.data) and \(settings.authorityData)"
            writeToStandardError("mpind: \(folders) hold a server already; nothing changed.")
            throw ExitCode(1)
        }
        try sealed(settings)
        show("A new server in \(settings.data), its authority in \(settings.authorityData).")
    }

    /// Seals the secrets. If --seal was not given, a failure is reported and the files stay plain.
    private func sealed(_ settings: DaemonSettings) throws {
        let isSystems = settings.data == ServerLocation.usual.data && user == nil && place.data == nil
        switch seal ?? (isSystems && CredentialStore.isThere ? .systemd : .plain) {
        case .plain: return
        case .systemd where seal == nil:
            do { try keep(settings, as: .systemd) } catch {
                return writeToStandardError(
                    "mpind: systemd cannot seal the secrets; see `mpind seal`. \(error)")
            }
            show(
                "Copy both secrets to a safe place: 'sudo mpind unseal', copy, 'sudo mpind seal' (mpind(8), "
                    + "BACKUP)."
            )
        case .systemd: try keep(settings, as: .systemd)
        }
    }

    /// False if both secret files exist. Completes what an interrupted `init` left undone.
    private func make(
        _ settings: DaemonSettings, owner: UserAccount?, authority: UserAccount?
    ) throws(SetupError) -> Bool {
        _ = umask(0o077)
        if let owner { try makeFolder(settings.data, for: owner) }
        if let authority { try makeFolder(settings.authorityData, for: authority) }
        try acting(as: owner) { () throws(SetupError) in try makePrivateFolder(settings.data) }
        try acting(as: authority) { () throws(SetupError) in try makePrivateFolder(settings.authorityData) }
        let hasAuthority = exists(settings.authorityData + "/authority")
        let hasServer = exists(settings.data + "/server")
        // Opening a database ends the logins under way in it, so one that may be in use is not opened.
        guard !hasAuthority || !hasServer else { return false }
        try checkEmpty(settings)
        // Before there are secrets, so that a run that cannot reach PostgreSQL leaves nothing.
        try acting(as: owner) { () throws(SetupError) in _ = try settings.database?.checkTables() }
        for kind in SecretKind.allCases
        where settings.data == ServerLocation.usual.data && CredentialStore.has(kind) {
            throw CredentialStore.taken(kind)
        }
        try acting(as: authority) { () throws(SetupError) in
            if !hasAuthority { try MasterFile.create(folder: settings.authorityData) }
        }
        try acting(as: owner) { () throws(SetupError) in
            if !hasServer { try ServerSecrets.create(folder: settings.data) }
            try Databases.makeStorage(settings)
        }
        try acting(as: authority) { () throws(SetupError) in
            _ = try Databases.openBook(settings.authorityData)
        }
        return true
    }

    /// Refuses to make secrets beside an existing database. Databases are made last, so the missing secret
    /// was lost, and with a new one every right PIN would be wrong.
    private func checkEmpty(_ settings: DaemonSettings) throws(SetupError) {
        let databases = [
            Databases.storageFile(in: settings.data), Databases.bookFile(in: settings.authorityData),
        ]
        for database in databases where exists(database) {
            throw SetupError(
                "\(database) belongs to a server whose secrets are not all there; restore"
                    + " \(settings.data)/server and \(settings.authorityData)/authority from a backup.")
        }
    }
}
