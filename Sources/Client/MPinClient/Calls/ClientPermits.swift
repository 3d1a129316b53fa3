// SPDX-License-Identifier: Apache-2.0
// The start of a login: fetching the two shares of the day's time permit (milagro-0.3.md, section 9).
import MPin
import MPinCurl
import MPinWire
import Octets

extension Client {
    /// Begins a login: fetches the user's time permit if the server uses permits. The permit stays in memory
    /// until another backend is set or the program ends, and more than one login may be finished with it.
    ///
    /// Throws ``Status/revoked`` if the server gives the user no permit, and ``Status/cryptoError`` if a
    /// share is invalid.
    ///
    /// - Parameters:
    ///   - user: a registered user.
    ///   - accessCode: the access code of the session that the user is about to approve; empty for a login at
    ///     this device. The backend is told which user was chosen; a failure of that request is ignored.
    public func startAuthentication(_ user: User, accessCode: String = "") throws(ClientFailure) {
        let record = try record(of: user, in: .registered)
        let backend = try currentBackend()
        if !accessCode.isEmpty { _ = try? tell("user", accessCode, by: record) }
        guard backend.settings.permitsAreUsed else { return }
        let target = try backend.target(backend.settings.timePermitsURL, "time permits", trusting: trusted)
        let ours = try decoded(
            TimePermitResponse.self,
            send(.timePermit, method: .get, to: target.appending("/" + hexText(record.mpinID))))
        memory(of: record).permit = try permit(of: record, ours, backend)
    }

    /// Adds the second share to that of D-TA 1: the one that is cached for that day, else one from the store
    /// of permits, else that of D-TA 2. Invalid shares are skipped, except D-TA 2's, which throws.
    private func permit(
        of record: StoredRecord, _ ours: TimePermitResponse, _ backend: BackendParameters
    ) throws(ClientFailure) -> Permit {
        guard ours.date > 0 else { throw .answer("the permit is for no day") }
        if let cached = record.cachedPermit, cached.date == ours.date,
            let sum = try? timePermit(ours.timePermit.octets, cached.share)
        {
            return Permit(date: ours.date, octets: sum)
        }
        let share: [UInt8]
        let sum: [UInt8]
        if let stored = storedShare(ours, backend),
            let whole = try? timePermit(ours.timePermit.octets, stored)
        {
            (share, sum) = (stored, whole)
        } else {
            share = try authorityShare(ours, backend)
            do throws(MPinError) { sum = try timePermit(ours.timePermit.octets, share) } catch {
                throw ClientFailure(error)
            }
        }
        var record = record
        record.cachedPermit = StoredRecord.CachedPermit(date: ours.date, share: share)
        try userStore.store(record)
        return Permit(date: ours.date, octets: sum)
    }

    /// The share from the store that clientSettings may name, which is bare hexadecimal digits; nil after any
    /// failure.
    private func storedShare(_ ours: TimePermitResponse, _ backend: BackendParameters) -> [UInt8]? {
        let settings = backend.settings
        guard let store = settings.timePermitsStorageURL, !store.isEmpty,
            let target = try? backend.target(store, "store of permits", trusting: trusted)
        else { return nil }
        let path = [settings.appID ?? "", String(ours.date), ours.storageId].map { escaped($0.utf8) }
        guard
            let body = try? send(
                .timePermit, method: .get, to: target.asFolder.appending(path.joined(separator: "/")))
        else { return nil }
        return octets(fromHex: body.filter { $0 > 0x20 })
    }

    private func authorityShare(_ ours: TimePermitResponse, _ backend: BackendParameters)
        throws(ClientFailure)
        -> [UInt8]
    {
        let authority = try backend.target(
            backend.settings.certivoxURL, "second authority", trusting: trusted)
        let path = SharePath.timePermit(
            storageID: [UInt8](ours.storageId.utf8), appID: [UInt8]((backend.settings.appID ?? "").utf8),
            signature: [UInt8](ours.signature.utf8))
        let body = try send(.timePermit, method: .get, to: authority.asFolder.appending(path))
        return try decoded(DTATimePermitResponse.self, body).timePermit.octets
    }
}
