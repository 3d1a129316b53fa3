// SPDX-License-Identifier: Apache-2.0
// Checks whether a server accepts connections, before libcurl is used: the kernel gives a reason for each
// address, but libcurl keeps only one errno of several attempts, and none of a time-out.
import CPlatform
import MPinWire

/// The result of an attempt to connect.
enum Dialled {
    case connected(CInt)
    /// One of the relay's own statuses.
    case failed(UInt16)
}

/// After how many milliseconds the next address is tried while the earlier ones are silent.
private let stagger = 250

/// Connects to the first of these addresses that answers.
/// - Parameter isWhole: whether the limit is all the time that a connection may take, not the rest of it.
func dial(_ addresses: [SocketAddress], _ limit: Limit, isWhole: Bool) -> Dialled {
    var dialling = Dialling()
    for (index, address) in addresses.enumerated() {
        dialling.begin(address)
        let isLast = index == addresses.count - 1
        dialling.wait(isLast ? limit : Limit(milliseconds: min(stagger, limit.milliseconds)))
        if dialling.isDone { break }
    }
    return dialling.end(isWhole: isWhole)
}

private struct Dialling {
    private var pending: [(descriptor: CInt, address: SocketAddress)] = []
    private var connected: CInt?
    private var failures: Set<UInt16> = []

    var isDone: Bool { connected != nil }

    mutating func begin(_ address: SocketAddress) {
        let type = mpin_private_stream
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else {
            failures.insert(status(of: mpin_errno(), at: address))
            return
        }
        let error = address.connect(descriptor)
        guard error == EINPROGRESS else { return settle(descriptor, address: address, error: error) }
        pending.append((descriptor, address))
    }

    private mutating func settle(_ descriptor: CInt, address: SocketAddress, error: CInt) {
        guard error == 0, connected == nil else {
            if error != 0 { failures.insert(status(of: error, at: address)) }
            close(descriptor)
            return
        }
        connected = descriptor
    }

    /// Waits until one is connected, all have failed, or the limit is reached.
    mutating func wait(_ limit: Limit) {
        while connected == nil, !pending.isEmpty, limit.milliseconds > 0 {
            var descriptors = pending.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
            let count = nfds_t(descriptors.count)
            guard unsafe poll(&descriptors, count, CInt(clamping: limit.milliseconds)) > 0 else { continue }
            let attempts = pending
            pending = []
            for (attempt, state) in zip(attempts, descriptors) {
                if state.revents == 0 {
                    pending.append(attempt)
                } else {
                    settle(
                        attempt.descriptor, address: attempt.address,
                        error: mpin_socket_error(attempt.descriptor))
                }
            }
        }
    }

    /// The result. The kernel accepts an answer even while this process does not run, so each pending
    /// connection is checked once more before it counts as silent.
    mutating func end(isWhole: Bool) -> Dialled {
        for (descriptor, address) in pending {
            guard mpin_tcp_is_silent(descriptor) != 0 else {
                settle(descriptor, address: address, error: mpin_socket_error(descriptor))
                continue
            }
            failures.insert(
                address.isNear
                    ? RelayResponse.machineFailed
                    : isWhole ? RelayResponse.unreachable : RelayResponse.timedOut)
            close(descriptor)
        }
        if let connected { return .connected(connected) }
        if failures.contains(RelayResponse.machineFailed) { return .failed(RelayResponse.machineFailed) }
        return .failed(
            failures.contains(RelayResponse.timedOut) ? RelayResponse.timedOut : RelayResponse.unreachable)
    }
}

/// The status for an errno of `socket` or `connect`. A lack of memory, descriptors or ports says nothing
/// about the other end. For an address of this machine, only ECONNREFUSED does.
private func status(of error: CInt, at address: SocketAddress) -> UInt16 {
    let words =
        address.isNear
        ? [ECONNREFUSED]
        : [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, ETIMEDOUT, EAFNOSUPPORT]
    return words.contains(error) ? RelayResponse.unreachable : RelayResponse.machineFailed
}

extension UnixSocket {
    /// Connects, and waits while the queue is full; the other end must belong to mpind.
    func dial(_ limit: Limit) -> Dialled {
        guard isInTrustedFolder else { return .failed(Distrust.socket.status) }
        let type = mpin_private_stream
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return .failed(RelayResponse.machineFailed) }
        var error = connect(descriptor)
        while error == EAGAIN, limit.milliseconds > 0 {
            _ = poll(nil, 0, CInt(clamping: min(20, limit.milliseconds)))
            error = connect(descriptor)
        }
        let refusal = error == 0 ? refusal(of: descriptor) : nil
        guard error != 0 || refusal != nil else { return .connected(descriptor) }
        close(descriptor)
        let isAbandoned = error == ENOENT || error == ECONNREFUSED
        return .failed(refusal ?? (isAbandoned ? RelayResponse.unreachable : RelayResponse.machineFailed))
    }

    private func connect(_ descriptor: CInt) -> CInt {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: address.utf8) }
        return unsafe connected(descriptor, &name)
    }
}
