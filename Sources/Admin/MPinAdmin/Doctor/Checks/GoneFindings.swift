// SPDX-License-Identifier: Apache-2.0
// Whether what was switched on still asks M-Pin: an upgrade of a package may have replaced a file.

extension Check {
    static let gone = Check("gone", reads: "what setup and pam-auth-update have noted, and the stacks") {
        $0.doctor.goneFindings
    }
}

extension Doctor {
    /// The services that setup switched on, and a profile of pam-auth-update, that do not ask M-Pin any more.
    fileprivate var goneFindings: [Finding] {
        StackBackup.services(in: backups).compactMap(goneFinding) + profileFindings
    }

    private func goneFinding(_ name: String) -> Finding? {
        let service = shown(name)
        let undo = "'sudo mpin setup --undo --service \(service)' says that this is meant."
        guard stacks.asks(name) else {
            let path = shown(stacks.path(of: name))
            return Finding(
                problem: "rule-gone",
                "mpin setup switched \(service) on; its rule is gone: \(path) does not ask M-Pin.",
                "Has an upgrade replaced the file? 'sudo mpin setup --service \(service)' switches it on "
                    + "again, \(undo)")
        }
        let text = String(decoding: (try? stacks.read(name)) ?? [], as: UTF8.self)
        guard name == "sshd", text.contains(Mark.begin), fileFacts(SSHSettings.dropInFile)?.kind == .missing,
            SSHPlan.current(user: "nobody")?.missing.isEmpty == false
        else { return nil }
        return Finding(
            problem: "rule-gone",
            "mpin setup switched sshd on; its settings are gone: there is no \(SSHSettings.dropInFile).",
            "'sudo mpin setup --service sshd' writes them again, \(undo)")
    }

    /// pam-auth-update notes which profiles it has written into common-auth.
    private var profileFindings: [Finding] {
        let noted = String(decoding: fileText("/var/lib/pam/auth") ?? [], as: UTF8.self)
        let profiles = ["mpin", "mpin-first"].filter {
            noted.split(separator: "\n").contains("Module: \($0)")
        }
        guard let profile = profiles.first, stacks.path == PAMFolder.standard.path,
            !stacks.asks("common-auth")
        else { return [] }
        return [
            Finding(
                problem: "rule-gone",
                "pam-auth-update switched M-Pin on; its rule is gone from /etc/pam.d/common-auth.",
                "'sudo pam-auth-update --force --enable \(profile)' writes it again, 'sudo pam-auth-update "
                    + "--remove \(profile)' says that this is meant.")
        ]
    }
}
