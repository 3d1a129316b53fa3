// SPDX-License-Identifier: Apache-2.0
// The parts of OpenSSL's libcrypto with which mpind makes certificates: P-256 keys, X.509, PEM.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <time.h>

static inline int64_t mpin_x509_seconds(const ASN1_TIME *time) {
    struct tm parts;
    return ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : 0;
}

/// When the certificate expires, in Unix seconds; 0 if its time cannot be read.
static inline int64_t mpin_x509_end(const X509 *certificate) {
    return mpin_x509_seconds(X509_get0_notAfter(certificate));
}

/// The same of its beginning.
static inline int64_t mpin_x509_begin(const X509 *certificate) {
    return mpin_x509_seconds(X509_get0_notBefore(certificate));
}
