// SPDX-License-Identifier: Apache-2.0
// Which ways in are open to an account here, and what closes the others: for logins and for `mpin why`.

/// What closes a way in.
package enum Obstacle: Error, Equatable, Sendable {
    /// `method` of mpin.conf does not name the way.
    case method
    /// A PIN from afar: `remote-pin = no`, or `key` and no public key was accepted before.
    case remotePIN
    /// The account does not have the way here, or a rule leaves it out.
    case account(NotEnrolled.Cause)
    /// The host, or what is asked about the account, is not as it must be.
    case failed(Reason)

    /// Said by settings and the key shown before, whoever it is.
    package var isEverybodys: Bool {
        switch self {
        case .method, .remotePIN: true
        case .account, .failed: false
        }
    }

    /// How a login ends that goes this way all the same.
    func outcome(_ settings: Settings) -> Outcome {
        switch self {
        case .method, .remotePIN: .refused(.noPINFromAfar)
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
            isRemote: scene.isRemote)
    }

    private init(pin: Obstacle?, phone: Obstacle?, isRemote: Bool) {
        (self.pin, self.phone, self.isRemote) = (pin, phone, isRemote)
    }

    /// The same with these obstacles where there was none.
    func closed(pin: Obstacle?, phone: Obstacle?) -> Ways {
        Ways(pin: self.pin ?? pin, phone: self.phone ?? phone, isRemote: isRemote)
    }

    /// Whether the screens speak of a PIN. In remote services they are everybody's and tell nothing of the
    /// account.
    package var showsPIN: Bool { shows(pin) }
    /// Whether the screens speak of a second device.
    package var showsPhone: Bool { shows(phone) }

    private func shows(_ obstacle: Obstacle?) -> Bool {
        guard let obstacle else { return true }
        return isRemote && !obstacle.isEverybodys
    }

    /// How a login ends that finds every way closed; nil if one is open.
    package func ending(_ settings: Settings) -> Outcome? {
        guard let pin, let phone else { return nil }
        if case .failed = phone { return phone.outcome(settings) }
        return (pin.isEverybodys ? phone : pin).outcome(settings)
    }
}
