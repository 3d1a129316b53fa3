// SPDX-License-Identifier: Apache-2.0
// Reads what the user scanned, opened or typed (`read`), and checks a PIN that they choose (`check`).
import MPinProof
import MPinWire
import Octets
import PageMessages
import Secrets

/// The meaning of an address with a fragment, or of a typed text.
enum Reading {
    case nothing
    case session([UInt8])
    case enrol(name: [UInt8], code: [UInt8])
    case otherOrigin([UInt8])
    case notUnderstood

    init(_ text: [UInt8], at origin: [UInt8]) {
        let isBlank = { (octet: UInt8) in octet == 0x20 || (0x09...0x0d).contains(octet) }
        let text = [UInt8](text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        guard let hash = text.firstIndex(of: UInt8(ascii: "#")) else {
            self = Reading(fragment: text)
            return
        }
        let address = [UInt8](text[..<hash])
        let fragment = [UInt8](text[(hash + 1)...])
        if address.isEmpty || address == origin || address.starts(with: origin + ascii("/")) {
            self = Reading(fragment: fragment)
        } else if let other = Backend(address), other.channel == .https {
            self = other.origin == origin ? Reading(fragment: fragment) : .otherOrigin(other.origin)
        } else {
            self = .notUnderstood
        }
    }

    private init(fragment: [UInt8]) {
        if fragment.isEmpty {
            self = .nothing
        } else if let query = fragment.dropping("enrol?") {
            self = Reading(query: query) ?? .notUnderstood
        } else if let wid = sessionName(fragment) {
            self = .session(wid)
        } else if case .number(let digits)? = try? Scanned(fragment) {
            self = .session(digits)
        } else {
            self = .notUnderstood
        }
    }

    /// `user=NAME&code=CODE`, in either order.
    private init?(query: [UInt8]) {
        var name: [UInt8]?
        var code: [UInt8]?
        for part in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let part = [UInt8](part)
            if let value = part.dropping("user="), name == nil {
                name = percentDecoded(value, plusIsSpace: false)
            } else if let value = part.dropping("code="), code == nil {
                code = percentDecoded(value, plusIsSpace: false)
            } else {
                return nil
            }
        }
        guard let name, let code, isName(name), (1...Bound.code).contains(code.count), isPlainText(code)
        else { return nil }
        self = .enrol(name: name, code: code)
    }

    var message: Message {
        var message = Message("read")
        switch self {
        case .nothing: message.add("nothing")
        case .session(let wid):
            message.add("session")
            message.add("scanned", wid)
        case .enrol(let name, let code):
            message.add("enrol")
            message.add("name", name)
            message.add("code", code)
        case .otherOrigin(let origin):
            message.add("otherOrigin")
            message.add("origin", presentable(origin, limit: Bound.name))
        case .notUnderstood: message.add("notUnderstood")
        }
        return message
    }
}

/// A wid, in lower case; nil unless the text is 32 hex digits.
func sessionName(_ text: [UInt8]) -> [UInt8]? {
    text.count == 32 && octets(fromHex: text) != nil ? lowered(text) : nil
}

extension Scanned {
    /// Reads what `read` returned, or a whole address; nil for anything else.
    init?(_ text: [UInt8], at origin: [UInt8]) {
        if let wid = sessionName(text) {
            self = .session(wid: wid, origin: origin)
        } else if let scanned = try? Scanned(text) {
            self = scanned
        } else {
            return nil
        }
    }
}

/// The answer to `check`.
func checked(name: [UInt8], pin octets: [UInt8], _ demand: PINDemand) -> Message {
    var message = Message("pin")
    guard let pin = secret(octets) else {
        message.add("long")
        return message
    }
    let account = LoginContext(ownDeviceOf: name).accountName
    if let fault = PINPolicy.fault(of: pin, account: account, remote: false, demand: demand) {
        message.add(fault.word)
        message.addLength(fault)
    } else {
        // Three wrong PINs lock the identity for a while, and 100 block it: six characters are enough.
        message.add(octets.count < 6 ? "fair" : "good")
    }
    return message
}

extension Message {
    /// Adds the length that the server demands, if the PIN is too short for it.
    mutating func addLength(_ fault: PINFault) {
        if case .shorterThanAsked(let least) = fault { add("length", least) }
    }
}

extension PINFault {
    var word: StaticString {
        switch self {
        case .tooShort: "short"
        case .shorterThanAsked: "asked"
        case .tooLong: "long"
        case .foreignCharacter, .readsAsCode: "notPIN"
        case .repeated: "repeated"
        case .counted: "counted"
        case .year: "year"
        case .date: "date"
        case .accountName: "name"
        }
    }
}
