// SPDX-License-Identifier: Apache-2.0
// The options of `mpin setup` about server, host, services and users.
import ArgumentParser
import MPinAdmin
import MPinHostChecks

extension Factor: ExpressibleByArgument {}
extension Unenrolled: ExpressibleByArgument {}
extension Desktop: ExpressibleByArgument {}
extension CodesWish: ExpressibleByArgument {}

struct SetupOptions: ParsableArguments {
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
}
