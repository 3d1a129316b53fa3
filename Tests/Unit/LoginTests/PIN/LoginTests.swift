// SPDX-License-Identifier: Apache-2.0
// Transcripts of a login with a PIN on this host: what is requested, sent, and decided.
import MPin
import MPinLogin
import MPinProof
import MPinStore
import MPinWire
import Octets
import Secrets
import Testing

@Suite struct `A login` {
    @Test func `with the right PIN is granted under the seal`() throws {
        let fixture = try LoginFixture()
        let before = fixture.server.asked.count
        let shown = try fixture.login(LoginFixture.pin)
        guard case .granted(let grant) = shown.outcome else {
            Issue.record("\(shown.outcome)")
            return
        }
        #expect(grant.proven?.label == Array("alice@example.org".utf8))
        #expect(grant.proven?.sealed == true)
        #expect(shown.prompts == [.pin(label: Array("alice@example.org".utf8))])
        #expect(shown.notices == [])
        let asked = fixture.server.asked.dropFirst(before).map(\.kind)
        #expect(asked == [.settings, .permits, .passOne, .passTwo, .authenticate])
    }

    @Test func `is named by the hash of its first question`() throws {
        let fixture = try LoginFixture()
        let shown = try fixture.login(LoginFixture.pin)
        guard case .passOne(let pass)? = fixture.server.asked(.passOne).last else {
            Issue.record("no pass 1")
            return
        }
        let question = try #require(SealedQuestion(decoding: pass.sealed.question))
        #expect(shown.attempt == Array(question.a.octets.prefix(8)))
        #expect(question.service == Array("su".utf8))
        #expect(question.account == Array("alice".utf8))
        #expect(question.source == Array("local:1001".utf8))
        #expect(question.ids == [identityHash(pass.mpinID)])
    }

    @Test func `prompts again after a wrong PIN, with a new question, a new U and the same permit`() throws {
        let fixture = try LoginFixture()
        let before = fixture.server.asked.count
        let shown = try fixture.login("1470", LoginFixture.pin)
        #expect(shown.outcome.isGranted)
        #expect(shown.notices == [.wrongPIN(triesLeft: 2)])
        let asked = Array(fixture.server.asked.dropFirst(before))
        #expect(asked.filter { $0.kind == .permits }.count == 1)
        let passes = asked.compactMap { question in
            if case .passOne(let pass) = question { pass } else { nil as RelayPassOneRequest? }
        }
        #expect(passes.count == 2)
        #expect(passes[0].u != passes[1].u)
        #expect(passes[0].sealed != passes[1].sealed)
    }

    @Test func `with wrong PINs ends when the tries are used up`() throws {
        let fixture = try LoginFixture()
        fixture.server.triesLeft = 9
        let shown = try fixture.login("1470", "1471", "1472", LoginFixture.pin)
        #expect(shown.outcome == .refused(.wrongPIN(triesLeft: 6)))
        #expect(shown.prompts.count == 3)
    }

    @Test func `allows one try where the calling program itself repeats the question`() throws {
        let fixture = try LoginFixture()
        let sudo = try fixture.settings(service: "sudo")
        let shown = fixture.login(
            ["1470", LoginFixture.pin], settings: sudo, context: fixture.context(service: "sudo"))
        #expect(shown.outcome == .refused(.wrongPIN(triesLeft: 2)))
    }

    @Test func `ends at once when the server blocks, and reports for how long`() throws {
        let fixture = try LoginFixture()
        let shown = try fixture.login("1470", "1471", "1472", LoginFixture.pin)
        #expect(shown.outcome == .blocked(releaseAfter: 60))
    }

    @Test(arguments: [(UInt32(0), nil), (1, 1), (3_600, 3_600), (.max, nil)] as [(UInt32, UInt32?)])
    func `reports no release time for a block that only an administrator ends`(
        _ seconds: UInt32, _ told: UInt32?
    ) throws {
        let fixture = try LoginFixture()
        fixture.server.spoilVerdict { other in
            SealedVerdict(
                a: other.a, way: other.way, verdict: .blocked, id: nil, triesLeft: 0,
                secondsUntilRelease: seconds)
        }
        #expect(try fixture.login(LoginFixture.pin).outcome == .blocked(releaseAfter: told))
    }

    @Test func `of a revoked user ends at the permit`() throws {
        let fixture = try LoginFixture()
        fixture.server.isRevoked = true
        #expect(try fixture.login(LoginFixture.pin).outcome == .revoked)
        #expect(fixture.server.asked(.passOne).count == 1)
    }

    @Test(arguments: [
        (Verdict.revoked, Outcome.revoked), (.secretExpired, .secretExpired),
        (.notApproved, .refused(.expired)), (.blocked, .blocked(releaseAfter: nil)),
    ])
    func `ends as the sealed verdict says, whatever the status`(_ verdict: Verdict, _ outcome: Outcome) throws
    {
        let fixture = try LoginFixture()
        fixture.server.spoilVerdict { SealedVerdict($0, verdict: verdict) }
        #expect(try fixture.login(LoginFixture.pin).outcome == outcome)
    }

    @Test(arguments: [
        "", "JQK-KMG", "jqkkmg", "BCDF-GHJK-LMNP-QRST", "na\u{ef}ve", "\u{8}\n\r\u{7f}INCORRECT",
    ])
    func `sends nothing if the answer cannot be a PIN`(_ answer: String) throws {
        let fixture = try LoginFixture()
        let before = fixture.server.asked.count
        let shown = try fixture.login(answer, String(repeating: "7", count: 129), answer)
        #expect(shown.outcome == .refused(.noPIN))
        #expect(shown.notices == [.noPIN, .noPIN])
        #expect(fixture.server.asked.count == before)
    }

    @Test func `sends what was typed in no form but V`() throws {
        let fixture = try LoginFixture(remote: true)
        _ = try fixture.login("rattling kettlf", LoginFixture.longPIN)
        for question in fixture.server.asked {
            let frame = try question.encoded()
            for typed in ["rattling kettl", "kettle"] {
                let octets = Array(typed.utf8)
                for form in [octets, hex(octets), sha256(octets)] { #expect(!frame.contains(form)) }
            }
        }
    }

    @Test func `reports whether the conversation was cancelled or failed`() throws {
        let fixture = try LoginFixture()
        let (settings, context) = (try fixture.settings(), fixture.context())
        #expect(
            fixture.login([], settings: settings, context: context, breaks: .cancelled).outcome == .cancelled)
        #expect(
            fixture.login([], settings: settings, context: context, breaks: .failed).outcome
                == .conversationFailed)
    }

    @Test func `past its deadline sends nothing`() throws {
        let fixture = try LoginFixture()
        let before = fixture.server.asked.count
        let shown = fixture.login(
            [LoginFixture.pin], settings: try fixture.settings(), context: fixture.context(),
            deadline: Deadline(milliseconds: 0))
        #expect(shown.outcome == .refused(.tooLate))
        #expect(fixture.server.asked.count == before)
    }

    @Test func `connects only after the user has answered`() throws {
        let fixture = try LoginFixture()
        let before = fixture.server.connections
        _ = fixture.login([], settings: try fixture.settings(), context: fixture.context())
        #expect(fixture.server.connections == before)
    }

    @Test func `uses the last enrolled of two PINs`() throws {
        let fixture = try LoginFixture()
        let old = try fixture.folder.text("store/users/4711")
        try fixture.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z")
        let new = try fixture.folder.text("store/users/4711")
        let section = "\n" + old[try #require(old.firstIndex(of: "["))...]
        try fixture.folder.write(new + section, to: "store/users/4711")
        #expect(try fixture.login("86421").outcome.isGranted)
        #expect(try fixture.login(LoginFixture.pin).outcome == .conversationFailed)
    }
}
