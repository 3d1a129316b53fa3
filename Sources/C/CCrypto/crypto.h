// SPDX-License-Identifier: Apache-2.0
// The parts of OpenSSL's libcrypto that we use: hashes, HMAC, scrypt, AES-GCM, randomness, constant-time
// comparison.
#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
