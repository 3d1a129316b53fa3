// SPDX-License-Identifier: Apache-2.0
// Which ways in are open to an account here, and what closes the others: for logins and for `mpin why`.

/// What closes a way in.
package enum Obstacle: Error, Equatable, Sendable {
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
        case .method, .remotePIN: .refused(.noPINFromAfar)
        case .service: .refused(.noBackupCode)
        case .account(let cause):
            .notEnrolled(
                NotEnrolled(cause: cause, ignored: cause == .noFile && settings.unenrolled == .ignore))
        case .failed(let reason): .failed(reason)
        }
    }
}

package struct Ways: Equatable, Sendable {
    /// What closes each way; nil: it is open.
    package let pin: Obstacle?
    package let phone: Obstacle?
    /// Backup codes.
    package let code: Obstacle?
    private let isRemote: Bool

    /// What settings and scene say, whoever it is.
    package init(_ settings: Settings, _ scene: Scene) {
        let (namesPIN, namesPhone) =
            switch settings.method {
            case .pin: (true, false)
            case .phone: (false, true)
            case .pinAndPhone: (true, settings.answer == .sealed)
            case .otp: (false, false)
            }
        let mayTypePIN =
            switch settings.remotePIN {
            case .key: !scene.isRemote || scene.keyAccepted
            case .long: true
            case .no: !scene.isRemote
            }
        self.init(
            pin: !namesPIN ? .method : mayTypePIN ? nil : .remotePIN, phone: namesPhone ? nil : .method,
            code: settings.takesBackupCodes ? nil : .service, isRemote: scene.isRemote)
    }

    private init(pin: Obstacle?, phone: Obstacle?, code: Obstacle?, isRemote: Bool) {
        (self.pin, self.phone, self.code, self.isRemote) = (pin, phone, code, isRemote)
    }

    /// The same with these obstacles where there was none.
    func closed(pin: Obstacle? = nil, phone: Obstacle? = nil, code: Obstacle? = nil) -> Ways {
        Ways(
            pin: self.pin ?? pin, phone: self.phone ?? phone, code: self.code ?? code, isRemote: isRemote)
    }

    /// The same with this obstacle to every way that was open.
    func closed(by obstacle: Obstacle) -> Ways { closed(pin: obstacle, phone: obstacle, code: obstacle) }

    /// Whether the screens speak of a PIN. In remote services they are everybody's and tell nothing of the
    /// account.
    package var showsPIN: Bool { shows(pin) }
    /// Whether the screens speak of a second device.
    package var showsPhone: Bool { shows(phone) }

    /// Whether a screen may speak of a backup code.
    package var showsCode: Bool { shows(code) }

    /// Whether sixteen letters are read as a code: where a damaged file alone closes the way, that is to show.
    var readsCode: Bool {
        if case .failed = code { true } else { showsCode }
    }

    private func shows(_ obstacle: Obstacle?) -> Bool {
        guard let obstacle else { return true }
        return isRemote && !obstacle.isEverybodys
    }

    /// How a login ends that finds every way closed; nil if one is open.
    package func ending(_ settings: Settings) -> Outcome? {
        guard let pin, let phone, code != nil else { return nil }
        if case .failed = phone { return phone.outcome(settings) }
        return (pin.isEverybodys ? phone : pin).outcome(settings)
    }
}
