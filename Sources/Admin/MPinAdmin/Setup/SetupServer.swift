// SPDX-License-Identifier: Apache-2.0
// `mpin setup --backend here`: makes and starts mpind on this host, if it does not run yet.
import CPlatform
import MPinHostChecks
import MPinProof
import MPinWire

extension LocalServer {
    /// The text of a new mpind.conf. With it mpind opens no port to the network, and needs a code for every
    /// registration.
    static let newSettings = """
        # Written by mpin setup. mpind.conf(5) explains every key; a missing key has its default.
        listen = unix:/run/mpind/mpind.sock
        admin-socket = /run/mpind/admin.sock

        """
}

extension Setup {
    /// Makes the server if there is none, and starts it if it does not run.
    func startServer(_ plan: SetupPlan) throws(Failure) {
        let server = try LocalServer()
        guard !server.answers else { return }
        guard unsafe access(LocalServer.program, X_OK) == 0 else {
            throw Failure(
                .settings,
                "mpind is not installed on this host. Install mpin-server, or name another host: --backend "
                    + "ADDRESS.")
        }
        if plan.makesServerSettings { try writeServerSettings() }
        dialogue.progress("Making the server ...")
        let made = ran(LocalServer.program, ["init"])
        // The exit status 1 says that there is a server already.
        guard let made, made.status == 0 || made.status == 1 else {
            throw Failure(.broken, "mpind init failed: \(oneLine(made?.said ?? "it cannot be started"))")
        }
        try start(server)
    }

    private func writeServerSettings() throws(Failure) {
        makeOpenFolder("/etc/mpin")
        // mpind reads it as the user _mpind.
        let group = try account(named: Array("_mpind".utf8))?.gid ?? getegid()
        let file = HostFile(new: ServerLocation.file, mode: 0o640, group: group)
        try Failure.ofFile(file.replace(with: Array(LocalServer.newSettings.utf8)))
    }

    private func start(_ server: LocalServer) throws(Failure) {
        guard unsafe access("/run/systemd/system", F_OK) == 0 else {
            throw Failure(
                .unreachable,
                "The server is made, but nothing here starts it: systemd does not run. Start 'mpind serve' "
                    + "as you start other services, then run this command again.")
        }
        dialogue.progress("Starting the server ...")
        let started = ran("/usr/bin/systemctl", ["enable", "--now"] + server.units)
        guard let started, started.status == 0 else {
            throw Failure(.broken, "systemctl cannot start mpind: \(oneLine(started?.said ?? ""))")
        }
        // The first request starts the service behind the sockets.
        for _ in 0..<100 {
            if server.answers { return }
            usleep(100_000)
        }
        throw Failure(
            .unreachable, "mpind was started but does not answer. 'sudo journalctl -u mpind' shows why.")
    }
}
