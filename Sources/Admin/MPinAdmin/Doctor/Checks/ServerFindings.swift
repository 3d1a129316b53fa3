// SPDX-License-Identifier: Apache-2.0
// Checks of each backend over the same path as a login: through the relay, with a sealed question that does
// not count as a try.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets

extension Check {
    static let servers = Check("servers", reads: "what each backend answers to the relay") { run in
        (try? run.settings.get()).map { run.doctor.serverFindings($0, run.doctor.hostKey(in: $0.store)) }
            ?? []
    }

    static let clock = Check("clock", reads: "the kernel's clock") { _ in
        guard mpin_clock_is_kept() == 0 else { return [] }
        return [
            Finding(
                note: "clock-unkept", "According to the kernel, nothing synchronizes this host's clock.",
                "Run 'sudo timedatectl set-ntp true'.")
        ]
    }
}

extension Doctor {
    fileprivate func serverFindings(_ settings: Settings, _ box: consuming HostKeyBox) -> [Finding] {
        let check: KeyCheck? =
            switch box.take() {
            case .none: nil
            case .some(let key): settings.answer == .sealed ? KeyCheck(key) : nil
            }
        var found: [Finding] = []
        for backend in settings.backends {
            var one = settings
            one.backends = [backend]
            found += Visit(one, backend).findings(check)
        }
        return found
    }
}

/// The checks of one backend.
private struct Visit {
    let settings: Settings
    let name: String
    /// Whether it is mpind.
    private var isOurs: Bool { settings.answer == .sealed }

    init(_ settings: Settings, _ backend: Backend) {
        self.settings = settings
        name = text(backend.address)
    }

    func findings(_ check: borrowing KeyCheck?) -> [Finding] {
        let watch = Stopwatch()
        do throws(TransportError) {
            let deadline = Deadline(milliseconds: UInt32(clamping: settings.deadline * 1_000))
            let attempt: [UInt8]
            do { attempt = try randomOctets(8) } catch { throw .cannotStart }
            var relay = try TimedRelay(settings, attempt: attempt, deadline: deadline, watch)
            let response = try relay.exchange(.inspect)
            guard case .inspect(let facts) = response.body else { return [unanswered(response.status)] }
            let taken = watch.steps.last?.milliseconds ?? 0
            var found =
                [Finding(ok: "relay", "mpin-relay runs, and reaches \(name).")] + aroundFindings(facts)
            // Enrolments use these settings, and at a Milagro server logins too.
            let told = try relay.exchange(.settings)
            guard case .settings = told.body else { return found + [unanswered(told.status)] }
            found.insert(Finding(ok: "server", "\(name) answers, in \(taken) ms."), at: 1)
            switch check {
            case .none: return found
            case .some(let check): return found + (try sealFindings(check, &relay))
            }
        } catch {
            return [relayFinding(error)]
        }
    }

    private func aroundFindings(_ facts: RelayInspectResponse) -> [Finding] {
        var found: [Finding] = []
        let now = Int64(time(nil))
        if facts.time > 0 {
            found += clockFindings(ours: now, theirs: Int64(clamping: facts.time), server: name)
        }
        if facts.certificateEnd > 0 {
            let end = Int64(clamping: facts.certificateEnd)
            if let finding = certificateFinding(end: end, now: now, server: name) { found.append(finding) }
        }
        return found
    }

    /// Opens a session that no device can approve, and ends it: this shows whether the server knows the host
    /// key.
    private func sealFindings(
        _ check: borrowing KeyCheck, _ relay: inout TimedRelay
    ) throws(TransportError) -> [Finding] {
        let context = LoginContext(service: [UInt8]("doctor".utf8), askedFor: nil, realUID: getuid())
        do throws(Reason) {
            guard let nonce = try? freshNonce(), let question = check.question(nonce, in: context) else {
                return []
            }
            let request = try check.request(question)
            let response: RelayResponse
            do throws(TransportError) { response = try relay.exchange(request) } catch {
                throw .transport(error)
            }
            guard case .session(let session) = response.body else { return [refused(response.status)] }
            let end = try check.end(session, to: question)
            do throws(TransportError) { _ = try relay.exchange(end) } catch { throw .transport(error) }
            return [Finding(ok: "host-key", "\(name) knows this host's key.")]
        } catch {
            if case .transport(let error) = error { throw error }
            return [
                Finding(
                    problem: "seal-wrong", "The answer of \(name) is not sealed with this host's key.",
                    "Is it your server? If it is a new one: \(ServerPlace(settings).joinAnew)")
            ]
        }
    }

    /// The finding for a sealed question that the server did not accept.
    private func refused(_ status: UInt16) -> Finding {
        switch status {
        case 403:
            Finding(
                problem: "seal-refused",
                "\(name) does not know this host's key. Every backend must be a replica of one mpind.",
                ServerPlace(settings).joinAnew)
        case 408:
            Finding(
                problem: "clock-wrong",
                "\(name) refuses every request of this host: the clocks are 10 minutes apart or more.",
                "Let both take their time from the network: 'sudo timedatectl set-ntp true'.")
        case 429:
            Finding(
                note: "server-busy",
                "\(name) accepts no more sessions from this host now; the key was not checked.",
                "Try again in two minutes.")
        default: unanswered(status)
        }
    }

    private func unanswered(_ status: UInt16) -> Finding {
        if let reason = Distrust(status: status) {
            return Finding(problem: "server-untrusted", reason.sentence(name), reason.advice([name]))
        }
        let word = status == RelayResponse.timedOut ? "server-slow" : "server-unreachable"
        if let (fault, cure) = settings.proxyFault(status) { return Finding(problem: word, fault, cure) }
        return switch status {
        case RelayResponse.unreachable:
            Finding(
                problem: "server-unreachable", "\(name) cannot be reached.",
                "Is it running\(isOurs ? " ('systemctl status mpind' there)" : ""), is 'backend' right, and "
                    + "does its name have an address here?")
        case RelayResponse.timedOut:
            Finding(
                problem: "server-slow",
                "\(name) took longer than 'call-timeout' (\(settings.callTimeout) s).", "Look at its load.")
        case RelayResponse.machineFailed:
            Finding(
                problem: "server-unreachable", explained(status, settings),
                "See 'free' and 'ps -e | wc -l' on this host.")
        case RelayResponse.foreignOrigin: foreignOrigin()
        case RelayResponse.noCertificates: noCertificates()
        case RelayResponse.notUnderstood:
            Finding(
                problem: "server-failing", "\(name) does not answer like an M-Pin server.",
                "Is 'backend' right?")
        case 421:
            Finding(
                problem: "server-failing", "\(name): the server does not go by that name.",
                isOurs
                    ? "Set 'public-url' in mpind.conf to the address that clients use."
                    : "Use the address in 'backend' by which the server knows itself.")
        default:
            Finding(
                problem: "server-failing", "\(name) answers with status \(status).",
                "Look at the server's log.")
        }
    }

    private func foreignOrigin() -> Finding {
        let (fault, cure) = foreignOriginSentences(settings)
        return Finding(problem: "server-untrusted", "\(name): \(fault)", cure)
    }

    private func noCertificates() -> Finding {
        let (fault, cure) = certificateSentences(settings)
        return Finding(problem: "ca-file-wrong", "\(name) cannot be checked: \(fault)", cure)
    }

    private func relayFinding(_ error: TransportError) -> Finding {
        switch error {
        case .cannotStart:
            return Finding(
                problem: "relay-broken", "mpin-relay cannot be started.",
                "It, and every folder above it, must belong to root; the user '_mpin' must exist. Without "
                    + "CAP_SYS_RESOURCE, the caller's limit on processes ('ulimit -u') holds for it too.")
        case .closed, .cancelled:
            return Finding(
                problem: "relay-broken", "mpin-relay stopped before it had answered.",
                "Look for 'mpin-relay' in the system's log.")
        case .timedOut: return unanswered(RelayResponse.timedOut)
        case .noCertificates: return unanswered(RelayResponse.noCertificates)
        case .brokenFrame, .otherVersion:
            return Finding(
                problem: "relay-broken", "mpin-relay has another version than this command.",
                "Install the same version of libpam-mpin and mpin.")
        }
    }
}

/// The finding if a certificate ends within three weeks; nil otherwise. Times are Unix seconds.
func certificateFinding(end: Int64, now: Int64, server: String) -> Finding? {
    let days = (end - now) / 86_400
    guard days < 21 else { return nil }
    return Finding(
        warning: "certificate-ends",
        "The certificate of \(server) ends in \(days) days; then nobody can log in.",
        "Renew it on the server.")
}

/// The findings about both clocks, whose times are in Unix seconds.
func clockFindings(ours: Int64, theirs: Int64, server: String) -> [Finding] {
    let (ahead, behind) = (ours - theirs, theirs - ours)
    let distance = max(ahead, behind)
    let words = "This host's clock is \(seconds(distance)) \(ahead > 0 ? "ahead of" : "behind") \(server)'s."
    let advice = "Let both take their time from the network: 'sudo timedatectl set-ntp true'."
    switch distance {
    case ...30: return [Finding(ok: "clock", "The clock agrees with \(server)'s to \(max(distance, 1)) s.")]
    case ...300:
        return [
            Finding(warning: "clock-off", words + " From 10 minutes on, every login is refused.", advice)
        ]
    default:
        return [
            Finding(problem: "clock-wrong", words + " From 10 minutes on, every login is refused.", advice)
        ]
    }
}

private func seconds(_ count: Int64) -> String {
    switch count {
    case ..<120: "\(count) s"
    case ..<7_200: "\(count / 60) minutes"
    case ..<172_800: "\(count / 3_600) hours"
    default: "\(count / 86_400) days"
    }
}
