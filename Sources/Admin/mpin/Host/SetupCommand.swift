// SPDX-License-Identifier: Apache-2.0
// `mpin setup`: from installed packages to the first login. It switches a service on only after a login has
// been proved to work.
import ArgumentParser
import MPinAdmin

extension Factor: ExpressibleByArgument {}
extension Unenrolled: ExpressibleByArgument {}
extension Desktop: ExpressibleByArgument {}
extension CodesWish: ExpressibleByArgument {}

struct SetupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set up M-Pin logins on this host, or remove them again.",
        discussion: """
            Asks for what is not given, shows every file before and after, tests one login through PAM, and
            only then switches the services on. `mpin setup --undo` restores their files as they were.
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
            "What the PIN is: the only factor, enough with the password as a fallback (first), or needed "
                + "with it (second). (default: as setup left it, else only)", valueName: "only|first|second"))
    var factor: Factor?
    @Option(
        help: ArgumentHelp(
            "Users without a PIN here: ask them for the password, or do not let them in. "
                + "(default: as setup left it, else password)", valueName: "password|deny"))
    var unenrolled: Unenrolled?
    @Option(
        help: ArgumentHelp(
            "Who logs in by gdm, lightdm, sddm and polkit-1, or by login in a container: only users at this "
                + "host ('remote = no'), or others, too. (default: asked; 'here' with --yes, but not for "
                + "login)", valueName: "here|remote"))
    var desktop: Desktop?
    @Option(help: ArgumentHelp("An account to enrol. May repeat.", valueName: "account[=identity]"))
    var user: [String] = []
    @Option(
        help: ArgumentHelp(
            "Whether the first account gets backup codes, good while the server is away. (default: as setup "
                + "left it, else yes for sudo and login)", valueName: "yes|no"))
    var backupCodes: CodesWish?
    @Option(
        help: ArgumentHelp(
            "Certificates to trust for the server; kept in \(SetupAuthority.kept), unless they are "
                + "below /etc already.", valueName: "file"))
    var caFile: String?
    @Option(help: ArgumentHelp("The page for second devices, up to its '#'.", valueName: "url"))
    var phoneAddress: String?
    @OptionGroup var pin: PINOptions
    @OptionGroup var code: CodeOptions
    @Flag(help: "Show what would be done, and change nothing.") var dryRun = false
    @Flag(help: "Ask for no confirmation.") var yes = false
    @Flag(help: "Switch M-Pin off: in the services named, or in all.") var undo = false
    @Flag(help: "Continue although root might have no other way to log in.") var noWayBack = false
    @Flag(help: "Continue although some accounts could no longer log in by ssh.")
    var shutOut = false
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        var setup = Setup(Dialogue(pin: pin.pinFd, code: code.codeFd, showsProgress: !output.json))
        (setup.backend, setup.host, setup.services) = (backend, host, service)
        (setup.factor, setup.unenrolled) = (factor, unenrolled)
        (setup.desktop, setup.users) = (desktop, user)
        (setup.backupCodes, setup.caFile) = (backupCodes, caFile.map(absolute))
        setup.phoneAddress = phoneAddress
        (setup.isDryRun, setup.isAgreed, setup.isForPrograms) = (dryRun, yes, output.json)
        (setup.waivesWayBack, setup.shutsOut) = (noWayBack, shutOut)
        return undo ? try setup.undo() : try setup.run()
    }
}
