// SPDX-License-Identifier: Apache-2.0
// `mpind app` at the administrator's socket: names, redirect URIs, the list, and the audit records.
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct AdminApplicationTests {
    private func add(_ server: Server, _ name: String, _ uris: [String]) async throws -> Response {
        try await server.administer(
            "POST", AdminRoute.applications, AddApplicationRequest(app: name, redirectUris: uris))
    }

    @Test func `an application is added once, listed, removed, and what was done is recorded`() async throws {
        let server = try Server()
        let uris = ["https://a.example.org/cb", "app.example:/cb", "http://127.0.0.1:8080/cb"]
        let added = try read(ApplicationResponse.self, await add(server, "Payroll", uris))
        #expect(added.clientId.utf8.count == 32)
        #expect(try await add(server, "Payroll", uris).status == 409)
        let other = try read(ApplicationResponse.self, await add(server, "A wiki", [uris[0]]))
        #expect(other.clientId != added.clientId)
        let list = try read(
            ApplicationList.self, await server.administer("GET", AdminRoute.applications, HostRequest?.none))
        #expect(list.apps == [other, added])
        #expect(list.apps[1].redirectUris == uris)
        let request = ApplicationRequest(app: "Payroll")
        for status in [200, 404] {
            let answer = try await server.administer("POST", AdminRoute.removeApplication, request)
            #expect(answer.status == status)
        }
        let records = try await server.storage.auditRecords(AuditQuery(), limit: 9).map(\.event)
        #expect(records.map(\.kind) == ["app.remove", "app.add", "app.add"])
        #expect(records.allSatisfy { $0.fields.contains(AuditField("uid", "0")) })
        #expect(records.last?.fields.filter { $0.name == "redirect" }.map(\.value) == uris)
    }

    @Test(arguments: [
        "https://a.example.org", "https://a.example.org/cb?x=1&y=2", "http://127.0.0.1/",
        "http://[::1]:80/cb",
        "http://localhost:3000/cb", "org.example.app:/cb", "x://cb",
    ]) func `a redirect URI is absolute and safe`(_ uri: String) async throws {
        #expect(try await add(Server(), "a", [uri]).status == 200)
    }

    @Test(arguments: [
        [], [""], ["cb"], ["/cb"], ["https:"], ["https://"], ["https:/a"], ["https://a/#x"], ["https://a/ b"],
        ["https://a/\u{e9}"], ["http://a.example.org/"], ["http://127.0.0.1.evil.example/"],
        ["http://localhost@evil.example/"], ["javascript:alert(1)"], ["javascript:/x"], ["data:/text"],
        ["1a:/x"], [":/x"], ["https://a/" + String(repeating: "x", count: 512)],
        [String](repeating: "https://a/", count: 17), ["https://a/", "nonsense"],
    ]) func `any other redirect URI is refused`(_ uris: [String]) async throws {
        #expect(try await add(Server(), "a", uris).status == 400)
    }

    @Test(arguments: ["", String(repeating: "x", count: 65), "a\u{0}b", "a\nb", "caf\u{e9}"])
    func `an application's name is printable ASCII of 1 to 64 octets`(_ name: String) async throws {
        #expect(try await add(Server(), name, ["https://a/"]).status == 400)
        let removed = try await Server().administer(
            "POST", AdminRoute.removeApplication, ApplicationRequest(app: name))
        #expect(removed.status == 400)
    }
}
