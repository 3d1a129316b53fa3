// SPDX-License-Identifier: Apache-2.0
// What the clients of proxies have of the server: behind a proxy all connections are the proxy's, so each
// request is charged to the client that the proxy names.
import MPinService
import NIOCore
import Synchronization

/// Requests whose head has come and that are not answered yet.
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

    /// With the shares that connections have which come without a proxy.
    init(_ limits: ConnectionLimits, _ journal: Journal) {
        state = Mutex(State(admission: Admission(limits)))
        self.journal = journal
    }

    /// A place for one request; nil if its client has its share. A request that gives way loses the proxy's
    /// connection: the proxy waits for a body there that may never come.
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

    /// The body has come: until it is answered, this request gives way to no other.
    func begin(_ id: Int) { state.withLock { $0.admission.beginRequest(id) } }

    /// The request is answered.
    func leave(_ id: Int) {
        state.withLock { state in
            state.admission.leave(id)
            state.holders[id] = nil
        }
    }
}
