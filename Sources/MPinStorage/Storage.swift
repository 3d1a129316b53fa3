// SPDX-License-Identifier: Apache-2.0
// All that mpind must remember, as operations that mean something to it.

/// Every operation is one transaction; what it says happened is committed when it returns. Using something up
/// is one statement, so of many racing callers one wins, on whichever replica. Time of life is the database's
/// clock. Ids, hashes and nonces are octets of fixed length, texts are compared octet by octet.
package protocol Storage: Sendable {
    // MARK: Identities (administration)

    /// Adds the identity if it is new, lifts its revocation (its old mpinIds stay revoked), and gives it this
    /// code, which replaces one that is still out and what was registered with that.
    /// - Returns: the mpinIds that were enrolled by an earlier picture and never confirmed: another picture
    ///   revokes them, for a stranger may have scanned that one.
    @discardableResult
    func addIdentity(_ userID: String, code: ActivationCode) async throws(StorageError) -> [[UInt8]]

    /// Identities in the order of their userIDs: those behind `after`, at most `limit` and never over 1000.
    func identities(after: String?, limit: Int) async throws(StorageError) -> [IdentityRecord]

    /// Nil if nobody has that name.
    func identity(_ userID: String) async throws(StorageError) -> IdentityRecord?

    /// Registrations that wait for a confirmation, the oldest first.
    func waitingRegistrations() async throws(StorageError) -> [RegistrationRecord]

    /// Confirms what `userID` has under an id that begins with `prefix`: a waiting registration, or an mpinId
    /// that was enrolled by a picture. The name alone would confirm whatever a stranger has put under it.
    func confirm(_ userID: String, idPrefix prefix: [UInt8]) async throws(StorageError) -> Confirmation

    /// Confirms an mpinId that was enrolled by a picture and is not revoked, and records it; false if it is
    /// none.
    func confirm(id: [UInt8], recording event: AuditEvent) async throws(StorageError) -> Bool

    /// Revokes for ever; an identity also loses its code and its pending registrations. Nil if nobody has
    /// that name.
    func revoke(_ subject: Subject) async throws(StorageError) -> Revocation?

    /// Revoked ids in their order: those behind `after`, at most `limit` and never over 1000.
    func revokedIDs(after: [UInt8]?, limit: Int) async throws(StorageError) -> [[UInt8]]

    /// Refuses every login of an identity until then, or until `resume`, also of what it enrols meanwhile.
    /// What was approved or given out and not used ends. Of a suspension that goes on, end and reason change.
    func suspend(
        _ userID: String, until: UnixMilliseconds?, reason: String
    ) async throws(StorageError) -> SuspensionOutcome

    /// Ends a suspension at once; whether there was one, nil if nobody has that name.
    func resume(_ userID: String) async throws(StorageError) -> Bool?

    /// How the account of these ids stands. It is revoked if each of them is known, and revoked itself or its
    /// identity; suspended if some of them are, and the others revoked; without ids it is neither.
    func standing(of ids: [[UInt8]]) async throws(StorageError) -> AccountStanding

    /// Ends every lock, and forgets the tries counted against the subject and the logins that it reported. Of
    /// whoever is revoked it changes nothing.
    func unlock(_ subject: Subject) async throws(StorageError) -> Unlocking

    // MARK: Registration

    /// Stores a registration if it is authorised; a wrong code counts against its source. A right code ties
    /// itself to this mpinId and drops the pending one that it was tied to. Same work for every userID.
    func register(
        _ request: RegistrationRequest, by authorization: Authorization
    ) async throws(StorageError) -> RegistrationOutcome

    /// The pending registration of an id, if the regOTT is its own. A wrong one changes nothing.
    func registration(id: [UInt8], regOTTHash: [UInt8]) async throws(StorageError) -> RegistrationRecord?

    /// Gives a pending registration its full hour again (PUT user with mpinId and regOTT), but no more than a
    /// day from when it was made.
    func renewRegistration(id: [UInt8], regOTTHash: [UInt8]) async throws(StorageError) -> RegistrationRecord?

    /// Makes the mpinId of an active pending registration live, does what `replace` says and records it; nil
    /// if there is none, or the regOTT is another. To be called when the answer with the share is at hand,
    /// before it leaves. A bound mpinId gets the device key of `deviceEpoch`. The activation code of an
    /// unbound one is spent now, that of any other by its first login. Until then, for an hour, the code is
    /// good for another registration, which revokes this mpinId: so an answer that was lost costs no code.
    ///
    /// - Parameters:
    ///   - pushToken: where the client says that messages reach it; may be empty.
    ///   - event: what is recorded of it.
    func issue(
        id: [UInt8], regOTTHash: [UInt8], deviceEpoch: UInt32, pushToken: String,
        recording event: @Sendable (Issue) -> AuditEvent
    ) async throws(StorageError) -> Issue?

    /// Drops an active registration whose secret reached nobody: the answer was lost inside the server.
    func dropRegistration(id: [UInt8], regOTTHash: [UInt8]) async throws(StorageError)

    /// Makes a waiting registration active, by the key that its RPA was given; false if there is none.
    func activate(id: [UInt8], activateKeyHash: [UInt8]) async throws(StorageError) -> Bool

    /// Drops a pending registration that nobody has confirmed.
    func forgetRegistration(id: [UInt8]) async throws(StorageError)

    // MARK: Login

    /// A live or revoked mpinId.
    func mpin(id: [UInt8]) async throws(StorageError) -> MpinRecord?

    /// Takes the nonce (32 octets) of a sealed question: true the first time only, after a loss of power too.
    func takeNonce(_ nonce: [UInt8]) async throws(StorageError) -> Bool

    /// Keeps a pass 1 for 15 seconds.
    func keepPassOne(_ record: PassOneRecord, key: PassOneKey) async throws(StorageError)

    /// Takes the pass-1 record of this id away and counts the try, durably; the proof is verified afterwards,
    /// outside any transaction. Without a record nil, and nothing is counted. What a try counts against and
    /// when it is refused: `TryCounting`. Locks and blocks come before their proof is looked at; a good
    /// verdict lifts them.
    ///
    /// - Parameter deviceEpoch: the epoch of the device key whose tag came with this pass 2; nil without a
    ///   right one. A bound mpinId is of that epoch from then on. It may run more than once.
    func beginVerification(
        id: [UInt8], key: PassOneKey, deviceEpoch: DeviceTagCheck
    ) async throws(StorageError) -> Verification?

    /// Writes the verdict, to be redeemed within 60 seconds. A good one clears the count of id and source and
    /// notes the login; whoever never comes here has been counted for good.
    func finishVerification(_ verdict: VerdictRecord) async throws(StorageError)

    /// Uses an authOTT up: once, within its life, for its own purpose; otherwise nil, and nothing changes. A
    /// bad login that was to change a PIN is told to whoever asks with its question, as `ask`.
    func redeem(authOTTHash: [UInt8], purpose: VerdictPurpose) async throws(StorageError) -> Redemption?

    /// The same for a plain login whose RPA is somebody else's: that checks the one-time password itself, so
    /// none lives here.
    func redeemForParty(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption?

    /// Remembers for a minute that an RPA has redeemed this authOTT and will say what it made of it.
    func awaitResult(authOTTHash: [UInt8]) async throws(StorageError)

    /// Forgets it; true the first time.
    func takeResult(authOTTHash: [UInt8]) async throws(StorageError) -> Bool

    // MARK: Sessions that a second device approves

    /// Opens a session; the answer of a full host, or of a number in use, leaves nothing behind.
    func openSession(_ opening: SessionOpening) async throws(StorageError) -> SessionOpened

    /// A live session: open or approved, and not expired.
    func session(_ name: SessionName) async throws(StorageError) -> SessionRecord?

    /// The same by its number, a browser's too, for a stranger who may have guessed it: counted, and nil also
    /// for whoever has asked too often. A source that a session was approved from yesterday is no stranger to
    /// its network.
    func lookUpSession(
        number: String, by seeker: Seeker, counting: CountedLookUps
    ) async throws(StorageError) -> Waiting?

    /// Uses up an authOTT that was made for a session, whichever; the verdict's purpose names it by its wid.
    func redeemForSession(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption?

    /// Marks a live session approved. The first to approve has it: false for everybody else, for a session
    /// that is not live, and for whoever has reported logins from its source.
    func approve(_ approval: Approval) async throws(StorageError) -> Bool

    /// Ends the live session that the question `a` opened; false if there is none of that name.
    /// - Parameter id: of a device that denies it, which ends nothing that another device has approved; nil:
    ///   the console itself gives up.
    func endSession(
        _ name: SessionName, a: [UInt8], by id: [UInt8]?
    ) async throws(StorageError) -> Bool

    /// The same for the owner of the mpinId `id`, who did not begin it: for an hour sessions of this source
    /// at this host are not for any mpinId of that userID. Records it in the same transaction.
    func reportSession(
        _ name: SessionName, a: [UInt8], by id: [UInt8], recording events: [AuditEvent]
    ) async throws(StorageError) -> Bool

    /// Whether the mpinId has reported a session of this source (with its host) within the hour.
    func hasReported(_ source: String, id: [UInt8]) async throws(StorageError) -> Bool

    /// The session that `a` opened, if an approval of it was told within the last ten minutes.
    func grantedSession(a: [UInt8]) async throws(StorageError) -> SessionRecord?

    /// What the console that asked `a` is told. An approval is used up by the first call that finds it, and
    /// grants if the approver is not revoked nor suspended by then. Nil: no such session, or it is forgotten.
    func settleSession(a: [UInt8]) async throws(StorageError) -> Settlement?

    /// Notes once that a granted session is over, if token and userID are its own; gives it.
    func logOut(tokenHash: [UInt8], userID: String) async throws(StorageError) -> SessionRecord?

    // MARK: One-time passwords

    /// Counts a host's question as a wrong try of each password that lives of these ids, and gives those, in
    /// the order of the ids. The fifth question of a source and the fiftieth of all are the last that are
    /// told. Until `matchOTP` each was wrong.
    func askOTPs(_ question: OTPQuestion) async throws(StorageError) -> [[UInt8]?]

    /// Notes that the question `a` brought the password of `id`, which is that one.
    func matchOTP(a: [UInt8], id: [UInt8], sealed: [UInt8]) async throws(StorageError)

    /// Takes the question `a` about `id` away, and uses up the password that it brought if that still lives.
    /// Nil: there was no such question.
    func settleOTP(a: [UInt8], id: [UInt8]) async throws(StorageError) -> OTPSettlement?

    // MARK: Applications

    /// False if one has that name.
    func addApplication(_ application: ApplicationRecord) async throws(StorageError) -> Bool

    /// With all its sessions and codes; false if there is none of that name.
    func removeApplication(_ name: String) async throws(StorageError) -> Bool

    /// In the order of their names, at most `limit` and never over 1000.
    func applications(limit: Int) async throws(StorageError) -> [ApplicationRecord]

    func application(clientID: String) async throws(StorageError) -> ApplicationRecord?

    /// False if too many live, of that source, of its application or in all.
    func openApplicationSession(_ session: ApplicationSession) async throws(StorageError) -> Bool

    func applicationSession(_ wid: String) async throws(StorageError) -> LiveApplicationSession?

    /// Uses up an authOTT that was made for an application's session, whichever.
    func redeemForApplication(authOTTHash: [UInt8]) async throws(StorageError) -> Redemption?

    /// Keeps a code (SHA-256) of the mpinId `id`; nil if its place is not there, or is used up.
    func keepCode(
        _ hash: [UInt8], of id: [UInt8], for place: CodePlace
    ) async throws(StorageError) -> ApplicationRecord?

    /// Uses an authorization code up, whoever shows it.
    func takeCode(_ hash: [UInt8]) async throws(StorageError) -> AuthorizationCode?

    // MARK: Browsers' sessions that a second device approves

    /// Opens a session; the answer of a full server, or of a number in use, leaves nothing behind.
    func openBrowser(_ opening: BrowserOpening) async throws(StorageError) -> SessionOpened

    /// A session, live or not, until it is forgotten.
    func browser(_ name: BrowserName) async throws(StorageError) -> BrowserRecord?

    /// Notes how far a device has come with a live session; never back, and never as far as an approval.
    func advanceBrowser(wid: String, to state: BrowserState) async throws(StorageError)

    /// Marks a live session approved. The first to approve has it: false for everybody else.
    func approveBrowser(_ approval: Approval) async throws(StorageError) -> Bool

    /// Uses an approval up: once, within its minute, by the browser's own authOTT. It grants if the approver
    /// is not revoked nor suspended by then. `result` is what the device will hear.
    func redeemBrowser(
        authOTTHash: [UInt8], result: LoginResult
    ) async throws(StorageError) -> BrowserRecord?

    /// Says once what the RPA made of a redeemed session; false if nobody waits to hear it.
    func finishBrowser(authOTTHash: [UInt8], result: LoginResult) async throws(StorageError) -> Bool

    /// Ends a live session, by the device that refused it; by nobody's only one that nobody has approved.
    func endBrowser(wid: String, by id: [UInt8]?) async throws(StorageError) -> Bool

    /// Notes once that a redeemed session is over, if token and userID are its own; gives it.
    func logOutBrowser(tokenHash: [UInt8], userID: String) async throws(StorageError) -> BrowserRecord?

    // MARK: Hosts

    /// Adds a host with a new key and gives its epoch; nil if it is there. A name that was removed comes back
    /// under a new epoch, never under one that a removed key had.
    func addHost(
        _ name: String, join: JoinCodeRecord, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32?

    /// Raises the epoch, with a new key, and replaces the join code. The keys before answer for 7 days, or
    /// not at all any more if one of them has leaked. Nil: no such host.
    func rotateHost(
        _ name: String, join: JoinCodeRecord, hasLeaked: Bool, key: @escaping HostKeySealing
    ) async throws(StorageError) -> UInt32?

    /// No key of the host answers any more; false if there is no such host.
    func removeHost(_ name: String) async throws(StorageError) -> Bool

    /// Uses a join code up; a wrong joinID counts against its source.
    func takeJoin(
        host name: String, joinID: [UInt8], tried: CodeTry
    ) async throws(StorageError) -> Join?

    func host(_ name: String) async throws(StorageError) -> HostRecord?

    /// Hosts in the order of their names: those behind `after`, at most `limit` and never over 1000.
    func hosts(after: String?, limit: Int) async throws(StorageError) -> [HostRecord]

    // MARK: Housekeeping

    /// Whether `check` is what tells the device keys of this epoch; the first that is named is kept.
    func checkDeviceKeys(epoch: UInt32, check: [UInt8]) async throws(StorageError) -> Bool

    func append(_ event: AuditEvent) async throws(StorageError)

    /// The newest audit records that `query` selects, the newest first, at most `limit` and never over 1000.
    func auditRecords(_ query: AuditQuery, limit: Int) async throws(StorageError) -> [AuditRecord]

    /// Revokes some of what was enrolled by a picture a day ago and nobody has confirmed; gives their ids.
    func revokeUnconfirmed() async throws(StorageError) -> [[UInt8]]

    /// Removes some of what has expired and gives the number of rows; called now and then until it gives 0.
    func purge() async throws(StorageError) -> Int
}
