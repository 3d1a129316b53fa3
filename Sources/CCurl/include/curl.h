// SPDX-License-Identifier: Apache-2.0
// libcurl as Swift can call it: its variadic setters, one for each type of argument.
#pragma once
#include <curl/curl.h>

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
static inline CURLcode mpin_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
