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

        package init(userId: String, replace: Bool, byPicture: Bool = false) {
            self.userId = userId
            self.replace = replace
            self.byPicture = byPicture ? true : nil
        }
    }

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

    /// POST users/revoke, users/unlock: everything of a userId, or the one identity `id`. POST users/confirm:
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

        package init(identities: Int) { self.identities = identities }
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

        package struct Waiting: Codable, Equatable, Sendable {
            package let id: HexOctets
            package let userId: String
            /// Where the request came from.
            package let source: String
            package let since: Int
            package let expires: Int

            package init(id: [UInt8], userId: String, source: String, since: Int, expires: Int) {
                self.id = HexOctets(id)
                self.userId = userId
                self.source = source
                self.since = since
                self.expires = expires
            }
        }

        package struct User: Codable, Equatable, Sendable {
            package let userId: String
            package let identities: [Identity]
            /// Until when an activation code is open.
            package let codeExpires: Int?

            package init(userId: String, identities: [Identity], codeExpires: Int?) {
                self.userId = userId
                self.identities = identities
                self.codeExpires = codeExpires
            }
        }

        /// One registration.
        package struct Identity: Codable, Equatable, Sendable {
            package let id: HexOctets
            /// The host whose seal its proofs need; absent for a personal identity or a client of Milagro's.
            package var host: String?
            package var registered: Int?
            package var lastLogin: Int?
            package var lockedUntil: Int?
            package var revoked: Int?
            /// By too many wrong PINs, until it is unlocked.
            package var blocked: Int?
            /// Enrolled by a picture, and confirmed by nobody yet: it approves no login.
            package var unconfirmed: Bool?

            package init(id: [UInt8]) { self.id = HexOctets(id) }
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
