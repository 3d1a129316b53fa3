// SPDX-License-Identifier: Apache-2.0
// The table of HTTP status by call, row by row as wire specification 9.4 has it, and the states of 9.2.
import MPinLogin
import Testing

@Suite struct `The table of statuses` {
    private static let exceptions: [(Call, UInt16, Status)] = [
        (.user, 403, .identityNotAuthorized), (.signature, 400, .identityNotVerified),
        (.signature, 401, .identityNotVerified),
        (.clientSecret, 408, .requestExpired), (.timePermit, 410, .revoked),
        (.authenticate, 401, .incorrectPIN),
        (.authenticate, 403, .identityNotAuthorized), (.authenticate, 408, .requestExpired),
        (.authenticate, 409, .clientSecretExpired),
        (.authenticate, 410, .incorrectPIN), (.authenticate, 412, .incorrectAccessNumber),
        (.mobileAuthenticate, 401, .incorrectPIN),
        (.mobileAuthenticate, 403, .identityNotAuthorized), (.mobileAuthenticate, 408, .requestExpired),
        (.mobileAuthenticate, 409, .clientSecretExpired), (.mobileAuthenticate, 410, .incorrectPIN),
        (.mobileAuthenticate, 412, .incorrectAccessNumber),
    ]

    @Test(arguments: Call.allCases) func `holds for every call and status`(_ call: Call) {
        for http in UInt16(0)...599 {
            let exception = Self.exceptions.first { $0.0 == call && $0.1 == http }?.2
            let rule: Status =
                switch http {
                case 200: .ok
                case 500...599: .httpServerError
                case 406: .badUserAgent
                case 400...499: .httpRequestError
                case 300...399, 0, 1, 2: .networkError
                default: .responseParseError
                }
            #expect(Status(call, http: http) == exception ?? rule, "\(http)")
        }
    }

    @Test func `is numbered as Milagro's core numbers it`() {
        #expect(Status.allCases.map(\.rawValue) == Array(0...16))
        #expect(Status.requestExpired.rawValue == 9 && Status.incorrectPIN.rawValue == 11)
        #expect(Status.clientSecretExpired.rawValue == 16)
    }
}

@Suite struct `The states of a user` {
    @Test func `follow registration and blocking`() {
        #expect(UserState.invalid.after(.user, http: 200) == .startedRegistration)
        #expect(UserState.invalid.after(.user, http: 200, active: true) == .activated)
        #expect(UserState.invalid.after(.user, http: 403, active: true) == .invalid)
        #expect(UserState.startedRegistration.after(.user, http: 200, active: true) == .activated)
        #expect(UserState.startedRegistration.finished == .registered)
        #expect(UserState.activated.finished == .registered)
        #expect(UserState.registered.after(.authenticate, http: 410) == .blocked)
        #expect(UserState.registered.after(.mobileAuthenticate, http: 410) == .blocked)
    }

    @Test func `change by nothing else`() {
        for state in UserState.allCases {
            for call in Call.allCases {
                for http in [UInt16(200), 400, 401, 403, 408, 409, 410, 412, 500] {
                    let isStart =
                        call == .user && http == 200 && (state == .invalid || state == .startedRegistration)
                    let isBlock =
                        (call == .authenticate || call == .mobileAuthenticate) && http == 410
                        && state == .registered
                    if isStart || isBlock { continue }
                    #expect(state.after(call, http: http, active: true) == state)
                }
            }
        }
        #expect(UserState.blocked.finished == .blocked && UserState.invalid.finished == .invalid)
    }
}
