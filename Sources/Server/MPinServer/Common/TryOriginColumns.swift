// SPDX-License-Identifier: Apache-2.0
// Where a try came from, and what its login does besides, as the columns `origin` and `learns` of `pass_ones`
// and `verdicts`.
import MPinDatabase

extension TryOrigin {
    /// The origin's text; then 1 if the login makes it known, and 2 if the login shows no notice.
    var columns: [Value] { [.text(text), .integer((learns ? 1 : 0) + (showsNoNotice ? 2 : 0))] }

    init(_ row: inout Row) throws(StorageError) {
        let text = try row.text()
        let traits = try row.integer()
        self.init(text, learns: traits & 1 != 0, showsNoNotice: traits & 2 != 0)
    }
}
