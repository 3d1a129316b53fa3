// SPDX-License-Identifier: Apache-2.0
// libpq, the client library of PostgreSQL, and the fields of its errors, which are macros of characters.
#pragma once
#include <libpq-fe.h>

/// The five characters that classify the error of a result; NULL if the connection failed.
static inline const char *mpin_pq_state(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}
/// "WARNING", "ERROR" ..., never translated.
static inline const char *mpin_pq_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}
/// One line in the server's language, without values.
static inline const char *mpin_pq_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
