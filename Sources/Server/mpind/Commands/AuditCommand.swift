// SPDX-License-Identifier: Apache-2.0
// `mpind audit`: shows the audit trail and follows it.
import ArgumentParser
import Glibc
import MPinServer
import MPinWire

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show the audit trail: logins, registrations, administrators' acts.",
        discussion: """
            One line for each record, the oldest first: its time, what happened, and to whom. Without --since
            the newest --last records are shown. With --json each line is a JSON object.
            """)

    @Option(help: ArgumentHelp("Only records of this person.", valueName: "name")) var user: String?
    @Option(
        help: ArgumentHelp(
            "Only newer records: 2026-11-21, 2026-11-21T14:02:00Z, or an age such as 30m, 12h or 7d.",
            valueName: "time"))
    var since: String?
    @Option(help: ArgumentHelp("How many records, without --since.", valueName: "number")) var last = 100
    @ArgumentParser.Flag(help: "Continue with new records until Ctrl-C.") var follow = false
    @OptionGroup var options: AdminOptions

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last takes a number from 1.") }
        if let since, TimeArgument.seconds(ofStart: since) == nil {
            throw ValidationError(TimeArgument.unclearStart(since))
        }
    }

    func run() throws {
        var request = AuditRequest()
        request.limit = 1
        // --follow shows the records that come from now on, so none is shown twice or left out: with `after`
        // the server waits for those that are being written.
        request.after = follow ? 0 : nil
        var newest = try page(request).first?.number ?? 0
        request.after = nil
        request.userId = user
        request.since = since.flatMap(TimeArgument.seconds(ofStart:))
        request.before = newest + 1
        try show(try records(request, atMost: since == nil ? last : .max))
        while follow {
            sleep(1)
            var request = AuditRequest()
            request.userId = user
            request.after = newest
            let new = try records(request, atMost: .max)
            try show(new)
            newest = new.first?.number ?? newest
        }
    }

    /// Up to `most` records, newest first, read in pages.
    private func records(_ request: AuditRequest, atMost most: Int) throws -> [AuditList.Record] {
        var request = request
        var records: [AuditList.Record] = []
        while records.count < most {
            let limit = min(most - records.count, 1000)
            request.limit = limit
            let page = try page(request)
            records += page
            guard page.count == limit, let oldest = page.last else { break }
            request.before = oldest.number
        }
        return records
    }

    private func page(_ request: AuditRequest) throws -> [AuditList.Record] {
        let list: AuditList = try options.answer(AdminRoute.audit, request)
        return list.records
    }

    private func show(_ records: [AuditList.Record]) throws {
        for record in records.reversed() { print(try options.json ? asciiJSON(record) : line(record)) }
        try flushed()
    }

    private func line(_ record: AuditList.Record) -> String {
        let places = [("host", record.host), ("source", record.source), ("attempt", record.attempt)]
        let facts = places.filter { !$0.1.isEmpty } + record.fields.map { ($0.name, $0.value) }
        let told = facts.map { "\($0)=\"\(escaped($1))\"" }
        let start = [time(record.at), record.kind, escaped(record.subject)]
        return (start + told).joined(separator: " ")
    }
}
