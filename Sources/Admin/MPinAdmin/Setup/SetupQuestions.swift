// SPDX-License-Identifier: Apache-2.0
// Decides what to set up: by options, by questions at the terminal, or by defaults.
import CPlatform
import MPinSystem
import MPinLogin
import MPinProof
import MPinHostStore
import Octets

extension Setup {
    /// What setup is to do, after all questions.
    func wishes() throws(Failure) -> SetupWish {
        let said = try settingsThatStand()
        let written = said.map(HostSettings.init)
        let local = try LocalServer()
        let named = backend ?? said?.values("backend").first
        let typed: String
        if let named { typed = named } else { typed = try askBackend() }
        let answer = typed == "here" ? typed : serverAddress(typed)
        let isHere = answer == "here" || answer == local.backend
        var authority: SetupAuthority?
        if let caFile { authority = try SetupAuthority(text(caFile)) }
        var settings = HostSettings(
            backend: isHere ? local.backend : answer, caFile: authority?.path ?? written?.caFile,
            phoneAddress: phoneAddress.map(serverAddress) ?? written?.phoneAddress)
        if settings.phoneAddress == nil {
            let vouchers = authority.map { Vouchers.given($0.text) } ?? .file(written?.caFile)
            settings.phoneAddress = servedPage(
                settings.backend, vouchers, proxy: said?.values("proxy").first { $0 != "none" })
        }
        settings.addresses = recorded(for: settings.backend, written)
        settings.services = written?.services ?? []
        let (services, closed) = try chosenServices()
        try set(services, in: &settings, before: said)
        settings.atHost = try servicesAtHost(
            services, before: written, saysRemote: said?.value("remote", of: "login") != nil)
        let known = try knownHost()
        if let known, let host, known != host { throw .namedAlready(known) }
        let name = known ?? host ?? text(machineName())
        let people = try people(host: name)
        let taking = said?.values("backup-codes") ?? []
        let wantsCodes = try wantsCodes(services, people, named: taking)
        settings.backupCodes = valueOfBackupCodes(taking, wanted: wantsCodes, for: services)
        return SetupWish(
            places: places, isHere: isHere, settings: settings, authority: authority, host: name,
            hasKey: known != nil,
            services: services, closed: closed, factor: factor, people: people, wantsCodes: wantsCodes == true
        )
    }

    /// Sets what happens to users without a PIN.
    private func set(
        _ services: [String], in settings: inout HostSettings, before said: SettingsText?
    ) throws(Failure) {
        for service in services {
            guard isServiceName(service) else {
                throw Failure(.settings, "'\(shown(service))' cannot be a PAM service.")
            }
            let before = said?.value("unenrolled", of: service).map { $0 == "ignore" }
            settings.set(service, ignoresUnenrolled: unenrolled.map { $0 == .password } ?? before ?? true)
        }
        settings.leaveSiblings(among: services, in: said)
    }

    /// The values of `backend-address`: those in the file, and the current ones if the backend's name has
    /// none there.
    private func recorded(for backend: String, _ written: HostSettings?) -> [String] {
        guard let name = backendName(backend) else { return written?.addresses ?? [] }
        let known = written?.addresses ?? []
        let prefix = String(decoding: name, as: UTF8.self) + " "
        return known.contains { $0.hasPrefix(prefix) } ? known : known + recordableAddresses(of: name)
    }

    /// The current mpin.conf; nil if there is none.
    private func settingsThatStand() throws(Failure) -> SettingsText? {
        let path = places.settings
        guard let file = try Failure.ofFile(HostFile.ifThere(path)) else { return nil }
        return try settingsText(file.text, path)
    }

    private func knownHost() throws(Failure) -> String? {
        do throws(StoreError) {
            return try FileStore(at: places.store).hostName().map { text($0) }
        } catch {
            guard error.fault != .missing else { return nil }
            throw Failure(error)
        }
    }

    private func askBackend() throws(Failure) -> String {
        let isInstalled = unsafe access(LocalServer.program, X_OK) == 0
        let usual = isInstalled ? "here" : ""
        guard !isAgreed || !isInstalled else { return usual }
        return try asked(
            "Where is the M-Pin server: 'here', or its address?", usual: usual,
            otherwise: "Use --backend here|ADDRESS.")
    }

    /// The services with their siblings, and the siblings that are left out because they let nobody in.
    private func chosenServices() throws(Failure) -> (services: [String], closed: [String]) {
        let wanted = try services.isEmpty ? askServices() : services
        let all = withSiblings(of: wanted, in: places.stacks)
        let closed = all.filter { !wanted.contains($0) && places.stacks.letsNobodyIn($0) }
        return (all.filter { !closed.contains($0) }, closed)
    }

    private func askServices() throws(Failure) -> [String] {
        if isAgreed || isDryRun { return ["sudo"] }
        let words = try asked(
            "Which services ask for the PIN?", usual: "sudo", otherwise: "Use --service NAME.")
        return words.split { $0 == " " || $0 == "," }.map(String.init)
    }

    /// The services that, according to the administrator, no user reaches over the network.
    /// - Parameter saysRemote: whether mpin.conf says who reaches login.
    private func servicesAtHost(
        _ services: [String], before: HostSettings?, saysRemote: Bool
    ) throws(Failure) -> Set<String> {
        var kept = before?.atHost ?? []
        let known = before?.services.map(\.name) ?? []
        if services.contains("login"), !hasConsole(), !kept.contains("login"), !saysRemote {
            guard desktop == .here else { throw .noConsole }
            kept.insert("login")
        }
        for service in services where HostSettings.isDesktop(service) {
            if desktop == nil, known.contains(service) { continue }
            let answer: Desktop
            if let desktop { answer = desktop } else { answer = try askDesktop(service) }
            if answer == .here { kept.insert(service) } else { kept.remove(service) }
        }
        return kept
    }

    private func askDesktop(_ service: String) throws(Failure) -> Desktop {
        if isAgreed || isDryRun { return .here }
        let question = "Do people log in by \(service) only at this machine, and never by XDMCP, VNC or RDP?"
        let answer = try asked(question, usual: "yes", otherwise: "Use --desktop here|remote.")
        return ["y", "yes"].contains(answer.lowercased()) ? .here : .remote
    }

    private func people(host: String) throws(Failure) -> [SetupWish.Person] {
        var words = users
        if words.isEmpty, !isAgreed, !isDryRun {
            let usual = unsafe mpin_getenv(Array("SUDO_USER".utf8) + [0]).map {
                unsafe String(cString: $0)
            }
            let question = "Which account gets a PIN first ('-' for none)?"
            let typed = try asked(question, usual: usual ?? "-", otherwise: "Use --user.")
            words = typed == "-" ? [] : [typed]
        }
        var people: [SetupWish.Person] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let account = try findAccount(String(parts[0]))
            let identity =
                parts.count > 1
                ? String(parts[1]) : usualIdentity(of: text(account.name), on: [UInt8](host.utf8))
            _ = try readLabel(identity)
            people.append(SetupWish.Person(account: account, identity: identity))
        }
        return people
    }

    /// Whether somebody is to have backup codes; nil: as it is.
    /// - Parameter named: the values of `backup-codes` in mpin.conf.
    private func wantsCodes(
        _ services: [String], _ people: [SetupWish.Person], named: [String]
    ) throws(Failure) -> Bool? {
        if let backupCodes { return backupCodes == .yes }
        guard CodesWish.areUsual(services, in: places.stacks) else { return nil }
        // A host that was set up before stays as it is.
        let isSetUp = services.allSatisfy { (try? places.stacks.file($0))?.pam.factor != nil }
        guard !isSetUp else { return nil }
        guard named.isEmpty else { return named != ["none"] }
        guard let first = people.first, !isAgreed, !isDryRun else { return true }
        let question =
            "Make backup codes for \(text(first.account.name)), which are good while the server is away?"
        let answer = try asked(question, usual: "yes", otherwise: "Use --backup-codes yes|no.")
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// The value of `backup-codes` to write; nil: it stays as it is.
    private func valueOfBackupCodes(
        _ named: [String], wanted: Bool?, for services: [String]
    ) -> String? {
        guard let wanted else { return nil }
        guard wanted else {
            return named.isEmpty && CodesWish.areUsual(services, in: places.stacks) ? "none" : nil
        }
        guard named.isEmpty || backupCodes == .yes else { return nil }
        let before = named.flatMap { $0.split(separator: " ").map(String.init) }.filter { $0 != "none" }
        return (before + CodesWish.services.filter { !before.contains($0) }).joined(separator: " ")
    }

    private func asked(_ question: String, usual: String, otherwise: String) throws(Failure) -> String {
        let prompt = usual.isEmpty ? "\(question) " : "\(question) [\(usual)] "
        let answer = String(decoding: try dialogue.ask(prompt, otherwise: otherwise), as: UTF8.self)
        let typed = answer.split(separator: " ").joined(separator: " ")
        guard typed.isEmpty else { return typed }
        guard !usual.isEmpty else { throw Failure(.settings, otherwise) }
        return usual
    }
}

extension HostSettings {
    /// Leaves each service to the section of another one of them that can hold for it.
    fileprivate mutating func leaveSiblings(among services: [String], in text: SettingsText?) {
        for service in services {
            let others = sections(for: service, in: nil).dropFirst()
            if let other = others.first(where: services.contains) { leave(service, to: other, in: text) }
        }
    }
}

/// The services with `sudo-i` added to `sudo`: `sudo -i` has its own stack, and needs the PIN as well.
func withSiblings(of services: [String], in folder: PAMFolder) -> [String] {
    var all = Set(services)
    if all.contains("sudo"), unsafe access(folder.path(of: "sudo-i"), F_OK) == 0 {
        all.insert("sudo-i")
    }
    return all.sorted()
}

/// Whether a name can be that of a file in /etc/pam.d, which libpam looks up in small letters, and of a
/// section in mpin.conf.
private func isServiceName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64 && name.first != "." && name == name.lowercased()
        && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x2f && $0 != 0x5b && $0 != 0x5d }
}

extension Failure {
    fileprivate static let noConsole = Failure(
        .settings,
        "This machine has no console but pseudoterminals, as in a container, and people may reach these over "
            + "the network. So login would ask nobody for a PIN. If only people at this machine reach login, "
            + "use --desktop here, which writes 'remote = no' into [login] of mpin.conf; otherwise leave "
            + "login out. Nothing was changed.")

    fileprivate static func namedAlready(_ host: String) -> Failure {
        Failure(
            .settings,
            "This host is '\(shown(host))' already. 'sudo mpin host join NAME' gives it another name.")
    }
}
