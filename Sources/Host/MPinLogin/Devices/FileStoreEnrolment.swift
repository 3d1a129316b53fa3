// SPDX-License-Identifier: Apache-2.0
// The loop that drives an enrolment over a store and a transport.
import MPin
package import MPinProof
package import MPinHostStore
package import MPinWire

/// Runs an enrolment to its end.
/// - Parameters:
///   - host: the name for the account's file: that of the host key or, without a key, of the machine.
///   - progress: called before each step is performed.
///   - connect: starts the transport; called before the first request.
package func drive<T: Transport & ~Copyable>(
    _ registration: inout Registration, of account: Account, host: [UInt8], in store: borrowing FileStore,
    progress: (RegistrationStep) -> Void, connect: () throws(TransportError) -> T
) -> RegistrationOutcome {
    var transport: T?
    var step = registration.resume(.begin)
    while true {
        progress(step)
        if case .finished(let outcome) = step { return outcome }
        let event: RegistrationEvent
        if case .exchange(let question) = step {
            event = answered(question, over: &transport, connect: connect)
        } else {
            event = store.perform(step, registration: registration, account: account, host: host)
        }
        step = registration.resume(event)
    }
}

private func answered<T: Transport & ~Copyable>(
    _ request: RelayRequest, over transport: inout T?, connect: () throws(TransportError) -> T
) -> RegistrationEvent {
    do throws(TransportError) {
        return .received(try exchanged(request, over: &transport, connect: connect))
    } catch { return .transportBroken(error) }
}

extension FileStore {
    fileprivate borrowing func perform(
        _ step: RegistrationStep, registration: borrowing Registration, account: Account,
        host: [UInt8]
    ) -> RegistrationEvent {
        do throws(StoreError) {
            switch step {
            case .save(let pending): try save(pending, of: account, host: host)
            case .store(let identity):
                try keep(identity, registration: registration, account: account, host: host)
            case .settle(let identity): try settle(identity, account: account, host: host)
            case .withdraw(let identity): try remove([identity.id], of: account, host: host)
            case .exchange, .finished: break
            }
            return .done
        } catch { return .storeBroken(error) }
    }

    private borrowing func keep(
        _ identity: Identity, registration: borrowing Registration, account: Account, host: [UInt8]
    ) throws(StoreError) {
        let failure = registration.withToken { token, deviceKey -> StoreError? in
            do throws(StoreError) {
                try add(identity, token: token, deviceKey: deviceKey, of: account, host: host)
                return nil
            } catch { return error }
        }
        if let failure = failure ?? StoreError(file: path, fault: .badSecret) { throw failure }
        try removePending(account)
    }

    /// Removes the PINs that a new one replaces: on a host all others, on a user's own device the one with
    /// the same label at the same backend.
    private borrowing func settle(
        _ identity: Identity, account: Account, host: [UInt8]
    ) throws(StoreError) {
        guard let file = try user(account, host: host) else { return }
        try remove(
            file.identities.filter { identity.replaces($0) }.map { $0.id }, of: account, host: host)
    }
}

extension Identity {
    fileprivate func replaces(_ other: Identity) -> Bool {
        guard let pin, let old = other.pin, other.id != id else { return false }
        return pin.personal == nil || (label == other.label && pin.backend == old.backend)
    }
}
