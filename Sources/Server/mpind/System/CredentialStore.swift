// SPDX-License-Identifier: Apache-2.0
// Secrets as credentials of systemd (systemd-creds(1)), which root encrypts and decrypts. Plain text goes
// through pipes and is never in a file.
import Glibc
import MPinSystem
import MPinServer
import MPinWire
import Secrets

/// Only for the system's own server: a credential belongs to a unit, and there is one unit of each kind.
enum CredentialStore {
    static let folder = "/etc/credstore.encrypted"
    private static let program = "/usr/bin/systemd-creds"

    /// Whether systemd can seal on this machine, and for this user.
    static var isThere: Bool {
        unsafe geteuid() == 0 && access("/run/systemd/system", F_OK) == 0 && access(program, X_OK) == 0
    }

    static func has(_ kind: SecretKind) -> Bool { unsafe access(place(kind), F_OK) == 0 }

    /// Throws unless the folder is the one whose unit has the credential, and belongs to that unit's user.
    static func check(_ kind: SecretKind, in folder: String, of owner: UserAccount?) throws(SetupError) {
        let (own, user) =
            switch kind {
            case .server: (ServerLocation.usual.data, DaemonSettings.user)
            case .authority: (ServerLocation.usual.authorityData, DaemonSettings.authorityUser)
            }
        guard folder == own, owner?.name == user, isThere else {
            throw SetupError(
                "systemd can seal only the system's own server (\(own), of \(user)), as root, where systemd"
                    + " runs.")
        }
    }

    /// The decrypted credential of a unit.
    static func decrypt(_ kind: SecretKind) throws(SetupError) -> Secret {
        try piped(["decrypt", "--name=" + kind.credential, place(kind), "-"])
    }

    /// Writes the credential durably and checks that it can be decrypted before it replaces another one.
    /// - Parameter replaces: true if the credential there is this server's; one of another server is its only
    ///   copy and is kept.
    static func encrypt(
        _ secrets: borrowing Secret, _ kind: SecretKind, replaces: Bool
    ) throws(SetupError) {
        guard replaces || !has(kind) else { throw taken(kind) }
        // By default a TPM binds it to the state of Secure Boot (PCR 7); systemd 252 decrypts none that is
        // not bound to it.
        let sealed = try piped(["encrypt", "--name=" + kind.credential, "-", "-"], secrets)
        let draft = place(kind) + ".mpind"
        _ = unsafe mkdir(folder, 0o700)
        try replaceFile(draft, sealed)
        let again = try piped(["decrypt", "--name=" + kind.credential, draft, "-"])
        _ = unsafe unlink(draft)
        guard constantTimeEqual(secrets, again) else {
            throw SetupError("systemd-creds returned something else; nothing was changed.")
        }
        try replaceFile(place(kind), sealed)
    }

    static func forget(_ kind: SecretKind) { _ = unsafe unlink(place(kind)) }

    static func taken(_ kind: SecretKind) -> SetupError {
        SetupError(
            "\(place(kind)) is the only copy of another server's secrets. If you no longer need that"
                + " server, remove the file; otherwise open its folder again first (mpind unseal).")
    }

    private static func place(_ kind: SecretKind) -> String { folder + "/" + kind.credential }

    /// The standard output of systemd-creds; its messages go to our stderr.
    private static func piped(_ words: [String]) throws(SetupError) -> Secret {
        let nothing: Secret
        do { nothing = try Secret(count: 0) } catch { throw SetupError("There is no memory for a secret.") }
        return try piped(words, nothing)
    }

    private static func piped(_ words: [String], _ input: borrowing Secret) throws(SetupError) -> Secret {
        switch MPinSystem.piped(program, words, input: input) {
        case .some(let output): return output
        case .none: throw SetupError("systemd-creds \(words[0]) failed; see above.")
        }
    }
}
