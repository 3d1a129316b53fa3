// SPDX-License-Identifier: Apache-2.0
// Measures the passes of a client with a time permit, compiled as the module is: in Embedded Swift.
#include "entries.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 25, PASSES = 10, MULTIPLICATIONS = 100000 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

int main(void) {
    uint8_t master[32] = {0}, hash[32] = {0}, server[128], client[65], permit[65];
    uint8_t factor[32] = {0}, x[32] = {0}, y[32] = {0}, u[65], ut[65], v[65];
    master[31] = 3;
    for (int index = 1; index < 32; index++) {
        factor[index] = (uint8_t)(7 * index);
        x[index] = (uint8_t)(11 * index);
        y[index] = (uint8_t)(13 * index);
    }
    // Any point serves as token and permit; the time depends on neither.
    if (entry_authority(master, hash, 20777, server, client, permit) != 0) return 1;
    double shortest = 1e9, multiplication = 1e9;
    uint64_t sink = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int pass = 0; pass < PASSES; pass++)
            if (entry_passes(hash, 32, client, factor, 32, permit, 20777, x, y, u, ut, v) != 0) return 1;
        double middle = now();
        sink ^= entry_multiplications(MULTIPLICATIONS);
        double end = now();
        double pass = (middle - start) / PASSES, one = (end - middle) / MULTIPLICATIONS;
        if (pass < shortest) shortest = pass;
        if (one < multiplication) multiplication = one;
    }
    printf("Embedded: field multiplication %.4f us, client with time permit %.1f us, %.0f M. check %llu\n",
           multiplication, shortest, shortest / multiplication, (unsigned long long)(sink ^ v[64]));
    return 0;
}
