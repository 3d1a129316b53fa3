// SPDX-License-Identifier: Apache-2.0
// Turns questions into HTTP requests. The script sends them to the page's origin, so the paths are mpind's.
import MPinProof
import MPinWire
import Octets
import PageMessages

extension Message {
    /// `http STAGE METHOD PATH (NAME VALUE)*`.
    fileprivate init(http stage: StaticString, method: StaticString, path: [UInt8]) {
        self.init("http")
        add(stage)
        add(method)
        add(path)
    }
}

private func octets(_ path: String) -> [UInt8] { [UInt8](path.utf8) }

enum Requests {
    static func message(_ request: DeviceRequest) -> Message? {
        switch request {
        case .look(let wid, let device): return status("look", status: "wid", wid: wid, device: device)
        case .choose(let wid, let userID, let device):
            var call = status("choose", status: "user", wid: wid, device: device)
            call.add("userId", userID)
            return call
        case .approve(let ticket, let denies):
            var call = Message(http: "approve", method: "POST", path: octets(Route.mobileAuthenticate))
            call.add("mpinResponse.authOTT", ticket)
            if denies {
                call.add("deny", ascii("1"))
                call.add("notMe", ascii("1"))
            }
            return call
        case .redeem, .logOut, .authorize, .service: return nil
        }
    }

    static func message(waitingAt time: UInt64, by device: DeviceTag) -> Message {
        var call = Message(http: "waiting", method: "POST", path: octets(Route.waiting))
        call.add("id", hex(device.id))
        call.add("time", decimal(time))
        call.add("deviceTag", hex(device.tag))
        return call
    }

    private static func status(
        _ stage: StaticString, status: StaticString, wid: [UInt8], device: DeviceTag?
    ) -> Message {
        var call = Message(http: stage, method: "POST", path: octets(Route.codeStatus))
        call.add("status", ascii(status))
        call.add("wid", wid)
        if let device {
            call.add("id", hex(device.id))
            call.add("deviceTag", hex(device.tag))
        }
        return call
    }

    /// The request of a question, or the first of two; nil for a question that a device never asks.
    static func message(_ request: RelayRequest) -> Message? {
        switch request {
        case .settings: return Message(http: "settings", method: "GET", path: octets(Route.clientSettings))
        case .permits(let mpinID):
            return Message(
                http: "permit", method: "GET", path: octets(Route.timePermit) + ascii("/") + hex(mpinID))
        case .passOne(let pass): return message(pass)
        case .passTwo(let pass): return message(pass)
        case .authenticate(let relayed):
            var call = Message(http: "verdict", method: "POST", path: octets(Route.authenticate))
            call.add("mpinResponse.authOTT", relayed.authOTT)
            return call
        case .register(let new): return message(new)
        case .clientSecret(let relayed):
            let path = SharePath.signature(mpinID: relayed.mpinID, regOTT: relayed.regOTT)
            return Message(http: "share1", method: "GET", path: octets(Route.signature) + path)
        default: return nil
        }
    }

    /// The second request of a question, made from the reply to the first; nil if the reply lacks a member.
    static func second(_ request: RelayRequest, after first: Reply, appID: [UInt8]) -> Message? {
        switch request {
        case .permits:
            guard let storage = first["storageId"], let signature = first["signature"] else { return nil }
            let path = SharePath.timePermit(storageID: storage, appID: appID, signature: signature)
            return Message(http: "permit2", method: "GET", path: octets(Route.authority) + path)
        case .clientSecret:
            guard let path = first["params"].flatMap(SharePath.clientSecret) else { return nil }
            return Message(http: "share2", method: "GET", path: octets(Route.authority) + path)
        default: return nil
        }
    }

    private static func message(_ pass: RelayPassOneRequest) -> Message {
        var call = Message(http: "pass1", method: "POST", path: octets(Route.passOne))
        call.add("pass", ascii("1"))
        call.add("mpin_id", hex(pass.mpinID))
        call.add("U", hex(pass.u))
        call.add("UT", hex(pass.ut))
        if !pass.seen.isEmpty { call.add("seen", hex(pass.seen)) }
        if !pass.deviceTag.isEmpty { call.add("deviceTag", hex(pass.deviceTag)) }
        return call
    }

    private static func message(_ pass: RelayPassTwoRequest) -> Message {
        var call = Message(http: "pass2", method: "POST", path: octets(Route.passTwo))
        call.add("pass", ascii("2"))
        call.add("mpin_id", hex(pass.mpinID))
        call.add("V", hex(pass.v))
        call.add("WID", pass.wid)
        call.add("OTP", ascii(pass.wantsOTP ? "1" : "0"))
        if let n = pass.n { call.add("n", hex(n)) }
        if !pass.deviceTag.isEmpty { call.add("deviceTag", hex(pass.deviceTag)) }
        return call
    }

    private static func message(_ new: RelayRegisterRequest) -> Message {
        let again = new.mpinID.isEmpty ? [] : ascii("/") + hex(new.mpinID)
        var call = Message(http: "register", method: "PUT", path: octets(Route.user) + again)
        call.add("userId", new.userID)
        if !new.deviceName.isEmpty { call.add("deviceName", new.deviceName) }
        if !new.regOTT.isEmpty { call.add("regOTT", new.regOTT) }
        if !new.activationCode.isEmpty { call.add("activateCode", new.activationCode) }
        if new.isPersonal { call.add("bound", ascii("1")) }
        return call
    }
}
