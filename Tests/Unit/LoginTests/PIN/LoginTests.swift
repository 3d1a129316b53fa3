// SPDX-License-Identifier: Apache-2.0
// Transcripts of a login with a PIN on this host: what is requested, sent, and decided.
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets
import Testing

@Suite struct `A login` {
    @Test func `with the right PIN is granted under the seal`() throws {
        let fixture = try LoginFixture(rule: .stretched)
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
        #expect(asked == [.passOne, .passTwo, .authenticate])
    }

    @Test func `lets the relay connect while the PIN is stretched, for the pass 1 that follows`() throws {
        let fixture = try LoginFixture(rule: .stretched)
        let (settings, context) = (try fixture.settings(), fixture.context())
        let machine = Login(
            settings: settings, context: context, credentials: .find(settings, context), nonce: freshNonce)
        _ = machine.resume(.begin)
        guard case .prepare(let octets?) = machine.resume(.answered(try secret("1470"))),
            case .exchange(.passOne(let pass)) = machine.resume(.prepared)
        else {
            Issue.record("no pass 1")
            return
        }
        #expect(Int(octets) == pass.mpinID.count + pass.sealed.question.count)
        _ = try fixture.login("", "jqkkmg", LoginFixture.pin)
        #expect(fixture.server.announced.count == 1, "only for an answer that can be a PIN")
    }

    @Test func `ends if the relay cannot start while the PIN is stretched`() throws {
        let fixture = try LoginFixture(rule: .stretched)
        let (settings, context) = (try fixture.settings(), fixture.context())
        for event in ["broken", "received", "told"] {
            let machine = Login(
                settings: settings, context: context, credentials: .find(settings, context),
                nonce: freshNonce)
            _ = machine.resume(.begin)
            _ = machine.resume(.answered(try secret(LoginFixture.pin)))
            let step =
                switch event {
                case "broken": machine.resume(.transportBroken(.cannotStart))
                case "received": machine.resume(.received(RelayResponse(kind: .passOne, status: 200)))
                default: machine.resume(.told)
                }
            let reason: Reason = event == "broken" ? .transport(.cannotStart) : .outOfTurn
            #expect(step == .finished(.failed(reason)))
            #expect(machine.resume(.prepared) == .finished(.failed(.outOfTurn)))
        }
    }

    @Test func `at a server that needs permits asks the same question again with one, and another U`() throws
    {
        let fixture = try LoginFixture()
        fixture.server.usesPermits = true
        let before = fixture.server.asked.count
        #expect(try fixture.login(LoginFixture.pin).outcome.isGranted)
        let asked = Array(fixture.server.asked.dropFirst(before))
        #expect(asked.map(\.kind) == [.passOne, .permits, .passOne, .passTwo, .authenticate])
        guard case .passOne(let first) = asked[0], case .passOne(let second) = asked[2] else { return }
        #expect(first.sealed == second.sealed && first.u != second.u)
        #expect(first.ut.isEmpty && second.ut.count == 65)
    }

    @Test func `asks for a permit once, however often the server says that one is missing`() throws {
        let fixture = try LoginFixture()
        fixture.server.usesPermits = true
        fixture.server.spoil(.passOne, status: RelayResponse.permitNeeded)
        let before = fixture.server.asked.count
        let outcome = try fixture.login(LoginFixture.pin).outcome
        #expect(outcome == .failed(.answer(.passOne, status: RelayResponse.permitNeeded)))
        #expect(fixture.server.asked.dropFirst(before).map(\.kind) == [.passOne, .permits, .passOne])
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
        fixture.server.usesPermits = true
        let before = fixture.server.asked.count
        let shown = try fixture.login("1470", LoginFixture.pin)
        #expect(shown.outcome.isGranted)
        #expect(shown.notices == [.wrongPIN(triesLeft: 2)])
        let asked = Array(fixture.server.asked.dropFirst(before))
        #expect(asked.filter { $0.kind == .permits }.count == 1)
        let passes = asked.compactMap { question in
            if case .passOne(let pass) = question, !pass.ut.isEmpty {
                pass
            } else {
                nil as RelayPassOneRequest?
            }
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

    @Test func `ends at once when the server locks, and reports for how long`() throws {
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
        (fixture.server.isRevoked, fixture.server.usesPermits) = (true, true)
        #expect(try fixture.login(LoginFixture.pin).outcome == .revoked)
        #expect(fixture.server.asked(.passTwo).count == 1)
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
