// SPDX-License-Identifier: Apache-2.0
// MPinLogin: one login as a state machine, and the parent's side of the relay.
//
// Read `Login` first: it takes an event and returns a step (ask, tell, exchange, finish), so PAM, `mpin
// test` and the tests run the same login through `drive`. `Conversation` has what it asks and shows.
// `AccountCredentials` is what was read from the store before the first question, and `LoginMethods` says
// which methods are open and what closes the others. LoginPhone, LoginCode, LoginOTP and LoginStanding each
// have one method, and LoginTries the counting of tries.
//
// `Relay` starts mpin-relay and exchanges one request for one response with it. What the relay says is
// believed only where it is sealed: `granted` is constructed on one line, in `Decision` (MPinProof).
// `Devices` has what enrols: hosts that join, phones that are bound.
