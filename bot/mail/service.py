"""Mail while the program runs: letters are taken as they come, mails are sent as they are due."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from bot.ops.doorman import Doorman
from bot.ops.settings import Settings
from bot.render.worker import Studio
from bot.store import StoreError
from bot.tables.tables import Tables

from .dispatch import FIRST_RETRY, LONGEST_RETRY
from .keys import Keys
from .mailbox import UNREACHABLE, Mailbox, told
from .office import Office

log = logging.getLogger("signalbox.mail")

Found = TypeVar("Found")

SENDING_SECONDS = 1.0
"""At the end: so long the mail under way may take."""

TRIES = 3
"""So often a letter is tried whose reading ends with a fault of the program; then it is left unanswered."""


class MailService:
    """Begins and ends with the program."""

    def __init__(self, tables: Tables, settings: Settings, studio: Studio, doorman: Doorman) -> None:
        if settings.mail is None:
            raise ValueError("no mailbox is set")
        self.tables, self.settings = tables, settings.mail
        pages = settings.web_address if settings.web else ""
        self.office = Office(tables, settings.mail, Keys.kept_in(settings.data), studio, doorman, pages)
        self._is_over = False
        self.is_open = False
        """Whether the mailbox could be opened last."""
        self._tasks: list[asyncio.Task[None]] = []
        self._faults: dict[str, int] = {}

    @property
    def is_serving(self) -> bool:
        """Whether letters are taken and mails sent, as far as the servers let them."""
        return bool(self._tasks) and not any(task.done() for task in self._tasks)

    def begin(self) -> None:
        """Take and send from now on."""
        self.tables.desk.listeners.append(self.office.wake)
        self._tasks = [
            asyncio.create_task(self._receive(), name="letters"),
            asyncio.create_task(self.office.run(), name="mails"),
        ]

    async def close(self) -> None:
        """Take and send no more, but for the mail under way; whatever was begun is tried again at the next start."""
        self._is_over = self.office.is_over = True
        await self.office.wake(0)
        if self.office.wake in self.tables.desk.listeners:
            self.tables.desk.listeners.remove(self.office.wake)
        if self._tasks:
            await asyncio.wait(self._tasks[-1:], timeout=SENDING_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

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
                    await aside(mailbox.wait, lambda: self._is_over)
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
        """Deal with every letter that is unread; each is marked once what it asks for is saved."""
        for letter in await aside(mailbox.unread):
            raw = await aside(mailbox.read, letter)
            if raw:
                await self._deal_with(raw)
            await aside(mailbox.mark, letter)

    async def _deal_with(self, raw: bytes) -> None:
        """Take one letter; one that is too much for the program is left alone at last, so that others are taken."""
        try:
            # A task of its own: which language is spoken ends with it.
            await asyncio.create_task(self.office.take(raw))
        except StoreError:
            raise
        except Exception:
            name = str(hash(raw))
            self._faults[name] = self._faults.get(name, 0) + 1
            if self._faults[name] < TRIES:
                raise
            log.exception("a letter is left unanswered")


async def aside(work: Callable[..., Found], *values: object) -> Found:
    """Done in a thread that ends with the program: a server that does not answer holds up nobody who wants to end."""
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
    return await found


def _hung_up(mailbox: Mailbox) -> None:
    try:
        mailbox.close()
    except UNREACHABLE as error:
        log.debug("the mailbox was gone already: %s", told(error))
