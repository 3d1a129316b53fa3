// SPDX-License-Identifier: Apache-2.0
// The settings of mpin's own commands, and a PAM service that has their name.
import MPin
import MPinProof
import MPinHostStore
import Testing

@Suite struct OwnServiceTests {
    private let text = Array(
        "backend = unix:/run/mpind.sock\n[mpin]\ntries = 1\n[mpin-command]\ntries = 2\n".utf8)

    private func settings(_ service: String?) throws(SettingsError) -> Settings {
        try Settings(
            text: text, file: Array("mpin.conf".utf8), service: service.map { Array($0.utf8) })
    }

    @Test func `a PAM service named mpin has its own section, and its logins count as those of any other`()
        throws
    {
        let named = try settings("mpin")
        #expect(named.tries == 1 && named.service == Array("mpin".utf8))
        #expect(named.service != SealedQuestion.ownService)
    }

    @Test func `no section concerns the commands of mpin, and no PAM service takes their name`() throws {
        let own = try settings(nil)
        #expect(own.tries == 3 && own.service == SealedQuestion.ownService)
        let error = #expect(throws: SettingsError.self) { try settings("mpin-command") }
        #expect(error?.problem == .conflict(.reservedService))
    }
}
