// SPDX-License-Identifier: Apache-2.0
// MPinSystem: what `mpin` and `mpind` both need of the host.
//
// `HostFile` is a file that is read as a whole and replaced atomically, `SettingsText` the text of mpin.conf,
// in which single keys can be set. `ran` and `piped` run other programs.
