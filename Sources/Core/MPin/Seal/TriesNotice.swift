// SPDX-License-Identifier: Apache-2.0
// The notice that the owner of a PIN gets after a login: how many wrong tries there were since the last one
// (seal.md, section 8; seal-devices.md, section 12).
package import Octets

/// A notice of wrong tries. For a host it is sealed under the host key, for a second device under the device
/// key.
package struct TriesNotice: Equatable, Sendable {
    /// The recipient of a notice, with the number in the label of its encoding.
    package enum Reader: UInt8, Sendable {
        /// A login host; the subject is the hash A of its question.
        case host = 1
        /// A second device; the subject is the identity hash followed by SHA-256 of the ticket (`authOTT`)
        /// that is redeemed, so that the notice of one login is not accepted for another.
        case device = 2

        /// The length of the subject.
        fileprivate var subjectCount: Int {
            switch self {
            case .host: 32
            case .device: 64
            }
        }
    }

    package let reader: Reader
    /// 32 octets for a host, 64 for a device.
    package let subject: [UInt8]
    /// The number of wrong tries since the last login; 65,535 stands for that many or more.
    package let count: UInt16
    /// The time of the last wrong try in seconds since 1970-01-01 UTC; 0 if there was none.
    package let lastSeconds: UInt64
    /// The source of the last wrong try; empty if there was none.
    package let lastSource: [UInt8]

    /// nil unless `subject` has its length and the source at most 255 octets.
    package init?(
        for reader: Reader, subject: [UInt8], count: UInt16, lastSeconds: UInt64, lastSource: [UInt8]
    ) {
        guard subject.count == reader.subjectCount, lastSource.count <= SealBound.text else { return nil }
        (self.reader, self.subject, self.count) = (reader, subject, count)
        (self.lastSeconds, self.lastSource) = (lastSeconds, lastSource)
    }

    package var octets: [UInt8] {
        var writer = SealWriter(TriesNotice.label(reader))
        writer.plain(subject)
        writer.number(count)
        writer.number(lastSeconds)
        writer.text(lastSource)
        return writer.octets
    }

    /// Decodes `octets`; nil unless they are exactly what this type would write.
    package init?(decoding octets: [UInt8], for reader: Reader) {
        guard var fields = SealReader(octets, label: TriesNotice.label(reader)),
            let subject = fields.prefix(reader.subjectCount),
            let count = fields.number(UInt16.self), let seconds = fields.number(UInt64.self),
            let source = fields.text(), fields.isAtEnd
        else { return nil }
        self.init(
            for: reader, subject: subject, count: count, lastSeconds: seconds, lastSource: source)
    }

    private static func label(_ reader: Reader) -> StaticString {
        switch reader {
        case .host: "mpin notice 1"
        case .device: "mpin notice 2"
        }
    }
}

extension HostKey {
    /// The tag of a notice for this host, 32 octets.
    package borrowing func tag(of notice: TriesNotice) throws(SealFailure) -> [UInt8] {
        try tagged(answerKey, notice.octets)
    }

    /// The notice, if it was sealed under this key for the question `a`; otherwise nil.
    package borrowing func open(notice: [UInt8], tag: [UInt8], to a: QuestionHash) -> TriesNotice? {
        guard matches(tag, try? tagged(answerKey, notice)),
            let opened = TriesNotice(decoding: notice, for: .host), opened.subject == a.octets
        else { return nil }
        return opened
    }
}
