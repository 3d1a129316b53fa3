// SPDX-License-Identifier: Apache-2.0
// The names of all metrics: the one list, with which tests compare mpind(8), the dashboard and the alerts.

/// A metric of mpind. The raw value is its name.
enum Metric: String, CaseIterable, Sendable {
    case requests = "mpind_requests_total"
    case requestSeconds = "mpind_request_seconds"
    case logins = "mpind_logins_total"
    case verifications = "mpind_verifications_total"
    case triesRefused = "mpind_tries_refused_total"
    case storageSeconds = "mpind_storage_seconds"
    case storageQueue = "mpind_storage_queue"
    case storageErrors = "mpind_storage_errors_total"
    case storageRetries = "mpind_storage_retries_total"
    case storageBatchJobs = "mpind_storage_batch_jobs"
    case databaseConnections = "mpind_database_connections"
    case databaseClockOffset = "mpind_database_clock_offset_seconds"
    case authoritySeconds = "mpind_authority_seconds"
    case connections = "mpind_connections"
    case connectionsRefused = "mpind_connections_refused_total"
    case handshakes = "mpind_tls_handshakes_total"
    case certificateExpiry = "mpind_tls_certificate_expiry_seconds"
    case ready = "mpind_ready"
    case buildInfo = "mpind_build_info"
    case processSeconds = "process_cpu_seconds_total"
    case processMemory = "process_resident_memory_bytes"
    case processAddressSpace = "process_virtual_memory_bytes"
    case processDescriptors = "process_open_fds"
    case processMostDescriptors = "process_max_fds"
    case processThreads = "process_threads"
    case processStart = "process_start_time_seconds"

    /// One line that says what is measured.
    var help: StaticString {
        switch self {
        case .requests: "Requests that were answered, by the name of the route and the HTTP status."
        case .requestSeconds: "Time from a request's head to its answer."
        case .logins: "Logins that were redeemed, by method and verdict."
        case .verifications: "Proofs that were verified in pass 2."
        case .triesRefused: "Tries that a lock or a block refused, by the failure counter."
        case .storageSeconds: "Time of a transaction of the database, with the time that it waited."
        case .storageQueue: "Transactions of the database that wait or run."
        case .storageErrors: "Transactions of the database that failed, by the kind of the error."
        case .storageRetries: "Transactions that were run again because the database asked for it."
        case .storageBatchJobs: "Writing transactions that shared one commit."
        case .databaseConnections: "Connections to the database, by state."
        case .databaseClockOffset: "The database's clock minus this machine's."
        case .authoritySeconds: "Time of a command of the authority."
        case .connections: "Open connections, by the kind of the listener."
        case .connectionsRefused: "Connections that were refused or closed, by reason."
        case .handshakes: "TLS handshakes that ended, by result."
        case .certificateExpiry: "When the TLS certificate expires, in seconds since 1970."
        case .ready: "Whether a part is ready: 1, or 0 if /ready names it."
        case .buildInfo: "The version of mpind, the engine of its database and the version of the schema."
        case .processSeconds: "Processor time of this process, of user and system together."
        case .processMemory: "Resident memory of this process."
        case .processAddressSpace: "Virtual memory of this process."
        case .processDescriptors: "Open file descriptors of this process."
        case .processMostDescriptors: "The most file descriptors that this process may open."
        case .processThreads: "Threads of this process."
        case .processStart: "When this process started, in seconds since 1970."
        }
    }
}
