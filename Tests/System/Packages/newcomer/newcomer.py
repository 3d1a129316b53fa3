# SPDX-License-Identifier: Apache-2.0
# The first day of an administrator, on one machine: README's commands, and users who come, make mistakes and
# leave.
from machine import carried
import host
import newcomer_first as first
import newcomer_people as people

host.accounts()
carried("/srv/build")
host.main(first.installs, first.sets_up, first.logs_in, first.looks, first.without_server,
          first.new_codes, first.killed, people.colleague, people.known,
          people.locked, people.unlocked, people.suspended, people.resumed, people.revoked, people.anew,
          first.takes_out)
