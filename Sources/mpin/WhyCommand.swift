// SPDX-License-Identifier: Apache-2.0
// `mpin why`: how a login would begin, and what decides it, by the value that a login itself begins with.
import ArgumentParser
import CPlatform
import MPinClient

struct WhyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain which ways in a login would have, and what decides it.",
        discussion: """
            Reads settings and store as the login does. Asks neither the person nor the server, and counts \
            as no attempt.
            """)

    @Argument(help: "The account, as it would be typed.") var user: String
    @Option(help: ArgumentHelp("The PAM service.", valueName: "name")) var service: String
    @Option(help: ArgumentHelp("PAM_RHOST: where the person comes from.", valueName: "address"))
    var rhost: String?
    @Option(help: ArgumentHelp("PAM_TTY, such as tty1; of sshd it is always 'ssh'.", valueName: "name"))
    var tty: String?
    @Flag(help: "As after a public key that sshd accepted.") var key = false
    @Option(
        help: ArgumentHelp(
            "An argument of the module in pam.d, such as method=pin. May repeat.", valueName: "key=value"))
    var argument: [String] = []
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> WhyReport {
        // sshd says this before it starts PAM.
        let tty = (tty ?? (service == "sshd" ? "ssh" : nil)).map { [UInt8]($0.utf8) }
        let rhost = rhost.map { [UInt8]($0.utf8) }
        let settings = try settings(remote: Scene.isRemote(rhost: rhost, tty: tty))
        // Root sees the store as a login does; to anybody else it would only be closed.
        if geteuid() != 0 { try checkOwner(settings.store) }
        let scene = Scene(
            service: settings.service, account: try account(named: [UInt8](user.utf8)), rhost: rhost,
            tty: tty,
            authInfo: key ? [UInt8]("publickey ".utf8) : nil, realUID: getuid())
        let standing = Standing.find(settings, scene)
        let identities = standing.identities
        let login = Login(settings: settings, scene: scene, standing: standing, nonce: freshNonce)
        return WhyReport(user, settings, scene, login, identities)
    }

    private func settings(remote: Bool) throws(Failure) -> Settings {
        var arguments = argument.map { [UInt8]($0.utf8) }
        if let config { arguments.append([UInt8]("config=".utf8) + absolute(config)) }
        if let store = store.store { arguments.append([UInt8]("store=".utf8) + absolute(store)) }
        do throws(SettingsError) {
            return try Settings.load(arguments: arguments, service: [UInt8](service.utf8), remote: remote)
        } catch {
            guard error.problem == .unreadable(.missing) else { throw Failure(error) }
            throw Failure(.settings, "There is no \(text(error.file)), and without it nobody is let in.")
        }
    }
}

struct WhyReport: Report {
    let user: String
    let uid: UInt32?
    let service: String
    let source: String
    let remote: Bool
    let pin: WayReport
    let phone: WayReport
    /// What the screens ask for, whether or not it can be right.
    let asked: [String]
    /// Whether Enter alone is an answer, once a device has approved.
    let enter: Bool
    let unenrolled: String
    let unavailable: String
    /// How it ends; absent if a way is open.
    private(set) var outcome: String?
    private(set) var message: String?
    let screen: String
    private let policies: [[String]]
    private let failure: Failure?

    enum CodingKeys: CodingKey {
        case user, uid, service, source, remote, pin, phone, asked, enter, unenrolled, unavailable, outcome,
            message
    }

    init(
        _ user: String, _ settings: Settings, _ scene: Scene, _ login: borrowing Login,
        _ identities: [Identity]
    ) {
        self.user = user
        uid = scene.account?.uid
        service = String(decoding: scene.service, as: UTF8.self)
        source = String(decoding: scene.source, as: UTF8.self)
        remote = scene.isRemote
        pin = WayReport(
            login.ways.pin, identities.filter { $0.pin != nil }, settings,
            by: scene.isRemote ? settings.remoteReason : nil)
        phone = WayReport(login.ways.phone, identities.filter { $0.pin == nil }, settings)
        let asks = login.endUnasked == nil
        asked =
            (asks && login.ways.showsPhone ? ["phone"] : []) + (asks && login.ways.showsPIN ? ["pin"] : [])
        enter = asked.contains("phone") && login.acceptsUnseen
        unenrolled = "\(settings.unenrolled)"
        unavailable = "\(settings.unavailable)"
        screen = login.screenSentence(settings, asked)
        policies = settings.policyRows(remote: remote)
        let ending = login.ways.ending(settings)
        failure = ending.flatMap { Failure($0, settings) }
        outcome = ending?.word
        message = failure?.sentence
    }

    var failures: [Failure] { failure.map { [$0] } ?? [] }

    var lines: [String] {
        let account = uid.map { "\(shown(user)) (uid \($0))" } ?? shown(user)
        let place = remote ? "over the network, from \(shown(source))" : "at this host"
        let rows = [["PIN", pin.sentence], ["second device", phone.sentence], ["on the screen", screen]]
        return ["\(account) in \(shown(service)), \(place)", ""]
            + table((rows + policies).map { ["  " + $0[0], $0[1]] })
    }
}

/// One way in, open or closed.
struct WayReport: Encodable {
    let open: Bool
    /// What closes it: a word and a sentence.
    let reason: String?
    let message: String?
    let identities: [IdentityReport]?
    /// Why it is open to people from afar.
    private let by: String?

    enum CodingKeys: CodingKey { case open, reason, message, identities }

    init(_ obstacle: Obstacle?, _ identities: [Identity], _ settings: Settings, by: String? = nil) {
        open = obstacle == nil
        reason = obstacle?.word(settings)
        message = obstacle?.sentence(settings)
        self.identities = open ? identities.map { IdentityReport($0) } : nil
        self.by = by
    }

    var sentence: String {
        guard let identities else { return "closed: \(message ?? "")" }
        let names = identities.map { "\(shown($0.label)) (\($0.id8))" }.joined(separator: ", ")
        return "open: \(names)\(by.map { "; \($0)" } ?? "")"
    }
}
