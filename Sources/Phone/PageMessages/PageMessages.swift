// SPDX-License-Identifier: Apache-2.0
// PageMessages: how the phone page's script and its WebAssembly module exchange messages.
//
// There is one piece of shared memory (Room.swift). Each side writes a `Message` there: fields with their
// lengths (docs/protocol/page.md). SecretField.swift has the fields that hold secrets. This is a target
// apart from MPinPage because a second module, for tests, has the same memory and messages.
