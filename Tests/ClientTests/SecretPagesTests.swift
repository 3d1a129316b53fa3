// SPDX-License-Identifier: Apache-2.0
// What is not destroyed is not wiped: after every transcript no page of a secret is left.
import Foundation
import MPin
import MPinClient
import MPinWire
import Testing

/// Mappings that are left out of core dumps and empty after a fork: the pages of secrets, and nobody else's.
private func secretPages() throws -> Int {
    // A file of /proc has no size, so it is read to its end.
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
    let smaps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    var kilobytes = 0
    var size = 0
    for line in smaps.split(separator: "\n") {
        if line.hasPrefix("Size:") { size = Int(line.split(separator: " ")[1]) ?? 0 }
        guard line.hasPrefix("VmFlags:") else { continue }
        let flags = line.split(separator: " ")
        if flags.contains("dd"), flags.contains("wf") { kilobytes += size }
    }
    return kilobytes
}

@Suite struct `Pages of secrets` {
    @Test func `leave no page behind, however a login or an enrolment ends`() async {
        // In a process of its own: other tests make secrets at the same time.
        await #expect(processExitsWith: .success) {
            let before = try secretPages()
            let stage = try Stage()
            let held = try secretPages()
            #expect(held > before)
            for kind in [nil, Kind.settings, .permits, .passOne, .passTwo, .authenticate] {
                for status in [UInt16(0), 3, 401, 410, 500] {
                    if let kind { stage.bank.spoil(kind, status: status) }
                    stage.bank.triesLeft = 9
                    _ = try stage.login("1470", "jqkkmg", Stage.pin)
                }
                stage.bank.spoil = { question, answer throws(TransportError) in
                    if question.kind == kind { throw .closed }
                    return answer
                }
                _ = try stage.login(Stage.pin)
            }
            for kind in [Kind.register, .clientSecret, .settings, .passOne, .authenticate] {
                stage.bank.spoil(kind, status: 500)
                _ = try? stage.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z")
            }
            let after = try secretPages()
            #expect(after == held)
        }
    }
}
