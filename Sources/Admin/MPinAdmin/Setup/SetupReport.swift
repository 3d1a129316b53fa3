// SPDX-License-Identifier: Apache-2.0
// The report of `mpin setup`: what it did, or would do.

/// What setup has set up or undone, or would do.
package struct SetupReport: Report {
    let dryRun: Bool
    private(set) var host: String?
    private(set) var backend: String?
    /// Accounts that got a PIN in this run.
    var enrolled: [String] = []
    /// The account whose login proved the stacks.
    var proved: String?
    var switchedOn: [String] = []
    var switchedOff: [String] = []
    /// Services whose rule was gone already, and that doctor no longer asks for.
    var forgotten: [String] = []
    /// Files that were changed, or would be.
    var files: [String] = []
    /// The lines that describe the changes, for people and for programs.
    var changes: [String] = []
    /// By path, the lines between the marks of setup that others wrote: an undo keeps them.
    var kept: [String: [String]] = [:]
    /// Accounts that ssh no longer lets in, or no longer as before, and why.
    private(set) var shutOut: [ShutOutReport] = []
    /// Whether the administrator must agree to that.
    private var asksAboutThem = false
    /// The backup codes that were made.
    var codes: SetupCodes?
    /// Why some changes could not be undone.
    package var failures: [Failure] = []
    private let isUndo: Bool
    private let services: [String]
    /// Whether the server runs on this host.
    private let isHere: Bool

    enum CodingKeys: String, CodingKey {
        case dryRun, host, backend, enrolled, proved, switchedOn, switchedOff, files, changes, shutOut
        case codes = "backupCodes"
    }

    init(_ plan: SetupPlan, isDryRun: Bool) {
        dryRun = isDryRun
        host = plan.wish.host
        backend = plan.wish.settings.backend
        services = plan.wish.services
        files = plan.files
        changes = plan.lines
        shutOut = plan.shutOut.map(ShutOutReport.init)
        asksAboutThem = plan.shutOut.contains(where: \.reason.mustBeAgreed)
        isUndo = false
        isHere = plan.wish.isHere
        if plan.isSwitchedOn { switchedOn = plan.wish.services }
    }

    /// The report of an undo.
    init(isDryRun: Bool) {
        dryRun = isDryRun
        services = []
        isUndo = true
        isHere = false
    }

    private var keptLines: [String] {
        kept.sorted { $0.key < $1.key }.flatMap { path, lines in
            ["\(path) keeps what somebody wrote between the marks of mpin setup:"] + lines.map { "    \($0)" }
        }
    }

    /// What was done and what comes next.
    package var lines: [String] {
        if dryRun {
            let asks =
                asksAboutThem
                ? ["Without a terminal, setup goes on only with --shut-out."] : []
            return changes + keptLines + asks + ["This was a dry run: nothing was changed."]
        }
        if isUndo {
            let gone = forgotten.map { "\(shown($0)): its rule was gone already." }
            guard !switchedOff.isEmpty || !files.isEmpty || !failures.isEmpty || !gone.isEmpty else {
                return ["mpin setup has changed nothing here, so there is nothing to undo."]
            }
            let stays =
                "PINs, the host's key and the server stay. 'sudo mpin remove NAME' removes a PIN; purging "
                + "the packages removes everything."
            return files.filter { kept[$0] == nil }.map { "\($0) is as it was." } + gone + keptLines + [stays]
        }
        guard !switchedOn.isEmpty else {
            return [
                "Everything is prepared, and nothing is switched on: nobody has a PIN here to prove a login.",
                "Enrol a user and run this command again:",
                "    sudo mpin setup --user ACCOUNT "
                    + services.filter { $0 != "sudo-i" }.map { "--service \($0)" }.joined(separator: " "),
            ]
        }
        var lines = ["M-Pin is switched on for \(switchedOn.joined(separator: ", "))."]
        if let proved { lines[0] += " A login of \(proved) has proved it." }
        if !shutOut.isEmpty {
            lines.append("ssh no longer lets in as before: \(ShutOutReport.names(shutOut)).")
        }
        return lines + [
            "More users: \(ServerPlace.enrolmentCommand(isHere: isHere))",
            "To undo this: sudo mpin setup --undo",
            "Keep this session open until you have logged in once in another.",
        ]
    }
}
