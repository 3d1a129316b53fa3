// SPDX-License-Identifier: Apache-2.0
// What the checks of one run of `mpin doctor` share: the settings and the stacks, which are read once.
import MPinProof
import MPinHostStore

/// One run of all checks.
struct Examination {
    let doctor: Doctor
    /// The settings of mpin itself.
    let settings: Result<Settings, SettingsError>
    /// The stacks that ask M-Pin.
    let stacks: [StackCheck]
    /// The findings about stacks that cannot be read.
    let unreadStacks: [Finding]

    init(_ doctor: Doctor) {
        self.doctor = doctor
        settings = doctor.settings(of: nil)
        var stacks: [StackCheck] = []
        var unread: [Finding] = []
        for name in serviceNames(in: doctor.stacks) {
            do throws(PAMError) {
                let check = StackCheck(try doctor.stacks.stack(name))
                if check.asks { stacks.append(check) }
            } catch {
                // An error in a stack without M-Pin is not our concern.
                if doctor.stacks.namesModule(name) || doctor.stacks.namesModule(error.file) {
                    unread.append(StackCheck.finding(error))
                }
            }
        }
        self.stacks = stacks
        unreadStacks = unread
    }

    /// The findings of all checks, each once.
    var findings: [Finding] {
        let canAsk = doctor.isRoot && !stacks.isEmpty
        return Check.all.filter { canAsk || !$0.isForRoot }.flatMap { $0.findings(self) }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    func asks(_ service: String) -> Bool { stacks.contains { $0.service == service } }

    /// The settings of a service, with the arguments of the module's first line in the stack.
    func settings(of service: String) -> Result<Settings, SettingsError> {
        doctor.settings(of: service, arguments(of: service))
    }

    func arguments(of service: String) -> [String] {
        stacks.first { $0.service == service }?.places.first?.entry.rule.arguments ?? []
    }

    /// The services that ask M-Pin, and of which nothing says whether their users are at this host.
    var withoutSeat: [String] {
        stacks.map(\.service).filter { service in
            guard case .success(let settings) = settings(of: service) else { return false }
            return settings.remote == nil
        }
    }
}

extension PAMFolder {
    fileprivate func namesModule(_ name: String) -> Bool {
        ((try? read(name)) ?? []).firstRange(of: Array(pamModule.utf8)) != nil
    }
}
