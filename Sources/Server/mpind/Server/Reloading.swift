// SPDX-License-Identifier: Apache-2.0
// On SIGHUP, reads the certificate and the phone page again; once a day, warns if the certificate is about to
// expire, and changes the key of session tickets.
import MPinServer
import ServiceLifecycle
import UnixSignals

struct Reloading: Service {
    let tls: ServerTLS?
    /// nil: no phone page.
    let page: ServedPage?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await reload() }
                group.addTask { await checkDaily() }
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

    /// Keeps the earlier page if the new one cannot be read as a whole.
    private func reload(_ page: ServedPage) {
        do throws(SetupError) { try page.reload() } catch {
            logWarning("The earlier phone page stays in use. \(error)")
        }
    }

    private func checkDaily() async {
        while let tls, (try? await Task.sleep(for: .seconds(86_400))) != nil {
            tls.warn()
            tls.changeTicketKey()
        }
    }
}
