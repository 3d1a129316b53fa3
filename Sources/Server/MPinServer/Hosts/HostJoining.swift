// SPDX-License-Identifier: Apache-2.0
// POST host: a login host fetches its key with a join code. Also how the database keeps join codes.
import MPin
import MPinDatabase
import MPinWire
import Secrets

struct HostJoining: Sendable {
    let context: ServiceContext

    /// 403 for everything that is not an open join code: unknown hosts and wrong codes get the same answer.
    /// 409 for the code of another host, which only somebody who has that code can learn.
    func join(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(HostJoinRequest.self, from: request.body), isHostName(asked.host),
            asked.joinId.octets.count == 16
        else { return Response(400, json: message("Not a valid request to join")) }
        let notes = [LogField("host", asked.host)]
        let join = try await context.storage.takeJoin(
            host: asked.host, joinID: asked.joinId.octets, tried: request.codeTry("join", asked.host))
        guard let join else {
            guard try await !context.storage.hasJoin(joinID: asked.joinId.octets) else {
                return Response(
                    409, json: message("The join code is for another host"),
                    notes: notes + [LogField("refused", "code")])
            }
            return Response(
                403, json: message("No such join code"), notes: notes + [LogField("refused", "code")])
        }
        let joinKey = try context.openedJoinKey(join.sealedKey, host: asked.host)
        let sealedKey = try await context.hostKey(asked.host, join.epoch).key.sealed(joinKey: joinKey)
        try await context.storage.append(
            AuditEvent(
                kind: "host.join", subject: asked.host, host: asked.host, source: request.peer.source,
                attempt: request.attempt, fields: [AuditField("epoch", String(join.epoch))]))
        let answer = HostJoinResponse(epoch: join.epoch, sealedKey: sealedKey)
        return Response(200, json: json(answer), notes: notes)
    }
}

extension ServiceContext {
    /// A new join code, and what the database keeps of it: joinId, and K_join sealed with a key that is not
    /// in the database.
    func newJoinCode(host: String) throws -> (shown: String, record: JoinCodeRecord) {
        let code = try OneTimeCode.random()
        let nonce = try effects.random(12)
        let sealed = try AESGCM.seal(
            code.joinKey(host: [UInt8](host.utf8)), key: secrets.joinKeys, nonce: nonce,
            associated: [UInt8](host.utf8))
        let record = JoinCodeRecord(joinID: try code.joinID(), sealedKey: nonce + sealed)
        return (String(decoding: code.shown(), as: UTF8.self), record)
    }

    func openedJoinKey(_ sealed: [UInt8], host: String) throws -> Secret {
        try AESGCM.open(
            [UInt8](sealed.dropFirst(12)), key: secrets.joinKeys, nonce: [UInt8](sealed.prefix(12)),
            associated: [UInt8](host.utf8))
    }
}

/// A host's name: 1 to 64 letters, digits, dots, hyphens and underscores.
func isHostName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
                || $0 == 0x2d || $0 == 0x2e || $0 == 0x5f
        }
}
