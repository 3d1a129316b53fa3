// SPDX-License-Identifier: Apache-2.0
// SIGHUP: what can change while the server runs is read again. Once a day it is looked at too.
import MPinService
import ServiceLifecycle
import UnixSignals

struct Reloading: Service {
    let tls: ServerTLS?
    let page: PageShelf

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
            reloadPage()
            log("reload", [LogField("page-files", String(page.count))])
        }
    }

    /// Half a page is never served.
    private func reloadPage() {
        do throws(SetupError) { try page.reload() } catch {
            say("warning: The phone page stays the one before. \(error)")
        }
    }

    private func warn() async {
        while (try? await Task.sleep(for: .seconds(86_400))) != nil { tls?.warn() }
    }
}
