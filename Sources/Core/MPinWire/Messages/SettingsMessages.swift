// SPDX-License-Identifier: Apache-2.0
// Messages about the server itself: clientSettings, service, status, and the bodies of errors.
#if !hasFeature(Embedded)

    /// The response to GET clientSettings. Every key may be absent; clients ignore unknown keys.
    package struct ClientSettings: Codable, Equatable, Sendable {
        package var accessNumberDigits: Int?
        package var accessNumberURL: String?
        package var accessNumberUseCheckSum: Flag?
        package var appID: String?
        package var authenticateURL: String?
        /// The address of D-TA 2, with a slash at its end.
        package var certivoxURL: String?
        package var codeStatusURL: String?
        package var cSum: Int?
        package var getAccessNumberURL: String?
        package var getQrUrl: String?
        package var mobileAuthenticateURL: String?
        package var mpinAuthServerURL: String?
        /// `pinKinds` and `pinLength` are the requirements for new PINs, which `pinDemand` reads and writes.
        /// Other servers may use these keys for other values.
        package var pinKinds: JSONValue?
        package var pinLength: JSONValue?
        package var registerURL: String?
        package var requestOTP: Flag?
        package var seedValue: String?
        package var setDeviceName: Flag?
        package var setupDoneURL: String?
        package var signatureURL: String?
        package var timePermitsStorageURL: String?
        package var timePermitsURL: String?
        /// Whether the phone page may keep a PIN that a fingerprint, a face or a security key unlocks. If it
        /// is absent, it is true.
        package var useFingerprint: Flag?
        package var useNFC: Flag?
        /// If it is absent, it is true.
        package var usePermits: Flag?
        package var useWebSocket: Flag?

        package init() {}

        /// Whether clients need time permits.
        package var permitsAreUsed: Bool { usePermits?.isOn ?? true }

        /// The requirements for new PINs. Unknown values of the keys require nothing; without requirements,
        /// the keys are absent.
        package var pinDemand: PINDemand {
            get {
                var length = PINDemand.none.length
                if case .whole(let asked)? = pinLength { length = asked }
                return PINDemand(
                    length: length, refusesDates: pinKinds == .text("\(PINDemand.noDates)"))
            }
            set {
                let none = PINDemand.none
                pinLength = newValue.length == none.length ? nil : .whole(newValue.length)
                pinKinds = newValue.refusesDates ? .text("\(PINDemand.noDates)") : nil
            }
        }
    }

    /// The response to GET /service.
    package struct ServiceDetails: Codable, Equatable, Sendable {
        package let name: String
        package let url: String
        package let rpsPrefix: String
        package let logoURL: String
        package let type: String
        /// `mpind`; a Milagro server has no such key.
        package let server: String?

        package init(name: String, url: String, rpsPrefix: String, logoURL: String, type: String = "online") {
            server = "mpind"
            self.name = name
            self.url = url
            self.rpsPrefix = rpsPrefix
            self.logoURL = logoURL
            self.type = type
        }

        private enum CodingKeys: String, CodingKey {
            case name, url, type, server
            case rpsPrefix = "rps_prefix"
            case logoURL = "logo_url"
        }
    }

    /// The body of the RPS's errors (with `serviceName` if the path is unknown), and of GET /status.
    package struct StatusMessage: Codable, Equatable, Sendable {
        package var version: String? = protocolVersion
        package let message: String
        package let serviceName: String?

        package init(_ message: String, serviceName: String? = nil) {
            self.message = message
            self.serviceName = serviceName
        }

        private enum CodingKeys: String, CodingKey {
            case version, message
            case serviceName = "service_name"
        }
    }

    /// The body of a D-TA's errors (with `code` for a bad or expired signature, otherwise with
    /// `serviceName`), and of GET /status, with `startTime`.
    package struct AuthorityMessage: Codable, Equatable, Sendable {
        package let message: String
        package let code: Int?
        package let serviceName: String?
        package let startTime: [String]?

        package init(
            _ message: String, code: Int? = nil, serviceName: String? = nil, startTime: [String]? = nil
        ) {
            self.message = message
            self.code = code
            self.serviceName = serviceName
            self.startTime = startTime
        }

        private enum CodingKeys: String, CodingKey {
            case message, code, startTime
            case serviceName = "service_name"
        }
    }
#endif
