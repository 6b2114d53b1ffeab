"""The addresses of people, the mails that they want, and the mails that still wait for them."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from datetime import timedelta
from hashlib import sha256

import msgspec

from bot.addresses import is_address, mailbox_of, reader_of
from bot.engine import NOBODY, GameId, IllegalMove, Message, PersonId, Rejected, msg, seat
from bot.metrics import MAILS_UNANSWERED
from bot.service.sessions import SessionManager, log
from bot.store import (
    DELIVERIES,
    Delivery,
    GameStatus,
    MailKind,
    MailRecord,
    Notice,
    NoticeKind,
    PersonRecord,
    StoreDamaged,
)

BY_MAIL = "mail:"
"""Prefix of the person of somebody who plays only by mail; the rest says nothing about them."""

STRANGERS_KEPT = timedelta(days=7)
"""How long an address is kept from which nobody has answered."""

WELCOME_SPACING = timedelta(days=1)
"""At most one letter is sent in this time to an address that has not answered yet; then in twice as long, and
so on.
"""

ASKING_SPACING = timedelta(hours=1)
"""How long somebody waits until they can name another address: nobody can make the bot write to many."""

COUNTED_WITHIN = timedelta(days=1)
MOST_EXPLAINED, MOST_WITHOUT_MOVES = 2, 40
"""How often in that time somebody gets the answer that the same text cannot be read, and an answer to a letter
that makes no move.
"""

DAY = timedelta(days=1)
MOST_ALIASES = 3

MOST_OF_A_MAILBOX = 5
"""Maximum number of people who share a mailbox, by what follows a plus sign for instance."""

MOST_RETURNED, RETURNING = 3, timedelta(days=2)
"""Number of mails that must have come back for good, and the time over which they were sent: a server that was
set up wrongly for an evening refuses many, and to forge that many reports somebody must have seen as many
mails.
"""

UNREACHED = (
    "Mail to {player} bounces. Nothing more is sent there until they write to the bot by mail or choose again "
    "which mails they get."
)
BACK = "Mail to you bounced for some time; from now on it is sent again."

MOST_WAITING = 1000
"""Maximum number of mails looked at together."""

MAILS_KEPT = timedelta(days=60)
"""How long the bot remembers that a letter has been obeyed: none is delivered later."""


class Mail:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    # -- addresses ----------------------------------------------------------------------------------

    async def people_at(self, address: str) -> list[PersonRecord]:
        """Everybody who has that address, or was asked at it and has not answered yet."""
        return await self.desk.store.mail.people_at(address)

    async def people_with_alias(self, address: str) -> list[PersonRecord]:
        """Everybody who has accepted answers from that address too."""
        return await self.desk.store.mail.people_with_alias(address)

    async def is_crowded(self, address: str) -> bool:
        """Whether a mailbox has as many people as one may have: somebody may write from many addresses of theirs."""
        known = await self.desk.store.mail.addresses_at(address.rpartition("@")[2])
        return sum(reader_of(one) == reader_of(address) for one in known) >= MOST_OF_A_MAILBOX

    async def readers(self) -> list[PersonRecord]:
        return await self.desk.store.mail.readers()

    async def receivers(self) -> list[PersonRecord]:
        """Everybody for whom a mail waits to be sent."""
        return await self.desk.store.mail.receivers()

    async def person(self, person: PersonId) -> PersonRecord:
        return await self.desk.store.people.find(person)

    async def request_confirmation(
        self, address: str, person: PersonId = NOBODY, is_vouched_for: bool = False
    ) -> PersonRecord | None:
        """Send one letter to ask the reader of an address whether it is theirs; a proven address stays until they have
        answered. Without a `person` they are new, and have written from there. None when the address, or the
        person, was asked a short time ago. An address that is vouched for gets no letter.

        :raises IllegalMove: it is no address.
        """
        address = check_address(address)
        now = self.desk.now()
        await self.desk.store.mail.drop_strangers(now - STRANGERS_KEPT.total_seconds())
        known = await self.desk.store.mail.people_at(address)
        own = await self.person(person) if person else None
        if own is not None and now - (own.asked_at or 0.0) < ASKING_SPACING.total_seconds():
            return None
        if not is_vouched_for and not await self.may_ask(address):
            return None
        mine = (one for one in known if (one.person == person if person else one.person.startswith(BY_MAIL)))
        record = next(mine, None) or own or PersonRecord(PersonId(f"{BY_MAIL}{secrets.token_hex(8)}"))
        if record.address != address:
            record = msgspec.structs.replace(record, asked=address, asked_at=now)
            await self.desk.store.people.save(record)
        if not is_vouched_for:
            asked = await self._unanswered_requests(address)
            asked = msgspec.structs.replace(asked, number=asked.number + 1, made_at=now, sent_at=now)
            await self.desk.store.mail.save_letter(asked)
            key = f"welcome-{secrets.token_hex(16)}"
            await self.desk.store.mail.add(MailRecord(key, record.person, MailKind.WELCOME, now))
        return record

    async def may_ask(self, address: str) -> bool:
        """Whether an address may be asked again. Unless it answers, the pause doubles each time: somebody who forges
        senders has the bot write to few, and seldom.
        """
        asked = await self._unanswered_requests(address)
        spacing = min(WELCOME_SPACING.total_seconds() * 2.0 ** min(asked.number - 1, 9), MAILS_KEPT.total_seconds())
        return not asked.number or self.desk.now() - asked.made_at >= spacing

    async def _unanswered_requests(self, address: str) -> MailRecord:
        """How often an address was asked without an answer, and when last."""
        now = self.desk.now()
        record = MailRecord(ask_key(address), NOBODY, MailKind.COUNTED, now, sent_at=now)
        return await self.desk.store.mail.begin_letter(record)

    async def confirm_address(self, person: PersonId, address: str) -> PersonRecord:
        """Note that somebody has written from an address of theirs. If they were asked to confirm it, it is proven
        now, and replaces another address. People who play in Discord then get reminders by mail, others every turn,
        until they wish otherwise.

        :raises IllegalMove: somebody else has proven that it is theirs.
        """
        record = await self._reset_returns(await self.person(person))
        if not record.asked or record.asked != address:
            return record
        if any(one.address == address for one in await self.people_at(address) if one.person != person):
            raise IllegalMove("Someone already uses this address.")
        wish = record.mail or ("turns" if person.startswith(BY_MAIL) else "reminders")
        record = msgspec.structs.replace(record, address=address, mail=wish, asked="", asked_at=None)
        await self.desk.store.people.save(record)
        await self.desk.store.mail.forget_letter(ask_key(address))
        return record

    async def set_delivery(self, person: PersonId, wish: str) -> None:
        """Set what a person is sent from now on.

        :raises IllegalMove: that cannot be wished, or nobody has answered from their address.
        """
        if wish not in DELIVERIES:
            raise IllegalMove("Choose which mails you get: {choices}.", "", ", ".join(DELIVERIES))
        record = await self.person(person)
        if not record.mail:
            raise IllegalMove("You have no confirmed address.")
        record = await self._reset_returns(record)
        await self.desk.store.people.save(msgspec.structs.replace(record, mail=wish, written_at=None))

    async def forget_address(self, person: PersonId) -> None:
        record = msgspec.structs.replace(
            await self.person(person),
            address="",
            mail="",
            written_at=None,
            returned_at=None,
            also="",
            asked="",
            asked_at=None,
        )
        await self.desk.store.people.save(record)

    async def is_reminded(self, person: PersonId) -> bool:
        """Whether a person gets reminders by mail, and so nowhere else."""
        record = await self.person(person)
        return record.mail in (Delivery.TURNS, Delivery.DIGEST, Delivery.REMINDERS) and record.returned_at is None

    # -- mails that come back, and other addresses ----------------------------------------------------

    async def note_return(self, sent: MailRecord, message: str) -> bool:
        """Note that the mail sent under that Message-ID will never reach its receiver. Returns whether too many have
        failed: then nothing is sent to them until they write, and their tables hear of it once. An address from which
        nobody has answered is forgotten.
        """
        await self.desk.store.mail.mark_returned(message)
        record = await self.person(person := sent.person)
        if record.asked and goes_to(record, [sent]) == record.asked:
            await self.desk.store.people.save(msgspec.structs.replace(record, asked="", asked_at=None))
            return False
        returned = (await self.desk.store.mail.returns(person)).values()
        is_lost = len(returned) >= MOST_RETURNED and max(returned) - min(returned) >= RETURNING.total_seconds()
        if not is_lost or record.returned_at is not None:
            return False
        await self.desk.store.people.save(msgspec.structs.replace(record, returned_at=self.desk.now()))
        for game in await self.desk.store.games.list_of(person):
            if game.status != GameStatus.FINISHED:
                own = [one.number for one in await self.desk.store.games.seats(game.id) if one.person == person]
                for number in own[:1]:
                    await self._tell_table(game.id, msg(UNREACHED, seat(number)))
        return True

    async def is_lost(self, person: PersonId) -> bool:
        """Whether nothing is sent to a person because mails came back."""
        return (await self.person(person)).returned_at is not None

    async def _reset_returns(self, record: PersonRecord) -> PersonRecord:
        """Forget earlier returned mails, since somebody has written or has chosen what they are sent."""
        if await self.desk.store.mail.returns(record.person):
            await self.desk.store.mail.forget_returns(record.person)
        if record.returned_at is not None:
            record = msgspec.structs.replace(record, returned_at=None)
            await self.desk.store.people.save(record)
        return record

    async def tell_of_alias(self, owner: PersonRecord, address: str) -> None:
        """Inform the known address, once a day, that a mail was answered from another address."""
        if not is_address(address):
            return
        now = self.desk.now()
        key = f"alias-{owner.person}-{int(now // DAY.total_seconds())}"
        lines: list[Message | str] = [
            msg("A reply to your mail came from another address, {address}. Nothing was done.", address),
            msg("Is that address also yours? Then reply with the line below. Otherwise do nothing."),
            " ".join(("also", address)),
        ]
        await self.desk.store.mail.add(MailRecord(key, owner.person, MailKind.ANSWER, now, lines=lines))

    async def add_alias(self, person: PersonId, address: str) -> list[str]:
        """Accept a person's answers from that address too; `none` ends that for all of them. Returns all such
        addresses. Mails are sent only to the first address.

        :raises IllegalMove: it is no address, or there are too many.
        """
        record = await self.person(person)
        known = [] if address.strip().lower() == "none" else [*record.also.split(), check_address(address)]
        known = list(dict.fromkeys(known))
        if len(known) > MOST_ALIASES:
            raise IllegalMove("You can have {limit} other addresses; to start over, write: also none", "", MOST_ALIASES)
        await self.desk.store.people.save(msgspec.structs.replace(record, also=" ".join(known)))
        return known

    # -- letters ------------------------------------------------------------------------------------

    async def begin_letter(self, record: MailRecord) -> MailRecord:
        """Note that a letter is about to be obeyed; returns what is known of it: it may have been obeyed before, or
        begun.
        """
        return await self.desk.store.mail.begin_letter(record)

    async def may_explain(self, person: PersonId, text: str) -> bool:
        """Whether somebody is answered once more that this text cannot be read. Each time that is said counts."""
        return await self._count(person, text) <= MOST_EXPLAINED

    async def answers_left(self, person: PersonId, address: str) -> int:
        """Count an answer to a letter that made no move: an automatic responder would go on for ever. Returns how many
        more are sent that day to the mailbox of that address; below 0 this answer is not sent.
        """
        left = MOST_WITHOUT_MOVES - await self._count(person, "", reader_of(address))
        if left < 0:
            MAILS_UNANSWERED.inc()
        return left

    async def _count(self, person: PersonId, text: str, counted: str = "") -> int:
        """Count a text of somebody, or of their mailbox if that is `counted`."""
        now = self.desk.now()
        key = f"unread-{sha256(f'{counted or person} {text}'.encode()).hexdigest()}"
        found = await self.desk.store.mail.begin_letter(
            MailRecord(key, person, MailKind.COUNTED, now, number=1, sent_at=now)
        )
        if not found.id:
            return 1
        if now - found.made_at >= COUNTED_WITHIN.total_seconds():
            found = msgspec.structs.replace(found, made_at=now, sent_at=now, number=0)
        await self.desk.store.mail.save_letter(msgspec.structs.replace(found, number=found.number + 1))
        return found.number + 1

    async def queue_answer(self, record: MailRecord) -> None:
        """Note that a letter has been obeyed; its answer waits to be sent."""
        await self.desk.store.mail.save_letter(record)

    # -- mails --------------------------------------------------------------------------------------

    async def enqueue(self, person: PersonId, game_id: GameId, key: str, lines: Sequence[Message | str]) -> bool:
        """Queue a mail to somebody about a game, once, if they get mail; returns whether they do."""
        is_wanted = await self.gets_notices(person)
        if is_wanted:
            now = self.desk.now()
            await self.desk.store.mail.add(MailRecord(key, person, NoticeKind.TOLD, now, game_id, lines=list(lines)))
        return is_wanted

    async def gets_notices(self, person: PersonId) -> bool:
        """Whether somebody gets a mail for every notice, at once or once a day."""
        record = await self.person(person)
        return record.mail in (Delivery.TURNS, Delivery.DIGEST) and record.returned_at is None

    async def call(self, person: PersonId, game_id: GameId, version: int, key: str, line: Message) -> list[Notice]:
        """Tell somebody without a seat about a game: by a mail if they get mail, else by the direct message that is to be saved."""
        if await self.enqueue(person, game_id, key, [line]) or not person.startswith("discord:"):
            return []
        return [Notice(game_id, version, NoticeKind.CALL, [person, line], self.desk.now())]

    async def tell_of_unwritten(self, game_id: GameId) -> None:
        """Tell a table that a mail about its game was set aside."""
        await self._tell_table(
            game_id, msg("A mail about this game could not be written; its text is in the game's log.")
        )

    async def _tell_table(self, game_id: GameId, line: Message) -> None:
        """Tell everybody at a table something about their mails, wherever they play; nobody if the game cannot be opened."""
        try:
            table = await self.desk.table(game_id)
        except (Rejected, StoreDamaged) as error:
            log.warning("nobody hears of a mail: %s", error, extra={"game": game_id})
            return
        await self.desk.store.outbox.add(
            [Notice(game_id, table.record.version, NoticeKind.TOLD, [line], self.desk.now())]
        )
        await self.desk.notify(game_id)

    async def waiting_mails(self, without: Collection[int] = (), held: Collection[str] = ()) -> list[MailRecord]:
        """The mails still to be sent, oldest first, except the mails `without`, and those to people who are `held`
        unless they have asked for something.
        """
        return await self.desk.store.mail.list_waiting(MOST_WAITING, without, held)

    async def notices_of(self, mails: Sequence[MailRecord]) -> dict[int, Notice]:
        numbers = [mail.notice for mail in mails if mail.notice is not None]
        return {notice.id: notice for notice in await self.desk.store.outbox.list_by(numbers)}

    async def begin_sending(self, mails: Sequence[MailRecord]) -> None:
        """Note that these are about to be sent as one mail: after a crash they may have been sent."""
        await self.desk.store.mail.begin_sending([mail.id for mail in mails])

    async def mark_sent(self, mails: Sequence[MailRecord], reference: str) -> None:
        """Note that these have been sent; `reference` is the Message-ID, or says why there is none."""
        await self.desk.store.mail.mark_sent([mail.id for mail in mails], self.desk.now(), reference)

    async def mail_sent_as(self, message: str) -> MailRecord | None:
        return await self.desk.store.mail.find_sent_as(message)

    async def mark_digest_sent(self, person: PersonId) -> None:
        record = msgspec.structs.replace(await self.person(person), written_at=self.desk.now())
        await self.desk.store.people.save(record)

    async def prune(self) -> None:
        """Forget what was sent long ago, and addresses from which nobody has answered."""
        now = self.desk.now()
        await self.desk.store.mail.drop_old(now - MAILS_KEPT.total_seconds())
        await self.desk.store.mail.drop_strangers(now - STRANGERS_KEPT.total_seconds())


def check_address(address: str) -> str:
    """The address as it is kept.

    :raises IllegalMove: it is not an address.
    """
    address = address.strip().lower()
    if not is_address(address):
        raise IllegalMove("Mail cannot be sent to that address. Write an address like ann@example.org.")
    return address


def goes_to(person: PersonRecord, mails: Sequence[MailRecord]) -> str:
    """The address to which mails to a person go: an unproven address is asked there, also of somebody without a proven
    address."""
    is_asking = any(mail.kind == MailKind.WELCOME for mail in mails)
    return person.asked if person.asked and (is_asking or not person.address) else person.address


def ask_key(address: str) -> str:
    """The key under which requests to a mailbox are counted."""
    return f"asked-{sha256(mailbox_of(address).encode()).hexdigest()}"
