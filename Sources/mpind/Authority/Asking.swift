// SPDX-License-Identifier: Apache-2.0
// How the daemon asks an RPA: libcurl waits on threads of its own, never on one that serves requests.
import MPinCurl
import MPinService
import NIOPosix
import Synchronization

/// Asks about registrations and about permits apart: whoever begins many of the one, at an RPA that thinks
/// long about each, keeps nobody from the other.
struct Asking: Sendable {
    private let registrations = Queue()
    private let permits = Queue()

    func ask(_ request: OutgoingRequest) async -> OutgoingResponse? {
        switch request.matter {
        case .registration: await registrations.ask(request)
        case .permit: await permits.ask(request)
        }
    }
}

/// Asks on a few threads, and refuses rather than to let a crowd wait: an RPA that says nothing for five
/// seconds must not fill the memory.
private final class Queue: Sendable {
    private static let threads = 8
    private static let mostWaiting = 64
    private let pool = NIOThreadPool(numberOfThreads: Queue.threads)
    private let waiting = Mutex(0)

    init() { pool.start() }

    func ask(_ request: OutgoingRequest) async -> OutgoingResponse? {
        let isAdmitted = waiting.withLock { count in
            guard count < Queue.mostWaiting else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { return nil }
        defer { waiting.withLock { $0 -= 1 } }
        let answer = try? await pool.runIfActive {
            callRemote(request.method, request.url, headers: request.headers, body: request.body)
        }
        return answer.flatMap { $0 }.map { OutgoingResponse(status: $0.status, body: $0.body) }
    }
}
