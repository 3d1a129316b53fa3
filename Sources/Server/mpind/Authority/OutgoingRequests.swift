// SPDX-License-Identifier: Apache-2.0
// mpind's requests to an external RPA. libcurl waits on threads of its own, never on one that serves
// requests.
import MPinCurl
import MPinServer
import NIOPosix
import Synchronization

/// Two queues, one for registrations and one for permits: many slow requests of one kind do not delay the
/// other.
struct OutgoingRequests: Sendable {
    private let registrations = Queue()
    private let permits = Queue()

    func send(_ request: OutgoingRequest) async -> OutgoingResponse? {
        switch request.matter {
        case .registration: await registrations.send(request)
        case .permit: await permits.send(request)
        }
    }
}

/// Sends requests on a few threads and refuses when too many wait, so that an RPA that takes five seconds for
/// each answer cannot fill the memory.
private final class Queue: Sendable {
    private static let threads = 8
    private static let mostWaiting = 64
    private let pool = NIOThreadPool(numberOfThreads: Queue.threads)
    private let waiting = Mutex(0)

    init() { pool.start() }

    func send(_ request: OutgoingRequest) async -> OutgoingResponse? {
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
