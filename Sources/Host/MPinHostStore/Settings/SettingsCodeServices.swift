// SPDX-License-Identifier: Apache-2.0
// What commands ask of mpin.conf as a whole: its rows, and which services accept backup codes. The module is
// built without it.
import Octets

#if !hasFeature(Embedded)
    package import MPinProof
    package import MPinWire

    extension Settings {
        /// Every setting with its value.
        package var rows: [SettingRow] {
            var copy = self
            var row = RowReader(Section(name: nil, entries: []))
            copy.read(&row)
            return row.rows
        }

        /// The services that accept backup codes according to a settings file.
        package static func servicesWithCodes(in file: [UInt8]) throws(SettingsError) -> [[UInt8]] {
            let text: [UInt8]
            do { text = try readSettingsFile(file) } catch {
                throw SettingsError(file: file, line: 0, key: [], problem: .unreadable(error.fault))
            }
            return try servicesWithCodes(text: text, file: file)
        }

        /// The same from the octets of the file: the services that a `backup-codes` list names, above the
        /// first section or in the section of the service itself.
        package static func servicesWithCodes(
            text: [UInt8], file: [UInt8]
        ) throws(SettingsError) -> [[UInt8]] {
            var named: [[UInt8]] = []
            for section in try sections(text, file: file) {
                for entry in section.all("backup-codes") { named += words(entry.value) }
            }
            var taking: [[UInt8]] = []
            for service in named where !taking.contains(service) && !service.spells("none") {
                let settings = try Settings(text: text, file: file, service: service)
                if settings.takesBackupCodes { taking.append(service) }
            }
            return taking
        }
    }
#endif
