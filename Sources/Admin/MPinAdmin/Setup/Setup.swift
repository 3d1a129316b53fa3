// SPDX-License-Identifier: Apache-2.0
// `mpin setup`: from installed packages to the first login. It switches nothing on that a login has not
// proved.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore

/// What happens to users who have no PIN on this host.
package enum Unenrolled: String, CaseIterable {
    /// They are asked for the password.
    case password
    /// They are refused.
    case deny
}

/// Who logs in by a desktop service, such as gdm-password.
package enum Desktop: String, CaseIterable {
    /// Only users at this host.
    case here
    /// Remote users too.
    case remote
}

/// Whether setup makes backup codes for the first account.
package enum CodesWish: String, CaseIterable {
    case yes, no

    /// The services that take backup codes, unless mpin.conf says otherwise.
    static let services = ["sudo", "login"]

    /// Whether sudo or login is among these services, or includes one of them.
    static func areUsual(_ switchedOn: [String], in folder: PAMFolder) -> Bool {
        ["sudo", "sudo-i", "login"].contains { service in
            let included = (try? folder.stack(service))?.rules.map(\.file) ?? []
            return !Set(included + [service]).isDisjoint(with: switchedOn)
        }
    }
}

/// What the command line says about a setup, and the dialogue that asks for the rest.
package struct Setup {
    /// `here`, or the address of mpind.
    package var backend: String?
    /// The name of this host at the server.
    package var host: String?
    /// PAM services.
    package var services: [String] = []
    /// What the PIN is; nil: as setup left it, else the only factor.
    package var factor: Factor?
    /// What happens to users without a PIN; nil: as setup left it, else the password.
    package var unenrolled: Unenrolled?
    /// Who logs in by desktop services; nil: setup asks.
    package var desktop: Desktop?
    /// Whether the first account gets backup codes; nil: as setup left it, else yes for sudo and login.
    package var backupCodes: CodesWish?
    /// Accounts to enrol, as `account[=identity]`.
    package var users: [String] = []
    /// An absolute path of certificates that may vouch for the server.
    package var caFile: [UInt8]?
    /// The page for second devices, before its '#'.
    package var phoneAddress: String?
    /// Whether setup only shows what it would do, and changes nothing.
    package var isDryRun = false
    /// Whether setup asks for no confirmation.
    package var isAgreed = false
    /// Whether root may be left without another way to log in.
    package var waivesWayBack = false
    /// Whether accounts may be shut out of ssh. If not, setup asks at a terminal, and refuses without one.
    package var shutsOut = false
    /// Whether a program reads the output, so that setup asks no question about accounts.
    package var isForPrograms = false
    let dialogue: Dialogue
    let places: HostPlaces

    /// A setup of the host with these paths.
    package init(_ dialogue: Dialogue, of places: HostPlaces = .standard) {
        (self.dialogue, self.places) = (dialogue, places)
    }

    /// Sets everything up, or shows what it would do. Throws if that is not possible.
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

    /// Switches M-Pin off in `services`, or in all services if it is empty. Throws if that cannot begin.
    package func undo() throws(Failure) -> SetupReport {
        try Setup.checkRoot()
        return try undone(SetupFolder(at: places.drafts))
    }

    private static func checkRoot() throws(Failure) {
        guard geteuid() == 0 else {
            throw Failure(
                .settings,
                "Permission denied: mpin setup changes files of root. Run it as root: sudo mpin setup.")
        }
    }

    private func done(_ plan: SetupPlan, _ folder: borrowing SetupFolder) throws(Failure) -> SetupReport {
        var report = SetupReport(plan, isDryRun: false)
        let wish = plan.wish
        if wish.isHere { try startServer(plan) }
        try wish.authority?.keep()
        // Users log in by the current settings now, so these stay until a login has proved the new ones.
        let config = try plan.draftSettings(folder)
        let settings = try wish.loaded(for: nil, from: config)
        if plan.mustJoin { try join(wish, settings) }
        let prover = try enrolled(wish, config: config, &report)
        guard !plan.isSwitchedOn else {
            if backupCodes == .yes { report.codes = try makeCodes(plan, config: config) }
            return report
        }
        switch consume prover {
        case .none:
            try plan.writeFirstSettings()
            return report
        case .some(let prover):
            report.proved = try prove(plan, by: prover, in: folder, config: config, settings)
        }
        report.codes = try makeCodes(plan, config: config)
        do throws(Failure) {
            try plan.writeSettings()
            try switchOn(plan)
        } catch {
            // Only a report that is not printed now would have shown them.
            if isForPrograms { forgetCodes(plan, report.codes) }
            throw error
        }
        report.switchedOn = wish.services
        return report
    }

    /// Proves each stack by a login.
    /// - Returns: the name of the account that logged in.
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
        try agree("Do all this? [y/N] ", otherwise: "Use --yes, or --dry-run.")
    }

    /// Asks a question; throws `cancelled` unless the answer is yes.
    func agree(_ question: String, otherwise: String) throws(Failure) {
        let answer = try dialogue.ask(question, otherwise: otherwise)
        guard ["y", "Y", "yes"].contains(String(decoding: answer, as: UTF8.self)) else { throw .cancelled }
    }
}
