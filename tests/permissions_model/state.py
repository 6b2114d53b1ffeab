"""A few servers full of people in the double, all with one bot, and everything that they can try there."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.store import Server as DatabaseServer
from tests.commands.test_board_links_discord import free_port
from tests.discord_double.client_commands import ClientRefuses
from tests.discord_double.double import Double
from tests.discord_double.interactions import DEFER_UPDATE
from tests.discord_double.model import Channel, Guild, PostedMessage, now
from tests.discord_double.user import PATIENCE, Reply, ScriptedUser
from tests.permissions_model.facts import Facts, last_game, read_facts
from tests.permissions_model.rights_page import Act, Game, Server, Spot, meant
from tests.reliability.forged_clicks import send, send_form
from tests.reliability.table import BLANK_BOT, environment_of

PEOPLE = ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay")
SERVERS = {"club": PEOPLE[:5], "other": ("Ann", "Bob", "Dora", "Fay"), "third": PEOPLE}
"""Who is in which server at first; Dora's roles let her manage threads in the second."""

CHANNELS = {"club": "club", "side": "club", "other": "other", "third": "third"}
"""Channels with their server; in the third server the bot may open no threads."""

FILE = json.dumps({"format": "signalbox 1", "title": "18GB", "players": ["Kim", "Lea"], "moves": []}).encode()
MARK = re.compile(r"[A-Z][a-z]+At\d+x")
SECRET = re.compile(r"\b7\d{4}\b")


@dataclass
class Answer:
    """Everything that somebody was shown for what he tried."""

    text: str = ""
    files: int = 0
    is_form: bool = False
    was_sent: bool = True


@dataclass
class Club:
    """One example: servers, people, what has been said so far. `since` is the last game of older examples."""

    double: Double
    database: Path | DatabaseServer
    since: int
    servers: dict[str, Guild] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    people: dict[str, ScriptedUser] = field(default_factory=dict)
    panels: dict[str, list[PostedMessage]] = field(default_factory=dict)
    forms: dict[str, list[Reply]] = field(default_factory=dict)
    codes: dict[int, list[str]] = field(default_factory=dict)
    marks: dict[str, set[int]] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    known: dict[int, set[str]] = field(default_factory=dict)
    spots: dict[int, set[int]] = field(default_factory=dict)
    links: list[Any] = field(default_factory=list)
    was_sitter: str = "Cid"
    seen: int = 0
    secret: int = 70_000

    @classmethod
    def open(cls, double: Double, database: Path | DatabaseServer) -> Club:
        """Servers, channels and people of their own beside those of older examples."""
        club = cls(double, database, last_game(database))
        world = double.world
        double.interactions.all.clear()
        double.calls.clear()
        root = world.add_user("Root")
        for name in PEOPLE:
            club.people[name] = ScriptedUser(double, world.add_user(name))
        for name, members in SERVERS.items():
            guild = club.servers[name] = world.add_guild(name, root)
            for member in members:
                guild.members[club.people[member].id] = now()
            for channel, server in CHANNELS.items():
                if server == name:
                    club.channels[channel] = world.add_channel(guild, channel)
            double.gateway.dispatch("GUILD_CREATE", double.payloads.guild(guild), 1)
        club.servers["other"].moderators.add(club.people["Dora"].id)
        double.forbid(club.channels["third"], "create_public_threads")
        club.seen = world.new_id()
        return club

    # -- what is so -----------------------------------------------------------------------------------

    def facts(self) -> Facts:
        """The present facts; who was ever at a table, and which names tell of which games, is noted on the way."""
        found = read_facts(self.database, self.since)
        for game in found.games.values():
            self.known.setdefault(game.number, set()).update(
                {game.opener, *(person for seat in game.seats for person in (seat.person, seat.sitter))}
            )
            self.spots.setdefault(game.number, set()).update((game.thread, game.channel))
            for seat in game.seats:
                self.was_sitter = self.name(seat.sitter) or self.was_sitter
                if MARK.fullmatch(seat.name):
                    self.marks.setdefault(seat.name, set()).add(game.number)
        for (number, kind, which), row in found.all.items():
            if kind == "move":
                # Whoever has done something at a table keeps what the log says of it.
                self.known[number].add(row[2])
            if kind == "note":
                self.secrets |= dict.fromkeys(SECRET.findall(row[0]), which)
            if kind == "order":
                game = found.games[_order_game(found, row)]
                for secret in SECRET.findall(row[1]):
                    owner = next((seat.person for seat in game.seats if seat.number == row[0]), "")
                    self.secrets.setdefault(secret, owner)
        return found

    def rolls(self) -> dict[int, Server]:
        """The servers as the model sees them."""
        return {
            guild.id: Server(
                {f"discord:{number}" for number in guild.members},
                {f"discord:{number}" for number in guild.moderators & set(guild.members)},
            )
            for guild in self.servers.values()
        }

    def key(self, who: str) -> str:
        """A person's key in the database."""
        return f"discord:{self.people[who].id}"

    def name(self, key: str) -> str:
        """The name of a key."""
        return next((name for name in PEOPLE if self.key(name) == key), "")

    def spot(self, channel: Channel) -> Spot:
        """A channel as the model sees it."""
        return Spot(channel.guild.id if channel.guild else 0, channel.id, channel.parent.id if channel.parent else 0)

    def place(self, game: Game) -> Channel | None:
        """Where a game is played, if that is still there."""
        return self.double.world.channels.get(game.spot)

    def places_of(self, spot: int) -> set[int]:
        """The games that were ever played there."""
        return {number for number, spots in self.spots.items() if spot in spots}

    def threads(self) -> list[Channel]:
        """All threads of this example, oldest first."""
        own = {guild.id for guild in self.servers.values()}
        return [thread for thread in self.double.threads if thread.guild is not None and thread.guild.id in own]

    # -- what is tried --------------------------------------------------------------------------------

    async def slash(self, who: str, command: str, channel: Channel, **options: Any) -> Answer:
        """A command."""
        return await self._told(who, self.people[who].slash(command, channel, **options))

    async def complete(
        self, who: str, command: str, channel: Channel, option: str, **options: Any
    ) -> tuple[Answer, list[Any]]:
        """What the client offers while somebody types."""
        try:
            found = await self.people[who].autocomplete(command, channel, option, "", **options)
        except ClientRefuses:
            return Answer(was_sent=False), []
        return Answer("\n".join(f"{one.name}" for one in found)), [one.value for one in found]

    async def forge(self, who: str, channel: Channel, custom_id: str, value: str = "0") -> Answer:
        """A component that nobody made, on a message that stands there, as a forged client uses it."""
        person, on = self.people[who], self._any_message(channel)
        if not channel.is_open_to(person.account):
            return Answer(was_sent=False)
        return await self._told(who, send(self.double, person, on, custom_id, value))

    async def forge_form(self, who: str, channel: Channel, custom_id: str, field_id: str, value: str) -> Answer:
        """A form that nobody was shown."""
        person = self.people[who]
        if not channel.is_open_to(person.account):
            return Answer(was_sent=False)
        return await self._told(who, send_form(self.double, person, channel, custom_id, field_id, value))

    async def press(self, who: str, message: PostedMessage, custom_id: str, value: str | None) -> Answer:
        """A button or menu that is really there."""
        person = self.people[who]
        pressed = person.click(message, custom_id) if value is None else person.select(message, value, menu=custom_id)
        return await self._told(who, self._changed(message, pressed))

    async def submit(self, who: str, form: Reply, value: str) -> Answer:
        """A form that was opened, perhaps long ago."""
        field_id = "sum" if str(form.modal["custom_id"]).startswith("sum") else "move"
        panel, sent = form.interaction.message, self.people[who].submit_modal(form, {field_id: value})
        return await self._told(who, self._changed(panel, sent) if panel is not None else sent)

    async def _changed(self, panel: PostedMessage, asking: Coroutine[Any, Any, Reply]) -> Reply:
        """Wait until a panel of his own shows what comes of it: that it was pressed is acknowledged at once."""
        edits = panel.edits
        reply = await asking
        if reply.interaction.answer == DEFER_UPDATE:
            await self.double.until(lambda: panel.edits > edits, PATIENCE, "what comes of it")
        return reply

    async def say(self, who: str, channel: Channel, text: str, is_heard: bool) -> Answer:
        """Words with a mention of the bot; waits for what comes of them where something has to."""
        person, direct = self.people[who], self.people[who].dm
        before, moves = len(direct.messages), self._records()
        try:
            await person.say(channel, text, mention_bot=True)
        except ClientRefuses:
            return Answer(was_sent=False)
        if is_heard:
            await self.double.until(
                lambda: len(direct.messages) > before or self._records() != moves or self._replied(channel), PATIENCE
            )
        else:
            await self.double.idle(0.1)
        return Answer(
            "\n".join(_text(message) for message in direct.messages[before:] if message.author is not person.account)
        )

    def _records(self) -> int:
        return sum(1 for key in read_facts(self.database, self.since).all if key[1] == "move")

    def _replied(self, channel: Channel) -> bool:
        last = channel.messages[-1] if channel.messages else None
        return last is not None and last.author is self.double.world.bot and last.reply_to is not None

    def _any_message(self, channel: Channel) -> PostedMessage:
        found = next((one for one in reversed(channel.messages) if one.author is self.double.world.bot), None)
        return found or PostedMessage(self.double.world.new_id(), channel, self.double.world.bot, "old")

    async def _told(self, who: str, asking: Any) -> Answer:
        try:
            reply: Reply = await asking
        except ClientRefuses:
            return Answer(was_sent=False)
        shown = [reply.interaction.original, *reply.followups]
        found = [message for message in shown if message is not None]
        for message in found:
            if message.components and message not in self.panels.setdefault(who, []):
                self.panels[who].append(message)
        answer = Answer("\n".join(map(_text, found)), sum(len(message.attachments) for message in found))
        if reply.interaction.modal is not None:
            self.forms.setdefault(who, []).append(reply)
            answer.is_form = True
            answer.text += json.dumps(reply.interaction.modal)
        return answer

    # -- what is seen ---------------------------------------------------------------------------------

    def posted(self) -> list[PostedMessage]:
        """What the bot has written for all, or to somebody directly, since this was asked last."""
        users = {person.id for person in self.people.values()}
        own = {guild.id for guild in self.servers.values()}
        found = [
            message
            for channel in list(self.double.world.channels.values())
            if (channel.guild.id in own if channel.guild else users & {user.id for user in channel.recipients})
            for message in channel.messages
            if message.id > self.seen and message.author is self.double.world.bot
        ]
        self.seen = max((message.id for message in found), default=self.seen)
        return found

    # -- what happens ---------------------------------------------------------------------------------

    def leave(self, who: str, server: str) -> None:
        """Somebody leaves a server, and loses his roles there."""
        guild, person = self.servers[server], self.people[who]
        if guild.members.pop(person.id, None) is not None:
            guild.moderators.discard(person.id)
            gone = {"guild_id": str(guild.id), "user": self.double.payloads.user(person.account)}
            self.double.gateway.dispatch("GUILD_MEMBER_REMOVE", gone, 1 << 1)

    def come(self, who: str, server: str) -> None:
        """Somebody comes, or comes back."""
        self.servers[server].members.setdefault(self.people[who].id, now())

    def give_role(self, who: str, server: str) -> None:
        """Somebody who is there may manage threads from now on."""
        if self.people[who].id in self.servers[server].members:
            self.servers[server].moderators.add(self.people[who].id)

    def take_role(self, who: str, server: str) -> None:
        """And no longer."""
        self.servers[server].moderators.discard(self.people[who].id)


class House:
    """One bot for all examples, in a loop that runs while something is done."""

    def __init__(self, runner: asyncio.Runner, folder: Path, database: Path | DatabaseServer) -> None:
        self.runner = runner
        self.double = runner.run(self._open(folder, database))
        self.database = database
        self.tried: Counter[tuple[str, bool]] = Counter()
        self.pages: Counter[tuple[str, bool]] = Counter()

    async def _open(self, folder: Path, database: Path | DatabaseServer) -> Double:
        double = Double()
        await double.start()
        for trouble in ("40[34] (10003|10007|10008|50001|50013|50278)",):
            double.expect(trouble, optional=True)
        await double.launch(
            BLANK_BOT, data=folder, environment={"SIGNALBOX_WEB": str(free_port()), **environment_of(database)}
        )
        return double

    def run(self, doing: Coroutine[Any, Any, Any]) -> Any:
        """Do it to its end."""
        return self.runner.run(doing)


def _order_game(facts: Facts, row: Any) -> int:
    return next(key[0] for key, value in facts.all.items() if key[1] == "order" and value is row)


def _text(message: PostedMessage) -> str:
    files = [one.data.decode(errors="replace") for one in message.attachments if not one.filename.endswith("png")]
    alt = [one.alt or "" for one in message.attachments]
    labels = [button.label for button in message.buttons]
    return "\n".join([message.text, *files, *alt, *labels])


def act_at(
    club: Club, facts: Facts, right: str, who: str, channel: Channel, game: Game | None = None, **more: Any
) -> Act:
    """What is tried: about the game of that number, or about those that can be meant there."""
    spot = club.spot(channel)
    about = (game.number,) if game is not None else tuple(one.number for one in meant(facts.games.values(), spot))
    return Act(right, club.key(who), spot, about, **more)
