// SPDX-License-Identifier: Apache-2.0
// Lines of units and of inittab that start login(1) with the name of a host.
@testable import MPinAdmin
import Testing

@Suite struct `A line that starts login` {
    @Test(arguments: [
        "ExecStart=-/sbin/agetty -H front --noclear tty1 linux", "ExecStart=-/sbin/agetty -E - $TERM",
        "ExecStart=-/sbin/agetty -o '-h front -p -- \\\\u' --noclear %I $TERM",
        "T0:23:respawn:/sbin/getty --host front -L ttyS0 9600 vt100",
        "ExecStart=/bin/login -h front -f alice",
    ])
    func `with the name of a host makes people there remote`(_ line: String) {
        #expect(LoginStarter.namesHost(line))
    }

    @Test(arguments: [
        "", "# ExecStart=-/sbin/agetty -H front tty1",
        "ExecStart=-/sbin/agetty -o '-p -- \\\\u' --noclear - $TERM",
        "ExecStart=-/sbin/agetty -h 115200 ttyS0", "1:2345:respawn:/sbin/getty 38400 tty1",
        "ExecStart=/usr/sbin/sshd -h /etc/ssh/key", "Description=login -h",
    ])
    func `without one does not`(_ line: String) {
        #expect(!LoginStarter.namesHost(line))
    }
}
