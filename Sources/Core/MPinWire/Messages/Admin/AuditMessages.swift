// SPDX-License-Identifier: Apache-2.0
// Messages of the administrator's socket about the audit trail: `mpind audit`.
#if !hasFeature(Embedded)

    /// POST audit: selects records; a missing key selects all.
    package struct AuditRequest: Codable, Equatable, Sendable {
        package var userId: String?
        /// In seconds since 1970-01-01 UTC.
        package var since: Int?
        /// Only records with a smaller, or with a greater number.
        package var before: Int?
        package var after: Int?
        /// At most 1000.
        package var limit: Int?

        package init() {}
    }

    /// The response to POST audit, the newest record first.
    package struct AuditList: Codable, Equatable, Sendable {
        package let records: [Record]

        package init(records: [Record]) { self.records = records }

        /// One line of the audit trail.
        package struct Record: Codable, Equatable, Sendable {
            /// Counts up by one; a gap means that records were removed.
            package let number: Int
            /// In seconds since 1970-01-01 UTC.
            package let at: Int
            /// `login`, `registration`, `user.add`, ...
            package let kind: String
            /// The first 8 hexadecimal digits of an id, a userId, or a host's name.
            package let subject: String
            package let host: String
            package let source: String
            package let attempt: String
            package let fields: [Field]

            package init(
                number: Int, at: Int, kind: String, subject: String, host: String, source: String,
                attempt: String, fields: [Field]
            ) {
                self.number = number
                self.at = at
                self.kind = kind
                self.subject = subject
                self.host = host
                self.source = source
                self.attempt = attempt
                self.fields = fields
            }
        }

        /// A further detail of a record.
        package struct Field: Codable, Equatable, Sendable {
            package let name: String
            package let value: String

            package init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }
    }
#endif
