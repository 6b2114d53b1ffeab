"""Letters are read in processes of their own, with limits: what strangers have written takes no time of the bot's, and
cannot end it. The result comes back as plain data."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec

from bot.addresses import is_address
from bot.process_pool import CpuLimitExceeded, ResourceLimits, create_pool, kill_pool, run, time_limit
from bot.untrusted_input import LARGEST_FILE

from .incoming_mail import Bounce, Ignored, IncomingMail, read_letter
from .letters.delivery_reports import DeliveryReport
from .letters.sender_verdicts import SenderVerdict

log = logging.getLogger("signalbox.mail")

READERS = 2
"""Number of letters read at once: a slow letter does not hold up the next."""

LIMITS = ResourceLimits(megabytes=200)
SECONDS = 1.0
"""Seconds of work on a letter; real letters take a hundredth of that."""

LONGEST = 20.0
"""Seconds by the clock, on a busy machine; then the process is killed."""

LARGEST = LARGEST_FILE + 64 * 1024
"""Bytes of the result."""

NICENESS = 5


class ParsedMail(msgspec.Struct):
    """The parsed letter, with the reason where it is ignored, and the seconds of work."""

    letter: IncomingMail | None = None
    ignored: str | None = None
    returned: DeliveryReport | None = None
    seconds: float = 0.0


def read_sync(raw: bytes, own_address: str, authority: str) -> bytes:
    """A letter, read in this process; an encoded `ParsedMail`.

    :raises CpuLimitExceeded: it takes too long.
    """
    began, found = time.process_time(), ParsedMail()
    with time_limit(SECONDS):
        try:
            found.letter = read_letter(raw, own_address, authority)
            if found.letter.verdict is SenderVerdict.FALSE:
                found.ignored = "its sender is forged, says the mail server"
            elif not is_address(found.letter.sender):
                found.ignored = "no mail can be sent to its sender"
        except Bounce as bounce:
            found.returned = bounce.report
        except Ignored as ignored:
            found.ignored = str(ignored)
        found.seconds = time.process_time() - began
        return msgspec.msgpack.encode(found)


class MailReader:
    """Reads letters to a bot of this address; `authority` is the trusted server. `idle` are processes without work."""

    def __init__(self, own_address: str, authority: str = "", idle: list[ProcessPoolExecutor] | None = None) -> None:
        self.own_address, self.authority = own_address, authority
        self._free = {is_sealed: asyncio.Semaphore(READERS) for is_sealed in (True, False)}
        self._idle = [] if idle is None else idle
        self._at_work: set[ProcessPoolExecutor] = set()

    async def read(self, raw: bytes, is_sealed: bool = False) -> ParsedMail:
        """Parse a letter in a process; its `ignored` says why it is not to be read.

        :raises BrokenProcessPool: no process can be started now.
        """
        async with self._free[is_sealed]:
            is_fresh = not self._idle
            found = await self._read(raw, is_fresh)
            if found is None:
                found = await self._read(raw, is_fresh=True)
            return found or ParsedMail(ignored="the process that read it died", seconds=SECONDS)

    async def _read(self, raw: bytes, is_fresh: bool) -> ParsedMail | None:
        """The same, in a new process with `is_fresh`; None where the process died."""
        pool = create_pool(niceness=NICENESS, limits=LIMITS) if is_fresh else self._idle.pop()
        self._at_work.add(pool)
        is_whole = False
        try:
            packed = await run(pool, read_sync, raw, self.own_address, self.authority, seconds=LONGEST)
            is_whole = True
        except (CpuLimitExceeded, TimeoutError):
            return ParsedMail(ignored="it takes too long to be read", seconds=SECONDS)
        except MemoryError:
            return ParsedMail(ignored="it takes too much memory to be read", seconds=SECONDS)
        except BrokenProcessPool as error:
            if isinstance(error.__cause__, OSError):
                raise
            log.warning("the process of a reader died: %s", error)
            return None
        finally:
            self._at_work.discard(pool)
            if is_whole:
                self._idle.append(pool)
            else:
                kill_pool(pool)
        if len(packed) > LARGEST:
            return ParsedMail(ignored="too much was read of it", seconds=SECONDS)
        return msgspec.msgpack.decode(packed, type=ParsedMail)

    def close(self) -> None:
        for pool in (*self._idle, *self._at_work):
            kill_pool(pool)
        self._idle.clear()
