// SPDX-License-Identifier: Apache-2.0
// The flow of an enrolment: a new one from a name, a code and a PIN, or an interrupted one that is continued.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages
import Secrets

extension Page {
    /// `enrol ORIGIN NAME CODE DEVICE TIME SALT PIN PENDING LENGTH KINDS`.
    mutating func enrol(_ message: [[UInt8]]) -> Message {
        guard let backend = Backend(message[1]), backend.origin == message[1], backend.channel != .unix
        else { return end(Done.failed("origin")) }
        let pending = PendingRegistration(record: message[8], at: backend.origin)
        guard pending != nil || message[8].isEmpty else { return end(Done.failed("record")) }
        guard let request = request(message, at: backend, pending), let pin = secret(message[7]) else {
            return end(Done.failed("enrol"))
        }
        let registration: Registration
        do throws(RegistrationError) {
            registration = try Registration(request, pin: pin, hostKey: nil) { () throws(NoRandomness) in
                throw NoRandomness()
            }
        } catch {
            switch error {
            case .pin(let fault):
                var done = Done.message("pinRefused")
                done.add(fault)
                return end(done)
            case .failed(let reason): return end(Done.failed(reason.word))
            }
        }
        let run = Run(registration)
        let step = run.machine.resume(.begin)
        return follow(step, run)
    }

    /// nil for fields that are out of bounds. An interrupted registration is continued if it has this name,
    /// or if no name was given.
    private func request(
        _ message: [[UInt8]], at backend: Backend, _ pending: PendingRegistration?
    ) -> RegistrationRequest? {
        let (given, device, time) = (message[2], message[4], message[5])
        let name = given.isEmpty ? pending?.userID ?? [] : given
        let pending = pending?.userID == name ? pending : nil
        let code = message[3].isEmpty ? pending?.activationCode ?? [] : message[3]
        guard isName(name), isCode(code), device.count <= Bound.name, isPlainText(device), isTime(time),
            message[6].count == 16, let demand = PINDemand(message[9], message[10])
        else { return nil }
        return RegistrationRequest(
            context: LoginContext(ownDeviceOf: name), userID: name, activationCode: code, deviceName: device,
            backend: backend.origin, enrolled: time, remote: false,
            rule: .scrypt(.standard, salt: message[6]), known: [],
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
