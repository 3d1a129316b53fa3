// SPDX-License-Identifier: Apache-2.0
// Which services accept backup codes according to mpin.conf. Only the command that makes the codes needs
// this; the module is built without it.
import Octets

#if !hasFeature(Embedded)
    package import MPinProof
    import MPinWire

    extension Settings {
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
