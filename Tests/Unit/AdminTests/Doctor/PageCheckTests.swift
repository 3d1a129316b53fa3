// SPDX-License-Identifier: Apache-2.0
// The findings of `mpin doctor` about the page at `phone-address`.
@testable import MPinAdmin
import Testing

@Suite struct PageCheckTests {
    private static let origin = "https://login.example.org"
    private static let good = PageFacts.Page(
        trust: .everybody, publicOrigin: origin, isGuarded: true, changed: [])

    private func findings(_ seen: PageFacts.Observation) -> [Finding] {
        PageFacts(address: PageCheckTests.origin + "/", origin: PageCheckTests.origin, seen: seen).findings
    }

    @Test func `a genuine page under a public certificate is ok`() {
        let found = findings(.page(PageCheckTests.good))
        #expect(found.map(\.word) == ["page"] && found.first?.level == .ok)
    }

    @Test(
        arguments: [
            (.nothing("no answer came in time"), "page-unreachable", "no answer came in time"),
            (.distrust("its certificate has expired"), "page-untrusted", "has expired"),
            (.status(404), "page-missing", "status 404"), (.status(421), "page-elsewhere", "that name"),
            (.status(200), "page-missing", "status 200"),
        ] as [(PageFacts.Observation, String, String)])
    func `a missing page is a warning that says why`(
        _ seen: PageFacts.Observation, _ word: String, _ words: String
    ) {
        let found = findings(seen)
        #expect(found.map(\.word) == [word] && found.first?.level == .warning)
        #expect(found.first?.message.contains(words) == true && found.first?.advice != nil)
    }

    @Test func `a host without CA certificates says so, and does not blame the server`() {
        let found = findings(.unverifiable)
        #expect(found.map(\.word) == ["page-uncompared"] && found.first?.level == .note)
        #expect(found.first?.advice == "Install ca-certificates.")
    }

    @Test func `a page at an address that mpind does not serve is reported with the one that it serves`() {
        for (origin, words) in [
            (nil, "no M-Pin server"), ("https://other.example", "https://other.example"),
            ("http://login.example.org", "http://"), ("https://login.example.org:8443", ":8443"),
        ] {
            let found = findings(
                .page(.init(trust: .everybody, publicOrigin: origin, isGuarded: true, changed: [])))
            #expect(found.map(\.word) == ["page-elsewhere"])
            #expect(found.first?.message.contains(words) == true)
        }
    }

    @Test func `a changed page is a problem under every certificate`() {
        for trust in [PageFacts.Trust.everybody, .ownAuthority, .selfSigned, .unknown] {
            let found = findings(
                .page(
                    .init(
                        trust: trust, publicOrigin: PageCheckTests.origin, isGuarded: false,
                        changed: ["a.js", "b.js", "c.js", "d.js", "e.js"])))
            #expect(found.count { $0.word == "page-changed" && $0.level == .problem } == 2)
            #expect(found.contains { $0.message.contains("a.js, b.js, c.js, d.js, ...") })
        }
    }

    @Test
    func `the finding says who trusts the certificate, and if nothing was compared for lack of the package`()
    {
        for (trust, word) in [
            (.everybody, nil), (.ownAuthority, "page-own-ca"), (.selfSigned, "page-self-signed"),
            (.unknown, "page-uncompared"),
        ] as [(PageFacts.Trust, String?)] {
            for changed in [nil, []] as [[String]?] {
                let found = findings(
                    .page(
                        .init(
                            trust: trust, publicOrigin: PageCheckTests.origin, isGuarded: true,
                            changed: changed)))
                let wanted = (changed == nil ? ["page-uncompared"] : []) + [word].compactMap(\.self)
                #expect(found.map(\.word) == (wanted.isEmpty ? ["page"] : wanted))
                #expect(found.allSatisfy { $0.level != .problem })
            }
        }
    }
}
