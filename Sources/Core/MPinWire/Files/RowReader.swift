// SPDX-License-Identifier: Apache-2.0
// Reads settings row by row. A row names a key, the variable that it sets, and the values that it takes.
import Octets

/// The rows of a file of settings, as one section gives them. Each method is a row; what the section does not
/// set keeps its value.
package struct RowReader {
    /// The entries whose key no row has named yet.
    private var rest: [Entry]
    /// The first error in the order of the rows.
    private var fault: KeyError?
    /// The entry of the last row.
    private var last: Entry?
    private let isOfService: Bool
    /// The first entry that stands above the sections, although it must not.
    package private(set) var misplaced: Entry?
    #if !hasFeature(Embedded)
        /// The rows so far.
        package private(set) var rows: [SettingRow] = []
    #endif

    package init(_ section: Section) { (rest, isOfService) = (section.entries, section.name != nil) }

    /// What is wrong with the section: the first error in the order of the rows, or else an unknown key.
    package var error: KeyError? {
        fault ?? rest.first.map { KeyError(line: $0.line, key: $0.key, problem: .unknown) }
    }

    /// A setting with one value. Returns whether the section sets it.
    @discardableResult package mutating func value<T>(
        _ key: StaticString, _ place: inout T, _ read: ([UInt8]) -> T?
    ) -> Bool {
        guard let entry = one(key) else { return false }
        guard let value = read(entry.value) else {
            refuse(entry)
            return false
        }
        place = value
        return true
    }

    /// A setting without a default.
    @discardableResult package mutating func value<T>(
        _ key: StaticString, _ place: inout T?, _ read: ([UInt8]) -> T?
    ) -> Bool {
        value(key, &place) { read($0).map(Optional.some) }
    }

    /// A setting that is one of a few words.
    package mutating func choice<T: Equatable>(
        _ key: StaticString, _ place: inout T, _ choices: [(StaticString, T)]
    ) {
        value(key, &place) { text in choices.first { text.spells($0.0) }?.1 }
        #if !hasFeature(Embedded)
            rows[rows.count - 1].value = choices.first { $0.1 == place }.map { "\($0.0)" }
        #endif
    }

    /// A setting that is a whole number.
    package mutating func number<N: FixedWidthInteger>(
        _ key: StaticString, _ place: inout N, _ bounds: ClosedRange<N>
    ) {
        value(key, &place) { wholeNumber($0, in: bounds) }
        #if !hasFeature(Embedded)
            rows[rows.count - 1].value = "\(place)"
            rows[rows.count - 1].bounds = Int(bounds.lowerBound)...Int(bounds.upperBound)
        #endif
    }

    /// A setting that may be repeated. If the section sets it, its values replace the list.
    package mutating func list<T>(
        _ key: StaticString, _ place: inout [T], atMost limit: Int = .max, _ read: ([UInt8]) -> T?
    ) {
        let entries = take(key)
        guard !entries.isEmpty else { return }
        place = []
        for entry in entries {
            guard place.count < limit, let value = read(entry.value) else { return refuse(entry) }
            place.append(value)
        }
    }

    /// Says of the last row that its value is less strict than the default, and what follows from that.
    @inline(__always) package mutating func looser(if isLooser: Bool, _ why: StaticString) {
        #if !hasFeature(Embedded)
            if isLooser { rows[rows.count - 1].looser = "\(why)" }
        #endif
    }

    /// Says of the last row that it is for one service, so that it must stand in a section.
    package mutating func needsSection() {
        if !isOfService, misplaced == nil { misplaced = last }
        #if !hasFeature(Embedded)
            rows[rows.count - 1].needsSection = true
        #endif
    }

    private mutating func one(_ key: StaticString) -> Entry? {
        let entries = take(key)
        guard entries.count > 1 else { return entries.first }
        refuse(entries[1], .repeated)
        return nil
    }

    private mutating func take(_ key: StaticString) -> [Entry] {
        #if !hasFeature(Embedded)
            rows.append(SettingRow(key: "\(key)"))
        #endif
        let entries = rest.filter { $0.is(key) }
        if !entries.isEmpty { rest.removeAll { $0.is(key) } }
        last = entries.first
        return entries
    }

    private mutating func refuse(_ entry: Entry, _ problem: KeyError.Problem = .badValue) {
        if fault == nil { fault = KeyError(line: entry.line, key: entry.key, problem: problem) }
    }
}

#if !hasFeature(Embedded)

    /// What a row says of a setting.
    package struct SettingRow: Equatable, Sendable {
        package let key: String
        /// The value as the file has it; nil unless it is text, one of a few words or a whole number.
        package fileprivate(set) var value: String?
        /// The bounds of a whole number.
        package fileprivate(set) var bounds: ClosedRange<Int>?
        /// Whether it must stand in the section of a service.
        package fileprivate(set) var needsSection = false
        /// What follows from a value that is less strict than the default; nil if it is not.
        package fileprivate(set) var looser: String?
    }

    /// The choices of a setting that is on or off.
    package let yesOrNo: [(StaticString, Bool)] = [("yes", true), ("no", false)]

    extension RowReader {
        /// A setting whose value is read as text. Returns whether the section sets it.
        @discardableResult package mutating func text<T>(
            _ key: StaticString, _ place: inout T, _ read: (String) -> T?
        ) -> Bool {
            let isSet = value(key, &place) { read(String(decoding: $0, as: UTF8.self)) }
            rows[rows.count - 1].value = place as? String
            return isSet
        }

        /// The same without a default.
        @discardableResult package mutating func text<T>(
            _ key: StaticString, _ place: inout T?, _ read: (String) -> T?
        ) -> Bool {
            value(key, &place) { read(String(decoding: $0, as: UTF8.self)) }
        }

        /// The same for a setting that may be repeated.
        package mutating func texts<T>(_ key: StaticString, _ place: inout [T], _ read: (String) -> T?) {
            list(key, &place) { read(String(decoding: $0, as: UTF8.self)) }
        }

        /// A setting that must be there. `isThere` says whether it was.
        package mutating func require(_ key: StaticString, isThere: Bool) {
            guard !isThere, fault == nil else { return }
            fault = KeyError(line: 0, key: Array("\(key)".utf8), problem: .missing)
        }
    }
#endif
