"""What is written to somebody: whatever waits for him about one game becomes one mail, with the table as it stands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.engine.ids import PlayerId, seat
from bot.engine.message import Message, said
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.engine.refusals import IllegalMove
from bot.i18n import LANGUAGES, say, shown, speaking, spoken
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed, Renderer
from bot.service.features.board_links import play_address
from bot.service.game_service import GameService, GameSession
from bot.service.parser.suggestions import help_lines
from bot.service.sessions.queries import PendingPlayer, Status
from bot.service.views.position_text import status_text
from bot.service.views.report import report_text
from bot.service.views.turn_text import news, purse_line, turn_text
from bot.store import MailRecord, Notice, PersonRecord, SeatRecord

from .compose import MailDraft, Section
from .letters.reply_tokens import ReplyToken, day_of, with_token
from .signatures import AddressSigner

log = logging.getLogger("signalbox.mail")

COMMANDS: tuple[str, ...] = (
    "Reply with your move in the first lines. Write several moves one per line; either all are made or none.",
    "status, map, market, log, company VR: answered immediately",
    "try MOVES: what they would do, without making them",
    "undo; auto pass until sale; snooze 24; vote yes",
    "turns, digest, reminders or stop: which mails you get",
    "new 1848 YOURNAME; games; help: everything that can be written",
)
"""What stands below mails about a game that is played; the last two below all but the first to an address."""

ASKING = ("turn", "reminder")
HOUR = 3600.0
MOST_PAINTED = 12
"""So many pictures are kept for whoever is written to next."""


class NotificationBuilder:
    """Writes drafts."""

    def __init__(
        self, tables: GameService, studio: Renderer, keys: AddressSigner, own_address: str, pages: str = ""
    ) -> None:
        self.tables, self.studio, self.keys = tables, studio, keys
        self.own_address, self.pages = own_address, pages
        self._painted: dict[tuple[int, int, str, str], Picture] = {}

    async def draft(self, person: PersonRecord, mails: Sequence[MailRecord], is_bare: bool = False) -> MailDraft | None:
        """What these mails, all about one game or about none, say together; None where none of it is to be said any more.
        A bare one does not show the table.

        :raises StoreError: the database did not answer.
        """
        game = mails[0].game
        try:
            table = await self.tables.desk.table(game) if game else None
        except IllegalMove:
            table = None
        language = person.language or (table.record.language if table else "")
        with speaking(language):
            if table is None:
                return await self._alone(person, mails)
            return await self._about(person, table, mails, is_bare)

    async def digest(self, person: PersonRecord, mails: Sequence[MailRecord]) -> MailDraft | None:
        """Once a day: which games wait for somebody, and where he answers each; None where none does."""
        with speaking(person.language):
            blocks = []
            for status in await self.tables.looking.games_of(person.person):
                if status.waits_for(person.person):
                    token = self.keys.token(person.person, person.address, status.record.id, status.record.version)
                    blocks.append(await self._of_digest(status, person.person, token))
            if not blocks:
                return None
            title = say("Games that wait for you: {count}", len(blocks))
            return self._mail(person, mails, say("Games that wait for you"), title, blocks)

    async def _of_digest(self, status: Status, person: str, token: ReplyToken) -> Section:
        waiting = next(one for one in status.waiting if one.seat.person == person)
        told = say("To play, write to: {address}", with_token(self.own_address, token))
        link = await self._link(status.record.id, person)
        lines = (say(status.question), *self._how_long([waiting]), told, *link)
        return Section(subject_of(status.record.id, status.record.title), lines)

    async def _link(self, game: int, person: str) -> list[str]:
        """The link to somebody's own board page, where pages are served."""
        if not self.pages:
            return []
        token = await self.tables.links.of_mails(game, person, lambda made_at: self.keys.link(person, game, made_at))
        return [
            say("Your board in the browser, where you can also play; this link is only for you:"),
            play_address(self.pages, token),
        ]

    # -- one game -------------------------------------------------------------------------------------

    async def _about(
        self, person: PersonRecord, table: GameSession, mails: Sequence[MailRecord], is_bare: bool
    ) -> MailDraft | None:
        number, own = table.record.id, [one for one in table.seats if one.person == person.person]
        answers = [mail for mail in mails if mail.kind in ("answer", "told") and mail.notice is None]
        asked = [held for held in own if is_asked(table, held)]
        is_asking = bool(asked) and any(mail.kind in ASKING for mail in mails)
        told = await self._told(person, table, mails) if own else []
        if not (answers or told or is_asking):
            return None
        lines = [line for mail in answers for line in words(mail.lines, table)]
        blocks = [Section("", tuple(lines))] if lines else []
        if told:
            blocks.append(Section("", tuple(told)))
        title = subject_of(number, table.record.title)
        is_played = table.game is not None and table.record.status != "finished"
        pictures: tuple[Picture, ...] = ()
        if table.game is not None and own and not is_bare:
            self.tables.desk.check(table, person.person, "mail")
            is_reminder = any(mail.kind == "reminder" for mail in mails)
            title, more = await self._position(table, table.game, asked, own, is_reminder)
            blocks += more
            pictures = await self._pictures(table, table.game)
        elif table.game is None:
            blocks.append(lobby_block(table, self.tables.desk.title(table.record.title)))
        return self._mail(
            person,
            mails,
            subject_of(number, self.tables.desk.title(table.record.title).name),
            title,
            blocks,
            number,
            table.record.version,
            pictures,
            footer=COMMANDS if is_played else COMMANDS[-2:],
        )

    async def _told(self, person: PersonRecord, table: GameSession, mails: Sequence[MailRecord]) -> list[str]:
        """What notices to this person, or to all, say."""
        lines: list[str] = []
        notices = await self.tables.mail.notices_of(mails)
        for mail in mails:
            notice = notices.get(mail.notice or 0)
            if notice is None or mail.kind in ASKING:
                continue
            if mail.kind == "question":
                lines += await self._question(notice, person.person)
            elif mail.kind == "board" and table.record.status == "finished":
                lines.append(say("The game is over."))
            else:
                lines += shown([line for line in notice.lines if isinstance(line, Message)], table.names)
        return list(dict.fromkeys(lines))

    async def _question(self, notice: Notice, person: str) -> list[str]:
        """What the table is asked, if this person has not answered yet."""
        number, *people = map(str, notice.lines)
        poll = await self.tables.votes.open_poll(notice.game, int(number)) if person in people else None
        if poll is None:
            return []
        return [poll.text, say("Answer with: vote yes, or: vote no.")]

    async def _position(
        self, table: GameSession, game: Game, asked: Sequence[SeatRecord], own: Sequence[SeatRecord], is_reminder: bool
    ) -> tuple[str, list[Section]]:
        """How the table stands, for whoever sits there: what he is asked, what has happened, what he can do."""
        number = table.record.id
        if game.state.finished or table.record.status == "finished":
            return say("The game is over."), [Section("", lines_of(report_text(game)))]
        entries = await self.tables.looking.since_last_turn(number, own[0].person)
        status = await self.tables.looking.status(number)
        blocks: list[Section] = []
        players: list[PlayerId] = [seat(held.number) for held in asked]
        title = say(status.question)
        if is_reminder and asked:
            waiting = [one for one in status.waiting if one.seat.number in {held.number for held in asked}]
            blocks.append(Section("", (say("Reminder: the table is waiting for you."), *self._how_long(waiting))))
        for player in players:
            title, *rest = lines_of(turn_text(game, player))
            blocks.append(Section("", tuple(rest)))
        if not players:
            blocks.append(Section("", lines_of(purse_line(game, seat(own[0].number)))))
        if happened := news(entries):
            blocks.append(
                Section(say("Since your last turn:"), lines_of("\n".join(happened).replace("/log", "log")), "list")
            )
        if players:
            blocks += await asyncio.to_thread(moves_blocks, game.copy(), players)
            blocks.append(Section("", tuple(await self._link(number, own[0].person))))
        blocks.append(Section(say("The table"), lines_of(status_text(game))))
        return title, blocks

    def _how_long(self, waiting: Iterable[PendingPlayer]) -> list[str]:
        """For how long somebody has been waited for, once it is an hour."""
        now = self.tables.desk.clock()
        hours = max((round((now - one.since).total_seconds() / HOUR) for one in waiting), default=0)
        if hours == 1:
            return [say("The table has been waiting for you for an hour.")]
        return [say("The table has been waiting for you for {hours} hours.", hours)] if hours else []

    async def _pictures(self, table: GameSession, game: Game) -> tuple[Picture, ...]:
        """Map and market, painted once for all who are written to about a position; the mail goes without what cannot be
        painted."""
        found = []
        for kind in ("map", "market"):
            key = (table.record.id, table.record.version, kind, spoken())
            try:
                if key not in self._painted:
                    self._painted[key] = await self.studio.picture(game, kind)
            except PictureFailed as error:
                log.warning("a mail goes without a picture: %s", error)
            else:
                found.append(self._painted[key])
        while len(self._painted) > MOST_PAINTED:
            self._painted.pop(next(iter(self._painted)))
        return tuple(found)

    # -- about no game --------------------------------------------------------------------------------

    async def _alone(self, person: PersonRecord, mails: Sequence[MailRecord]) -> MailDraft | None:
        lines = [line for mail in mails for line in words(mail.lines, None)]
        files, footer = [], COMMANDS[-2:]
        if any(mail.kind == "welcome" for mail in mails):
            lines += welcome()
            footer = ()
        if any(mail.kind == "data" for mail in mails):
            files.append(("signalbox-data.json", await self.tables.privacy.personal_data(person.person)))
        if not lines and not files:
            return None
        return self._mail(
            person, mails, "Signalbox", lines[0], [Section("", tuple(lines[1:]))], files=files, footer=footer
        )

    def _mail(
        self,
        person: PersonRecord,
        mails: Sequence[MailRecord],
        subject: str,
        title: str,
        blocks: Sequence[Section],
        game: int = 0,
        version: int = 0,
        pictures: Sequence[Picture] = (),
        files: Sequence[tuple[str, bytes]] = (),
        footer: Sequence[str] = COMMANDS[-2:],
    ) -> MailDraft:
        letter = next((mail.reference for mail in reversed(mails) if mail.kind == "answer" and mail.reference), "")
        stop = self.keys.token(person.person, person.address, 0, day_of(self.tables.desk.now()))
        return MailDraft(
            self.keys.name_of(mails[0].key),
            subject,
            title,
            [replace(block, lines=lines) for block in blocks if (lines := without(title, block.lines))],
            self.keys.token(person.person, person.address, game, version) if game else stop,
            stop,
            self.keys.name_of(f"game-{game}-{person.person}") if game else "",
            letter or "",
            pictures,
            files,
            tuple(map(say, footer)),
            any(mail.kind == "answer" for mail in mails),
            spoken(),
        )


def words(lines: Iterable[Message | str], table: GameSession | None) -> list[str]:
    """Lines of an answer, as its reader reads them."""
    names = table.names if table else {}
    return [shown([line], names)[0] if isinstance(line, Message) else line for line in lines]


def without(title: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines of a mail that its title does not say already."""
    return tuple(line for line in lines if line != title)


def lines_of(text: str) -> tuple[str, ...]:
    """A text in the reader's language, line by line, without empty ones."""
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def moves_blocks(game: Game, players: Sequence[PlayerId]) -> list[Section]:
    """What these players can do now, with what it costs, as lines to copy."""
    blocks: list[Section] = []
    heading, moves = "", []
    for line in [*help_lines(game, players), ""]:
        if line.startswith("    "):
            moves.append(line.strip())
            continue
        if moves:
            blocks.append(Section(heading, tuple(moves), "moves"))
        heading, moves = line, []
    return blocks


def lobby_block(table: GameSession, title: Title) -> Section:
    """Who has come to a lobby, and how to go on."""
    names = ", ".join(held.name for held in table.seats)
    return Section(
        "",
        (
            say("At the table: {names}.", names) if names else say("Nobody has joined yet."),
            say("{title} is for {least} to {most} players.", title.name, title.players.start, title.players.stop - 1),
            say("The opener can write: invite, computer, option NAME=CHOICE, start."),
        ),
    )


def welcome() -> list[str]:
    """The first letter to an address: whoever answers it, reads it."""
    languages = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
    return shown(
        [
            said("Someone wrote to Signalbox from this address."),
            said("Was it you? Then reply with what you want; a reply proves that the address is yours."),
            said("To join friends, write the line their opener received: join 3 CODE YOURNAME"),
            said("To open a game: new 1848 YOURNAME"),
            said("To change the language, for example: language de. Languages: {languages}", languages),
            said(
                "It was not you? Then do nothing: the address is forgotten in a week, and asked more and more seldom while somebody uses it."
            ),
        ],
        {},
    )


def subject_of(game: int, title: str) -> str:
    """The subject of all mails about a game."""
    return say("Game {number}: {title}", game, title)


def is_asked(table: GameSession, held: SeatRecord) -> bool:
    """Whether the game waits for a seat."""
    return table.record.status == "running" and table.game is not None and seat(held.number) in table.game.asked()
