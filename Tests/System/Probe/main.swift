// SPDX-License-Identifier: Apache-2.0
// A program that tests start: as the relay it reports its own environment, or misbehaves; as a host it starts
// one under odd conditions; in the sandbox it tries what is forbidden.
import CPlatform
import Glibc

let arguments = CommandLine.arguments
switch arguments.count > 1 ? arguments[1] : "" {
case "": standIn()
case "host":
    host(relay: arguments[2], report: arguments[3], uid: arguments[4], conditions: arguments.dropFirst(5))
case "sandbox": sandbox(behind: arguments[2], arguments.dropFirst(3))
case "listen": listenAs(uid: arguments[2], at: arguments[3])
default: exit(2)
}
