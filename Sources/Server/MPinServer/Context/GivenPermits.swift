// SPDX-License-Identifier: Apache-2.0
// To whom this server has given today's permit in the first hour of the day, in which yesterday's is still
// accepted.
import Octets
import Synchronization

/// A client that fetches today's permit proves with it. So if the permit was given to this identity at this
/// source, only today's needs to be tried. What is not noted here, because another server on the same
/// database gave the permit or this one was started since, costs the client nothing: then both days are
/// tried.
///
/// Which days are tried never depends on the proof, so the time shows nothing about the PIN.
final class GivenPermits: Sendable {
    private struct Taker: Hashable {
        let id: IdentityHash
        let source: String
    }

    /// The most takers that are noted of a day: about 8 MiB. For further ones both days are tried.
    private static let most = 65_536
    private let takers = Mutex<(day: UInt32, noted: Set<Taker>)>((0, []))

    /// Notes that a client was given the permit of the day that `now` is in.
    func note(_ id: IdentityHash, from source: String, at now: UnixTime) {
        guard permitDays(now).count > 1 else { return }
        takers.withLock { takers in
            if takers.day != now.day { takers = (now.day, []) }
            guard takers.noted.count < GivenPermits.most else { return }
            takers.noted.insert(Taker(id: id, source: source))
        }
    }

    /// The days whose permit this client may have.
    func days(of id: IdentityHash, from source: String, at now: UnixTime) -> [UInt32] {
        let days = permitDays(now)
        guard days.count > 1 else { return days }
        let isNoted = takers.withLock { takers in
            takers.day == now.day && takers.noted.contains(Taker(id: id, source: source))
        }
        return isNoted ? [now.day] : days
    }
}
