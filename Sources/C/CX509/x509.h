// SPDX-License-Identifier: Apache-2.0
// What mpind uses of OpenSSL's libcrypto to make certificates: keys of P-256, X.509, PEM.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <time.h>

/// When the certificate ends, in Unix seconds; 0 where its time cannot be read.
static inline int64_t mpin_x509_end(const X509 *certificate) {
    struct tm time;
    return ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 ? timegm(&time) : 0;
}
