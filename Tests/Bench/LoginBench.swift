// SPDX-License-Identifier: Apache-2.0
// `mpin-bench fill`, `mpin-bench logins` and `mpin-bench housekeeping`: the cost of whole sealed logins at a
// running mpind, and how long the housekeeping holds one up. `Tests/System/Daemon/bench` calls them.
import FoundationEssentials
import Glibc
import Synchronization

struct LoginBench {
    /// The words after the command: the database, the authority's file, the number of identities; then the
    /// socket, a join code and the process id of mpind.
    private let words: [String]
    private let population: Population

    init(_ words: [String]) throws {
        guard words.count >= 3, let count = Int(words[2]) else { throw BenchError.arguments }
        self.words = words
        population = try Population(count: count, master: String(contentsOfFile: words[1], encoding: .utf8))
    }

    func fill() throws { try population.fill(words[0]) }

    /// A row for each number of clients.
    func logins() throws {
        let host = try joined()
        _ = try measured(200, clients: 4, host)
        for clients in [1, 4, 16, 64] {
            print(try measured(clients == 1 ? 600 : 1500, clients: clients, host).row(population.count))
        }
    }

    /// Logins every 40 ms from each of four clients, while mpind's next housekeeping removes 140,000 rows.
    func housekeeping() throws {
        let host = try joined()
        let usual = try measured(400, clients: 4, pause: 40_000, host)
        try Population.fillWithExpired(words[0])
        let busy = try measured(3400, clients: 4, pause: 40_000, host)
        print("longest request of \(usual.times.count): \(usual.longest) ms")
        print("longest request of \(busy.times.count) during the housekeeping: \(busy.longest) ms")
    }

    private func joined() throws -> BenchHost {
        guard words.count == 6 else { throw BenchError.arguments }
        return try BenchHost(HTTPClient(words[3]), joinCode: words[4])
    }

    /// Prepares so many logins of identities drawn at random and runs them.
    private func measured(
        _ count: Int, clients: Int, pause: UInt32 = 0, _ host: BenchHost
    ) throws -> Measurement {
        let prepared = try (0..<count).map { _ in
            try PreparedLogin(population, Int.random(in: 0..<population.count), at: host)
        }
        let next = Atomic(0)
        let times = Mutex<[UInt64]>([])
        let socket = words[3]
        let (begin, before) = (monotonicNanoseconds(), try processorSeconds())
        try onThreads(clients) {
            let client = try HTTPClient(socket)
            while true {
                let place = next.add(1, ordering: .relaxed).oldValue
                guard place < prepared.count else { break }
                try prepared[place].run(client)
                if pause > 0 { usleep(pause) }
            }
            times.withLock { $0 += client.times }
        }
        let spent = try processorSeconds() - before
        return Measurement(
            clients: clients, logins: count, seconds: Double(monotonicNanoseconds() - begin) / 1e9,
            processor: spent, times: times.withLock { $0.sorted() })
    }

    /// The processor time that mpind has used.
    private func processorSeconds() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(words[5])/stat", encoding: .utf8)
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        return Double((Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

/// What some logins cost.
struct Measurement {
    let clients: Int
    let logins: Int
    let seconds: Double
    /// Seconds of mpind's processor time.
    let processor: Double
    /// How long each request took, in nanoseconds, the shortest first.
    let times: [UInt64]

    var longest: Int { Int((times.last ?? 0) / 1_000_000) }

    func row(_ identities: Int) -> String {
        let median = Double(times[times.count / 2]) / 1e6
        let late = Double(times[times.count * 99 / 100]) / 1e6
        return [
            "\(identities)", "\(clients)", "\(Int(Double(logins) / seconds))",
            decimal(processor * 1000 / Double(logins), 2), decimal(median, 2), decimal(late, 1), "\(longest)",
        ].map { padding(12 - $0.count) + $0 }.joined()
    }

    static let heading = [
        "identities", "clients", "logins/s", "CPU ms", "median ms", "p99 ms", "longest ms",
    ].map { padding(12 - $0.count) + $0 }.joined()
}

/// Runs `body` on so many threads, and waits for them. Ends the program if one of them fails.
private func onThreads(_ count: Int, _ body: @escaping @Sendable () throws -> Void) throws {
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
    for thread in threads { pthread_join(thread, nil) }
}

private final class Work {
    let body: @Sendable () throws -> Void

    init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }
}
