// SPDX-License-Identifier: Apache-2.0
// Whether the PAM stack of a service asks M-Pin, and with which arguments.
import MPinHost

/// What /etc/pam.d says about one service.
struct ServiceStack {
    /// `asks`, `does-not-ask` or `unread`.
    let word: String
    let sentence: String
    /// The arguments of the module's first line in the stack.
    private(set) var arguments: [String] = []

    init(_ service: String, in folder: PAMFolder) {
        do throws(PAMError) {
            let stack = try folder.stack(service)
            guard let rule = stack.places().first?.entry else {
                word = "does-not-ask"
                sentence = "no line in /etc/pam.d/\(shown(service)) names \(pamModule): M-Pin is not asked"
                return
            }
            word = "asks"
            arguments = rule.rule.arguments
            let with = arguments.isEmpty ? "" : " with " + shown(arguments.joined(separator: " "))
            sentence = "M-Pin is asked at /etc/pam.d/\(shown(rule.file)):\(rule.line)\(with)"
        } catch {
            guard error.problem != .missing || error.line > 0 else {
                word = "does-not-ask"
                sentence = "there is no /etc/pam.d/\(shown(service)): M-Pin is not asked"
                return
            }
            word = "unread"
            sentence = StackCheck.finding(error, explained(error.problem)).message
        }
    }
}
