// SPDX-License-Identifier: Apache-2.0
// Which services of mpin.conf take backup codes, for the command that makes them: no part of the module.
import Octets

#if !hasFeature(Embedded)
    package import MPinProof
    import MPinWire

    extension Settings {
        /// Services that take backup codes by a file of settings.
        package static func servicesWithCodes(in file: [UInt8]) throws(SettingsError) -> [[UInt8]] {
            let text: [UInt8]
            do { text = try readSettingsFile(file) } catch {
                throw SettingsError(file: file, line: 0, key: [], problem: .unreadable(error.fault))
            }
            return try servicesWithCodes(text: text, file: file)
        }

        /// The same from the octets of the file: those that a list names, above the first section or in that
        /// of the service itself.
        package static func servicesWithCodes(
            text: [UInt8], file: [UInt8]
        ) throws(SettingsError) -> [[UInt8]] {
            var named: [[UInt8]] = []
            for section in try sections(text, file: file) {
                for entry in section.all("backup-codes") { named += words(entry.value) }
            }
            var taking: [[UInt8]] = []
            for service in named where !taking.contains(service) && !service.spells("none") {
                let settings = try Settings(text: text, file: file, service: service, remote: false)
                if settings.takesBackupCodes { taking.append(service) }
            }
            return taking
        }
    }
#endif
