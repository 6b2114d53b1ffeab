"""The post office: letters in, mails out, each exactly once, through all failures in between."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.addresses import domain_of, reader_of
from bot.engine import Rejected, msg
from bot.i18n import set_reader_language, tr_error
from bot.ops.rate_limit import RateLimited, RateLimiter
from bot.ops.settings import MailSettings
from bot.render.worker import Renderer
from bot.service.features.mail import BACK, BY_MAIL, MOST_WITHOUT_MOVES, goes_to
from bot.service.game_service import GameService
from bot.service.imports.fair_queue import ShuttingDown
from bot.store import MailKind, MailRecord, PersonRecord, StoreError
from bot.threads import run_in_thread

from .handler import MailAnswer, MailCommandHandler
from .incoming_mail import Ignored, IncomingMail
from .letters.delivery_reports import DeliveryReport
from .letters.limits import SlowSenders, sender_of
from .letters.reply_tokens import ReplyToken, find_tokens
from .letters.sender_verdicts import SenderVerdict
from .notifications import NotificationBuilder
from .reader import MailReader
from .request import MailDoor
from .sender import MailSender
from .signatures import AddressSigner
from .smtp import SmtpClient

log = logging.getLogger("signalbox.mail")

STRANGERS_A_MINUTE, STRANGERS_AT_ONCE = 3, 60
"""Number of new addresses, without a mail server vouching for them, that get a letter: forged senders make the bot
write to no more.
"""

OF_A_DOMAIN, OF_A_DOMAIN_AT_ONCE = 1, 20
"""The same for new addresses of one domain, separately for addresses that are vouched for."""

OTHERS_A_MINUTE = 10
"""Number of letters with other addresses' tokens that are checked, per domain."""


MOST_TOKENS = 3
"""Maximum number of a letter's addresses that are searched for a seal."""


class LetterOutcome(StrEnum):
    ANSWERED = "answered"
    WELCOMED = "welcomed"
    """Its writer, so far a stranger, was asked whether the address is theirs."""
    KNOWN = "known"
    """It has been handled before."""
    CAME_BACK = "came back"
    """It reports that a mail could not be delivered."""
    IGNORED = "ignored"


@dataclass(frozen=True)
class Envelope:
    """The facts about a letter before it is read: its sender as far as they cannot vary it (`reader`, `domain`), and
    whether it answers a mail of ours from an address of its receiver. Nothing is obeyed because of it."""

    reader: str
    domain: str
    is_sealed: bool = False

    @property
    def share(self) -> str:
        """The share of time that reading it counts to. A sender who writes in the name of others does not know the
        sealed addresses to which these answer."""
        return f"{self.reader} {self.is_sealed}"


class MailGateway:
    """Receives letters and sends mails. `wake` it after a commit."""

    def __init__(
        self,
        tables: GameService,
        settings: MailSettings,
        keys: AddressSigner,
        studio: Renderer,
        doorman: RateLimiter,
        pages: str = "",
        outgoing: SmtpClient | None = None,
        reader: MailReader | None = None,
    ) -> None:
        door = MailDoor(tables, pages, settings.address)
        writer = NotificationBuilder(door, studio, keys)
        self.tables, self.settings = tables, settings
        self.sender = MailSender(tables, settings, writer, outgoing or SmtpClient(settings))
        self.keys, self.doorman = keys, doorman
        self.handler = MailCommandHandler(door)
        self.strangers = RateLimiter(STRANGERS_A_MINUTE, STRANGERS_AT_ONCE)
        self.domains = RateLimiter(OF_A_DOMAIN, OF_A_DOMAIN_AT_ONCE)
        self.others = RateLimiter(OTHERS_A_MINUTE, OF_A_DOMAIN_AT_ONCE)
        self.reader = reader or MailReader(settings.address, settings.authority)
        self.shares = SlowSenders()

    async def envelope_of(self, head: bytes) -> Envelope:
        """The facts in a letter's headers.

        :raises StoreError: the database does not answer.
        """
        sender = sender_of(head)
        tokens = find_tokens(head.decode("latin-1"), self.settings.address)[:MOST_TOKENS] if sender else []
        is_sealed = bool(tokens) and await self._holder_of(tokens, sender) is not None
        return Envelope(reader_of(sender), domain_of(sender), is_sealed)

    async def _holder_of(self, tokens: Sequence[ReplyToken], sender: str) -> PersonRecord | None:
        """The person with the sender's address, or whose other address that is, who was given one of the tokens."""
        for find in (self.tables.mail.people_at, self.tables.mail.people_with_alias):
            for one in await find(sender):
                if any(self._is_given(token, one, sender) for token in tokens):
                    return one
        return None

    def _is_given(self, token: ReplyToken, person: PersonRecord, sender: str) -> bool:
        """Whether a person was given the token; from another address of theirs they answer what went to the first."""
        address = person.address if sender in person.also.split() else sender
        return self.keys.verify(token, person.person, address)

    async def receive(self, raw: bytes, envelope: Envelope | None = None) -> LetterOutcome:
        """Handle a letter. Afterwards it may be marked as read.

        :raises StoreError: the database did not take it; try again.
        :raises BrokenProcessPool: no process can be started to read it; likewise.
        """
        envelope = envelope or await self.envelope_of(raw)
        found = await self.reader.read(raw, envelope.is_sealed)
        self.shares.note(envelope.share, found.seconds)
        try:
            if found.returned is not None:
                outcome = await self._handle_bounce(found.returned)
            elif found.letter is None or found.ignored is not None:
                raise Ignored(found.ignored or "it holds nothing")
            else:
                outcome = await self._receive_letter(found.letter)
        except Ignored as ignored:
            log.info("a letter is left alone: %s", ignored)
            outcome = LetterOutcome.IGNORED
        if outcome in (LetterOutcome.ANSWERED, LetterOutcome.WELCOMED):
            await self.sender.wake()
        return outcome

    async def _receive_letter(self, letter: IncomingMail) -> LetterOutcome:
        person, is_new = await self._writer_of(letter)
        if person is None:
            return LetterOutcome.WELCOMED if is_new else LetterOutcome.IGNORED
        try:
            self.doorman.acquire(person.person)
            self.doorman.acquire(f"mailbox {reader_of(person.address or letter.sender)}")
        except ShuttingDown as leaving:
            raise StoreError(str(leaving)) from leaving
        except RateLimited:
            raise Ignored("its sender writes too much") from None
        token = letter.token
        game = (token.game or None) if token else None
        now = self.tables.desk.now()
        noted = await self.tables.mail.begin_letter(
            MailRecord(letter.key, person.person, MailKind.LETTER, now, game, number=token.version if token else 0)
        )
        if noted.kind != MailKind.LETTER:
            return LetterOutcome.KNOWN
        with self.sender.hold(person.person):
            await self._execute(letter, person, noted)
        return LetterOutcome.ANSWERED

    async def _execute(self, letter: IncomingMail, person: PersonRecord, noted: MailRecord) -> None:
        set_reader_language(person.language)
        version = noted.number if noted.game else None
        try:
            returned_at = person.returned_at
            person = await self.tables.mail.confirm_address(person.person, letter.sender)
            answer = await self.handler.handle(letter, person, noted.game, version, noted)
            if returned_at is not None:
                answer = replace(answer, lines=[*answer.lines, msg(BACK)])
        except Rejected as refusal:
            answer = MailAnswer([tr_error(refusal)], None)
        if not (answer.is_silent or answer.has_moved):
            answer = await self._limit_answers(person, letter.sender, answer)
        await self._answer(letter, person, noted, answer)

    async def _limit_answers(self, person: PersonRecord, sender: str, answer: MailAnswer) -> MailAnswer:
        """The answer, or a silent answer after too many without a move: no exchange of mails with a program lasts."""
        left = await self.tables.mail.answers_left(person.person, person.address or sender)
        if left > 0:
            return answer
        told = msg(
            "This is answer {count} within a day to mails that made no move. Until tomorrow the bot carries out such mails, but does not answer them.",
            MOST_WITHOUT_MOVES,
        )
        return replace(answer, lines=[*answer.lines, told], is_silent=left < 0)

    async def _writer_of(self, letter: IncomingMail) -> tuple[PersonRecord | None, bool]:
        """The sender: the person who was given the token and has the address; without a token, a person for whom the
        mail server vouches. If somebody else has claimed an address as theirs, only an answer to the mail that asks
        proves it. A stranger gets a letter that they can answer; the bool says whether they did.

        :raises Ignored: the token is not theirs, or too many strangers write.
        """
        known = await self.tables.mail.people_at(letter.sender)
        if letter.token is not None:
            return await self._token_holder(letter, letter.token), False
        is_true = letter.verdict is SenderVerdict.TRUE
        proven = [one for one in known if one.address == letter.sender]
        new = [one for one in known if not one.address and one.person.startswith(BY_MAIL)]
        if is_true and (proven or new):
            return (proven or new)[0], False
        if not is_true and not await self.tables.mail.may_ask(letter.sender):
            raise Ignored("its sender was asked a short time ago")
        if not known and await self.tables.mail.is_crowded(letter.sender):
            raise Ignored("as many people as may share its mailbox do")
        if not proven:
            self._admit(letter.sender, is_true)
        try:
            found = await self.tables.mail.request_confirmation(letter.sender, is_vouched_for=is_true)
        except Rejected:
            raise Ignored("its sender has no address") from None
        return (found, False) if is_true else (None, found is not None)

    async def _token_holder(self, letter: IncomingMail, token: ReplyToken) -> PersonRecord:
        """The person who was given the token: of those with the sender's address, or whose other address that is.

        :raises Ignored: the token belongs to nobody, or to somebody who has not given this address.
        """
        if (holder := await self._holder_of([token], letter.sender)) is not None:
            return holder
        owner = await self._owner_of(token, letter.sender)
        if owner is None:
            raise Ignored("its token does not belong to its sender")
        await self.tables.mail.tell_of_alias(owner, letter.sender)
        await self.sender.wake()
        raise Ignored("it answers a mail to another address, which hears of that")

    def _admit(self, sender: str, is_true: bool) -> None:
        """Admit a new sender: a flood from one domain keeps out nobody else, and a flood of forged senders nobody
        for whom their mail server vouches.

        :raises Ignored: too many of them write.
        """
        try:
            self.domains.acquire(f"{domain_of(sender)} {is_true}")
            if not is_true:
                self.strangers.acquire("everybody")
        except RateLimited:
            raise Ignored("too many strangers write") from None

    async def _answer(self, letter: IncomingMail, person: PersonRecord, noted: MailRecord, answer: MailAnswer) -> None:
        now = self.tables.desk.now()
        record = await self.tables.mail.person(person.person)
        is_silent = answer.is_silent or not (record.address or record.asked)
        await self.tables.mail.queue_answer(
            MailRecord(
                letter.key,
                person.person,
                MailKind.ANSWER,
                noted.made_at,
                answer.game,
                number=noted.number,
                lines=[] if is_silent else list(answer.lines),
                attached=[] if is_silent else answer.attached,
                sent_at=now if is_silent else None,
                reference=letter.message or None,
            )
        )

    async def _handle_bounce(self, report: DeliveryReport) -> LetterOutcome:
        """Note that a mail could not be delivered; anything the report says about other recipients is ignored."""
        is_ours = report.message.endswith(f"@{self.settings.address.partition('@')[2]}>")
        sent = await self.tables.mail.mail_sent_as(report.message) if is_ours else None
        if sent is None:
            raise Ignored("it tells of a mail that nobody here has sent")
        if goes_to(await self.tables.mail.person(sent.person), [sent]) not in report.failed:
            raise Ignored("it tells of somebody else than the mail was sent to")
        if await self.tables.mail.note_return(sent, report.message):
            log.warning("mails come back; their receiver is sent nothing until they write", extra={"game": sent.game})
        return LetterOutcome.CAME_BACK

    async def _owner_of(self, token: ReplyToken, sender: str) -> PersonRecord | None:
        """The person to whom a token was written, from any address.

        :raises Ignored: too many ask.
        """
        try:
            self.others.acquire(domain_of(sender))
        except RateLimited:
            raise Ignored("too many of that domain write with tokens of others") from None
        readers = await self.tables.mail.readers()
        fitting = (one for one in readers if self.keys.verify(token, one.person, one.address))
        return await run_in_thread(next, fitting, None)
