// SPDX-License-Identifier: Apache-2.0
// The connections of one or more listeners: admission, displacement and shutdown.
import MPinServer
import NIOCore
import NIOExtras
import Synchronization

/// An admitted connection.
struct Guest: Sendable {
    let id: Int
    let visitor: Visitor
    let isPrivileged: Bool
}

final class Door: Sendable {
    private struct Entry {
        let guest: Guest
        /// nil until the connection is set up.
        var channel: (any Channel)?
        /// True if it was closed to make room for another one.
        var isDisplaced = false
    }

    private struct State {
        var admission: Admission
        var entries: [Int: Entry] = [:]
        var last = 0
        var isClosing = false
    }

    /// Descriptors for connections that are being closed.
    static let slack = 32

    private let state: Mutex<State>
    private let most: Int
    private let privileged: Set<UInt32>
    private let journal: Journal

    init(_ limits: ConnectionLimits, privileged: Set<UInt32>, _ journal: Journal) {
        state = Mutex(State(admission: Admission(limits)))
        most = limits.total + Door.slack
        self.privileged = privileged
        self.journal = journal
    }

    /// Whether one more descriptor may be opened.
    var hasRoom: Bool { state.withLock { $0.entries.count < most } }

    /// Admits a visitor; otherwise closes its connection and returns nil.
    func admit(_ visitor: Visitor) -> Guest? {
        let isPrivileged = isPrivileged(visitor.source)
        let (guest, displaced) = state.withLock { state -> (Guest?, Entry?) in
            let guest = Guest(id: state.last + 1, visitor: visitor, isPrivileged: isPrivileged)
            var displaced: Entry?
            let decision = state.admission.admit(
                guest.id, visitor.source, isPrivileged: isPrivileged, now: .now)
            switch decision {
            case .refused: return (nil, nil)
            case .admitted: break
            case .admittedInsteadOf(let eldest):
                state.entries[eldest]?.isDisplaced = true
                displaced = state.entries[eldest]
            }
            state.last = guest.id
            state.entries[guest.id] = Entry(guest: guest)
            return (guest, displaced)
        }
        if let displaced {
            displaced.channel?.breakOff()
            journal.refused(
                .gaveWay, source: displaced.guest.visitor.source, isPrivileged: displaced.guest.isPrivileged)
        }
        if guest == nil {
            visitor.refuse()
            journal.refused(.share, source: visitor.source, isPrivileged: isPrivileged)
        }
        return guest
    }

    /// Notes that the connection is set up.
    func attach(_ channel: any Channel, to guest: Guest) {
        let (isDisplaced, isClosing) = state.withLock { state in
            state.entries[guest.id]?.channel = channel
            return (state.entries[guest.id]?.isDisplaced ?? true, state.isClosing)
        }
        if isDisplaced { channel.breakOff() } else if isClosing { quiesce(channel) }
    }

    /// Notes that the server works for this connection: it is not displaced until `endRequest`.
    func beginRequest(_ guest: Guest) { state.withLock { $0.admission.beginRequest(guest.id) } }

    func endRequest(_ guest: Guest) { state.withLock { $0.admission.endRequest(guest.id, now: .now) } }

    func refuseRequest(_ guest: Guest) {
        state.withLock { $0.admission.refuseRequest(guest.id, now: .now) }
    }

    /// Notes that the connection is closed.
    func leave(_ guest: Guest) {
        state.withLock { state in
            state.admission.leave(guest.id)
            state.entries[guest.id] = nil
        }
    }

    /// Closes idle connections now, and the others when their requests are answered.
    func close() {
        let channels = state.withLock { state in
            state.isClosing = true
            return state.entries.values.compactMap(\.channel)
        }
        for channel in channels { quiesce(channel) }
    }

    private func quiesce(_ channel: any Channel) {
        channel.eventLoop.execute {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    private func isPrivileged(_ source: Source) -> Bool {
        switch source {
        case .user(let user): privileged.contains(user)
        case .ipv4, .ipv6: false
        }
    }
}
