// SPDX-License-Identifier: Apache-2.0
// Removes what has expired, now and then, for as long as the daemon runs.
import MPinService
import ServiceLifecycle

struct Housekeeping: Service {
    let backend: ServiceContext

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await backend.purge()
                await backend.tellUntold()
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }
}
