# SPDX-License-Identifier: Apache-2.0
# Mutants of the database: what is valid once, what is counted, what expires.
from mutants import Mutant

NONCES = "Server/MPinServer/Hosts/NonceStatements.swift"
PASSES = "Server/MPinServer/Login/PassStatements.swift"
VERDICTS = "Server/MPinServer/Login/VerdictStatements.swift"
COUNTERS = "Server/MPinServer/Login/CounterStatements.swift"
REGISTRATIONS = "Server/MPinServer/Registration/RegistrationStatements.swift"
HOSTS = "Server/MPinServer/Hosts/HostStatements.swift"
SESSIONS = "Server/MPinServer/Sessions/SessionStatements.swift"

MUTANTS = [
    Mutant(
        "nonce-twice", "a question's nonce is accepted once",
        NONCES,
        "ON CONFLICT (nonce) DO NOTHING",
        r'ON CONFLICT (nonce) DO \(mutant("nonce-twice")'
        r' ? "UPDATE SET expires_at = excluded.expires_at" : "NOTHING")',
        "DatabaseTests/LoginTests"),
    Mutant(
        "suspended-counts", "a try during a suspension is neither counted nor verified",
        COUNTERS,
        "if let identity, identity.isSuspended, counting != .none {",
        'if let identity, identity.isSuspended, counting != .none, !mutant("suspended-counts") {',
        "DatabaseTests/SuspensionTests"),
    Mutant(
        "suspended-approval", "a suspended user approves nothing",
        "Server/MPinServer/Identities/IdentityStatements.swift",
        "return try identity(id: id)?.isOut == false",
        'return try identity(id: id)?.isOut == false || mutant("suspended-approval")',
        "DatabaseTests/SuspendedSessionTests"),
    Mutant(
        "revoked-approval", "a user revoked after an approval is not granted",
        SESSIONS,
        "identity.isOut ? SessionState.ended : .granted",
        'identity.isOut && !mutant("revoked-approval") ? SessionState.ended : .granted',
        "DatabaseTests/SessionTests"),
    Mutant(
        "approval-outlives-suspension", "an approval before a suspension is not valid after it",
        "Server/MPinServer/People/SuspensionStatements.swift",
        "try t.endApproved(of: userID)",
        'if !mutant("approval-outlives-suspension") { try t.endApproved(of: userID) }',
        "DatabaseTests/SuspendedSessionTests"),
    Mutant(
        "heir-lives", "revoking a PIN revokes the PIN that replaced it",
        "Server/MPinServer/People/UserStatements.swift",
        'try t.ids("SELECT id FROM identities WHERE supersedes = $1", [.octets(all[index])])',
        'mutant("heir-lives")'
        ' ? [] : try t.ids("SELECT id FROM identities WHERE supersedes = $1", [.octets(all[index])])',
        "DatabaseTests/PINChangeTests"),
    Mutant(
        "verdict-twice", "an authOTT is redeemed once",
        VERDICTS,
        "DELETE FROM verdicts WHERE auth_ott = $1",
        r'\(mutant("verdict-twice") ? "UPDATE verdicts SET source = source" : "DELETE FROM verdicts")'
        " WHERE auth_ott = $1",
        "DatabaseTests/LoginTests"),
    Mutant(
        "verdict-for-ever", "an authOTT expires after a minute",
        VERDICTS,
        r"AND expires_at > $2 AND \(purpose)",
        r'AND (expires_at > $2 OR \(mutant("verdict-for-ever") ? "1 = 1" : "1 = 0")) AND \(purpose)',
        "DatabaseTests/LoginTests"),
    Mutant(
        "verdict-for-anything", "an authOTT is redeemed only for its purpose",
        VERDICTS,
        "(purpose = $3 AND purpose_of = $4",
        r'(\(mutant("verdict-for-anything") ? "1 = 1" : "1 = 0") OR purpose = $3 AND purpose_of = $4',
        "DatabaseTests/LoginTests"),
    Mutant(
        "old-pin-stays", "the first login with a changed PIN revokes the old one",
        VERDICTS,
        "revoked = try supersede(by: verdict.id)",
        'if !mutant("old-pin-stays") { revoked = try supersede(by: verdict.id) }',
        "DatabaseTests/PINChangeTests"),
    Mutant(
        "change-outlives-pin", "revoking a PIN ends the change that it authorised",
        "Server/MPinServer/Identities/IdentityStatements.swift",
        'try run("DELETE FROM registrations WHERE supersedes = $1", [.octets(id)])',
        'if !mutant("change-outlives-pin") {'
        ' try run("DELETE FROM registrations WHERE supersedes = $1", [.octets(id)]) }',
        "DatabaseTests/PINChangeTests"),
    Mutant(
        "try-not-counted", "a try is counted before its proof is verified",
        COUNTERS,
        "SET failures = heads.failures + 1",
        r'SET failures = heads.failures + \(mutant("try-not-counted") ? 0 : 1)',
        "DatabaseTests/LockTests"),
    Mutant(
        "locked-at-fourth", "the third wrong PIN in a row locks",
        "Server/MPinServer/Common/Locks.swift",
        "guard failures >= after else",
        'guard failures >= after + (mutant("locked-at-fourth") ? 1 : 0) else',
        "DatabaseTests/LockTests"),
    Mutant(
        "usual-locks-alone", "a stricter lock in the settings replaces the default",
        COUNTERS,
        "locks.lock(afterFailures: failures)",
        '(mutant("usual-locks-alone") ? Locks() : locks).lock(afterFailures: failures)',
        "DatabaseTests/LockTests"),
    Mutant(
        "lock-without-effect", "during a lock no proof is verified",
        COUNTERS,
        "WHERE heads.locked_until <= $4",
        r'WHERE heads.locked_until <= $4 OR \(mutant("lock-without-effect") ? "1 = 1" : "1 = 0")',
        "DatabaseTests/LockTests"),
    Mutant(
        "never-blocked-at-hundred", "a hundred wrong tries in all block a PIN",
        COUNTERS,
        "all >= Limits.triesInAll ||",
        'all >= Limits.triesInAll && !mutant("never-blocked-at-hundred") ||',
        "DatabaseTests/DeviceCounterTests"),
    Mutant(
        "never-blocked-in-a-row", "an identity is blocked after the number of wrong tries that its code sets",
        COUNTERS,
        "failures >= identity.blockAfter ?? .max {",
        'failures >= identity.blockAfter ?? .max && !mutant("never-blocked-in-a-row") {',
        "ServerTests/BlockAfterTests"),
    Mutant(
        "strangers-uncounted", "strange sources have ten tries a day together",
        COUNTERS,
        "if totals.today(counter) - own >= Limits.strangeTriesADay {",
        'if totals.today(counter) - own >= Limits.strangeTriesADay, !mutant("strangers-uncounted") {',
        "DatabaseTests/SourceCounterTests"),
    Mutant(
        "strangers-for-a-year", "strange sources have a hundred tries in 90 days together",
        COUNTERS,
        "guard totals.strange - own >= Limits.triesInAll else",
        'guard totals.strange - own >= Limits.triesInAll, !mutant("strangers-for-a-year") else',
        "DatabaseTests/StrangeTriesTests"),
    Mutant(
        "known-for-ever", "a source that the owner has not used for so long is strange",
        "Server/MPinServer/Identities/KnownSourceStatements.swift",
        "(k.last_at > \\(now) - \\(Limits.knownSourceLife)",
        r'(\(mutant("known-for-ever") ? "1 = 1" : "1 = 0") OR k.last_at > \(now) - \(Limits.knownSourceLife)',
        "DatabaseTests/StrangeTriesTests"),
    Mutant(
        "taught-by-anybody", "an approval makes a place known to the approver's user only",
        "Server/MPinServer/Identities/KnownSourceStatements.swift",
        "AND user_id = (SELECT user_id FROM identities WHERE id = $1)",
        r'AND (\(mutant("taught-by-anybody") ? "1 = 1" : "1 = 0")'
        r' OR user_id = (SELECT user_id FROM identities WHERE id = $1))',
        "DatabaseTests/StrangeTriesTests"),
    Mutant(
        "forgotten-nonce", "a clock that is set back makes no used question good again",
        NONCES,
        "guard var forgotten else { return true }",
        'guard var forgotten, !mutant("forgotten-nonce") else { return true }',
        "DatabaseTests/NonceTests"),
    Mutant(
        "any-code", "a registration needs the code of its user id",
        REGISTRATIONS,
        "WHEN user_id = $1 AND hash = $2 AND",
        r'WHEN user_id = $1 AND (hash = $2 OR \(mutant("any-code") ? "1 = 1" : "1 = 0")) AND',
        "DatabaseTests/RegistrationTests"),
    Mutant(
        "qr-code-for-all", "the code in a QR code enrols only devices that bind their proofs",
        REGISTRATIONS,
        "(by_qr_code = 0 OR $4 = 1)",
        r'(by_qr_code = 0 OR $4 = 1 OR \(mutant("qr-code-for-all") ? "1 = 1" : "1 = 0"))',
        "DatabaseTests/QRCodeEnrolmentTests"),
    Mutant(
        "code-for-ever", "an activation code expires",
        REGISTRATIONS,
        "WHERE user_id = $1 AND expires_at > $3), '')",
        r'WHERE user_id = $1 AND (expires_at > $3 OR \(mutant("code-for-ever") ? "1 = 1" : "1 = 0"))),'
        " '')",
        "DatabaseTests/RegistrationTests"),
    Mutant(
        "code-twice", "the first login uses up the activation code of its enrolment",
        "Server/MPinServer/Login/WrongTryStatements.swift",
        "if try found.flag() {",
        'if try found.flag() && !mutant("code-twice") {',
        "DatabaseTests/SpentCodeTests"),
    Mutant(
        "old-code-stays", "a new code replaces the one before it",
        "Server/MPinServer/People/UserStatements.swift",
        "DO UPDATE SET hash = excluded.hash,",
        r'DO UPDATE SET hash = \(mutant("old-code-stays") ? "codes.hash" : "excluded.hash"),',
        "DatabaseTests/RegistrationTests"),
    Mutant(
        "cancelled-code", "the code of a cancelled enrolment ends with what was begun with it",
        "Server/MPinServer/People/UserStatements.swift",
        'try t.run("DELETE FROM registrations WHERE user_id = $1 AND code = $2", code)',
        'if !mutant("cancelled-code") {'
        ' try t.run("DELETE FROM registrations WHERE user_id = $1 AND code = $2", code) }',
        "DatabaseTests/QRCodeEnrolmentTests"),
    Mutant(
        "replaces-nothing", "a replacing activation code revokes the older identities",
        "Server/MPinServer/Registration/PendingRegistrationStatements.swift",
        "if grant.replaces {",
        'if grant.replaces && !mutant("replaces-nothing") {',
        "DatabaseTests/RegistrationTests"),
    Mutant(
        "join-code-twice", "a join code is accepted once",
        HOSTS,
        "DELETE FROM joins WHERE host = $1 AND join_id",
        r'\(mutant("join-code-twice") ? "UPDATE joins SET epoch = epoch" : "DELETE FROM joins")'
        " WHERE host = $1 AND join_id",
        "DatabaseTests/HostTests"),
    Mutant(
        "former-epoch-for-ever", "a host's former key is accepted for seven days",
        HOSTS,
        "AND f.expires_at > $3",
        r'AND (f.expires_at > $3 OR \(mutant("former-epoch-for-ever") ? "1 = 1" : "1 = 0"))',
        "DatabaseTests/HostTests"),
    Mutant(
        "number-twice", "no access number names two open sessions",
        SESSIONS,
        "guard try !t.isTaken(opening.number) else",
        'guard try !t.isTaken(opening.number) || mutant("number-twice") else',
        "ServerTests/BrowserAttackTests"),
    Mutant(
        "second-approves", "only the first approval of a session counts",
        SESSIONS,
        "(approved_by IS NULL OR approved_by = $4)",
        r'(approved_by IS NULL OR approved_by = $4 OR \(mutant("second-approves") ? "1 = 1" : "1 = 0"))',
        "DatabaseTests/SessionTests"),
    Mutant(
        "look-ups-uncounted", "a source may look up ten access numbers in a minute",
        SESSIONS,
        "guard asked < Limits.lookUpsPerSource,",
        'guard asked < Limits.lookUpsPerSource || mutant("look-ups-uncounted"),',
        "DatabaseTests/SessionTests"),
    Mutant(
        "nobody-gives-way", "the network with the most sessions gives way to others",
        "Server/MPinServer/Common/PlaceStatements.swift",
        "try rowThatGivesWay(in: places, kind, to: own)",
        'try mutant("nobody-gives-way") ? nil : rowThatGivesWay(in: places, kind, to: own)',
        "DatabaseTests/SharedPlaceTests"),
    Mutant(
        "scanned-gives-way", "a flood from many networks displaces no scanned session",
        "Server/MPinServer/Common/PlaceStatements.swift",
        "&& !places.isCrowd(widest)",
        '&& !places.isCrowd(widest) && !mutant("scanned-gives-way")',
        "DatabaseTests/SharedPlaceTests"),
    Mutant(
        "search-each-time", "a flood searches all places twenty times a second",
        "Server/MPinServer/Common/PlaceStatements.swift",
        "guard !searches.hasPause(name, at: now) else",
        'guard !searches.hasPause(name, at: now) || mutant("search-each-time") else',
        "DatabaseTests/SharedPlaceTests"),
    Mutant(
        "refusals-among-logins", "records of refusals displace none of logins",
        "Server/MPinServer/Audit/RetentionStatements.swift",
        "self = isGranted ? .lastLogin : .refusals",
        'self = isGranted ? .lastLogin : mutant("refusals-among-logins") ? .logins : .refusals',
        "DatabaseTests/PurgePlanTests"),
    Mutant(
        "audit-in-turn", "one host pushes no records of another out of the audit trail",
        "Server/MPinServer/Audit/AuditGroup.swift",
        "Dictionary(grouping: groups, by: \\.host)",
        'Dictionary(grouping: groups, by: { mutant("audit-in-turn") ? "" : $0.host })',
        "DatabaseTests/AuditShareTests"),
    Mutant(
        "browser-twice", "a browser's authOTT is redeemed once",
        "Server/MPinServer/Sessions/BrowserStatements.swift",
        "WHERE auth_ott = $2 AND state = $4 AND approved_at",
        r'WHERE auth_ott = $2 AND (state = $4 OR \(mutant("browser-twice") ? "state = $3" : "1 = 0"))'
        " AND approved_at",
        "DatabaseTests/BrowserTests"),
    Mutant(
        "list-of-one-source", "one source has two logins in a list of what waits",
        "Server/MPinServer/Sessions/ListStatements.swift",
        r"WHERE place <= \(Limits.listedPerSource)",
        r'WHERE place <= \(mutant("list-of-one-source") ? 99 : Limits.listedPerSource)',
        "DatabaseTests/WaitingListTests"),
    Mutant(
        "reported-and-listed", "a login from a source that was reported is in no list of what waits",
        "Server/MPinServer/Sessions/ListStatements.swift",
        "r.source = s.source AND r.expires_at > $1",
        r'r.source = s.source AND \(mutant("reported-and-listed") ? "1 = 0" : "r.expires_at > $1")',
        "DatabaseTests/WaitingListTests"),
]
