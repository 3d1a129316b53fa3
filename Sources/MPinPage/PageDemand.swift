// SPDX-License-Identifier: Apache-2.0
// The flow `demand`: fetches the server's rules for new PINs before the user chooses one.
import MPinProof
import MPinWire
import Octets
import PageMessages

extension Page {
    mutating func demand() -> Message {
        machine = .demanding
        return ask(.settings)
    }

    /// `done demand LENGTH KINDS`.
    mutating func demanded(_ answer: RelayResponse) -> Message {
        guard case .settings(_, let pins)? = answer.body else {
            return end(
                RelayResponse.isUnavailable(answer.status)
                    ? Done.message("unavailable") : Done.failed("answer"))
        }
        var done = Done.message("demand")
        done.add(pins.length)
        done.add(pins.refusesDates ? PINDemand.noDates : "")
        return end(done)
    }
}

extension PINDemand {
    /// Reads the fields that `demanded` wrote; nil for anything else.
    init?(_ length: [UInt8], _ kinds: [UInt8]) {
        guard let length = wholeNumber(length, in: PINDemand.lengths),
            kinds.isEmpty || kinds.spells(PINDemand.noDates)
        else { return nil }
        self.init(length: length, refusesDates: !kinds.isEmpty)
    }
}
