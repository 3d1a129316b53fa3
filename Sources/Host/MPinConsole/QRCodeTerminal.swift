// SPDX-License-Identifier: Apache-2.0
// Shows a page with a QR code on the terminal's alternate screen, so that nothing of it stays behind, or the
// same page as plain text.
// The module is built without this file: it never has a terminal of its own.
import Octets

#if !hasFeature(Embedded)
    import CPlatform

    /// How a page ended.
    package enum PageEnd: Equatable, Sendable {
        /// The user typed a line, here without its end; empty for Enter alone.
        case line([UInt8])
        /// The time of the page is over.
        case time
        /// Ctrl-C, Ctrl-D, a hangup, or the terminal is gone.
        case brokenOff
    }

    /// A terminal that shows pages, one at a time. Signals are held back as long as it lives.
    package struct QRCodeTerminal: ~Copyable {
        private let input: CInt
        private let output: CInt
        /// The descriptor that `deinit` closes; -1: none.
        private let owned: CInt
        private let signals: HeldSignals
        private let isUTF8: Bool
        /// Whether pages are QR codes on the alternate screen; otherwise they are lines of text.
        private var isAlternate: Bool
        /// Whether the alternate screen is active; the first page activates it.
        private var isEntered = false
        /// The page that is on the alternate screen.
        private var drawn: (rows: QRCodeRows, display: Display)?
        /// The page that was printed last as text.
        private var printed: QRCodePage?

        /// The controlling terminal of this process, whatever its input and output are; nil if there is none,
        /// or it does not understand escape sequences.
        package static func qrCodes(isUTF8: Bool, term: [UInt8]) -> QRCodeTerminal? {
            guard !term.isEmpty, term != ascii("dumb") else { return nil }
            let terminal = unsafe mpin_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
            guard terminal >= 0 else { return nil }
            return QRCodeTerminal(
                input: terminal, output: terminal, owned: terminal, isUTF8: isUTF8, isAlternate: true)
        }

        /// Text on standard error; answers come from the controlling terminal or, without one, from standard
        /// input.
        package static func text() -> QRCodeTerminal {
            let terminal = unsafe mpin_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
            return QRCodeTerminal(
                input: terminal >= 0 ? terminal : STDIN_FILENO, output: STDERR_FILENO, owned: terminal,
                isUTF8: false, isAlternate: false)
        }

        private init(input: CInt, output: CInt, owned: CInt, isUTF8: Bool, isAlternate: Bool) {
            (self.input, self.output, self.owned) = (input, output, owned)
            (self.isUTF8, self.isAlternate) = (isUTF8, isAlternate)
            signals = HeldSignals()
            (drawn, printed) = (nil, nil)
        }

        deinit {
            if isEntered { writeAll(leaving, to: output) }
            if owned >= 0 { close(owned) }
        }

        /// From here on, pages are text on the ordinary screen and stay there.
        package mutating func endQRCodes() {
            guard isAlternate else { return }
            leave()
            (isAlternate, printed) = (false, nil)
        }

        private mutating func enter() {
            guard isAlternate, !isEntered else { return }
            writeAll(entering, to: output)
            (isEntered, drawn) = (true, nil)
        }

        private mutating func leave() {
            guard isEntered else { return }
            writeAll(leaving, to: output)
            (isEntered, drawn) = (false, nil)
        }

        /// Shows a page and waits for a line.
        /// - Parameter end: when the page's time is over, on the clock of `pageSeconds()`; nil: never.
        package mutating func show(_ page: QRCodePage, until end: Int?) -> PageEnd {
            enter()
            while true {
                if let end, pageSeconds() >= end { return .time }
                if isAlternate { draw(page, seconds: end.map { $0 - pageSeconds() }) } else { print(page) }
                let patience = isAlternate ? 500 : end.map { max(0, $0 - pageSeconds()) * 1_000 } ?? -1
                switch signals.wait(for: input, milliseconds: CInt(clamping: patience)) {
                case .time: continue
                case .signal(SIGTSTP): pause()
                case .signal, .failed: return .brokenOff
                case .input:
                    (drawn, printed) = (nil, nil)
                    guard let line = readLine() else { return .brokenOff }
                    return .line(line)
                }
            }
        }

        /// Ctrl-Z: shows the shell's screen until `fg`.
        private mutating func pause() {
            leave()
            kill(getpid(), SIGSTOP)
            printed = nil
            enter()
        }

        private mutating func print(_ page: QRCodePage) {
            guard page != printed else { return }
            var text: [UInt8] = []
            for line in page.words { text += line + ascii("\n") }
            if let address = page.address { text += address + ascii("\n") }
            writeAll(text + page.prompt, to: output)
            printed = page
        }

        /// Draws what has changed. The row of the prompt is not redrawn as long as it stays in its place,
        /// because the user may be typing there.
        private mutating func draw(_ page: QRCodePage, seconds: Int?) {
            let display = display()
            let rows = page.rows(on: display, seconds: seconds)
            let before = drawn
            guard before?.rows != rows || before?.display != display else { return }
            let keepsPrompt =
                before?.display == display && before?.rows.height == rows.height
                && before?.rows.prompt == rows.prompt
            var text = keepsPrompt ? ascii("\u{1b}7") : ascii("\u{1b}[H\u{1b}[J")
            for row in 0..<min(rows.height, max(0, display.rows - 1)) {
                let octets = rows.octets(ofRow: row)
                if keepsPrompt, before?.rows.octets(ofRow: row) == octets { continue }
                text += at(row) + octets + ascii("\u{1b}[K")
            }
            if keepsPrompt {
                text += ascii("\u{1b}8")
            } else {
                text += at(min(rows.height, max(0, display.rows - 2))) + rows.prompt
                // Discards what was half typed before a change of size, because it is no longer visible.
                if before != nil { tcflush(input, TCIFLUSH) }
            }
            writeAll(text, to: output)
            drawn = (rows, display)
        }

        private func display() -> Display {
            var size = winsize()
            let isKnown = unsafe mpin_terminal_size(output, &size) == 0
            return Display(
                size: isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (0, 0), isUTF8: isUTF8,
                assumed: (80, 24))
        }

        /// Reads a line octet by octet, because what follows the line is for others; nil at the end of input.
        private func readLine() -> [UInt8]? {
            var line: [UInt8] = []
            while true {
                var octet: UInt8 = 0
                let count = unsafe read(input, &octet, 1)
                if count < 0 && mpin_errno() == EINTR { continue }
                guard count > 0 else { return line.isEmpty ? nil : line }
                if octet == 0x0a { return line }
                if line.count < 255 { line.append(octet) }
            }
        }
    }

    /// Enters the alternate screen and clears it. `leaving` clears it again first, for terminals that have
    /// only one screen.
    private var entering: [UInt8] { ascii("\u{1b}[?1049h\u{1b}[H\u{1b}[J") }
    private var leaving: [UInt8] { ascii("\u{1b}[0m\u{1b}[H\u{1b}[J\u{1b}[?1049l") }

    /// Moves the cursor to the first column of a row.
    private func at(_ row: Int) -> [UInt8] { ascii("\u{1b}[") + decimal(row + 1) + ascii(";1H") }

    private func writeAll(_ octets: [UInt8], to descriptor: CInt) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && mpin_errno() == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Seconds on CLOCK_MONOTONIC.
    package func pageSeconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec)
    }
#endif
