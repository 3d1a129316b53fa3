// SPDX-License-Identifier: Apache-2.0
// The module's state: takes one message, returns the next step, and keeps the machine that runs and what it
// waits for.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages
import Secrets

/// A machine on the heap. As soon as nothing refers to it, its block is freed and wiped.
final class Run<Machine: ~Copyable> {
    var machine: Machine

    init(_ machine: consuming Machine) { self.machine = machine }
}

struct Page: ~Copyable {
    enum Machine {
        case none
        /// Looking up which of several identities a session asks for.
        case searching(Search)
        case choosing(Search)
        case approval(Run<Approval>)
        /// A new device key is being stored; the message follows afterwards.
        case closing(Message)
        case registration(Run<Registration>)
        /// Fetching the server's rules for new PINs.
        case demanding
        /// Asking which logins wait.
        case waiting(WaitingQuestion)
        /// The script has the list, and may ask again.
        case listed(WaitingQuestion)
    }

    /// The request whose answer the machine waits for; `first` is the answer to the first of two requests.
    enum Waiting {
        case nothing
        case device(DeviceRequest)
        case question(RelayRequest, first: Reply?)
        case logins
    }

    var machine = Machine.none
    var waiting = Waiting.nothing
    /// The lifetime of the session that was looked up, in seconds; nil: the server has not sent it.
    var life: Int?
    /// The application id from clientSettings.
    private var appID: [UInt8] = []

    mutating func resume(_ message: [[UInt8]]) -> Message {
        guard let verb = message.first else { return broken() }
        let values = message.count - 1
        let members = Members(message.dropFirst())
        if verb.spells("read"), let origin = members?["origin"], let text = members?["text"] {
            return end(Reading(text, at: origin).message)
        }
        if verb.spells("check"), let members, let name = members["name"], let pin = members["pin"],
            let demand = PINDemand(members)
        {
            return checked(name: name, pin: pin, demand)
        }
        if verb.spells("approve"), let members { return approve(members) }
        if verb.spells("waiting"), let members { return wait(members) }
        if verb.spells("enrol"), let members { return enrol(members) }
        if verb.spells("prove"), let members { return prove(members) }
        if verb.spells("answer"), let reply = Reply(message) { return answered(reply) }
        if verb.spells("chosen"), values == 1 { return chosen(message[1]) }
        if verb.spells("pin"), values == 1 { return typed(message[1]) }
        guard values == 0 else { return broken() }
        if verb.spells("demand") { return demand() }
        if verb.spells("again") { return again() }
        if verb.spells("declined") { return declined() }
        if verb.spells("stored") { return kept(true) }
        if verb.spells("notStored") { return kept(false) }
        if verb.spells("timedOut") { return lost(.timedOut) }
        if verb.spells("closed") { return lost(.closed) }
        return broken()
    }

    /// Ends the flow after an invalid message, or one that nothing waited for.
    mutating func broken() -> Message { end(Done.message("broken")) }

    /// Ends the flow, wipes its machine, and returns `message`.
    mutating func end(_ message: Message) -> Message {
        machine = .none
        waiting = .nothing
        appID = []
        life = nil
        return message
    }

    /// Takes the machine out of the state; it runs on only if it is put back.
    mutating func taken() -> Machine {
        waiting = .nothing
        return exchange(&machine, with: .none)
    }

    private mutating func answered(_ reply: Reply) -> Message {
        let waited = waiting
        switch waited {
        case .nothing: return broken()
        case .device(let question):
            if let life = reply.number("life", in: 1...3600) { self.life = life }
            return resumed(by: Responses.answer(reply, to: question), reply)
        case .logins: return listed(reply)
        case .question(let question, let first):
            if let app = reply["appID"] { appID = app }
            // Only by its seconds a lock differs from a revocation.
            if case .authenticate = question, reply.status == 403,
                let seconds = reply.number("retryAfter", in: 1...Int(Int32.max))
            {
                return end(Done.message(.locked(seconds: seconds)))
            }
            if first == nil, Responses.takesTwo(question, reply) {
                if let second = Requests.second(question, after: reply, appID: appID) {
                    waiting = .question(question, first: reply)
                    return second
                }
                return resumed(by: RelayResponse(kind: question.kind, status: RelayResponse.notUnderstood))
            }
            return resumed(by: Responses.answer(reply, to: question, first: first))
        }
    }

    private mutating func resumed(by response: DeviceResponse, _ reply: Reply) -> Message {
        switch taken() {
        case .searching(let search): return found(response, asked: reply.flag("asked"), search)
        case .approval(let approval):
            let step = approval.machine.resume(.told(response))
            return follow(step, approval)
        case .none: return broken()
        case .choosing: return broken()
        case .closing: return broken()
        case .registration: return broken()
        case .demanding: return broken()
        case .waiting, .listed: return broken()
        }
    }

    private mutating func resumed(by response: RelayResponse) -> Message {
        switch taken() {
        case .approval(let approval):
            let step = approval.machine.resume(.received(response))
            return follow(step, approval)
        case .registration(let registration):
            let step = registration.machine.resume(.received(response))
            return follow(step, registration)
        case .demanding: return demanded(response)
        case .none: return broken()
        case .searching: return broken()
        case .choosing: return broken()
        case .closing: return broken()
        case .waiting, .listed: return broken()
        }
    }

    private mutating func typed(_ octets: [UInt8]) -> Message {
        guard case .approval(let approval) = taken(), let pin = secret(octets) else { return broken() }
        let step = approval.machine.resume(.typed(pin))
        return follow(step, approval)
    }

    private mutating func declined() -> Message {
        switch taken() {
        case .approval(let approval):
            let step = approval.machine.resume(.declined)
            return follow(step, approval)
        case .choosing, .listed: return end(Done.message("declined"))
        case .none: return broken()
        case .searching: return broken()
        case .closing: return broken()
        case .registration: return broken()
        case .demanding: return broken()
        case .waiting: return broken()
        }
    }

    /// Handles `stored` (true) and `notStored` (false).
    private mutating func kept(_ isKept: Bool) -> Message {
        switch taken() {
        // If the new key was not stored: the old one is valid until the new one has been used.
        case .closing(let message): return end(message)
        case .registration(let registration):
            let fault = StoreError(file: [], fault: .system(errno: 5))
            let step = registration.machine.resume(isKept ? .done : .storeBroken(fault))
            return follow(step, registration)
        case .none: return broken()
        case .searching: return broken()
        case .choosing: return broken()
        case .approval: return broken()
        case .demanding: return broken()
        case .waiting, .listed: return broken()
        }
    }

    private mutating func lost(_ error: TransportError) -> Message {
        switch taken() {
        case .searching, .demanding, .waiting: return end(Done.message("unavailable"))
        case .approval(let approval):
            let step = approval.machine.resume(.transportBroken(error))
            return follow(step, approval)
        case .registration(let registration):
            let step = registration.machine.resume(.transportBroken(error))
            return follow(step, registration)
        case .none: return broken()
        case .choosing: return broken()
        case .closing: return broken()
        case .listed: return broken()
        }
    }

    /// Returns the first HTTP request of a question.
    mutating func ask(_ request: RelayRequest) -> Message {
        guard let message = Requests.message(request) else { return broken() }
        waiting = .question(request, first: nil)
        return message
    }

    mutating func ask(_ request: DeviceRequest) -> Message {
        guard let message = Requests.message(request) else { return broken() }
        waiting = .device(request)
        return message
    }
}
