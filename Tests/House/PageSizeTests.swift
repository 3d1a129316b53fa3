// SPDX-License-Identifier: Apache-2.0
// The size of what a phone downloads before it can enrol: all files, but the texts in one language only.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct PageSizeTests {
    private static let folder = House.root.appending(path: "build/page").path

    @Test func `the page in any language, as it is served, has less than 110 KB`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        try #require(names.contains("mpin.wasm"), "make page")
        var octets = 0
        var texts: [Substring: Int] = [:]
        for name in names where !name.hasSuffix(".gz") && !names.contains(name + ".br") {
            let file = try FileManager.default.attributesOfItem(atPath: Self.folder + "/" + name)
            let size = try #require(file[.size] as? Int)
            if let language = try /([a-z]{2})(-endings)?\.js\.br/.wholeMatch(in: name)?.1 {
                texts[language, default: 0] += size
            } else {
                octets += size
            }
        }
        #expect(octets + (try #require(texts.values.max())) < 110_000)
    }
}
