// SPDX-License-Identifier: Apache-2.0
// Reads settings from mpin.conf and the module's arguments. Every fault is an error that names its place.
import MPin
package import MPinProof
import MPinWire
import Octets

extension Settings {
    /// The settings of a login.
    /// - Parameters:
    ///   - arguments: the module's arguments: keys of mpin.conf, `config=FILE`, `service=NAME` and
    ///     `section=NAME`.
    ///   - service: the PAM service; nil: the commands of mpin, which no section concerns.
    package static func load(
        arguments: [[UInt8]], service: [UInt8]?
    ) throws(SettingsError) -> Settings {
        let given = try Arguments(arguments)
        let file = given.config ?? standardFile
        let text: [UInt8]
        do { text = try readSettingsFile(file) } catch {
            throw SettingsError(file: file, line: 0, key: [], problem: .unreadable(error.fault))
        }
        return try Settings(text: text, file: file, arguments: given, service: service)
    }

    /// The same from the octets of a file.
    package init(
        text: [UInt8], file: [UInt8], arguments: [[UInt8]] = [], service: [UInt8]?
    ) throws(SettingsError) {
        let given = try Arguments(arguments)
        try self.init(text: text, file: file, arguments: given, service: service)
    }

    private init(
        text: [UInt8], file: [UInt8], arguments: Arguments, service: [UInt8]?
    ) throws(SettingsError) {
        let service = arguments.service ?? service
        guard service.map(SealedQuestion.mayBePAM) ?? true else {
            throw SettingsError(
                file: [], line: 0, key: ascii("service"), problem: .conflict(.reservedService))
        }
        let sections = try Settings.sections(text, file: file)
        let names = service.map { Settings.sections(for: $0, in: arguments.stack) } ?? []
        self.init(service: service ?? SealedQuestion.ownService, stack: arguments.stack)
        self.section = names.first { name in sections.contains { $0.name == name } }
        for section in sections where section.name == nil {
            try apply(section, of: file)
        }
        for section in sections where section.name != nil {
            // Sections of other services are checked too, so that an error shows before their first login.
            var other = self
            try other.apply(section, of: file)
            if section.name == self.section { self = other }
        }
        try apply(arguments.section, of: [], areArguments: true)
        guard !backends.isEmpty else {
            throw SettingsError(file: file, line: 0, key: ascii("backend"), problem: .key(.missing))
        }
        if let (key, conflict) = conflict() {
            throw SettingsError(file: file, line: 0, key: key, problem: .conflict(conflict))
        }
    }

    static func sections(_ text: [UInt8], file: [UInt8]) throws(SettingsError) -> [Section] {
        do { return try parse(text) } catch {
            throw SettingsError(file: file, line: error.line, key: [], problem: .grammar(error.reason))
        }
    }

    /// - Parameter areArguments: those of the module, which are for its service alone, as a section is.
    private mutating func apply(
        _ section: Section, of file: [UInt8], areArguments: Bool = false
    ) throws(SettingsError) {
        var row = RowReader(section)
        read(&row)
        func refuse(_ entry: Entry, _ conflict: SettingsError.Conflict) -> SettingsError {
            SettingsError(file: file, line: entry.line, key: entry.key, problem: .conflict(conflict))
        }
        if !areArguments, let entry = row.misplaced { throw refuse(entry, .needsSection) }
        if let entry = (section.all("unavailable") + section.all("remote-ignore")).first {
            throw refuse(entry, .stackDecides)
        }
        if let error = row.error {
            throw SettingsError(file: file, line: error.line, key: error.key, problem: .key(error.problem))
        }
    }

    /// The first conflict between keys whose values are each valid; nil: there is none.
    private func conflict() -> ([UInt8], SettingsError.Conflict)? {
        if answer == .unsealed {
            if method != .pin { return (ascii("method"), .unsealedNeedsPIN) }
            if backends.contains(where: { $0.channel != .https }) {
                return (ascii("backend"), .unsealedNeedsHTTPS)
            }
        }
        if connectTimeout > callTimeout { return (ascii("connect-timeout"), .connectTimeoutTooLong) }
        return nil
    }

    /// Refuses settings that are unsafe for enrolment: a backend at a loopback address without TLS.
    package func checkForEnrolment() throws(SettingsError) {
        if backends.contains(where: { $0.channel == .loopback }) {
            throw SettingsError(
                file: [], line: 0, key: ascii("backend"), problem: .conflict(.enrolmentNeedsSecrecy))
        }
    }
}

/// The module's arguments, with the three that are not keys of mpin.conf taken out.
private struct Arguments {
    var config: [UInt8]?
    var service: [UInt8]?
    /// The value of `section`.
    var stack: [UInt8]?
    var section = Section(name: nil, entries: [])

    init(_ arguments: [[UInt8]]) throws(SettingsError) {
        for (index, argument) in arguments.enumerated() {
            let key = [UInt8](argument.prefix { $0 != UInt8(ascii: "=") })
            let value = [UInt8](argument.dropFirst(key.count + 1))
            let fits = argument.count > key.count && value.count <= Grammar.lineLimit && !value.contains(0)
            guard fits else { throw error(at: index, key, .badValue) }
            if key.spells("config") {
                guard config == nil else { throw error(at: index, key, .repeated) }
                guard isAbsolutePath(value) else { throw error(at: index, key, .badValue) }
                config = value
            } else if key.spells("service") {
                guard service == nil else { throw error(at: index, key, .repeated) }
                guard !value.isEmpty else { throw error(at: index, key, .badValue) }
                service = value
            } else if key.spells("section") {
                guard stack == nil else { throw error(at: index, key, .repeated) }
                guard !value.isEmpty else { throw error(at: index, key, .badValue) }
                stack = value
            } else {
                section.entries.append(Entry(line: index + 1, key: key, value: value))
            }
        }
    }

    private func error(at index: Int, _ key: [UInt8], _ problem: KeyError.Problem) -> SettingsError {
        SettingsError(file: [], line: index + 1, key: presentable(key), problem: .key(problem))
    }
}
