// SPDX-License-Identifier: Apache-2.0
// SIGHUP: what can change while the server runs is read again. Once a day it is looked at too.
import MPinService
import ServiceLifecycle
import UnixSignals

struct Reloading: Service {
    let tls: ServerTLS?
    /// nil: no phone page.
    let page: PageShelf?

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
            if let tls { tls.reload() }
            if let page { reload(page) }
            log("reload", page.map { [LogField("page-files", $0.count)] } ?? [])
        }
    }

    /// Half a page is never served.
    private func reload(_ page: PageShelf) {
        do throws(SetupError) { try page.reload() } catch {
            logWarning("The earlier phone page stays in use. \(error)")
        }
    }

    private func warn() async {
        while (try? await Task.sleep(for: .seconds(86_400))) != nil { tls?.warn() }
    }
}
