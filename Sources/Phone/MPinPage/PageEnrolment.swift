// SPDX-License-Identifier: Apache-2.0
// The flow of an enrolment: a new one from a name, a code and a PIN, or an interrupted one that is continued;
// and the proof of an enrolled PIN.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages
import Secrets

extension Page {
    mutating func enrol(_ members: Members) -> Message {
        guard let backend = Backend(pageOf: members) else { return end(Done.failed("origin")) }
        let record = members["pending"] ?? []
        let pending = PendingRegistration(record: record, at: backend.origin)
        guard pending != nil || record.isEmpty else { return end(Done.failed("record")) }
        guard let request = request(members, at: backend, pending), let pin = members["pin"].flatMap(secret)
        else { return end(Done.failed("enrol")) }
        do throws(RegistrationError) {
            return begin(try Registration(request, pin: pin, hostKey: nil, nonce: noNonce))
        } catch { return end(refusal(error)) }
    }

    /// Proves the PIN of a record to the server by a login for no session. Nothing is stored.
    mutating func prove(_ members: Members) -> Message {
        guard let backend = Backend(pageOf: members) else { return end(Done.failed("origin")) }
        guard let record = members["record"], let credential = Record.read(record, at: backend.origin) else {
            return end(Done.failed("record"))
        }
        guard let pin = members["pin"].flatMap(secret) else { return end(Done.failed("enrol")) }
        let label = credential.identity.label
        let request = RegistrationRequest(
            context: LoginContext(ownDeviceOf: label), userID: label, activationCode: [], deviceName: [],
            backend: backend.origin, enrolled: credential.identity.enrolled, remote: false,
            rule: credential.pin.rule, known: [], pending: nil, personal: credential.pin.personal)
        do throws(RegistrationError) {
            return begin(try Registration(request, finishing: credential, pin: pin, nonce: noNonce))
        } catch { return end(refusal(error)) }
    }

    private mutating func begin(_ registration: consuming Registration) -> Message {
        let run = Run(registration)
        let step = run.machine.resume(.begin)
        return follow(step, run)
    }

    private func refusal(_ error: RegistrationError) -> Message {
        switch error {
        case .pin(let fault):
            var done = Done.message("pinRefused", because: fault.word)
            done.addLength(fault)
            return done
        case .failed(let reason): return Done.failed(reason.word)
        }
    }

    /// nil for members that are missing or out of bounds. An interrupted registration is continued if it has
    /// this name, or if no name was given.
    private func request(
        _ members: Members, at backend: Backend, _ pending: PendingRegistration?
    ) -> RegistrationRequest? {
        guard let given = members["name"], let typed = members["code"], let device = members["device"],
            let time = members["time"], let salt = members["salt"], let demand = PINDemand(members)
        else { return nil }
        let name = given.isEmpty ? pending?.userID ?? [] : given
        let pending = pending?.userID == name ? pending : nil
        let code = typed.isEmpty ? pending?.activationCode ?? [] : typed
        guard isName(name), isCode(code), device.count <= Bound.name, isPlainText(device), isTime(time),
            salt.count == 16
        else { return nil }
        return RegistrationRequest(
            context: LoginContext(ownDeviceOf: name), userID: name, activationCode: code, deviceName: device,
            backend: backend.origin, enrolled: time, remote: false,
            rule: .scrypt(.standard, salt: salt), known: [],
            pending: pending, personal: PersonalBackend(alsoOrigins: [], caFile: nil), demand: demand)
    }

    mutating func follow(_ step: RegistrationStep, _ registration: Run<Registration>) -> Message {
        switch step {
        case .exchange(let question):
            machine = .registration(registration)
            return ask(question)
        case .save(let pending):
            machine = .registration(registration)
            var message = Message("save")
            message.add(pending.record)
            return message
        case .store(let identity):
            let message = registration.machine.withToken { token, key in
                stored(identity, Record.write(identity, token: token, key: key))
            }
            machine = .registration(registration)
            guard let message, let message else { return broken() }
            return message
        // A phone keeps an older PIN of the same name: the server decides which PINs are valid.
        case .settle:
            let step = registration.machine.resume(.done)
            return follow(step, registration)
        case .withdraw(let identity):
            machine = .registration(registration)
            var message = Message("remove")
            message.add(hex(identity.id))
            return message
        case .finished(let outcome): return end(Done.message(outcome))
        }
    }
}

/// A phone seals no question, so it draws no nonce.
private func noNonce() throws(Reason) -> QuestionNonce { throw .noRandomness }
