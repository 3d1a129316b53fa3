// SPDX-License-Identifier: Apache-2.0
// `mpin-bench endure`: users who log in at servers that are killed meanwhile. Tests/System/Postgres calls it.
import FoundationEssentials
import Glibc
import MPin
import MPinWire
import Octets
import Synchronization

/// Users who log in again and again, each at the servers in turn, and present each ticket to all of them.
/// Every tenth types a wrong PIN; of those, each has an identity of its own.
final class Endurance: Sendable {
    private let clients: Int
    private let logins: Int
    private let seconds: Int
    private let sockets: [String]
    private let population: Population
    private let host: BenchHost
    /// The first of the identities that are used, so that several runs do not share them.
    private let first: Int
    /// Logins that were granted lately, with their tickets.
    private let granted = Mutex<[(PreparedLogin, String)]>([])

    fileprivate struct Tally {
        var granted = 0
        /// Tickets that let a user in at two servers.
        var twice = 0
        /// Tickets of right PINs that no server knew, although each of them answered.
        var lost = 0
        /// Requests without an answer.
        var broken = 0
        /// All statuses of answers.
        var statuses: Set<Int> = []
        /// The identities against which one wrong PIN was answered, as hex.
        var wrong: [String] = []
        var strange: String?
    }

    /// The options: those of LoginBench, where `clients` is one number; the least `logins` that must be
    /// granted and the least `seconds` that it takes; `first`, of the identities.
    init(_ options: BenchOptions) throws {
        let master = try String(contentsOfFile: options.text("master"), encoding: .utf8)
        population = try Population(count: options.number("identities"), master: master)
        (clients, logins) = (try options.number("clients"), try options.number("logins"))
        (seconds, first) = (try options.number("seconds"), try options.number("first"))
        sockets = options.list("sockets")
        guard let socket = sockets.first else { throw BenchError.arguments }
        host = try BenchHost(HTTPClient(socket), name: Population.host, joinCode: options.text("code"))
    }

    /// Prints `joined`, and `logged in` when the logins are done. When standard input ends, all servers
    /// answer again: it presents used tickets once more, and prints the tally, a line for each thing.
    func run() throws {
        _ = signal(SIGPIPE, SIG_IGN)
        print("joined")
        fflush(nil)
        let tally = Mutex(Tally())
        let number = Atomic(first)
        let end = monotonicNanoseconds() + UInt64(seconds) * 1_000_000_000
        // If too few logins are granted until then, the caller learns it from the tally.
        let last = end + 600_000_000_000
        try onThreads(clients) { [self] in
            var connections = Connections(sockets)
            while true {
                let now = monotonicNanoseconds()
                guard now < end || tally.withLock({ $0.granted }) < logins, now < last else { break }
                let place = number.add(1, ordering: .relaxed).oldValue
                let one = try outcome(place, &connections)
                tally.withLock { $0.add(one) }
                usleep(10_000)
            }
        }
        print("logged in")
        fflush(nil)
        _ = readLine()
        let again = try presentAgain()
        tally.withLock {
            $0.twice += again
            $0.report()
        }
        print("next \(number.load(ordering: .relaxed))")
    }

    /// The newest thousand: older tickets have expired.
    private func keep(_ login: PreparedLogin, _ ticket: String) {
        granted.withLock {
            $0.append((login, ticket))
            if $0.count > 2000 { $0.removeFirst(1000) }
        }
    }

    /// Presents used tickets once more, each until the server knows; how many let a user in again.
    private func presentAgain() throws -> Int {
        var connections = Connections(sockets)
        var count = 0
        for (login, ticket) in granted.withLock({ $0 }) {
            for attempt in 0... {
                var tally = Tally()
                connections.ask(0, &tally) { count += try login.isGranted(ticket, $0) ? 1 : 0 }
                if tally.statuses.contains(200) || tally.statuses.contains(408) { break }
                guard attempt < 300 else { throw BenchError.silent }
                usleep(100_000)
            }
        }
        return count
    }

    /// What one user gets.
    private func outcome(_ place: Int, _ connections: inout Connections) throws -> Tally {
        let isWrong = place % 10 == 0
        let identity = place % population.count
        let login = try PreparedLogin(population, identity, at: host, pin: isWrong ? "4321" : "1234")
        var tally = Tally()
        var ticket: String?
        connections.ask(place, &tally) { ticket = try login.prove($0) }
        guard let ticket else { return tally }
        if isWrong { tally.wrong.append(hexText(identityHash(Population.mpinID(identity)))) }
        var redemption = Tally()
        var granted = 0
        for server in sockets.indices {
            connections.ask(place + 1 + server, &redemption) {
                granted += try login.isGranted(ticket, $0) ? 1 : 0
            }
        }
        if granted > 0 { keep(login, ticket) }
        redemption.granted = granted > 0 ? 1 : 0
        redemption.twice = granted > 1 ? 1 : 0
        redemption.lost = !isWrong && redemption.statuses == [408] && redemption.broken == 0 ? 1 : 0
        tally.add(redemption)
        if isWrong && granted > 0 { tally.strange = "a wrong PIN was granted" }
        // The verdict on a wrong PIN.
        if tally.statuses.remove(401) != nil, !isWrong { tally.strange = "a right PIN was refused" }
        return tally
    }
}

extension Endurance.Tally {
    fileprivate mutating func add(_ other: Self) {
        granted += other.granted
        twice += other.twice
        lost += other.lost
        broken += other.broken
        statuses.formUnion(other.statuses)
        wrong += other.wrong
        strange = strange ?? other.strange
    }

    fileprivate func report() {
        print("granted \(granted)")
        print("twice \(twice)")
        print("lost \(lost)")
        print("broken \(broken)")
        print("statuses \(statuses.sorted().map(String.init).joined(separator: " "))")
        print("wrong \(wrong.joined(separator: " "))")
        if let strange { print("strange \(strange)") }
    }
}

/// A connection to each server, made again after the server was killed.
private struct Connections {
    private let sockets: [String]
    private var clients: [HTTPClient?]

    init(_ sockets: [String]) {
        self.sockets = sockets
        clients = sockets.map { _ in nil }
    }

    /// Runs `body` with the server of this number, and notes the status if it refuses.
    mutating func ask(_ number: Int, _ tally: inout Endurance.Tally, _ body: (HTTPClient) throws -> Void) {
        let place = number % sockets.count
        do {
            let client = try clients[place] ?? HTTPClient(sockets[place])
            clients[place] = client
            try body(client)
            tally.statuses.insert(200)
        } catch BenchError.refused(let status, _) {
            tally.statuses.insert(status)
        } catch BenchError.system {
            // This server was killed.
            tally.broken += 1
            clients[place] = nil
            usleep(20_000)
        } catch {
            tally.strange = "\(error)"
        }
    }
}
