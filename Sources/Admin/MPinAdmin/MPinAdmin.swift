// SPDX-License-Identifier: Apache-2.0
// MPinAdmin: what the command `mpin` does, without its options: plans, changes and reports.
//
// A command is a type that takes its places and its `Dialogue` (terminal or test) as values, makes a plan
// before it changes anything, and returns a `Report` for people and as JSON. So tests run each command
// without a terminal.
//
// `Enrolment`, `People` and `Device` are about PINs and phones of accounts, backup codes, and a user's own
// tokens. `Setup` goes from installed packages to the first login: it switches a service on only after a
// login has succeeded with the new stack, and off again without a trace. `Doctor` is a list of checks, each
// a value that reads the host and gives findings: a word for programs, a sentence and advice. `PAM` has the
// stacks of /etc/pam.d as libpam reads them, and whether M-Pin can be bypassed there; `SSH` the settings
// that sshd reports, and who would be shut out by a change. `Explain` has `mpin why` and `mpin test`, which
// evaluate the same values as a login.
