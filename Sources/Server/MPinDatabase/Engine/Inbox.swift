// SPDX-License-Identifier: Apache-2.0
// What waits for a thread, and the thread that works on it.
import Dispatch
import Glibc
import Synchronization

/// A first-in, first-out queue that threads wait on.
final class Inbox<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])
    private let ready = DispatchSemaphore(value: 0)

    func add(_ item: Item) {
        items.withLock { $0.append(item) }
        ready.signal()
    }

    /// Waits for an item, and takes up to `limit` of those that wait. The result may be empty, because each
    /// item has a signal of its own, and an earlier call may have taken several.
    func take(atMost limit: Int) -> [Item] {
        ready.wait()
        return items.withLock { waiting in
            let taken = Array(waiting.prefix(limit))
            waiting.removeFirst(taken.count)
            return taken
        }
    }
}

/// Runs `body` on a new thread, which ends when `body` returns.
func startThread(_ body: sending @escaping () -> Void) throws(StorageError) {
    let start = ThreadStart(body)
    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, nil,
        { argument in
            guard let argument = unsafe argument else { return nil }
            unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(start).toOpaque())
    guard code == 0 else {
        unsafe Unmanaged.passUnretained(start).release()
        throw .unavailable(.code(code))
    }
    pthread_detach(thread)
}

private final class ThreadStart {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}
