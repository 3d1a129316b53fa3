// SPDX-License-Identifier: Apache-2.0
// Silences a local user's terminal while the module waits for the network, and notices Ctrl-C meanwhile.
import CPlatform

/// As long as this value lives, echo is off and the terminal's signals are held back. It does not live during
/// a prompt: there the application handles signals itself.
struct SilencedTerminal: ~Copyable {
    /// A descriptor that is readable when a signal should end the wait; -1 if the system has no descriptor
    /// left.
    let interrupt: CInt
    private let maskBefore: sigset_t
    private let terminal: CInt
    private let modesBefore: termios?

    init() {
        var ending = sigset_t()
        unsafe sigemptyset(&ending)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&ending, signal) }
        interrupt = unsafe signalfd(-1, &ending, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
        // A user who stops this process would leave the terminal silent.
        var held = ending
        for signal in [SIGTSTP, SIGTTOU] { unsafe sigaddset(&held, signal) }
        var before = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
        maskBefore = before
        terminal = unsafe mpin_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
        modesBefore = silence(terminal)
    }

    /// Consumes the SIGINT of Ctrl-C, so that it does not end the application when the mask is restored. All
    /// other signals reach the application then.
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

/// Turns echo off and returns the modes from before; nil if echo is off already, or another process group has
/// the terminal at the moment.
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
