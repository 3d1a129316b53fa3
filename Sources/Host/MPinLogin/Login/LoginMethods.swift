// SPDX-License-Identifier: Apache-2.0
// Which login methods are open to an account here, and why the others are closed: for logins and `mpin why`.
package import MPinProof
package import MPinHostStore

/// Why a login method is closed.
package enum Unavailability: Error, Equatable, Sendable {
    /// `method` of mpin.conf does not name it.
    case method
    /// A PIN in a remote login: `remote-pin = no`, or `key` and no public key was accepted before.
    case remotePIN
    /// A backup code: `backup-codes` does not name the service.
    case service
    /// The account does not have the method here, or a rule excludes the account.
    case account(NotEnrolled.Cause)
    /// A fault of the host, or the account could not be looked up.
    case failed(Reason)

    /// Whether it depends only on the settings and on the public key, not on the account.
    package var isForEveryAccount: Bool {
        switch self {
        case .method, .remotePIN, .service: true
        case .account, .failed: false
        }
    }

    /// The outcome of a login that uses the closed method all the same.
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

/// Which methods are open to a login, and which of them its screens show.
package struct LoginMethods: Equatable, Sendable {
    /// Why the PIN is closed; nil: it is open.
    package private(set) var pin: Unavailability?
    /// The same for a second device, by a session or by a one-time password.
    package private(set) var phone: Unavailability?
    /// The same for backup codes.
    package private(set) var code: Unavailability?
    /// Whether the screens ask for a PIN. In remote services the screens are the same for every user and
    /// reveal nothing about the account, except after `showPINAlone()`.
    package private(set) var showsPIN: Bool
    /// Whether the screens show a session for a second device.
    package private(set) var showsPhone: Bool
    /// Whether the screens ask for a one-time password of a second device.
    package private(set) var showsOTP: Bool
    /// Whether the screens may ask for a backup code.
    package private(set) var showsCode: Bool
    /// Whether sixteen letters are read as a backup code. True also where only a fault closes backup codes,
    /// so that the user sees the fault.
    private(set) var readsCode: Bool
    private let isRemote: Bool

    /// What settings and context decide, whatever the account.
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

    /// Closes the PIN, if it is open, for a reason that depends on the account. In remote services the
    /// screens stay as they are.
    mutating func close(pin unavailability: Unavailability) {
        guard pin == nil else { return }
        pin = unavailability
        showsPIN = showsPIN && isRemote
    }

    mutating func close(phone unavailability: Unavailability) {
        guard phone == nil else { return }
        phone = unavailability
        (showsPhone, showsOTP) = (showsPhone && isRemote, showsOTP && isRemote)
    }

    mutating func close(code unavailability: Unavailability) {
        guard code == nil else { return }
        code = unavailability
        showsCode = showsCode && isRemote
        if case .failed = unavailability { return }
        readsCode = showsCode
    }

    /// Shows only the PIN: the user has shown a public key of the account, which has a PIN and no second
    /// device, so the screens need not mention a phone.
    mutating func showPINAlone() { (showsPhone, showsOTP) = (false, false) }

    /// Shows only backup codes from here on, because the server cannot be used.
    mutating func showCodeAlone() { (showsPIN, showsPhone, showsOTP) = (false, false, false) }

    @inline(never)
    mutating func close(all unavailability: Unavailability) {
        close(pin: unavailability)
        close(phone: unavailability)
        close(code: unavailability)
    }

    /// Whether the screens ask for anything but a backup code.
    var showsMoreThanCode: Bool { showsPIN || showsPhone || showsOTP }

    /// The outcome of a login in which every method is closed; nil if one is open.
    package func ending(_ settings: Settings) -> Outcome? {
        guard let pin, let phone, case .some = code else { return nil }
        if case .failed = phone { return phone.outcome(settings) }
        return (pin.isForEveryAccount ? phone : pin).outcome(settings)
    }
}
