// SPDX-License-Identifier: Apache-2.0
// Sentences about the files of a login host that `mpin setup` reads and writes.
import MPinHostChecks
import Octets

extension Failure {
    init(_ error: HostFileError) {
        self.init(.settings, "\(shown(error.path)): \(explained(error.problem))")
    }

    /// - Parameter folder: the folder of the PAM stacks.
    init(_ error: PAMError, in folder: String = PAMFolder.standard.path) {
        let file = error.file.hasPrefix("/") ? error.file : "\(folder)/\(error.file)"
        let line = error.line > 0 ? ":\(error.line)" : ""
        self.init(.settings, "\(shown(file))\(line): \(explained(error.problem)) Nothing was changed.")
    }
}

private func explained(_ problem: TrustedFile.Fault) -> String {
    switch problem {
    case .missing: "there is no such file."
    case .notAFile: "it is not the file that belongs here, but a link or something else."
    case .foreignOwner, .tooOpen: "users other than root can change it."
    case .tooLong: "it is too long."
    case .changed: "another program changed it meanwhile. Run the command again."
    case .system(let number): "\(accessMessage(number))."
    }
}

func explained(_ problem: PAMError.Problem) -> String {
    switch problem {
    case .missing: "there is no such file."
    case .unreadable(let number): "\(accessMessage(number))."
    case .tooLong: "it is longer than 64 KiB."
    case .lineTooLong: "the line is longer than libpam takes (1023 bytes)."
    case .foreignOctet: "the line has a NUL, a carriage return, or octets that are not UTF-8."
    case .endsContinued: "the last line is continued, but nothing follows."
    case .unknownType(let word): "'\(shown(word))' is not one of auth, account, password, session, @include."
    case .badControl(let word): "libpam knows no control '\(shown(word))'."
    case .noControl: "the line ends where a control is expected."
    case .noModule: "the line names no module."
    case .includesItself: "the file includes itself, or too many others."
    case .notAFile: "it is a link, or not a file; put a file there, or edit the target of the link."
    case .asksNothing: "no rule here asks for a password, so there is no place for a PIN."
    case .moduleIsThere:
        "pam_mpin.so is here already, but mpin setup did not add it. Take the line out (or run "
            + "'sudo pam-auth-update --remove mpin mpin-first'), or leave the stack as it is."
    case .jumps:
        "this rule skips a number of rules, and with one rule more or less it would skip the wrong ones. "
            + "Edit the stack by hand."
    case .belongsInto(let service): "it includes '\(shown(service))'. Use --service \(shown(service))."
    case .brokenMarks:
        "the marks of mpin setup are not a pair. The text from before setup is in "
            + "\(HostPlaces.standard.backups)."
    case .continuedWithinMarks:
        "this line between the marks of mpin setup is continued, so it cannot be told what setup wrote. "
            + "Edit the stack by hand."
    case .letsNobodyIn:
        "nobody can log in here, and with M-Pin's rule users with a PIN could. To open it, give it rules "
            + "that ask for a password first."
    case .refusesNobody:
        "no rule here refuses a user by itself, so the PIN would be enough beside a wrong password. End the "
            + "stack with 'auth required pam_deny.so'."
    case .ofPackage(let service):
        "a package has written it. Copy it to /etc/pam.d/\(shown(service)) first."
    }
}
