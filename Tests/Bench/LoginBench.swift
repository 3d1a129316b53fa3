// SPDX-License-Identifier: Apache-2.0
// `mpin-bench logins`, `housekeeping` and `beside`: the cost of whole sealed logins at running servers, and
// how long housekeeping and floods hold them up. `Tests/System/Bench/run` calls them.
import FoundationEssentials
import Glibc
import Synchronization

struct LoginBench {
    private let options: BenchOptions
    private let population: Population
    /// One socket for each server; clients are dealt over them.
    private let sockets: [String]
    /// The process ids of the servers.
    private let servers: [Int]
    /// The first process of PostgreSQL; nil for SQLite.
    private let postgres: Int?

    /// The options: `master`, the authority's file; `identities`, their number; `sockets`, `servers` and
    /// `postgres`; `code`, a join code.
    init(_ options: BenchOptions) throws {
        self.options = options
        let master = try String(contentsOfFile: options.text("master"), encoding: .utf8)
        population = try Population(count: options.number("identities"), master: master)
        sockets = options.list("sockets")
        servers = try options.numbers("servers")
        postgres = try options.numbers("postgres").first
        guard !sockets.isEmpty else { throw BenchError.arguments }
    }

    /// A row for each number of `clients`, with the name `engine`. `verification`: the milliseconds in which
    /// a server verifies one proof.
    func logins(verification: Double) throws {
        let host = try joined()
        _ = try measured(200, clients: 4, host)
        for clients in try options.numbers("clients") {
            let cost = try measured(clients == 1 ? 600 : 1500, clients: clients, host)
            print(try cost.row(options.text("engine"), population.count, verification: verification))
        }
    }

    /// Logins every 40 ms from each of four clients, while mpind's next housekeeping removes 140,000 rows
    /// from the SQLite file `database`.
    func housekeeping() throws {
        let host = try joined()
        let usual = try measured(400, clients: 4, pause: 40_000, host)
        try Population.fillWithExpired(options.text("database"))
        let busy = try measured(3400, clients: 4, pause: 40_000, host)
        print("longest request of \(usual.times.count): \(usual.longest) ms")
        print("longest request of \(busy.times.count) during the housekeeping: \(busy.longest) ms")
    }

    /// The median of a login, alone and beside a flood (`flood`, and `proxy`, the socket for proxies), with
    /// the name `engine`. The logins begin when the flood has gone on for some seconds.
    func beside() throws {
        let host = try joined()
        let date = UInt32(time(nil) / 86_400)
        _ = try measured(50, clients: 1, date: date, host)
        let quiet = try measured(300, clients: 1, pause: 10_000, date: date, host)
        let flooding = try Flooding(options)
        let flooded = try flooding.during {
            sleep(20)
            return try measured(300, clients: 1, pause: 10_000, date: date, host)
        }
        let (alone, beside) = (quiet.medianLogin, flooded.medianLogin)
        print(
            "\(try options.text("engine")), login beside \(flooding): median \(decimal(beside, 1)) ms,"
                + " alone \(decimal(alone, 1)) ms, \(decimal(beside / alone, 1)) times")
    }

    private func joined() throws -> BenchHost {
        try BenchHost(HTTPClient(sockets[0]), name: Population.host, joinCode: options.text("code"))
    }

    /// Prepares so many logins of identities drawn at random and runs them.
    private func measured(
        _ count: Int, clients: Int, pause: UInt32 = 0, date: UInt32? = nil, _ host: BenchHost
    ) throws -> Measurement {
        let prepared = try (0..<count).map { _ in
            try PreparedLogin(population, Int.random(in: 0..<population.count), at: host, date: date)
        }
        let next = Atomic(0)
        let dealt = Atomic(0)
        let times = Mutex<[UInt64]>([])
        let logins = Mutex<[UInt64]>([])
        let sockets = sockets
        let (began, before) = (monotonicNanoseconds(), try spent())
        try onThreads(clients) {
            let client = try HTTPClient(
                sockets[dealt.add(1, ordering: .relaxed).oldValue % sockets.count])
            while true {
                let place = next.add(1, ordering: .relaxed).oldValue
                guard place < prepared.count else { break }
                let first = client.times.count
                try prepared[place].run(client)
                let login = client.times[first...].reduce(0, +)
                logins.withLock { $0.append(login) }
                if pause > 0 { usleep(pause) }
            }
            times.withLock { $0 += client.times }
        }
        let seconds = Double(monotonicNanoseconds() - began) / 1e9
        let after = try spent()
        return Measurement(
            clients: clients, logins: count, seconds: seconds, processor: after.servers - before.servers,
            database: after.database - before.database, times: times.withLock { $0.sorted() },
            medianLogin: Double(logins.withLock { $0.sorted()[count / 2] }) / 1e6)
    }

    /// The processor time that the servers and PostgreSQL have used, in seconds.
    private func spent() throws -> (servers: Double, database: Double) {
        let database = try postgres.map { try processorSeconds(ofServer: $0) }
        return (try processorSeconds(of: servers), database ?? 0)
    }
}

/// What some logins cost.
struct Measurement {
    let clients: Int
    let logins: Int
    let seconds: Double
    /// Seconds of processor time of all servers.
    let processor: Double
    /// The same of PostgreSQL; 0 for SQLite, whose time is the server's.
    let database: Double
    /// How long each request took, in nanoseconds, the shortest first.
    let times: [UInt64]
    /// How long the three requests of a login took together, in milliseconds.
    let medianLogin: Double

    var longest: Int { Int((times.last ?? 0) / 1_000_000) }

    func row(_ engine: String, _ identities: Int, verification: Double) -> String {
        let each = processor * 1000 / Double(logins)
        let median = Double(times[times.count / 2]) / 1e6
        let late = Double(times[times.count * 99 / 100]) / 1e6
        return Measurement.row(
            engine,
            [
                "\(identities)", "\(clients)", "\(Int(Double(logins) / seconds))", decimal(each, 2),
                decimal(database * 1000 / Double(logins), 2), decimal(100 * verification / each, 0),
                decimal(median, 2), decimal(late, 1), "\(longest)",
            ])
    }

    /// The times are of one request; a login has three.
    static let heading = row(
        "engine",
        [
            "identities", "clients", "logins/s", "CPU ms", "DB CPU ms", "proof %", "median ms", "p99 ms",
            "longest",
        ])

    private static func row(_ engine: String, _ columns: [String]) -> String {
        columns.reduce(engine + padding(20 - engine.count)) { $0 + padding(11 - $1.count) + $1 }
    }
}

/// Runs `body` on so many threads, and waits for them. Ends the program if one of them fails.
func onThreads(_ count: Int, _ body: @escaping @Sendable () throws -> Void) throws {
    join(try beginThreads(count, body))
}

func join(_ threads: [pthread_t]) { for thread in threads { pthread_join(thread, nil) } }

/// The same without waiting for them.
func beginThreads(_ count: Int, _ body: @escaping @Sendable () throws -> Void) throws -> [pthread_t] {
    var threads: [pthread_t] = []
    for _ in 0..<count {
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                do { try work.body() } catch {
                    print("a login failed: \(error)")
                    exit(1)
                }
                return nil
            }, Unmanaged.passRetained(Work(body)).toOpaque())
        guard code == 0 else { throw BenchError.system("pthread_create", code) }
        threads.append(thread)
    }
    return threads
}

private final class Work {
    let body: @Sendable () throws -> Void

    init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }
}
