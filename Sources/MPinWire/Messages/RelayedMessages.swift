// SPDX-License-Identifier: Apache-2.0
// Questions of a proof as messages, and their messages as answers: what relay and client library both carry.
#if !hasFeature(Embedded)

    extension HexOctets {
        /// nil where there are none: then the message leaves the key out.
        package init?(unlessEmpty octets: [UInt8]) {
            guard !octets.isEmpty else { return nil }
            self.init(octets)
        }
    }

    extension PassOneRequest {
        /// Whatever is empty is left out, but for UT.
        package init(_ pass: RelayPassOneRequest) {
            self.init(mpinID: pass.mpinID, u: pass.u, ut: pass.ut)
            ask = HexOctets(unlessEmpty: pass.sealed.question)
            askTag = HexOctets(unlessEmpty: pass.sealed.tag)
            seen = HexOctets(unlessEmpty: pass.seen)
            deviceTag = HexOctets(unlessEmpty: pass.deviceTag)
        }
    }

    extension RelayPassOneResponse {
        /// The challenge as it came, of whatever lengths.
        package init(_ response: PassOneResponse) {
            self.init(y: response.y.octets, n: response.n?.octets ?? [])
        }
    }

    extension PassTwoRequest {
        /// Whatever is empty is left out, but for the session.
        package init(_ pass: RelayPassTwoRequest) {
            self.init(
                mpinID: pass.mpinID, v: pass.v, wid: String(decoding: pass.wid, as: UTF8.self),
                otp: pass.wantsOTP, n: pass.n.isEmpty ? nil : pass.n)
            deviceTag = HexOctets(unlessEmpty: pass.deviceTag)
        }
    }

    extension CodeStatusRequest {
        /// The same with the device that asks; nil: nobody says which one does.
        package func tagged(_ device: DeviceTag?) -> CodeStatusRequest {
            var message = self
            message.id = device.map { HexOctets($0.id) }
            message.deviceTag = device.map { HexOctets($0.tag) }
            return message
        }
    }
#endif
