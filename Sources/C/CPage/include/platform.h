// SPDX-License-Identifier: Apache-2.0
// What the WebAssembly module of the phone page has instead of an operating system: memory and randomness. It
// replaces CPlatform there.
#pragma once
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t count);
/// Overwrites the whole block with zeros first.
void free(void *base);
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *base, int octet, size_t count);
void explicit_bzero(void *base, size_t count);

/// Fills `count` octets by crypto.getRandomValues; the page's script provides it.
__attribute__((import_module("page"), import_name("random")))
void mpin_page_random(uint8_t *out, int count);

/// Zeroed memory for one secret, or NULL. WebAssembly cannot lock pages.
static inline void *mpin_secret_alloc(size_t count) {
    void *base = malloc(count);
    if (base != NULL) memset(base, 0, count);
    return base;
}
static inline void mpin_secret_free(void *base, size_t count) {
    (void)count;
    free(base);
}

/// Overwrites 32 KiB below the caller's frame, like the function of the same name in CPlatform.
static inline __attribute__((noinline)) void mpin_clear_stack(void) {
    char below[32 << 10];
    explicit_bzero(below, sizeof below);
}

static inline uint64_t mpin_reveal(uint64_t fact) { return fact; }
/// Returns the same word, but the compiler can no longer reason about its value.
static inline uint64_t mpin_opaque(uint64_t word) {
    __asm__("" : "+r"(word));
    return word;
}
