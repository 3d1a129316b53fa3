// SPDX-License-Identifier: Apache-2.0
// The tables of users, activation codes, registrations and identities, and the checks of secrets.

/// The code with the empty userID belongs to no one: a registration under a userID without a code is compared
/// with it, so that this takes as long as a wrong code. `suspended_until` is null if there is no suspension,
/// and the greatest number if the suspension has no end. A row of `outbox` is a revocation of which the
/// authority's book may not know yet.
let registrationTables = """
    CREATE TABLE users (
        user_id TEXT PRIMARY KEY NOT NULL,
        added_at INTEGER NOT NULL,
        revoked_at INTEGER,
        suspended_at INTEGER,
        suspended_until INTEGER,
        suspended_why TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE codes (
        user_id TEXT PRIMARY KEY NOT NULL,
        hash BLOB NOT NULL,
        replaces INTEGER NOT NULL,
        by_qr_code INTEGER NOT NULL,
        block_after INTEGER,
        expires_at INTEGER NOT NULL,
        issues INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX codes_by_life ON codes (expires_at);
    INSERT INTO codes VALUES ('', x'', 0, 0, NULL, 0, 0);
    CREATE TABLE wrong_codes (
        source TEXT NOT NULL,
        network TEXT NOT NULL,
        hour INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (source, hour)
    ) STRICT;
    CREATE INDEX wrong_codes_by_network ON wrong_codes (network, hour);
    CREATE INDEX wrong_codes_by_hour ON wrong_codes (hour);
    CREATE TABLE registrations (
        id BLOB PRIMARY KEY NOT NULL,
        mpin_id BLOB NOT NULL,
        user_id TEXT NOT NULL,
        kind INTEGER NOT NULL,
        host TEXT,
        host_epoch INTEGER,
        a BLOB,
        suite TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        device_name TEXT NOT NULL,
        user_data TEXT NOT NULL,
        reg_ott BLOB NOT NULL,
        active INTEGER NOT NULL,
        code BLOB,
        replaces INTEGER NOT NULL,
        by_qr_code INTEGER NOT NULL,
        block_after INTEGER,
        counts_together INTEGER NOT NULL,
        supersedes BLOB,
        source TEXT NOT NULL,
        network TEXT NOT NULL,
        network40 TEXT NOT NULL,
        network32 TEXT NOT NULL,
        origin TEXT,
        activate_key BLOB,
        resends INTEGER NOT NULL DEFAULT 0,
        resent_at INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX registrations_by_user ON registrations (user_id);
    CREATE INDEX registrations_by_life ON registrations (expires_at);
    CREATE INDEX registrations_places ON registrations (network32, network40, network, source)
        WHERE active = 0;
    CREATE INDEX registrations_places_by_life ON registrations (expires_at) WHERE active = 0;
    CREATE INDEX registrations_by_superseded ON registrations (supersedes) WHERE supersedes IS NOT NULL;
    CREATE TABLE identities (
        id BLOB PRIMARY KEY NOT NULL,
        mpin_id BLOB NOT NULL,
        user_id TEXT NOT NULL REFERENCES users (user_id),
        kind INTEGER NOT NULL,
        host TEXT,
        host_epoch INTEGER,
        a BLOB,
        suite TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        device_name TEXT NOT NULL,
        user_data TEXT NOT NULL,
        push_token TEXT NOT NULL,
        supersedes BLOB,
        code BLOB,
        issued_at INTEGER NOT NULL,
        revoked_at INTEGER,
        last_login_at INTEGER,
        last_login_from TEXT,
        device_epoch INTEGER,
        unconfirmed INTEGER NOT NULL,
        block_after INTEGER,
        counts_together INTEGER NOT NULL,
        failures INTEGER NOT NULL DEFAULT 0,
        blocked_at INTEGER,
        wrong_count INTEGER NOT NULL,
        wrong_at INTEGER NOT NULL,
        wrong_source TEXT NOT NULL
    ) STRICT;
    CREATE INDEX identities_by_user ON identities (user_id);
    CREATE INDEX identities_unconfirmed ON identities (issued_at)
        WHERE unconfirmed = 1 AND revoked_at IS NULL;
    CREATE INDEX identities_by_superseded ON identities (supersedes) WHERE supersedes IS NOT NULL;
    CREATE TABLE outbox (
        id BLOB PRIMARY KEY NOT NULL
    ) STRICT;
    CREATE TABLE secret_checks (
        name TEXT PRIMARY KEY NOT NULL,
        value BLOB NOT NULL
    ) STRICT;
    """
