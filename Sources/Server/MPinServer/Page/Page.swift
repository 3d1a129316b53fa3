// SPDX-License-Identifier: Apache-2.0
// The phone page: a few files, which the server keeps in memory, and the answers that serve them.
package import MPinWire
import Synchronization

extension PageSetting {
    /// Whether there is a page in its folder. Other faults are found only when the page is read.
    package var isThere: Bool {
        folder.map { MPinServer.isThere($0 + "/" + Page.start) } ?? false
    }
}

/// All files of one version of the page.
package struct Page: Sendable {
    /// Copies octets into a buffer of the HTTP library.
    package typealias Keep = @Sendable ([UInt8]) -> any SharedBody

    /// The file that is served as `/`.
    static let start = "index.html"
    let files: [String: PageFile]

    /// The file at a path; nil unless the path is exactly one of the names that were read.
    func file(at path: [String]) -> PageFile? {
        guard path.count == 1, let name = path.first else { return nil }
        return files[name.isEmpty ? Page.start : name]
    }

    /// The type of a file by its extension; nil for names that are not served. Names have no folders and need
    /// no escape in a URL.
    static func type(of name: String) -> String? {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, name.utf8.count <= 64, let stem = parts.first, !stem.isEmpty,
            stem.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x5f
            })
        else { return nil }
        return types[String(parts[1])]
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "wasm": "application/wasm",
        "webmanifest": "application/manifest+json", "svg": "image/svg+xml", "png": "image/png",
    ]
}

/// The page that is served now; SIGHUP may replace it.
package final class ServedPage: Sendable {
    private let setting: PageSetting
    private let usual: String
    private let keep: Page.Keep
    /// Whether browsers must use only TLS from now on (HSTS).
    private let isHTTPS: Bool
    private let page: Mutex<Page?>

    /// Throws if the settings name a folder that cannot be served. The package's folder may be missing; its
    /// faults are passed to `warn` and do not prevent logins.
    package init(
        _ setting: PageSetting, isHTTPS: Bool, keep: @escaping Page.Keep,
        usual: String = PageSetting.usualFolder, warn: (String) -> Void
    ) throws(SetupError) {
        self.setting = setting
        self.keep = keep
        self.isHTTPS = isHTTPS
        self.usual = usual
        var first: Page?
        do throws(SetupError) { first = try ServedPage.read(setting, usual: usual, keep: keep) } catch {
            guard setting == .package else { throw error }
            warn("The phone page is not served. \(error)")
        }
        page = Mutex(first)
    }

    private static func read(
        _ setting: PageSetting, usual: String, keep: @escaping Page.Keep
    ) throws(SetupError) -> Page? {
        switch setting {
        case .off: nil
        case .folder(let path): try Page(folder: path, keep: keep)
        case .package: try isThere(usual) ? Page(folder: usual, keep: keep) : nil
        }
    }

    /// Reads the files again. If this throws, the page stays unchanged.
    package func reload() throws(SetupError) {
        let next = try ServedPage.read(setting, usual: usual, keep: keep)
        page.withLock { $0 = next }
    }

    /// How many files are served.
    package var count: Int { page.withLock { $0?.files.count ?? 0 } }

    /// The answer to a request for a file of the page; nil for every other path.
    func response(to request: Request) -> Response? {
        guard let path = request.path else { return nil }
        guard setting != .off else { return ServedPage.workerRemoval(for: request, path) }
        guard let page = page.withLock({ $0 }) else {
            return path == [""] && request.method == "GET" ? ServedPage.missing : nil
        }
        guard let file = page.file(at: path) else { return nil }
        guard ["GET", "HEAD"].contains(request.method) else {
            var refusal = Response.methodNotAllowed
            refusal.headers.append(("Allow", "GET, HEAD"))
            return refusal
        }
        var response = file.response(to: request)
        response.headers += pageHeaders
        if isHTTPS { response.headers.append(("Strict-Transport-Security", "max-age=63072000")) }
        return response
    }

    private static let missing = Response(
        404,
        sentence: "The phone page is not installed on this server. The administrator can install the package"
            + " mpin-page there.")
}
