# SPDX-License-Identifier: Apache-2.0
"""The cost of whole sealed logins at running servers: logins in a second; the processor time of the servers
and, separately, of PostgreSQL for each login; which part of the servers' time is the proof's verification;
and how long one request takes. Then how long a server takes to start, the longest request while housekeeping
has much to do, and how the database grows. Every login must be granted; nothing else is checked. As root,
whose turns are not shared with strangers."""
import subprocess
import sys
import time

from engines import PostgreSQL, SQLite

CLIENTS = (1, 4, 16, 64)
# What mpin-bench does for one row, without the 200 logins before the first one.
LOGINS = {1: 600, 4: 1500, 16: 1500, 64: 1500}
FEW, MANY = 1000, 1_000_000
HOSTS = 200


def alternatives(database, identities):
    """PostgreSQL with a second server, and with unnamed statements; how many logins that were."""
    database.start_another()
    database.load("logins", identities, engine="PostgreSQL, two", clients="1,4,16,64")
    database.stop()
    database.start_another(database_prepare="no")
    database.load("logins", identities, engine="PostgreSQL, unnamed", clients="16")
    database.stop()


def measured(engine, programs, identities):
    """All rows of one engine; the sizes of its tables before, after the identities, and after the logins."""
    with engine(programs) as database:
        sizes = [database.sizes()]
        database.fill(identities)
        sizes.append(database.sizes())
        database.start()
        database.load("logins", identities, engine=database.name, clients=",".join(map(str, CLIENTS)))
        database.stop()
        sizes.append(database.sizes())
        began = time.monotonic()
        database.start()
        print(f"start with {identities} identities: {1000 * (time.monotonic() - began):.0f} ms")
        if identities == FEW:
            database.join(HOSTS)
            database.stop()
            sizes.append(database.sizes())
            database.start()
        if engine is PostgreSQL:
            alternatives(database, identities)
        elif identities == MANY:
            database.load("housekeeping", identities, database=database.file)
        return sizes


def grown(before, after, *tables):
    """How many octets these tables took, or all together."""
    return sum(after[table] - before[table] for table in tables or [""])


def growth(few, many):
    """A line for each thing that takes room: its name and octets."""
    logins = 200 + sum(LOGINS.values())
    return {
        "empty database": few[0][""],
        "identity": grown(few[1], many[1]) / (MANY - FEW),
        "record of a login": grown(few[1], few[2], "audit", "audit_fields") / logins,
        "known source of an identity": grown(many[1], many[2], "known_sources") / logins,
        "login, for 24 minutes": grown(few[1], few[2], "nonces") / logins,
        "login host, with its records": grown(few[2], few[3], "hosts", "audit", "audit_fields") / HOSTS,
    }


def main():
    programs = sys.argv[1]
    place = subprocess.run(["df", "--output=fstype,target", "/tmp"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()[-1]
    print(f"the databases are on {place}")
    subprocess.run([f"{programs}/mpin-bench", "heading"], check=True)
    table = {}
    for engine in SQLite, PostgreSQL:
        few, many = (measured(engine, programs, identities) for identities in (FEW, MANY))
        table[engine.name] = growth(few, many)
    print(f"{'octets':30}" + "".join(f"{name:>14}" for name in table))
    for line in table["SQLite"]:
        print(f"{line:30}" + "".join(f"{table[name][line]:14.0f}" for name in table))


if __name__ == "__main__":
    main()
