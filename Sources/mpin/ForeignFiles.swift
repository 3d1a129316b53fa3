// SPDX-License-Identifier: Apache-2.0
// The two files of an app on Milagro's SDK core, or on our library, read by the library.
import MPin
import MPinClient
import MPinWire
import Secrets

/// Somebody of whom such an app knows.
struct ForeignUser {
    /// The backend's URL without its scheme.
    let backend: String
    let identity: String
    let mpinID: [UInt8]
    /// As token files name it.
    let pinRule: [UInt8]
    let isBound: Bool
    let isRegistered: Bool
    private let digits: String

    fileprivate init(_ user: StoredUser) {
        (backend, identity, mpinID, isBound) = (user.backend, user.identity, user.mpinID, user.isBound)
        pinRule = [UInt8](user.pinRule.utf8)
        isRegistered = !user.isIncomplete
        digits = user.token
    }

    /// nil: what stands there is none.
    func token() -> Token? {
        guard var point = octets(fromHex: [UInt8](digits.utf8)), point.count == 65 else { return nil }
        defer { for index in point.indices { point[index] = 0 } }
        guard let secret = try? unsafe Secret(copying: point.span.bytes) else { return nil }
        return try? Token(secret)
    }
}

/// Everybody in the two files. What is wrong with these is said in a sentence.
func foreignUsers(secure: String, plain: String) throws(Failure) -> [ForeignUser] {
    do {
        return try storedUsers(secure: FileStorage(path: secure), plain: FileStorage(path: plain))
            .map(ForeignUser.init)
    } catch {
        throw Failure(.settings, "\(shown(secure)) and \(shown(plain)) cannot be read: \(error.message).")
    }
}
