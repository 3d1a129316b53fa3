// SPDX-License-Identifier: Apache-2.0
// Pages with a QR code: which terminals they fit, whether readers read them, and the texts of the addresses.
import Foundation
import MPinConsole
import Testing

private let place = Array("https://login.example.org".utf8)
private let wid = Array("0f5bf3c28bb4e04d9d2f4c1e7a60b938".utf8)

private func page(_ address: [UInt8]?, _ words: String...) -> QRCodePage {
    QRCodePage(address: address, words: words.map { Array($0.utf8) }, prompt: Array("Code: ".utf8))
}

private func display(_ columns: Int, _ rows: Int, isUTF8: Bool = true) -> Display {
    Display(size: (columns, rows), isUTF8: isUTF8, assumed: (80, 24))
}

/// The rows above the prompt, without their escape sequences for colours.
private func lines(_ rows: QRCodeRows) -> [String] {
    (0..<rows.height).map {
        String(decoding: rows.octets(ofRow: $0), as: UTF8.self).replacing(/\u{1b}\[[0-9;]*m/, with: "")
    }
}

@Suite struct QRCodePageTests {
    private static let long = String(repeating: "many words ", count: 25)

    @Test func `the enrolment address is percent-encoded, and spells the code without hyphens`() {
        let address = enrolmentAddress(
            at: place, userID: Array("a&b=c#d ä@x".utf8), code: Array("BCDF-GHJK-LMNP-QRST".utf8))
        #expect(
            String(decoding: address, as: UTF8.self)
                == "https://login.example.org/#enrol?user=a%26b%3Dc%23d%20%C3%A4%40x&code=BCDFGHJKLMNPQRST")
        let below = sessionAddress(at: place + Array("/m".utf8), wid: wid)
        #expect(below == place + Array("/m#".utf8) + wid)
    }

    @Test(arguments: [(80, 24), (120, 50), (72, 24), (45, 40)])
    func `a page leaves one row of its terminal free, and a reader reads its QR code`(
        columns: Int, rows: Int
    ) throws {
        let address = enrolmentAddress(
            at: place, userID: Array("alice@example.org".utf8), code: Array("BCDFGHJKLMNPQRST".utf8))
        let page = page(address, Self.long)
        let shown = page.rows(on: display(columns, rows), seconds: 547)
        #expect(shown.isWhole && shown.height + 2 <= rows)
        let text = lines(shown)
        #expect(text.allSatisfy { $0.count <= columns })
        let words = text.map { $0.filter { !"█▀▄".contains($0) } }.joined(separator: " ")
            .split(separator: " ").joined(separator: " ")
        #expect(words.contains("good for 9:07."))
        let frame = "\n\n" + text.joined(separator: "\n") + "\n\n"
        #expect(try ScreenImage(frame, columns: columns, lightInk: true).read() == said(address))
    }

    @Test func `a page that does not fit reports the size that it needs`() {
        let page = page(sessionAddress(at: place, wid: wid), Self.long)
        for size in [(79, 20), (36, 60), (60, 26), (0, 0), (1, 1)] {
            let small = page.rows(on: display(size.0, size.1), seconds: nil)
            #expect(small.isWhole == (size == (0, 0)), "\(size)")
        }
        let needed = page.rows(on: display(79, 20), seconds: nil)
        #expect(lines(needed).joined(separator: " ").contains("needs 67 columns and 22 rows"))
        #expect(page.rows(on: display(67, 22), seconds: nil).isWhole)
    }

    @Test func `in ASCII the QR code is below the text`() throws {
        let address = sessionAddress(at: place, wid: wid)
        let shown = page(address, "Scan this.").rows(on: display(90, 50, isUTF8: false), seconds: 9)
        let text = lines(shown)
        #expect(shown.isWhole && text[0] == "Scan this." && text[2] == "This QR code is good for 0:09.")
        let frame = "\n\n" + text.dropFirst(3).joined(separator: "\n") + "\n\n"
        #expect(try ScreenImage(frame, columns: 90, lightInk: true).read() == said(address))
    }

    @Test func `control sequences in a name do not reach the screen`() {
        let name = Array("al\u{1b}[2Jice\u{202e}".utf8)
        let shown = QRCodePage.enrolment(
            sessionAddress(at: place, wid: wid), of: name, step: [], prompt: name)
        let rows = shown.rows(on: display(80, 24), seconds: nil)
        #expect(!lines(rows).joined().contains("\u{1b}") && !rows.prompt.contains(0x1b))
        #expect(lines(rows).joined(separator: " ").contains("al?[2Jice"))
    }

    /// While the user types, each QR code is drawn over the last one: the prompt must not move.
    @Test func `every session's page has its prompt in the same row`() {
        var heights: Set<Int> = []
        for number in 0..<20 {
            let wid = wid.dropLast(2) + Array("\(number + 10)".utf8)
            let page = page(sessionAddress(at: place, wid: Array(wid)), Self.long)
            for seconds in [90, 9] { heights.insert(page.rows(on: display(80, 24), seconds: seconds).height) }
        }
        #expect(heights.count == 1)
    }
}

private func said(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }
