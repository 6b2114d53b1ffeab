"""Mail while the program runs: letters are taken as they come, mails are sent as they are due."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Thread
from typing import TypeVar

from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.store import StoreError, concerns_all

from .gateway import Envelope, MailGateway
from .imap import UNREACHABLE, Mailbox, describe_error
from .letters.limits import MOST_READ, MOST_WITH_FILE
from .sender import FIRST_RETRY, LONGEST_RETRY
from .signatures import AddressSigner

log = logging.getLogger("signalbox.mail")

Found = TypeVar("Found")

SENDING_SECONDS = 1.0
"""Longest time for the mail under way at shutdown, in seconds."""

MAILBOX_SECONDS = 300.0
"""Longest time of one operation of the mailbox in seconds, the wait for mail included."""

LOOK = 1.0
"""Seconds between two checks for more letters, while others are being read."""

MOST_IN_HAND = 8
"""Number of letters handled at once, each of another mailbox."""

MOST_OF_A_DOMAIN = MOST_IN_HAND // 2
"""Number of these of one domain: its owner has as many mailboxes as they like."""

MOST_LOOKED_AT = 500
"""Maximum number of letters of which the senders are looked at together."""

FIRST_AGAIN, AGAIN_GROWTH = 60.0, 4
"""Seconds until a failed letter is retried, and the factor by which that grows."""


class MailService:
    def __init__(self, tables: GameService, settings: Settings, studio: Renderer, doorman: RateLimiter) -> None:
        if settings.mail is None:
            raise ValueError("no mailbox is set")
        self.tables, self.settings = tables, settings.mail
        pages = settings.web_address if settings.web else ""
        self.office = MailGateway(
            tables, settings.mail, AddressSigner.load_or_create(settings.data), studio, doorman, pages
        )
        self._is_over = False
        self.is_open = False
        """Whether the mailbox could last be opened."""
        self._tasks: list[asyncio.Task[None]] = []
        self._left: dict[int, float] = {}
        """Letters to be left alone, by number, and until when."""
        self._envelopes: dict[int, Envelope] = {}
        """The facts about unread letters, as far as they were looked at."""

    @property
    def is_serving(self) -> bool:
        """Whether letters are received and mails sent, as far as the servers allow it."""
        return bool(self._tasks) and not any(task.done() for task in self._tasks)

    def begin(self) -> None:
        self.tables.desk.listeners.append(self.office.sender.wake)
        self._tasks = [
            asyncio.create_task(self._receive(), name="letters"),
            asyncio.create_task(self.office.sender.run(), name="mails"),
        ]

    async def close(self) -> None:
        """Stop receiving and sending, except the mail under way; unfinished work is retried at the next start."""
        self._is_over = self.office.sender.is_over = True
        await self.office.sender.wake()
        if self.office.sender.wake in self.tables.desk.listeners:
            self.tables.desk.listeners.remove(self.office.sender.wake)
        if self._tasks:
            await asyncio.wait(self._tasks[-1:], timeout=SENDING_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.office.reader.close()

    async def _receive(self) -> None:
        """Receive letters until cancelled; a mailbox that cannot be used is retried later."""
        retry = FIRST_RETRY / 2
        while True:
            mailbox = None
            try:
                mailbox = await run_detached(Mailbox.open, self.settings)
                self.is_open = True
                log.info("the mailbox is open")
                while True:
                    await self.receive_all(mailbox)
                    retry = FIRST_RETRY / 2
                    await run_detached(
                        mailbox.wait, lambda: self._is_over, seconds=MAILBOX_SECONDS + self.settings.poll
                    )
            except UNREACHABLE as error:
                retry = min(retry * 2, LONGEST_RETRY)
                log.warning("letters wait, next attempt in %.0f s: %s", retry, describe_error(error))
            except StoreError as error:
                retry = min(retry * 2, LONGEST_RETRY)
                log.warning("letters wait: %s", error)
            except Exception:
                # Nobody else takes them: any error is logged, and they are still unread.
                retry = min(retry * 2, LONGEST_RETRY)
                log.exception("taking letters failed")
            finally:
                self.is_open = False
                if mailbox is not None:
                    Thread(target=_log_out, args=(mailbox,), daemon=True).start()
            await asyncio.sleep(retry)

    async def receive_all(self, mailbox: Mailbox) -> None:
        """Handle every unread letter; each is marked once its effects are saved. A sender's letters are obeyed in
        order, and nobody waits for those of others.
        """
        in_hand: dict[asyncio.Task[bool], int] = {}
        try:
            while True:
                is_all = await self._begin_letters(mailbox, in_hand)
                if not in_hand:
                    if is_all:
                        return
                    continue
                seconds = LOOK if is_all else 0
                done, _ = await asyncio.wait(in_hand, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    letter = in_hand.pop(task)
                    if task.result():
                        await run_detached(mailbox.mark, letter)
        finally:
            for task in in_hand:
                task.cancel()
            await asyncio.gather(*in_hand, return_exceptions=True)

    async def _begin_letters(self, mailbox: Mailbox, in_hand: dict[asyncio.Task[bool], int]) -> bool:
        """Begin to handle unread letters: one of each mailbox, and several at once."""
        unread = await run_detached(mailbox.list_unread)
        now, begun = time.monotonic(), set(in_hand.values())
        kept = begun.union(unread)
        self._left = {letter: until for letter, until in self._left.items() if until > now and letter in kept}
        self._envelopes = {letter: one for letter, one in self._envelopes.items() if letter in kept}
        new = [letter for letter in unread if letter not in self._envelopes]
        await self._look_at(mailbox, new[:MOST_LOOKED_AT])
        for is_sealed in (True, False):
            lane = {letter: one for letter, one in self._envelopes.items() if one.is_sealed is is_sealed}
            busy = Counter(lane[letter].reader for letter in begun & lane.keys())
            domains = Counter(lane[letter].domain for letter in begun & lane.keys())
            room = MOST_IN_HAND - len(begun & lane.keys())
            for letter in sorted(lane.keys() - begun - self._left.keys()):
                envelope = lane[letter]
                if room <= 0:
                    break
                if busy[envelope.reader] or domains[envelope.domain] >= MOST_OF_A_DOMAIN:
                    continue
                if (wait := self.office.shares.remaining_wait(envelope.share)) > 0:
                    log.warning("a letter waits: others of its sender took long to be read")
                    self._left[letter] = now + wait
                    continue
                raw = await self._read(mailbox, letter, MOST_WITH_FILE if is_sealed else MOST_READ)
                busy[envelope.reader] += 1
                domains[envelope.domain] += 1
                room -= 1
                in_hand[asyncio.create_task(self._deal_with(letter, raw, envelope))] = letter
        return len(new) <= MOST_LOOKED_AT

    async def _look_at(self, mailbox: Mailbox, letters: Sequence[int]) -> None:
        """See from whom letters are. If the server fails at that, each is handled separately from now on."""
        if not letters:
            return
        unseen = {letter: Envelope(str(letter), str(letter)) for letter in letters}
        try:
            heads = await run_detached(mailbox.heads, letters)
        except Exception:
            self._envelopes |= unseen
            raise
        self._envelopes |= unseen | {
            letter: await self.office.envelope_of(heads[letter]) for letter in letters if heads.get(letter)
        }

    async def _read(self, mailbox: Mailbox, letter: int, most: int) -> bytes:
        """The beginning of a letter. If the server does not give it, others come first next time."""
        try:
            return await run_detached(mailbox.read, letter, most)
        except Exception as error:
            # The library itself reports some broken answers, and breaks at others.
            if await self._has_failed(letter, f"number {letter}", describe_error(error)):
                with contextlib.suppress(*UNREACHABLE):
                    await run_detached(mailbox.mark, letter)
            raise

    async def _deal_with(self, letter: int, raw: bytes, envelope: Envelope) -> bool:
        """Handle one letter; returns whether it may be marked as read. A letter that is too much for the program is
        finally left alone.
        """
        try:
            if raw:
                await self.office.receive(raw, envelope)
        except Exception as error:
            if concerns_all(error):
                raise
            log.error("a letter cannot be dealt with: %s", type(error).__name__, exc_info=error)
            return await self._has_failed(letter, sha256(raw).hexdigest()[:16], type(error).__name__)
        return True

    async def _has_failed(self, letter: int, key: str, reason: str) -> bool:
        """Count a failure to handle a letter; returns whether it is now set aside. Otherwise it is left for a while."""
        failure = await self.tables.failures.note("letter", key, f"it cannot be dealt with ({reason})")
        self._left[letter] = time.monotonic() + FIRST_AGAIN * AGAIN_GROWTH ** (failure.tries - 1)
        return failure.set_aside_at is not None


async def run_detached(work: Callable[..., Found], *values: object, seconds: float = MAILBOX_SECONDS) -> Found:
    """Run in a thread that ends with the program: a server that does not answer does not delay the shutdown.

    :raises TimeoutError: it is not done in time; a server may send a letter by letter.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Found] = loop.create_future()

    def tell(result: Found | None, error: BaseException | None) -> None:
        if found.done():
            return
        if error is not None:
            found.set_exception(error)
        else:
            found.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work(*values)
        except Exception as problem:
            error = problem
        with contextlib.suppress(RuntimeError):  # Nobody waits any more: the loop is closed.
            loop.call_soon_threadsafe(tell, result, error)

    Thread(target=run, name="mailbox", daemon=True).start()
    async with asyncio.timeout(seconds):
        return await found


def _log_out(mailbox: Mailbox) -> None:
    try:
        mailbox.close()
    except UNREACHABLE as error:
        log.debug("the mailbox was gone already: %s", describe_error(error))
