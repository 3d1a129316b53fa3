// SPDX-License-Identifier: Apache-2.0
// The tables of one-time passwords and of applications.

/// A question names the password that it was told of, so that it cannot use up a newer one. What each source
/// has asked goes with the password. An application
/// takes what was opened and made for it away with it.
let otpAndApplicationTables = """
    CREATE TABLE otps (
        id BLOB PRIMARY KEY NOT NULL,
        sealed BLOB NOT NULL,
        questions INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE otp_tries (
        id BLOB NOT NULL REFERENCES otps (id) ON DELETE CASCADE,
        source TEXT NOT NULL,
        questions INTEGER NOT NULL,
        PRIMARY KEY (id, source)
    ) STRICT;
    CREATE INDEX otps_by_life ON otps (expires_at);
    CREATE TABLE otp_questions (
        a BLOB NOT NULL,
        id BLOB NOT NULL,
        otp BLOB,
        host TEXT NOT NULL,
        host_epoch INTEGER NOT NULL,
        source TEXT NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (a, id)
    ) STRICT;
    CREATE INDEX otp_questions_by_life ON otp_questions (expires_at);
    CREATE TABLE applications (
        client_id TEXT PRIMARY KEY NOT NULL,
        name TEXT UNIQUE NOT NULL,
        added_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE redirect_uris (
        client_id TEXT NOT NULL REFERENCES applications (client_id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        uri TEXT NOT NULL,
        PRIMARY KEY (client_id, place)
    ) STRICT;
    CREATE TABLE application_sessions (
        wid TEXT PRIMARY KEY NOT NULL,
        client_id TEXT NOT NULL REFERENCES applications (client_id) ON DELETE CASCADE,
        redirect_uri TEXT NOT NULL,
        source TEXT NOT NULL,
        opened_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX application_sessions_by_application ON application_sessions (client_id);
    CREATE INDEX application_sessions_by_life ON application_sessions (expires_at);
    CREATE TABLE authorization_codes (
        hash BLOB PRIMARY KEY NOT NULL,
        client_id TEXT NOT NULL REFERENCES applications (client_id) ON DELETE CASCADE,
        redirect_uri TEXT NOT NULL,
        id BLOB NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX authorization_codes_by_application ON authorization_codes (client_id);
    CREATE INDEX authorization_codes_by_life ON authorization_codes (expires_at);
    """
