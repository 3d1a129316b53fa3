// SPDX-License-Identifier: Apache-2.0
// Why a TLS handshake failed, from OpenSSL itself: libcurl has one error for all handshakes that end early,
// and gives OpenSSL's number only inside a message.
#include "curl.h"
#include <openssl/err.h>
#include <openssl/ssl.h>

/// The oldest error in OpenSSL's queue when the last handshake of this thread stopped; 0: it only stopped. A
/// transfer runs on one thread from its begin to its end.
static _Thread_local unsigned long fault;
static _Thread_local int was_begun;

static void stopped(const SSL *connection, int where, int result) {
    (void)connection, (void)result;
    if (where != SSL_CB_CONNECT_EXIT) return;
    fault = ERR_peek_error();
    was_begun = 1;
}

static CURLcode watch(CURL *handle, void *tls, void *nothing) {
    (void)handle, (void)nothing;
    was_begun = 0;
    SSL_CTX_set_info_callback(tls, stopped);
    return CURLE_OK;
}

CURLcode mpin_curl_watch(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, watch);
}

enum mpin_handshake mpin_curl_handshake(void) {
    int reason = ERR_GET_REASON(fault);
    if (!was_begun) return MPIN_HANDSHAKE_FAILED;
    // After a reset the queue is empty: OpenSSL leaves that error to errno.
    if (fault == 0 || ERR_SYSTEM_ERROR(fault) || reason == SSL_R_UNEXPECTED_EOF_WHILE_READING)
        return MPIN_HANDSHAKE_CUT;
    if (reason == SSL_R_TLSV1_ALERT_PROTOCOL_VERSION || reason == SSL_R_UNSUPPORTED_PROTOCOL)
        return MPIN_HANDSHAKE_TOO_OLD;
    return MPIN_HANDSHAKE_FAILED;
}
