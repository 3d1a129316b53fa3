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

    mutating func demanded(_ response: RelayResponse) -> Message {
        guard case .settings(_, let pins)? = response.body else {
            return end(
                RelayResponse.isUnavailable(response.status)
                    ? Done.message("unavailable") : Done.failed("answer"))
        }
        var done = Done.message("demand")
        done.add("length", pins.length)
        done.add("kinds", pins.refusesDates ? PINDemand.noDates : "")
        return end(done)
    }
}

extension PINDemand {
    /// Reads the members that `demanded` wrote; nil for anything else.
    init?(_ members: Members) {
        guard let length = members["length"].flatMap({ wholeNumber($0, in: PINDemand.lengths) }),
            let kinds = members["kinds"], kinds.isEmpty || kinds.spells(PINDemand.noDates)
        else { return nil }
        self.init(length: length, refusesDates: !kinds.isEmpty)
    }
}
