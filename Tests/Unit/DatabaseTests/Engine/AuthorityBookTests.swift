// SPDX-License-Identifier: Apache-2.0
// The authority's book: a secret is issued once for each hash, and a revocation is final.
@testable import MPinDatabase
@testable import MPinServer
import TestSupport
import Testing

@Suite(.slow) struct AuthorityBookTests {
    @Test func `each authority issues a secret once, even after a restart`() async throws {
        let folder = try Folder()
        var book = try AuthorityBook(sqlite: .file(folder.database))
        #expect(try await book.standing(authority: 1, hash: octets("h")) == .unknown)
        #expect(try await book.issueOnce(authority: 1, hash: octets("h")))
        #expect(try await book.issueOnce(authority: 2, hash: octets("h")))
        #expect(try await book.issueOnce(authority: 1, hash: octets("g")))
        await book.close()
        book = try AuthorityBook(sqlite: .file(folder.database))
        #expect(try await !book.issueOnce(authority: 1, hash: octets("h")))
        #expect(try await !book.issueOnce(authority: 2, hash: octets("h")))
        #expect(try await book.standing(authority: 1, hash: octets("h")) == .issued)
        #expect(try await book.standing(authority: 2, hash: octets("g")) == .unknown)
    }

    @Test func `nothing is issued for a revoked hash, whether it was known or not`() async throws {
        let book = try AuthorityBook(sqlite: .memory)
        #expect(try await book.issueOnce(authority: 1, hash: octets("h")))
        for label in ["h", "never"] {
            try await book.revoke(hash: octets(label))
            try await book.revoke(hash: octets(label))
            for authority in [1, 2] as [UInt8] {
                #expect(try await book.standing(authority: authority, hash: octets(label)) == .revoked)
                #expect(try await !book.issueOnce(authority: authority, hash: octets(label)))
            }
        }
    }

    @Test func `of a hundred parallel issues of one hash one succeeds, on two replicas`() async throws {
        let folder = try Folder()
        let books = [
            try AuthorityBook(sqlite: .file(folder.database)),
            try AuthorityBook(sqlite: .file(folder.database)),
        ]
        for round in 0..<5 {
            let issued = try await count(100) { number in
                try await books[number % 2].issueOnce(authority: 1, hash: octets("h\(round)"))
            }
            #expect(issued == 1)
        }
    }
}
