// SPDX-License-Identifier: Apache-2.0
// pam_mpin.so: PAM's call becomes a login, and its outcome becomes PAM's result.
//
// shim.c has PAM's entries and calls `authenticate` (Authenticate.swift), the only one that decides. It
// reads the facts of the call (`Caller`), drives `Login` over `PAMConversation` and `CancellableRelay`, and
// reports the outcome: OutcomeResultCode.swift to PAM (one table, whose last line is denial),
// OutcomeMessages.swift to the user, OutcomeJournal.swift to the log.
//
// It runs as root inside sudo, sshd or login: no threads, no network, no Foundation, and it is never
// unloaded.
