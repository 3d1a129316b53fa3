// SPDX-License-Identifier: Apache-2.0
// MPinPage: the phone page. A WebAssembly module that enrols and approves, and the script around it.
//
// The script (`page/script`) has the screens, the camera, IndexedDB and `fetch`, and knows nothing of the
// protocol. `Page` is the module: it takes one message, drives the machine of MPinProof that runs
// (PageEnrolment.swift, PageApproval.swift) or asks what waits (PageWaiting.swift), and returns the next
// step. `Requests` and `Responses` turn its steps into HTTP and back. `Record` is what the phone keeps,
// sealed by the script.
