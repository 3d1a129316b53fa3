// SPDX-License-Identifier: Apache-2.0
// MPinWire: the grammar of all that is exchanged or stored as text or frames. It decides nothing.
//
// `Frames` has what module and relay exchange: `RelayRequest` and `RelayResponse` are the messages, `Frame`
// their form as octets (docs/protocol/relay.md). `Messages` has the JSON of HTTP
// (docs/protocol/milagro-0.3.md), a file for each topic; `Route` has the paths. `Files` has the one grammar
// of mpin.conf, mpind.conf and the store: sections and `key = value`. `Addresses` and `JSON` read URLs,
// addresses and JSON strictly, so that no other reader understands them differently.
//
// Whatever is read here may come from a stranger: each length is checked before it is used, and nothing
// traps.
