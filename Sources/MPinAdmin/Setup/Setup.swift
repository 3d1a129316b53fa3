// SPDX-License-Identifier: Apache-2.0
// `mpin setup`: from installed packages to the first login; nothing is switched on that was not proved.
import CPlatform
package import MPinHost
import MPinLogin
import MPinProof
import MPinStore

/// Who has no PIN on this host.
package enum Unenrolled: String, CaseIterable {
    /// They are asked for the password.
    case password
    /// They are not let in.
    case deny
}

/// Who logs in by a desktop service, such as gdm-password.
package enum Desktop: String, CaseIterable {
    /// Only people at this host.
    case here
    /// Others too.
    case remote
}

/// What was said of a setup, and the dialogue in which the rest is asked.
package struct Setup {
    /// `here`, or the address of mpind.
    package var backend: String?
    /// The name of this host at the server.
    package var host: String?
    /// PAM services.
    package var services: [String] = []
    /// What the PIN is; nil: as setup left it, else the only factor.
    package var factor: Factor?
    /// What becomes of people without a PIN; nil: as setup left it, else the password.
    package var unenrolled: Unenrolled?
    /// Who logs in by desktop services; nil: it is asked.
    package var desktop: Desktop?
    /// Accounts to enrol, as `account[=identity]`.
    package var users: [String] = []
    /// An absolute path of certificates that may vouch for the server.
    package var caFile: [UInt8]?
    /// The page for second devices, before its '#'.
    package var phoneAddress: String?
    /// Whether it is shown what would be done, and nothing is changed.
    package var isDryRun = false
    /// Whether no confirmation is asked for.
    package var isAgreed = false
    /// Whether root may be left without another way in.
    package var waivesWayBack = false
    /// Whether accounts may be shut out of ssh; if not, whoever is at a terminal is asked.
    package var shutsOut = false
    /// Whether a program reads what comes out, so that nobody is asked about accounts.
    package var isForPrograms = false
    let dialogue: Dialogue
    let places: HostPlaces

    /// A setup of the host that has these places.
    package init(_ dialogue: Dialogue, of places: HostPlaces = .standard) {
        (self.dialogue, self.places) = (dialogue, places)
    }

    /// Sets everything up, or shows what it would do. Throws what stands against it.
    package func run() throws(Failure) -> SetupReport {
        try Setup.checkRoot()
        let folder = try SetupFolder(at: places.drafts)
        let wish = try wishes()
        let plan = try SetupPlan(wish, folder)
        try plan.checkWayBack(isWaived: waivesWayBack)
        guard !isDryRun else { return SetupReport(plan, isDryRun: true) }
        for line in plan.lines { dialogue.progress(line) }
        try confirmShutOut(plan)
        try confirm()
        return try done(plan, folder)
    }

    /// Switches M-Pin off: in the services that are named, or in all. Throws if that cannot begin.
    package func undo() throws(Failure) -> SetupReport {
        try Setup.checkRoot()
        return try undone(SetupFolder(at: places.drafts))
    }

    private static func checkRoot() throws(Failure) {
        guard geteuid() == 0 else {
            throw Failure(.settings, "mpin setup changes files of root. Run it as root: sudo mpin setup.")
        }
    }

    private func done(_ plan: SetupPlan, _ folder: borrowing SetupFolder) throws(Failure) -> SetupReport {
        var report = SetupReport(plan, isDryRun: false)
        let wish = plan.wish
        if wish.isHere { try startServer(plan) }
        try wish.authority?.keep()
        // Those that stand are the ones by which people log in now: they stay until the new ones are proved.
        let config = try plan.draftSettings(folder)
        let settings = try wish.loaded(for: "mpin", from: config)
        if plan.mustJoin { try join(wish, settings) }
        let prover = try enrolled(wish, config: config, &report)
        guard !plan.isSwitchedOn else { return report }
        switch consume prover {
        case .none:
            try plan.writeFirstSettings()
            return report
        case .some(let prover):
            report.proved = try prove(plan, by: prover, in: folder, config: config, settings)
        }
        try plan.writeSettings()
        try switchOn(plan)
        report.switchedOn = wish.services
        return report
    }

    /// - Returns: who logged in by each of the services.
    private func prove(
        _ plan: SetupPlan, by prover: consuming Prover, in folder: borrowing SetupFolder, config: String,
        _ settings: Settings
    ) throws(Failure) -> String {
        let asksPassword = plan.stacks.contains { $0.factor == .second }
        let proof = try StackProof.ask(of: prover, dialogue, settings, asksPassword: asksPassword)
        let name = text(proof.account.name)
        for stack in plan.stacks {
            dialogue.progress("Proving a login of \(name) by \(stack.service) ...")
            try proof.run(stack, of: plan, in: folder, config: config)
        }
        return name
    }

    private func confirm() throws(Failure) {
        guard !isAgreed else { return }
        try agree("Do all this? [y/N] ", otherwise: "Say --yes, or --dry-run.")
    }

    func agree(_ question: String, otherwise: String) throws(Failure) {
        let answer = try dialogue.ask(question, otherwise: otherwise)
        guard ["y", "Y", "yes"].contains(String(decoding: answer, as: UTF8.self)) else { throw .cancelled }
    }
}
