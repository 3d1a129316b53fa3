// SPDX-License-Identifier: Apache-2.0
// Instructions that depend on where the server runs.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct `An instruction` {
    private static let remote = "https://login.example.org"

    /// The message of `mpin why` for the account, on a host with this server.
    private func message(_ backend: String, _ settings: String = "", on host: Host) throws -> String? {
        try host.write("backend = \(backend)\nnever = none\n\(settings)\n", to: "mpin.conf")
        let words = ["mpin", "why", host.user, "--service", "su", "--json"]
        let told = try object(
            command(words + ["--config", host.store + "/mpin.conf", "--store", host.store]))
        return told["message"] as? String
    }

    @Test(arguments: [
        ("unix:/run/mpind/mpind.sock", "Run 'sudo mpin enroll % --here'."),
        (
            remote,
            "'sudo mpind user add %@db1' on the server at \(remote) prints a code. With it, run 'sudo mpin "
                + "enroll %' here."
        ),
    ])
    func `names the account; it enrols by --here if the server is local, else it has the server's address`(
        _ backend: String, _ words: String
    ) throws {
        let host = try Host()
        let advice = words.replacing("%", with: host.user)
        try host.giveKey()
        #expect(try message(backend, on: host)?.hasSuffix(advice) == true)
        try #require(host.allow().status == 0)
        #expect(try message(backend, "method = pin", on: host)?.hasSuffix(advice) == true)
    }

    @Test func `names the account also for a second device and for backup codes`() throws {
        let host = try Host()
        try host.giveKey()
        try #require(host.allow().status == 0)
        try host.write("backend = \(Self.remote)\nnever = none\nbackup-codes = su\n", to: "mpin.conf")
        let words = ["mpin", "why", host.user, "--service", "su", "--json"]
        let told = try object(
            command(words + ["--config", host.store + "/mpin.conf", "--store", host.store]))
        let backup = try #require(told["backup"] as? [String: Any])["message"] as? String
        #expect(backup?.hasSuffix("Run 'sudo mpin backup-codes \(host.user)'.") == true)
    }

    @Test func `at a Milagro server does not speak of mpind`() throws {
        let host = try Host()
        let told = try message(Self.remote, "answer = unsealed\nmethod = pin", on: host)
        #expect(told?.contains("mpind") == false)
        #expect(told?.contains("'sudo mpin enroll \(host.user) --identity NAME'") == true)
    }
}
