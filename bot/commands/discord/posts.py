"""What is posted: a game's boards with pictures, its questions, what somebody is asked or told alone."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import Any

import aiohttp
import discord

from bot.engine.ids import seat
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal
from bot.engine.said import Said
from bot.engine.words.text import action_of
from bot.language import say, shown, speak, speaking
from bot.metrics import POSTS
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.store import BEGUN, Notice
from bot.tables.desk.looking import Entry
from bot.tables.reading.guide import spaces_of
from bot.tables.tables import Table
from bot.tables.texts.report import report_text
from bot.tables.texts.turn import latest, table_text, turn_text

from .interactions.answers import LONGEST, cut, files, in_words, plain
from .interactions.client import Client
from .slash.buttons import turn_view
from .slash.clock import SnoozeButton
from .slash.votes import question_text, question_view

log = logging.getLogger(__name__)

CLOSED = {50007, 50278}
"""Direct messages are refused, or there is no common server any more."""

MISSING_PERMISSIONS = 50013

NO_FILES = "I may not attach files here, so there are no pictures; `/board words` shows everything in words."

WELCOME = [
    "",
    "How to move: press a button; or /move with completion; or write it: several moves in one message are made together.",
    "/help shows what can be done, /try what it would do, /auto gives standing orders, /clock quiet your sleep.",
]
"""What a new thread begins with."""

MENTION = "I cannot read the messages here: mention me in a written move, or answer one of my messages."

ROOM = 150
"""Characters kept free beside the news: for the line that counts those left out, and for marks before a post."""

AGAIN = "-# After an interruption; this may be there already.\n"
"""Stands before a post whose first attempt had an unknown end; where Discord still knows its nonce, it is not seen."""

MOST_AT_ONCE = 100
"""So many records of one message, and of the standing orders after it, are looked at for what they changed."""


class Posts:
    """Posts what notices say, and marks them as posted."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._told_of_files: set[int] = set()

    async def post_game(self, channel: discord.abc.Messageable, game: int, waiting: Sequence[Notice]) -> None:
        """Post what one game has to say where it is played: boards first, then whoever is asked or told something."""
        boards = [notice for notice in waiting if notice.kind == "board"]
        others = [notice for notice in waiting if notice.kind != "board"]
        table = await self.client.tables.desk.table(game)
        speak(table.record.language)
        asked_anew = {notice.seat for notice in others if notice.kind == "turn"}
        for together in attempts(boards):
            message = await self._post_board(channel, table, together, asked_anew)
            await self.mark(together, str(message.id))
        for notice in others:
            if notice.kind == "question":
                reference = await self._ask(channel, notice)
            else:
                with speaking(await self._language_of(table, notice)):
                    told = (
                        self._whisper(table, notice) if notice.kind == "private" else self._ping(channel, table, notice)
                    )
                    reference = await told
            await self.mark([notice], reference)

    async def _language_of(self, table: Table, notice: Notice) -> str:
        """The language of whoever is told something: his own choice, else the game's."""
        record = next((record for record in table.seats if record.number == notice.seat), None)
        chosen = await self.client.tables.languages.chosen_by(record.person) if record else ""
        return chosen or table.record.language

    async def send(
        self, channel: discord.abc.Messageable, notices: Sequence[Notice], text: str, **more: Any
    ) -> discord.Message:
        """Send what these notices say as one message. That it was begun is on disk before, that it ended afterwards."""
        if isinstance(more.get("view"), discord.ui.View):
            in_words(more["view"])
        outbox = self.client.tables.outbox
        begun = nonce_of(notices[-1])
        nonce = begun or str(notices[-1].id)
        await outbox.begin_posting(notices, nonce)
        try:
            return await channel.send(cut(say(f"{AGAIN}{text}" if begun else text)), nonce=nonce, **more)
        except discord.HTTPException as error:
            if error.status < 500:
                await outbox.not_posted(notices)
            raise
        except aiohttp.ClientConnectorError:
            await outbox.not_posted(notices)
            raise

    async def mark(self, notices: Sequence[Notice], reference: str) -> None:
        """These are posted: `reference` is the message's number, or says why there is none."""
        await self.client.tables.outbox.mark_all_posted(notices, reference)
        outcome = "posted" if reference.isdecimal() else reference
        for notice in notices:
            POSTS.labels(notice.kind, outcome).inc()

    async def _post_board(
        self,
        channel: discord.abc.Messageable,
        table: Table,
        boards: Sequence[Notice],
        asked_anew: Collection[int | None],
    ) -> discord.Message:
        """What happened in words, map and market as pictures; the next choices of whoever goes on with his turn."""
        lines = [line for notice in boards for line in words_of(table, notice)]
        after: list[str] = []
        view = discord.utils.MISSING
        going_on = [player for player in table.game.asked() if int(player[1:]) not in asked_anew] if table.game else []
        if table.game is not None and going_on and table.record.status == "running":
            after.append(table_text(table.game, going_on))
            # Several who are asked at once have their buttons below their own questions, and behind "What can I do?".
            alone = going_on if len(table.game.asked()) == 1 else []
            view = await turn_view(table.record.id, table.record.version, table.game, alone)
        pictures: list[Picture] = []
        if table.game is not None:
            changed = await self._changed(table, table.game, boards)
            for kind in ("map", "market"):
                try:
                    pictures.append(await self.client.studio.picture(table.game, kind, changed))
                except (PictureFailed, Refusal) as error:
                    log.error("game %s: no picture of the %s: %s", table.record.id, kind, error)
            if any(notice.number == 0 for notice in boards):
                after += WELCOME if self.client.settings.reads_content else [*WELCOME, MENTION]
            if table.record.status == "finished":
                pictures += await self._closing(table)
                after.append(report_text(table.game))
        words = plain(say("\n".join(after)))
        news = latest([plain(line) for line in lines], LONGEST - ROOM - len(words))
        return await self._with_pictures(
            channel,
            boards,
            "\n".join([*news, words] if words else news),
            pictures,
            view=view,
            allowed_mentions=discord.AllowedMentions.none(),
        )

    async def _with_pictures(
        self,
        channel: discord.abc.Messageable,
        notices: Sequence[Notice],
        text: str,
        pictures: Sequence[Picture],
        **more: Any,
    ) -> discord.Message:
        """Text with pictures; where files may not be attached without them, which is said once a game."""
        game = notices[0].game
        try:
            return await self.send(channel, notices, cut(text), files=files(pictures), **more)
        except discord.Forbidden as error:
            if error.code != MISSING_PERMISSIONS or not pictures:
                raise
        words = text if game in self._told_of_files else f"{NO_FILES}\n{text}"
        message = await self.send(channel, notices, cut(words), **more)
        self._told_of_files.add(game)
        return message

    async def _closing(self, table: Table) -> list[Picture]:
        """The chart of a game that is over."""
        try:
            return [await self.client.studio.past("worth", await self.client.tables.looking.course(table.record.id))]
        except (PictureFailed, Refusal) as error:
            log.error("game %s: no chart: %s", table.record.id, error)
            return []

    async def _news_picture(self, game: Game, since: Sequence[Entry]) -> list[Picture]:
        """The part of the board that has changed since a player's last turn."""
        texts = [entry.record.text for entry in since if entry.record.kind == "move" and not entry.is_undone]
        changed = list(
            dict.fromkeys(str(space) for text in texts for space in spaces_of(game, action_of(game.title, text)))
        )
        try:
            return [await self.client.studio.picture(game, "news", changed)] if changed else []
        except (PictureFailed, Refusal) as error:
            log.error("no picture of what has changed: %s", error)
            return []

    async def _changed(self, table: Table, game: Game, boards: Sequence[Notice]) -> list[str]:
        """The spaces that the moves since the last board changed."""
        numbers = [notice.number for notice in boards]
        earliest = min(numbers) - MOST_AT_ONCE
        records = {one.number: one for one in await self.client.tables.looking.moves_after(table.record.id, earliest)}
        changed: list[str] = []
        for notice in boards:
            # A notice bears the number of the last record of a message, and the lines of all of them.
            number, lines = notice.number, len(notice.lines)
            while lines > 0 and number in records:
                record = records[number]
                number, lines = number - 1, lines - len(record.lines)
                if record.kind == "move":
                    changed += spaces_of(game, action_of(game.title, record.text))
        return list(dict.fromkeys(changed))

    async def _ask(self, channel: discord.abc.Messageable, notice: Notice) -> str:
        """A question to the table: everybody asked is mentioned, with buttons. One that is over is not asked."""
        number, *people = map(str, notice.lines)
        poll = await self.client.tables.votes.open_poll(notice.game, int(number))
        if poll is None:
            return "decided"
        users = [discord.Object(int(one.removeprefix("discord:"))) for one in people if one.startswith("discord:")]
        message = await self.send(
            channel,
            [notice],
            cut(f"{' '.join(f'<@{user.id}>' for user in users)} {question_text(poll)}"),
            view=question_view(poll),
            allowed_mentions=discord.AllowedMentions(users=users, everyone=False, roles=False),
        )
        return str(message.id)

    async def _whisper(self, table: Table, notice: Notice) -> str:
        """Tell one player what is nobody else's business: directly, or where that is refused not at all.

        The reason stays with the order, where `/auto list` shows it to its owner.
        """
        record = next((record for record in table.seats if record.number == notice.seat), None)
        if record is None or not record.person.startswith("discord:"):
            return "not in Discord"
        user = await self.client.fetch_user(int(record.person.removeprefix("discord:")))
        place = await self.client.tables.places.place(notice.game)
        where = f" (<#{place.spot}>)" if place and place.guild else ""
        try:
            message = await self.send(
                user,
                [notice],
                cut(f"Game {notice.game}{where}: {plain(' '.join(words_of(table, notice)))}"),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if error.code not in CLOSED:
                raise
            return f"refused {error.code}"
        return str(message.id)

    async def _ping(self, channel: discord.abc.Messageable, table: Table, notice: Notice) -> str:
        """Ask one player. An old question is not asked again: the reference says so."""
        record = next((record for record in table.seats if record.number == notice.seat), None)
        game, game_number = table.game, table.record.id
        if record is None or game is None or seat(record.number) not in game.asked():
            return "answered"
        if not record.person.startswith("discord:"):
            return "not in Discord"
        user = int(record.person.removeprefix("discord:"))
        player = seat(record.number)
        reminder = "Reminder: the table waits for you. " if notice.kind == "reminder" else ""
        since = [] if reminder else await self.client.tables.looking.since_last_turn(game_number, record.person)
        view = await turn_view(game_number, table.record.version, game, table.seats_of(record.person))
        if reminder:
            view.add_item(SnoozeButton(game_number))
        message = await self._with_pictures(
            channel,
            [notice],
            f"<@{user}> {reminder}{plain(turn_text(game, player, since))}",
            await self._news_picture(game, since),
            view=view,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user)], everyone=False, roles=False),
        )
        return str(message.id)


def words_of(table: Table, notice: Notice) -> list[str]:
    """What a notice says, as its reader reads it."""
    return shown([line for line in notice.lines if isinstance(line, Said)], table.names)


def nonce_of(notice: Notice) -> str:
    """The nonce under which posting a notice was begun; empty when it was not."""
    reference = notice.reference or ""
    return reference.removeprefix(BEGUN) if reference.startswith(BEGUN) else ""


def attempts(boards: Sequence[Notice]) -> list[list[Notice]]:
    """Boards that are posted together: as they were when it was tried before, and all the others as one."""
    groups: dict[str, list[Notice]] = {}
    for notice in boards:
        groups.setdefault(nonce_of(notice), []).append(notice)
    return list(groups.values())
