// SPDX-License-Identifier: Apache-2.0
// Messages of the administrator's socket: `mpind user` and `mpind host`. Keys in lowerCamelCase, octets in
// hex, times in whole seconds since 1970-01-01 UTC. Whom an act is about stands in the body, never in a path.
#if !hasFeature(Embedded)

    /// POST users: makes an identity, or a new code for one.
    package struct AddUserRequest: Codable, Equatable, Sendable {
        package let userId: String
        /// The new registration revokes the older ones.
        package let replace: Bool
        /// The code will stand in a picture: it lives ten minutes, and what is enrolled with it can only be
        /// bound to an account until somebody has confirmed it.
        package let byPicture: Bool?
        /// So many wrong PINs in a row block what is enrolled with the code.
        package let blockAfter: Int64?

        package init(userId: String, replace: Bool, byPicture: Bool = false, blockAfter: Int64? = nil) {
            self.userId = userId
            self.replace = replace
            self.byPicture = byPicture ? true : nil
            self.blockAfter = blockAfter
        }
    }

    /// The answer to it. Times are in seconds since 1970-01-01 UTC.
    package struct AddUserResponse: Codable, Equatable, Sendable {
        package let userId: String
        /// 16 letters, grouped by four; never to be had again.
        package let activationCode: String
        package let expires: Int
        /// What the picture says; of a code by picture alone.
        package var address: String?

        package init(userId: String, activationCode: String, expires: Int, address: String? = nil) {
            self.userId = userId
            self.activationCode = activationCode
            self.expires = expires
            self.address = address
        }
    }

    /// POST users/revoke, users/unlock: everything of a userId, or the one identity `id`. POST users/resume:
    /// a userId. POST users/confirm:
    /// the one registration of `userId` that waits, or was enrolled by a picture, and whose id begins with
    /// `id`, 4 octets or more.
    package struct UserRequest: Codable, Equatable, Sendable {
        package let userId: String?
        package let id: HexOctets?

        package init(userId: String) {
            self.userId = userId
            self.id = nil
        }

        package init(userId: String? = nil, id: [UInt8]) {
            self.userId = userId
            self.id = HexOctets(id)
        }
    }

    /// How many identities an act reached; none is answered with 404.
    package struct UserResponse: Codable, Equatable, Sendable {
        package let identities: Int
        /// False where an unlocking found wrong tries, but no lock; else absent.
        package let wasLocked: Bool?

        package init(identities: Int, wasLocked: Bool? = nil) {
            self.identities = identities
            self.wasLocked = wasLocked
        }
    }

    /// The answer of POST users/show: one person, with what waits under that name.
    package struct UserDetails: Codable, Equatable, Sendable {
        /// Absent where registrations wait under the name alone.
        package let user: UserList.User?
        package let waiting: [UserList.Waiting]

        package init(user: UserList.User?, waiting: [UserList.Waiting]) {
            (self.user, self.waiting) = (user, waiting)
        }
    }

    /// GET users.
    package struct UserList: Codable, Equatable, Sendable {
        package let users: [User]
        /// Registrations that wait for a confirmation.
        package let waiting: [Waiting]

        package init(users: [User], waiting: [Waiting] = []) {
            self.users = users
            self.waiting = waiting
        }

        /// A registration that an administrator has yet to confirm. Times are in seconds since 1970-01-01
        /// UTC.
        package struct Waiting: Codable, Equatable, Sendable {
            package let id: HexOctets
            package let userId: String
            /// Where the request came from.
            package let source: String
            package let since: Int
            package let expires: Int
            /// What the client says of itself and of its user.
            package var deviceName: String?
            package var userData: String?

            package init(id: [UInt8], userId: String, source: String, since: Int, expires: Int) {
                self.id = HexOctets(id)
                self.userId = userId
                self.source = source
                self.since = since
                self.expires = expires
            }
        }

        /// A user with their identities. Times are in seconds since 1970-01-01 UTC.
        package struct User: Codable, Equatable, Sendable {
            package let userId: String
            package let identities: [Identity]
            /// Until when an activation code is open.
            package let codeExpires: Int?
            package var state: AccountState?
            package var added: Int?
            package var revoked: Int?
            package var suspended: SuspensionMessage?

            /// How whoever holds an open code stands.
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
            /// The host whose seal its proofs need; absent for a personal identity or a client of Milagro's.
            package var host: String?
            package var registered: Int?
            package var lastLogin: Int?
            /// Its source, with the name of the host before it if there was one.
            package var lastLoginFrom: String?
            /// The end of the last of its locks; absent also where one lasts until it is unlocked.
            package var lockedUntil: Int?
            package var locks: [Lock]?
            package var wrongTries: WrongTriesMessage?
            package var revoked: Int?
            /// By too many wrong PINs, until it is unlocked.
            package var blocked: Int?
            /// Enrolled by a picture, and confirmed by nobody yet: it approves no login.
            package var unconfirmed: Bool?
            /// So many wrong PINs in a row block it; absent where they lock it for a while.
            package var blockAfter: Int64?
            /// What the client says of itself and of its user, and where it says that messages reach it.
            package var deviceName: String?
            package var userData: String?
            package var pushToken: String?

            package init(id: [UInt8]) { self.id = HexOctets(id) }
        }

        /// Tries from somewhere are not looked at until the lock ends.
        package struct Lock: Codable, Equatable, Sendable {
            /// A source with its host, `anywhere`, `new accounts` or `new addresses`: those from which nobody
            /// has logged in yet.
            package let from: String
            /// Absent: until it is unlocked.
            package let until: Int?

            package init(from: String, until: Int?) { (self.from, self.until) = (from, until) }
        }
    }

    /// POST hosts, hosts/rotate, hosts/remove.
    package struct HostRequest: Codable, Equatable, Sendable {
        package let host: String
        /// Rotation alone: the keys before answer no more.
        package let hasLeaked: Bool?

        package init(host: String, hasLeaked: Bool? = nil) {
            self.host = host
            self.hasLeaked = hasLeaked
        }
    }

    /// The answer of POST hosts and hosts/rotate.
    package struct HostCodeResponse: Codable, Equatable, Sendable {
        package let host: String
        package let epoch: UInt32
        /// 16 letters, grouped by four; never to be had again.
        package let joinCode: String
        package let expires: Int

        package init(host: String, epoch: UInt32, joinCode: String, expires: Int) {
            self.host = host
            self.epoch = epoch
            self.joinCode = joinCode
            self.expires = expires
        }
    }

    /// GET hosts.
    package struct HostList: Codable, Equatable, Sendable {
        package let hosts: [Host]

        package init(hosts: [Host]) { self.hosts = hosts }

        /// A login host and the epoch of its newest key.
        package struct Host: Codable, Equatable, Sendable {
            package let host: String
            package let epoch: UInt32
            /// When it took its key; absent while a join code is open.
            package var joined: Int?
            package var lastSeen: Int?

            package init(host: String, epoch: UInt32) {
                self.host = host
                self.epoch = epoch
            }
        }
    }
#endif
