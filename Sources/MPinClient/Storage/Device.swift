// SPDX-License-Identifier: Apache-2.0
// The device key of one registration, and the tags that it makes: without them a try counts as a stranger's.
import MPin
import MPinWire
import Octets
import Secrets

struct Device: ~Copyable {
    private let id: [UInt8]
    /// nil: the server binds no proofs, and knows of no tags.
    private let key: DeviceKey?

    /// Throws where a bound registration has lost its key: nothing is sent for it then.
    init(_ record: StoredRecord) throws(Failure) {
        id = identityHash(record.mpinID)
        guard record.isBound else {
            key = nil
            return
        }
        guard let key = deviceKey(fromHex: record.deviceKey) else {
            throw Failure(.cryptoError, "the device key is missing: register this user anew")
        }
        self.key = consume key
    }

    borrowing func tag(_ passes: borrowing PassOne, seen: [UInt8]) throws(Failure) -> HexOctets? {
        switch key {
        case .none: return nil
        case .some(let key):
            guard let pass = DevicePass(id: id, u: passes.u, ut: passes.ut, seen: seen) else { return nil }
            do throws(SealFailure) { return HexOctets(try key.tag(of: pass)) } catch {
                throw Failure(.outOfMemory)
            }
        }
    }

    /// Of a look-up of a session.
    borrowing func tag(status: String, wid: String) throws(Failure) -> HexOctets? {
        switch key {
        case .none: return nil
        case .some(let key):
            guard let look = DevicePass(id: id, status: [UInt8](status.utf8), wid: [UInt8](wid.utf8)) else {
                return nil
            }
            do throws(SealFailure) { return HexOctets(try key.tag(of: look)) } catch {
                throw Failure(.outOfMemory)
            }
        }
    }

    /// Covers all that a pass 2 asks for. The challenge was checked before, so its parts have their lengths.
    borrowing func tag(
        _ v: [UInt8], answering challenge: PassOneResponse, _ purpose: Client.PassPurpose
    ) throws(Failure) -> HexOctets? {
        switch key {
        case .none: return nil
        case .some(let key):
            let pass = DevicePass(
                id: id, n: challenge.n?.octets ?? [], y: challenge.y.octets, v: v,
                wid: [UInt8](purpose.wid.utf8), wantsOTP: purpose.wantsOTP)
            guard let pass else { return nil }
            do throws(SealFailure) { return HexOctets(try key.tag(of: pass)) } catch {
                throw Failure(.outOfMemory)
            }
        }
    }
}

/// nil for what is not 64 hexadecimal digits.
func deviceKey(fromHex digits: String) -> DeviceKey? {
    guard var octets = octets(fromHex: [UInt8](digits.utf8)) else { return nil }
    defer { for index in octets.indices { octets[index] = 0 } }
    return try? DeviceKey(copying: octets)
}
