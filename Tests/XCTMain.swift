// SPDX-License-Identifier: Apache-2.0
// Where the tests begin. With a file of this name, SwiftPM does not look for tests of XCTest, for which it
// would need an index of all tests.
import Testing

@main
struct Tests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
