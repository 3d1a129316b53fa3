// SPDX-License-Identifier: Apache-2.0
// The size of what a phone downloads before it can enrol.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct PageSizeTests {
    private static let folder = House.root.appending(path: "build/page").path

    @Test func `the whole page, as it is served, has less than 100 KB`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        try #require(names.contains("mpin.wasm"), "make page")
        var octets = 0
        for name in names where !name.hasSuffix(".gz") && !names.contains(name + ".br") {
            let file = try FileManager.default.attributesOfItem(atPath: Self.folder + "/" + name)
            octets += try #require(file[.size] as? Int)
        }
        #expect(octets < 100_000)
    }
}
