// SPDX-License-Identifier: Apache-2.0
// A libcurl handle that keeps its connections. It follows no redirects, uses only the proxy that it is given,
// and reads no more of an answer than the limit.
import CCurl
import CPlatform
import MPinWire

/// A handle, or what it needs, could not be made with all its options.
struct CannotStart: Error {
    /// Whether the reason is that the certificates of the CAs to trust cannot be read.
    var isOfCertificates = false
    static let certificates = CannotStart(isOfCertificates: true)
}

@safe final class Curl {
    /// The longest body that is read, in octets.
    static let limit = 1 << 20

    private var handle: CurlHandle
    private let connectMilliseconds: Int
    /// `http://HOST:PORT`, the proxy for https origins; environment variables are ignored.
    private let proxy: String?
    /// libcurl uses these three as long as the handle exists.
    private let addresses: TextList
    private let authorities: UnsafeMutableBufferPointer<UInt8>
    /// The system call that the kernel refused to a transfer that failed.
    private(set) var refused: RefusedCall?
    /// libcurl's message about the last transfer.
    private let complaint: UnsafeMutableBufferPointer<CChar>

    /// - Parameters:
    ///   - addresses: the addresses of each name, in the form of CURLOPT_RESOLVE.
    ///   - authorities: the certificates of the CAs to trust, in PEM.
    init(
        addresses: [String], authorities: [UInt8], connectMilliseconds: Int, proxy: String? = nil
    ) throws(CannotStart) {
        guard let handle = CurlHandle() else { throw CannotStart() }
        self.handle = handle
        self.connectMilliseconds = connectMilliseconds
        self.proxy = proxy
        self.addresses = TextList(addresses)
        unsafe self.authorities = .allocate(capacity: authorities.count)
        _ = unsafe self.authorities.initialize(from: authorities)
        unsafe complaint = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe complaint.initialize(repeating: 0)
        setLasting()
        guard !handle.isSpoiled else { throw CannotStart() }
    }

    deinit {
        handle.close()
        unsafe authorities.deallocate()
        unsafe complaint.deallocate()
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
        handle.check(
            unsafe mpin_curl_set_pointer(handle.pointer, CURLOPT_ERRORBUFFER, complaint.baseAddress))
        handle.set(CURLOPT_RESOLVE, addresses)
    }

    /// Sends one request and reads its answer. A Unix socket with a full queue is tried again for as long as
    /// a connection may take.
    func perform(_ request: Request, headers: [String], within limit: Limit) -> Response {
        let patience = Limit(milliseconds: connectMilliseconds, ending: limit.ending)
        while true {
            guard limit.milliseconds > 0 else { return Response(status: RelayResponse.timedOut) }
            let transfer = Transfer(request)
            let code = perform(request, headers: headers, within: limit, transfer: transfer)
            let isQueued =
                code == CURLE_COULDNT_CONNECT && request.address.place.socket != nil && !handle.hasError
            guard isQueued, transfer.failure == nil, patience.milliseconds > 0 else {
                return response(code, transfer)
            }
            limit.pause(milliseconds: 20)
        }
    }

    private func perform(
        _ request: Request, headers: [String], within limit: Limit, transfer: Transfer
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

    private func response(_ code: CURLcode, _ transfer: Transfer) -> Response {
        guard code == CURLE_OK else {
            refused = RefusedCall(transfer.socketError, handle.number(CURLINFO_OS_ERRNO)) ?? refused
            let isConnected = transfer.hasBegun || handle.wasConnected
            return Response(
                status: transfer.failure ?? proxyRefusal ?? status(code, isConnected: isConnected))
        }
        // A status below 100 would read as one of the relay's own.
        guard let known = UInt16(exactly: handle.number(CURLINFO_RESPONSE_CODE)),
            (100...599).contains(known)
        else {
            return Response(status: RelayResponse.notUnderstood)
        }
        var seconds: curl_off_t = 0
        unsafe mpin_curl_get_offset(handle.pointer, CURLINFO_RETRY_AFTER, &seconds)
        return Response(
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

    /// The status of relay.md for an error of libcurl.
    /// - Parameter isConnected: whether an address of the server, or of the proxy, took the connection.
    private func status(_ code: CURLcode, isConnected: Bool) -> UInt16 {
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            RelayResponse.unreachable
        case CURLE_OPERATION_TIMEDOUT where !isConnected: RelayResponse.unreachable
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: RelayResponse.machineFailed
        case CURLE_PEER_FAILED_VERIFICATION: certificateFault
        case CURLE_SSL_CONNECT_ERROR: isTooOld ? Distrust.version.status : Distrust.tls.status
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

    /// Whether a handshake failed because the server's TLS is too old: it sends an alert, or answers with its
    /// old version. libcurl gives OpenSSL's number for either only in its message; if that message changes
    /// one day, the status is the one for every failed handshake.
    private var isTooOld: Bool {
        guard let start = unsafe complaint.baseAddress else { return false }
        let text = unsafe String(cString: start)
        return text.contains("error:0A00042E:") || text.contains("error:0A000102:")
    }
}
