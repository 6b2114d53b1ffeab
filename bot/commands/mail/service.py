"""Mail while the program runs: letters are taken as they come, mails are sent as they are due."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Thread
from typing import TypeVar

from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.store import StoreDamaged, StoreError

from .gateway import Envelope, MailGateway
from .imap import UNREACHABLE, Mailbox, told
from .sender import FIRST_RETRY, LONGEST_RETRY
from .signatures import AddressSigner

log = logging.getLogger("signalbox.mail")

Found = TypeVar("Found")

SENDING_SECONDS = 1.0
"""At the end: so long the mail under way may take."""

MAILBOX_SECONDS = 300.0
"""So long one thing may take that the mailbox is asked, wait for mail and all."""

LOOK = 1.0
"""Seconds between two looks for more letters, while others are being read."""

MOST_IN_HAND = 8
"""So many letters are dealt with at once, each of another sender, and as many of players who answer."""

MOST_LOOKED_AT = 500
"""Of so many letters it is looked at once from whom they are."""

FIRST_AGAIN, AGAIN_GROWTH = 60.0, 4
"""Seconds until a letter is tried again that could not be dealt with, and by how much that grows."""


class MailService:
    """Begins and ends with the program."""

    def __init__(self, tables: GameService, settings: Settings, studio: Renderer, doorman: RateLimiter) -> None:
        if settings.mail is None:
            raise ValueError("no mailbox is set")
        self.tables, self.settings = tables, settings.mail
        pages = settings.web_address if settings.web else ""
        self.office = MailGateway(tables, settings.mail, AddressSigner.kept_in(settings.data), studio, doorman, pages)
        self._is_over = False
        self.is_open = False
        """Whether the mailbox could be opened last."""
        self._tasks: list[asyncio.Task[None]] = []
        self._left: dict[int, float] = {}
        """Letters that are left alone, by number, and until when."""
        self._envelopes: dict[int, Envelope] = {}
        """What is seen of unread letters, as far as they were looked at."""

    @property
    def is_serving(self) -> bool:
        """Whether letters are taken and mails sent, as far as the servers let them."""
        return bool(self._tasks) and not any(task.done() for task in self._tasks)

    def begin(self) -> None:
        """Take and send from now on."""
        self.tables.desk.listeners.append(self.office.sender.wake)
        self._tasks = [
            asyncio.create_task(self._receive(), name="letters"),
            asyncio.create_task(self.office.sender.run(), name="mails"),
        ]

    async def close(self) -> None:
        """Take and send no more, but for the mail under way; whatever was begun is tried again at the next start."""
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
        """Take letters until cancelled; a mailbox that cannot be used is tried again later."""
        retry = FIRST_RETRY / 2
        while True:
            mailbox = None
            try:
                mailbox = await aside(Mailbox.open, self.settings)
                self.is_open = True
                log.info("the mailbox is open")
                while True:
                    await self.take_all(mailbox)
                    retry = FIRST_RETRY / 2
                    await aside(mailbox.wait, lambda: self._is_over, seconds=MAILBOX_SECONDS + self.settings.poll)
            except UNREACHABLE as error:
                retry = min(retry * 2, LONGEST_RETRY)
                log.warning("letters wait, next attempt in %.0f s: %s", retry, told(error))
            except StoreError as error:
                retry = min(retry * 2, LONGEST_RETRY)
                log.warning("letters wait: %s", error)
            except Exception:
                # Nobody else takes them: whatever it was, it is logged, and they are still unread.
                retry = min(retry * 2, LONGEST_RETRY)
                log.exception("taking letters failed")
            finally:
                self.is_open = False
                if mailbox is not None:
                    Thread(target=_hung_up, args=(mailbox,), daemon=True).start()
            await asyncio.sleep(retry)

    async def take_all(self, mailbox: Mailbox) -> None:
        """Deal with every letter that is unread; each is marked once what it asks for is saved. A sender's letters are obeyed
        in their order, nobody waits until those of somebody else are read, and players who answer not for strangers."""
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
                        await aside(mailbox.mark, letter)
        finally:
            for task in in_hand:
                task.cancel()
            await asyncio.gather(*in_hand, return_exceptions=True)

    async def _begin_letters(self, mailbox: Mailbox, in_hand: dict[asyncio.Task[bool], int]) -> bool:
        """Begin to deal with letters that are unread: with one of each sender, and with some at once. Only those are fetched.
        Whether all that are unread were looked at."""
        unread = await aside(mailbox.unread)
        now, begun = time.monotonic(), set(in_hand.values())
        kept = begun.union(unread)
        self._left = {letter: until for letter, until in self._left.items() if until > now and letter in kept}
        self._envelopes = {letter: one for letter, one in self._envelopes.items() if letter in kept}
        new = [letter for letter in unread if letter not in self._envelopes]
        await self._look_at(mailbox, new[:MOST_LOOKED_AT])
        for is_sealed in (True, False):
            lane = {letter: one for letter, one in self._envelopes.items() if one.is_sealed is is_sealed}
            busy = {lane[letter].sender for letter in begun & lane.keys()}
            room = MOST_IN_HAND - len(begun & lane.keys())
            for letter in sorted(lane.keys() - begun - self._left.keys()):
                envelope = lane[letter]
                if room <= 0:
                    break
                if envelope.sender in busy:
                    continue
                if (wait := self.office.shares.wait(envelope.share)) > 0:
                    log.warning("a letter waits: others of its sender took long to be read")
                    self._left[letter] = now + wait
                    continue
                raw = await self._read(mailbox, letter)
                busy.add(envelope.sender)
                room -= 1
                in_hand[asyncio.create_task(self._deal_with(letter, raw, envelope))] = letter
        return len(new) <= MOST_LOOKED_AT

    async def _look_at(self, mailbox: Mailbox, letters: Sequence[int]) -> None:
        """See from whom letters are. Where the server fails at that, each is dealt with by itself from now on."""
        if not letters:
            return
        unseen = {letter: Envelope(str(letter), str(letter)) for letter in letters}
        try:
            heads = await aside(mailbox.heads, letters)
        except Exception:
            self._envelopes |= unseen
            raise
        self._envelopes |= unseen | {
            letter: await self.office.envelope_of(heads[letter]) for letter in letters if heads.get(letter)
        }

    async def _read(self, mailbox: Mailbox, letter: int) -> bytes:
        """The beginning of a letter. Where the server does not hand it out, others come first next time."""
        try:
            return await aside(mailbox.read, letter)
        except Exception as error:
            # Of some answers the library itself says that they are broken, at others it breaks.
            if await self._has_failed(letter, f"number {letter}", told(error)):
                with contextlib.suppress(*UNREACHABLE):
                    await aside(mailbox.mark, letter)
            raise

    async def _deal_with(self, letter: int, raw: bytes, envelope: Envelope) -> bool:
        """Take one letter; whether it may be marked as read. What is too much for the program is left alone at last."""
        try:
            if raw:
                await self.office.take(raw, envelope)
        except Exception as error:
            if isinstance(error, StoreError) and not isinstance(error, StoreDamaged):
                raise
            log.error("a letter cannot be dealt with: %s", type(error).__name__, exc_info=error)
            return await self._has_failed(letter, sha256(raw).hexdigest()[:16], type(error).__name__)
        return True

    async def _has_failed(self, letter: int, key: str, reason: str) -> bool:
        """Count that a letter could not be dealt with; whether it has been set aside by now. Else it is left for a while."""
        failure = await self.tables.failures.note("letter", key, f"it cannot be dealt with ({reason})")
        self._left[letter] = time.monotonic() + FIRST_AGAIN * AGAIN_GROWTH ** (failure.tries - 1)
        return failure.set_aside_at is not None


async def aside(work: Callable[..., Found], *values: object, seconds: float = MAILBOX_SECONDS) -> Found:
    """Done in a thread that ends with the program: a server that does not answer holds up nobody who wants to end.

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


def _hung_up(mailbox: Mailbox) -> None:
    try:
        mailbox.close()
    except UNREACHABLE as error:
        log.debug("the mailbox was gone already: %s", told(error))
