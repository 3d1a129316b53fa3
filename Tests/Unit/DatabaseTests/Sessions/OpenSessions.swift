// SPDX-License-Identifier: Apache-2.0
// One open session of each kind, for tests of what ends them.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

func requester(_ source: String, network: String = "n") -> Requester {
    Requester(source: source, network: network)
}

extension ServerDatabase {
    /// A console's session "w", a browser's session "b", and the application "c".
    func openSessions() async throws {
        let console = try await openSession(
            SessionOpening(
                wid: "w", number: "3232212", host: "prod-db1", hostEpoch: 1, requester: requester("s"),
                a: octets("A"), question: [1], life: Limits.sessionLife))
        let browser = try await openBrowser(
            BrowserOpening(
                wid: "b", number: nil, account: "a page", requester: requester("s"),
                webOTTHash: octets("web"), authOTTHash: octets("auth"), life: Limits.minute))
        #expect([console, browser].allSatisfy { $0 != .full && $0 != .numberTaken })
        #expect(
            try await addApplication(
                ApplicationRecord(clientID: "c", name: "Payroll", redirectURIs: ["x:/"])))
    }

    func approveConsole(as label: String) async throws -> Bool {
        try await approve(
            Approval(wid: "w", id: octets(label), source: "192.0.2.1", tokenHash: octets("t")))
    }

    func approveBrowser(as label: String) async throws -> Bool {
        try await approveBrowser(
            Approval(wid: "b", id: octets(label), source: "192.0.2.1", tokenHash: octets("u")))
    }

    /// An authorization code "code" for the application.
    func keepCode(as label: String) async throws -> ApplicationRecord? {
        try await keepCode(octets("code"), of: octets(label), for: .application("c"))
    }
}
