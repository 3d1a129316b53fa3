// SPDX-License-Identifier: Apache-2.0
// The terminal of somebody who sits at this host, while the network is asked: silent, and Ctrl-C is read.
import CPlatform

/// Echo off, and the signals of the terminal held back, for as long as this lives. The prompt is outside:
/// there the host's own way of ending it holds.
struct SilencedTerminal: ~Copyable {
    /// Readable when somebody wants to end the wait; -1 if the system has no descriptor left.
    let interrupt: CInt
    private let maskBefore: sigset_t
    private let terminal: CInt
    private let modesBefore: termios?

    init() {
        var ending = sigset_t()
        unsafe sigemptyset(&ending)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&ending, signal) }
        interrupt = unsafe signalfd(-1, &ending, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
        // Who stops this process would leave the terminal silent.
        var held = ending
        for signal in [SIGTSTP, SIGTTOU] { unsafe sigaddset(&held, signal) }
        var before = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
        maskBefore = before
        terminal = unsafe mpin_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
        modesBefore = silence(terminal)
    }

    /// Takes Ctrl-C away: the host must not die of it when the mask is gone. Whatever else came reaches the
    /// host then.
    func takeInterrupt() {
        var only = sigset_t()
        unsafe sigemptyset(&only)
        unsafe sigaddset(&only, SIGINT)
        var none = timespec()
        _ = unsafe sigtimedwait(&only, nil, &none)
    }

    deinit {
        if var modes = modesBefore { _ = unsafe tcsetattr(terminal, TCSANOW, &modes) }
        if terminal >= 0 { close(terminal) }
        if interrupt >= 0 { close(interrupt) }
        var mask = maskBefore
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}

/// Turns echo off and gives the modes from before; nil where there is nothing to turn off, or the terminal is
/// somebody else's at the moment.
private func silence(_ terminal: CInt) -> termios? {
    var before = termios()
    guard terminal >= 0, tcgetpgrp(terminal) == getpgrp(), unsafe tcgetattr(terminal, &before) == 0,
        before.c_lflag & tcflag_t(ECHO) != 0
    else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    guard unsafe tcsetattr(terminal, TCSANOW, &silent) == 0 else { return nil }
    return before
}
