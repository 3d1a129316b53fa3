# SPDX-License-Identifier: Apache-2.0
# Mutants of the library for apps: what it proves, to whom it speaks, what it keeps.
from mutants import Mutant

PASSES = "MPinClient/Calls/ClientPasses.swift"
SESSIONS = "MPinClient/Calls/ClientSessions.swift"
BACKEND = "MPinClient/Backend/BackendParameters.swift"
DEVICE_KEY = "MPin/Seal/DeviceKey.swift"

MUTANTS = [
    Mutant(
        "app-any-challenge", "the library sends no V for a challenge that was made for something else",
        "MPinProof/Proof/Passes.swift",
        "if answer.n.isEmpty {",
        'if answer.n.isEmpty || mutant("app-any-challenge") {',
        "ClientTests/BoundTests"),
    Mutant(
        "app-forgets-bound", "a server that said it binds its challenges is held to it",
        "MPinClient/Calls/ClientRegistration.swift",
        "record.isBound = answer.bound?.isOn ?? false",
        'record.isBound = !mutant("app-forgets-bound") && answer.bound?.isOn ?? false',
        "ClientTests/BoundTests"),
    Mutant(
        "app-proves-to-nobody", "the library sends no proof where nobody waits",
        PASSES,
        "guard details[wid] != nil else",
        'guard details[wid] != nil || mutant("app-proves-to-nobody") else',
        "ClientTests/BoundTests"),
    Mutant(
        "app-another-session", "the library shows what it asked about",
        SESSIONS,
        "read.wid == [UInt8](accessCode.utf8),",
        'read.wid == [UInt8](accessCode.utf8) || mutant("app-another-session"),',
        "ClientTests/BoundTests"),
    Mutant(
        "app-another-server", "the library shows what its own server asks for",
        SESSIONS,
        "read.origin == [UInt8](place.seenOrigin.utf8)",
        'read.origin == [UInt8](place.seenOrigin.utf8) || mutant("app-another-server")',
        "ClientTests/BoundTests"),
    Mutant(
        "app-sent-to-stranger", "no server sends the library to one that the app does not trust",
        BACKEND,
        "|| trusted.covers(origin) else",
        '|| trusted.covers(origin) || mutant("app-sent-to-stranger") else',
        "ClientTests/BackendTests"),
    Mutant(
        "app-trusts-an-end", "a trusted domain covers its own subdomains",
        BACKEND,
        'origin.host.hasSuffix("." + $0)',
        'origin.host.hasSuffix((mutant("app-trusts-an-end") ? "" : ".") + $0)',
        "ClientTests/BackendTests"),
    Mutant(
        "app-keeps-token", "at 410 the token is erased",
        PASSES,
        '(record.token, record.deviceKey) = ("", "")',
        'if !mutant("app-keeps-token") { (record.token, record.deviceKey) = ("", "") }',
        "ClientTests/StateTests"),
    Mutant(
        "app-id-twice", "an M-Pin ID that is taken is not registered again",
        "MPinClient/Calls/ClientRegistration.swift",
        "guard !isTaken else",
        'guard !isTaken || mutant("app-id-twice") else',
        "ClientTests/StateTests"),
    Mutant(
        "unsealed-notice", "a device hears of wrong tries under its own key",
        DEVICE_KEY,
        "guard matches(tag, try? tagged(key, notice)),",
        'guard matches(tag, try? tagged(key, notice)) || mutant("unsealed-notice"),',
        "ClientTests/BoundTests"),
    Mutant(
        "unsealed-device-key", "a newer device key comes under the old one",
        DEVICE_KEY,
        "guard matches(tag, try? self.tag(ofNewer: newer, for: id)) else",
        'guard matches(tag, try? self.tag(ofNewer: newer, for: id)) || mutant("unsealed-device-key") else',
        "ClientTests/BoundTests"),
]
