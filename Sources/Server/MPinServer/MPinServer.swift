// SPDX-License-Identifier: Apache-2.0
// MPinServer: the server by topic, without sockets: a request goes in, a response comes out.
//
// Read `PublicRouter` first: its table names every route of clients and the handler of each; `AdminRouter`
// is that of administrators. Each folder is a topic with its handlers, its records, its statements
// (`...Statements`) and its tables (`...Tables`); SQL stands only in these. A login goes through `Login`:
// `FirstPass`, `SecondPass`, which counts the try before it verifies (T 7), and `Redemptions`, which seals
// the verdict. `Sessions` has what waits for the approval of a phone, `Registration` enrolments, `Hosts` the
// keys and questions of login hosts, `Identities` who can log in, `People` what administrators do to users,
// `Authority` what asks the trust authority. `Milagro` has what exists only for Milagro's other roles; the
// routers choose its handlers.
//
// A folder uses only those below it (ARCHITECTURE has the order). At the bottom stands `Common`: time,
// limits, the database. `ServiceContext` is what every handler has: the database, the clock, randomness, the
// settings. `Connections` has the limits of connections, requests and log lines, which mpind applies to its
// sockets.
// What a handler throws is answered with 503 or 500; a `Refusal` carries an answer of its own.
