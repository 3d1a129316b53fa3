// SPDX-License-Identifier: Apache-2.0
// Runs every entry with its secrets marked undefined, under valgrind, which then reports each branch and each
// address that depends on them. The values come from Vectors/milagro-login.json; results are compared, to
// prove that the intended code has run. With the argument `leak` only the function that must be caught runs.
#include "entries.h"
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

#define SECRET(octets, count) VALGRIND_MAKE_MEM_UNDEFINED(octets, count)
#define PUBLIC(octets, count) VALGRIND_MAKE_MEM_DEFINED(octets, count)

typedef struct { uint8_t octets[1024]; size_t count; } value;

/// The lines `name hex` of the standard input, as a table.
static value table[32];
static char names[32][40];
static int entries;

static void read_table(void) {
    char hex[2048];
    while (entries < 32 && scanf("%39s %2047s", names[entries], hex) == 2) {
        value *entry = &table[entries++];
        for (entry->count = 0; hex[2 * entry->count]; entry->count++) {
            unsigned octet;
            if (sscanf(hex + 2 * entry->count, "%2x", &octet) != 1) break;
            entry->octets[entry->count] = (uint8_t)octet;
        }
    }
}

/// Returns a copy, so that marking one value does not mark another.
static value get(const char *name) {
    for (int index = 0; index < entries; index++)
        if (strcmp(names[index], name) == 0) return table[index];
    printf("no value %s\n", name);
    return (value){{0}, 0};
}

static value get_secret(const char *name) {
    value found = get(name);
    SECRET(found.octets, found.count);
    return found;
}

static int failures;

static void expect(const char *what, uint8_t *octets, const char *name, size_t count) {
    value wanted = get(name);
    PUBLIC(octets, count);
    if (wanted.count == count && memcmp(octets, wanted.octets, count) == 0) return;
    printf("%s: wrong\n", what);
    failures++;
}

static void expect_result(const char *what, int result, int wanted) {
    if (result == wanted) return;
    printf("%s: result %d\n", what, result);
    failures++;
}

static void check_client(uint32_t date) {
    value id = get("mpin_id_hex"), permit = get("time_permit"), y = get("y");
    value token = get_secret("token"), factor = get_secret("factor"), x = get_secret("x");
    uint8_t u[65], ut[65], v[65];
    int result = entry_passes(id.octets, id.count, token.octets, factor.octets, 32, permit.octets, date,
                              x.octets, y.octets, u, ut, v);
    expect_result("passes", result, 0);
    expect("U", u, "U", 65);
    expect("UT", ut, "UT", 65);
    expect("V", v, "V", 65);

    // 48 octets as scrypt would return them: the same factor, preceded by sixteen zeros.
    uint8_t stretched[48] = {0};
    memcpy(stretched + 16, get("factor").octets, 32);
    SECRET(stretched, sizeof stretched);
    result = entry_passes(id.octets, id.count, token.octets, stretched, 48, permit.octets, date, x.octets,
                          y.octets, u, ut, v);
    expect_result("passes, stretched", result, 0);
    expect("V, stretched", v, "V", 65);
}

static void check_enrolment(void) {
    value id = get("mpin_id_hex"), share1 = get_secret("client_secret_share1");
    value share2 = get_secret("client_secret_share2");
    uint8_t pin[4] = {'1', '2', '3', '4'}, digits[4] = {'9', '4', '4', '2'}, token[65], factor[32];
    SECRET(pin, 4);
    SECRET(digits, 4);
    int result = entry_token(id.octets, id.count, share1.octets, share2.octets, pin, 4, token);
    expect_result("token", result, 0);
    expect("token", token, "token", 65);
    expect_result("number", entry_number(digits, 4, factor), 0);
    expect("number", factor, "factor", 32);
}

static void check_server(uint32_t date) {
    value hash = get("hash_mpin_id"), master = get_secret("s1");
    uint8_t server[128], client[65], permit[65];
    expect_result("authority", entry_authority(master.octets, hash.octets, date, server, client, permit), 0);
    expect("server secret share", server, "server_secret_share1", 128);
    expect("client secret share", client, "client_secret_share1", 65);
    expect("time permit share", permit, "time_permit_share1", 65);

    value share1 = get_secret("server_secret_share1"), share2 = get_secret("server_secret_share2");
    value id = get("mpin_id_hex"), u = get("U"), ut = get("UT"), y = get("y"), v = get("V");
    int result = entry_verify(share1.octets, share2.octets, id.octets, id.count, date, u.octets, ut.octets,
                              y.octets, v.octets);
    expect_result("verify", result, 1);
    result = entry_verify(share1.octets, share2.octets, id.octets, id.count, date, u.octets, ut.octets,
                          y.octets, u.octets);
    expect_result("verify, wrong", result, 0);
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "leak") == 0) {
        uint8_t secret[2] = {7, 1};
        SECRET(secret, 1);
        int result = entry_leaky(secret);
        PUBLIC(&result, sizeof result);
        return result == 0;
    }
    read_table();
    value date = get("date");
    uint32_t days = 0;
    for (int index = 0; index < 4; index++) days = days << 8 | date.octets[index];
    check_client(days);
    check_enrolment();
    check_server(days);
    return failures != 0;
}
