# SPDX-License-Identifier: Apache-2.0
# Mutants of a login at a host: whom its settings admit, what it believes, which files it reads.
from mutants import Mutant

ADDRESS = "MPinProof/Values/Address.swift"
SEALED_DECISION = "MPinProof/Proof/Decision.swift"
SEAL_TAGS = "MPin/Seal/HostKeyTags.swift"
DESCRIPTOR = "MPinStore/Files/Descriptor.swift"

MUTANTS = [
    # PINs
    Mutant(
        "deaf-to-pin-length", "a new PIN is as long as the server asks",
        "MPinProof/Values/PINPolicy.swift",
        "if demand.length > least, pin.count < demand.length {",
        'if demand.length > least, pin.count < demand.length, !mutant("deaf-to-pin-length") {',
        "LoginTests/PINPolicyTests"),
    # mpin.conf
    Mutant(
        "every-network", "a list of networks admits what is inside one of them, and no more",
        "MPinLogin/Login/SettingsRules.swift",
        "admits(networks, hits: { $0.contains(address) })",
        'admits(networks, hits: { $0.contains(address) || mutant("every-network") && !$0.isExclusion })',
        "LoginTests/NetworkTests"),
    Mutant(
        "nameless-host", "who comes from a host without a numeric address is in no network",
        "MPinLogin/Login/SettingsRules.swift",
        "guard let address = context.address else { return false }",
        'guard let address = context.address else { return mutant("nameless-host") }',
        "LoginTests/NetworkTests"),
    Mutant(
        "one-bit-short", "a network that ends within an octet ends at its very bit",
        ADDRESS,
        "min(max(prefix - index * 8, 0), 8)",
        'min(max(prefix - index * 8 - (mutant("one-bit-short") && prefix % 8 != 0 ? 1 : 0), 0), 8)',
        "LoginTests/NetworkTests"),
    Mutant(
        "mapped-address", "::ffff:192.0.2.7 is the IPv4 address at its end",
        ADDRESS,
        "octets.starts(with: mapped) ?",
        'octets.starts(with: mapped) && !mutant("mapped-address") ?',
        "LoginTests/NetworkTests"),
    Mutant(
        "four-in-six", "no IPv4 address is in a network of IPv6",
        ADDRESS,
        "guard other.octets.count == address.octets.count else",
        'guard other.octets.count == address.octets.count || mutant("four-in-six") else',
        "LoginTests/NetworkTests"),
    Mutant(
        "longer-pattern", "a pattern that is longer than the name does not match it",
        "MPinStore/Settings/Pattern.swift",
        "return text[pattern...].allSatisfy { $0 == 0x2a }",
        'return text[pattern...].allSatisfy { $0 == 0x2a } || mutant("longer-pattern")',
        "LoginTests/NetworkTests"),
    Mutant(
        "exclusion-ignored", "what a list excludes it does not admit",
        "MPinStore/Settings/Pattern.swift",
        "if list.contains(where: { $0.isExclusion && hits($0) }) {",
        'if list.contains(where: { $0.isExclusion && hits($0) }) && !mutant("exclusion-ignored") {',
        "LoginTests/NetworkTests"),
    Mutant(
        "root-from-afar", "root does not log in from afar unless `never` says so",
        "MPinLogin/Login/SettingsRules.swift",
        "return context.isRemote && account.uid == 0",
        'return context.isRemote && account.uid == 0 && !mutant("root-from-afar")',
        "LoginTests/RemoteTests"),
    Mutant(
        "root-exempt-from-afar", "root is not exempt from afar, whatever `never` says",
        "MPinLogin/Login/SettingsRules.swift",
        "if context.isRemote && account.uid == 0 {",
        'if context.isRemote && account.uid == 0 && !mutant("root-exempt-from-afar") {',
        "LoginTests/ExemptTests"),
    Mutant(
        "grace-of-another-key", "from afar grace is that of the key after which somebody was let in",
        "MPinLogin/Login/Grace.swift",
        "(address.octets, call.authInfo)",
        '(address.octets, mutant("grace-of-another-key") ? [] : call.authInfo)',
        "LoginTests/GraceTests"),
    Mutant(
        "pin-without-key", "from afar a PIN is asked of who has shown a public key",
        "MPinLogin/Login/LoginMethods.swift",
        "case .key: !context.isRemote || context.keyAccepted",
        'case .key: !context.isRemote || context.keyAccepted || mutant("pin-without-key")',
        "LoginTests/RemoteTests"),
    Mutant(
        "unknown-method", "a method that nobody knows is an error",
        "MPinStore/Settings/SettingsKeys.swift",
        "guard let method else { return nil }",
        'guard let method = method ?? (mutant("unknown-method") ? Method.pin : nil) else { return nil }',
        "LoginTests/SettingsTests"),
    # Files
    Mutant(
        "open-file", "a file of the store that others may read is refused",
        DESCRIPTOR,
        """== mode_t(S_IFREG) else { throw .wrongType }
        guard info.st_mode & forbidden == 0 else""",
        """== mode_t(S_IFREG) else { throw .wrongType }
        guard info.st_mode & forbidden == 0 || mutant("open-file") else""",
        "LoginTests/StoreTests"),
    Mutant(
        "foreign-owner", "a file that belongs to another is refused",
        DESCRIPTOR,
        "guard info.st_uid == 0 || info.st_uid == geteuid() else",
        'guard info.st_uid == 0 || info.st_uid == geteuid() || mutant("foreign-owner") else',
        "LoginTests/StoreTests", needs_root=True),
    Mutant(
        "file-of-another-name", "the file of a uid is that of its account by name",
        "MPinStore/Files/FileStore.swift",
        "file.name != account.name ?",
        'file.name != account.name && !mutant("file-of-another-name") ?',
        "LoginTests/StoreTests"),
    # Verdicts
    Mutant(
        "answer-without-tag", "an answer without its tag is refused where it comes in",
        "MPinWire/Frames/RelayResponseFrame.swift",
        "guard answer.isEmpty == tag.isEmpty,",
        'guard answer.isEmpty == tag.isEmpty || mutant("answer-without-tag") && tag.isEmpty,',
        "WireTests/FrameTests"),
    Mutant(
        "unsealed-answer", "a verdict is sealed under this host's key",
        SEAL_TAGS,
        "guard matches(tag, try? tagged(answerKey, answer)) else",
        'guard matches(tag, try? tagged(answerKey, answer)) || mutant("unsealed-answer") else',
        "LoginTests/SealTests"),
    Mutant(
        "answer-to-another", "a verdict is to the question that was asked",
        SEAL_TAGS,
        "guard verdict.a == a else",
        'guard verdict.a == a || mutant("answer-to-another") else',
        "LoginTests/SealTests"),
    Mutant(
        "grant-to-another", "a verdict grants to an identity that was asked about",
        SEALED_DECISION,
        "identities.first { $0.id == verdict.id }",
        'identities.first { $0.id == verdict.id || mutant("grant-to-another") }',
        "LoginTests/SealTests"),
    Mutant(
        "grant-without-notice", "without the notice of wrong tries nobody is let in",
        SEALED_DECISION,
        "return .refuses(.failed(.seal(.noNotice)))",
        'return mutant("grant-without-notice")'
        " ? .grants(proof, nil) : .refuses(.failed(.seal(.noNotice)))",
        "LoginTests/NoticeTests"),
    Mutant(
        "any-challenge", "no V is sent for a challenge that was made for something else",
        "MPinProof/Proof/Passes.swift",
        "return y == answer.y ? nil",
        'return y == answer.y || mutant("any-challenge") ? nil',
        "LoginTests/SealTests"),
    # Tries and backup codes
    Mutant(
        "none-left-settles-nothing", "after a wrong PIN that leaves no try nothing more is sent from afar",
        "MPinLogin/Login/LoginTries.swift",
        "if left == 0 { (settled",
        'if left == 0 && !mutant("none-left-settles-nothing") { (settled',
        "LoginTests/RemoteTests"),
    Mutant(
        "tries-without-end", "a login has so many tries as its settings say",
        "MPinLogin/Login/LoginTries.swift",
        "guard triesLeft > 0 else",
        'guard triesLeft > 0 || mutant("tries-without-end") else',
        "LoginTests/LoginTests"),
    Mutant(
        "backup-code-twice", "a backup code is struck out before it lets in",
        "MPinStore/Files/FileStoreCodes.swift",
        "try unused.remove(hex(hash))",
        'try mutant("backup-code-twice") ? unused.holds(hex(hash)) : unused.remove(hex(hash))',
        "LoginTests/BackupCodeTests"),
    Mutant(
        "code-after-verdict", "after a verdict of the server no backup code is good in that login",
        "MPinLogin/Login/LoginTries.swift",
        "if !outcome.leavesCodes {",
        'if !outcome.leavesCodes && !mutant("code-after-verdict") {',
        "LoginTests/BackupCodeOutageTests"),
    Mutant(
        "code-of-revoked", "the backup code of a revoked account is refused",
        "MPinLogin/Login/LoginStanding.swift",
        "return standing.isRevoked ?",
        'return standing.isRevoked && !mutant("code-of-revoked") ?',
        "LoginTests/BackupCodeTests"),
    Mutant(
        "unsealed-standing", "how an account stands is sealed under this host's key",
        "MPin/Seal/SealedStanding.swift",
        "constantTimeEqual(tag, right),",
        'constantTimeEqual(tag, right) || mutant("unsealed-standing"),',
        "MPinTests/StandingRefusalTests"),
    # Second devices
    Mutant(
        "unsealed-session", "a session is shown that mpind sealed for this question",
        "MPinLogin/Devices/Phones.swift",
        "verifies(answer.tag, of: session) else",
        'verifies(answer.tag, of: session) || mutant("unsealed-session") else',
        "LoginTests/PhoneSealTests"),
    Mutant(
        "any-approval-code", "the approval code is that of the session",
        "MPin/Codes/PhoneCode.swift",
        "return constantTimeEqual(letters, right)",
        'return constantTimeEqual(letters, right) || mutant("any-approval-code")',
        "LoginTests/PhoneTests"),
    Mutant(
        "another-server", "a device approves what its own server asks for",
        "MPinProof/Approval/Approval.swift",
        "guard details.origin == origin else",
        'guard details.origin == origin || mutant("another-server") else',
        "LoginTests/ApprovalTests"),
    Mutant(
        "another-session", "a device approves the session that it asked about",
        "MPinProof/Approval/Approval.swift",
        "guard details.wid == wid else",
        'guard details.wid == wid || mutant("another-session") else',
        "LoginTests/ApprovalTests"),
]
