// SPDX-License-Identifier: Apache-2.0
// Secrets as credentials of systemd (systemd-creds(1)), which root encrypts and opens. Plain text goes
// through pipes, and is never in a file.
import Glibc
import MPinHost
import MPinService
import Secrets

/// Of the system's own server alone: a credential belongs to a unit, and there is one of each.
enum CredentialStore {
    static let folder = "/etc/credstore.encrypted"
    private static let program = "/usr/bin/systemd-creds"

    /// Whether systemd can seal here.
    static var isThere: Bool {
        unsafe geteuid() == 0 && access("/run/systemd/system", F_OK) == 0 && access(program, X_OK) == 0
    }

    static func has(_ kind: SecretKind) -> Bool { unsafe access(place(kind), F_OK) == 0 }

    /// That a folder is the one whose unit has the credential, and belongs to that unit's user.
    static func check(_ kind: SecretKind, in folder: String, of owner: UserAccount?) throws(SetupError) {
        let (own, user) =
            switch kind {
            case .server: (DaemonSettings.usualData, DaemonSettings.user)
            case .authority: (DaemonSettings.usualAuthorityData, DaemonSettings.authorityUser)
            }
        guard folder == own, owner?.name == user, isThere else {
            throw SetupError(
                "systemd can seal only the system's own server (\(own), of \(user)), as root, where systemd"
                    + " runs; for any other server say --with passphrase.")
        }
    }

    /// The plain form of the credential of a unit.
    static func decrypt(_ kind: SecretKind) throws(SetupError) -> Secret {
        try piped(["decrypt", "--name=" + kind.credential, place(kind), "-"])
    }

    /// Makes the credential durable, and proves that it opens, before it takes the place of another.
    /// - Parameter replaces: it is the same server's; another's is its only copy.
    static func encrypt(
        _ secrets: borrowing Secret, _ kind: SecretKind, replaces: Bool
    ) throws(SetupError) {
        guard replaces || !has(kind) else { throw taken(kind) }
        // A TPM binds it to the state of Secure Boot (PCR 7): systemd 252 opens nothing that is not bound so.
        let sealed = try piped(["encrypt", "--name=" + kind.credential, "-", "-"], secrets)
        let draft = place(kind) + ".mpind"
        _ = unsafe mkdir(folder, 0o700)
        try replaceFile(draft, sealed)
        let again = try piped(["decrypt", "--name=" + kind.credential, draft, "-"])
        _ = unsafe unlink(draft)
        guard constantTimeEqual(secrets, again) else {
            throw SetupError("systemd-creds gave back something else; nothing is changed.")
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

    /// What systemd-creds says on its standard output; what it has to say besides goes to our stderr.
    private static func piped(_ words: [String]) throws(SetupError) -> Secret {
        let nothing: Secret
        do { nothing = try Secret(count: 0) } catch { throw SetupError("There is no memory for a secret.") }
        return try piped(words, nothing)
    }

    private static func piped(_ words: [String], _ input: borrowing Secret) throws(SetupError) -> Secret {
        switch MPinHost.piped(program, words, input: input) {
        case .some(let output): return output
        case .none: throw SetupError("systemd-creds \(words[0]) failed; see above.")
        }
    }
}
