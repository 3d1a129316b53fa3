// SPDX-License-Identifier: Apache-2.0
// The parts of OpenSSL with which mpind speaks TLS (libssl) and makes certificates (libcrypto): functions for
// what Swift cannot see, which are macros.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
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

/// Chooses HTTP/1.1 if the client's list of protocols (ALPN) has it, and otherwise none.
static inline int mpin_ssl_choose_protocol(
    SSL *ssl, const unsigned char **chosen, unsigned char *count, const unsigned char *offered,
    unsigned int length, void *context) {
    static const unsigned char ours[] = "\x08http/1.1";
    (void)ssl, (void)context;
    int found =
        SSL_select_next_proto((unsigned char **)chosen, count, ours, sizeof ours - 1, offered, length);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// No passphrase: an encrypted key is an error. libssl would ask for it at the terminal.
static inline int mpin_no_passphrase(char *text, int size, int writes, void *context) {
    (void)text, (void)size, (void)writes, (void)context;
    return 0;
}

/// A context of servers without a certificate: TLS 1.2 with forward secrecy and AEAD, TLS 1.3, elliptic
/// curves only. NULL without memory.
static inline SSL_CTX *mpin_ssl_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL) return NULL;
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_default_passwd_cb(context, mpin_no_passphrase);
    // Sessions are in the clients' tickets, so that strangers cannot fill our memory with them.
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_select_cb(context, mpin_ssl_choose_protocol, NULL);
    // Without a list, a client of TLS 1.3 could choose finite fields of 8192 bits, which cost a hundred times
    // more. OpenSSL knows the first group of the longer list since 3.5.
    int isSet = SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1
        && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1
        && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
        && (SSL_CTX_set1_groups_list(context, "X25519MLKEM768:X25519:P-256:P-384") == 1
            || SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1);
    if (isSet) return context;
    SSL_CTX_free(context);
    return NULL;
}

/// Gives it the certificate, the key and the CA's certificates of another context. 1: success.
static inline int mpin_ssl_copy_certificate(SSL_CTX *to, SSL_CTX *from) {
    STACK_OF(X509) *chain = NULL;
    SSL_CTX_get_extra_chain_certs(from, &chain);
    return SSL_CTX_use_cert_and_key(
        to, SSL_CTX_get0_certificate(from), SSL_CTX_get0_privatekey(from), chain, 1);
}

/// Lets the next operations read these octets, which must stay valid until `mpin_ssl_end`, and write to
/// memory. 1: success.
static inline int mpin_ssl_begin(SSL *ssl, const void *octets, int count) {
    BIO *input = count > 0 ? BIO_new_mem_buf(octets, count) : BIO_new(BIO_s_mem());
    BIO *output = BIO_new(BIO_s_mem());
    if (input == NULL || output == NULL) {
        BIO_free(input);
        BIO_free(output);
        return 0;
    }
    // At their end there may be more to come.
    BIO_set_mem_eof_return(input, -1);
    SSL_set0_rbio(ssl, input);
    SSL_set0_wbio(ssl, output);
    // libssl reports an operation as failed if an error of an earlier one is still in the queue.
    ERR_clear_error();
    return 1;
}

/// What the operations have written; valid until `mpin_ssl_end`. Returns the number of octets.
static inline size_t mpin_ssl_written(SSL *ssl, char **octets) {
    long count = BIO_get_mem_data(SSL_get_wbio(ssl), octets);
    return count > 0 ? (size_t)count : 0;
}

static inline void mpin_ssl_end(SSL *ssl) {
    SSL_set0_rbio(ssl, NULL);
    SSL_set0_wbio(ssl, NULL);
}

/// libssl's reason (SSL_R_...) for the first failure in this thread's queue; 0 if there is none.
static inline int mpin_ssl_reason(void) {
    unsigned long error = ERR_peek_error();
    return ERR_GET_LIB(error) == ERR_LIB_SSL ? ERR_GET_REASON(error) : 0;
}
