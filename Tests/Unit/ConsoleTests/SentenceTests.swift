// SPDX-License-Identifier: Apache-2.0
// The exact texts of a login.
import MPinConsole
import Octets
import Testing

private func written(_ sentence: Sentence) -> String { String(decoding: sentence.octets, as: UTF8.self) }

@Suite struct SentenceTests {
    @Test(arguments: [
        (Sentence.askPIN(label: Array("alice@example.org".utf8)), "PIN for alice@example.org: "),
        (.askPIN(label: nil), "PIN: "),
        (.askPINFromAfar, "\nM-Pin PIN: "),
        (.own(Array("Código".utf8), label: nil, fromAfar: true), "\nCódigo: "),
        (.own(Array("Geheimzahl".utf8), label: Array("a@b".utf8), fromAfar: false), "Geheimzahl (a@b): "),
        (.wrongPIN(triesLeft: nil), "Wrong PIN."),
        (.wrongPIN(triesLeft: 1), "Wrong PIN. One try left."),
        (.wrongPIN(triesLeft: 2), "Wrong PIN. Tries left: 2."),
        (.noPIN, "That is not a PIN."),
        (.tooLate, "That took too long. Try again."),
        (
            .blocked(seconds: nil, help: nil),
            "Too many wrong PINs: blocked until an administrator unlocks you."
        ),
        (.blocked(seconds: 0, help: nil), "Too many wrong PINs: locked for 1 second."),
        (.blocked(seconds: 60, help: nil), "Too many wrong PINs: locked for 60 seconds."),
        (.blocked(seconds: 61, help: nil), "Too many wrong PINs: locked for 2 minutes."),
        (.blocked(seconds: 3_600, help: nil), "Too many wrong PINs: locked for 60 minutes."),
        (.blocked(seconds: 7_201, help: nil), "Too many wrong PINs: locked for 3 hours."),
        (
            .revoked(help: Array("Call 4711.".utf8)),
            "Your M-Pin login is revoked or suspended. Ask your administrator. Call 4711."
        ),
        (
            .revoked(help: []),
            "Your M-Pin login is revoked or suspended. Ask your administrator."
        ),
        (.enrolAgain(help: nil), "Your M-Pin enrolment has expired. You must be enrolled again."),
        (
            .untrusted(fault: Array("its certificate has expired".utf8)),
            "The M-Pin server cannot be trusted: its certificate has expired. Tell the administrator."
        ),
        (.unreachable, "Cannot reach the M-Pin server. Try again later."),
        (
            .broken(attempt: Array("0123456789abcdef".utf8)),
            "M-Pin failed on this host. Tell the administrator this number: 0123456789abcdef."
        ),
        (.refused, "M-Pin did not let you in."),
        (.phone(.askCode(orPIN: true, orEnter: false)), "PIN or approval code from your phone: "),
        (.phone(.askCode(orPIN: false, orEnter: false)), "Approval code from your phone: "),
        (
            .phone(.askCode(orPIN: true, orEnter: true)),
            "PIN or approval code from your phone, or Enter if it shows none: "
        ),
        (
            .phone(.open(Array("login.example.org".utf8), orScan: true)),
            "Open login.example.org on your phone, or scan this."
        ),
        (
            .phone(.open(Array("login.example.org".utf8), orScan: false)),
            "Open login.example.org on your phone, or the address above."
        ),
        (
            .phone(.enter(Array("2654318".utf8), beside: .page, seconds: 90)),
            "Choose 265 4318 there, or enter it; valid for 90 seconds."
        ),
        (.phone(.wrongCode), "Wrong approval code."),
        (.phone(.noCode), "Type the approval code from your phone: six letters."),
        (.phone(.codesUsedUp), "Too many wrong approval codes."),
        (.phone(.notApproved), "Your phone has not approved this login, or has denied it."),
        (.phone(.expired), "The access number has expired. Type r for a new one."),
        (.backup(.ask), "Backup code: "), (.backup(.askFromAfar), "\nM-Pin backup code: "),
        (.backup(.wrong), "Wrong backup code."), (.backup(.none), "A backup code has sixteen letters."),
        (.backup(.instead), "The M-Pin server cannot help now. Use a backup code, or try again later."),
        (.backup(.left(7)), "You have used a backup code. Backup codes left: 7."),
        (.backup(.left(0)), "That was your last backup code. Ask the administrator for new ones."),
        (.phone(.noSession), "Too many logins wait for a phone. Try again in a minute."),
    ])
    func `a sentence has this text`(sentence: Sentence, words: String) {
        #expect(written(sentence) == words)
    }

    @Test func `foreign text does not reach a terminal as a control sequence`() {
        let hostile: [[UInt8]] = [
            Array("\u{1b}]0;root\u{7}".utf8), [0xC2, 0x9B, 0x33, 0x31, 0x6D], Array("\u{202E}nip".utf8),
            Array("a\nPIN: ".utf8), [0xFF, 0xFE, 0, 0x7F], Array(repeating: 0x41, count: 10_000),
        ]
        for text in hostile {
            for sentence in [
                Sentence.askPIN(label: text), .blocked(seconds: 1, help: text), .broken(attempt: text),
                .revoked(help: text), .enrolAgain(help: text), .untrusted(fault: text),
            ] {
                #expect(sentence.octets.allSatisfy { (0x20...0x7E).contains($0) })
                #expect(sentence.octets.count < 300)
            }
        }
        #expect(presentable(Array("\u{1b}[2J".utf8)) == Array("?[2J".utf8))
        #expect(presentable(Array(repeating: 0x41, count: 65)).count == 64)
    }
}

@Suite struct `The notice of wrong PINs` {
    private let last = Moment(year: 2026, month: 11, day: 21, hour: 14, minute: 2, isThisYear: true)
    private let address = Array("203.0.113.9".utf8)

    private func text(_ sentence: TriesSentence) -> String {
        String(decoding: Sentence.tries(sentence).octets, as: UTF8.self)
    }

    @Test func `says how many, when and from where`() {
        #expect(
            text(.wrong(3, last: last, source: address, here: .host))
                == "3 wrong PINs since your last login, the last on 21 Nov 14:02 from 203.0.113.9.")
        #expect(
            text(.wrong(1, last: last, source: Array("local:1001".utf8), here: .host))
                == "1 wrong PIN since your last login, on 21 Nov 14:02 from this machine (local:1001).")
        #expect(
            text(.wrong(65_535, last: nil, source: [], here: .host))
                == "65535 or more wrong PINs since your last login.")
        #expect(
            text(.wrong(2, last: last, source: Array("local:0".utf8), here: .server))
                == "2 wrong PINs since your last login, the last on 21 Nov 14:02 from the server's machine "
                + "(local:0).")
    }

    @Test func `includes the year if it is another one, and two digits for hour and minute`() {
        let old = Moment(year: 2025, month: 1, day: 2, hour: 3, minute: 4, isThisYear: false)
        #expect(String(decoding: old.octets, as: UTF8.self) == "2 Jan 2025 03:04")
        #expect(Moment(seconds: 0) == nil && Moment(seconds: .max) == nil)
        #expect(Moment(seconds: 86_400 * 365)?.isThisYear == false)
    }

    @Test func `removes control characters from the source`() {
        let evil = Array("\u{1b}[2J\n\u{7f}".utf8)
        #expect(text(.wrong(2, last: nil, source: evil, here: .host)).hasSuffix("from ?[2J??."))
    }

    @Test func `warns before the PIN is blocked permanently, and says what to do`() {
        #expect(
            text(.fewLeft(7, on: .host))
                == "Only 7 wrong tries are left before this PIN is blocked, or refused from new places. "
                + "A new PIN (sudo mpin change-pin) resets the count.")
        #expect(
            text(.fewLeft(1, on: .server))
                == "Only 1 wrong try is left before this PIN is blocked. Enrolling this device again, with "
                + "a new "
                + "code, resets the count.")
    }

    @Test func `is empty if there is nothing to report`() {
        #expect(TriesSentence.all(wrong: 0, lastSeconds: 0, source: [], left: nil, .host).isEmpty)
        #expect(TriesSentence.all(wrong: 1, lastSeconds: 0, source: [], left: 3, .host).count == 2)
    }
}
