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
        ("unix:/run/mpind/mpind.sock", "Run 'sudo mpin enroll USER --here'."),
        (
            remote,
            "'sudo mpind user add NAME' on the server at \(remote) prints a code. With it, run 'sudo mpin "
                + "enroll USER --identity NAME' here."
        ),
    ])
    func `enrols by --here if the server is local, and names the server's address otherwise`(
        _ backend: String, _ advice: String
    ) throws {
        let host = try Host()
        try host.giveKey()
        #expect(try message(backend, on: host)?.hasSuffix(advice) == true)
        try #require(host.allow().status == 0)
        #expect(try message(backend, "method = pin", on: host)?.hasSuffix(advice) == true)
    }
}
