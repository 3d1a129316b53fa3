// SPDX-License-Identifier: Apache-2.0
// Reads the files of the phone page, once: whoever could write one of them would learn PINs.
import FoundationEssentials
import Glibc
import MPinWire
import Octets
import Secrets

/// More than this is no page for phones.
enum PageLimit {
    static let files = 64
    static let octets = 4 << 20
}

/// What names the digests of a page's files, as sha256sum(1) writes it; it is read and not served.
private let digestsName = "SHA256SUMS"

extension Page {
    /// Fails with a sentence unless all that the folder holds can be served.
    package init(folder: String, keep: @escaping Keep) throws(SetupError) {
        var contents = try octets(ofFolder: folder)
        if let digests = contents.removeValue(forKey: digestsName) {
            try check(contents, digests: digests, folder: folder)
        }
        var files: [String: PageFile] = [:]
        for (name, octets) in contents {
            guard let type = Page.type(of: name) else {
                guard ContentCoding.allCases.contains(where: { contents[plainName(name, $0)] != nil }) else {
                    throw SetupError(
                        "\(folder)/\(presentable(name)) cannot be served: names are of small letters,"
                            + " digits, - and _, and end in .html, .js, .css, .wasm, .webmanifest, .svg or"
                            + " .png; beside such a file one with .br or .gz added to its name may stand.")
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
            throw SetupError("\(folder) holds no \(Page.start): that is no phone page.")
        }
        self.init(files: files)
    }
}

/// The name of the plain file beside a compressed one; empty if it is not compressed in that way.
private func plainName(_ name: String, _ coding: ContentCoding) -> String {
    name.hasSuffix(coding.suffix) ? String(name.dropLast(coding.suffix.count)) : ""
}

/// That each file which the digests name is there, and as they say.
private func check(
    _ contents: [String: [UInt8]], digests: [UInt8], folder: String
) throws(SetupError) {
    for line in String(decoding: digests, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { throw SetupError("\(folder)/\(digestsName) cannot be read.") }
        let name = String(parts[1].drop { $0 == " " || $0 == "*" })
        guard let octets = contents[name] else {
            throw SetupError("\(folder) holds no \(presentable(name)), which its \(digestsName) names.")
        }
        guard hexText(sha256(octets)) == parts[0] else {
            throw SetupError(
                "\(folder)/\(presentable(name)) is not the file that \(digestsName) there names. Install the"
                    + " page again; in a page of your own, make \(digestsName) anew or take it away.")
        }
    }
}

/// Whether there is anything of that name.
func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// All files of a folder by their names.
private func octets(ofFolder path: String) throws(SetupError) -> [String: [UInt8]] {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw SetupError("Cannot open the folder \(path) (`page`): \(reason()).") }
    defer { close(folder) }
    var status = stat()
    guard unsafe fstat(folder, &status) == 0, isOurs(status) else { throw foreignOwner(path) }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
        throw SetupError("Cannot read the folder \(path) (`page`).")
    }
    // Each may stand there compressed too, and that is no further file.
    let isCompressed = { (name: String) in ContentCoding.allCases.contains { name.hasSuffix($0.suffix) } }
    guard names.count(where: { !isCompressed($0) && $0 != digestsName }) <= PageLimit.files,
        names.count <= PageLimit.files * (1 + ContentCoding.allCases.count) + 1
    else {
        throw SetupError("\(path) holds more than \(PageLimit.files) files: that is no phone page.")
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
    // A pipe must not hold the server up, nor a link lead anywhere.
    let file = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
        throw SetupError(errno == ELOOP ? notRegular(place) : "Cannot open \(place): \(reason()).")
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw SetupError(notRegular(place))
    }
    guard isOurs(status) else { throw foreignOwner(place) }
    guard (0...limit).contains(status.st_size) else {
        throw SetupError("The files in \(path) have more than \(PageLimit.octets >> 20) MiB together.")
    }
    var octets = [UInt8](repeating: 0, count: status.st_size + 1)
    var count = 0
    while count < octets.count {
        let more = unsafe octets.withUnsafeMutableBytes {
            unsafe read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
        }
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { break }
        count += more
    }
    guard count == status.st_size else { throw SetupError("\(place) changed while it was read; try again.") }
    octets.removeLast()
    return octets
}

private func notRegular(_ place: String) -> String {
    "\(place) is not a regular file, and a page may have no others."
}

private func isOurs(_ status: stat) -> Bool {
    (status.st_uid == 0 || status.st_uid == geteuid()) && status.st_mode & 0o022 == 0
}

private func foreignOwner(_ place: String) -> SetupError {
    SetupError(
        "\(place) must belong to root or to the user that runs mpind, and nobody else may write it (chown"
            + " root:root, chmod go-w): whoever can change the page learns PINs.")
}
