// SPDX-License-Identifier: Apache-2.0
// One forbidden or allowed act behind the relay's filter; the exit status or the signal shows the result.
import CPlatform
import Glibc

/// Exits with 0 if the act succeeded, and with its errno if it was refused.
func sandbox(_ act: String) -> Never {
    guard mpin_undumpable() == 0, mpin_sandbox() == 0 else { exit(200) }
    let result: Int
    switch act {
    case "nothing": result = 0
    case "execute": result = Int(unsafe execve("/bin/true", [nil], [nil]))
    case "fork": result = Int(mpin_fork())
    case "write a file": result = Int(unsafe mpin_open("/dev/null", O_WRONLY, 0))
    case "make a file": result = Int(unsafe mpin_open("/dev/null", O_RDONLY | O_CREAT, 0o600))
    case "read a file": result = Int(unsafe mpin_open("/etc/passwd", O_RDONLY, 0))
    case "new code":
        let pages = unsafe mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        result = unsafe pages == MAP_FAILED ? -1 : 0
    case "thread":
        var thread = pthread_t()
        result = unsafe pthread_create(&thread, nil, { _ in nil }, nil) == 0 ? 0 : -1
    case "packets": result = Int(socket(AF_PACKET, CInt(SOCK_RAW.rawValue), 0))
    case "connect": result = Int(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
    case "kill": result = Int(kill(getppid(), 0))
    case "change id": result = Int(setuid(1))
    default: exit(201)
    }
    exit(result < 0 ? mpin_errno() : 0)
}
