// SPDX-License-Identifier: Apache-2.0
// A secret that is not destroyed is not wiped: after every transcript no page of a secret is left.
import Foundation
import MPin
import MPinLogin
import MPinProof
import MPinWire
import TestSupport
import Testing

/// Kilobytes of mappings that are excluded from core dumps and empty after a fork: only pages of secrets are.
private func secretPages() throws -> Int {
    // A file of /proc has no size, so read it to its end.
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

@Suite(.slow) struct `Pages of secrets` {
    @Test func `are all gone, however a login or an enrolment ends`() async {
        // In a process of its own, because other tests make secrets at the same time.
        await #expect(processExitsWith: .success) {
            let before = try secretPages()
            let fixture = try LoginFixture(rule: .stretched)
            let held = try secretPages()
            #expect(held > before)
            for kind in [nil, Kind.permits, .passOne, .passTwo, .authenticate] {
                fixture.server.usesPermits = kind == .permits
                for status in [UInt16(0), 3, 401, 410, 500] {
                    if let kind { fixture.server.spoil(kind, status: status) }
                    fixture.server.triesLeft = 9
                    _ = try fixture.login("1470", "jqkkmg", LoginFixture.pin)
                }
                fixture.server.spoil = { question, answer throws(TransportError) in
                    if question.kind == kind { throw .closed }
                    return answer
                }
                _ = try fixture.login(LoginFixture.pin)
            }
            for kind in [Kind.register, .clientSecret, .passOne, .authenticate] {
                fixture.server.spoil(kind, status: 500)
                _ = try? fixture.enrol(pin: "86421", enrolled: "2026-11-22T12:00:00Z")
            }
            let after = try secretPages()
            #expect(after == held)
        }
    }
}

@Suite(.slow) struct `Pages of secrets on a second device` {
    @Test func `are gone, however an approval ends`() async {
        await #expect(processExitsWith: .success) {
            let device = try Device(rule: .number(modulus: 10_000))
            let held = try secretPages()
            for typed in [nil, "", "2581", "jqkkmg", Device.pin] { _ = try device.approve(typed) }
            for kind in [Kind.settings, .permits, .passOne, .passTwo] {
                device.server.spoil(kind, status: 500)
                #expect(try device.approve() != .approved(code: Array(Device.code.utf8)))
            }
            device.spoil = { _, _ in DeviceResponse(status: 500) }
            _ = try device.approve()
            let after = try secretPages()
            #expect(after == held)
        }
    }
}

@Suite(.slow) struct `Without memory to stretch a PIN` {
    @Test func `nothing is sent, and the cost is not lowered`() async {
        await #expect(processExitsWith: .success) {
            // Nothing has been stretched yet: the heap has no such block to reuse.
            let fixture = try LoginFixture(rule: .number(modulus: 10_000))
            let text = try fixture.folder.text("store/users/4711")
            let rule = "scrypt 16384 8 1 " + String(repeating: "0a", count: 16)
            try fixture.folder.write(
                text.replacingOccurrences(of: "number 10000", with: rule), to: "store/users/4711")
            let before = fixture.server.asked.count
            let statm = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/statm")).readToEnd()
            let fields = String(decoding: statm ?? Data(), as: UTF8.self).split(separator: " ")
            try #require(fields.count > 5)
            // scrypt needs 16 MiB, 8 are left. (RLIMIT_AS would not count what malloc has reserved.)
            let limit = rlim_t(try #require(Int(fields[5])) * 4_096 + (8 << 20))
            var limits = rlimit(rlim_cur: limit, rlim_max: limit)
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limits) == 0)
            #expect(try fixture.login(LoginFixture.pin).outcome == .failed(.mathematics(.outOfMemory)))
            #expect(fixture.server.asked.count == before)
        }
    }
}
