// SPDX-License-Identifier: Apache-2.0
// Whether PostgreSQL answers at all, for a server that may be waiting for it.
import CPostgres

extension PostgresPlace {
    /// Whether a PostgreSQL that takes connections answers at each of the hosts. The request has no password
    /// and checks no certificate. So it shows whether a server is down, or still starting, or whether it only
    /// refuses this client. Over a network the request is not encrypted; it has the names of the role and of
    /// the database. It takes at most three seconds for each host (libpq, PQpingParams).
    package func answers() -> Bool {
        hosts.allSatisfy { host in
            let parameters = host.merging(["sslmode": "disable", "gssencmode": "disable"]) { one, _ in one }
            return unsafe withArrays(of: parameters) { unsafe PQpingParams($0, $1, 0) } == PQPING_OK
        }
    }

    /// The parameters of the request to each host. If libpq is given several hosts, it asks them in turn only
    /// until one refuses.
    private var hosts: [[String: String]] {
        let lists = ["host", "hostaddr", "port"].compactMap { key in
            parameters[key].map { (key, $0.split(separator: ",", omittingEmptySubsequences: false)) }
        }
        let asked = parameters.filter { ["user", "dbname", "connect_timeout"].contains($0.key) }
        return (0..<max(1, lists.map(\.1.count).max() ?? 1)).map { number in
            // One port may stand for all hosts.
            lists.reduce(into: asked) { $0[$1.0] = String($1.1[min(number, $1.1.count - 1)]) }
        }
    }
}
