// SPDX-License-Identifier: Apache-2.0
// Switches M-Pin on in the proved stacks, and off again. At every moment a stack is either the old or the new
// one.
import CPlatform
import MPinSystem
import Octets

extension Setup {
    /// Installs the new stacks, then the settings of sshd.
    func switchOn(_ plan: SetupPlan) throws(Failure) {
        for stack in plan.stacks where stack.isChanged {
            try write(stack)
            dialogue.progress("Switched on: \(stack.service).")
        }
        try keepIncluders(of: plan.stacks.map(\.service))
        guard let ssh = plan.ssh else { return }
        do { try ssh.apply() } catch {
            // Without sshd's settings the stack of sshd must not ask for a PIN either.
            for stack in plan.stacks where stack.service == "sshd" && stack.isChanged {
                try Failure.ofFile(HostFile(stack.file.path).replace(with: stack.file.text))
            }
            throw error
        }
    }

    private func write(_ stack: SetupPlan.Stack) throws(Failure) {
        let before: [UInt8]?
        do { before = try PAMFile.withoutSetup(stack.file.text, in: stack.service) } catch {
            throw Failure(error, in: places.stacks.path)
        }
        try StackBackup(of: stack.service, in: places.backups).keep(before ?? stack.file.text)
        try Failure.ofFile(stack.file.replace(with: stack.after))
    }

    /// Keeps the files of services that include the changed ones: doctor notices if they no longer do.
    private func keepIncluders(of changed: [String]) throws(Failure) {
        for name in serviceNames(in: places.stacks) where !changed.contains(name) {
            guard let stack = try? places.stacks.stack(name), !stack.isOfOther,
                stack.places().contains(where: { changed.contains($0.entry.file) }),
                let text = try? places.stacks.read(places.stacks.file(of: name))
            else { continue }
            try StackBackup(of: name, in: places.backups).keep(text)
        }
    }

    /// The services that setup has switched on, and that ask M-Pin now.
    private var asking: Set<String> {
        Set(StackBackup.services(in: places.backups).filter { places.stacks.asks($0) })
    }

    /// Forgets the services that do not ask M-Pin now: those that asked before the undo, and those named.
    private func forget(_ before: Set<String>, _ report: inout SetupReport) {
        let asking = asking
        for name in StackBackup.services(in: places.backups) where !asking.contains(name) {
            guard services.isEmpty || before.contains(name) || services.contains(name) else { continue }
            StackBackup(of: name, in: places.backups).forget()
            if !before.contains(name) { report.forgotten.append(name) }
        }
    }

    /// Does the work of `mpin setup --undo`.
    func undone(_ folder: borrowing SetupFolder) throws(Failure) -> SetupReport {
        var report = SetupReport(isDryRun: isDryRun)
        let before = asking
        let wanted =
            services.isEmpty ? names(in: places.stacks.path) : withSiblings(of: services, in: places.stacks)
        if services.isEmpty || services.contains("sshd") {
            let isThere = unsafe access(SSHSettings.dropInFile, F_OK) == 0
            if isDryRun {
                if isThere { report.files.append(SSHSettings.dropInFile) }
            } else {
                do { if try SSHPlan.remove() { report.files.append(SSHSettings.dropInFile) } } catch {
                    report.failures.append(error)
                }
            }
        }
        for name in wanted {
            do { try undo(name, &report) } catch { report.failures.append(error) }
        }
        if !isDryRun { forget(before, &report) }
        return report
    }

    /// The stack at a path; nil if setup cannot have changed it. A file that setup cannot edit, such as a
    /// link, is an error if the command line names it or it asks for M-Pin.
    private func stack(at path: String, named name: String) throws(Failure) -> HostFile? {
        do { return try HostFile(path) } catch {
            if error.problem == .missing { return nil }
            let seen = (try? HostFile(path, followsLink: true))?.text ?? []
            let isReplaced = StackBackup.services(in: places.backups).contains(name)
            guard
                services.contains(name) && !isReplaced
                    || String(decoding: seen, as: UTF8.self).contains("pam_mpin.so")
            else { return nil }
            throw Failure(error)
        }
    }

    private func undo(_ name: String, _ report: inout SetupReport) throws(Failure) {
        let path = places.stacks.path(of: name)
        // A setup that was killed may have left this file, which never was a stack.
        if name.hasPrefix("."), name.hasSuffix(".mpin-new"), !isDryRun { unsafe unlink(path) }
        guard let file = try stack(at: path, named: name) else { return }
        let block: SetupBlock?
        do { block = try SetupBlock(file.text, in: name) } catch {
            throw Failure(error, in: places.stacks.path)
        }
        guard let block else { return }
        report.changes += difference(path, from: file.text, to: block.rest)
        report.files.append(path)
        if !block.kept.isEmpty { report.kept[path] = block.kept.map { shown($0) } }
        guard !isDryRun else { return }
        try Failure.ofFile(file.replace(with: block.rest))
        report.switchedOff.append(name)
    }
}

/// The copy of one stack from before setup, in case the marks in the stack are lost.
struct StackBackup {
    private let folder: String
    private let path: String

    init(of service: String, in folder: String) { (self.folder, path) = (folder, "\(folder)/\(service)") }

    /// The services that setup has switched on: those whose files it changed, and those that include them.
    static func services(in folder: String) -> [String] { names(in: folder).filter { !$0.hasPrefix(".") } }

    /// Keeps a text, unless there is a copy already: the oldest one is that from before setup.
    func keep(_ text: [UInt8]) throws(Failure) {
        if unsafe mkdir(folder, 0o700) != 0, mpin_errno() != EEXIST {
            throw Failure(.store, "\(folder): \(systemMessage(mpin_errno())).")
        }
        guard unsafe access(path, F_OK) != 0 else { return }
        try Failure.ofFile(HostFile(new: path, mode: 0o600).replace(with: text))
    }

    /// Removes the copy.
    func forget() {
        _ = unsafe unlink(path)
        _ = unsafe rmdir(folder)
    }
}
