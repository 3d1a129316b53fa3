// SPDX-License-Identifier: Apache-2.0
// SIGHUP: what can change while the server runs is read again. Once a day it is looked at too.
import ServiceLifecycle
import UnixSignals

struct Reloading: Service {
    let tls: ServerTLS?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await reload() }
                group.addTask { await warn() }
            }
        }
    }

    private func reload() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            guard let tls else {
                log("reload", [])
                continue
            }
            tls.reload()
        }
    }

    private func warn() async {
        while (try? await Task.sleep(for: .seconds(86_400))) != nil { tls?.warn() }
    }
}
