// SPDX-License-Identifier: Apache-2.0
// The examples of pam.d/ must equal what setup writes.
import Foundation
@testable import MPinAdmin
import TestSupport
import Testing

@Suite struct ExampleTests {
    private func example(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: checkout.appending(path: "pam.d/\(name)")))
    }

    @Test(arguments: [("sudo", Factor.only), ("sshd", .only), ("login", .second), ("second-factor", .second)])
    func `an example is a stack of Debian's with the rule as setup writes it`(name: String, factor: Factor)
        throws
    {
        let text = try example(name)
        let service = name == "second-factor" ? "sudo" : name
        let file = try PAMFile(service, text: text)
        #expect(file.factor == factor)
        let plain = try #require(try file.withoutSetup())
        var folder = Folder.debian12
        folder.files[service] = String(decoding: plain, as: UTF8.self)
        #expect(try folder.with(factor, in: service) == String(decoding: text, as: UTF8.self))
    }

    @Test func `the drop-in of the examples equals the one that setup writes`() throws {
        let text = String(decoding: try example("sshd_config.d-mpin.conf"), as: UTF8.self)
        #expect(text.hasSuffix("\n" + SSHSettings.dropIn))
        let head = text.dropLast(SSHSettings.dropIn.count).split(separator: "\n")
        #expect(head.count == 2 && head.allSatisfy { $0.hasPrefix("# ") })
    }
}
