"""A table of scripted people: they play any title through Discord's double, as a seeded temper chooses.

The table keeps a game of its own beside the bot's, the people's understanding of the rules: out of it they choose what
they want to do. Then they have to find it in Discord: on a button, through menus and forms, in the completion of /move,
or they write it. What cannot be found, or does something else, is a fault.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.ai.fuzzer import BUILDER, RandomGame, RandomPolicy
from bot.commands.discord.interactions.responses import escape
from bot.engine.chance import SeededRandom
from bot.engine.games.corrections import replay_text
from bot.engine.ids import PlayerId, seat
from bot.engine.notation.text import format_action, parse_action, verb_of
from bot.engine.play.game import Game, chosen_options
from bot.engine.state.actions import Action, RunRoutes
from bot.service.features.plans.forced_passes import forced_pass
from bot.service.parser import menus
from bot.service.parser.moves import read_clause
from bot.service.parser.suggestions import BEST, only_reader, short_text, track_of
from bot.service.views.report import report_text
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.model import COMPONENTS_V2, SELECTS, Channel, Json, PostedMessage, walk_components
from tests.discord_double.user import Reply, ScriptedUser
from tests.move_builder_helpers import answers_to, in_order

PATIENCE = 150.0
"""Seconds until what was waited for is given up: a late route search takes its time on a busy machine."""

SEAT = re.compile(r"(?<![\w@<])@\d\b")
"""A player's seat as the log writes it; people are called by their names."""

WAYS = ("press", "complete", "press", "say", "press", "slash")
"""How moves are made, in turn."""

ODD = 25
"""Every so many moves somebody else tries the move first, and is refused."""


def is_end(message: PostedMessage) -> bool:
    """Whether a post tells how the game ended, for everybody."""
    return "final report" in message.text


def as_offered(game: Game, action: Action) -> Action:
    """The move that is offered in the place of those that lay the same track: people do not see which way a tile is turned."""
    track = track_of(game, action)
    return next((one for one in game.legal_actions() if track is not None and track_of(game, one) == track), action)


def called(game: Game, names: Sequence[str]) -> Game:
    """The game, its players called by these names."""
    for player, name in zip(game.state.players, names, strict=True):
        player.name = name
    return game


class ScriptedTable:
    """A game of `title` played by these people.

    `play` has them move; `used` counts what they moved with, `happened` keeps the events by their kind.
    """

    def __init__(
        self,
        double: Double,
        bot: BotProcess,
        data: Path,
        title: str,
        people: Sequence[ScriptedUser],
        seed: int = 1,
        temper: RandomPolicy = BUILDER,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.double, self.bot, self.data = double, bot, data
        self.title = TITLES[title]
        self.people = tuple(people)
        self.seed = seed
        names = [person.name for person in self.people]
        self.chance = RandomGame(self.title, len(names), seed, dict(options or {}), temper, is_audited=False)
        self.game = called(self.chance.game, names)
        self.options = dict(self.game.state.options)
        self.habits = SeededRandom(seed)
        self.used: Counter[str] = Counter()
        self.happened: dict[str, list[Any]] = {}
        self.version = self.taken_back = 0
        self.panel: dict[str, tuple[int, PostedMessage]] = {}
        self.news: list[PostedMessage] = []
        self._read = 0

    def begin(self) -> Game:
        """The game as it begins."""
        return Game.new(
            self.title, [person.name for person in self.people], chosen_options(self.title, self.options), self.seed
        )

    # -- the lobby --------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Lobby, seats, start; the box is shuffled by the table's seed."""
        first, second, *others = self.people
        options = ", ".join(f"{name}={choice}" for name, choice in self.options.items())
        more = {"options": options} if options else {}
        lobby = await first.slash("game new", self.double.channel, title=self.title.name, **more)
        await second.click(lobby.message, "Join")
        for person in others:
            await person.slash("game join", self.double.channel)
        with closing(sqlite3.connect(self.data / "signalbox.db")) as database, database:
            database.execute("UPDATE games SET seed = ?", (self.seed,))
        assert (
            "has begun"
            in (await first.slash("game start", self.double.channel, order="seats in the order of joining")).text
        )
        await self.told(set(self.game.players_to_act()))

    @property
    def thread(self) -> Channel:
        """The game's thread."""
        return self.double.threads[0]

    # -- turns ------------------------------------------------------------------------------------------

    async def play(self, moves: int = 10**9, until: Callable[[Game], Any] = lambda game: False) -> None:
        """So many moves, or until something is so, or to the end of the game."""
        for _ in range(moves):
            if self.game.state.finished or until(self.game):
                return
            await self.turn()

    async def turn(self) -> None:
        """Somebody who is asked makes a move, and everybody is told of it once."""
        action = as_offered(self.game, self.chance.choice())
        decider = self.game.controller_of(action.by)
        assert decider is not None, f"nobody decides about {format_action(action)}"
        person = self.person(decider)
        if self.version % ODD == ODD - 1:
            await self.meddle(person, action)
        way = WAYS[self.version % len(WAYS)] if decider in self.game.players_to_act() else "slash"
        asked = set(self.game.players_to_act())
        reply = await getattr(self, way)(person, action)
        self.used[way] += 1
        await self.saved(action)
        await self.told(set(self.game.players_to_act()) - asked)
        if reply is not None:
            self.looked_at(reply.message)
            self.panel[person.name] = (self.version, reply.message)

    def person(self, player: PlayerId) -> ScriptedUser:
        """Who sits there."""
        return next(one for number, one in enumerate(self.people, 1) if seat(number) == player)

    def seats_of(self, person: ScriptedUser) -> list[PlayerId]:
        """Where a person sits."""
        return [seat(number) for number, one in enumerate(self.people, 1) if one is person]

    def words(self, action: Action) -> str:
        """The move as people write it."""
        return BEST if isinstance(action, RunRoutes) else short_text(self.game, action)

    # -- ways to move -----------------------------------------------------------------------------------

    async def slash(self, person: ScriptedUser, action: Action) -> Reply:
        """By /move."""
        return await person.slash("move", self.thread, move=self.words(action), wait=PATIENCE)

    async def say(self, person: ScriptedUser, action: Action) -> None:
        """By a message in the thread that mentions the bot."""
        await person.say(self.thread, self.words(action), mention_bot=True)

    async def complete(self, person: ScriptedUser, action: Action) -> Reply:
        """By /move, with what its completion offers after some letters: without the name of who has one seat."""
        reader = only_reader(self.game, self.seats_of(person))
        words = short_text(self.game, action, reader) if action.by == reader else self.words(action)
        typed = words.rpartition(" ")[0]
        offered = [choice.value for choice in await person.autocomplete("move", self.thread, "move", typed)]
        if words not in offered:
            offered = [choice.value for choice in await person.autocomplete("move", self.thread, "move", words)]
        assert words in offered or len(words) > 100, f"{words!r} is not completed: {offered}"
        for text in offered[:3]:
            if text != BEST:
                self.game.check(read_clause(self.game, text, self.seats_of(person)))
        return await self.slash(person, action)

    async def press(self, person: ScriptedUser, action: Action) -> Reply:
        """By buttons, menus and forms."""
        reply = await self.press_in(self.asked_in(person), person, action)
        if reply is None or not self.rows():
            # Others have answered since that panel was made: it shows what is asked now, or is asked to.
            self.used["moved on"] += 1
            if reply is None:
                source = self.asked_in(person)
                more = "My turn" if "My turn" in [button.label for button in source.buttons] else "What can I do?"
                reply = await person.click(source, more, wait=PATIENCE)
            else:
                assert "moved on" in reply.text, reply.text
            again = await self.press_in(reply.message, person, action)
            assert again is not None, f"no button for {self.words(action)!r}: {[b.label for b in reply.buttons]}"
            return again
        return reply

    async def press_in(self, message: PostedMessage, person: ScriptedUser, action: Action) -> Reply | None:
        """With the buttons of this message; None where they know no such move."""
        words, labels = self.words(action), [button.label for button in message.buttons]
        assert len(set(labels)) == len(labels), f"two buttons look alike: {labels}"
        if words in labels:
            return await self.use(person, message, words)
        player = self.game.controller_of(action.by)
        seats, kind = [player] if player else [], menus.menu_name(type(action))
        label = next((way.label for way in menus.ways(self.game, seats) if way.kind == kind), "")
        if label not in labels:
            return None
        self.used["menus"] += 1
        reply = await self.use(person, message, label)
        if type(action) in self.title.composers and player:
            return await self.put_together(person, player, reply, action)
        path: tuple[int, ...] = ()
        while (menu := menus.menu(self.game, seats, kind, path)).action is None:
            if "moved on" in reply.text:
                return reply
            values = list(dict.fromkeys(menus.value_of(one, menu.field) for one in menu.left))
            wanted = values.index(menus.value_of(action, menu.field))
            if menu.sums and self.habits.randrange(2):
                return await self.enter_sum(person, reply, action)
            reply = await self.choose(person, reply, str(wanted))
            path = (*path, wanted)
        assert menu.action == action, (menu.action, action)
        return await self.do_it(person, reply, action)

    async def put_together(self, person: ScriptedUser, player: PlayerId, reply: Reply, action: Action) -> Reply:
        """Answer question after question until the move stands there; what it lists may stand in another order."""
        path = answers_to(self.game, player, action)
        assert path is not None, f"{format_action(action)} cannot be put together"
        self.used["put together"] += 1
        for number, answer in enumerate(path):
            if "moved on" in reply.text:
                return reply
            menu = menus.menu(self.game, [player], menus.menu_name(type(action)), path[:number])
            assert menu.question in reply.text, (menu.question, reply.text)
            if menu.sums:
                reply = await self.fill_in(person, reply, answer)
            elif menu.is_several and not answer:
                reply = await self.use(person, reply.message, "none")
            elif menu.is_several:
                chosen = [str(part) for part in range(len(menu.choices)) if answer >> part & 1]
                reply = await self.shown(reply.message, person.select(reply.message, *chosen, wait=PATIENCE))
            else:
                reply = await self.choose(person, reply, str(answer))
        made = menus.menu(self.game, [player], menus.menu_name(type(action)), path).action
        assert made is not None
        return await self.do_it(person, reply, made)

    async def fill_in(self, person: ScriptedUser, reply: Reply, amount: int) -> Reply:
        """Name a sum in the form."""
        self.used["forms"] += 1
        form = await person.click(reply, "another amount …", wait=PATIENCE)
        return await self.shown(reply.message, person.submit_modal(form, {"sum": str(amount)}, wait=PATIENCE))

    async def enter_sum(self, person: ScriptedUser, reply: Reply, action: Action) -> Reply:
        """Name a sum in the form, then make the move."""
        amount = next(getattr(action, gap.name) for gap in verb_of(type(action)).gaps if gap.type.name == "sum")
        return await self.do_it(person, await self.fill_in(person, reply, amount), action)

    async def do_it(self, person: ScriptedUser, reply: Reply, action: Action) -> Reply:
        """Confirm what was put together; a move too long for a button is told to be typed."""
        if "moved on" in reply.text:
            return reply
        assert "would do this" in reply.text, reply.text
        label = f"Do it: {self.words(action)}"[:80]
        if label not in [button.label for button in reply.buttons]:
            self.used["typed"] += 1
            return await self.slash(person, action)
        return await self.use(person, reply.message, label)

    async def choose(self, person: ScriptedUser, reply: Reply, value: str) -> Reply:
        """Choose from the menus of the panel, on whichever page it stands."""
        self.used["menus"] += 1
        while True:
            menus = [part for part in walk_components(reply.message.components) if part["type"] in SELECTS]
            assert menus, f"no menus: {reply.text}"
            self.check_menus(menus)
            found = next((menu for menu in menus if value in [option["value"] for option in menu["options"]]), None)
            if found is not None:
                return await self.use(person, reply.message, value, menu=found["custom_id"])
            self.used["pages"] += 1
            reply = await self.use(person, reply.message, "more …")

    def check_menus(self, menus: Sequence[Json]) -> None:
        """No two lines look alike."""
        lines = [(option["label"], option.get("description")) for menu in menus for option in menu["options"]]
        double = [line for line, number in Counter(lines).items() if number > 1]
        assert not double, f"lines that look alike: {double}"

    async def use(self, person: ScriptedUser, source: PostedMessage, what: str, menu: str = "") -> Reply:
        """Press a button of a message, or choose from a menu; a private panel shows what comes of it in its own place."""
        act = (
            person.select(source, what, menu=menu, wait=PATIENCE) if menu else person.click(source, what, wait=PATIENCE)
        )
        return await self.shown(source, act)

    async def shown(self, panel: PostedMessage, act: Awaitable[Reply]) -> Reply:
        """What comes of an act on a panel."""
        edits = panel.edits
        reply = await act
        if panel.ephemeral:
            await self.double.until(lambda: panel.edits > edits, PATIENCE, "what comes of it")
        self.looked_at(reply.message)
        return reply

    def asked_in(self, person: ScriptedUser) -> PostedMessage:
        """The message with this person's buttons: what came of his own last move, or what was posted since."""
        version, own = self.panel.get(person.name, (-1, None))
        if own is not None and version == self.version and self.habits.randrange(2) and own.buttons:
            return own
        for message in reversed(self.standing()):
            if message.mentions_user(person.account):
                return message
        return next(message for message in reversed(self.standing()) if message.buttons)

    async def meddle(self, person: ScriptedUser, action: Action) -> None:
        """Somebody who is not asked presses the button, or writes the move: it is refused, and nothing happens."""
        asked = {self.person(player) for player in self.game.players_to_act()}
        other = next((one for one in self.people if one not in asked and one is not person), None)
        if other is None:
            return
        reply = await other.slash("move", self.thread, move=format_action(action), wait=PATIENCE)
        assert reply.ephemeral and reply.message.content, "not refused"
        assert not self.rows(), f"{other.name} has moved for {person.name}"
        self.used["refused"] += 1

    # -- what the bot made of it ------------------------------------------------------------------------

    def rows(self) -> list[str]:
        """The moves saved since the last look, without forced passes, which are nobody's."""
        query = "SELECT text FROM moves WHERE number > ? AND person != '' ORDER BY number"
        with closing(sqlite3.connect(self.data / "signalbox.db")) as database:
            return [text for (text,) in database.execute(query, (self.version,))]

    async def saved(self, action: Action) -> None:
        """The move is in the log, as it was meant; the people make it in their own game.

        :raises AssertionError: it is another one, or there are more.
        """
        texts = self.rows()
        if not texts:
            # Written moves are not answered; the post tells of them.
            await self.double.until(lambda: self.rows(), PATIENCE, f"an answer to {format_action(action)}")
            texts = self.rows()
        assert len(texts) == 1, f"{format_action(action)} was saved as {texts}"
        made = parse_action(self.title, texts[0])
        assert in_order(made) == in_order(action) or (isinstance(made, RunRoutes) and made.by == action.by), (
            f"{action} became {made}"
        )
        self.made(texts[0])
        while not self.game.state.finished and (forced := forced_pass(self.game)):
            self.made(format_action(forced))

    def made(self, text: str) -> None:
        """The people make a move that is saved in their own game."""
        replay_text(self.game, text, was_accepted=True)
        for event in self.game.events:
            self.happened.setdefault(type(event).__name__, []).append(event)
        self.version += 1

    def past(self, records: int) -> None:
        """So many records have been made that are none of the game that goes on."""
        self.version += records
        self.taken_back += records

    def heard(self) -> None:
        """Everything posted so far has been looked at."""
        self._read = max(self.thread.history)

    def posts_since(self) -> list[PostedMessage]:
        """What the bot has posted for all since the last look."""
        return [message for message in self.standing() if message.id > self._read]

    def standing(self) -> list[PostedMessage]:
        """What stands in the thread for all."""
        bot, every = self.double.world.bot, self.thread.messages
        return [m for m in every if m.author is bot and not m.ephemeral and not m.interaction]

    def is_told(self) -> bool:
        """Whether the records tell everything, and nothing waits to be posted."""
        waiting = "SELECT count(*) FROM outbox WHERE posted_at IS NULL AND kind = 'board'"
        with closing(sqlite3.connect(self.data / "signalbox.db")) as database:
            (version,) = database.execute("SELECT version FROM games").fetchone()
            (told,) = database.execute("SELECT max(version) FROM posts WHERE slot LIKE 'record:%'").fetchone()
            return told == version and database.execute(waiting).fetchone() == (0,)

    async def told(self, newly_asked: set[PlayerId], game: Game | None = None) -> None:
        """The newest record tells everything; everybody who is asked has one question, new where he was not asked before,
        and nobody else has any.

        :raises AssertionError: something else was posted, or something is wrong with a post.
        """
        await self.double.until(self.is_told, PATIENCE, f"records up to {self.version}")
        asked = sorted(self.person(player).name for player in (game or self.game).players_to_act())
        await self.double.until(lambda: self.asked_now() == asked, PATIENCE, f"questions to {asked}")
        self.news = self.posts_since()
        self.heard()
        names = sorted(user.name for message in self.news for user in message.mentions if not is_end(message))
        assert names == sorted(self.person(player).name for player in newly_asked), [one.text for one in self.news]
        records = [message for message in self.standing() if message.flags & COMPONENTS_V2]
        assert len(self.news) == len(names) + len([m for m in self.news if m in records or is_end(m)])
        assert not any(message.mentions for message in records), "a record pings"
        for message in {one.id: one for one in (*self.news, records[-1])}.values():
            self.looked_at(message)
        shown = [file.filename for file in records[-1].attachments]
        assert shown in (["map.png"], ["market.png"], ["map.png", "market.png"]), f"{shown}, {self.bot.tail()}"

    def asked_now(self) -> list[str]:
        """Who has a question that stands."""
        posts = (message for message in self.standing() if not is_end(message))
        return sorted(user.name for message in posts for user in message.mentions)

    def looked_at(self, message: PostedMessage) -> None:
        """People can read it.

        :raises AssertionError: it is cut off, calls people by their seats, or has a picture without words.
        """
        shown = [message.text]
        for part in walk_components(message.components):
            shown += [str(part.get("label") or ""), str(part.get("placeholder") or "")]
            shown += [text for one in part.get("options", ()) for text in (one["label"], one.get("description") or "")]
        for text in shown:
            assert not SEAT.search(text), f"a seat for a name: {text!r}"
        assert not message.content.endswith("…"), f"cut off: {message.content[-300:]}"
        assert all(file.alt for file in message.attachments), "a picture without words"

    # -- the end ----------------------------------------------------------------------------------------

    async def closed(self) -> None:
        """After the last move: everything was posted once, and the log replayed by the engine gives the people's game.

        Of a game that is over the last post has the ranking of the replay, and so has `/report`.
        """
        await self.double.idle()
        assert not self.posts_since(), f"posted too much: {[one.content for one in self.posts_since()]}"
        reply = await self.people[0].slash("export", self.thread, wait=PATIENCE)
        file = json.loads(reply.files[0].data)
        texts = list(file["moves"])
        assert len(texts) == self.version - self.taken_back and file["seed"] == self.seed
        replayed = self.begin()
        for text in texts:
            replay_text(replayed, text, was_accepted=True)
        now, then = (json.loads(game.encode()) for game in (self.game, replayed))
        other = {name: (part, now[name]) for name, part in then.items() if now[name] != part}
        assert not other, f"the log tells another game: {other}"
        worth = self.title.rules.worth
        assert file["result"] == {player.name: worth(replayed, player.id) for player in replayed.state.players}
        if replayed.state.finished:
            last = next(message for message in reversed(self.standing()) if is_end(message))
            report = await self.people[1].slash("report", self.thread, wait=PATIENCE)
            for line in [escape(line) for line in report_text(replayed).splitlines()]:
                assert line in last.content, f"{line!r} is missing in {last.content!r}"
                assert line in report.text, f"{line!r} is missing in {report.text!r}"
