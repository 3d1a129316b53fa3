// SPDX-License-Identifier: Apache-2.0
// `mpin setup`: from installed packages to the first login; nothing is switched on that was not proved.
import ArgumentParser
import CPlatform
import MPinHost
import MPinLogin
import MPinProof

extension Factor: ExpressibleByArgument {}

/// Who has no PIN on this host.
enum Unenrolled: String, ExpressibleByArgument, CaseIterable { case password, deny }

/// Who logs in by a desktop service, such as gdm-password.
enum Desktop: String, ExpressibleByArgument, CaseIterable { case here, remote }

struct SetupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set up M-Pin logins on this host, or take them out again.",
        discussion: """
            Asks for what is not given, shows every file before and after, proves one login by PAM, and only
            then switches the services on. `mpin setup --undo` leaves their files as they were.
            """)

    @Option(
        help: ArgumentHelp(
            "Where mpind is: 'here' (set up on this host), or its address.", valueName: "here|address"))
    var backend: String?
    @Option(help: ArgumentHelp("The name of this host at the server.", valueName: "name")) var host: String?
    @Option(help: ArgumentHelp("A PAM service, such as sudo or sshd. May repeat.", valueName: "name"))
    var service: [String] = []
    @Option(
        help: ArgumentHelp(
            "What the PIN is: the only factor, first with the password behind it, or second beside it. "
                + "(default: as setup left it, else only)", valueName: "only|first|second"))
    var factor: Factor?
    @Option(
        help: ArgumentHelp(
            "People without a PIN here: ask them for the password, or do not let them in. "
                + "(default: as setup left it, else password)", valueName: "password|deny"))
    var unenrolled: Unenrolled?
    @Option(
        help: ArgumentHelp(
            "Who logs in by gdm, lightdm, sddm and polkit-1: only people at this host ('remote = no'), or "
                + "others too. (default: asked; 'here' with --yes)", valueName: "here|remote"))
    var desktop: Desktop?
    @Option(help: ArgumentHelp("An account to enrol. May repeat.", valueName: "account[=identity]"))
    var user: [String] = []
    @Option(
        help: ArgumentHelp(
            "Certificates that may vouch for the server; kept in \(SetupAuthority.kept), unless they are "
                + "below /etc already.", valueName: "file"))
    var caFile: String?
    @Option(help: ArgumentHelp("The page for second devices, before its '#'.", valueName: "url"))
    var phoneAddress: String?
    @OptionGroup var pin: PINOptions
    @OptionGroup var code: CodeOptions
    @ArgumentParser.Flag(help: "Show what would be done, and change nothing.") var dryRun = false
    @ArgumentParser.Flag(help: "Ask for no confirmation.") var yes = false
    @ArgumentParser.Flag(help: "Switch M-Pin off: in the services named, or in all.") var undo = false
    @ArgumentParser.Flag(help: "Go on although root might have no other way in.") var noWayBack = false
    @ArgumentParser.Flag(help: "Go on although some accounts could no longer log in by ssh.")
    var shutOut = false
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> SetupReport {
        guard geteuid() == 0 else {
            throw Failure(.settings, "mpin setup changes files of root. Run it as root: sudo mpin setup.")
        }
        let folder = try SetupFolder()
        guard !undo else { return try undone(folder) }
        let wish = try wishes()
        let plan = try SetupPlan(wish, folder)
        try plan.checkWayBack(isWaived: noWayBack)
        guard !dryRun else { return SetupReport(plan, isDryRun: true) }
        for line in plan.lines { progress(line) }
        try confirmShutOut(plan)
        try confirm()
        return try done(plan, folder)
    }

    func progress(_ line: String) { if !output.json { say(line) } }

    private func done(_ plan: SetupPlan, _ folder: borrowing SetupFolder) throws(Failure) -> SetupReport {
        var report = SetupReport(plan, isDryRun: false)
        let wish = plan.wish
        if wish.isHere { try startServer(plan) }
        try wish.authority?.keep()
        // Those that stand are the ones by which people log in now: they stay until the new ones are proved.
        let config = try plan.draftSettings(folder)
        let settings = try wish.loaded(for: "mpin", from: config)
        if plan.mustJoin { try join(wish, settings) }
        let prover = try enrolled(wish, config, &report)
        guard !plan.isSwitchedOn else { return report }
        switch consume prover {
        case .none:
            try plan.writeFirstSettings()
            return report
        case .some(let prover): report.proved = try prove(plan, prover, folder, config, settings)
        }
        try plan.writeSettings()
        try switchOn(plan)
        report.switchedOn = wish.services
        return report
    }

    /// - Returns: who logged in by each of the services.
    private func prove(
        _ plan: SetupPlan, _ prover: consuming Prover, _ folder: borrowing SetupFolder, _ config: String,
        _ settings: Settings
    ) throws(Failure) -> String {
        let asksPassword = plan.stacks.contains { $0.factor == .second }
        let proof = try StackProof.of(prover, pin, settings, asksPassword: asksPassword)
        let name = text(proof.account.name)
        for stack in plan.stacks {
            progress("Proving a login of \(name) by \(stack.service) ...")
            try proof.run(stack, of: plan.stacks, folder, config)
        }
        return name
    }

    private func confirm() throws(Failure) {
        guard !yes else { return }
        try agree("Do all this? [y/N] ", otherwise: "Say --yes, or --dry-run.")
    }

    func agree(_ question: String, otherwise: String) throws(Failure) {
        let answer = try SecretInput.openly(question, otherwise: otherwise)
        guard ["y", "Y", "yes"].contains(String(decoding: answer, as: UTF8.self)) else { throw .cancelled }
    }
}
