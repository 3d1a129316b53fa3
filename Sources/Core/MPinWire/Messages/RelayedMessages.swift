// SPDX-License-Identifier: Apache-2.0
// Conversion of a proof's requests to HTTP messages and of HTTP messages to responses, for the relay and the
// client library.
import Octets

#if !hasFeature(Embedded)

    extension HexOctets {
        /// nil for no octets, so that the message omits the key.
        package init?(unlessEmpty octets: [UInt8]) {
            guard !octets.isEmpty else { return nil }
            self.init(octets)
        }
    }

    extension PassOneRequest {
        /// Omits empty values, except UT.
        package init(_ pass: RelayPassOneRequest) {
            self.init(mpinID: pass.mpinID, u: pass.u, ut: pass.ut)
            ask = HexOctets(unlessEmpty: pass.sealed.question)
            askTag = HexOctets(unlessEmpty: pass.sealed.tag)
            seen = HexOctets(unlessEmpty: pass.seen)
            deviceTag = HexOctets(unlessEmpty: pass.deviceTag)
        }
    }

    extension RelayPassOneResponse {
        /// The challenge as the relay passes it on.
        package init(_ response: PassOneResponse) { self.init(y: response.y, n: response.n) }
    }

    extension PassTwoRequest {
        /// Omits empty values, except the session.
        package init(_ pass: RelayPassTwoRequest) {
            self.init(
                mpinID: pass.mpinID, v: pass.v, wid: String(decoding: pass.wid, as: UTF8.self),
                otp: pass.wantsOTP, n: pass.n)
            deviceTag = HexOctets(unlessEmpty: pass.deviceTag)
        }
    }

    extension CodeStatusRequest {
        /// The same request with the tag of the device that sends it, or without a tag for nil.
        package func tagged(_ device: DeviceTag?) -> CodeStatusRequest {
            var message = self
            message.id = device?.id
            message.deviceTag = device.map { HexOctets($0.tag) }
            return message
        }
    }
#endif
