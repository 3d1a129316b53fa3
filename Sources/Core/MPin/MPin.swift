// SPDX-License-Identifier: Apache-2.0
// MPin: the scheme and the sealed messages, as mathematics and octets, without any exchange of messages.
//
// `Protocol` has the scheme as Milagro's core computes it: `MasterShare` issues client secrets and permits,
// `Token` is a client secret without the PIN's part, `PassOne` proves it in two passes, and `Verifier`
// verifies the proof. Challenge.swift binds a proof to one purpose. Read them in this order, beside
// docs/cryptography.md.
//
// `Seal` has what host, device and server say to each other under a key that they share
// (docs/protocol/seal.md): `HostKey` and `DeviceKey` derive the keys, `SealedQuestion` is what a host asks,
// and HostKeyTags.swift has the verdict. `Codes` has what people type: `PINRule` turns a PIN into the
// factor; `PhoneCode` and `OneTimeCode` are the codes.
//
// What fails throws `MPinError`.
