// SPDX-License-Identifier: Apache-2.0
// Paths of the files in this checkout that tests read.
package import Foundation

/// The checkout's top folder.
package let checkout = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// Recorded exchanges with Milagro's servers (Tests/Conformance/Transcripts/README.md).
package let transcriptFolder = checkout.appending(path: "Tests/Conformance/Transcripts")

/// Values that other implementations have computed (Tests/Conformance/Vectors/README.md).
package let vectorFolder = checkout.appending(path: "Tests/Conformance/Vectors")
