// SPDX-License-Identifier: Apache-2.0
// What mpind uses of OpenSSL's libcrypto to make certificates: keys of P-256, X.509, PEM.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
