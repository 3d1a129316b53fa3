// SPDX-License-Identifier: Apache-2.0
// How a second device approves a browser's session, and waits for what an external RPA decides.
import MPin
import MPinDatabase
import MPinWire

extension Approving {
    /// If an external RPA decides, a device waits for the decision: 200 says that the RPA let the browser in,
    /// and how the login can be ended. Otherwise our devices get their answer at once, and Milagro's wait for
    /// the browser. A waiting request occupies no thread and no connection to the database.
    func approve(
        _ browser: BrowserRecord, proved: Proved, request: Request
    ) async throws -> Response {
        let token = try context.randomText(16)
        guard try await context.storage.approveBrowser(approval(of: proved, token: token, request: request))
        else {
            return expired(proved.notes)
        }
        try await record("session.approve", proved: proved, verdict: .granted, request: request)
        let granted = Response(200, json: json(granted(proved, token)), notes: proved.notes)
        let isMilagros = proved.identity.description.kind == .unbound
        guard isMilagros || context.settings.redeemsElsewhere else { return granted }
        // How many pauses of a quarter second Milagro's clients wait, and our own, which time out earlier.
        for _ in 0..<(isMilagros ? 40 : 32) {
            let found = try await context.storage.browser(.session(.wid(browser.wid)))
            if let result = found?.result, let status = result.status {
                return response(to: result, status: status, proved: proved, granted: granted)
            }
            try await context.effects.pause()
        }
        return Response(
            408, json: json(proved.answer(saying: "Authentication timed out")),
            notes: proved.notes + [LogField("waited", "in-vain")])
    }

    /// The RPA's result of the login; without a logout URL from the RPA, that of `granted`.
    private func response(
        to result: LoginResult, status: Int, proved: Proved, granted: Response
    ) -> Response {
        guard status == 200 else {
            return Response(
                status, json: json(proved.answer(saying: "Refused")),
                notes: proved.notes + [LogField("refused", "rpa")])
        }
        guard let url = result.logoutURL else { return granted }
        var answer = proved.answer
        answer.logoutURL = url
        answer.logoutData =
            result.logoutData.flatMap { try? decoded(JSONValue.self, from: [UInt8]($0.utf8)) } ?? .text("")
        return Response(200, json: json(answer), notes: proved.notes)
    }
}
