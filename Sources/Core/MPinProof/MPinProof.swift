// SPDX-License-Identifier: Apache-2.0
// MPinProof: a proof, an enrolment and an approval as state machines, without input or output.
//
// A machine takes an event and returns the next step: ask for this, send that, finish with an outcome. Host,
// second device, phone page and tests drive the same machines over their own connections.
//
// Read `Passes` (pass 1 and pass 2, with a permit where the server wants one), then `Proof`, which adds the
// verdict, and `Decision`, where the sealed verdict becomes an outcome: it has the only line that constructs
// `granted` (T 1). `Registration` enrols; `Approval` answers a login that waits at a console. `Values` has
// what they are about: accounts, identities, the context of a login, rules for PINs, and outcomes.
