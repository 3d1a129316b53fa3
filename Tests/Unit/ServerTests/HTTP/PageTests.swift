// SPDX-License-Identifier: Apache-2.0
// The phone page as browsers get it: headers, encodings, validators, and only its own files.
import FoundationEssentials
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

/// A buffer that can be distinguished from another one with the same octets.
private final class Buffer: SharedBody {
    let octets: [UInt8]
    init(_ octets: [UInt8]) { self.octets = octets }
}

/// A folder with a page, and a server that serves it.
final class PageSite {
    static let files = [
        "index.html": "<!doctype html>", "page.js": "export {};", "page.css": "p {}", "mpin.wasm": "\0asm",
        "app.webmanifest": "{}", "icon.svg": "<svg/>", "icon-192.png": "PNG",
    ]
    let folder: String
    let server: Server

    init(_ files: [String: String] = PageSite.files) throws {
        folder = try newFolder() + "/page"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        server = try Server()
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { removeFolder(String(folder.dropLast(5))) }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }

    func change(_ name: String, mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + name)
    }

    func shelf(_ setting: PageSetting? = nil, isHTTPS: Bool = true, warn: (String) -> Void = { _ in }) throws
        -> ServedPage
    {
        try ServedPage(
            setting ?? .folder(folder), isHTTPS: isHTTPS, keep: { Buffer($0) }, usual: folder, warn: warn)
    }

    func router(_ shelf: ServedPage) -> PublicRouter {
        PublicRouter(
            context: server.context,
            policy: RequestPolicy(names: [Server.name], origins: ["https://" + Server.name]),
            page: shelf)
    }

    func fetch(
        _ target: String, method: String = "GET", _ headers: [(name: String, value: String)] = [],
        from shelf: ServedPage? = nil
    ) async throws -> Response {
        await router(try shelf ?? self.shelf()).respond(
            to: Request(
                method: method, target: target, host: Server.name, peer: Server.address, headers: headers))
    }
}

extension Response {
    /// All values of a header.
    func header(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

@Suite(.slow) struct PageTests {
    /// The headers that the page's responses must have.
    static let promised = [
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
            + "trusted-types mpin",
        "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
        "Origin-Agent-Cluster": "?1", "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
        "Strict-Transport-Security": "max-age=63072000", "Cache-Control": "no-cache",
        "Vary": "Accept-Encoding",
    ]

    @Test(arguments: ["/", "/page.js", "/mpin.wasm", "/icon.svg"])
    func `every file has every header once, and so has a 304`(_ path: String)
        async throws
    {
        let site = try PageSite()
        let whole = try await site.fetch(path)
        let tag = try #require(whole.header("ETag").first)
        let known = try await site.fetch(path, [("If-None-Match", tag)])
        #expect((whole.status, known.status) == (200, 304))
        for (name, value) in PageTests.promised {
            #expect(whole.header(name) == [value] && known.header(name) == [value], "\(name)")
        }
        let policy = try #require(whole.header("Permissions-Policy").first)
        for feature in ["camera", "microphone", "geolocation", "clipboard-read", "usb", "payment"] {
            #expect(policy.split(separator: ", ").contains("\(feature)=()"))
        }
        let allowed = ["clipboard-write", "publickey-credentials-create", "publickey-credentials-get"]
        #expect(policy.hasSuffix(", " + allowed.map { $0 + "=(self)" }.joined(separator: ", ")))
        #expect(known.body.isEmpty && known.header("Content-Type").isEmpty)
    }

    @Test func `browsers get Strict-Transport-Security only over TLS`() async throws {
        let site = try PageSite()
        let plain = try await site.fetch("/", from: site.shelf(isHTTPS: false))
        #expect(plain.status == 200 && plain.header("Strict-Transport-Security").isEmpty)
    }

    @Test func `each file has its type, and the root is index.html`() async throws {
        let site = try PageSite()
        for (name, type) in [
            ("", "text/html; charset=utf-8"), ("index.html", "text/html; charset=utf-8"),
            ("page.js", "text/javascript; charset=utf-8"), ("page.css", "text/css; charset=utf-8"),
            ("mpin.wasm", "application/wasm"), ("app.webmanifest", "application/manifest+json"),
            ("icon.svg", "image/svg+xml"), ("icon-192.png", "image/png"),
        ] {
            let answer = try await site.fetch("/" + name)
            #expect(answer.header("Content-Type") == [type] && answer.route == "page")
            #expect(
                answer.body == [UInt8]((PageSite.files[name.isEmpty ? "index.html" : name] ?? "").utf8))
        }
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), ("identity", nil), ("deflate", nil), ("gzip;q=0", nil), ("gzip", "gzip"),
            ("GZIP", "gzip"), ("br", "br"), ("gzip, br", "br"), ("gzip, deflate, br, zstd", "br"),
            ("br;q=0.5, gzip", "gzip"), ("br ; q=0.5 , gzip;q=0.500", "br"), ("br;q=0, gzip;q=0.001", "gzip"),
            ("*", "br"), ("*;q=0", nil), ("br;q=0, *", "gzip"), ("identity, br;q=0.9", nil),
            ("identity;q=0.5, br;q=0.9", "br"), ("identity;q=0, gzip;q=0", nil), ("gzip;q=2", nil),
            ("gzip;q=0.1234", nil), ("gzip;q=x, br;q=", nil), ("gzip;level=9", nil), (";;q=1,,", nil),
            ("identity;q=1, br;q=1", "br"),
        ] as [(String?, String?)])
    func `the encoding is the one that the browser prefers`(_ accepted: String?, _ chosen: String?)
        async throws
    {
        let site = try PageSite(
            ["index.html": "plain", "index.html.br": "brotli", "index.html.gz": "gzipped"])
        let answer = try await site.fetch("/", accepted.map { [("Accept-Encoding", $0)] } ?? [])
        #expect(answer.header("Content-Encoding") == (chosen.map { [$0] } ?? []))
        let body = ["br": "brotli", "gzip": "gzipped"][chosen ?? ""] ?? "plain"
        #expect(answer.status == 200 && answer.body == [UInt8](body.utf8))
        #expect(answer.header("Content-Type") == ["text/html; charset=utf-8"])
    }

    @Test func `a browser that accepts only an encoding that is missing gets the plain file`() async throws {
        let site = try PageSite(["index.html": "plain", "index.html.gz": "gzipped"])
        for headers in [[("Accept-Encoding", "br")], [("Accept-Encoding", "br"), ("Accept-Encoding", "x")]] {
            #expect(try await site.fetch("/", headers).body == [UInt8]("plain".utf8))
        }
        // Two header lines are one list.
        let both = try await site.fetch("/", [("Accept-Encoding", "br"), ("accept-encoding", "gzip")])
        #expect(both.header("Content-Encoding") == ["gzip"])
    }

    @Test func `each encoding has its own validator, and only that one gets a 304`() async throws {
        let site = try PageSite(["index.html": "plain", "index.html.gz": "gzipped"])
        let gzip = ("Accept-Encoding", "gzip")
        let plain = try #require(try await site.fetch("/").header("ETag").first)
        let zipped = try #require(try await site.fetch("/", [gzip]).header("ETag").first)
        // SHA-256 of the text `plain`.
        #expect(
            plain == "\"a116c9ed46d6207734a43317d30fd88f52ac8634c37d904bbf4e41d865f90475\"")
        #expect(plain != zipped)
        for (known, status) in [
            (zipped, 304), ("W/" + zipped, 304), ("\"x\", \(zipped)", 304), ("*", 304), (plain, 200),
            (String(zipped.dropLast()), 200), ("", 200), (zipped.uppercased(), 304),
        ] {
            let answer = try await site.fetch("/", [gzip, ("If-None-Match", known)])
            #expect(answer.status == status, "\(known)")
            #expect(answer.header("ETag") == [zipped])
        }
    }

    @Test func `HEAD is answered like GET, and other methods are refused`() async throws {
        let site = try PageSite()
        let got = try await site.fetch("/page.js")
        let head = try await site.fetch("/page.js", method: "HEAD")
        #expect(head.status == 200 && head.headers.map(\.value) == got.headers.map(\.value))
        for method in ["PUT", "POST", "DELETE", "OPTIONS", "TRACE"] {
            let answer = try await site.fetch("/page.js", method: method)
            #expect(answer.status == 405 && answer.header("Allow") == ["GET, HEAD"])
        }
    }

    @Test(arguments: [
        "/x.js", "/page.js/", "//page.js", "/page", "/page.js.br", "/page.js.gz", "/SHA256SUMS",
        "/../page.js",
        "/..%2fpage%2fpage.js", "/%2e%2e/page/page.js", "/page/page.js", "/page.js%00", "/PAGE.JS",
        "/etc/passwd", "/.", "/..", "/.hidden", "/index.html%20", "", "*", "http://login.example.org/page.js",
    ]) func `no other name and no other folder leads to a file`(_ path: String) async throws {
        let site = try PageSite()
        try site.write("gz", to: "page.js.gz")
        try "secret".write(
            toFile: site.folder + "/../secret.js", atomically: false, encoding: .utf8)
        for target in [path, "/../secret.js", "/%2e%2e%2fsecret.js"] {
            let answer = try await site.fetch(target)
            #expect(answer.status == 404 && answer.route != "page", "\(target)")
        }
    }

    @Test func `a path of the protocol is never a file's`() async throws {
        let site = try PageSite()
        for route in [
            Route.clientSettings, Route.user, Route.passOne, Route.codeStatus, Route.mobileAuthenticate,
            Route.host, Route.authenticate, Route.logout, Route.authorizeURL, Route.authorizationCode,
            Route.authorize, Route.service, Route.status, Route.authorityClientSecret, Route.authorityStatus,
        ] {
            let name = String(route.split(separator: "/").last ?? "")
            // A folder with such a file is refused, so the protocol answers its own paths.
            try site.write("x", to: name)
            #expect(throws: SetupError.self, "\(name)") { try site.shelf() }
            try FileManager.default.removeItem(atPath: site.folder + "/" + name)
            #expect(try await site.fetch(route).route != "page")
        }
    }

    @Test func `another origin or another host name gets no page`() async throws {
        let site = try PageSite()
        let router = site.router(try site.shelf())
        for (host, origin, status) in [
            (Server.name, nil, 200), (Server.name, "https://" + Server.name, 200),
            (Server.name, "https://evil.example", 403), (Server.name, "null", 403),
            ("evil.example", nil, 421),
        ] as [(String, String?, Int)] {
            let request = Request(
                method: "GET", target: "/", host: host, origin: origin, peer: Server.address)
            #expect(await router.respond(to: request).status == status)
        }
    }

    @Test func `all requests for a file share one buffer`() async throws {
        let site = try PageSite()
        let router = site.router(try site.shelf())
        let request = Request(method: "GET", target: "/mpin.wasm", host: Server.name, peer: Server.address)
        var buffers: Set<ObjectIdentifier> = []
        for _ in 0..<10 {
            guard case .shared(let body) = await router.respond(to: request).content else {
                Issue.record("the response does not share the buffer")
                return
            }
            buffers.insert(ObjectIdentifier(try #require(body as? Buffer)))
        }
        #expect(buffers.count == 1)
    }
}
