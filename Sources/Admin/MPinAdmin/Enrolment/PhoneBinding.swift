// SPDX-License-Identifier: Apache-2.0
// Shows the QR code that binds a phone, one session after another, until root has typed the phone's approval
// code.
import MPin
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

/// The binding of a phone to an account.
struct PhoneBinding: ~Copyable {
    /// The number of wrong approval codes that ends the binding.
    private static let mostWrong = 3
    /// Seconds before the end of a session at which its state is read for the last time, and seconds that
    /// root has to type the approval code after a phone has approved.
    private static let (before, after) = (3, 90)
    /// The relay's deadline for one session, in milliseconds; it leaves time for the last question to root.
    private static let patience: UInt32 = 900_000

    /// One session and its relay. The session ends when the relay ends.
    private struct Opened: ~Copyable {
        let bind: Bind
        let session: BindSession
        var relay: TimedRelay
    }

    private let account: Account
    private let userID: String
    private let key: HostKey
    private let place: PhonePlace
    private let settings: Settings
    /// Whether there was no enrolment step before this one.
    private let isAlone: Bool
    private var opened: Opened?
    private var wrong = 0
    /// Lines for root that the next page shows.
    private var note: [String] = []

    var host: [UInt8] { key.name }

    init(
        of userID: String, to account: Account, key: consuming HostKey, at place: PhonePlace,
        _ settings: Settings, isAlone: Bool
    ) {
        (self.account, self.userID, self.place) = (account, userID, place)
        (self.settings, self.isAlone) = (settings, isAlone)
        self.key = key
        opened = nil
    }

    /// Shows sessions until root has typed the approval code of a phone, and returns that phone.
    mutating func boundPhone(on screen: inout QRCodeTerminal) throws(Failure) -> BoundPhone {
        while true {
            var line = try open()
            let phone = try wait(&line, on: &screen)
            // Without a phone, `line` ends here, and its session with it, before the next one begins.
            guard let phone else { continue }
            opened = consume line
            return phone
        }
    }

    private func open() throws(Failure) -> Opened {
        let bind = try question()
        var relay = try connected(bind)
        let start = monotonicSeconds()
        let response = try ask(.bind(try sealed(bind)), &relay)
        guard case .bind(let body)? = response.body else {
            throw failure(.answer(.bind, status: response.status))
        }
        let session: BindSession
        do { session = try key.session(body, to: bind, from: start) } catch { throw failure(error) }
        return Opened(bind: bind, session: session, relay: relay)
    }

    private func question() throws(Failure) -> Bind {
        let nonce: QuestionNonce
        do { nonce = try freshNonce() } catch { throw .noRandomness }
        let context = LoginContext(service: SealedQuestion.bindService, askedFor: account, realUID: 0)
        let bind = context.bind(
            host: key.name, nonce: nonce, userID: [UInt8](userID.utf8), life: settings.deadline)
        guard let bind else { throw failure(.questionTooLong) }
        return bind
    }

    private func sealed(_ bind: Bind) throws(Failure) -> TaggedQuestion {
        do { return try key.sealed(bind) } catch { throw failure(error) }
    }

    private func connected(_ bind: Bind) throws(Failure) -> TimedRelay {
        do throws(TransportError) {
            return try TimedRelay(
                settings, attempt: [UInt8](bind.a.octets.prefix(8)),
                deadline: Deadline(milliseconds: PhoneBinding.patience), Stopwatch())
        } catch { throw failure(.transport(error)) }
    }

    private func ask(_ request: RelayRequest, _ relay: inout TimedRelay) throws(Failure) -> RelayResponse {
        do { return try relay.exchange(request) } catch { throw failure(.transport(error)) }
    }

    /// Waits for a phone and its approval code. Returns nil if this session is over and a new one is needed.
    private mutating func wait(
        _ line: inout Opened, on screen: inout QRCodeTerminal
    ) throws(Failure) -> BoundPhone? {
        var phone: BoundPhone?
        var end = line.session.end - PhoneBinding.before
        while true {
            switch screen.show(page(line.session, phone), until: end) {
            case .brokenOff: throw .cancelled
            case .time:
                guard phone == nil, let found = try approved(&line) else {
                    if let phone { tellUntyped(phone) }
                    return nil
                }
                phone = found
                end = monotonicSeconds() + PhoneBinding.after
                note = ["A phone has approved. Type its code, or press Enter if yours shows none."]
            case .line(let typed):
                if phone == nil { phone = try approved(&line) }
                guard let found = phone else {
                    note = ["No phone has approved this QR code yet."]
                    if typed.isEmpty { return nil }
                    continue
                }
                end = max(end, monotonicSeconds() + PhoneBinding.after)
                guard !typed.isEmpty else {
                    tellUntyped(found)
                    return nil
                }
                if try isRight(typed, of: found, in: line.session) { return found }
            }
        }
    }

    /// Whether the approval code is right. Throws at the third wrong one.
    private mutating func isRight(
        _ typed: [UInt8], of phone: BoundPhone, in session: BindSession
    ) throws(Failure) -> Bool {
        do throws(Reason) {
            if try key.isCode(typed, of: phone, in: session) { return true }
        } catch { throw failure(error) }
        guard readsAsApprovalCode(typed) else {
            note = ["An approval code has six letters."]
            return false
        }
        wrong += 1
        guard wrong < PhoneBinding.mostWrong else {
            throw Failure(
                .refused,
                "The approval code was wrong three times: nothing was bound. \(phone.words) approved the "
                    + "QR code. If that is not the phone in front of you, somebody else scanned the QR code "
                    + "first. 'sudo mpind user revoke --id \(hexText(phone.id))' "
                    + "\(ServerPlace(settings).onServer) ends that phone.")
        }
        let left = PhoneBinding.mostWrong - wrong
        note = [
            "Wrong approval code; \(left == 1 ? "one try is" : "\(left) tries are") left. "
                + "\(phone.words) approved this QR code. If it is not yours, somebody else scanned it "
                + "first: press Enter."
        ]
        return false
    }

    private mutating func tellUntyped(_ phone: BoundPhone) {
        note = [
            "\(phone.words) approved the last QR code, and its code was not typed. If you do "
                + "not know that phone, somebody else saw the QR code."
        ]
    }

    /// The phone that has approved; nil if none has yet, or the session is over.
    private func approved(_ line: inout Opened) throws(Failure) -> BoundPhone? {
        let response = try ask(.bindAnswer(a: line.bind.a), &line.relay)
        guard case .bindAnswer(let sealed)? = response.body else {
            guard response.status == 408 else { throw failure(.answer(.bindAnswer, status: response.status)) }
            return nil
        }
        do { return try key.phone(sealed, to: line.bind) } catch { throw failure(error) }
    }

    /// Reports to mpind that root has typed the right approval code and confirmed the phone.
    /// - Returns: whether the phone may approve logins from now on.
    mutating func done(_ phone: BoundPhone) throws(Failure) -> Bool {
        do throws(Failure) {
            guard var line = opened.take() else { throw failure(.outOfTurn) }
            let tag: [UInt8]
            do { tag = try key.bindDoneTag(a: line.bind.a, id: phone.id) } catch { throw .outOfMemory }
            let response = try ask(.bindDone(RelayBindDoneRequest(a: line.bind.a, tag: tag)), &line.relay)
            guard case .bindDone(let isConfirmed)? = response.body else {
                throw failure(.answer(.bindDone, status: response.status))
            }
            return isConfirmed
        } catch { throw Failure(error.kind, "Nothing was bound. \(error.sentence)") }
    }

    private func failure(_ reason: Reason) -> Failure {
        if case .answer(_, let status) = reason, RelayResponse.isUnavailable(status) || status == 429 {
            return Failure(Unavailable(status: status), settings)
        }
        return Failure(reason, settings)
    }
}

extension PhoneBinding {
    private func page(_ session: BindSession, _ phone: BoundPhone?) -> QRCodePage {
        let number = "\(text(session.number).prefix(3))-\(text(session.number).dropFirst(3))"
        let step = isAlone ? "Bind a phone to" : "Step 2 of 2: bind the phone to"
        let scan =
            "Scan this with the phone, or enter \(number) there. It asks for the PIN and shows a code."
        var words = ["\(step) \(text(account.name)) on \(text(host)).", ""]
        if phone == nil { words += [scan, ""] }
        words += [
            "Look at the phone and type its approval code here. A code that you are told by telephone "
                + "protects nothing.", "",
        ]
        words += note.isEmpty ? ["No code? Another phone was first: press Enter for a new QR code."] : note
        return QRCodePage(
            address: phone == nil ? sessionAddress(at: place.page, wid: session.wid) : nil,
            words: words.map { [UInt8]($0.utf8) }, prompt: [UInt8]("Approval code from the phone: ".utf8))
    }

    /// Asks root for the final confirmation, on the ordinary screen. Throws unless root says yes.
    func confirm(_ phone: BoundPhone, on screen: inout QRCodeTerminal) throws(Failure) {
        screen.endQRCodes()
        let lines = [
            "The approval code is right. This phone will approve logins as \(text(account.name)) "
                + "on this host:",
            "    name        \(text(phone.userID))", "    id          \(hexText(phone.id).prefix(8))",
            "    enrolled    \(phone.age)",
            "Compare the id with the eight digits that the phone shows beside the code.",
        ]
        let page = QRCodePage(
            address: nil, words: lines.map { [UInt8]($0.utf8) }, prompt: [UInt8]("Bind it? [y/N] ".utf8))
        guard case .line(let answer) = screen.show(page, until: nil),
            ["y", "yes"].contains(text(answer).lowercased())
        else { throw Failure(.cancelled, "Nothing was bound.") }
    }
}

extension BoundPhone {
    /// The phone's id, name and age, as the subject of a sentence.
    fileprivate var words: String {
        "The phone \(hexText(id).prefix(8)) (\(text(userID, limit: 64)), enrolled \(age))"
    }

    fileprivate var age: String {
        let now = secondsSince1970()
        guard registered > 0, now >= registered else { return "at an unknown time" }
        let minutes = (now - registered) / 60
        switch minutes {
        case 0: return "less than a minute ago"
        case 1: return "1 minute ago"
        case ..<120: return "\(minutes) minutes ago"
        case ..<2_880: return "\(minutes / 60) hours ago"
        case _: return "\(minutes / 1_440) days ago"
        }
    }
}
