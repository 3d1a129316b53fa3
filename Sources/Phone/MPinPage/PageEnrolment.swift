// SPDX-License-Identifier: Apache-2.0
// The flow of an enrolment: a new one from a name, a code and a PIN, or an interrupted one that is continued.
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
        let registration: Registration
        do throws(RegistrationError) {
            registration = try Registration(request, pin: pin, hostKey: nil) { () throws(Reason) in
                throw .noRandomness
            }
        } catch {
            switch error {
            case .pin(let fault):
                var done = Done.message("pinRefused", because: fault.word)
                done.addLength(fault)
                return end(done)
            case .failed(let reason): return end(Done.failed(reason.word))
            }
        }
        let run = Run(registration)
        let step = run.machine.resume(.begin)
        return follow(step, run)
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
