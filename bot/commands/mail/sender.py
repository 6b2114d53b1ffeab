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
from bot.engine import NO_GAME, GameId, PersonId, Rejected, SeatNumber
from bot.ops.settings import MailSettings
from bot.service.features.mail import goes_to
from bot.service.game_service import GameService
from bot.service.sessions import is_quiet
from bot.store import (
    ASKED_FOR,
    Delivery,
    MailRecord,
    NoticeKind,
    PersonRecord,
    SeatRecord,
    StoreDamaged,
    StoreError,
    concerns_all,
)

from . import smtp
from .compose import MailDraft, to_mime
from .notifications import NotificationBuilder
from .smtp import PermanentFailure, SmtpClient, TemporaryFailure

log = logging.getLogger("signalbox.mail")

LOOK = 0.5
"""Seconds between two checks for something to send: another program may have made a move, or quiet hours are over."""

TIDY = 3600.0
"""Seconds between two checks for rows that may be deleted."""

FIRST_RETRY, LONGEST_RETRY = 2.0, 300.0
FIRST_REBUILD, REBUILD_GROWTH = 60.0, 4
"""Seconds until a failed mail is built again, and the factor by which that grows: five tries take 85 minutes."""

DAY = timedelta(days=1)
GIVEN_UP = timedelta(days=5)
"""Time after which a mail that is always postponed is not tried any more."""


class MailSender:
    """`wake` it after a commit."""

    def __init__(
        self, tables: GameService, settings: MailSettings, writer: NotificationBuilder, outgoing: SmtpClient
    ) -> None:
        self.tables, self.settings, self.writer, self.outgoing = tables, settings, writer, outgoing
        self.is_over = False
        """No other mail is begun any more."""
        self._wake = asyncio.Event()
        self._in_hand: set[str] = set()
        """The people whose letters are being obeyed: notices of the effects wait for the answer and go with it."""
        self._stuck: dict[int, float] = {}
        """Mails to be left alone, and until when: the server does not take them now, or they could not be built."""
        self._failed: set[int] = set()
        """Mails that could not be built: each is tried separately from then on."""

    async def wake(self, game_id: GameId = NO_GAME, saved: object = None) -> None:
        self._wake.set()

    @contextmanager
    def hold(self, person: PersonId) -> Iterator[None]:
        """Send somebody nothing while their letter is carried out: the results go into its answer."""
        self._in_hand.add(person)
        try:
            yield
        finally:
            self._in_hand.discard(person)

    async def run(self) -> None:
        """Send until cancelled; retry later what cannot be sent now."""
        retry, tidied = FIRST_RETRY / 2, -TIDY
        while not self.is_over:
            self._wake.clear()
            try:
                await self.flush()
                if monotonic() - tidied > TIDY:
                    tidied = monotonic()
                    await self.tables.mail.prune()
                retry, pause = FIRST_RETRY / 2, LOOK
            except smtp.UNREACHABLE as error:
                retry = pause = min(retry * 2, LONGEST_RETRY)
                log.warning("mails wait, next attempt in %.0f s: %s", pause, smtp.describe_error(error))
            except StoreError as error:
                retry = pause = min(retry * 2, LONGEST_RETRY)
                log.warning("mails wait: %s", error)
            except Exception:
                # Nobody else sends: any error is logged, and the mails still wait.
                retry = pause = min(retry * 2, LONGEST_RETRY)
                log.exception("sending failed")
            finally:
                await self.outgoing.close()
            try:
                await asyncio.wait_for(self._wake.wait() if pause == LOOK else asyncio.Event().wait(), pause)
            except TimeoutError:
                continue

    async def flush(self) -> int:
        """Send everything that is due; returns how many mails were sent.

        :raises OSError: the server cannot be used (or what else `UNREACHABLE` names); what was not sent waits.
        """
        sent = 0
        while (mails := await self._next_batch()) is not None:
            try:
                person, mail = await self._mail(mails)
            except Exception as error:
                if concerns_all(error):
                    raise
                await self._record_build_failure(mails, error)
                continue
            if mail is None:
                await self.tables.mail.mark_sent(mails, "nothing to say")
            else:
                sent += await self._send(person, mails, mail)
            await self._forget_failures(mails)
        return sent

    async def _postpone(self, mails: Sequence[MailRecord], reason: str) -> None:
        """Retry these later, others meanwhile; after days no more."""
        if self.tables.desk.now() - mails[0].made_at > GIVEN_UP.total_seconds():
            for mail in mails:
                await self.tables.failures.note("mail", mail.id, reason, mail.game, tries=1)
            await self.tables.mail.mark_sent(mails, "given up")
            return
        self._retry_after(mails, min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(mails[0].attempts, 20)))

    def _retry_after(self, mails: Sequence[MailRecord], seconds: float) -> None:
        self._stuck |= {mail.id: monotonic() + seconds for mail in mails}

    async def _record_build_failure(self, mails: Sequence[MailRecord], error: Exception) -> None:
        """Note that these could not be built. Each is retried later, separately; after some tries it is set aside,
        and its table is notified once.
        """
        name = type(error).__name__
        log.error("a mail cannot be built: %s", name, exc_info=error, extra={"game": mails[0].game})
        self._failed |= {mail.id for mail in mails}
        for mail in mails:
            failure = await self.tables.failures.set_back(
                "mail", mail.id, f"it cannot be built ({name})", mail.game, self.tables.mail.tell_of_unwritten
            )
            if failure.set_aside_at is None:
                self._retry_after([mail], FIRST_REBUILD * REBUILD_GROWTH ** (failure.tries - 1))
            else:
                await self.tables.mail.mark_sent([mail], "set aside")

    async def _forget_failures(self, mails: Sequence[MailRecord]) -> None:
        for number in self._failed.intersection(mail.id for mail in mails):
            await self.tables.failures.forget("mail", number)
            self._failed.discard(number)

    async def _next_batch(self) -> list[MailRecord] | None:
        """The rows of the next mail to send; None where nothing is due. Looked up each time: while a mail is sent,
        more may be added to another.
        """
        self._stuck = {mail: until for mail, until in self._stuck.items() if until > monotonic()}
        if self.is_over:
            return None
        people = {one.person: one for one in await self.tables.mail.receivers()}
        if not people:
            return None
        now = self.tables.desk.clock()
        held = {
            one.person
            for one in people.values()
            if is_quiet(now, seat_like(one)) or is_before_digest(one, now.timestamp())
        }
        waiting = await self.tables.mail.waiting_mails(self._stuck.keys(), held)
        for mails in group_outgoing(waiting, people, self._failed):
            is_asked_for = any(mail.kind in ASKED_FOR for mail in mails)
            if mails[0].person not in self._in_hand and (is_asked_for or mails[0].person not in held):
                return mails
        return None

    async def _mail(self, mails: Sequence[MailRecord]) -> tuple[PersonRecord, EmailMessage | None]:
        """These rows as one mail, and its receiver; None where there is nothing to say any more."""
        person = await self.tables.mail.person(mails[0].person)
        person = structs.replace(person, address=goes_to(person, mails))
        draft = await self._build_draft(person, mails)
        if draft is None:
            return person, None
        if not is_address(person.address):
            raise ValueError("no mail can be sent to that address")
        return person, to_mime(draft, self.settings.address, person.address, self.tables.desk.clock())

    async def _send(self, person: PersonRecord, mails: Sequence[MailRecord], mail: EmailMessage) -> int:
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
            await self._postpone(mails, f"it is not taken ({error})")
            return 0
        except smtp.UNREACHABLE as error:
            # The server may have ended the connection because of this mail: others come first next time.
            await self._postpone(mails, f"it is not taken ({type(error).__name__})")
            raise
        await self.tables.mail.mark_sent(mails, str(mail["Message-ID"]))
        if person.mail == Delivery.DIGEST and is_digest(mails):
            await self.tables.mail.mark_digest_sent(person.person)
        log.info("sent", extra={"game": mails[0].game, "mails": len(mails)})
        return 1

    async def _build_draft(self, person: PersonRecord, mails: Sequence[MailRecord]) -> MailDraft | None:
        if not person.address:
            return None
        if any(mail.kind not in ASKED_FOR and not wants_mail(person, mail) for mail in mails):
            mails = [mail for mail in mails if mail.kind in ASKED_FOR or wants_mail(person, mail)]
            if not mails:
                return None
        try:
            if person.mail == Delivery.DIGEST and is_digest(mails):
                return await self.writer.digest(person, mails)
            return await self.writer.draft(person, mails)
        except (StoreDamaged, Rejected, ArithmeticError, LookupError, TypeError, ValueError) as error:
            # It will not be better soon: the mail goes without the table, and others are written to.
            log.exception("a mail cannot be written: %s", type(error).__name__, extra={"game": mails[0].game})
            return await self.writer.draft(person, mails, is_bare=True)


def group_outgoing(
    waiting: Sequence[MailRecord], people: dict[PersonId, PersonRecord], alone: Collection[int] = ()
) -> list[list[MailRecord]]:
    """The waiting rows, each list to become one mail: by person and game; for people with a digest, all unrequested
    rows together; each row in `alone` separately.
    """
    groups: dict[tuple[str, int | None, str], list[MailRecord]] = {}
    for mail in waiting:
        person = people.get(mail.person)
        is_for_digest = person is not None and person.mail == Delivery.DIGEST and mail.kind not in ASKED_FOR
        key = (mail.person, None, "digest") if is_for_digest else (mail.person, mail.game, "")
        if person is not None and goes_to(person, [mail]) != person.address:
            key = (mail.person, mail.game, "asked")
        if mail.id in alone:
            key = (mail.person, mail.game, str(mail.id))
        groups.setdefault(key, []).append(mail)
    return list(groups.values())


def is_digest(mails: Sequence[MailRecord]) -> bool:
    """Whether nobody has requested any of these."""
    return all(mail.kind not in ASKED_FOR for mail in mails)


def wants_mail(person: PersonRecord, mail: MailRecord) -> bool:
    is_wished = person.mail in (Delivery.TURNS, Delivery.DIGEST) or (
        person.mail == Delivery.REMINDERS and mail.kind == NoticeKind.REMINDER
    )
    return is_wished and person.returned_at is None


def seat_like(person: PersonRecord) -> SeatRecord:
    return SeatRecord(NO_GAME, SeatNumber(1), person.person, "", person.zone, person.quiet_from, person.quiet_to)


def is_before_digest(person: PersonRecord, now: float) -> bool:
    return person.mail == Delivery.DIGEST and now - (person.written_at or 0.0) < DAY.total_seconds()
