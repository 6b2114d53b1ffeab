"""Debian's exim as a private instance: takes mails over TLS from whoever knows the password, and hands them to dovecot. Nothing
of the machine's own exim is read or written."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path

CONFIGURATION = r"""
exim_user = {user}
exim_group = {group}
deliver_drop_privilege = true
primary_hostname = loopback
spool_directory = {folder}/spool
log_file_path = {folder}/spool/%slog
local_interfaces = 127.0.0.1
tls_on_connect_ports = {smtps}
tls_advertise_hosts = *
tls_certificate = {folder}/cert.pem
tls_privatekey = {folder}/exim-key.pem
auth_advertise_hosts = ${{if eq{{$tls_in_cipher}}{{}}{{}}{{*}}}}
host_lookup =
rfc1413_hosts =
helo_allow_chars = _
smtp_accept_max = 0
acl_smtp_mail = late
acl_smtp_rcpt = known
acl_smtp_data = now

begin acl
late:
    accept condition = ${{if exists{{{folder}/slow}}}}
        delay = 1s
    accept
known:
    accept authenticated = *
    deny message = who are you?
now:
    defer message = 452 4.2.2 the mailbox is full
        condition = ${{if exists{{{folder}/full}}}}
    accept

begin routers
everybody:
    driver = accept
    transport = dovecot

begin transports
dovecot:
    driver = smtp
    protocol = lmtp
    hosts = 127.0.0.1
    port = {lmtp}
    allow_localhost
    hosts_try_auth =
    hosts_avoid_tls = *

begin retry
* * F,1h,1s

begin authenticators
plain:
    driver = plaintext
    public_name = PLAIN
    server_prompts = :
    server_condition = ${{if eq{{$auth3}}{{{password}}}}}
    server_set_id = $auth2
login:
    driver = plaintext
    public_name = LOGIN
    server_prompts = <| Username: | Password:
    server_condition = ${{if eq{{$auth2}}{{{password}}}}}
    server_set_id = $auth1
"""


def exim() -> str | None:
    """Debian's program, where it is installed."""
    return shutil.which("exim4") or shutil.which("exim4", path="/usr/sbin")


class Submission:
    """The server, with the certificate that lies in its folder: `smtp` with STARTTLS, `smtps` with TLS at once."""

    def __init__(
        self, folder: Path, account: pwd.struct_passwd, group: str, password: str, ports: tuple[int, int, int]
    ):
        program = exim()
        assert program is not None
        self.program, self.folder = program, folder
        self.smtp, self.smtps, lmtp = ports
        (folder / "spool").mkdir()
        shutil.copyfile(folder / "key.pem", folder / "exim-key.pem")
        for path in (folder / "spool", folder / "exim-key.pem"):
            os.chown(path, account.pw_uid, account.pw_gid)
        self.configuration = folder / "exim.conf"
        self.configuration.write_text(
            CONFIGURATION.format(
                folder=folder,
                user=account.pw_name,
                group=group,
                password=password,
                smtps=self.smtps,
                lmtp=lmtp,
            )
        )
        self.configuration.chmod(0o644)
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Take mails; what dovecot did not take is brought to it again every second."""
        self._process = subprocess.Popen(
            [self.program, "-C", str(self.configuration), "-bdf", "-q1s", "-oX", f"{self.smtp} : {self.smtps}"]
        )

    def end(self) -> None:
        """Take mails no more."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(10)
            self._process = None

    def be(self, what: str, is_so: bool = True) -> None:
        """From now on `slow` or `full`, or so no more."""
        mark = self.folder / what
        mark.touch() if is_so else mark.unlink()
