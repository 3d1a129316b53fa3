// SPDX-License-Identifier: Apache-2.0
// Messages of the administrator's socket: `mpind user` and `mpind host`. Keys are in lowerCamelCase, octets
// in hexadecimal, times in whole seconds since 1970-01-01 UTC. The user or host of a request is named in the
// body, never in the path.
#if !hasFeature(Embedded)
    package import Octets

    /// POST users: adds a user, or makes a new activation code for one.
    package struct AddUserRequest: Codable, Equatable, Sendable {
        package let userId: String
        /// Whether the new registration revokes the older ones.
        package let replace: Bool
        /// Whether the code goes into a QR code: it is valid for ten minutes, and until an identity enrolled
        /// with it is confirmed, it can only be bound to an account.
        package let byQRCode: Bool?
        /// The number of wrong PINs in a row that block an identity enrolled with the code.
        package let blockAfter: Int64?

        package init(userId: String, replace: Bool, byQRCode: Bool = false, blockAfter: Int64? = nil) {
            self.userId = userId
            self.replace = replace
            self.byQRCode = byQRCode ? true : nil
            self.blockAfter = blockAfter
        }
    }

    /// The response to POST users.
    package struct AddUserResponse: Codable, Equatable, Sendable {
        package let userId: String
        /// 16 letters in groups of four. mpind cannot show them again.
        package let activationCode: String
        package let expires: Int
        /// The content of the QR code; only with `byQRCode`.
        package var address: String?

        package init(userId: String, activationCode: String, expires: Int, address: String? = nil) {
            self.userId = userId
            self.activationCode = activationCode
            self.expires = expires
            self.address = address
        }
    }

    /// POST users/end-code: ends this activation code, whose enrolment was cancelled.
    package struct EndCodeRequest: Codable, Equatable, Sendable {
        /// The user's name.
        package let userId: String
        /// As in the response to POST users, with or without hyphens.
        package let activationCode: String

        /// The code of this user.
        package init(userId: String, activationCode: String) {
            self.userId = userId
            self.activationCode = activationCode
        }
    }

    /// POST users/revoke, users/unlock: all identities of a userId, or the one identity `id`. POST
    /// users/remove, users/resume: a userId. POST users/confirm: the one registration of `userId` that waits,
    /// or was enrolled by a QR code, and whose id begins with `id`, which has 4 octets or more.
    package struct UserRequest: Codable, Equatable, Sendable {
        package let userId: String?
        package let id: HexOctets?

        package init(userId: String) {
            self.userId = userId
            self.id = nil
        }

        /// One identity.
        package init(id: IdentityHash) {
            self.userId = nil
            self.id = HexOctets(id)
        }

        /// The identity of a user whose id begins with `idPrefix`.
        package init(userId: String, idPrefix: [UInt8]) {
            self.userId = userId
            self.id = HexOctets(idPrefix)
        }
    }

    /// How many identities a request changed; if there are none, the status is 404.
    package struct UserResponse: Codable, Equatable, Sendable {
        package let identities: Int
        /// False if users/unlock found wrong tries but no lock; otherwise absent.
        package let wasLocked: Bool?

        package init(identities: Int, wasLocked: Bool? = nil) {
            self.identities = identities
            self.wasLocked = wasLocked
        }
    }

    /// The response to POST users/show: a user and the registrations that wait under that name.
    package struct UserDetails: Codable, Equatable, Sendable {
        /// Absent if there are only waiting registrations under the name.
        package let user: UserList.User?
        package let waiting: [UserList.Waiting]

        package init(user: UserList.User?, waiting: [UserList.Waiting]) {
            (self.user, self.waiting) = (user, waiting)
        }
    }

    /// The response to GET users.
    package struct UserList: Codable, Equatable, Sendable {
        package let users: [User]
        /// The registrations that wait for a confirmation.
        package let waiting: [Waiting]

        package init(users: [User], waiting: [Waiting] = []) {
            self.users = users
            self.waiting = waiting
        }

        /// A registration that an administrator has not confirmed yet.
        package struct Waiting: Codable, Equatable, Sendable {
            package let id: HexOctets
            package let userId: String
            /// The source of the request.
            package let source: String
            package let since: Int
            package let expires: Int
            /// What the client reports about itself and its user.
            package var deviceName: String?
            package var userData: String?

            package init(id: IdentityHash, userId: String, source: String, since: Int, expires: Int) {
                self.id = HexOctets(id)
                self.userId = userId
                self.source = source
                self.since = since
                self.expires = expires
            }
        }

        /// A user and their identities.
        package struct User: Codable, Equatable, Sendable {
            package let userId: String
            package let identities: [Identity]
            /// When an open activation code expires.
            package let codeExpires: Int?
            package var state: AccountState?
            package var added: Int?
            package var revoked: Int?
            package var suspended: SuspensionMessage?

            /// The state that an open activation code has in the list.
            package var codeState: AccountState { state == .suspended ? .suspended : .waiting }

            package init(userId: String, identities: [Identity], codeExpires: Int?) {
                self.userId = userId
                self.identities = identities
                self.codeExpires = codeExpires
            }
        }

        /// One registration.
        package struct Identity: Codable, Equatable, Sendable {
            package let id: HexOctets
            package var state: AccountState?
            /// The host whose sealed questions its proofs need; absent for a personal identity or a client of
            /// Milagro.
            package var host: String?
            package var registered: Int?
            package var lastLogin: Int?
            /// The source of the last login, after the name of the host if there was one.
            package var lastLoginFrom: String?
            /// The end of the last of its locks; also absent if a lock lasts until it is unlocked.
            package var lockedUntil: Int?
            package var locks: [Lock]?
            package var wrongTries: WrongTriesMessage?
            /// The wrong PINs from new accounts and addresses in the last 90 days; absent if there are none.
            package var strangeTries: Int64?
            package var revoked: Int?
            /// When too many wrong PINs blocked it, until it is unlocked.
            package var blocked: Int?
            /// Whether it was enrolled by a QR code and is not confirmed yet: it cannot approve a login.
            package var unconfirmed: Bool?
            /// The number of wrong PINs in a row that block it; absent if they only lock it for a time.
            package var blockAfter: Int64?
            /// What the client reports about itself and its user, and its address for push messages.
            package var deviceName: String?
            package var userData: String?
            package var pushToken: String?

            package init(id: IdentityHash) { self.id = HexOctets(id) }
        }

        /// A lock: mpind refuses all tries from a source until the lock ends.
        package struct Lock: Codable, Equatable, Sendable {
            /// A source with its host, `anywhere`, `new accounts` or `new addresses`; the last two are
            /// sources from which there has been no login yet.
            package let from: String
            /// Absent if the lock lasts until it is unlocked.
            package let until: Int?

            package init(from: String, until: Int?) { (self.from, self.until) = (from, until) }
        }
    }

    /// POST hosts, hosts/rotate, hosts/remove.
    package struct HostRequest: Codable, Equatable, Sendable {
        package let host: String
        /// Only for hosts/rotate: the key has leaked, so mpind no longer accepts the former keys.
        package let hasLeaked: Bool?

        package init(host: String, hasLeaked: Bool? = nil) {
            self.host = host
            self.hasLeaked = hasLeaked
        }
    }

    /// The response to POST hosts and hosts/rotate.
    package struct HostCodeResponse: Codable, Equatable, Sendable {
        package let host: String
        package let epoch: UInt32
        /// 16 letters in groups of four. mpind cannot show them again.
        package let joinCode: String
        package let expires: Int

        package init(host: String, epoch: UInt32, joinCode: String, expires: Int) {
            self.host = host
            self.epoch = epoch
            self.joinCode = joinCode
            self.expires = expires
        }
    }

    /// The response to GET hosts.
    package struct HostList: Codable, Equatable, Sendable {
        package let hosts: [Host]

        package init(hosts: [Host]) { self.hosts = hosts }

        /// A login host and the epoch of its newest key.
        package struct Host: Codable, Equatable, Sendable {
            package let host: String
            package let epoch: UInt32

            package init(host: String, epoch: UInt32) {
                self.host = host
                self.epoch = epoch
            }
        }
    }
#endif
