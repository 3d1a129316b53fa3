// SPDX-License-Identifier: Apache-2.0
// The tables of one-time passwords.

/// A row of `otp_questions` names the password that was typed, so that it cannot use up a newer one.
/// `otp_tries` counts the questions of each source; its rows are removed with the password.
let oneTimePasswordTables = """
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
    """
