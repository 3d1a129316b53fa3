// SPDX-License-Identifier: Apache-2.0
// Holds signals back in a descriptor while a terminal is in use, so that the terminal can be restored first.
// The module is built without this file: it never has a terminal of its own.
#if !hasFeature(Embedded)
    import CPlatform

    /// What ended a wait.
    package enum Waking: Equatable, Sendable {
        /// There is something to read.
        case input
        case signal(Int32)
        /// The time is over.
        case time
        case failed
    }

    /// As long as this value lives, the signals that would end or stop this process wait in a descriptor. The
    /// process must have one thread, because only the calling thread blocks them.
    package struct HeldSignals: ~Copyable {
        private let descriptor: CInt
        private let before: sigset_t

        package init() {
            var held = sigset_t()
            var before = sigset_t()
            unsafe sigemptyset(&held)
            unsafe sigaddset(&held, SIGINT)
            unsafe sigaddset(&held, SIGQUIT)
            unsafe sigaddset(&held, SIGTERM)
            unsafe sigaddset(&held, SIGHUP)
            unsafe sigaddset(&held, SIGTSTP)
            unsafe sigprocmask(SIG_BLOCK, nil, &before)
            self.before = before
            self.descriptor = unsafe signalfd(-1, &held, O_CLOEXEC)
            // Without the descriptor, blocked signals would never be noticed.
            guard descriptor >= 0 else { return }
            unsafe sigprocmask(SIG_BLOCK, &held, nil)
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
            var before = before
            unsafe sigprocmask(SIG_SETMASK, &before, nil)
        }

        /// Waits until `input` can be read, a signal has come, or the time is over.
        /// - Parameter milliseconds: -1: without a limit.
        package borrowing func wait(for input: CInt, milliseconds: CInt = -1) -> Waking {
            var both: InlineArray<2, pollfd> = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            ]
            var count: CInt = -1
            repeat {
                var span = both.mutableSpan
                count = unsafe span.withUnsafeMutableBufferPointer {
                    unsafe poll($0.baseAddress, 2, milliseconds)
                }
            } while count < 0 && mpin_errno() == EINTR
            guard count >= 0 else { return .failed }
            guard both[0].revents != 0 else { return count == 0 ? .time : .input }
            // A signal comes before input.
            var signal = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            guard unsafe read(descriptor, &signal, size) == size else { return .failed }
            return .signal(Int32(truncatingIfNeeded: signal.ssi_signo))
        }
    }
#endif
