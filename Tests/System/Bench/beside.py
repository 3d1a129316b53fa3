# SPDX-License-Identifier: Apache-2.0
"""The median of a login beside each flood of requests that need no proof, and alone: `beside.py PROGRAMS
[FLOOD...]`. Each flood comes through a proxy, which names its addresses; mpin-bench has the requests
(Flooding.swift). A login beside a flood should take at most twice as long as alone."""
import re
import sys
import tempfile

from engines import PostgreSQL, SQLite

FLOODS = ("aborted", "browsers", "applications", "registrations", "reads")
IDENTITIES = 1000


def measured(engine, programs, flood, proxy):
    """Prints the line of one flood."""
    settings = {"proxy_listen": f"unix:{proxy}", "public_url": "https://bench.example", "profile": "compat",
                "registration": "confirm"}
    with engine(programs, **settings) as database:
        database.fill(IDENTITIES)
        database.start()
        options = {}
        if flood == "applications":
            said = database.mpind("app", "add", "bench", "--redirect", "https://app.example/")
            client = re.search("[0-9a-f]{32}", said)[0]
            options["query"] = ("redirect_uri=https%3A%2F%2Fapp.example%2F&response_type=code&scope=openid"
                                f"&client_id={client}")
        database.load("beside", IDENTITIES, engine=database.name, flood=flood, proxy=proxy, **options)
        database.stop()


def main():
    programs, *floods = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="mpin-beside-") as home:
        for engine in SQLite, PostgreSQL:
            for number, flood in enumerate(floods or FLOODS):
                measured(engine, programs, flood, f"{home}/{engine.name}{number}")


if __name__ == "__main__":
    main()
