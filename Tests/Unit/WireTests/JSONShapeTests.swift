// SPDX-License-Identifier: Apache-2.0
// The depth and size of JSON, measured before it is decoded.
import MPinWire
import Testing

@Suite struct JSONShapeTests {
    @Test(arguments: [
        ("", 0, 1), ("1", 0, 1), ("[]", 1, 2), (#"{"a":[1,2,{"b":null}]}"#, 3, 6),
        (#"["[[[",",,","\"[[","\\",[]]"#, 2, 7), ("]]][", 0, 2), (#"["[["#, 1, 2), (#"["\"#, 1, 2),
    ])
    func `counts levels and values outside of strings`(_ text: String, _ depth: Int, _ values: Int) {
        let shape = JSONShape(Array(text.utf8))
        #expect(shape.depth == depth)
        #expect(shape.values == values)
    }

    @Test func `has no limit of levels`() {
        #expect(JSONShape([UInt8](repeating: 0x5b, count: 1 << 20)).depth == 1 << 20)
    }
}
