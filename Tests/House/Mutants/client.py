# SPDX-License-Identifier: Apache-2.0
# Mutants of the library for apps: its proofs, its servers, its records.
from mutants import Mutant

PASSES = "Client/MPinClient/Calls/ClientPasses.swift"
SESSIONS = "Client/MPinClient/Calls/ClientSessions.swift"
BACKEND = "Client/MPinClient/Backend/BackendParameters.swift"
DEVICE_KEY = "Core/MPin/Seal/DeviceKey.swift"

MUTANTS = [
    Mutant(
        "app-any-challenge", "the library sends no V for a challenge made for another purpose",
        "Core/MPinProof/Proof/Passes.swift",
        "guard let n = answer.n else { return purpose",
        'guard let n = answer.n, !mutant("app-any-challenge") else { return purpose',
        "ClientTests/BoundTests"),
    Mutant(
        "app-forgets-bound", "a server that once bound its challenges must go on doing so",
        "Client/MPinClient/Calls/ClientRegistration.swift",
        "record.isBound = answer.bound?.isOn ?? false",
        'record.isBound = !mutant("app-forgets-bound") && answer.bound?.isOn ?? false',
        "ClientTests/BoundTests"),
    Mutant(
        "app-proves-to-nobody", "the library sends no proof for a session that it has not looked up",
        PASSES,
        "guard details[wid] != nil else",
        'guard details[wid] != nil || mutant("app-proves-to-nobody") else',
        "ClientTests/BoundTests"),
    Mutant(
        "app-proof-of-refusal", "the library refuses by no proof that a server takes for an approval",
        SESSIONS,
        "guard try record(of: user, in: .registered).isBound else",
        'guard try record(of: user, in: .registered).isBound || mutant("app-proof-of-refusal") else',
        "ClientTests/RefusalTests"),
    Mutant(
        "app-another-session", "the library shows only the session that it looked up",
        SESSIONS,
        "read.wid == [UInt8](accessCode.utf8),",
        'read.wid == [UInt8](accessCode.utf8) || mutant("app-another-session"),',
        "ClientTests/BoundTests"),
    Mutant(
        "app-another-server", "the library shows only sessions of its own server",
        SESSIONS,
        "read.origin == [UInt8](place.seenOrigin.utf8)",
        'read.origin == [UInt8](place.seenOrigin.utf8) || mutant("app-another-server")',
        "ClientTests/BoundTests"),
    Mutant(
        "app-sent-to-stranger", "a server cannot redirect the library to one that the app does not trust",
        BACKEND,
        "|| trusted.covers(origin) else",
        '|| trusted.covers(origin) || mutant("app-sent-to-stranger") else',
        "ClientTests/BackendTests"),
    Mutant(
        "app-trusts-an-end", "a trusted domain covers only its own subdomains",
        BACKEND,
        'origin.host.hasSuffix("." + $0)',
        'origin.host.hasSuffix((mutant("app-trusts-an-end") ? "" : ".") + $0)',
        "ClientTests/BackendTests"),
    Mutant(
        "app-keeps-token", "status 410 erases the token",
        PASSES,
        '(record.token, record.deviceKey) = ("", "")',
        'if !mutant("app-keeps-token") { (record.token, record.deviceKey) = ("", "") }',
        "ClientTests/StateTests"),
    Mutant(
        "app-id-twice", "an M-Pin ID that is taken is not registered again",
        "Client/MPinClient/Calls/ClientRegistration.swift",
        "guard !isTaken else",
        'guard !isTaken || mutant("app-id-twice") else',
        "ClientTests/StateTests"),
    Mutant(
        "unsealed-notice", "a device accepts a notice only under its own key",
        DEVICE_KEY,
        "guard matches(tag, try? tagged(key, notice)),",
        'guard matches(tag, try? tagged(key, notice)) || mutant("unsealed-notice"),',
        "ClientTests/BoundTests"),
    Mutant(
        "unsealed-device-key", "a newer device key is accepted only under the old one",
        DEVICE_KEY,
        "guard matches(tag, try? self.tag(ofNewer: newer, for: id)) else",
        'guard matches(tag, try? self.tag(ofNewer: newer, for: id)) || mutant("unsealed-device-key") else',
        "ClientTests/BoundTests"),
]
