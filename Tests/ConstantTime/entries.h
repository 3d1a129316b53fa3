// SPDX-License-Identifier: Apache-2.0
// The functions of MPin that handle secrets, for programs in C, defined in Entries.swift. They return 0 for
// success unless stated otherwise.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Both passes of a client with a time permit: U, UT and V, 65 octets each. The factor is 48 stretched
/// octets, or 32.
int entry_passes(const uint8_t *id, size_t id_count, const uint8_t *token, const uint8_t *factor,
                 size_t factor_count, const uint8_t *permit, uint32_t date, const uint8_t *x,
                 const uint8_t *y, uint8_t *u, uint8_t *ut, uint8_t *v);
/// The token, 65 octets, from two shares of the client secret and a PIN, by Milagro's rule for strings.
int entry_token(const uint8_t *id, size_t id_count, const uint8_t *share1, const uint8_t *share2,
                const uint8_t *pin, size_t pin_count, uint8_t *token);
/// The factor, 32 octets, of a PIN of digits.
int entry_number(const uint8_t *pin, size_t pin_count, uint8_t *factor);
/// Server secret share (128 octets), client secret share (65) and time permit share (65) of a master share.
int entry_authority(const uint8_t *master, const uint8_t *hash, uint32_t date, uint8_t *server,
                    uint8_t *client, uint8_t *permit);
/// Whether a proof with a date is accepted under the sum of two server secret shares: 1 or 0, or negative.
int entry_verify(const uint8_t *share1, const uint8_t *share2, const uint8_t *id, size_t id_count,
                 uint32_t date, const uint8_t *u, const uint8_t *ut, const uint8_t *y, const uint8_t *v);
/// Branches on a secret: the check must catch it. Returns 1, 2 or 3.
int entry_leaky(const uint8_t *secret);
/// Runs `count` dependent field multiplications.
uint64_t entry_multiplications(size_t count);
