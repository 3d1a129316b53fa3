// SPDX-License-Identifier: Apache-2.0
// The loop that drives a login: for PAM, for `mpin test`, and for the tests.
package import MPinProof
package import MPinHostStore
package import MPinWire
import Secrets

/// Runs a login to its end.
/// - Parameters:
///   - deadline: the deadline of the whole login.
///   - connect: starts the transport; called before the first request to the backend, or while the first PIN
///     is stretched, not earlier. If only a PIN is asked for, nothing is sent before the user has answered
///     the prompt.
package func drive<C: Conversation & ~Copyable, T: Transport & ~Copyable>(
    _ login: Login, _ conversation: inout C, deadline: Deadline,
    connect: () throws(TransportError) -> T
) -> Outcome {
    var transport: T?
    var step = login.resume(.begin)
    while true {
        switch step {
        case .finished(let outcome): return outcome
        case .ask(let prompt):
            let event = answer(to: prompt, in: &conversation)
            step = login.resume(deadline.isOver ? .timedOut : event)
        case .tell(let notice):
            step = login.resume(show(notice, in: &conversation))
        case .prepare(let octets):
            step = login.resume(
                deadline.isOver ? .timedOut : prepared(octets, over: &transport, connect: connect))
        case .exchange(let question):
            step = login.resume(
                answered(question, before: deadline, over: &transport, connect: connect))
        case .strike(let strike):
            step = login.resume(deadline.isOver ? .timedOut : carryOut(strike))
        case .forget(let place):
            place.forgetStanding()
            step = login.resume(.forgotten)
        }
    }
}

private func answer<C: Conversation & ~Copyable>(
    to prompt: Prompt, in conversation: inout C
) -> LoginEvent {
    do throws(ConversationError) {
        return .answered(try conversation.ask(prompt))
    } catch { return .conversationBroken(error) }
}

private func show<C: Conversation & ~Copyable>(
    _ notice: Notice, in conversation: inout C
) -> LoginEvent {
    do throws(ConversationError) {
        try conversation.tell(notice)
        return .told
    } catch { return .conversationBroken(error) }
}

private func carryOut(_ strike: Strike) -> LoginEvent {
    do throws(StoreError) { return .struck(left: try strike.carryOut()) } catch {
        return .strikeFailed(error)
    }
}

/// A wait that ends with the deadline does not show that the server is away: the user chose when to answer.
private func answered<T: Transport & ~Copyable>(
    _ request: RelayRequest, before deadline: Deadline, over transport: inout T?,
    connect: () throws(TransportError) -> T
) -> LoginEvent {
    guard !deadline.isOver else { return .timedOut }
    do throws(TransportError) {
        return .received(try exchanged(request, over: &transport, connect: connect))
    } catch { return error == .timedOut && deadline.isOver ? .timedOut : .transportBroken(error) }
}

/// Starts the transport, and lets it connect if there are `octets` of a pass 1 to come.
private func prepared<T: Transport & ~Copyable>(
    _ octets: UInt16?, over transport: inout T?, connect: () throws(TransportError) -> T
) -> LoginEvent {
    do throws(TransportError) {
        var line = try opened(&transport, connect)
        if let octets { line.connect(octets: octets) }
        transport = consume line
        return .prepared
    } catch { return .transportBroken(error) }
}

/// Sends a request over the open transport, or over a new one. A transport that failed is closed here and not
/// used again.
func exchanged<T: Transport & ~Copyable>(
    _ request: RelayRequest, over transport: inout T?, connect: () throws(TransportError) -> T
) throws(TransportError) -> RelayResponse {
    var line = try opened(&transport, connect)
    let answer = try line.exchange(request)
    transport = consume line
    return answer
}

/// The transport that is open, taken out of `transport`, or a new one.
@inline(never)
private func opened<T: Transport & ~Copyable>(
    _ transport: inout T?, _ connect: () throws(TransportError) -> T
) throws(TransportError) -> T {
    if let open = transport.take() { return open }
    return try connect()
}
