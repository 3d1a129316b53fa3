# SPDX-License-Identifier: Apache-2.0
# Mutants of a login at a host: the accounts that its settings admit, its verdicts, its files.
from mutants import Mutant

ADDRESS = "Core/MPinWire/Addresses/IPAddress.swift"
NETWORK = "Core/MPinWire/Addresses/IPNetwork.swift"
SEALED_DECISION = "Core/MPinProof/Proof/Decision.swift"
SEAL_TAGS = "Core/MPin/Seal/HostKeyTags.swift"
TRUSTED = "Core/Octets/TrustedFile.swift"

MUTANTS = [
    # PINs
    Mutant(
        "deaf-to-pin-length", "a new PIN is as long as the server demands",
        "Core/MPinProof/Values/PINPolicy.swift",
        "if demand.length > least, pin.count < demand.length {",
        'if demand.length > least, pin.count < demand.length, !mutant("deaf-to-pin-length") {',
        "LoginTests/PINPolicyTests"),
    # mpin.conf
    Mutant(
        "every-network", "a list of networks admits only addresses inside one of them",
        "Host/MPinLogin/Login/SettingsRules.swift",
        "admits(networks, hits: { $0.contains(address) })",
        'admits(networks, hits: { $0.contains(address) || mutant("every-network") && !$0.isExclusion })',
        "LoginTests/NetworkTests"),
    Mutant(
        "nameless-host", "a login from a host without a numeric address is in no network",
        "Host/MPinLogin/Login/SettingsRules.swift",
        "guard let address = context.address else { return false }",
        'guard let address = context.address else { return mutant("nameless-host") }',
        "LoginTests/NetworkTests"),
    Mutant(
        "one-bit-short", "a prefix that ends within an octet is compared to its last bit",
        NETWORK,
        "min(max(prefix - index * 8, 0), 8)",
        'min(max(prefix - index * 8 - (mutant("one-bit-short") && prefix % 8 != 0 ? 1 : 0), 0), 8)',
        "LoginTests/NetworkTests"),
    Mutant(
        "mapped-address", "::ffff:192.0.2.7 is the IPv4 address 192.0.2.7",
        ADDRESS,
        "octets.starts(with: mapped) ?",
        'octets.starts(with: mapped) && !mutant("mapped-address") ?',
        "LoginTests/NetworkTests"),
    Mutant(
        "four-in-six", "no IPv4 address is in an IPv6 network",
        NETWORK,
        "guard address.octets.count == first.octets.count else",
        'guard address.octets.count == first.octets.count || mutant("four-in-six") else',
        "LoginTests/NetworkTests"),
    Mutant(
        "longer-pattern", "a pattern that is longer than the name does not match it",
        "Host/MPinHostStore/Settings/Pattern.swift",
        "return text[pattern...].allSatisfy { $0 == 0x2a }",
        'return text[pattern...].allSatisfy { $0 == 0x2a } || mutant("longer-pattern")',
        "LoginTests/NetworkTests"),
    Mutant(
        "exclusion-ignored", "a list does not admit what it excludes",
        "Host/MPinHostStore/Settings/Pattern.swift",
        "if list.contains(where: { $0.isExclusion && hits($0) }) {",
        'if list.contains(where: { $0.isExclusion && hits($0) }) && !mutant("exclusion-ignored") {',
        "LoginTests/NetworkTests"),
    Mutant(
        "root-from-afar", "root cannot log in remotely by default",
        "Host/MPinLogin/Login/SettingsRules.swift",
        "return context.isRemote && account.uid == 0",
        'return context.isRemote && account.uid == 0 && !mutant("root-from-afar")',
        "LoginTests/RemoteTests"),
    Mutant(
        "root-exempt-from-afar", "root is never exempt in a remote login, whatever `never` lists",
        "Host/MPinLogin/Login/SettingsRules.swift",
        "if context.isRemote && account.uid == 0 {",
        'if context.isRemote && account.uid == 0 && !mutant("root-exempt-from-afar") {',
        "LoginTests/ExemptTests"),
    Mutant(
        "exempt-by-an-unknown-name", "a list of exemptions with a name that no database has exempts nobody",
        "Host/MPinLogin/Login/SettingsRules.swift",
        "if !isKnown { return pattern.text }",
        'if !isKnown, !mutant("exempt-by-an-unknown-name") { return pattern.text }',
        "LoginTests/ExemptTests"),
    Mutant(
        "grace-of-another-key", "grace of a remote login applies only to the same key",
        "Host/MPinLogin/Login/Grace.swift",
        "(address.octets, call.authInfo)",
        '(address.octets, mutant("grace-of-another-key") ? [] : call.authInfo)',
        "LoginTests/GraceTests"),
    Mutant(
        "aside-for-another", "the module steps aside only for a program that asks for its own account",
        "Host/MPinLogin/Login/Unasked.swift",
        "let account = context.account, account.uid == process.realUID,",
        'let account = context.account, account.uid == process.realUID || mutant("aside-for-another"),',
        "LoginTests/WithoutRootTests"),
    Mutant(
        "aside-with-more", "the module steps aside only for a program without other rights",
        "Host/MPinLogin/Login/Unasked.swift",
        "guard process.isOrdinary,",
        'guard process.isOrdinary || mutant("aside-with-more"),',
        "LoginTests/WithoutRootTests"),
    Mutant(
        "pin-without-key", "a remote login requests a PIN only after a public key",
        "Host/MPinLogin/Login/LoginMethods.swift",
        "case .key: !context.isRemote || context.keyAccepted",
        'case .key: !context.isRemote || context.keyAccepted || mutant("pin-without-key")',
        "LoginTests/RemoteTests"),
    Mutant(
        "unknown-method", "an unknown method is an error",
        "Host/MPinHostStore/Settings/SettingsValues.swift",
        "guard let method = choices.first(where: { words.spells($0.0) })?.1 else { return nil }",
        'guard let method = choices.first(where: { words.spells($0.0) || mutant("unknown-method") })?.1 else {'
        " return nil }",
        "LoginTests/SettingsTests"),
    # Files
    Mutant(
        "open-file", "a file of the store that others may read is refused",
        TRUSTED,
        "guard status.st_mode & forbidden == 0 else",
        'guard status.st_mode & forbidden == 0 || mutant("open-file") else',
        "LoginTests/StoreTests"),
    Mutant(
        "foreign-owner", "a file with another owner is refused",
        TRUSTED,
        "st_uid == 0 || st_uid == user",
        'st_uid == 0 || st_uid == user || mutant("foreign-owner")',
        "LoginTests/StoreTests", needs_root=True),
    Mutant(
        "file-of-another-name", "the file of a uid must name the uid's account",
        "Host/MPinHostStore/Files/FileStore.swift",
        "file.name != account.name ?",
        'file.name != account.name && !mutant("file-of-another-name") ?',
        "LoginTests/StoreTests"),
    # Verdicts
    Mutant(
        "answer-without-tag", "an answer without its tag is not decoded",
        "Core/MPinWire/Frames/RelayPassOneRequest.swift",
        "guard sealed.answer.isEmpty == sealed.tag.isEmpty,",
        'guard sealed.answer.isEmpty == sealed.tag.isEmpty || mutant("answer-without-tag") && sealed.tag.isEmpty,',
        "WireTests/FrameTests"),
    Mutant(
        "unsealed-answer", "a verdict is sealed under this host's key",
        SEAL_TAGS,
        "guard matches(tag, try? tagged(answerKey, answer)) else",
        'guard matches(tag, try? tagged(answerKey, answer)) || mutant("unsealed-answer") else',
        "LoginTests/SealTests"),
    Mutant(
        "answer-to-another", "a verdict must answer the question that was sent",
        SEAL_TAGS,
        "guard verdict.a == a else",
        'guard verdict.a == a || mutant("answer-to-another") else',
        "LoginTests/SealTests"),
    Mutant(
        "grant-to-another", "a verdict must grant to an identity in the question",
        SEALED_DECISION,
        "identities.first { $0.id == verdict.id }",
        'identities.first { $0.id == verdict.id || mutant("grant-to-another") }',
        "LoginTests/SealTests"),
    Mutant(
        "grant-without-notice", "a grant without the notice of wrong tries is refused",
        SEALED_DECISION,
        "return .refuses(.failed(.seal(.noNotice)))",
        'return mutant("grant-without-notice")'
        " ? .grants(proof, nil) : .refuses(.failed(.seal(.noNotice)))",
        "LoginTests/NoticeTests"),
    Mutant(
        "any-challenge", "no V is sent for a challenge made for another purpose",
        "Core/MPinProof/Proof/Passes.swift",
        "return y == answer.y ? nil",
        'return y == answer.y || mutant("any-challenge") ? nil',
        "LoginTests/SealTests"),
    # Tries and backup codes
    Mutant(
        "none-left-settles-nothing", "in a remote login nothing is sent after the last try",
        "Host/MPinLogin/Login/LoginTries.swift",
        "if left == 0 { (settled",
        'if left == 0 && !mutant("none-left-settles-nothing") { (settled',
        "LoginTests/RemoteTests"),
    Mutant(
        "tries-without-end", "a login has as many tries as its settings allow",
        "Host/MPinLogin/Login/LoginTries.swift",
        "guard triesLeft > 0 else",
        'guard triesLeft > 0 || mutant("tries-without-end") else',
        "LoginTests/LoginTests"),
    Mutant(
        "backup-code-twice", "a backup code is struck out before it grants a login",
        "Host/MPinHostStore/Files/FileStoreCodes.swift",
        "try unused.remove(hex(hash))",
        'try mutant("backup-code-twice") ? unused.holds(hex(hash)) : unused.remove(hex(hash))',
        "LoginTests/BackupCodeTests"),
    Mutant(
        "code-after-verdict", "after a verdict of the server no backup code is accepted in that login",
        "Host/MPinLogin/Login/LoginTries.swift",
        "if !outcome.leavesCodes {",
        'if !outcome.leavesCodes && !mutant("code-after-verdict") {',
        "LoginTests/BackupCodeOutageTests"),
    Mutant(
        "code-of-revoked", "the backup code of a revoked account is refused",
        "Host/MPinLogin/Login/LoginStanding.swift",
        "return standing.isRevoked ? forget()",
        'return standing.isRevoked && !mutant("code-of-revoked") ? forget()',
        "LoginTests/BackupCodeTests"),
    Mutant(
        "unsealed-standing", "the standing of an account is sealed under this host's key",
        "Core/MPin/Seal/SealedStanding.swift",
        "constantTimeEqual(tag, right),",
        'constantTimeEqual(tag, right) || mutant("unsealed-standing"),',
        "MPinTests/StandingRefusalTests"),
    Mutant(
        "kept-revocation", "a kept answer that the account is revoked refuses the code",
        "Host/MPinLogin/Login/LoginStanding.swift",
        "return kept.isRevoked ?",
        'return kept.isRevoked && !mutant("kept-revocation") ?',
        "LoginTests/KeptStandingTests"),
    Mutant(
        "old-standing", "a kept answer counts for backup-code-offline days",
        "Host/MPinLogin/Login/HostCodes.swift",
        "days > 0, age <= days * 86_400 else",
        'days > 0, age <= days * 86_400 || mutant("old-standing") else',
        "LoginTests/KeptStandingTests"),
    Mutant(
        "former-identity", "a kept answer is about identities that the account still has",
        "Host/MPinLogin/Login/HostCodes.swift",
        "asked.ids.allSatisfy(ids.contains)",
        'asked.ids.allSatisfy { ids.contains($0) || mutant("former-identity") }',
        "LoginTests/KeptStandingTests"),
    # Second devices
    Mutant(
        "unsealed-session", "a session is shown only if mpind sealed it for this question",
        "Host/MPinLogin/Devices/Phones.swift",
        "verifies(answer.tag, of: session) else",
        'verifies(answer.tag, of: session) || mutant("unsealed-session") else',
        "LoginTests/PhoneSealTests"),
    Mutant(
        "any-approval-code", "the approval code must be the session's",
        "Core/MPin/Codes/PhoneCode.swift",
        "return constantTimeEqual(letters, right)",
        'return constantTimeEqual(letters, right) || mutant("any-approval-code")',
        "LoginTests/PhoneTests"),
    Mutant(
        "another-server", "a device approves only sessions of its own server",
        "Core/MPinProof/Approval/Approval.swift",
        "guard details.origin == origin else",
        'guard details.origin == origin || mutant("another-server") else',
        "LoginTests/ApprovalTests"),
    Mutant(
        "unbound-refusal", "a device refuses nothing by a proof that is not bound",
        "Core/MPinProof/Approval/Approval.swift",
        "denies: true) = purpose, !isBound {",
        'denies: true) = purpose, !isBound, !mutant("unbound-refusal") {',
        "LoginTests/ApprovalTests"),
    Mutant(
        "another-session", "a device approves only the session that it looked up",
        "Core/MPinProof/Approval/Approval.swift",
        "guard details.wid == wid else",
        'guard details.wid == wid || mutant("another-session") else',
        "LoginTests/ApprovalTests"),
]
