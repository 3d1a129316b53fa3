// SPDX-License-Identifier: Apache-2.0
// Lives that an administrator shortens in mpind.conf: seconds, never more than the default.
import MPinStorage
import MPinWire

extension Lives {
    static let keys: [StaticString] = [
        "code-life", "picture-code-life", "registration-life", "otp-life", "application-session-life",
        "authorization-code-life",
    ]

    init(_ section: Section) throws(KeyError) {
        self.init()
        try shorten(&code, "code-life", atLeast: 60, section)
        try shorten(&pictureCode, "picture-code-life", atLeast: 60, section)
        try shorten(&registration, "registration-life", atLeast: 60, section)
        try shorten(&otp, "otp-life", atLeast: 20, section)
        try shorten(&applicationSession, "application-session-life", atLeast: 30, section)
        try shorten(&authorizationCode, "authorization-code-life", atLeast: 5, section)
    }

    private func shorten(
        _ life: inout UnixMilliseconds, _ key: StaticString, atLeast least: Int64, _ section: Section
    ) throws(KeyError) {
        guard let entry = try section.one(key) else { return }
        let most = life / Limits.second
        life = try value(entry) { number($0, least...most) } * Limits.second
    }
}
