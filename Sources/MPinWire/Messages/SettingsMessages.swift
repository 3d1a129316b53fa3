// SPDX-License-Identifier: Apache-2.0
// Messages about the server itself: clientSettings, service, status, and what stands beside an error.
#if !hasFeature(Embedded)

    /// GET clientSettings. Every key may be absent; clients ignore keys that they do not know.
    package struct ClientSettings: Codable, Equatable, Sendable {
        package var accessNumberDigits: Int?
        package var accessNumberURL: String?
        package var accessNumberUseCheckSum: Flag?
        package var appID: String?
        package var authenticateURL: String?
        /// D-TA 2, with a slash at its end.
        package var certivoxURL: String?
        package var codeStatusURL: String?
        package var cSum: Int?
        package var getAccessNumberURL: String?
        package var getQrUrl: String?
        package var mobileAuthenticateURL: String?
        package var mpinAuthServerURL: String?
        /// What new PINs must be, with the words of `pinDemand`. Others may write anything there.
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
        package var useNFC: Flag?
        /// Absent is true.
        package var usePermits: Flag?
        package var useWebSocket: Flag?

        package init() {}

        package var permitsAreUsed: Bool { usePermits?.isOn ?? true }

        /// Whatever else stands there asks for nothing. Where nothing is asked for, nothing is written.
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

    /// GET /service.
    package struct ServiceDetails: Codable, Equatable, Sendable {
        package let name: String
        package let url: String
        package let rpsPrefix: String
        package let logoURL: String
        package let type: String

        package init(name: String, url: String, rpsPrefix: String, logoURL: String, type: String = "online") {
            self.name = name
            self.url = url
            self.rpsPrefix = rpsPrefix
            self.logoURL = logoURL
            self.type = type
        }

        private enum CodingKeys: String, CodingKey {
            case name, url, type
            case rpsPrefix = "rps_prefix"
            case logoURL = "logo_url"
        }
    }

    /// What the RPS says beside a status (its name too where a path is unknown), and at GET /status.
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

    /// What a D-TA says beside an error (its code for a bad or late signature, its name elsewhere), and, with
    /// the time of its start, at GET /status.
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
