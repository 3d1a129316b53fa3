// SPDX-License-Identifier: Apache-2.0
// libcurl in a form that Swift can call: its variadic setters and getters, one function for each type of
// argument.
#pragma once
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static inline CURLcode mpin_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode mpin_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode mpin_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*mpin_curl_sink)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode mpin_curl_set_sink(CURL *handle, CURLoption option, mpin_curl_sink sink) {
    return curl_easy_setopt(handle, option, sink);
}
static inline CURLcode mpin_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}
/// libcurl does not copy the octets: they must stay valid until the transfer ends.
static inline CURLcode mpin_curl_set_blob(CURL *handle, CURLoption option, const void *octets, size_t count) {
    struct curl_blob blob = {(void *)octets, count, CURL_BLOB_NOCOPY};
    return curl_easy_setopt(handle, option, &blob);
}
/// Sets two callbacks, which both get `context`: `open` makes the socket; libcurl calls `begin` when the
/// connection is established and before it sends the request.
static inline CURLcode mpin_curl_set_sockets(
    CURL *handle, curl_opensocket_callback open, curl_prereq_callback begin, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, begin);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    return code;
}
/// How a TLS handshake ended that did not succeed.
enum mpin_handshake {
    MPIN_HANDSHAKE_FAILED,
    /// The connection ended or was reset, and neither side complained.
    MPIN_HANDSHAKE_CUT,
    /// The server speaks only TLS 1.1 or older: it says so by an alert, or answers with its old version.
    MPIN_HANDSHAKE_TOO_OLD,
};
/// Lets `mpin_curl_handshake` know of the handshakes of this handle.
CURLcode mpin_curl_watch(CURL *handle);
/// How the handshake of this thread's last transfer ended, if that ended with CURLE_SSL_CONNECT_ERROR.
enum mpin_handshake mpin_curl_handshake(void);
/// The address that took the last connection, as text; NULL or empty if none did.
static inline const char *mpin_curl_peer(CURL *handle) {
    const char *address = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address);
    return address;
}
/// Whether this is that address. libcurl passes more octets than its type has.
static inline int mpin_curl_is(const struct curl_sockaddr *address, const char *peer) {
    char text[INET6_ADDRSTRLEN] = "";
    const void *start = &address->addr;
    if (address->family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)start)->sin_addr, text, sizeof text);
    if (address->family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)start)->sin6_addr, text, sizeof text);
    return *text != 0 && strcmp(text, peer) == 0;
}
/// `curl_easy_perform`, but once the descriptor `ending` is readable (-1: never), the transfer ends with
/// CURLE_GOT_NOTHING. `multi` keeps the connections.
static inline CURLcode mpin_curl_perform(CURLM *multi, CURL *handle, int ending) {
    struct curl_waitfd awaited = {ending, CURL_WAIT_POLLIN, 0};
    CURLcode code = CURLE_FAILED_INIT;
    int running = 1, left = 0;
    if (curl_multi_add_handle(multi, handle) != CURLM_OK) return code;
    while (curl_multi_perform(multi, &running) == CURLM_OK && running != 0) {
        if (curl_multi_poll(multi, &awaited, ending >= 0, 1000, NULL) != CURLM_OK) break;
        if (awaited.revents != 0) {
            code = CURLE_GOT_NOTHING;
            break;
        }
    }
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (message != NULL && message->msg == CURLMSG_DONE) code = message->data.result;
    curl_multi_remove_handle(multi, handle);
    return code;
}
static inline CURLcode mpin_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode mpin_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
/// The server's clock in Unix seconds, from the `Date` header of its last response; 0 if there is none.
static inline int64_t mpin_curl_date(CURL *handle) {
    struct curl_header *header = NULL;
    if (curl_easy_header(handle, "Date", 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return 0;
    time_t time = curl_getdate(header->value, NULL);
    return time < 0 ? 0 : time;
}
/// When the server's own certificate expires, in Unix seconds, after a transfer with CURLOPT_CERTINFO; 0 if
/// that is unknown.
static inline int64_t mpin_curl_certificate_end(CURL *handle) {
    static const char name[] = "Expire date:";
    struct curl_certinfo *chain = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_CERTINFO, &chain) != CURLE_OK || chain == NULL) return 0;
    if (chain->num_of_certs < 1) return 0;
    for (struct curl_slist *line = chain->certinfo[0]; line != NULL; line = line->next) {
        if (strncmp(line->data, name, sizeof name - 1) != 0) continue;
        time_t time = curl_getdate(line->data + sizeof name - 1, NULL);
        return time < 0 ? 0 : time;
    }
    return 0;
}
/// The file of CA certificates that this libcurl trusts by default, or NULL.
static inline const char *mpin_curl_authorities(void) { return curl_version_info(CURLVERSION_NOW)->cainfo; }
