// SPDX-License-Identifier: Apache-2.0
// Removes expired rows and reports pending revocations to the authority, every 30 seconds.
import MPinService
import ServiceLifecycle

struct Housekeeping: Service {
    let context: ServiceContext

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await context.purge()
                await context.tellRevocations()
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }
}
