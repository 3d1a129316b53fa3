// SPDX-License-Identifier: Apache-2.0
// Functions that the compiler calls and no library provides for WebAssembly: memory and string functions, and
// the product and the right shift of 128-bit integers. clang turns __builtin_memcpy, __builtin_memmove and
// __builtin_memset into memory.copy and memory.fill.
#include "platform.h"

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *base, int octet, size_t count) { return __builtin_memset(base, octet, count); }

int memcmp(const void *a, const void *b, size_t count) {
    const uint8_t *p = a, *q = b;
    for (; count > 0; p++, q++, count--)
        if (*p != *q) return *p - *q;
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count] != 0) count++;
    return count;
}

/// a b modulo 2^128, from 32-bit halves.
__int128 __multi3(__int128 a, __int128 b) {
    uint64_t a0 = (uint64_t)a, b0 = (uint64_t)b;
    uint64_t al = (uint32_t)a0, ah = a0 >> 32, bl = (uint32_t)b0, bh = b0 >> 32;
    uint64_t ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
    uint64_t middle = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;
    uint64_t high = hh + (lh >> 32) + (hl >> 32) + (middle >> 32);
    high += a0 * (uint64_t)((unsigned __int128)b >> 64) + (uint64_t)((unsigned __int128)a >> 64) * b0;
    return (__int128)((unsigned __int128)high << 64 | (middle << 32 | (uint32_t)ll));
}

/// A logical shift to the right. The number of bits is public: the function branches on it.
__int128 __lshrti3(__int128 a, int by) {
    uint64_t low = (uint64_t)a, high = (uint64_t)((unsigned __int128)a >> 64);
    if (by & 64) return (__int128)(unsigned __int128)(high >> (by & 63));
    if (by == 0) return a;
    return (__int128)((unsigned __int128)(high >> by) << 64 | (low >> by | high << (64 - by)));
}
