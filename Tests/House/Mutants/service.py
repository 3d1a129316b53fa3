# SPDX-License-Identifier: Apache-2.0
# Mutants of mpind's services: proofs, second devices, hosts, request policy.
from mutants import Mutant

MUTANTS = [
    Mutant(
        "taught-without-code", "only the approval of a device that shows a code makes a place known",
        "Server/MPinServer/Sessions/SessionQuestion.swift",
        "approver.description.kind == .bound, !approver.isUnconfirmed,",
        'approver.description.kind == .bound || mutant("taught-without-code"), !approver.isUnconfirmed,',
        "ServerTests/ApprovedPlaceTests"),
    Mutant(
        "two-hosts", "a request has one Host",
        "Server/MPinServer/HTTP/RequestPolicy.swift",
        "guard values.count == 1, let",
        'guard values.count == 1 || mutant("two-hosts"), let',
        "ServerTests/GateTests"),
    Mutant(
        "looser-lock", "mpind.conf accepts no lock that is looser than the default",
        "Server/MPinServer/Settings/LivesSettings.swift",
        "1...Locks().after)",
        '1...(mutant("looser-lock") ? 100 : Locks().after))',
        "ServerTests/StrictnessTests"),
    Mutant(
        "challenge-for-anything", "y is bound to the purpose of the proof",
        "Server/MPinServer/Login/FirstPass.swift",
        "purpose: binding.purpose)",
        'purpose: mutant("challenge-for-anything") ? noPurpose : binding.purpose)',
        "ServerTests/LoginTests"),
    Mutant(
        "any-proof", "a proof with a wrong PIN is refused",
        "Server/MPinServer/Login/SecondPass.swift",
        "if fits == true { isGood = true }",
        'if fits == true || mutant("any-proof") { isGood = true }',
        "ServerTests/LoginTests"),
    Mutant(
        "proof-of-another-kind", "a proof must have the kind for which its mpinId was registered",
        "Server/MPinServer/Login/SecondPass.swift",
        "!kind.fits(counted.passOne, key)\n",
        '!(kind.fits(counted.passOne, key) || mutant("proof-of-another-kind"))\n',
        "ServerTests/StrangerTests"),
    Mutant(
        "proof-brought-elsewhere", "a proof for one session is not accepted for another",
        "Server/MPinServer/Login/SecondPass.swift",
        "!isBrought(asked, passOne: counted.passOne, kind: kind, to: named)",
        '!(isBrought(asked, passOne: counted.passOne, kind: kind, to: named) || mutant("proof-brought-elsewhere"))',
        "ServerTests/SessionAttackTests"),
    Mutant(
        "revoked-meanwhile", "a user revoked between pass 2 and redemption is not granted",
        "Server/MPinServer/Login/Redemptions.swift",
        "guard redemption.identity?.revokedAt == nil else",
        'guard redemption.identity?.revokedAt == nil || mutant("revoked-meanwhile") else',
        "ServerTests/RevocationTests"),
    Mutant(
        "suspended-meanwhile", "a user suspended between pass 2 and redemption is not granted",
        "Server/MPinServer/Login/Redemptions.swift",
        "guard redemption.identity?.isSuspended != true else",
        'guard redemption.identity?.isSuspended != true || mutant("suspended-meanwhile") else',
        "ServerTests/SuspensionTests"),
    Mutant(
        "suspended-code", "a backup code of a suspended account is refused",
        "Server/MPinServer/Login/Standings.swift",
        "standing.isRevoked || standing.isSuspended",
        'standing.isRevoked || standing.isSuspended && !mutant("suspended-code")',
        "ServerTests/SuspensionTests"),
    Mutant(
        "unlisted-identity", "an identity that the host's question does not list is a stranger",
        "Server/MPinServer/Login/FirstPass.swift",
        "sealed.ids.contains(id)",
        '(sealed.ids.contains(id) || mutant("unlisted-identity"))',
        "ServerTests/StrangerTests"),
    Mutant(
        "former-device-key", "a device that has used a newer key cannot use an older one",
        "Server/MPinServer/Identities/ServiceContextDeviceKeys.swift",
        "where epoch >= own ?? newest {",
        'where epoch >= own ?? newest || mutant("former-device-key") {',
        "ServerTests/DeviceTests"),
    Mutant(
        "any-device-tag", "a proof with a wrong device tag counts as a stranger's",
        "Server/MPinServer/Identities/ServiceContextDeviceKeys.swift",
        "if fits(key), own != nil {",
        'if fits(key) || mutant("any-device-tag"), own != nil {',
        "ServerTests/DeviceTests"),
    Mutant(
        "approved-by-anybody", "only an identity that a session lists can approve or deny it",
        "Server/MPinServer/Login/Approving.swift",
        "try waiting.takes(identity),",
        'try waiting.takes(identity) || mutant("approved-by-anybody"),',
        "ServerTests/SessionAttackTests"),
    Mutant(
        "ended-by-anybody", "only a device that may approve a console's session can end it",
        "Server/MPinServer/Sessions/Sessions.swift",
        "device.map { try waiting.takes($0) } ?? false",
        'device.map { try waiting.takes($0) || mutant("ended-by-anybody") } ?? false',
        "ServerTests/ApprovalTests"),
    Mutant(
        "unconfirmed-approves", "an unconfirmed phone cannot approve a login",
        "Server/MPinServer/Sessions/SessionQuestion.swift",
        "isShown && !identity.isUnconfirmed &&",
        'isShown && (!identity.isUnconfirmed || mutant("unconfirmed-approves")) &&',
        "ServerTests/QRCodeEnrolmentTests"),
    Mutant(
        "any-phone-confirmed", "a phone is confirmed only by its host's tag for this phone",
        "Server/MPinServer/Login/PhoneBinding.swift",
        "guard opened.key.verifies(bindDone: tag, a: a, id: id) else",
        'guard opened.key.verifies(bindDone: tag, a: a, id: id) || mutant("any-phone-confirmed") else',
        "ServerTests/QRCodeEnrolmentTests"),
    Mutant(
        "ended-epoch", "nothing is sealed under an epoch that ended between pass 2 and redemption",
        "Server/MPinServer/Login/VerdictStatements.swift",
        "host.keys.first { $0.epoch == verdict.hostEpoch }",
        'host.keys.first { $0.epoch == verdict.hostEpoch || mutant("ended-epoch") }',
        "ServerTests/LeakedKeyTests"),
    Mutant(
        "removed-host", "a removed host gets 403 and no seal",
        "Server/MPinServer/Login/Redemptions.swift",
        "403, json: json(AuthenticateResponse(message: Verdict.revoked.words.text)),",
        'mutant("removed-host") ? 200 : 403,'
        " json: json(AuthenticateResponse(message: Verdict.revoked.words.text)),",
        "ServerTests/HostTests"),
    Mutant(
        "unsealed-question", "a question must be sealed by a host of this server",
        "Server/MPinServer/Hosts/HostQuestion.swift",
        "$0.verifies(tag.octets, of: sealed)",
        '$0.verifies(tag.octets, of: sealed) || mutant("unsealed-question")',
        "ServerTests/HostTests"),
    Mutant(
        "any-host", "a request must name this server",
        "Server/MPinServer/HTTP/RequestPolicy.swift",
        "isOurs(host, request.peer) else",
        'isOurs(host, request.peer) || mutant("any-host") else',
        "ServerTests/GateTests"),
    Mutant(
        "any-origin", "a page of a foreign origin is refused",
        "Server/MPinServer/HTTP/RequestPolicy.swift",
        "!origins.contains(origin) {",
        '!origins.contains(origin) && !mutant("any-origin") {',
        "ServerTests/GateTests"),
    Mutant(
        "any-content-type", "a body must be declared as JSON",
        "Server/MPinServer/HTTP/RequestPolicy.swift",
        "isJSON(request.contentType) else",
        'isJSON(request.contentType) || mutant("any-content-type") else',
        "ServerTests/GateTests"),
    Mutant(
        "forwarded-host", "no header of the connection itself is forwarded to an external RPA",
        "Server/MPinServer/Settings/ExternalRPA.swift",
        "names.contains(name) && !own.contains(name)",
        'names.contains(name) && (!own.contains(name) || mutant("forwarded-host"))',
        "ServerTests/ApplicationRegistrationTests"),
    Mutant(
        "wish-granted-twice", "a signature is accepted once for a D-TA's server secret",
        "Server/MPinServer/Milagro/AuthorityRouter.swift",
        "guard try await storage.takeNonce(nonce) else {",
        'guard try await storage.takeNonce(nonce) || mutant("wish-granted-twice") else {',
        "ServerTests/AuthorityRouterTests"),
    Mutant(
        "wish-without-end", "a request signed for a D-TA is valid for two minutes at most",
        "Server/MPinServer/Milagro/SignedRequests.swift",
        "guard end <= now + SignedRequests.mostLife else {",
        'guard end <= now + SignedRequests.mostLife || mutant("wish-without-end") else {',
        "ServerTests/AuthorityRouterTests"),
    Mutant(
        "user-not-signed", "the signature for a D-TA covers the user",
        "Server/MPinServer/Milagro/SignedRequests.swift",
        'hash + (query[QueryKey.hashUserID] ?? "")',
        'hash + (mutant("user-not-signed") ? "" : query[QueryKey.hashUserID] ?? "")',
        "ServerTests/AuthorityRouterTests"),
    Mutant(
        "wish-of-a-page", "a web page cannot get a server secret",
        "Server/MPinServer/Milagro/AuthorityRouter.swift",
        "request.origin != nil && request.path",
        '!mutant("wish-of-a-page") && request.origin != nil && request.path',
        "ServerTests/AuthorityRouterTests"),
    Mutant(
        "listed-for-ever", "a question what waits is good for ten minutes",
        "Server/MPinServer/Sessions/WaitingList.swift",
        "context.isNear(time),",
        '(context.isNear(time) || mutant("listed-for-ever")),',
        "ServerTests/WaitingAttackTests"),
    Mutant(
        "listed-unconfirmed", "an unconfirmed phone hears of no login",
        "Server/MPinServer/Sessions/WaitingList.swift",
        "!device.isUnconfirmed,",
        '(!device.isUnconfirmed || mutant("listed-unconfirmed")),',
        "ServerTests/WaitingTests"),
    Mutant(
        "own-list-for-strangers", "mpind does the same work for a stranger whether a login waits or not",
        "Server/MPinServer/Sessions/WaitingList.swift",
        "waitingFor: identityHash(asked.id.octets))",
        'waitingFor: mutant("own-list-for-strangers") ? asked.id : identityHash(asked.id.octets))',
        "ServerTests/WaitingAttackTests"),
    Mutant(
        "asked-without-end", "a device asks sixty times a minute what waits",
        "Server/MPinServer/Sessions/WaitingList.swift",
        "guard pause == 0 else",
        'guard pause == 0 || mutant("asked-without-end") else',
        "ServerTests/WaitingTests"),
]
