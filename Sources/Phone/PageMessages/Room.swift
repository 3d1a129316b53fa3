// SPDX-License-Identifier: Apache-2.0
// The memory through which the script and this module exchange messages (docs/protocol/page.md). There is one
// thread. A message is freed, and thereby wiped, when it has been read.
import CPlatform

nonisolated(unsafe) private var incoming: UnsafeMutableRawPointer?
nonisolated(unsafe) private var roomCount: UInt32 = 0
nonisolated(unsafe) private var outgoing: [UInt8] = []

/// The length of the longest message that is accepted, in octets.
private let longest: UInt32 = 1 << 20

/// Allocates memory for the next message of `count` octets; null if there is no memory, or for a message
/// longer than 1 MiB.
@_expose(wasm, "mpin_room") @_cdecl("mpin_room")
public func room(_ count: UInt32) -> UnsafeMutableRawPointer? {
    unsafe free(incoming)
    unsafe (incoming, roomCount) = (nil, 0)
    guard count <= longest, let bytes = Int(exactly: count), let room = unsafe malloc(bytes) else {
        return nil
    }
    unsafe (incoming, roomCount) = (room, count)
    return unsafe room
}

/// Where the script finds a message: its length (4 octets), then its fields, until the next one.
package func answer(_ message: Message) -> UnsafePointer<UInt8>? {
    unsafe outgoing = message.framed
    return unsafe outgoing.withUnsafeBufferPointer { $0.baseAddress }
}

/// The fields of the message that the script wrote; empty if there is no such message or it is malformed.
package func received(_ count: UInt32) -> [[UInt8]] {
    guard let room = unsafe incoming, unsafe count <= roomCount, let bytes = Int(exactly: count) else {
        return []
    }
    let message = unsafe UnsafeRawBufferPointer(start: room, count: bytes)
    let found = fields(of: unsafe RawSpan(_unsafeBytes: message)) ?? []
    unsafe free(room)
    unsafe (incoming, roomCount) = (nil, 0)
    return found
}
