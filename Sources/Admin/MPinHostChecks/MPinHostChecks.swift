// SPDX-License-Identifier: Apache-2.0
// MPinHostChecks: how a host is set up, read from its files and programs, and what is wrong with it.
//
// `PAM` has the stacks of /etc/pam.d as libpam reads them: `PAMStack` the rules of a service, `StackResult`
// what libpam makes of every answer of its modules, `StackCheck` whether M-Pin can be bypassed there. `SSH`
// has the settings that sshd itself reports, and who would be shut out by a change; `Sudo` the rules that
// ask for another user's PIN, or for none. A `Finding` is a word for programs, a sentence for people, and
// advice.
//
// `mpin doctor`, `mpin setup` and `mpin why` (MPinAdmin) put these questions to a real host.
