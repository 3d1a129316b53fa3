// SPDX-License-Identifier: Apache-2.0
// MPinHostStore: the files of a login host. The module reads them; `mpin` writes them.
//
// `FileStore` opens /var/lib/mpin, checks owner and mode of everything on the way, and reads `host` (this
// host's key) and users/UID (`UserFile`, the identities of one account, found by uid and never by name, T
// 14). Backup codes are in `CodeFile`. A change replaces a whole file under one lock
// (FileStoreWriting.swift).
//
// `Settings` is mpin.conf for one PAM service: start with its fields and rows, then SettingsReader.swift,
// which finds the section of a service. Each fault is an error that names file, line and key, and denies the
// login.
