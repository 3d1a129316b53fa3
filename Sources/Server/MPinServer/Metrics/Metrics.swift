// SPDX-License-Identifier: Apache-2.0
// Everything that mpind counts and measures, and its text for Prometheus.
import MPin
package import MPinDatabase

/// The metrics of one server. Counting takes a lock for a moment, on whatever thread.
package final class Metrics: Sendable {
    private let requests = Counter<AnswerLabels>()
    private let requestSeconds = Histogram<RouteName>(bounds: secondsBounds)
    private let logins = Counter<LoginLabels>()
    let verifications = Counter<NoLabels>()
    let triesRefused = Counter<FailureCounter>()
    private let storageSeconds = Histogram<Access>(bounds: secondsBounds)
    private let storageQueue = Gauge<NoLabels>()
    private let storageErrors = Counter<StorageErrorKind>()
    private let storageRetries = Counter<NoLabels>()
    private let storageBatchJobs = Histogram<NoLabels>(bounds: [1, 2, 4, 8, 16, 32, 64])
    private let databaseConnections = Gauge<ConnectionState>()
    private let databaseClockOffset = Gauge<NoLabels>([])
    private let authoritySeconds = Histogram<AuthorityQuestion.Command>(bounds: secondsBounds)
    private let connections = Gauge<ListenerKind>()
    private let connectionsRefused = Counter(RefusalKind.allCases.filter { $0 != .answer })
    private let handshakes = Counter<HandshakeResult>()
    private let certificateExpiry = Gauge<NoLabels>([])
    private let ready = Gauge<Part>()
    private let buildInfo = Gauge<BuildLabels>()

    /// All counters are zero.
    package init() {}

    /// The values of a metric; the compiler checks that every name has some.
    private func family(of metric: Metric) -> any MetricFamily {
        switch metric {
        case .requests: requests
        case .requestSeconds: requestSeconds
        case .logins: logins
        case .verifications: verifications
        case .triesRefused: triesRefused
        case .storageSeconds: storageSeconds
        case .storageQueue: storageQueue
        case .storageErrors: storageErrors
        case .storageRetries: storageRetries
        case .storageBatchJobs: storageBatchJobs
        case .databaseConnections: databaseConnections
        case .databaseClockOffset: databaseClockOffset
        case .authoritySeconds: authoritySeconds
        case .connections: connections
        case .connectionsRefused: connectionsRefused
        case .handshakes: handshakes
        case .certificateExpiry: certificateExpiry
        case .ready: ready
        case .buildInfo: buildInfo
        case .processSeconds: ProcessMetric(.counter) { $0.seconds }
        case .processMemory: ProcessMetric(.gauge) { $0.memory }
        case .processAddressSpace: ProcessMetric(.gauge) { $0.addressSpace }
        case .processDescriptors: ProcessMetric(.gauge) { $0.descriptors }
        case .processMostDescriptors: ProcessMetric(.gauge) { $0.mostDescriptors }
        case .processThreads: ProcessMetric(.gauge) { $0.threads }
        case .processStart: ProcessMetric(.gauge) { $0.start }
        }
    }

    /// Every metric, in Prometheus's text format 0.0.4.
    package var text: String {
        Metric.allCases.map { metric in
            let (name, family) = (metric.rawValue, family(of: metric))
            let head = ["# HELP \(name) \(metric.help)", "# TYPE \(name) \(family.kind.rawValue)"]
            return (head + family.samples.map { $0.line(of: name) }).joined(separator: "\n") + "\n"
        }.joined()
    }
}

// MARK: What happened

extension Metrics {
    /// A request was answered so long after its head.
    package func answered(_ answer: Response, after time: Duration) {
        requests.add(AnswerLabels(route: answer.route, status: answer.status))
        requestSeconds.observe(answer.route, time)
    }

    /// A connection was opened.
    package func opened(_ listener: ListenerKind) { connections.add(listener, 1) }

    /// A connection was closed.
    package func closed(_ listener: ListenerKind) { connections.add(listener, -1) }

    /// A connection was refused, or closed before its request was answered.
    package func refused(_ kind: RefusalKind) { connectionsRefused.add(kind) }

    /// A TLS handshake ended.
    package func shookHands(_ result: HandshakeResult) { handshakes.add(result) }

    /// From now on a certificate is in use that expires then.
    package func uses(certificateUntil end: UnixTime) {
        certificateExpiry.set(NoLabels(), to: Double(end.seconds))
    }

    /// What this server is made of: its version, and that of the database's schema.
    package func runs(_ version: String, on engine: DatabaseEngine, schema: Int64) {
        buildInfo.set(BuildLabels(version: version, engine: engine, schema: schema), to: 1)
    }

    /// A login was redeemed.
    func redeemed(by method: AuthenticationMethod, _ words: VerdictWords) {
        logins.add(LoginLabels(method: method, verdict: words.word))
    }

    func answered(_ command: AuthorityQuestion.Command, after time: Duration) {
        authoritySeconds.observe(command, time)
    }

    /// Notes which parts are not ready; all others are.
    func noted(notReady: [Part]) {
        for part in Part.allCases { ready.set(part, to: notReady.contains(part) ? 0 : 1) }
    }

    /// The database's clock minus this machine's, in seconds.
    func measured(clockOffset: Double) { databaseClockOffset.set(NoLabels(), to: clockOffset) }
}

extension Metrics: StorageObserver {
    /// Counts a transaction that waits or runs.
    package func transactionBegan() { storageQueue.add(NoLabels(), 1) }

    /// Counts a transaction that has ended.
    package func transactionEnded(_ access: Access, after time: Duration, error: StorageError?) {
        storageQueue.add(NoLabels(), -1)
        storageSeconds.observe(access, time)
        if let error { storageErrors.add(StorageErrorKind(error)) }
    }

    /// Counts the repetition.
    package func transactionRetried() { storageRetries.add() }

    /// Counts the writing transactions of the batch.
    package func batchBegan(writers: Int) {
        if writers > 0 { storageBatchJobs.observe(NoLabels(), Double(writers)) }
    }

    /// Counts the connection in its new state.
    package func connectionChanged(from old: ConnectionState?, to new: ConnectionState?) {
        if let old { databaseConnections.add(old, -1) }
        if let new { databaseConnections.add(new, 1) }
    }
}
