// SPDX-License-Identifier: Apache-2.0
// Which methods are open to an account here, and what closes the others: for logins and for `mpin why`.
package import MPinProof
package import MPinStore

/// What closes a way in.
package enum Unavailability: Error, Equatable, Sendable {
    /// `method` of mpin.conf does not name the way.
    case method
    /// A PIN from afar: `remote-pin = no`, or `key` and no public key was accepted before.
    case remotePIN
    /// A backup code: `backup-codes` does not name the service.
    case service
    /// The account does not have the way here, or a rule leaves it out.
    case account(NotEnrolled.Cause)
    /// The host, or what is asked about the account, is not as it must be.
    case failed(Reason)

    /// Said by settings and the key shown before, whoever it is.
    package var isEverybodys: Bool {
        switch self {
        case .method, .remotePIN, .service: true
        case .account, .failed: false
        }
    }

    /// How a login ends that goes this way all the same.
    func outcome(_ settings: Settings) -> Outcome {
        switch self {
        case .method, .remotePIN: .refused(.remotePINRefused)
        case .service: .refused(.noBackupCode)
        case .account(let cause):
            .notEnrolled(
                NotEnrolled(cause: cause, ignored: cause == .noFile && settings.unenrolled == .ignore))
        case .failed(let reason): .failed(reason)
        }
    }
}

package struct LoginMethods: Equatable, Sendable {
    /// What closes each way; nil: it is open.
    package private(set) var pin: Unavailability?
    /// A second device, by a session or by a one-time password.
    package private(set) var phone: Unavailability?
    /// Backup codes.
    package private(set) var code: Unavailability?
    /// Whether the screens speak of a PIN. In remote services they are everybody's and tell nothing of the
    /// account, but for `showPINAlone()`.
    package private(set) var showsPIN: Bool
    /// Whether the screens show a session for a second device.
    package private(set) var showsPhone: Bool
    /// Whether they ask for a one-time password of a second device.
    package private(set) var showsOTP: Bool
    /// Whether the screens may speak of a backup code.
    package private(set) var showsCode: Bool
    /// Whether sixteen letters are read as a code: where a damaged file alone closes the way, that is to
    /// show.
    private(set) var readsCode: Bool
    private let isRemote: Bool

    /// What settings and context say, whoever it is.
    package init(_ settings: Settings, _ context: LoginContext) {
        let (namesPIN, namesPhone) =
            switch settings.method {
            case .pin: (true, false)
            case .phone, .otp: (false, true)
            case .pinAndPhone: (true, settings.answer == .sealed)
            }
        let mayTypePIN =
            switch settings.remotePIN {
            case .key: !context.isRemote || context.keyAccepted
            case .long: true
            case .no: !context.isRemote
            }
        pin = !namesPIN ? .method : mayTypePIN ? nil : .remotePIN
        phone = namesPhone ? nil : .method
        code = settings.takesBackupCodes ? nil : .service
        showsPIN = namesPIN && mayTypePIN
        (showsPhone, showsOTP) = (namesPhone && settings.method != .otp, settings.method == .otp)
        (showsCode, readsCode) = (settings.takesBackupCodes, settings.takesBackupCodes)
        isRemote = context.isRemote
    }

    /// Closes methods that are open, by what is not everybody's.
    mutating func close(pin obstacle: Unavailability) {
        guard pin == nil else { return }
        pin = obstacle
        showsPIN = showsPIN && isRemote
    }

    mutating func close(phone obstacle: Unavailability) {
        guard phone == nil else { return }
        phone = obstacle
        (showsPhone, showsOTP) = (showsPhone && isRemote, showsOTP && isRemote)
    }

    mutating func close(code obstacle: Unavailability) {
        guard code == nil else { return }
        code = obstacle
        showsCode = showsCode && isRemote
        if case .failed = obstacle { return }
        readsCode = showsCode
    }

    /// Somebody showed a public key of the account, which has a PIN and no second device: nobody tells them
    /// to use a phone.
    mutating func showPINAlone() { (showsPhone, showsOTP) = (false, false) }

    /// The server is of no help: backup codes alone are shown from here on.
    mutating func showCodeAlone() { (showsPIN, showsPhone, showsOTP) = (false, false, false) }

    @inline(never)
    mutating func close(all obstacle: Unavailability) {
        close(pin: obstacle)
        close(phone: obstacle)
        close(code: obstacle)
    }

    /// Whether anything but a backup code is asked for.
    var showsMoreThanCode: Bool { showsPIN || showsPhone || showsOTP }

    /// Whether the server could let this account in.
    var needsServer: Bool {
        if case .some = pin, case .some = phone { false } else { true }
    }

    /// How a login ends that finds every way closed; nil if one is open.
    package func ending(_ settings: Settings) -> Outcome? {
        guard let pin, let phone, case .some = code else { return nil }
        if case .failed = phone { return phone.outcome(settings) }
        return (pin.isEverybodys ? phone : pin).outcome(settings)
    }
}
