"""`signalbox mail --check`: tries both servers with what the environment says, and tells what is wrong."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from bot.ops.settings import VARIABLES, InvalidSetting, MailSettings

from . import imap, smtp
from .imap import Mailbox
from .smtp import SmtpClient


def check(arguments: argparse.Namespace) -> int:
    """Try the mail settings; exit code 1 when a server cannot be used.

    :raises InvalidSetting: nothing is set, or a value is not valid.
    """
    settings = MailSettings.from_env(os.environ)
    if settings is None:
        raise InvalidSetting(f"No mailbox is set; for mail there must be {', '.join(VARIABLES)}.")
    faults = [fault for fault in (_read(settings), asyncio.run(_send(settings))) if fault]
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(
            f"Letters are read from {settings.folder} on {settings.imap.host}, mails handed in at {settings.smtp.host}."
        )
    return 1 if faults else 0


def _read(settings: MailSettings) -> str:
    """The fault of the mailbox; empty when there is none."""
    server = f"SIGNALBOX_IMAP: {settings.imap.host}:{settings.imap.port}"
    try:
        found = Mailbox.open(settings)
        waiting = len(found.list_unread())
    except imap.UNREACHABLE as error:
        return f"{server}: {imap.describe_error(error)}"
    found.close()
    push = "tells of new letters at once" if found.can_idle else f"is asked every {settings.poll} s (it has no IDLE)"
    print(f"{server}: open, {waiting} unread; {push}.")
    return ""


async def _send(settings: MailSettings) -> str:
    """The fault of the submission server; empty when there is none. Nothing is sent."""
    server = f"SIGNALBOX_SMTP: {settings.smtp.host}:{settings.smtp.port}"
    submission = SmtpClient(settings)
    try:
        await submission.open()
    except smtp.UNREACHABLE as error:
        return f"{server}: {smtp.describe_error(error)}"
    await submission.close()
    print(f"{server}: user and password are taken.")
    return ""
