// SPDX-License-Identifier: Apache-2.0
// The allocator of the phone page's WebAssembly module, which has no C library. Embedded Swift calls
// posix_memalign and free; LLVM emits calls of calloc. `free` overwrites each block with zeros.
#include "platform.h"

#define PAGE 65536u
#define HEAD 16u
#define SMALLEST (2 * HEAD)

void explicit_bzero(void *base, size_t count) {
    __builtin_memset(base, 0, count);
    __asm__ volatile("" : : "r"(base) : "memory");
}

/// The header of a block, 16 octets before the memory that the caller gets; `size` includes it. Free blocks
/// form a list in the order of their addresses, and adjacent free blocks are merged.
typedef struct Block {
    size_t size;
    struct Block *next;
} Block;

extern uint8_t __heap_base;
static Block *first;
static uintptr_t end;

/// Makes sure that there are `count` octets of memory after `end`. Returns 0 if there is not enough memory.
static int grow(size_t count) {
    if (end == 0) end = ((uintptr_t)&__heap_base + HEAD - 1) & ~(uintptr_t)(HEAD - 1);
    uintptr_t have = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE, want = end + count;
    if (want < end) return 0;
    if (want <= have) return 1;
    return __builtin_wasm_memory_grow(0, (want - have + PAGE - 1) / PAGE) != (size_t)-1;
}

/// Takes `size` octets out of the free block at `place`.
static void *taken(Block **place, size_t size) {
    Block *block = *place;
    if (block->size - size >= SMALLEST) {
        Block *rest = (Block *)((uint8_t *)block + size);
        rest->size = block->size - size;
        rest->next = block->next;
        *place = rest;
        block->size = size;
    } else {
        *place = block->next;
    }
    return (uint8_t *)block + HEAD;
}

void *malloc(size_t count) {
    if (count > SIZE_MAX / 2) return NULL;
    size_t size = (count + 2 * HEAD - 1) & ~(size_t)(HEAD - 1);
    if (size < SMALLEST) size = SMALLEST;
    for (Block **place = &first; *place != NULL; place = &(*place)->next) {
        Block *block = *place;
        if (block->size >= size) return taken(place, size);
        // The last block grows with the memory, so that scrypt's large table can use the same place again.
        if ((uintptr_t)block + block->size == end && grow(size - block->size)) {
            end += size - block->size;
            block->size = size;
            return taken(place, size);
        }
    }
    if (!grow(size)) return NULL;
    Block *block = (Block *)end;
    block->size = size;
    end += size;
    return (uint8_t *)block + HEAD;
}

void free(void *base) {
    if (base == NULL) return;
    Block *block = (Block *)((uint8_t *)base - HEAD), *before = NULL, *after = first;
    explicit_bzero(base, block->size - HEAD);
    while (after != NULL && after < block) {
        before = after;
        after = after->next;
    }
    block->next = after;
    if (after != NULL && (uint8_t *)block + block->size == (uint8_t *)after) {
        block->size += after->size;
        block->next = after->next;
    }
    if (before == NULL) {
        first = block;
    } else if ((uint8_t *)before + before->size == (uint8_t *)block) {
        before->size += block->size;
        before->next = block->next;
    } else {
        before->next = block;
    }
}

void *calloc(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / 2 / size) return NULL;
    void *base = malloc(count * size);
    return base == NULL ? NULL : memset(base, 0, count * size);
}

int posix_memalign(void **base, size_t alignment, size_t count) {
    *base = alignment <= HEAD ? malloc(count) : NULL;
    return *base == NULL ? 12 /* ENOMEM */ : 0;
}
