// SPDX-License-Identifier: Apache-2.0
// Whether the PAM stack of a service asks M-Pin, and with which arguments.

/// What the stacks say about one service.
struct ServiceStack {
    /// `asks`, `does-not-ask` or `unread`.
    let word: String
    let sentence: String
    /// The arguments of the module's first line in the stack.
    private(set) var arguments: [String] = []

    init(_ service: String, in folder: PAMFolder) {
        let path = shown(folder.path(of: folder.file(of: service)))
        do throws(PAMError) {
            let stack = try folder.stack(service)
            let none = "'\(shown(service))' has no auth rule, and those of 'other' count"
            guard let rule = stack.places().first?.entry else {
                word = "does-not-ask"
                sentence =
                    stack.isOfOther
                    ? "\(none), which do not name \(pamModule): M-Pin is not asked"
                    : "no line in \(path) names \(pamModule): M-Pin is not asked"
                return
            }
            word = "asks"
            arguments = rule.rule.arguments
            let with = arguments.isEmpty ? "" : " with " + shown(arguments.joined(separator: " "))
            sentence =
                "M-Pin is asked at \(shown(rule.place))\(with)" + (stack.isOfOther ? " (\(none))" : "")
        } catch {
            guard error.reason != .missing || error.line > 0 else {
                word = "does-not-ask"
                sentence = "there is no \(path): M-Pin is not asked"
                return
            }
            word = "unread"
            sentence = StackCheck.finding(error).message
        }
    }
}
