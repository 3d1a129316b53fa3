// SPDX-License-Identifier: Apache-2.0
// A user as it is kept in the two storages: one part in the plain storage, one in the secure storage.
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Octets

/// What the storages keep of one registration.
struct StoredRecord {
    /// The second share of the permit for one day.
    struct CachedPermit: Equatable {
        /// Days since 1970-01-01 UTC.
        let date: UInt32
        let share: [UInt8]
    }

    /// The backend's key, see `NamedBackend`.
    let backend: String
    /// The M-Pin ID in hexadecimal, as it is stored; it names the record.
    let name: String
    let mpinID: [UInt8]
    let identity: String
    var deviceName = ""
    var state: UserState
    var cachedPermit: CachedPermit?
    /// The one-time text with which an unfinished registration continues; empty afterwards.
    var regOTT = ""
    /// The token, 130 hexadecimal digits; empty until there is one.
    var token = ""
    var rule = PINRule.milagroString
    /// Whether the server promised at the registration to bind its challenges to a purpose; from then on it
    /// must.
    var isBound = false
    /// The device key of a bound registration, 64 hexadecimal digits; empty until there is a token.
    var deviceKey = ""

    var user: User {
        User(identity: identity, backend: backend, deviceName: deviceName, state: state, mpinID: mpinID)
    }

    init(backend: String, mpinID: [UInt8], identity: String, state: UserState) {
        self.backend = backend
        self.mpinID = mpinID
        self.identity = identity
        self.state = state
        name = hexText(mpinID)
    }

    /// Reads a record from the storages; nil if it is invalid.
    init?(backend: String, name: String, plain: JSON, secret: JSON?) {
        guard let mpinID = octets(fromHex: [UInt8](name.utf8)),
            let identity = StoredRecord.identity(in: mpinID),
            let state = plain["state"]?.text.flatMap(UserState.init(stored:))
        else { return nil }
        self.backend = backend
        self.name = name
        self.mpinID = mpinID
        self.identity = identity
        self.state = state
        deviceName = plain["deviceName"]?.text ?? ""
        cachedPermit = plain["timePermitCache"].flatMap(CachedPermit.init(stored:))
        guard read(secret) else { return nil }
    }

    private mutating func read(_ secret: JSON?) -> Bool {
        regOTT = secret?["regOTT"]?.text ?? ""
        token = secret?["token"]?.text ?? ""
        isBound = secret?["bound"] == .flag(true)
        deviceKey = secret?["deviceKey"]?.text ?? ""
        if let text = secret?["pinRule"] {
            guard let rule = text.text.flatMap({ PINRule(text: [UInt8]($0.utf8)) }) else { return false }
            self.rule = rule
        }
        switch state {
        case .startedRegistration, .activated:
            // The token is stored before the state: a program that was killed in between has finished.
            if !token.isEmpty { state = .registered }
            return !token.isEmpty || !regOTT.isEmpty
        case .registered, .blocked: return true
        case .invalid: return false
        }
    }

    /// The user's name from an M-Pin ID, which is JSON; nil if there is none.
    static func identity(in mpinID: [UInt8]) -> String? {
        guard let identity = JSON(mpinID)?["userID"]?.text, !identity.isEmpty else { return nil }
        return identity
    }

    /// The plain storage's entry: the old one, which may have further keys, with the values of this record.
    func plain(over old: JSON?) -> JSON {
        var entry = old?.object ?? [:]
        entry["state"] = .text(state.stored)
        entry["deviceName"] = deviceName.isEmpty ? nil : .text(deviceName)
        if let cachedPermit { entry["timePermitCache"] = cachedPermit.stored }
        return .object(entry)
    }

    /// The secure storage's entry, made in the same way; nil if there is nothing to store.
    func secret(over old: JSON?) -> JSON? {
        guard !regOTT.isEmpty || !token.isEmpty else { return nil }
        var entry = old?.object ?? [:]
        entry["regOTT"] = regOTT.isEmpty ? nil : .text(regOTT)
        entry["token"] = token.isEmpty ? nil : .text(token)
        entry["pinRule"] =
            token.isEmpty || rule == .milagroString ? nil : .text(String(decoding: rule.text, as: UTF8.self))
        entry["bound"] = isBound ? .flag(true) : nil
        entry["deviceKey"] = deviceKey.isEmpty ? nil : .text(deviceKey)
        return .object(entry)
    }
}

extension StoredRecord.CachedPermit {
    /// nil for an invalid entry: Milagro's core leaves blanks where it wiped a permit.
    init?(stored entry: JSON) {
        guard let date = entry["date"]?.whole.flatMap(UInt32.init(exactly:)), date > 0,
            let text = entry["timePermit"]?.text, let share = octets(fromHex: [UInt8](text.utf8))
        else { return nil }
        self.date = date
        self.share = share
    }

    var stored: JSON { .object(["date": .whole(Int(date)), "timePermit": .text(hexText(share))]) }
}

extension UserState {
    init?(stored text: String) {
        guard let state = UserState.allCases.first(where: { $0 != .invalid && $0.stored == text }) else {
            return nil
        }
        self = state
    }

    var stored: String {
        switch self {
        case .invalid: "INVALID"
        case .startedRegistration: "STARTED_REGISTRATION"
        case .activated: "ACTIVATED"
        case .registered: "REGISTERED"
        case .blocked: "BLOCKED"
        }
    }
}
