// SPDX-License-Identifier: Apache-2.0
// The words of findings. Programs and mpin(1) know them, so they must not change. Each has one level.

/// The word that names a kind of finding.
package enum FindingWord: String, CaseIterable, Sendable {
    // What is in order.
    case module, relay, settings, server, clock, store, users, stacks, sshd, sudo, root, mpind, page
    case hostKey = "host-key"

    case moduleMissing = "module-missing"
    case moduleOpen = "module-open"
    case moduleBroken = "module-broken"

    case relayMissing = "relay-missing"
    case relayOpen = "relay-open"
    case relayUserMissing = "relay-user-missing"
    case relayUserShared = "relay-user-shared"
    case relayUserOwns = "relay-user-owns"
    case relayBroken = "relay-broken"

    case settingsMissing = "settings-missing"
    case settingsWrong = "settings-wrong"
    case settingsOpen = "settings-open"
    case caFileWrong = "ca-file-wrong"
    case unknownName = "unknown-name"
    case unsealed, looser
    case failsOpen = "fails-open"
    case exempt
    case exemptUnknown = "exempt-unknown"
    case exemptEverybody = "exempt-everybody"
    case plainHTTP = "plain-http"
    case noPhoneAddress = "no-phone-address"
    case passwordPrompt = "password-prompt"
    case manyTries = "many-tries"
    case colourUnused = "colour-unused"

    case pageUnreachable = "page-unreachable"
    case pageUntrusted = "page-untrusted"
    case pageMissing = "page-missing"
    case pageElsewhere = "page-elsewhere"
    case pageChanged = "page-changed"
    case pageUncompared = "page-uncompared"
    case pageOwnCA = "page-own-ca"
    case pageSelfSigned = "page-self-signed"

    case serverUnreachable = "server-unreachable"
    case serverSlow = "server-slow"
    case serverUntrusted = "server-untrusted"
    case serverFailing = "server-failing"
    case serverBusy = "server-busy"
    case certificateEnds = "certificate-ends"
    case sealRefused = "seal-refused"
    case sealWrong = "seal-wrong"
    case clockWrong = "clock-wrong"
    case clockOff = "clock-off"
    case clockUnkept = "clock-unkept"

    case storeMissing = "store-missing"
    case storeOpen = "store-open"
    case storeUnmarked = "store-unmarked"
    case storeWrong = "store-wrong"
    case hostKeyMissing = "host-key-missing"
    case hostKeyOpen = "host-key-open"
    case hostKeyWrong = "host-key-wrong"
    case hostKeyInBackups = "host-key-in-backups"
    case hostRenamed = "host-renamed"
    case userFileOpen = "user-file-open"
    case userFileWrong = "user-file-wrong"
    case accountGone = "account-gone"
    case accountRenamed = "account-renamed"
    case otherHost = "other-host"
    case weakPINRule = "weak-pin-rule"
    case nobodyEnrolled = "nobody-enrolled"
    case fewCodes = "few-codes"
    case standingOld = "standing-old"

    case nobodyAsked = "nobody-asked"
    case ruleGone = "rule-gone"
    case stackWrong = "stack-wrong"
    case stackLineTooLong = "stack-line-too-long"
    case stackArguments = "stack-arguments"
    case stackOtherModule = "stack-other-module"
    case stackBypassed = "stack-bypassed"
    case stackOptional = "stack-optional"
    case stackSkipped = "stack-skipped"
    case stackOpened = "stack-opened"
    case stackAfterDeny = "stack-after-deny"
    case stackDeniesIgnored = "stack-denies-ignored"
    case firstFactor = "first-factor"
    case seatUnsaid = "seat-unsaid"
    case loginHost = "login-host"
    case runsAsUser = "runs-as-user"
    case unlockedUnasked = "unlocked-unasked"
    case sectionMissing = "section-missing"
    case sectionApart = "section-apart"
    case stackIncluded = "stack-included"

    case sshdUnread = "sshd-unread"
    case sshdNoPAM = "sshd-no-pam"
    case sshdNoPrompt = "sshd-no-prompt"
    case sshdKeyAlone = "sshd-key-alone"
    case sshdPassword = "sshd-password"
    case sshdPINUnasked = "sshd-pin-unasked"
    case sshdGrace = "sshd-grace"
    case sshdRootPassword = "sshd-root-password"
    case sshdMatch = "sshd-match"
    case sshdMatchPassword = "sshd-match-password"
    case sshdMatchExempt = "sshd-match-exempt"

    case loginTimeout = "login-timeout"
    case sudoUnread = "sudo-unread"
    case sudoOtherPassword = "sudo-other-password"
    case sudoUnasked = "sudo-unasked"
    case sudoRemembers = "sudo-remembers"
    case noWayForRoot = "no-way-for-root"

    case mpindOpen = "mpind-open"
    case mpindSettings = "mpind-settings"
    case mpindStopped = "mpind-stopped"
    case mpindPlain = "mpind-plain"
    case unseen

    package var level: Finding.Level {
        switch self {
        case .module, .relay, .settings, .server, .clock, .store, .users, .stacks, .sshd, .sudo, .root,
            .mpind, .page, .hostKey:
            .ok
        case .exempt, .plainHTTP, .noPhoneAddress, .pageUncompared, .pageOwnCA,
            .serverBusy, .clockUnkept, .hostKeyInBackups, .hostRenamed,
            .weakPINRule, .nobodyEnrolled, .fewCodes, .nobodyAsked, .stackDeniesIgnored, .stackIncluded,
            .firstFactor, .loginHost, .runsAsUser,
            .sshdMatchExempt, .loginTimeout, .sudoUnasked, .sudoRemembers, .mpindPlain, .unseen:
            .note
        case .unknownName, .unsealed, .looser, .failsOpen, .exemptEverybody, .passwordPrompt,
            .manyTries, .colourUnused, .pageUnreachable, .pageUntrusted,
            .pageMissing, .pageElsewhere,
            .pageSelfSigned, .certificateEnds, .clockOff,
            .accountGone, .standingOld, .sshdUnread,
            .sshdPassword, .sshdPINUnasked, .sshdGrace, .sshdRootPassword, .sshdMatch, .sshdMatchPassword,
            .sudoUnread, .sudoOtherPassword,
            .noWayForRoot, .unlockedUnasked, .stackSkipped, .stackOpened, .seatUnsaid, .sectionMissing,
            .sectionApart:
            .warning
        case .moduleMissing, .moduleOpen, .moduleBroken, .relayMissing, .relayOpen, .relayUserMissing,
            .relayUserShared, .relayUserOwns, .relayBroken, .settingsMissing, .settingsWrong,
            .settingsOpen, .exemptUnknown, .caFileWrong, .pageChanged, .serverUnreachable, .serverSlow,
            .serverUntrusted,
            .serverFailing,
            .sealRefused, .sealWrong, .clockWrong, .storeMissing, .storeOpen, .storeUnmarked, .storeWrong,
            .hostKeyMissing, .hostKeyOpen, .hostKeyWrong, .userFileOpen, .userFileWrong, .accountRenamed,
            .otherHost, .ruleGone, .stackWrong, .stackLineTooLong, .stackArguments, .stackOtherModule,
            .stackBypassed, .stackOptional, .stackAfterDeny, .sshdNoPAM, .sshdNoPrompt, .sshdKeyAlone,
            .mpindOpen, .mpindSettings, .mpindStopped:
            .problem
        }
    }
}
