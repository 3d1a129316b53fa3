// SPDX-License-Identifier: Apache-2.0
// One handle of libcurl, which keeps its connections. It follows nothing, asks no proxy but the one it is
// given, reads no file, resolves no name and takes no more of an answer than the bound.
import CCurl
import CPlatform
import MPinWire

/// A handle that cannot be made as it must be is not made.
struct CannotStart: Error {
    /// Whether it is for want of certificates that may vouch for a server.
    var isOfCertificates = false
    static let certificates = CannotStart(isOfCertificates: true)
}

@safe final class Curl {
    /// Octets of the longest body that is read.
    static let limit = 1 << 20

    private var handle: CurlHandle
    private let connectMilliseconds: Int
    /// `http://HOST:PORT`, by which https origins are reached; variables of the environment name none.
    private let proxy: String?
    /// These three are libcurl's for as long as the handle lives.
    private let addresses: TextList
    private let authorities: UnsafeMutableBufferPointer<UInt8>
    /// What went wrong in the last transfer, in libcurl's words.
    private let complaint: UnsafeMutableBufferPointer<CChar>

    /// `addresses`: where each name lives, as CURLOPT_RESOLVE has it. `authorities`: certificates in PEM.
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

    /// A new handle keeps none of the old one's connections. Where there is none, the old one goes on, and so
    /// it does where it is spoiled: nothing is sent any more.
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

    /// Sends one request and reads its answer, within so many milliseconds. A Unix socket with a full queue
    /// is tried again for as long as a connection may take.
    func perform(_ request: Request, headers: [String], milliseconds: Int) -> Response {
        let limit = Limit(milliseconds: milliseconds)
        let patience = Limit(milliseconds: min(connectMilliseconds, milliseconds))
        while true {
            let transfer = Transfer(backend: request.address.place.socket)
            let response = perform(
                request, headers: headers, milliseconds: limit.milliseconds, transfer: transfer)
            guard transfer.isQueued, patience.milliseconds > 0 else { return response }
            _ = poll(nil, 0, 20)
        }
    }

    private func perform(
        _ request: Request, headers: [String], milliseconds: Int, transfer: Transfer
    ) -> Response {
        guard milliseconds > 0 else { return Response(status: RelayResponse.timedOut) }
        let place = request.address.place
        // The way by a proxy is for TLS alone: a Unix socket is here, and so is all plain http.
        handle.setWay(
            to: request.address.url, schemes: place.origin.isHTTPS ? "https" : "http",
            socket: place.socket?.address, proxy: place.origin.isHTTPS ? proxy : nil,
            milliseconds: milliseconds)
        // On a kept connection that ends before an answer libcurl sends once more by itself.
        handle.set(CURLOPT_FRESH_CONNECT, request.mayRepeat && !request.isInspection ? 0 : 1)
        handle.set(CURLOPT_CERTINFO, request.isInspection ? 1 : 0)
        let list = TextList(headers)
        handle.set(CURLOPT_HTTPHEADER, list)
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        handle.check(unsafe mpin_curl_set_sockets(handle.pointer, openSocket, beginRequest, context))
        let code = withExtendedLifetime((transfer, list)) {
            handle.send(request.method, body: request.body, into: transfer.sink)
        }
        return response(code, transfer)
    }

    private func response(_ code: CURLcode, _ transfer: Transfer) -> Response {
        if code == CURLE_COULDNT_CONNECT { transfer.noteFullQueue() }
        guard code == CURLE_OK else {
            return Response(status: transfer.failure ?? proxyRefusal ?? status(code))
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

    /// What the proxy said that did not let the request through to the server; nil for every other failure.
    private var proxyRefusal: UInt16? {
        let status = handle.number(CURLINFO_HTTP_CONNECTCODE)
        guard let said = UInt16(exactly: status), (300...599).contains(said) else { return nil }
        return RelayResponse.proxyRefused + said
    }

    /// The header lines of the last answer; of a name that came twice, its last line.
    func answeredHeaders() -> [String: String] {
        var headers: [String: String] = [:]
        var line: UnsafeMutablePointer<curl_header>?
        while let next = unsafe curl_easy_nextheader(handle.pointer, UInt32(CURLH_HEADER), -1, line) {
            unsafe headers[String(cString: next.pointee.name)] = String(cString: next.pointee.value)
            unsafe line = next
        }
        return headers
    }

    /// What an error of libcurl means in the table of relay.md. That nobody is there it never says:
    /// `dial` does, which asks the kernel about each address.
    private func status(_ code: CURLcode) -> UInt16 {
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: RelayResponse.machineFailed
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

    /// Why a certificate was not accepted, by OpenSSL's X509_V_ERR numbers.
    private var certificateFault: UInt16 {
        switch handle.number(CURLINFO_SSL_VERIFYRESULT) {
        // libcurl compares the name by itself, after OpenSSL has verified all else: no number is set then.
        case 0, 1, 62, 64: Distrust.name.status
        case 2, 19, 20, 21: Distrust.issuer.status
        case 9: Distrust.notYetValid.status
        case 10: Distrust.expired.status
        case 17: RelayResponse.machineFailed
        case 18: Distrust.selfSigned.status
        default: Distrust.certificate.status
        }
    }

    /// Whether a handshake failed because the server's TLS is older than ours: it says so by an alert, or
    /// answers with its old version. libcurl has OpenSSL's number for either in its text alone; where that
    /// text is another one day, the answer is the one for every failed handshake.
    private var isTooOld: Bool {
        guard let start = unsafe complaint.baseAddress else { return false }
        let text = unsafe String(cString: start)
        return text.contains("error:0A00042E:") || text.contains("error:0A000102:")
    }
}
