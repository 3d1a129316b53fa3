// SPDX-License-Identifier: Apache-2.0
// One system call behind a filter; the exit status or the signal shows the result.
import CPlatform
import Glibc

private typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int

/// Exits with 0 if the call succeeded, and with its errno if it was refused.
/// - Parameters:
///   - filter: `relay`, `unix` for a relay whose server is on a Unix socket, or `lookup`.
///   - call: the number of the call and its arguments. `fd` is a stream socket, `parent` the process that
///     started this one, `page` an address of zeros, `passwd` the address of a path.
func sandbox(behind filter: String, _ call: ArraySlice<String>) -> Never {
    var ends: [CInt] = [-1, -1]
    let page = UnsafeMutableRawPointer.allocate(byteCount: 8192, alignment: 4096)
    unsafe page.initializeMemory(as: UInt8.self, repeating: 0, count: 8192)
    let path = unsafe strdup("/etc/passwd")
    guard mpin_undumpable() == 0, unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0,
        let symbol = unsafe dlsym(nil, "syscall")
    else { exit(200) }
    let make = unsafe unsafeBitCast(symbol, to: SystemCall.self)
    let words = call.map { word in
        switch word {
        case "fd": Int(ends[0])
        case "parent": Int(getppid())
        case "page": Int(bitPattern: page)
        case "passwd": Int(bitPattern: path)
        default: Int(word) ?? 0
        }
    }
    let all = words + [Int](repeating: 0, count: 7 - words.count)
    let isOn = filter == "lookup" ? mpin_sandbox_lookup() : mpin_sandbox(filter == "unix" ? 1 : 0)
    guard isOn == 0 else { exit(200) }
    let result = make(all[0], all[1], all[2], all[3], all[4], all[5], all[6])
    exit(result == -1 ? mpin_errno() : 0)
}
