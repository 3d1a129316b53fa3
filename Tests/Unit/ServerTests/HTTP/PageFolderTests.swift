// SPDX-License-Identifier: Apache-2.0
// Which folders are served as a phone page, when they are read, and what is reported where there is none.
import FoundationEssentials
import Glibc
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import TestSupport
import Testing

@Suite(.slow) struct PageFolderTests {
    /// The error of a folder, as the daemon reports it at its start.
    private func fault(_ site: PageSite) -> String {
        do {
            _ = try site.shelf()
            return ""
        } catch { return "\(error)" }
    }

    @Test(
        arguments: [
            ("README", "cannot be served"), ("page.JS", "cannot be served"), (".hidden", "cannot be served"),
            ("a.b.js", "cannot be served"), ("old.js~", "cannot be served"), ("x.br", "cannot be served"),
            ("lost.js.gz", "cannot be served"), ("page.js.br.gz", "cannot be served"),
            (String(repeating: "a", count: 62) + ".js", "cannot be served"),
        ])
    func `a file that cannot be served is an error that names it`(_ name: String, _ sentence: String) throws {
        let site = try PageSite()
        try site.write("x", to: name)
        let said = fault(site)
        #expect(said.contains(sentence) && said.contains(name), "\(said)")
    }

    @Test func `a link, a subfolder or a pipe is an error, and does not block the start`() throws {
        for make in [
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/etc/passwd") },
            { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
            { path in #expect(unsafe mkfifo(path, 0o644) == 0) },
        ] as [(String) throws -> Void] {
            let site = try PageSite()
            try make(site.folder + "/x.js")
            #expect(fault(site).contains("x.js is not a regular file"))
        }
    }

    @Test(arguments: [("", 0o777), ("/page.js", 0o666), ("/page.js", 0o620)])
    func `files and folders that others can write are not served`(_ name: String, _ mode: Int) throws {
        let site = try PageSite()
        try site.change(name, mode: mode)
        #expect(fault(site).contains("anyone who can change the page can learn PINs"))
    }

    @Test func `64 files and 4 MiB are served, and no more`() throws {
        let site = try PageSite()
        for number in PageSite.files.count..<64 {
            for suffix in ["", ".br", ".gz"] { try site.write("x", to: "f\(number).js" + suffix) }
        }
        #expect(try fault(site) == "" && site.shelf().count == 64)
        try site.write("x", to: "f64.js")
        #expect(fault(site).contains("more than 64 files"))
        let large = try PageSite(["index.html": ""])
        try large.write(String(repeating: "x", count: 4 << 20), to: "a.js")
        #expect(fault(large) == "")
        try large.write("x", to: "b.js")
        #expect(fault(large).contains("more than 4 MiB"))
    }

    @Test func `a folder that the settings name must exist and have an index.html`() throws {
        let site = try PageSite(["page.js": "x"])
        #expect(fault(site).contains("holds no index.html"))
        let missing = site.folder + "/nowhere"
        let error = #expect(throws: SetupError.self) { try site.shelf(.folder(missing)) }
        #expect(error?.description.contains(missing) == true)
    }

    @Test func `an incomplete page is refused: each file in SHA256SUMS must exist and match`()
        throws
    {
        let site = try PageSite(["index.html": "x", "page.js": "y"])
        let x = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
        let y = "a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa"
        try site.write("\(x)  index.html\n\(y) *page.js\n", to: "SHA256SUMS")
        #expect(try fault(site) == "" && site.shelf().count == 2)
        try site.write("z", to: "page.js")
        #expect(fault(site).contains("page.js differs from its digest"))
        try FileManager.default.removeItem(atPath: site.folder + "/page.js")
        #expect(fault(site).contains("no page.js, which its SHA256SUMS lists"))
        try site.write("nonsense\n", to: "SHA256SUMS")
        #expect(fault(site).contains("SHA256SUMS cannot be read"))
    }

    @Test func `without the package one sentence says what to install, and nothing else changes`()
        async throws
    {
        let site = try PageSite()
        try FileManager.default.removeItem(atPath: site.folder)
        let shelf = try site.shelf(.package)
        let answer = try await site.fetch("/", from: shelf)
        #expect(answer.status == 404 && answer.header("Content-Type") == ["text/plain; charset=utf-8"])
        let sentence = String(decoding: answer.body, as: UTF8.self)
        #expect(sentence.contains("mpin-page") && !sentence.contains("<"))
        let other = try await site.fetch("/page.js", from: shelf)
        #expect(other.status == 404 && other.header("Content-Type") == ["application/json; charset=UTF-8"])
    }

    @Test func `page = no serves no page and does not mention one`() async throws {
        let site = try PageSite()
        let shelf = try site.shelf(.off)
        for path in ["/", "/index.html", "/page.js"] {
            let answer = try await site.fetch(path, from: shelf)
            #expect(answer.status == 404 && answer.header("Content-Type").first?.contains("json") == true)
        }
        let worker = try await site.fetch("/worker.js", from: shelf)
        #expect(worker.status == 200)
        #expect(String(decoding: worker.body, as: UTF8.self).contains("registration.unregister()"))
    }

    @Test func `a broken package is a warning, and users can still log in`() async throws {
        let site = try PageSite(["page.js": "x"])
        var warnings: [String] = []
        let shelf = try site.shelf(.package) { warnings.append($0) }
        #expect(warnings.count == 1 && warnings.first?.contains("holds no index.html") == true)
        #expect(try await site.fetch("/", from: shelf).status == 404)
        #expect(try await site.fetch("/status", from: shelf).status == 200)
    }

    @Test func `a reload brings a new page, keeps the old one if that is invalid, and ends a removed one`()
        async throws
    {
        let site = try PageSite()
        let shelf = try site.shelf(.package)
        try site.write("new", to: "index.html")
        #expect(try await site.fetch("/", from: shelf).body == [UInt8]("<!doctype html>".utf8))
        try shelf.reload()
        #expect(try await site.fetch("/", from: shelf).body == [UInt8]("new".utf8))
        try FileManager.default.removeItem(atPath: site.folder + "/index.html")
        #expect(throws: SetupError.self) { try shelf.reload() }
        #expect(try await site.fetch("/", from: shelf).body == [UInt8]("new".utf8))
        try FileManager.default.removeItem(atPath: site.folder)
        try shelf.reload()
        #expect(try await site.fetch("/", from: shelf).status == 404)
    }
}
