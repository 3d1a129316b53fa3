// SPDX-License-Identifier: Apache-2.0
// The report of `mpin why`: the login methods, open or closed, the screen, and the policies that apply.
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore

/// How a login would begin.
package struct WhyReport: Report {
    let user: String
    let uid: UInt32?
    let service: String
    let source: String
    let remote: Bool
    /// The row of the table in pam_mpin(8) that decided `remote`.
    let seat: String
    /// `assumed`: sshd demands a public key before it asks M-Pin; `enough`: a key, and it does not ask M-Pin;
    /// absent if nothing is assumed.
    let key: String?
    /// `asks`, `does-not-ask` or `unread`.
    let stack: String
    /// The section of mpin.conf that holds; absent: what stands above the first one.
    let section: String?
    let pin: WayReport
    let phone: WayReport
    let backup: BackupReport
    /// What the screens ask for, even if no answer would be accepted.
    let asked: [String]
    /// Whether Enter alone is an answer, once a device has approved.
    let enter: Bool
    let unenrolled: String
    /// The setting that exempts the user; absent if M-Pin asks.
    private(set) var exempt: String?
    /// Why a list of exemptions exempts nobody; absent if none is at fault.
    let exemptFault: String?
    /// How the login ends; absent if a method is open.
    private(set) var outcome: String?
    private(set) var message: String?
    let screen: String
    private let policies: [[String]]
    private let failure: Failure?
    private let stackSentence: String
    private let seatSentence: String
    private let demandSentence: String?

    enum CodingKeys: CodingKey {
        case user, uid, service, source, remote, seat, key, stack, section, pin, phone, backup, asked, enter,
            unenrolled, exempt, exemptFault, outcome, message
    }

    init(
        _ login: Login, of user: String, with identities: [Identity], in context: LoginContext,
        by stack: ServiceStack, _ settings: Settings, exemption: Exemption?,
        after demand: SSHSettings.Demand, fault: ExemptionFault?, rootless: WithoutRoot?
    ) {
        self.user = user
        uid = context.account?.uid
        (service, source) = (text(context.service), text(context.source))
        remote = context.isRemote
        (seat, seatSentence) = ("\(context.seat.word)", context.seat.sentence)
        (key, demandSentence) = (demand.word, demand.sentence)
        (self.stack, stackSentence) = (stack.word, stack.sentence)
        section = settings.section.map { text($0) }
        exemptFault = fault.map { settings.sentence(of: $0) }
        let closed = rootless.map { _ in Unavailability.failed(.callerNotRoot) }
        pin = WayReport(
            closed ?? login.methods.pin, with: identities.filter { $0.pin != nil }, settings, of: user,
            by: context.isRemote ? settings.remoteReason : nil)
        phone = WayReport(
            closed ?? login.methods.phone, with: identities.filter { $0.pin == nil }, settings, of: user)
        let isAsked = exemption == nil && rootless == nil && demand != .keyAlone
        asked = isAsked ? login.asked : []
        screen = isAsked ? login.screenSentence(settings, asked, of: user) : "nothing is asked"
        backup = BackupReport(closed ?? login.methods.code, left: login.codesLeft, settings, of: user)
        enter = asked.contains("phone") && login.acceptsUnseen
        (unenrolled, policies) = ("\(settings.unenrolled)", settings.policyRows)
        if let exemption {
            exempt = "\(exemption.word)"
            (failure, outcome) = (nil, "exempt")
            message = settings.sentence(of: exemption, context)
        } else if let rootless {
            failure = rootless == .denied ? Failure(.callerNotRoot, settings) : nil
            (outcome, message) = (rootless.word, failure?.sentence ?? rootless.sentence(user))
        } else {
            let ending = isAsked ? login.methods.ending(settings) : nil
            failure = ending.flatMap { Failure($0, settings, of: user) }
            (outcome, message) = (ending?.word, failure?.sentence)
        }
    }

    private var sectionSentence: String {
        guard let section else {
            return "what stands above the first section, for there is no [\(shown(service))]"
        }
        return "the section [\(section)]"
            + (section == service ? "" : ", which holds for \(shown(service)) too")
    }

    /// How the login would end, if no method is open.
    package var failures: [Failure] { failure.map { [$0] } ?? [] }

    /// A row for each login method and each policy.
    package var lines: [String] {
        let account = uid.map { "\(shown(user)) (uid \($0))" } ?? shown(user)
        let place = remote ? "over the network, from \(shown(source))" : "at this host"
        let rows =
            [
                ["place", seatSentence]
            ] + (demandSentence.map { [["public key", $0]] } ?? []) + [
                ["stack", stackSentence], ["settings", sectionSentence], ["PIN", pin.sentence],
                ["second device", phone.sentence],
                ["backup code", backup.sentence],
                ["on the screen", screen],
            ] + (exempt == nil ? [] : [["exempt", message ?? ""]])
            + (exemptFault.map { [["exempt", $0]] } ?? [])
            + (outcome == "stepped-aside" ? [["not asked", message ?? ""]] : [])
        return ["\(account) in \(shown(service)), \(place)", ""]
            + alignedColumns((rows + policies).map { ["  " + $0[0], $0[1]] })
    }
}

extension WithoutRoot {
    fileprivate var word: String { self == .denied ? "broken" : "stepped-aside" }

    fileprivate func sentence(_ user: String) -> String {
        "The program runs as \(shown(user)) and not as root, so M-Pin steps aside, and the rest of the stack "
            + "decides."
    }
}

extension Login {
    /// What the screens ask for.
    fileprivate var asked: [String] {
        guard endUnasked == nil else { return [] }
        return (methods.showsPhone ? ["phone"] : []) + (methods.showsOTP ? ["otp"] : [])
            + (methods.showsPIN ? ["pin"] : []) + (asksForCode ? ["code"] : [])
    }
}

/// One login method, open or closed.
struct WayReport: Encodable {
    let open: Bool
    /// Why it is closed: a word, and below a sentence.
    let reason: String?
    let message: String?
    let identities: [IdentityReport]?
    /// Why it is open to remote logins.
    private let by: String?

    enum CodingKeys: CodingKey { case open, reason, message, identities }

    init(
        _ closed: Unavailability?, with identities: [Identity], _ settings: Settings, of user: String,
        by: String? = nil
    ) {
        open = closed == nil
        reason = closed?.word(settings)
        message = closed?.sentence(settings, of: user)
        self.identities = open ? identities.map { IdentityReport($0) } : nil
        self.by = by
    }

    var sentence: String {
        guard let identities else { return "closed: \(message ?? "")" }
        let names = identities.map { "\(shown($0.label)) (\($0.id8))" }.joined(separator: ", ")
        return "open: \(names)\(by.map { "; \($0)" } ?? "")"
    }
}

/// Backup codes: open or closed, and how many are left.
struct BackupReport: Encodable {
    let open: Bool
    let reason: String?
    let message: String?
    let left: Int?

    init(_ closed: Unavailability?, left: Int?, _ settings: Settings, of user: String) {
        open = closed == nil
        reason = closed?.word(settings)
        message = closed?.sentence(settings, of: user)
        self.left = left
    }

    var sentence: String { open ? "open: \(left ?? 0) left" : "closed: \(message ?? "")" }
}
