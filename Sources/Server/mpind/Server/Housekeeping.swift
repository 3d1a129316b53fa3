// SPDX-License-Identifier: Apache-2.0
// What a server does every 30 seconds: it removes expired rows, and reports revocations to the authority.
import ServiceLifecycle

struct Housekeeping: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await work()
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }
}
