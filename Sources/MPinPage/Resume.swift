// SPDX-License-Identifier: Apache-2.0
// The functions that the script calls (docs/protocol/page.md). There is one thread and one machine at a time.
// A message is freed, and thereby wiped, when it has been read.
import CPlatform

nonisolated(unsafe) private var page = Page()
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

/// Takes the message of `count` octets that was written to `mpin_room` and returns the next step: its length
/// (4 octets), then its fields. The result is valid until the next call.
@_expose(wasm, "mpin_resume") @_cdecl("mpin_resume")
public func resume(_ count: UInt32) -> UnsafePointer<UInt8>? {
    let message = received(count)
    return unsafe answer(page.resume(message))
}

func answer(_ message: Message) -> UnsafePointer<UInt8>? {
    unsafe outgoing = message.framed
    return unsafe outgoing.withUnsafeBufferPointer { $0.baseAddress }
}

/// The fields of the message that the script wrote; empty if there is no such message or it is malformed.
func received(_ count: UInt32) -> [[UInt8]] {
    guard let room = unsafe incoming, unsafe count <= roomCount, let bytes = Int(exactly: count) else {
        return []
    }
    let message = unsafe UnsafeRawBufferPointer(start: room, count: bytes)
    let found = fields(of: unsafe RawSpan(_unsafeBytes: message)) ?? []
    unsafe free(room)
    unsafe (incoming, roomCount) = (nil, 0)
    return found
}
