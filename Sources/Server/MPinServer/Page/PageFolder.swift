// SPDX-License-Identifier: Apache-2.0
// Reads the files of the phone page and checks their owners: anyone who could write one could learn PINs.
import FoundationEssentials
import Glibc
import MPinWire
import Octets
import Secrets

/// The most files and octets that a page may have.
enum PageLimit {
    static let files = 64
    static let octets = 4 << 20
}

/// The file with the digests of a page's files, as sha256sum(1) writes it; it is read but not served.
private let digestsName = "SHA256SUMS"

extension Page {
    /// Reads a page. Throws unless every file in the folder can be served.
    init(folder: String, keep: @escaping Keep) throws(SetupError) {
        var contents = try octets(ofFolder: folder)
        if let digests = contents.removeValue(forKey: digestsName) {
            try check(contents, digests: digests, folder: folder)
        }
        var files: [String: PageFile] = [:]
        for (name, octets) in contents {
            guard let type = Page.type(of: name) else {
                guard ContentCoding.allCases.contains(where: { contents[plainName(name, $0)] != nil }) else {
                    throw SetupError(
                        "\(folder)/\(presentable(name)) cannot be served: names have lower-case letters,"
                            + " digits, - and _, and end in .html, .js, .css, .wasm, .webmanifest, .svg or"
                            + " .png; a compressed form of such a file has .br or .gz after its name.")
                }
                continue
            }
            var file = PageFile(type: type, plain: PageVariant(octets, keep: keep))
            for coding in ContentCoding.allCases {
                if let octets = contents[name + coding.suffix] {
                    file.compressed[coding] = PageVariant(octets, keep: keep)
                }
            }
            files[name] = file
        }
        guard files[Page.start] != nil else {
            throw SetupError("\(folder) holds no \(Page.start), so it is not a phone page.")
        }
        self.init(files: files)
    }
}

/// The name of the plain file beside a compressed one; empty if it does not have this suffix.
private func plainName(_ name: String, _ coding: ContentCoding) -> String {
    name.hasSuffix(coding.suffix) ? String(name.dropLast(coding.suffix.count)) : ""
}

/// Checks that each file that the digests list exists and has its digest.
private func check(
    _ contents: [String: [UInt8]], digests: [UInt8], folder: String
) throws(SetupError) {
    for line in String(decoding: digests, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { throw SetupError("\(folder)/\(digestsName) cannot be read.") }
        let name = String(parts[1].drop { $0 == " " || $0 == "*" })
        guard let octets = contents[name] else {
            throw SetupError("\(folder) holds no \(presentable(name)), which its \(digestsName) lists.")
        }
        guard hexText(sha256(octets)) == parts[0] else {
            throw SetupError(
                "\(folder)/\(presentable(name)) differs from its digest in \(digestsName). Install the page"
                    + " again; if it is a page of your own, make a new \(digestsName) or remove it.")
        }
    }
}

/// Whether the path exists.
func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// The octets of all files of a folder, by name.
private func octets(ofFolder path: String) throws(SetupError) -> [String: [UInt8]] {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw SetupError("Cannot open the folder \(path) (`page`): \(reason()).") }
    defer { close(folder) }
    var status = stat()
    guard unsafe fstat(folder, &status) == 0, status.st_uid == 0 || status.st_uid == geteuid(),
        status.st_mode & 0o022 == 0
    else { throw foreignOwner(path) }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
        throw SetupError("Cannot read the folder \(path) (`page`).")
    }
    // Compressed forms do not count as files of their own.
    let isCompressed = { (name: String) in ContentCoding.allCases.contains { name.hasSuffix($0.suffix) } }
    guard names.count(where: { !isCompressed($0) && $0 != digestsName }) <= PageLimit.files,
        names.count <= PageLimit.files * (1 + ContentCoding.allCases.count) + 1
    else {
        throw SetupError("\(path) holds more than \(PageLimit.files) files, so it is not a phone page.")
    }
    var contents: [String: [UInt8]] = [:]
    var left = PageLimit.octets
    for name in names {
        let octets = try octets(of: name, in: folder, path, atMost: left)
        left -= octets.count
        contents[name] = octets
    }
    return contents
}

private func octets(
    of name: String, in folder: CInt, _ path: String, atMost limit: Int
) throws(SetupError) -> [UInt8] {
    let place = path + "/" + presentable(name)
    do throws(TrustedFile.Fault) {
        return try TrustedFile(Array(name.utf8), in: folder, owner: geteuid(), forbidden: 0o022)
            .contents(atMost: limit)
    } catch {
        switch error {
        case .notAFile:
            throw SetupError("\(place) is not a regular file; a page may have only regular files.")
        case .foreignOwner, .tooOpen: throw foreignOwner(place)
        case .tooLong:
            throw SetupError("The files in \(path) have more than \(PageLimit.octets >> 20) MiB together.")
        case .changed: throw SetupError("\(place) changed while it was read; try again.")
        case .missing, .system: throw SetupError("Cannot open \(place): \(reason()).")
        }
    }
}

private func foreignOwner(_ place: String) -> SetupError {
    SetupError(
        "\(place) must belong to root or to the user that runs mpind, and nobody else may write it (chown"
            + " root:root, chmod go-w): anyone who can change the page can learn PINs.")
}
