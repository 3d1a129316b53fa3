// SPDX-License-Identifier: Apache-2.0
// What the module in a browser's page has instead of an operating system: memory and randomness. It stands in
// the place of CPlatform.
#pragma once
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t count);
/// Wipes the whole block.
void free(void *base);
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *base, int octet, size_t count);
void explicit_bzero(void *base, size_t count);

/// crypto.getRandomValues, which the script gives.
__attribute__((import_module("page"), import_name("random")))
void mpin_page_random(uint8_t *out, int count);

/// No pages can be locked here.
static inline void *mpin_secret_alloc(size_t count) {
    void *base = malloc(count);
    if (base != NULL) memset(base, 0, count);
    return base;
}
static inline void mpin_secret_free(void *base, size_t count) {
    (void)count;
    free(base);
}

/// Overwrites 32 KiB below the caller's frame, as on Linux.
static inline __attribute__((noinline)) void mpin_clear_stack(void) {
    char below[32 << 10];
    explicit_bzero(below, sizeof below);
}

static inline uint64_t mpin_reveal(uint64_t fact) { return fact; }
/// The same word, of which the compiler knows nothing any more.
static inline uint64_t mpin_opaque(uint64_t word) {
    __asm__("" : "+r"(word));
    return word;
}
