// SPDX-License-Identifier: Apache-2.0
// What the sandbox kills, refuses and permits.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct SandboxTests {
    let program: Program
    init() throws { program = try Program("mpin-probe", as: "probe") }

    @Test(arguments: ["execute", "fork", "thread", "write a file", "make a file", "new code"])
    func `an attack ends the process`(act: String) throws {
        #expect(try run(program.path, ["sandbox", act]).signal == SIGSYS)
    }

    @Test(arguments: [
        ("read a file", EACCES), ("packets", EAFNOSUPPORT), ("kill", ENOSYS), ("change id", ENOSYS),
    ])
    func `calls that are not needed are refused`(act: String, error: Int32) throws {
        let ending = try run(program.path, ["sandbox", act])
        #expect(ending.status == error && ending.signal == nil)
    }

    @Test(arguments: ["nothing", "connect"])
    func `calls that are needed work`(act: String) throws {
        let ending = try run(program.path, ["sandbox", act])
        #expect(ending.status == 0 && ending.signal == nil)
    }
}
