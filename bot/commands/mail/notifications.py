"""The mails to people: everything that waits for them about one game becomes one mail, with the table as it stands."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.engine import NO_GAME, GameId, IllegalMove, Message, PersonId, PlayerId, Rejected, msg, seat, seat_number
from bot.engine.play import Game, Title
from bot.i18n import LANGUAGES, current_language, tr, tr_lines, use_language
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed, Renderer
from bot.service.features.board_links import link_address
from bot.service.features.plans.offers import PlanOffer
from bot.service.game_service import GameSession
from bot.service.parser.suggestions import help_lines
from bot.service.registry.lobby_commands import lobby_lines
from bot.service.sessions import PendingPlayer, Status
from bot.service.views.clock_text import times_line
from bot.service.views.position_text import status_text
from bot.service.views.report import report_text
from bot.service.views.turn_text import cash_line, events_since, turn_text
from bot.store import GameStatus, LinkKind, MailKind, MailRecord, Notice, NoticeKind, PersonRecord, SeatRecord
from bot.threads import run_in_thread

from .compose import MailDraft, Section
from .letters.reply_tokens import ReplyToken, day_of, with_token
from .request import MailDoor, attached_reply
from .signatures import AddressSigner

log = logging.getLogger("signalbox.mail")

COMMANDS: tuple[str, ...] = (
    "Reply with your move in the first lines. Write several moves one per line; either all are made or none.",
    "status, map, market, log, company VR: answered immediately",
    "try MOVES: what they would do, without making them",
    "undo; auto pass until sale; snooze 24; vote yes",
    "turns, digest, reminders or stop: which mails you get",
    "new 1848 YOURNAME; games; help: everything you can write",
)
"""Footer of mails about a game in play; the last two lines for all but the first mail to an address."""

ASKING = (NoticeKind.TURN, NoticeKind.REMINDER)
HOUR = 3600.0
MOST_PICTURES, LARGEST_MAIL, LONGEST_NAME = 6, 10 * 2**20, 80
"""Pictures and bytes that come with a mail at the request of its reader, and letters of a file's name: many servers take no
mails of more than 20 MB, and a mail is longer than its files.
"""
MOST_OFFERS = 2
"""Plans that a turn's mail offers."""

MOST_PAINTED = 12
"""Number of pictures that are kept for the next recipients."""


@dataclass
class Attachments:
    """The attachments that the reader has asked for, up to `LARGEST_MAIL`; `left_out` are sentences about the rest."""

    pictures: list[Picture] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    size: int = 0

    def add_picture(self, picture: Picture) -> None:
        if self._has_room(picture.name, picture.png):
            self.pictures.append(picture)

    def add_file(self, name: str, content: bytes) -> None:
        if self._has_room(name, content):
            self.files.append((name, content))

    def _has_room(self, name: str, content: bytes) -> bool:
        if self.size + len(content) > LARGEST_MAIL:
            self.left_out.append(tr("{name} is too large for a mail.", name))
            return False
        self.size += len(content)
        return True

    def beside(self, pictures: Sequence[Picture]) -> tuple[Picture, ...]:
        """All pictures of a mail that shows these anyway."""
        return (*pictures, *(one for one in self.pictures if one not in pictures))


class NotificationBuilder:
    def __init__(self, door: MailDoor, studio: Renderer, keys: AddressSigner) -> None:
        self.door, self.tables, self.studio, self.keys = door, door.tables, studio, keys
        self.own_address, self.pages = door.own_address, door.pages
        self._painted: dict[tuple[int, int, str, str], Picture] = {}

    async def draft(self, person: PersonRecord, mails: Sequence[MailRecord], is_bare: bool = False) -> MailDraft | None:
        """The draft of these mails, all about one game or about none; None where there is nothing to say any more. A
        bare draft does not show the table.

        :raises StoreError: the database did not answer.
        """
        game = mails[0].game
        try:
            table = await self.tables.desk.table(game) if game else None
        except IllegalMove:
            table = None
        language = person.language or (table.record.language if table else "")
        with use_language(language):
            if table is None:
                return await self._general_draft(person, mails)
            return await self._game_draft(person, table, mails, is_bare)

    async def digest(self, person: PersonRecord, mails: Sequence[MailRecord]) -> MailDraft | None:
        """The daily digest: the games that wait for a person, and where to answer each, then the news of what they follow; None
        where there is neither.
        """
        with use_language(person.language):
            blocks = []
            for status in await self.tables.queries.games_of(person.person):
                if status.waits_for(person.person):
                    token = self.keys.token(person.person, person.address, status.record.id, status.record.version)
                    blocks.append(await self._digest_section(status, person.person, token))
            title = tr("Games waiting for you: {count}", len(blocks))
            followed = render_lines([line for mail in mails if mail.game is None for line in mail.lines], None)
            if not (blocks or followed):
                return None
            subject = tr("Games waiting for you") if blocks else followed[0].rstrip(":")
            if followed:
                title = title if blocks else subject
                blocks.append(Section(followed[0], tuple(followed[1:]), "list"))
            return self._mail(person, mails, subject, title, blocks)

    async def _digest_section(self, status: Status, person: PersonId, token: ReplyToken) -> Section:
        waiting = next(one for one in status.waiting if one.seat.person == person)
        told = tr("To play, write to: {address}", with_token(self.own_address, token))
        link = await self._link(status.record.id, person)
        lines = (tr(status.question), *self._waiting_time([waiting]), told, *link)
        return Section(subject_of(status.record.id, status.record.title), lines)

    async def _link(self, game_id: GameId, person: PersonId) -> list[str]:
        if not self.pages:
            return []
        token = await self.tables.links.mail_link_token(
            game_id, person, lambda made_at: self.keys.link(person, game_id, made_at)
        )
        return [
            tr("Your board in the browser, where you can also play; this link is only for you:"),
            link_address(self.pages, LinkKind.MAIL, token),
        ]

    # -- one game -------------------------------------------------------------------------------------

    async def _game_draft(
        self, person: PersonRecord, table: GameSession, mails: Sequence[MailRecord], is_bare: bool
    ) -> MailDraft | None:
        own = table.held_by(person.person)
        answers = [mail for mail in mails if mail.kind in (MailKind.ANSWER, NoticeKind.TOLD) and mail.notice is None]
        asked = [held for held in own if table.is_asked(held)]
        is_asking = bool(asked) and any(mail.kind in ASKING for mail in mails)
        told = await self._notice_lines(person, table, mails) if own else []
        if not (answers or told or is_asking):
            return None
        record, noun = table.record, self.tables.desk.title(table.record.title)
        attached = Attachments() if is_bare else await self._attachments(person, mails)
        blocks = news_sections(table, answers, told, attached.left_out)
        title = subject_of(record.id, record.title)
        pictures: tuple[Picture, ...] = ()
        if table.game is None:
            blocks.append(lobby_section(table, noun, blocks))
        elif own and not is_bare:
            self.tables.desk.check(table, person.person, "mail")
            title, more = await self._position(table, table.game, asked, own, mails)
            blocks += more
            pictures = await self._pictures(table, table.game)
        is_played = table.game is not None and record.status != GameStatus.FINISHED
        footer = COMMANDS if is_played else COMMANDS[-2:]
        subject, shown = subject_of(record.id, noun.name), attached.beside(pictures)
        return self._mail(
            person, mails, subject, title, blocks, record.id, record.version, shown, attached.files, footer=footer
        )

    async def _notice_lines(self, person: PersonRecord, table: GameSession, mails: Sequence[MailRecord]) -> list[str]:
        lines: list[str] = []
        notices = await self.tables.mail.notices_of(mails)
        for mail in mails:
            notice = notices.get(mail.notice or 0)
            if notice is None or mail.kind in ASKING:
                continue
            if mail.kind == NoticeKind.QUESTION:
                lines += await self._question(notice, person.person)
            elif mail.kind == NoticeKind.BOARD and table.record.status == GameStatus.FINISHED:
                lines.append(tr("The game is over."))
            else:
                lines += tr_lines([line for line in notice.lines if isinstance(line, Message)], table.names)
        return list(dict.fromkeys(lines))

    async def _question(self, notice: Notice, person: PersonId) -> list[str]:
        """The question to the table, if this person has not answered yet."""
        number, *people = map(str, notice.lines)
        poll = await self.tables.votes.find_poll(notice.game, int(number)) if person in people else None
        if poll is None or not poll.is_open:
            return []
        return [poll.text, tr("Answer with: vote yes, or: vote no.")]

    async def _position(
        self,
        table: GameSession,
        game: Game,
        asked: Sequence[SeatRecord],
        own: Sequence[SeatRecord],
        mails: Sequence[MailRecord],
    ) -> tuple[str, list[Section]]:
        """The state of the table for its players: the question, what has happened, their legal moves."""
        number = table.record.id
        if game.state.finished or table.record.status == GameStatus.FINISHED:
            return tr("The game is over."), [
                Section("", lines_of(report_text(game, await self.tables.clocks.verdict(table))))
            ]
        entries = await self.tables.queries.log_since_last_turn(number, own[0].person)
        status = await self.tables.queries.status(number)
        blocks: list[Section] = []
        players: list[PlayerId] = [seat(held.number) for held in asked]
        title = tr(status.question)
        if asked and any(mail.kind == NoticeKind.REMINDER for mail in mails):
            waiting = [one for one in status.waiting if one.seat.number in {held.number for held in asked}]
            blocks.append(Section("", (tr("Reminder: the table is waiting for you."), *self._waiting_time(waiting))))
        for player in players:
            title, *rest = lines_of(turn_text(game, player))
            times = table.tr_lines(await self.tables.clocks.own_lines(table, seat_number(player)))
            task = await self.tables.lessons.task_lines(table)
            blocks.append(Section("", (*rest, *times, *task)))
        if not players:
            blocks.append(Section("", lines_of(cash_line(game, seat(own[0].number)))))
        if happened := events_since(entries):
            blocks.append(
                Section(tr("Since your last turn:"), lines_of("\n".join(happened).replace("/log", "log")), "list")
            )
        if players:
            blocks += await run_in_thread(move_sections, game.copy(), players)
            offers = await self.tables.plans.offers(number, own[0].person, players[0])
            blocks += plan_sections(offers, game.state.name(players[0]) if len(own) > 1 else "")
            blocks.append(Section("", tuple(await self._link(number, own[0].person))))
        shown = await self.tables.clocks.seat_times(table)
        times_shown = (times_line(shown),) if shown else ()
        blocks.append(Section(tr("The table"), (*times_shown, *lines_of(status_text(game)))))
        return title, blocks

    def _waiting_time(self, waiting: Iterable[PendingPlayer]) -> list[str]:
        """The time somebody has been waited for, once it is an hour."""
        now = self.tables.desk.clock()
        hours = max((round((now - one.since).total_seconds() / HOUR) for one in waiting), default=0)
        if hours == 1:
            return [tr("The table has been waiting for you for an hour.")]
        return [tr("The table has been waiting for you for {hours} hours.", hours)] if hours else []

    async def _pictures(self, table: GameSession, game: Game) -> tuple[Picture, ...]:
        """Map and market, painted once for all recipients of a position; the mail goes without a picture that cannot
        be painted.
        """
        found = []
        for kind in ("map", "market"):
            key = (table.record.id, table.record.version, kind, current_language())
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

    async def _attachments(self, person: PersonRecord, mails: Sequence[MailRecord]) -> Attachments:
        """The pictures and files of the commands in these mails, which are run again for them."""
        found = Attachments()
        for game, line in ((mail.game, line) for mail in mails for line in mail.attached):
            try:
                reply = await attached_reply(self.door, person, game, line)
                for one in reply.files:
                    found.add_file(Path(one.name).name[:LONGEST_NAME], one.content)
                for picture in reply.pictures[: MOST_PICTURES - len(found.pictures)]:
                    found.add_picture(await self.studio.paint(picture))
            except (Rejected, PictureFailed) as error:
                log.warning("a mail goes without what belongs to a command: %s", error, extra={"game": game})
        return found

    # -- about no game --------------------------------------------------------------------------------

    async def _general_draft(self, person: PersonRecord, mails: Sequence[MailRecord]) -> MailDraft | None:
        lines = [line for mail in mails for line in render_lines(mail.lines, None)]
        attached, footer = await self._attachments(person, mails), COMMANDS[-2:]
        if any(mail.kind == MailKind.WELCOME for mail in mails):
            lines += welcome()
            footer = ()
        if not lines:
            return None
        blocks = [Section("", (*lines[1:], *attached.left_out))]
        pictures = attached.beside(())
        return self._mail(
            person, mails, "Signalbox", lines[0], blocks, pictures=pictures, files=attached.files, footer=footer
        )

    def _mail(
        self,
        person: PersonRecord,
        mails: Sequence[MailRecord],
        subject: str,
        title: str,
        blocks: Sequence[Section],
        game_id: GameId = NO_GAME,
        version: int = 0,
        pictures: Sequence[Picture] = (),
        files: Sequence[tuple[str, bytes]] = (),
        footer: Sequence[str] = COMMANDS[-2:],
    ) -> MailDraft:
        letter = next(
            (mail.reference for mail in reversed(mails) if mail.kind == MailKind.ANSWER and mail.reference), ""
        )
        stop = self.keys.token(person.person, person.address, NO_GAME, day_of(self.tables.desk.now()))
        return MailDraft(
            self.keys.name_of(mails[0].key),
            subject,
            title,
            [replace(block, lines=lines) for block in blocks if (lines := drop_title(title, block.lines))],
            self.keys.token(person.person, person.address, game_id, version) if game_id else stop,
            stop,
            self.keys.name_of(f"game-{game_id}-{person.person}") if game_id else "",
            letter or "",
            pictures,
            files,
            tuple(map(tr, footer)),
            any(mail.kind == MailKind.ANSWER for mail in mails),
            current_language(),
        )


def render_lines(lines: Iterable[Message | str], table: GameSession | None) -> list[str]:
    names = table.names if table else {}
    return [tr_lines([line], names)[0] if isinstance(line, Message) else line for line in lines]


def drop_title(title: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines of a mail that its title does not contain already."""
    return tuple(line for line in lines if line != title)


def lines_of(text: str) -> tuple[str, ...]:
    """A text in the reader's language, line by line, without empty lines."""
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def move_sections(game: Game, players: Sequence[PlayerId]) -> list[Section]:
    """These players' legal moves, with their cost, as lines to copy."""
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


def plan_sections(offers: Sequence[PlanOffer], name: str) -> list[Section]:
    """The best plans as lines to copy, for the seat of a name if the reader has several."""
    best = [offer for offer in offers if not offer.is_draft][:MOST_OFFERS]
    turn = f"{name}: " if name else ""
    plans = [offer.plan if ":" in offer.plan else turn + offer.plan for offer in best]
    return [
        Section(f"{tr(offer.label)}:", (" ".join(["plan", plan]),), "moves")
        for offer, plan in zip(best, plans, strict=True)
    ]


def lobby_section(table: GameSession, title: Title, before: Iterable[Section]) -> Section:
    """The facts about a lobby, as far as the sections before do not say them."""
    told = (*lobby_lines(table, title), msg("The opener can write: invite, computer, option NAME=CHOICE, start."))
    said = {line for block in before for line in block.lines}
    return Section("", tuple(line for line in map(tr, told) if line not in said))


def welcome() -> list[str]:
    """The first mail to an address; an answer proves that the address is the sender's."""
    languages = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
    return tr_lines(
        [
            msg("Someone wrote to Signalbox from this address."),
            msg("Was it you? Then reply with what you want; a reply proves that the address is yours."),
            msg("To join friends, write the line their opener received: join 3 CODE YOURNAME"),
            msg("To open a game: new 1848 YOURNAME"),
            msg("To change the language, for example: language de. Languages: {languages}", languages),
            msg(
                "If it was not you, do nothing: the address is forgotten in a week; if somebody keeps using it, these mails become rarer."
            ),
        ],
        {},
    )


def subject_of(game_id: GameId, title: str) -> str:
    """The same for all mails about a game."""
    return tr("Game {number}: {title}", game_id, title)


def news_sections(
    table: GameSession, answers: Iterable[MailRecord], told: Iterable[str], left_out: Iterable[str]
) -> list[Section]:
    """Sections without a heading: answers to commands with what is `left_out`, then what the table has heard; empty
    sections are left out.
    """
    lines = (line for mail in answers for line in render_lines(mail.lines, table))
    return [Section("", part) for part in ((*lines, *left_out), tuple(told)) if part]
