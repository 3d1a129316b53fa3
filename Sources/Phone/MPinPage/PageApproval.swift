// SPDX-License-Identifier: Apache-2.0
// The flow of an approval: finds the identity that the session asks for, shows the login, and proves the PIN.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages
import Secrets

/// The search for the identity, among those of this phone at one server, that a session asks for.
struct Search {
    let backend: Backend
    let scanned: Scanned
    let denies: Bool
    let records: [[UInt8]]
    /// The index of the record whose identity looks the session up.
    var current = 0
    /// The indices of the records that the session may ask for.
    var candidates: [Int] = []
    /// The response that found the session.
    var response: DeviceResponse?
    /// Whether the server said of an identity that the session does not ask for it.
    var isForOthers = false

    /// nil without one to sixteen good records.
    fileprivate init?(_ members: Members, at backend: Backend, _ scanned: Scanned) {
        guard let denies = members["denies"], denies.spells("0") || denies.spells("1") else { return nil }
        self.backend = backend
        self.scanned = scanned
        self.denies = denies.spells("1")
        guard let records = members.records(at: backend.origin) else { return nil }
        self.records = records
    }

    /// A new approval with one of the records.
    fileprivate func approval(_ index: Int) -> Run<Approval>? {
        guard records.indices.contains(index) else { return nil }
        guard let credential = Record.read(records[index], at: backend.origin) else { return nil }
        return Run(Approval(.console(scanned, denies: denies), at: backend, by: credential))
    }
}

extension Page {
    mutating func approve(_ members: Members) -> Message {
        guard let backend = Backend(pageOf: members) else { return end(Done.failed("origin")) }
        guard let scanned = members["scanned"].flatMap({ Scanned($0, at: backend.origin) }) else {
            return end(Done.failed("scanned"))
        }
        if let origin = scanned.origin, origin != backend.origin { return end(Done.message("otherOrigin")) }
        guard let search = Search(members, at: backend, scanned) else { return end(Done.failed("record")) }
        return look(search)
    }

    /// Looks the session up with the current identity.
    private mutating func look(_ search: Search) -> Message {
        guard let approval = search.approval(search.current) else { return broken() }
        switch approval.machine.resume(.begin) {
        case .ask(let question):
            machine = .searching(search)
            return ask(question)
        case .finished(let outcome): return end(Done.message(outcome))
        case .show, .exchange: return broken()
        }
    }

    /// - Parameter asked: whether the session asks for this identity; nil if the server does not report it.
    mutating func found(_ response: DeviceResponse, asked: Bool?, _ search: Search) -> Message {
        var search = search
        // Any other answer goes to the approval; the search goes on only after an answer about a session.
        guard case .look(let octets, _)? = response.body else {
            return approve(search, index: search.current, response: response)
        }
        if !octets.isEmpty {
            search.response = response
            switch asked {
            case .some(true): return approve(search, index: search.current, response: response)
            case .some(false): search.isForOthers = true
            case .none:
                guard ApprovalDetails(decoding: octets)?.isForAnybody != true else {
                    search.candidates = [Int](search.records.indices)
                    return choose(search)
                }
                search.candidates.append(search.current)
            }
        }
        search.current += 1
        if search.current < search.records.count { return look(search) }
        guard search.candidates.isEmpty else { return choose(search) }
        return end(Done.message(search.isForOthers ? "otherIdentity" : "noSession"))
    }

    private mutating func choose(_ search: Search) -> Message {
        guard let response = search.response, let first = search.candidates.first else { return broken() }
        guard search.candidates.count > 1 else { return approve(search, index: first, response: response) }
        var message = Message("choose")
        for index in search.candidates {
            guard let identity = search.approval(index)?.machine.identity else { return broken() }
            message.add(hex(identity.id))
            message.add(presentable(identity.label, limit: Bound.name))
        }
        waiting = .nothing
        machine = .choosing(search)
        return message
    }

    mutating func chosen(_ id: [UInt8]) -> Message {
        guard case .choosing(let search) = taken(), let response = search.response else { return broken() }
        for index in search.candidates {
            guard let identity = search.approval(index)?.machine.identity, hex(identity.id) == id else {
                continue
            }
            return approve(search, index: index, response: response)
        }
        return broken()
    }

    /// Continues with one identity and the response that found the session.
    private mutating func approve(_ search: Search, index: Int, response: DeviceResponse) -> Message {
        guard let approval = search.approval(index), case .ask = approval.machine.resume(.begin) else {
            return broken()
        }
        let step = approval.machine.resume(.told(response))
        return follow(step, approval)
    }

    mutating func follow(_ step: ApprovalStep, _ approval: Run<Approval>) -> Message {
        switch step {
        case .ask(let question):
            machine = .approval(approval)
            return ask(question)
        case .exchange(let question):
            machine = .approval(approval)
            return ask(question)
        case .show(let details):
            guard let details else { return broken() }
            var message = Message("show")
            message.add(
                details, attempt: approval.machine.attempt, identity: approval.machine.identity, life: life)
            machine = .approval(approval)
            return message
        case .finished(let outcome):
            let done = Done.message(
                outcome, approval.machine.tries, hasNoNotice: approval.machine.hasNoNotice)
            let store = approval.machine.withNewDeviceKey { identity, token, key in
                stored(identity, Record.write(identity, token: token, key: key))
            }
            guard let store, let store else { return end(done) }
            machine = .closing(done)
            return store
        }
    }
}

/// The message `store`; nil for an identity that has no record.
func stored(_ identity: Identity, _ record: [UInt8]?) -> Message? {
    guard let record else { return nil }
    var message = Message("store")
    message.add(identity)
    message.add("record", record)
    return message
}

extension Message {
    /// Adds what a session asks, and the identity that would approve it.
    mutating func add(_ details: ApprovalDetails, attempt: [UInt8], identity: Identity, life: Int?) {
        add("kind", details.kind)
        add("host", presentable(details.host, limit: SealBound.text))
        add("service", presentable(details.service, limit: SealBound.text))
        add("account", presentable(details.account, limit: SealBound.text))
        add("source", presentable(details.source, limit: SealBound.text))
        add("seconds", decimal(details.seconds))
        add("attempt", hex(attempt))
        add("page", presentable(details.page, limit: SealBound.text))
        add(identity)
        add("life", life)
    }

    /// Adds id and label of an identity.
    mutating func add(_ identity: Identity) {
        add("id", hex(identity.id))
        add("label", presentable(identity.label, limit: Bound.name))
    }
}

extension Backend {
    /// The server of the page that sent these members; nil unless it is an origin.
    init?(pageOf members: Members) {
        guard let origin = members["origin"] else { return nil }
        self.init(origin)
        guard self.origin == origin, channel != .unix else { return nil }
    }
}

extension ApprovalDetails {
    fileprivate var isForAnybody: Bool {
        service == ApprovalDetails.browserService || service == ApprovalDetails.applicationService
    }

    /// Whether a host asks for a login at its console.
    var isConsoles: Bool { !isForAnybody && !service.spells("bind") }

    fileprivate var kind: StaticString {
        if service == ApprovalDetails.browserService { return "browser" }
        return service.spells("bind") ? "bind" : "console"
    }
}
