"""Mails out: what waits becomes mails, each is sent once, and none holds up another."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from time import monotonic

from msgspec import structs

from bot.addresses import is_address
from bot.engine.refusals import Rejected
from bot.ops.settings import MailSettings
from bot.service.features.mail import goes_to
from bot.service.game_service import GameService
from bot.service.sessions.clocks import is_quiet
from bot.store import ASKED_FOR, MailRecord, PersonRecord, SeatRecord, StoreDamaged, StoreError

from . import smtp
from .compose import MailDraft, built
from .notifications import NotificationBuilder
from .smtp import PermanentFailure, SmtpClient, TemporaryFailure

log = logging.getLogger("signalbox.mail")

LOOK = 0.5
"""Seconds between two looks whether there is something to send: another program may have made a move, or quiet hours are
over."""

TIDY = 3600.0
"""Seconds between two looks for what may be forgotten."""

FIRST_RETRY, LONGEST_RETRY = 2.0, 300.0
FIRST_REBUILD, REBUILD_GROWTH = 60.0, 4
"""Seconds until a mail is built again that could not be, and by how much that grows: five tries take 85 minutes."""

DAY = timedelta(days=1)
GIVEN_UP = timedelta(days=5)
"""After this a mail that is put off again and again is not tried any more."""


class MailSender:
    """Sends mails. `wake` it after a commit."""

    def __init__(
        self, tables: GameService, settings: MailSettings, writer: NotificationBuilder, outgoing: SmtpClient
    ) -> None:
        self.tables, self.settings, self.writer, self.outgoing = tables, settings, writer, outgoing
        self.is_over = False
        """No other mail is begun any more."""
        self._wake = asyncio.Event()
        self._in_hand: set[str] = set()
        """Whose letters are being obeyed."""
        self._stuck: dict[int, float] = {}
        """Mails that are left alone, and until when: the server does not take them now, or they could not be built."""
        self._failed: set[int] = set()
        """Mails that could not be built: each is tried alone from then on."""

    async def wake(self, game: int = 0, saved: object = None) -> None:
        """Something was saved."""
        self._wake.set()

    @contextmanager
    def hold(self, person: str) -> Iterator[None]:
        """Send somebody nothing while their letter is obeyed: what comes of it is told together with its answer."""
        self._in_hand.add(person)
        try:
            yield
        finally:
            self._in_hand.discard(person)

    async def run(self) -> None:
        """Send until cancelled; what cannot be sent now is tried again later."""
        retry, tidied = FIRST_RETRY / 2, -TIDY
        while not self.is_over:
            self._wake.clear()
            try:
                await self.flush()
                if monotonic() - tidied > TIDY:
                    tidied = monotonic()
                    await self.tables.mail.tidy()
                retry, pause = FIRST_RETRY / 2, LOOK
            except smtp.UNREACHABLE as error:
                retry = pause = min(retry * 2, LONGEST_RETRY)
                log.warning("mails wait, next attempt in %.0f s: %s", pause, smtp.told(error))
            except StoreError as error:
                retry = pause = min(retry * 2, LONGEST_RETRY)
                log.warning("mails wait: %s", error)
            except Exception:
                # Nobody else sends: whatever it was, it is logged, and the mails still wait.
                retry = pause = min(retry * 2, LONGEST_RETRY)
                log.exception("sending failed")
            finally:
                await self.outgoing.close()
            try:
                await asyncio.wait_for(self._wake.wait() if pause == LOOK else asyncio.Event().wait(), pause)
            except TimeoutError:
                continue

    async def flush(self) -> int:
        """Send whatever is to be sent now; returns how many mails were sent.

        :raises OSError: the server cannot be used (or what else `UNREACHABLE` names); what was not sent waits.
        """
        sent = 0
        while (mails := await self._next()) is not None:
            try:
                person, mail = await self._mail(mails)
            except Exception as error:
                if isinstance(error, StoreError) and not isinstance(error, StoreDamaged):
                    raise
                await self._set_back(mails, error)
                continue
            if mail is None:
                await self.tables.mail.mark_sent(mails, "nothing to say")
            else:
                sent += await self._send(person, mails, mail)
            await self._forget_failures(mails)
        return sent

    async def _put_off(self, mails: Sequence[MailRecord], reason: str) -> None:
        """Try these again later, others meanwhile; after days no more."""
        if self.tables.desk.now() - mails[0].made_at > GIVEN_UP.total_seconds():
            for mail in mails:
                await self.tables.failures.note("mail", mail.id, reason, mail.game, tries=1)
            await self.tables.mail.mark_sent(mails, "given up")
            return
        self._leave(mails, min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(mails[0].attempts, 20)))

    def _leave(self, mails: Sequence[MailRecord], seconds: float) -> None:
        self._stuck |= {mail.id: monotonic() + seconds for mail in mails}

    async def _set_back(self, mails: Sequence[MailRecord], error: Exception) -> None:
        """These could not be built. Each is tried again later, alone; after some tries it is set aside, and its table hears
        of that once."""
        name = type(error).__name__
        log.error("a mail cannot be built: %s", name, exc_info=error, extra={"game": mails[0].game})
        self._failed |= {mail.id for mail in mails}
        for mail in mails:
            failure = await self.tables.failures.set_back(
                "mail", mail.id, f"it cannot be built ({name})", mail.game, self.tables.mail.tell_of_unwritten
            )
            if failure.set_aside_at is None:
                self._leave([mail], FIRST_REBUILD * REBUILD_GROWTH ** (failure.tries - 1))
            else:
                await self.tables.mail.mark_sent([mail], "set aside")

    async def _forget_failures(self, mails: Sequence[MailRecord]) -> None:
        """These are dealt with: whatever failed before is over."""
        for number in self._failed.intersection(mail.id for mail in mails):
            await self.tables.failures.forget("mail", number)
            self._failed.discard(number)

    async def _next(self) -> list[MailRecord] | None:
        """What is to be sent next as one mail; None where nothing is to be sent now. It is looked up each time: while one is
        sent, more may come to another."""
        self._stuck = {mail: until for mail, until in self._stuck.items() if until > monotonic()}
        if self.is_over:
            return None
        people = {one.person: one for one in await self.tables.mail.receivers()}
        if not people:
            return None
        now = self.tables.desk.clock()
        held = {
            one.person for one in people.values() if is_quiet(now, seat_like(one)) or is_early(one, now.timestamp())
        }
        waiting = await self.tables.mail.waiting(self._stuck.keys(), held)
        for mails in gathered(waiting, people, self._failed):
            is_asked_for = any(mail.kind in ASKED_FOR for mail in mails)
            if mails[0].person not in self._in_hand and (is_asked_for or mails[0].person not in held):
                return mails
        return None

    async def _mail(self, mails: Sequence[MailRecord]) -> tuple[PersonRecord, EmailMessage | None]:
        """What these say as one mail, and to whom; None where nothing is to be said any more."""
        person = await self.tables.mail.person(mails[0].person)
        person = structs.replace(person, address=goes_to(person, mails))
        draft = await self._drafted(person, mails)
        if draft is None:
            return person, None
        if not is_address(person.address):
            raise ValueError("no mail can be sent to that address")
        return person, built(draft, self.settings.address, person.address, self.tables.desk.clock())

    async def _send(self, person: PersonRecord, mails: Sequence[MailRecord], mail: EmailMessage) -> int:
        """Send these as that mail; how many mails were sent."""
        await self.outgoing.open()
        await self.tables.mail.begin_sending(mails)
        try:
            await self.outgoing.send(mail, person.address)
        except PermanentFailure as error:
            log.warning("a mail is not taken (%s)", error, extra={"game": mails[0].game})
            await self.tables.mail.mark_sent(mails, f"refused {error}")
            return 0
        except TemporaryFailure as error:
            log.warning("a mail is not taken now (%s)", error, extra={"game": mails[0].game})
            await self._put_off(mails, f"it is not taken ({error})")
            return 0
        except smtp.UNREACHABLE as error:
            # The server may have ended the connection because of this one: others come first next time.
            await self._put_off(mails, f"it is not taken ({type(error).__name__})")
            raise
        await self.tables.mail.mark_sent(mails, str(mail["Message-ID"]))
        if person.mail == "digest" and is_digest(mails):
            await self.tables.mail.written_to(person.person)
        log.info("sent", extra={"game": mails[0].game, "mails": len(mails)})
        return 1

    async def _drafted(self, person: PersonRecord, mails: Sequence[MailRecord]) -> MailDraft | None:
        """The mail; None where there is nothing to say, or it cannot be said."""
        if not person.address:
            return None
        if any(mail.kind not in ASKED_FOR and not wishes(person, mail) for mail in mails):
            mails = [mail for mail in mails if mail.kind in ASKED_FOR or wishes(person, mail)]
            if not mails:
                return None
        try:
            if person.mail == "digest" and is_digest(mails):
                return await self.writer.digest(person, mails)
            return await self.writer.draft(person, mails)
        except (StoreDamaged, Rejected, ArithmeticError, LookupError, TypeError, ValueError) as error:
            # It will not be better soon: what was done is told without the table, and others are written to.
            log.exception("a mail cannot be written: %s", type(error).__name__, extra={"game": mails[0].game})
            return await self.writer.draft(person, mails, is_bare=True)


def gathered(
    waiting: Sequence[MailRecord], people: dict[str, PersonRecord], alone: Collection[int] = ()
) -> list[list[MailRecord]]:
    """What waits, each list to become one mail: by person and game; for people who wish a digest what they have not asked for
    together; each of those `alone` by itself."""
    groups: dict[tuple[str, int | None, str], list[MailRecord]] = {}
    for mail in waiting:
        person = people.get(mail.person)
        is_for_digest = person is not None and person.mail == "digest" and mail.kind not in ASKED_FOR
        key = (mail.person, None, "digest") if is_for_digest else (mail.person, mail.game, "")
        if person is not None and goes_to(person, [mail]) != person.address:
            key = (mail.person, mail.game, "asked")
        if mail.id in alone:
            key = (mail.person, mail.game, str(mail.id))
        groups.setdefault(key, []).append(mail)
    return list(groups.values())


def is_digest(mails: Sequence[MailRecord]) -> bool:
    """Whether nobody has asked for any of these."""
    return all(mail.kind not in ASKED_FOR for mail in mails)


def wishes(person: PersonRecord, mail: MailRecord) -> bool:
    """Whether somebody wishes to be sent such a mail."""
    is_wished = person.mail in ("turns", "digest") or (person.mail == "reminders" and mail.kind == "reminder")
    return is_wished and person.returned_at is None


def seat_like(person: PersonRecord) -> SeatRecord:
    """A person's quiet hours as those of a seat."""
    return SeatRecord(0, 1, person.person, "", person.zone, person.quiet_from, person.quiet_to)


def is_early(person: PersonRecord, now: float) -> bool:
    """Whether it is too early for somebody's next digest."""
    return person.mail == "digest" and now - (person.written_at or 0.0) < DAY.total_seconds()
