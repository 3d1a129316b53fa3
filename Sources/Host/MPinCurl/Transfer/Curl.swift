// SPDX-License-Identifier: Apache-2.0
// A libcurl handle that keeps its connections. It follows no redirects, uses only the proxy that it is given,
// and reads no more of an answer than the limit.
import CCurl
import CPlatform
import MPinWire

@safe final class Curl {
    /// The longest body that is read, in octets.
    static let limit = 1 << 20

    private var handle: CurlHandle
    private let connectMilliseconds: Int
    /// `http://HOST:PORT`, the proxy for https origins; environment variables are ignored.
    private let proxy: String?
    /// libcurl uses these as long as the handle exists.
    private let addresses: TextList
    private let authorities: UnsafeMutableBufferPointer<UInt8>
    /// The system call that the kernel refused to a transfer that failed.
    private(set) var refused: RefusedCall?

    /// - Parameters:
    ///   - addresses: the addresses of each name, in the form of CURLOPT_RESOLVE.
    ///   - authorities: the certificates of the CAs to trust, in PEM.
    init(
        addresses: [String], authorities: [UInt8], connectMilliseconds: Int, proxy: String? = nil
    ) throws(CallFailure) {
        guard let handle = CurlHandle() else { throw .cannotStart }
        self.handle = handle
        self.connectMilliseconds = connectMilliseconds
        self.proxy = proxy
        self.addresses = TextList(addresses)
        unsafe self.authorities = .allocate(capacity: authorities.count)
        _ = unsafe self.authorities.initialize(from: authorities)
        setLasting()
        guard !handle.isSpoiled else { throw .cannotStart }
    }

    deinit {
        handle.close()
        unsafe authorities.deallocate()
    }

    /// Closes the connections by replacing the handle. If no new handle can be made, the old one stays; a
    /// spoiled handle stays too, and sends nothing any more.
    func closeConnections() {
        guard !handle.isSpoiled, let new = CurlHandle() else { return }
        handle.close()
        handle = new
        setLasting()
    }

    private func setLasting() {
        handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
        handle.set(CURLOPT_USERAGENT, "mpin/" + Release.version)
        handle.set(CURLOPT_CAINFO, nil)
        handle.set(CURLOPT_CAPATH, nil)
        handle.check(
            unsafe mpin_curl_set_blob(
                handle.pointer, CURLOPT_CAINFO_BLOB, authorities.baseAddress, authorities.count))
        handle.set(CURLOPT_RESOLVE, addresses)
    }

    /// Sends one request and reads its answer. If an address takes the connection and then ends it without an
    /// answer, the next address is tried. A Unix socket with a full queue is tried again for as long as a
    /// connection may take.
    func perform(_ request: BackendRequest, headers: [String], within limit: Limit) -> BackendResponse {
        let patience = Limit(milliseconds: connectMilliseconds, ending: limit.ending)
        var (cut, cutters): (BackendResponse?, Set<String>) = (nil, [])
        while true {
            guard limit.milliseconds > 0 else {
                return cut ?? BackendResponse(status: RelayResponse.timedOut)
            }
            let transfer = Transfer(request, avoiding: cutters)
            let code = perform(request, headers: headers, within: limit, transfer: transfer)
            let isQueued =
                code == CURLE_COULDNT_CONNECT && request.address.place.socket != nil && !handle.hasError
            if isQueued, transfer.failure == nil, patience.milliseconds > 0 {
                limit.pause(milliseconds: 20)
                continue
            }
            let response = response(code, transfer)
            // The last address that was left could not be reached, or had the question before.
            if let cut, request.isStillCut(response, after: cut) { return cut }
            guard response.isCut, let peer = handle.peer, cutters.insert(peer).inserted else {
                return response
            }
            cut = response
        }
    }

    private func perform(
        _ request: BackendRequest, headers: [String], within limit: Limit, transfer: Transfer
    ) -> CURLcode {
        let place = request.address.place
        // The proxy is only for TLS: Unix sockets and plain http are on this machine.
        handle.setWay(
            to: request.address.url, schemes: place.origin.isHTTPS ? "https" : "http",
            socket: place.socket?.address, proxy: place.origin.isHTTPS ? proxy : nil,
            milliseconds: max(1, limit.milliseconds))
        handle.set(CURLOPT_FRESH_CONNECT, request.isInspection ? 1 : 0)
        handle.set(CURLOPT_CERTINFO, request.isInspection ? 1 : 0)
        let list = TextList(headers)
        handle.set(CURLOPT_HTTPHEADER, list)
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        handle.check(
            unsafe mpin_curl_set_sockets(handle.pointer, openSocket, beginRequest, context))
        return withExtendedLifetime((transfer, list)) {
            if let late = request.late {
                unsafe handle.send(
                    request.method, body: late.octets, into: transfer.sink, endedBy: limit.ending)
            } else {
                handle.send(request.method, body: request.body, into: transfer.sink, endedBy: limit.ending)
            }
        }
    }

    private func response(_ code: CURLcode, _ transfer: Transfer) -> BackendResponse {
        guard code == CURLE_OK else {
            refused = RefusedCall(transfer.socketError, handle.number(CURLINFO_OS_ERRNO)) ?? refused
            let isConnected = transfer.hasBegun || handle.wasConnected
            let known = transfer.failure ?? proxyRefusal
            guard known == nil, isCut(code, transfer) else {
                return BackendResponse(status: known ?? status(code, isConnected: isConnected))
            }
            // Nothing was sent before the connection was there, TLS included.
            return BackendResponse(
                status: transfer.hasBegun ? RelayResponse.timedOut : RelayResponse.unreachable,
                isCut: transfer.mayGoOn)
        }
        // A status below 100 would read as one of the relay's own.
        guard let known = UInt16(exactly: handle.number(CURLINFO_RESPONSE_CODE)),
            (100...599).contains(known)
        else {
            return BackendResponse(status: RelayResponse.notUnderstood)
        }
        var seconds: curl_off_t = 0
        unsafe mpin_curl_get_offset(handle.pointer, CURLINFO_RETRY_AFTER, &seconds)
        return BackendResponse(
            status: known, body: transfer.sink.octets, retryAfter: Int(clamping: seconds),
            time: UInt64(clamping: unsafe mpin_curl_date(handle.pointer)),
            certificateEnd: UInt64(clamping: unsafe mpin_curl_certificate_end(handle.pointer)))
    }

    /// The status for a proxy that refused the request; nil for every other failure.
    private var proxyRefusal: UInt16? {
        let status = handle.number(CURLINFO_HTTP_CONNECTCODE)
        guard let said = UInt16(exactly: status), (300...599).contains(said) else { return nil }
        return RelayResponse.proxyRefused + said
    }

    /// The headers of the last answer; of several lines with one name, the last.
    func answeredHeaders() -> [String: String] {
        var headers: [String: String] = [:]
        var line: UnsafeMutablePointer<curl_header>?
        while let next = unsafe curl_easy_nextheader(handle.pointer, UInt32(CURLH_HEADER), -1, line) {
            unsafe headers[String(cString: next.pointee.name)] = String(cString: next.pointee.value)
            unsafe line = next
        }
        return headers
    }

    /// Whether the other end closed or reset the connection before it sent an answer.
    private func isCut(_ code: CURLcode, _ transfer: Transfer) -> Bool {
        switch code {
        case CURLE_SSL_CONNECT_ERROR: mpin_curl_handshake() == MPIN_HANDSHAKE_CUT
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            !transfer.hasBegun || handle.number(CURLINFO_RESPONSE_CODE) == 0
        default: false
        }
    }

    /// The status of relay.md for an error of libcurl.
    /// - Parameter isConnected: whether an address of the server, or of the proxy, took the connection.
    private func status(_ code: CURLcode, isConnected: Bool) -> UInt16 {
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            RelayResponse.unreachable
        case CURLE_OPERATION_TIMEDOUT where !isConnected: RelayResponse.unreachable
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: RelayResponse.machineFailed
        case CURLE_PEER_FAILED_VERIFICATION: certificateFault
        case CURLE_SSL_CONNECT_ERROR:
            mpin_curl_handshake() == MPIN_HANDSHAKE_TOO_OLD ? Distrust.version.status : Distrust.tls.status
        case CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
            Distrust.tls.status
        case CURLE_SSL_CACERT_BADFILE: RelayResponse.noCertificates
        case CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR,
            CURLE_SEND_ERROR:
            RelayResponse.timedOut
        default: RelayResponse.notUnderstood
        }
    }

    /// Why a certificate was not accepted, from OpenSSL's X509_V_ERR number.
    private var certificateFault: UInt16 {
        switch handle.number(CURLINFO_SSL_VERIFYRESULT) {
        // libcurl itself compares the name, after OpenSSL has verified everything else: then no number is
        // set.
        case 0, 1, 62, 64: Distrust.name.status
        case 2, 19, 20, 21: Distrust.issuer.status
        case 9: Distrust.notYetValid.status
        case 10: Distrust.expired.status
        case 17: RelayResponse.machineFailed
        case 18: Distrust.selfSigned.status
        default: Distrust.certificate.status
        }
    }
}
