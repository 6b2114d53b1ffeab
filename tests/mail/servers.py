"""Mail servers on loopback: Debian's dovecot keeps the mailboxes (IMAP, LMTP), Debian's exim takes mails over TLS with a
password and hands them to it. Both are begun and ended by the test; nothing leaves the machine."""

from __future__ import annotations

import grp
import imaplib
import os
import pwd
import shutil
import signal
import smtplib
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from tests.mail.smtp_double import Submission, exim

ABSENT = (
    "LOUD: there is no dovecot or no exim here, nothing was tried with real mail servers (tests/mail/servers.sh installs "
    "Debian's)"
)
LOOPBACK = "127.0.0.1"
PASSWORD = "a password of the tests"

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/dovecot.log
instance_name = signalbox-test
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
first_valid_uid = 1
mail_location = maildir:{folder}/mail/%u
recipient_delimiter = +
auth_mechanisms = plain login
auth_verbose = no
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
ssl_dh =
passdb {{
  driver = static
  args = password={password_quoted}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%u allow_all_users=yes
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service stats {{
  chroot =
}}
"""


def dovecot() -> str | None:
    """Debian's program, where it is installed with LMTP."""
    found = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin")
    return found if found and Path("/usr/lib/dovecot/lmtp").exists() else None


def are_here() -> bool:
    """Whether both servers can be begun."""
    return dovecot() is not None and exim() is not None


def free_port() -> int:
    """A port that nobody listens on."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """So many ports that nobody listens on."""
    with ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in found:
            one.bind((LOOPBACK, 0))
        return [one.getsockname()[1] for one in found]


class MailServers:
    """Both servers, and the mail clients of whoever plays."""

    def __init__(self) -> None:
        program = dovecot()
        assert program is not None
        self.program = program
        # Whoever runs as root lets dovecot keep mail as nobody: it does not serve root's own.
        account = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.folder = Path(tempfile.mkdtemp(prefix="signalbox-mail-"))
        self.folder.chmod(0o755)
        (self.folder / "mail").mkdir()
        os.chown(self.folder / "mail", account.pw_uid, account.pw_gid)
        self.imap, self.imaps, self.lmtp, self.smtp, self.smtps = free_ports(5)
        self.certificate = self.folder / "cert.pem"
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=loopback"),
                *("-addext", f"subjectAltName=IP:{LOOPBACK}"),
                *("-keyout", self.folder / "key.pem", "-out", self.certificate),
            ],
            check=True,
            capture_output=True,
        )
        group = grp.getgrgid(account.pw_gid).gr_name
        (self.folder / "dovecot.conf").write_text(
            CONFIGURATION.format(
                folder=self.folder,
                user=account.pw_name,
                group=group,
                imap=self.imap,
                imaps=self.imaps,
                lmtp=self.lmtp,
                password_quoted=PASSWORD.replace(" ", "_"),
            )
        )
        self.password = PASSWORD.replace(" ", "_")
        ports = (self.smtp, self.smtps, self.lmtp)
        self.submission = Submission(self.folder, account, group, self.password, ports)
        self._dovecot: subprocess.Popen[bytes] | None = None
        self._hanging: list[int] = []

    def begin(self) -> None:
        """Serve."""
        self.begin_imap()
        self.begin_smtp()

    def begin_imap(self) -> None:
        """Serve mailboxes."""
        self._dovecot = subprocess.Popen([self.program, "-F", "-c", str(self.folder / "dovecot.conf")])
        for port in (self.imaps, self.lmtp):
            wait_for(port, self.folder / "dovecot.log")

    def begin_smtp(self) -> None:
        """Take mails."""
        self.submission.begin()
        for port in (self.smtp, self.smtps):
            wait_for(port, self.folder / "spool" / "paniclog")

    def end_imap(self) -> None:
        """Serve mailboxes no more."""
        if self._dovecot is not None:
            for process in (*self._hanging, self._dovecot.pid):
                os.kill(process, signal.SIGCONT)
            self._hanging.clear()
            self._dovecot.terminate()
            self._dovecot.wait(10)
            self._dovecot = None

    def hang_imap(self) -> None:
        """Say nothing more to whoever is logged in, nor to others."""
        assert self._dovecot is not None
        number = self._dovecot.pid
        below = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        for process in (str(number), *below):
            os.kill(int(process), signal.SIGSTOP)
        self._hanging = [int(process) for process in below]

    def end_smtp(self) -> None:
        """Take mails no more."""
        self.submission.end()

    def end(self) -> None:
        """Serve no more; every letter is gone."""
        self.end_smtp()
        self.end_imap()
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self, address: str, is_wrapped: bool = True) -> Mapping[str, str]:
        """What an operator sets for that mailbox: TLS at once, or STARTTLS."""
        user = address.replace("@", "%40")
        imap, smtp = (
            (f"imaps://{user}@{LOOPBACK}:{self.imaps}", f"smtps://{user}@{LOOPBACK}:{self.smtps}")
            if is_wrapped
            else (f"imap://{user}@{LOOPBACK}:{self.imap}", f"smtp://{user}@{LOOPBACK}:{self.smtp}")
        )
        return {
            "SIGNALBOX_MAIL_ADDRESS": address,
            "SIGNALBOX_IMAP": imap,
            "SIGNALBOX_SMTP": smtp,
            "SIGNALBOX_MAIL_PASSWORD": self.password,
            "SSL_CERT_FILE": str(self.certificate),
        }

    def client(self, address: str) -> Client:
        """The mail client of whoever has that address."""
        return Client(self, address)


@dataclass
class Client:
    """A mail client: reads a mailbox, answers what it has read."""

    servers: MailServers
    address: str
    seen: int = 0
    imap: imaplib.IMAP4_SSL | None = None

    def _mailbox(self) -> imaplib.IMAP4_SSL:
        """The mailbox as it is now, over a connection that stays while it can."""
        if self.imap is not None:
            try:
                self.imap.noop()
                return self.imap
            except (OSError, imaplib.IMAP4.error):
                self.imap = None
        context = ssl.create_default_context(cafile=str(self.servers.certificate))
        self.imap = imaplib.IMAP4_SSL(LOOPBACK, self.servers.imaps, ssl_context=context)
        self.imap.login(self.address, self.servers.password)
        self.imap.select("INBOX")
        return self.imap

    def mails(self, after: int = 0) -> list[EmailMessage]:
        """The mails in the mailbox but for the first ones, oldest first."""
        imap, found = self._mailbox(), []
        for number in imap.search(None, "ALL")[1][0].split()[after:]:
            data: Any = imap.fetch(number, "(BODY.PEEK[])")[1]
            found.append(message_from_bytes(data[0][1], policy=default))
        return found  # type: ignore[return-value]

    def new(self, seconds: float = 20.0) -> EmailMessage:
        """The next mail that has not been looked at; waits for it.

        :raises AssertionError: none comes.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if mails := self.mails(self.seen):
                self.seen += 1
                return mails[0]
            time.sleep(0.1)
        raise AssertionError(f"no mail has come to {self.address}")

    def write(self, text: str, to: str, **headers: str) -> str:
        """Write a letter; returns its Message-ID."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.address, to, headers.pop("Subject", "Signalbox")
        mail["Message-ID"] = headers.pop("Message_ID", f"<{time.time_ns()}.{id(mail)}@client.example>")
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text)
        with smtplib.LMTP(LOOPBACK, self.servers.lmtp) as lmtp:
            lmtp.sendmail(self.address, [to.rpartition("<")[2].rstrip(">")], mail.as_bytes())
        return str(mail["Message-ID"])

    def answer(self, mail: EmailMessage, text: str) -> str:
        """Answer a mail, quoting it; returns the letter's Message-ID."""
        quoted = "\n".join(f"> {line}" for line in str(mail.get_body(("plain",)).get_content()).splitlines())  # type: ignore[union-attr]
        return self.write(
            f"{text}\n\nOn Monday, Signalbox <{mail['From']}> wrote:\n{quoted}\n",
            str(mail["Reply-To"]),
            Subject=f"Re: {mail['Subject']}",
            In_Reply_To=str(mail["Message-ID"]),
        )


def wait_for(port: int, log: Path, seconds: float = 20.0) -> None:
    """Until somebody listens there.

    :raises AssertionError: nobody does; with the server's own words.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            socket.create_connection((LOOPBACK, port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(log.read_text() if log.exists() else "the server does not begin")
