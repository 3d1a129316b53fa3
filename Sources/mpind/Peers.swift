// SPDX-License-Identifier: Apache-2.0
// Who is at the other end of a connection, as the kernel says.
import Glibc
import HTTPTypes
import MPinService
import NIOCore
import NIOHTTPTypes

/// The connection of a request.
struct Connection {
    let channel: any Channel

    /// Ends the connection after a while, whatever it is at, unless that is cancelled.
    func end(after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    var isOpen: Bool { channel.isActive }

    /// Lets a client bring its body that waits for our word first, as libcurl does with every PUT.
    func goOn() {
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }

    /// nil if the kernel does not say; then nobody is served.
    func peer() async -> Peer? {
        switch channel.localAddress {
        case .unixDomainSocket: await localPeer()
        case .v4, .v6: channel.remoteAddress?.ipAddress.map { .address($0) }
        case nil: nil
        }
    }

    /// SO_PEERCRED: the ids that the caller had when he connected.
    private func localPeer() async -> Peer? {
        guard let provider = channel as? any SocketOptionProvider else { return nil }
        let option = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        let credentials: Credentials? = try? await provider.unsafeGetSocketOption(
            level: .socket, name: option
        ).get()
        return credentials.map { .local(user: $0.user, process: $0.process) }
    }
}

/// `struct ucred` of the kernel.
private struct Credentials: Sendable {
    let process: Int32
    let user: UInt32
    let group: UInt32
}
