// SPDX-License-Identifier: Apache-2.0
// The shares of clients behind proxies. All connections of a proxy are the proxy's own, so each request is
// charged to the client that the proxy names.
import MPinServer
import NIOCore
import Synchronization

/// The requests whose head has arrived and that are not answered yet.
final class Places: Sendable {
    private struct Holder {
        let asker: Asker
        /// The proxy's connection.
        let channel: any Channel
    }

    private struct State {
        var admission: Admission
        var holders: [Int: Holder] = [:]
        var last = 0
    }

    private let state: Mutex<State>
    private let journal: Journal

    /// Uses the same limits as for direct connections.
    init(_ limits: ConnectionLimits, _ journal: Journal) {
        state = Mutex(State(admission: Admission(limits)))
        self.journal = journal
    }

    /// Takes a place for one request; nil if its client has used up its share. If this displaces a request,
    /// the proxy's connection of that request is closed, because the proxy may wait there for a body that
    /// never comes.
    func take(_ asker: Asker, _ channel: any Channel) -> Int? {
        let (id, displaced) = state.withLock { state -> (Int?, Holder?) in
            state.last += 1
            let id = state.last
            let decision = state.admission.admit(
                id, asker.source, isPrivileged: asker.isPrivileged, now: .now)
            var displaced: Holder?
            switch decision {
            case .refused: return (nil, nil)
            case .admitted: break
            case .admittedInsteadOf(let eldest): displaced = state.holders.removeValue(forKey: eldest)
            }
            state.holders[id] = Holder(asker: asker, channel: channel)
            return (id, displaced)
        }
        if let displaced {
            displaced.channel.breakOff()
            journal.refused(
                .gaveWay, source: displaced.asker.source, isPrivileged: displaced.asker.isPrivileged)
        }
        return id
    }

    /// Notes that the body has arrived: until it is answered, this request is not displaced.
    func begin(_ id: Int) { state.withLock { $0.admission.beginRequest(id) } }

    /// Notes that the request is answered.
    func leave(_ id: Int) {
        state.withLock { state in
            state.admission.leave(id)
            state.holders[id] = nil
        }
    }
}
