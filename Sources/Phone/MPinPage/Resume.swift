// SPDX-License-Identifier: Apache-2.0
// The function that the script calls (docs/protocol/page.md). There is one thread and one machine at a time.
import PageMessages

nonisolated(unsafe) private var page = Page()

/// Takes the message of `count` octets that was written to `mpin_room` and returns the next step: its length
/// (4 octets), then its fields. The result is valid until the next call.
@_expose(wasm, "mpin_resume") @_cdecl("mpin_resume")
public func resume(_ count: UInt32) -> UnsafePointer<UInt8>? {
    let message = received(count)
    return unsafe answer(page.resume(message))
}
