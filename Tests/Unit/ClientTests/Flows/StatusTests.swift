// SPDX-License-Identifier: Apache-2.0
// The table of HTTP status by call, row by row as Milagro's core has it, and the states of a user.
import MPinClient
import TestSupport
import Testing

@Suite(.slow) struct `The table of statuses` {
    static let exceptions: [(Call, Int, Status)] = [
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

    /// The rule that applies to every call, and the exceptions above.
    static func expected(_ call: Call, _ http: Int) -> Status {
        if let exception = exceptions.first(where: { $0.0 == call && $0.1 == http }) { return exception.2 }
        switch http {
        case 200: return .ok
        case 500...: return .httpServerError
        case 406: return .badUserAgent
        case 400...499: return .httpRequestError
        case 300...399, ..<100: return .networkError
        default: return .responseParseError
        }
    }

    @Test(arguments: Call.allCases) func `applies to every call and status`(_ call: Call) {
        for http in [-1, 0, 1, 99] + Array(100...600) + [Int.max] {
            #expect(Status(call, http: http) == Self.expected(call, http), "\(http)")
        }
    }

    @Test func `has the numbers of Milagro's core`() {
        #expect(Status.allCases.map(\.rawValue) == Array(0...16))
        #expect(Status.requestExpired.rawValue == 9 && Status.incorrectPIN.rawValue == 11)
        #expect(Status.clientSecretExpired.rawValue == 16)
    }
}

@Suite(.slow) struct `The states of a user` {
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
                for http in [200, 400, 401, 403, 408, 409, 410, 412, 500] {
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
