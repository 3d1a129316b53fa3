// SPDX-License-Identifier: Apache-2.0
// The terminal that shows a page with a picture, on its alternate screen: nothing of it stays behind. Where
// somebody asked for that, the same page as plain text.
// No part of the module, which never has a terminal of its own.
import Octets

#if !hasFeature(Embedded)
    import CPlatform

    /// What came of a page.
    package enum PageEnd: Equatable, Sendable {
        /// A line, without its end; empty for Enter alone.
        case line([UInt8])
        /// The page has had its time.
        case time
        /// Ctrl-C, Ctrl-D, a hangup, or a terminal that is gone.
        case brokenOff
    }

    package struct PictureTerminal: ~Copyable {
        private let input: CInt
        private let output: CInt
        /// What `input` belongs to; -1: somebody else's.
        private let owned: CInt
        private let signals: HeldSignals
        private let isUTF8: Bool
        /// Pictures on the alternate screen; otherwise text, one line after the other.
        private var isAlternate: Bool
        /// Whether the alternate screen stands there: not before the first page.
        private var isEntered = false
        /// What stands on the screen.
        private var drawn: (rows: PictureRows, display: Display)?
        private var printed: PicturePage?

        /// The terminal that holds this process, whatever its input and output are; nil where there is none,
        /// or none that understands the commands of a screen.
        package static func pictures(isUTF8: Bool, term: [UInt8]) -> PictureTerminal? {
            guard !term.isEmpty, term != ascii("dumb") else { return nil }
            let terminal = unsafe mpin_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
            guard terminal >= 0 else { return nil }
            return PictureTerminal(
                input: terminal, output: terminal, owned: terminal, isUTF8: isUTF8, isAlternate: true)
        }

        /// Text on standard error; answers come from the terminal, or from standard input without one.
        package static func text() -> PictureTerminal {
            let terminal = unsafe mpin_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
            return PictureTerminal(
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

        /// From here on, pages are text on the ordinary screen, where they stay.
        package mutating func endPictures() {
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
        /// - Parameter end: by `pictureSeconds()`; nil: no end.
        package mutating func show(_ page: PicturePage, until end: Int?) -> PageEnd {
            enter()
            while true {
                if let end, pictureSeconds() >= end { return .time }
                if isAlternate { draw(page, seconds: end.map { $0 - pictureSeconds() }) } else { print(page) }
                let patience = isAlternate ? 500 : end.map { max(0, $0 - pictureSeconds()) * 1_000 } ?? -1
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

        /// Ctrl-Z: the shell's screen until `fg`.
        private mutating func pause() {
            leave()
            kill(getpid(), SIGSTOP)
            printed = nil
            enter()
        }

        private mutating func print(_ page: PicturePage) {
            guard page != printed else { return }
            var text: [UInt8] = []
            for line in page.words { text += line + ascii("\n") }
            if let address = page.address { text += address + ascii("\n") }
            writeAll(text + page.prompt, to: output)
            printed = page
        }

        /// Draws what has changed. The row of the prompt is left alone as long as it stays in its place, for
        /// somebody may be typing there.
        private mutating func draw(_ page: PicturePage, seconds: Int?) {
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
                // What was half typed on a screen of another size is not to be seen any more.
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

        /// A line octet by octet, for what follows it is not ours; nil at the end of the input.
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

    /// The alternate screen, empty. Before it is left it is emptied again, for terminals that have only one.
    private var entering: [UInt8] { ascii("\u{1b}[?1049h\u{1b}[H\u{1b}[J") }
    private var leaving: [UInt8] { ascii("\u{1b}[0m\u{1b}[H\u{1b}[J\u{1b}[?1049l") }

    /// To the first column of a row.
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

    /// Seconds on the clock that nobody sets.
    package func pictureSeconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec)
    }
#endif
