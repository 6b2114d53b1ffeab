"""The post office: letters in, mails out, each once, whatever happens in between."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from datetime import timedelta

from bot.engine.refusals import Refusal
from bot.language import refused, speak
from bot.ops.doorman import Doorman, TooFast
from bot.ops.settings import MailSettings
from bot.render.worker import Studio
from bot.store import ASKED_FOR, MailRecord, PersonRecord, SeatRecord, StoreDamaged, StoreError
from bot.tables.acts.mail import BY_MAIL
from bot.tables.desk.clocks import is_quiet
from bot.tables.files.queue import Leaving
from bot.tables.tables import Tables

from . import handing_in
from .building import Draft, built
from .handing_in import NotNow, NotTaken, Submission
from .keys import Keys
from .letters.verdicts import Verdict
from .obeying import Answer, Clerk
from .reading import Bounce, Ignored, Letter, read_letter
from .writing import Writer

log = logging.getLogger("signalbox.mail")

LOOK = 0.5
"""Seconds between two looks whether there is something to send: another program may have made a move, or quiet hours are
over."""

TIDY = 3600.0
"""Seconds between two looks for what may be forgotten."""

FIRST_RETRY, LONGEST_RETRY = 2.0, 300.0
DAY = timedelta(days=1)
GIVEN_UP = timedelta(days=5)
"""After this a mail that is put off again and again is not tried any more."""

STRANGERS_A_MINUTE, STRANGERS_AT_ONCE = 1, 20
"""So many addresses that are new get a letter: whoever forges senders has the bot write to no more."""


class Office:
    """Takes letters and sends mails. `wake` it after a commit."""

    def __init__(
        self,
        tables: Tables,
        settings: MailSettings,
        keys: Keys,
        studio: Studio,
        doorman: Doorman,
        pages: str = "",
        outgoing: Submission | None = None,
    ) -> None:
        self.tables, self.settings, self.keys, self.doorman = tables, settings, keys, doorman
        self.clerk = Clerk(tables, pages, settings.address)
        self.writer = Writer(tables, studio, keys, settings.address, pages)
        self.outgoing = outgoing or Submission(settings)
        self.strangers = Doorman(STRANGERS_A_MINUTE, STRANGERS_AT_ONCE)
        self.is_over = False
        """No other mail is begun any more."""
        self._wake = asyncio.Event()
        self._in_hand: set[str] = set()
        """Whose letters are being obeyed: what comes of one is told together with its answer."""
        self._stuck: dict[int, float] = {}
        """Mails that the server does not take now, and until when they are left alone."""

    async def wake(self, game: int, saved: object = None) -> None:
        """Something was saved."""
        self._wake.set()

    # -- letters in -----------------------------------------------------------------------------------

    async def take(self, raw: bytes) -> str:
        """Deal with a letter; returns what became of it, in a word. Afterwards it may be marked as read.

        :raises StoreError: the database did not take it; it shall be tried again.
        """
        try:
            letter = read_letter(raw, self.settings.address, self.settings.authority)
            outcome = await self._take(letter)
        except Bounce as bounce:
            outcome = await self._came_back(bounce.message)
        except Ignored as ignored:
            log.info("a letter is left alone: %s", ignored)
            outcome = "ignored"
        if outcome in ("answered", "welcomed"):
            self._wake.set()
        return outcome

    async def _take(self, letter: Letter) -> str:
        if letter.verdict is Verdict.FALSE:
            raise Ignored("its sender is forged, says the mail server")
        person, is_new = await self._writer_of(letter)
        if person is None:
            return "welcomed" if is_new else "ignored"
        try:
            self.doorman.admit(person.person)
        except Leaving as leaving:
            raise StoreError(str(leaving)) from leaving
        except TooFast:
            raise Ignored("its sender writes too much") from None
        token = letter.token
        game = (token.game or None) if token else None
        now = self.tables.desk.now()
        noted = await self.tables.mail.begin_letter(
            MailRecord(letter.key, person.person, "letter", now, game, number=token.version if token else 0)
        )
        if noted.kind != "letter":
            return "known"
        self._in_hand.add(person.person)
        try:
            await self._obey(letter, person, noted)
        finally:
            self._in_hand.discard(person.person)
        return "answered"

    async def _obey(self, letter: Letter, person: PersonRecord, noted: MailRecord) -> None:
        """Do what a letter says, and keep the answer."""
        speak(person.language)
        version = noted.number if noted.game else None
        try:
            person = await self.tables.mail.believe(person.person)
            answer = await self.clerk.obey(letter, person.person, noted.game, version, noted)
        except Refusal as refusal:
            answer = Answer([refused(refusal)], None)
        await self._answer(letter, person, noted, answer)

    async def _writer_of(self, letter: Letter) -> tuple[PersonRecord | None, bool]:
        """Who has written: the person who was given the token and has the address; without one, a person for whom the mail
        server vouches. Where somebody else has named an address as theirs, nothing but an answer to the mail that asks
        proves that. A stranger is sent a letter that they can answer; whether they were.

        :raises Ignored: the token is not theirs, or too many strangers write.
        """
        known = await self.tables.mail.people_at(letter.sender)
        token = letter.token
        if token is not None:
            fitting = [one for one in known if self.keys.fits(token, one.person, one.address)]
            if not fitting:
                raise Ignored("its token does not belong to its sender")
            return fitting[0], False
        is_true = letter.verdict is Verdict.TRUE
        own = [one for one in known if one.mail != "asked" or one.person.startswith(BY_MAIL)]
        if is_true and own:
            return next((one for one in own if one.mail != "asked"), own[0]), False
        try:
            self.strangers.admit("everybody")
        except TooFast:
            raise Ignored("too many strangers write") from None
        try:
            found = await self.tables.mail.ask_at(letter.sender, is_vouched_for=is_true)
        except Refusal:
            raise Ignored("its sender has no address") from None
        return (found, False) if is_true else (None, found is not None)

    async def _answer(self, letter: Letter, person: PersonRecord, noted: MailRecord, answer: Answer) -> None:
        """What a letter is answered waits to be sent from now on."""
        now = self.tables.desk.now()
        is_silent = answer.is_silent or not (await self.tables.mail.person(person.person)).address
        await self.tables.mail.answer_letter(
            MailRecord(
                letter.key,
                person.person,
                answer.kind,
                noted.made_at,
                answer.game,
                number=noted.number,
                lines=list(answer.lines),
                sent_at=now if is_silent else None,
                reference=letter.message or None,
            )
        )

    async def _came_back(self, message: str) -> str:
        """A mail could not be delivered: its receiver is sent nothing any more until he writes."""
        sent = await self.tables.mail.sent_as(message) if message else None
        if sent is None:
            log.info("a mail came back that nobody here has sent")
            return "ignored"
        try:
            await self.tables.mail.wish(sent.person, "nothing")
        except Refusal:
            await self.tables.mail.forget_address(sent.person)
        log.warning("a mail came back; its receiver is sent nothing any more", extra={"game": sent.game})
        return "came back"

    # -- mails out ------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Send until cancelled; what cannot be sent now is tried again later."""
        retry, tidied = FIRST_RETRY / 2, -TIDY
        while not self.is_over:
            self._wake.clear()
            try:
                await self.flush()
                if time.monotonic() - tidied > TIDY:
                    tidied = time.monotonic()
                    await self.tables.mail.tidy()
                retry, pause = FIRST_RETRY / 2, LOOK
            except handing_in.UNREACHABLE as error:
                retry = pause = min(retry * 2, LONGEST_RETRY)
                log.warning("mails wait, next attempt in %.0f s: %s", pause, handing_in.told(error))
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
            person = await self.tables.mail.person(mails[0].person)
            try:
                sent += await self._send(person, mails)
            except NotNow as error:
                log.warning("a mail is not taken now (%s)", error, extra={"game": mails[0].game})
                await self._put_off(mails)
        return sent

    async def _put_off(self, mails: Sequence[MailRecord]) -> None:
        """Try these again later, others meanwhile; after days no more."""
        if self.tables.desk.now() - mails[0].made_at > GIVEN_UP.total_seconds():
            await self.tables.mail.mark_sent(mails, "given up")
            return
        wait = min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(mails[0].attempts, 20))
        self._stuck |= {mail.id: time.monotonic() + wait for mail in mails}

    async def _next(self) -> list[MailRecord] | None:
        """What is to be sent next as one mail; None where nothing is to be sent now. It is looked up each time: while one is
        sent, more may come to another."""
        self._stuck = {mail: until for mail, until in self._stuck.items() if until > time.monotonic()}
        waiting = await self.tables.mail.waiting(self._stuck.keys())
        if not waiting or self.is_over:
            return None
        people = {one.person: one for one in await self.tables.mail.readers()}
        now = self.tables.desk.clock()
        held = {
            one.person for one in people.values() if is_quiet(now, seat_like(one)) or is_early(one, now.timestamp())
        }
        for mails in gathered(waiting, people):
            is_asked_for = any(mail.kind in ASKED_FOR for mail in mails)
            if mails[0].person not in self._in_hand and (is_asked_for or mails[0].person not in held):
                return mails
        return None

    async def _send(self, person: PersonRecord, mails: Sequence[MailRecord]) -> int:
        """Send what these say as one mail, if it is still to be said; how many mails that made."""
        draft = await self._drafted(person, mails)
        if draft is None:
            await self.tables.mail.mark_sent(mails, "nothing to say")
            return 0
        mail = built(draft, self.settings.address, person.address, self.tables.desk.clock())
        await self.outgoing.open()
        await self.tables.mail.begin_sending(mails)
        try:
            await self.outgoing.send(mail, person.address)
        except NotTaken as error:
            log.warning("a mail is not taken (%s)", error, extra={"game": mails[0].game})
            await self.tables.mail.mark_sent(mails, f"refused {error}")
            return 0
        await self.tables.mail.mark_sent(mails, str(mail["Message-ID"]))
        if person.mail == "digest" and is_digest(mails):
            await self.tables.mail.written_to(person.person)
        log.info("sent", extra={"game": mails[0].game, "mails": len(mails)})
        return 1

    async def _drafted(self, person: PersonRecord, mails: Sequence[MailRecord]) -> Draft | None:
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
        except (StoreDamaged, Refusal, ArithmeticError, LookupError, TypeError, ValueError) as error:
            # It will not be better soon: what was done is told without the table, and others are written to.
            log.exception("a mail cannot be written: %s", type(error).__name__, extra={"game": mails[0].game})
            return await self.writer.draft(person, mails, is_bare=True)


def gathered(waiting: Sequence[MailRecord], people: dict[str, PersonRecord]) -> list[list[MailRecord]]:
    """What waits, each list to become one mail: by person and game; for whoever wishes a digest what he has not asked for
    himself together."""
    groups: dict[tuple[str, int | None, str], list[MailRecord]] = {}
    for mail in waiting:
        person = people.get(mail.person)
        is_for_digest = person is not None and person.mail == "digest" and mail.kind not in ASKED_FOR
        key = (mail.person, None, "digest") if is_for_digest else (mail.person, mail.game, "")
        groups.setdefault(key, []).append(mail)
    return list(groups.values())


def is_digest(mails: Sequence[MailRecord]) -> bool:
    """Whether nobody has asked for any of these."""
    return all(mail.kind not in ASKED_FOR for mail in mails)


def wishes(person: PersonRecord, mail: MailRecord) -> bool:
    """Whether somebody wishes to be sent such a mail."""
    return person.mail in ("turns", "digest") or (person.mail == "reminders" and mail.kind == "reminder")


def seat_like(person: PersonRecord) -> SeatRecord:
    """A person's quiet hours as those of a seat."""
    return SeatRecord(0, 1, person.person, "", person.zone, person.quiet_from, person.quiet_to)


def is_early(person: PersonRecord, now: float) -> bool:
    """Whether it is too early for somebody's next digest."""
    return person.mail == "digest" and now - (person.written_at or 0.0) < DAY.total_seconds()
