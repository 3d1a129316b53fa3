// SPDX-License-Identifier: Apache-2.0
// The examples of the documentation compile, and none of Milagro's names is missing.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct `The documentation` {
    private static let catalog = checkout.appending(path: "Sources/Client/MPinClient/MPinClient.docc")

    private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    /// The lines, without the white space around them.
    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func `has only examples that compile`() throws {
        let compiled = try lines(
            text(
                URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: "Examples.swift")))
        var examples = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.catalog.path) {
            let article = try text(Self.catalog.appending(path: name))
            for block in article.split(separator: "```swift\n").dropFirst() {
                let example = try lines(#require(block.split(separator: "```", maxSplits: 1).first))
                #expect(compiled.firstRange(of: example) != nil, "\(name): \(example.first ?? "")")
                examples += 1
            }
        }
        #expect(examples == 9)
    }

    /// The names on the SDK core's page, the iOS SDK's two pages, and the sample app's.
    private static let names = """
        IHttpRequest SetHeaders SetQueryParams SetContent SetTimeout Execute GET POST PUT DELETE OPTIONS
        PATCH GetExecuteErrorMessage GetHttpStatusCode GetResponseHeaders GetResponseData IStorage SetData
        GetData GetErrorMessage SECURE NONSECURE IContext CreateHttpRequest ReleaseHttpRequest GetStorage
        GetMPinCryptoType CryptoType CRYPTO_TEE CRYPTO_NON_TEE MPinSDK Status Code OK PIN_INPUT_CANCELLED
        PIN_INPUT_CANCELED CRYPTO_ERROR STORAGE_ERROR NETWORK_ERROR RESPONSE_PARSE_ERROR FLOW_ERROR
        IDENTITY_NOT_AUTHORIZED IDENTITY_NOT_VERIFIED REQUEST_EXPIRED REVOKED INCORRECT_PIN
        INCORRECT_ACCESS_NUMBER HTTP_SERVER_ERROR HTTP_REQUEST_ERROR BAD_USER_AGENT CLIENT_SECRET_EXPIRED
        GetStatusCode StringMap Init backend rpsPrefix customHeaders Destroy TestBackend SetBackend
        MakeNewUser UserPtr User State INVALID STARTED_REGISTRATION ACTIVATED REGISTERED BLOCKED GetId
        GetBackend GetState DeleteUser ListUsers ListAllUsers ListBackends GetSessionDetails SessionDetails
        Clear prerollId appName appIconUrl StartRegistration activateCode userData RestartRegistration
        ConfirmRegistration pushMessageIdentifier FinishRegistration StartAuthentication accessCode
        CheckAccessNumber FinishAuthentication authResultData FinishAuthenticationOTP OTP otp expireTime
        ttlSeconds nowTime status FinishAuthenticationAN accessNumber CanLogout Logout GetVersion
        GetClientParam accessNumberDigits setDeviceName appID initSDK initSDKWithHeaders dictHeaders
        SetClientId MpinStatus MPinStatus errorMessage initWith statusCodeAsString getStatusCodeAsString
        UserState IUser getIdentity getState listUsers backendURL listBackends pushNotificationIdentifier
        FinishAuthenticationMFA authzCode MPin MPinMFA AddTrustedDomain trustedDomains GetAccessCode
        authorizeURL getBackend getCustomerId pmi pin0 pin1 authzurl authtoken code userID companyId
        authBackend backendDomain backendPort httpScheme deviceName Authenticate
        """.split { $0 == " " || $0 == "\n" }

    @Test func `maps all of Milagro's names`() throws {
        let article = try text(Self.catalog.appending(path: "FromMilagrosNames.md"))
        // The code in the first column of the tables, all of which have a second one.
        let columns = article.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
        #expect(columns.allSatisfy { $0.count == 4 && $0[2].contains { $0.isLetter || $0 == "-" } })
        let code = columns.flatMap { row in
            row[1].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        }
        let words = Set(code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        #expect(Self.names.filter { !words.contains($0) } == [])
        #expect(Self.names.count > 150)
    }
}
