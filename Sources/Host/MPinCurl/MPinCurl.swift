// SPDX-License-Identifier: Apache-2.0
// MPinCurl: the calls to a server over libcurl.
//
// mpin-relay makes them for the module, under a filter of system calls; `mpin` and the client library make
// them in their own process. `CurlTransport` takes a `RelayRequest` and gives a `RelayResponse`; `Session`
// has the calls of one login, a file for each topic. `Resolution` resolves host names once, before the
// filter closes, and `BackendClient` chooses the backend that answers. `Endpoints` are the only addresses
// that a server's settings may name. `Transfer` wraps libcurl, with a limit for every size and time.
