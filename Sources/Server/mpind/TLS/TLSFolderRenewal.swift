// SPDX-License-Identifier: Apache-2.0
// Renews the server's certificate before it ends, as mpind-renew.timer does once a day.
import Glibc
import MPinSystem
import MPinServer
import MPinWire

extension TLSFolder {
    /// Renews the certificate of our own CA if the server uses it and less than a third of its life is left.
    /// A running server then reads it, also on the day after, in case an earlier run was killed.
    func renewIfDue() throws(SetupError) {
        guard try DaemonSettings(file: nil, data: nil).certificate == certificate,
            unsafe access(authorityKey, F_OK) == 0
        else { return }
        let (authority, current) = (try Certificate(file: authority), try Certificate(file: certificate))
        guard current.isSigned(by: authority) else { return }
        let now = Effects.system.now().seconds
        // A run that was killed may have left a key without its certificate.
        let isWhole = try current.has(CertificateKey(file: key))
        let life = current.end.seconds - current.begin.seconds
        if !isWhole || current.end.seconds - now < life / 3 {
            guard !isWhole || authority.end.seconds - now > life / 3 else {
                throw SetupError(
                    "The CA in \(self.authority) ends on \(authority.end.headerText), and no certificate"
                        + " lives longer. `mpind tls self --force NAME...` makes a new CA; every host then"
                        + " needs the new ca.pem.")
            }
            try renew(days: min(max(Int((life + TLSFolder.day - 1) / TLSFolder.day), 1), 398))
            let renewed = try Certificate(file: certificate)
            log(
                "certificate",
                [LogField("file", setting: certificate), LogField("ends", renewed.end.headerText)])
        } else if now - current.begin.seconds > 2 * TLSFolder.day {
            return
        }
        guard unsafe access("/run/systemd/system", F_OK) == 0 else { return }
        let ended = ran("/usr/bin/systemctl", ["try-reload-or-restart", "mpind.service"])
        guard let ended, ended.status == 0 else {
            throw SetupError(
                "The server does not read its new certificate: \(ended?.said ?? "no systemctl").")
        }
    }

    private static let day: Int64 = 86_400
}
