// SPDX-License-Identifier: Apache-2.0
// The plan for one stack, and the checks that it lets nobody in whom an administrator keeps out.
import MPinSystem
import MPinHostStore

extension SetupPlan {
    /// A file of /etc/pam.d and its new text.
    struct Stack {
        let service: String
        let factor: Factor
        let file: HostFile
        let after: [UInt8]
        /// The text for the login that proves the stack.
        let proving: [UInt8]
        /// Sentences about rules before ours that may let users in without a PIN.
        let bypasses: [String]
        /// Modules after ours that may refuse a login, but that a login with a PIN would skip.
        let skipped: [String]
        var isChanged: Bool { file.text != after }

        /// - Parameter said: the factor that the options give; nil: as setup left the stack.
        init(_ service: String, _ said: Factor?, in folder: PAMFolder) throws(Failure) {
            do throws(PAMError) {
                let (file, pam) = try folder.file(service)
                let factor = said ?? pam.factor ?? .only
                let after = try pam.with(factor, read: folder.read)
                let place = try folder.stack(service, with: [service: after]).places().first
                if let refusal = place?.refusal { throw PAMError(file: service, refusal) }
                (self.service, self.factor, self.file, self.after) = (service, factor, file, after)
                proving = try pam.proving(factor, read: folder.read)
                bypasses = (place?.bypasses ?? []).map {
                    "\(shown(service)): \(shown($0.rule.module)) (line \($0.line)) lets users in before a "
                        + "PIN is asked for."
                }
                skipped = (place?.skipped ?? []).map { shown($0.rule.module) }
            } catch { throw Failure(error, in: folder.path) }
        }
    }
}

extension PAMStack.ModulePosition {
    /// Why setup does not put its rule here.
    fileprivate var refusal: String? {
        if isClosed {
            "nobody can log in here, and with M-Pin's rule users with a PIN could. To open it, give it rules "
                + "that ask for a password first."
        } else if isEnoughAlone {
            "no rule here refuses a user by itself, so the PIN would be enough beside a wrong password. End "
                + "the stack with 'auth required pam_deny.so'."
        } else {
            nil
        }
    }
}

extension PAMFolder {
    /// Whether setup could put its rule into a stack, but nobody can log in there today. With its rule in the
    /// stack, users with a PIN can.
    func letsNobodyIn(_ service: String) -> Bool {
        do throws(PAMError) {
            let pam = try file(service).pam
            guard try pam.withoutSetup() == nil else { return false }
            let after = try pam.with(.only, read: read)
            return try stack(service, with: [service: after]).places().contains(where: \.isClosed)
        } catch { return false }
    }

    /// The services that include one of the stacks.
    private func includers(of stacks: [SetupPlan.Stack]) -> [StackCheck] {
        let texts = Dictionary(stacks.map { ($0.service, $0.after) }) { first, _ in first }
        return serviceNames(in: self).filter { texts[$0] == nil }.compactMap { service in
            (try? stack(service, with: texts)).map { StackCheck($0) }
        }.filter { check in check.places.contains { texts[$0.entry.file] != nil } }
    }

    /// The note about services that include one of the stacks and belong to programs that run as the user.
    func runAsUser(with stacks: [SetupPlan.Stack]) -> [String] {
        Finding.asUser(in: includers(of: stacks)).map(\.message)
    }

    /// What services that include one of the stacks will do, under the settings in a text.
    func sentencesAboutIncluders(of stacks: [SetupPlan.Stack], text: [UInt8]) -> [String] {
        StackCheck.sentences(about: includers(of: stacks), in: self) { check in
            let arguments = check.places.first?.entry.rule.arguments ?? []
            return try? Settings(
                text: text, file: [], arguments: arguments.map { [UInt8]($0.utf8) },
                service: [UInt8](check.service.utf8))
        }
    }

    /// Throws if a service that includes one of the stacks would let in users whom its own rules keep out.
    func checkIncluders(of stacks: [SetupPlan.Stack]) throws(Failure) {
        let texts = Dictionary(stacks.map { ($0.service, $0.after) }) { first, _ in first }
        for service in serviceNames(in: self) where texts[service] == nil {
            // A file that libpam refuses lets nobody in, with the rule or without it.
            guard let stack = try? stack(service, with: texts) else { continue }
            for place in stack.places() where texts[place.entry.file] != nil {
                let rule =
                    place.bypasses.first { $0.rule.counts && $0.file == service } ?? place.skipped.first
                guard rule != nil || place.opensWhatIsClosed || place.isEnoughAlone else { continue }
                let why =
                    rule.map { "would get round \(shown($0.rule.module)) (\(shown($0.place)))" }
                    ?? "would get in, although its own rules keep them out"
                throw Failure(
                    .settings,
                    "\(shown(path(of: file(of: service)))) includes \(shown(place.entry.file)): users of "
                        + "'\(shown(service))' whom M-Pin lets in \(why). Give '\(shown(service))' a stack "
                        + "that does not include it. Nothing was changed.")
            }
        }
    }
}
