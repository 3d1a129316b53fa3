// SPDX-License-Identifier: Apache-2.0
// The handlers behind `mpind host`: add, rotate, remove, list.
import MPinDatabase
import MPinWire

struct AdminHosts: Sendable {
    let context: ServiceContext

    /// Adds a host and returns its join code; 409 if the host exists already.
    func add(_ request: Request) async throws -> Response {
        let host = try name(request)
        let code = try context.newJoinCode(host: host)
        let event = context.event("host.add", subject: host, request: request)
        guard
            let epoch = try await context.storage.addHost(
                host, join: code.record, key: context.newHostKey(host), recording: event)
        else {
            return Response(409, json: message("There is a host of that name: \(host)"))
        }
        return answer(host: host, epoch: epoch, code: code.shown)
    }

    /// Makes a new host key. The previous one stays valid for 7 more days, unless it has leaked.
    func rotate(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let (host, hasLeaked) = (asked.host, asked.hasLeaked ?? false)
        let code = try context.newJoinCode(host: host)
        let why = hasLeaked ? [AuditField("leaked", "yes")] : []
        let event = context.event("host.rotate", subject: host, request: request, fields: why)
        guard
            let epoch = try await context.storage.rotateHost(
                host, join: code.record, hasLeaked: hasLeaked, key: context.newHostKey(host), recording: event
            )
        else {
            return unknown(host)
        }
        if hasLeaked { context.hostKeys.drop(host) }
        return answer(host: host, epoch: epoch, code: code.shown)
    }

    /// Ends every key of the host at once.
    func remove(_ request: Request) async throws -> Response {
        let host = try name(request)
        let event = context.event("host.remove", subject: host, request: request)
        guard try await context.storage.removeHost(host, recording: event) else { return unknown(host) }
        context.hostKeys.drop(host)
        return Response(200, json: json(HostRequest(host: host)))
    }

    func list() async throws -> Response {
        var hosts: [HostList.Host] = []
        var last: String?
        repeat {
            let page = try await context.storage.hosts(after: last, limit: 500)
            hosts += page.map { HostList.Host(host: $0.name, epoch: $0.epochs.first ?? 0) }
            last = page.last?.name
        } while last != nil
        return Response(200, json: json(HostList(hosts: hosts)))
    }

    private func name(_ request: Request) throws -> String { try asked(request).host }

    private func asked(_ request: Request) throws -> HostRequest {
        guard let asked = try? decoded(HostRequest.self, from: request.body), isHostName(asked.host) else {
            let rule = "A host's name has 1 to 64 letters, digits, dots, hyphens and underscores"
            throw Refusal(response: Response(400, json: message(rule)))
        }
        return asked
    }

    private func answer(host: String, epoch: UInt32, code: String) -> Response {
        let end = context.effects.now() + context.settings.lives.code / Limits.second
        let answer = HostCodeResponse(host: host, epoch: epoch, joinCode: code, expires: Int(end.seconds))
        return Response(200, json: json(answer))
    }

    private func unknown(_ host: String) -> Response {
        Response(404, json: message("There is no host of that name: \(host)"))
    }
}
