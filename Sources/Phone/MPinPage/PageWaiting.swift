// SPDX-License-Identifier: Apache-2.0
// The flow `waiting`: asks which logins wait for the identities of this phone, as often as the script wants.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages

/// The question which logins wait at one server. It keeps no token and no key: a tag is good for minutes.
struct WaitingQuestion {
    let origin: [UInt8]
    /// When the phone asked first, in seconds since 1970: the tags contain it.
    let time: UInt64
    let identities: [Identity]
    let tags: [DeviceTag]
    /// The index of the identity that is asked for.
    var current = 0
    /// The logins that the identities before it have found.
    var found = Message("waiting")
    /// Their sessions: one that asks for several identities is listed once.
    var wids: [[UInt8]] = []

    /// nil without a time and one to sixteen good records.
    fileprivate init?(_ members: Members, at origin: [UInt8]) {
        guard let time = members["time"].flatMap({ wholeNumber($0, in: 0...UInt64(UInt32.max)) }),
            let records = members.records(at: origin)
        else { return nil }
        var identities: [Identity] = []
        var tags: [DeviceTag] = []
        for record in records {
            guard let credential = Record.read(record, at: origin) else { return nil }
            guard let tag = try? credential.tag(waitingAt: time) else { return nil }
            identities.append(credential.identity)
            tags.append(tag)
        }
        (self.origin, self.time, self.identities, self.tags) = (origin, time, identities, tags)
    }

    fileprivate mutating func begin() {
        current = 0
        found = Message("waiting")
        wids = []
    }

    /// Adds the logins of an answer for the current identity; false for an answer that breaks the protocol.
    fileprivate mutating func add(_ reply: Reply) -> Bool {
        let names: [StaticString] = [
            "waiting.seen", "waiting.wid", "waiting.number", "waiting.life", "waiting.attempt",
        ]
        let columns = names.map { reply.all($0) }
        guard columns.allSatisfy({ $0.count == columns[0].count }) else { return false }
        for index in columns[0].indices {
            guard add(columns.map { $0[index] }) else { return false }
        }
        return true
    }

    /// Adds one login; false unless this server showed it for this session of a host.
    private mutating func add(_ values: [[UInt8]]) -> Bool {
        let (wid, number, attempt) = (values[1], values[2], values[4])
        guard let details = octets(fromHex: values[0]).flatMap({ ApprovalDetails(decoding: $0) }),
            details.origin == origin, details.wid == wid, sessionName(wid) == wid, details.isConsoles,
            AccessNumber.isValid(number), let life = wholeNumber(values[3], in: 1...3600),
            let attempt = octets(fromHex: attempt), attempt.count == 8
        else { return false }
        guard !wids.contains(wid) else { return true }
        wids.append(wid)
        found.add(details, attempt: attempt, identity: identities[current], life: life)
        found.add("number", number)
        found.add("wid", wid)
        return true
    }
}

extension Page {
    mutating func wait(_ members: Members) -> Message {
        guard let backend = Backend(pageOf: members) else { return end(Done.failed("origin")) }
        guard let question = WaitingQuestion(members, at: backend.origin) else {
            return end(Done.failed("record"))
        }
        return ask(question)
    }

    /// Asks for the current identity.
    private mutating func ask(_ question: WaitingQuestion) -> Message {
        machine = .waiting(question)
        waiting = .logins
        return Requests.message(waitingAt: question.time, by: question.tags[question.current])
    }

    /// Begins again with the first identity.
    mutating func again() -> Message {
        guard case .listed(var question) = taken() else { return broken() }
        question.begin()
        return ask(question)
    }

    mutating func listed(_ reply: Reply) -> Message {
        guard case .waiting(var question) = taken() else { return broken() }
        guard reply.status == 200 else { return end(refusal(reply)) }
        guard question.add(reply) else { return end(Done.failed("answer")) }
        question.current += 1
        guard question.current == question.tags.count else { return ask(question) }
        machine = .listed(question)
        return question.found
    }

    private func refusal(_ reply: Reply) -> Message {
        switch reply.status {
        // A server of an older version, or one that tells no device what waits.
        case 404, 405: return Done.message("notOffered")
        case 429:
            var done = Done.message("tooOften")
            done.add("seconds", reply.number("retryAfter", in: 1...Int(Int32.max)))
            return done
        case let status:
            return RelayResponse.isUnavailable(status) ? Done.message("unavailable") : Done.failed("answer")
        }
    }
}
