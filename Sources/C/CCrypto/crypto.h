// SPDX-License-Identifier: Apache-2.0
// What we use of OpenSSL's libcrypto: hashes, HMAC, scrypt, AES-GCM, random bytes, constant-time comparison.
#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
