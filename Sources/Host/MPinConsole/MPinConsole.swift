// SPDX-License-Identifier: Apache-2.0
// MPinConsole: what a user sees at a terminal, as text. It decides nothing.
//
// `Sentence` and the files named `*Sentence` have every text of a login; a server sends numbers, never
// texts. `PhoneScreen` is the screen of a login with a second device, with a `QRCode` (libqrencode) as a
// `QRDrawing` that fits what `Display` knows of the terminal. `LogLine` is the format of the log.
