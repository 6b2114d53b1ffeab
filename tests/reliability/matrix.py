"""The fault matrix: a scripted game that calls every route which the bot uses, and what Discord can do to each."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from bot.commands.discord.message_slots import AGAIN
from tests.discord_double.calls import Call
from tests.discord_double.faults import FOREVER, Fault, Faults
from tests.discord_double.model import DM, Channel, PostedMessage
from tests.discord_double.nursery import REPOSITORY
from tests.discord_double.used import (
    ANSWER,
    APPLICATION,
    COMMANDS,
    CONVERSATION,
    DELETE,
    EDIT,
    FIRST_ANSWER,
    HISTORY,
    LOGIN,
    MEMBER,
    PLACE,
    POSTS,
    REACTION,
    SEND,
    TAGS,
    THREADS,
)
from tests.discord_double.user import ScriptedUser, Unanswered
from tests.reliability.table import AUCTION, PATIENCE, Table, said

UNHEARD = 4.0
"""Seconds for which a user waits who gets no answer, in place of a minute."""

MET, HELD, PATIENT, RECOVERED = 15.0, 5.0, 8.0, 30.0
"""Seconds until a fault is met, for which it lasts after that, until a user tries once more, and in which all is well again."""

FAULTS: dict[str, Callable[[Game, str], Fault]] = {
    "400": lambda game, route: game.faults.fail(route, 400, FOREVER, 50035, when=game.is_of_the_table),
    "401": lambda game, route: game.faults.fail(route, 401, FOREVER, when=game.is_of_the_table),
    "403 page": lambda game, route: game.faults.fail(route, 403, FOREVER, form="html", when=game.is_of_the_table),
    "404": lambda game, route: game.faults.fail(route, 404, FOREVER, unknown(route), when=game.lose_message),
    "429": lambda game, route: game.faults.rate_limit(route, 0.3, 3),
    "429 ban": lambda game, route: game.faults.ban(route),
    "502": lambda game, route: game.faults.fail(route, 502, 2),
    "503": lambda game, route: game.faults.fail(route, 503, FOREVER),
    "silence": lambda game, route: game.faults.silence(route),
    "done in silence": lambda game, route: game.faults.silence(route, is_heard=True),
}
"""What befalls a route until it is lifted. A 429 by Discord and a 502 end by themselves, if the bot asks again. 400, 401 and 403 leave
direct messages alone, so that it is seen whether the moderator is told; a 404 of a message is true: somebody has deleted it."""

OF_THIS_REQUEST = {"400", "404"}
"""What says something about the request; all others are an outage, of which no moderator hears."""


OFTEN = 12
"""A fault is held until the route has been asked for so often, as far as that comes in time."""


def unknown(route: str) -> int:
    """The code with which a route says that what it is about is not there."""
    names = {"{message}": 10008, "{token}": 10062, "{user}": 10013, "{channel}": 10003, "{guild}": 10004}
    return next((code for part, code in names.items() if part in route), 0)


@dataclass(frozen=True)
class Cell:
    """A route, and the deed of the script that calls it."""

    route: str
    deed: str


IN_A_THREAD = (
    Cell(THREADS, "start"),
    Cell(FIRST_ANSWER, "move"),
    Cell(ANSWER, "move"),
    Cell(EDIT, "move"),
    Cell(DELETE, "move"),
    Cell(SEND, "move"),
    Cell(HISTORY, "move after an answer was lost"),
    Cell(CONVERSATION, "wrong move"),
    Cell(REACTION, "wrong move"),
    Cell(CONVERSATION, "end an order"),
    Cell(PLACE, "remind in an archived thread"),
    Cell(MEMBER, "move elsewhere"),
    Cell(LOGIN, "begin"),
    Cell(APPLICATION, "begin"),
    Cell(COMMANDS, "begin"),
)
IN_A_FORUM = (Cell(POSTS, "lobby"), Cell(TAGS, "start"))
SCENES = {"thread": IN_A_THREAD, "forum": IN_A_FORUM}


def slice_number() -> int:
    """Which part of the matrix the plain suite plays: another one for each commit."""
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=REPOSITORY, capture_output=True, check=False)
    return int.from_bytes(hashlib.sha256(asked.stdout).digest()[:4])


class Game(Table):
    """The scripted game of Ann, Bob and Cid, in a thread or as a post of a forum."""

    forum: Channel | None = None
    patience = PATIENCE
    """For how many seconds users wait who are shown that the bot is thinking."""

    # -- faults ---------------------------------------------------------------------------------------

    @property
    def faults(self) -> Faults:
        """Those of the double."""
        return self.double.faults

    def is_of_the_table(self, call: Call) -> bool:
        """Whether a request is about anything but a direct message."""
        channel = self.double.world.channels.get(call.number("channel"))
        return channel is None or channel.type != DM

    def lose_message(self, call: Call) -> bool:
        """Somebody deletes the message that a request is about."""
        channel = self.double.world.channels.get(call.number("channel"))
        message = channel.history.get(call.number("message")) if channel is not None else None
        if message is not None and not message.deleted:
            self.double.messages.delete(message)
        return True

    def tellings(self) -> int:
        """How often Ann, the moderator, was told that something is wrong."""
        words = ("is stuck", "I cannot post it")
        return sum(any(word in message.text for word in words) for message in self.people[0].dm.messages)

    def spoken_to(self) -> set[int]:
        """The people with whom the bot has asked for a conversation."""
        return {
            int(call.form["recipient_id"]) for call in self.double.calls if f"{call.method} {call.path}" == CONVERSATION
        }

    # -- what everybody sees, and what is saved -------------------------------------------------------

    @property
    def places(self) -> list[Channel]:
        """Wherever the game may be told."""
        return [channel for channel in self.double.world.channels.values() if channel.guild is not None]

    def posts(self) -> list[PostedMessage]:
        """What the bot has posted anywhere for all, oldest first."""
        bot = self.double.world.bot
        found = [m for place in self.places for m in place.messages if m.author is bot and not m.interaction]
        return sorted(found, key=lambda message: message.id)

    def prompts(self) -> list[str]:
        """Who is asked, as often as they are. A moderator who gets no direct messages hears in the channel what is stuck."""
        return [person.name for person in self.people for ping in self.pings(person) if "is stuck" not in said(ping)]

    def card(self) -> PostedMessage | None:
        """The lobby's message."""
        bot = self.double.world.bot
        every = [m for place in self.places for m in place.messages if m.author is bot]
        return next((m for m in every if any(button.label == "Join" for button in m.buttons)), None)

    @property
    def spot(self) -> Channel:
        """Where the game is played, as far as users see it."""
        asked = self.pings()
        threads = self.double.threads
        return asked[-1].channel if asked else threads[-1] if threads else self.double.channel

    def saved(self) -> int:
        """How many moves are saved."""
        return len(self.moves())

    def status(self) -> str:
        """That of the game; empty where there is none yet."""
        return next((status for (status,) in self.rows("SELECT status FROM games")), "")

    def seated(self) -> set[str]:
        """Who has a seat."""
        return {name for (name,) in self.rows("SELECT name FROM seats")}

    def is_posted(self) -> bool:
        """Whether nothing waits to be told."""
        return self.rows("SELECT count(*) FROM outbox WHERE posted_at IS NULL") == [(0,)]

    def is_asked(self) -> bool:
        """Whether exactly the player whose turn it is is asked, once."""
        asked, number = self.prompts(), self.saved()
        return asked == [self.people[number % 3].name] if number < len(AUCTION) else len(asked) == 1

    def troubles(self) -> list[str]:
        """What is not as it shall be once all is well: who is not asked, what was doubled or lost."""
        number, found = self.saved(), []
        if self.status() == "running" and not self.is_asked():
            found.append(f"after {number} moves {self.prompts()} are asked")
        if not self.is_posted():
            found.append("something still waits to be told")
        boards = self.boards()
        for move in range(1, min(number, len(AUCTION)) + 1):
            telling = [board for board in boards if f"buys P{move}" in board.text]
            sure = [board.channel.id for board in telling if not board.text.startswith(AGAIN)]
            if not telling:
                found.append(f"move {move} is not told")
            if len(sure) > len(set(sure)) or any(board.text.count(f"buys P{move} ") > 1 for board in telling):
                found.append(f"move {move} is told twice")
        return found

    # -- deeds ----------------------------------------------------------------------------------------

    async def lobby(self) -> None:
        """Ann opens a lobby."""
        home = {"forum": self.forum} if self.forum is not None else {}
        await self.people[0].slash("game new", self.double.channel, title="1848", wait=self.patience, **home)

    async def join(self) -> None:
        """Bob and Cid take seats."""
        for person in self.people[1:]:
            card = self.card()
            assert card is not None
            await person.click(card, "Join")

    async def start(self) -> None:
        """Ann starts it."""
        card = self.card()
        assert card is not None
        await self.people[0].slash("game start", card.channel, order="list", wait=self.patience)

    async def next_move(self) -> None:
        """The next move: by a button, a command, or typed."""
        number = self.saved()
        person: ScriptedUser = self.people[number % 3]
        if number % 3 == 0 and self.pings(person):
            ping = self.pings(person)[-1]
            label = next(button.label for button in ping.buttons if button.label.startswith(AUCTION[number]))
            await person.click(ping, label, wait=self.patience)
        elif number % 3 != 2:
            await person.slash("move", self.spot, move=AUCTION[number], wait=self.patience)
        else:
            await person.say(self.spot, AUCTION[number], mention_bot=True)

    async def end_an_order(self) -> None:
        """Ann moves, which ends an order of Cid: that is told to Cid directly."""
        ann, _, cid = self.people
        await self._forget_conversation(cid)
        patience, self.patience = self.patience, PATIENCE
        await cid.slash("auto say", self.spot, order="pass until start", wait=self.patience)
        self.patience = patience
        await ann.slash("move", self.spot, move="par VR 90", wait=self.patience)

    def is_order_over(self) -> bool:
        """Whether Cid has been told, if they can be spoken to."""
        opened = [call for call in self.double.calls if call.path == "/users/@me/channels"]
        if any(call.status in (400, 404) for call in opened):
            return self.saved() > len(AUCTION)
        return any("has been started" in message.text for message in self.people[2].dm.messages)

    async def remind(self) -> None:
        """Somebody is late, in a thread that has been archived and that the bot, which begins anew, does not know of."""
        self.double.archive(self.spot)
        await self.bot.terminate()
        self.write("UPDATE clocks SET due_at = 1, since = since - 86400")
        await self.bot.start()

    def is_reminded(self) -> bool:
        """Whether they have been."""
        return any("Reminder" in ping.text for ping in self.pings())

    async def wrong_move(self) -> None:
        """Somebody types a move who is not asked, and is told so directly: in a conversation that the bot does not know."""
        person = min((each for each in self.people if not self.pings(each)), key=lambda each: len(each.dm.messages))
        await self._forget_conversation(person)
        await person.say(self.spot, "buy P1", mention_bot=True)

    async def _forget_conversation(self, person: ScriptedUser) -> None:
        """An earlier failure was to be told to everybody; a bot that begins anew knows no conversations."""
        if person.account.id in self.spoken_to():
            await self.bot.terminate()
            await self.bot.start()

    async def move_elsewhere(self) -> None:
        """Ann takes the game to another channel."""
        other = self.double.add_channel("elsewhere")
        await self.double.idle()
        await self.people[0].slash("moderate here", other, game=1, wait=self.patience)

    async def begin(self) -> None:
        """The bot begins anew, and registers its commands."""
        await self.bot.terminate()
        for file in self.data.glob("commands-*.sha256"):
            file.unlink()
        await self.bot.start(wait=False)

    # -- the matrix -----------------------------------------------------------------------------------

    async def play(self, scene: str, fault: str, cells: list[Cell]) -> list[str]:
        """Play the scene's script with a fault on these of its routes, one after the other; what went wrong."""
        wrong: list[str] = []

        async def suffer(deed: str, do: Callable[[], Awaitable[None]], is_done: Callable[[], bool]) -> None:
            for cell in cells:
                if cell.deed == deed:
                    wrong.extend(
                        f"{fault} on {cell.route}: {each}" for each in await self._meet(cell, fault, do, is_done)
                    )
            if not is_done():
                await do()
            await self.wait(is_done, deed)

        await suffer("lobby", self.lobby, lambda: self.status() != "")
        if self.tellings():
            # No lobby is to be seen, and the moderator knows.
            return wrong
        await self.wait(self.card, "the lobby")
        await self.join()
        await suffer("start", self.start, lambda: self.status() == "running")
        await self._recover()
        for cell in cells:
            number = self.saved()
            if cell.deed.startswith("move") and cell.deed != "move elsewhere":
                if cell.deed == "move after an answer was lost":
                    self.double.faults.lose_answer(SEND)
                done = self._is_saved(number + 1)
                wrong += [
                    f"{fault} on {cell.route}: {each}" for each in await self._meet(cell, fault, self.next_move, done)
                ]
        for deed, do, done in (
            ("wrong move", self.wrong_move, lambda: True),
            ("end an order", self.end_an_order, self.is_order_over),
            ("remind in an archived thread", self.remind, self.is_reminded),
            ("move elsewhere", self.move_elsewhere, lambda: True),
            ("begin", self.begin, self._is_running),
        ):
            for cell in cells:
                if cell.deed == deed:
                    while deed == "end an order" and self.saved() < len(AUCTION):
                        number = self.saved()
                        await self.next_move()
                        await self.wait(self._is_saved(number + 1), AUCTION[number])
                        await self._recover()
                    wrong += [f"{fault} on {cell.route}: {each}" for each in await self._meet(cell, fault, do, done)]
        return wrong

    def _is_saved(self, number: int) -> Callable[[], bool]:
        return lambda: self.saved() >= number

    def _is_running(self) -> bool:
        return self.bot.is_running and self.double.gateway.live is not None

    async def _meet(
        self, cell: Cell, fault: str, do: Callable[[], Awaitable[None]], is_done: Callable[[], bool]
    ) -> list[str]:
        """One deed while a route fails, and once more by its user where it was lost; what is not as it shall be afterwards."""
        double = self.double
        before, asked, told = len(double.calls), self.saved(), self.tellings()
        FAULTS[fault](self, cell.route)
        self.patience = UNHEARD
        with suppress(Unanswered):
            await do()
        self.patience = PATIENCE

        def met() -> list[Call]:
            return [call for call in double.calls[before:] if f"{call.method} {call.template}" == cell.route]

        def is_prompted() -> bool:
            next_one = self.people[self.saved() % 3].name
            return self.saved() > asked and (next_one in self.prompts() or self.tellings() > told)

        found: list[str] = []
        try:
            await double.until(met, MET)
        except TimeoutError:
            if cell.route != PLACE or self.spot.is_thread:
                # An earlier failure may have taken the game to its channel, which the bot knows.
                found.append(f"{cell.deed} does not call it")
        with suppress(TimeoutError):
            await double.until(lambda: len(met()) >= OFTEN, HELD)
        if fault == "400" and cell.route in (SEND, EDIT, DELETE, HISTORY):
            with suppress(TimeoutError):
                await double.until(is_prompted, MET)
            found += [] if is_prompted() else ["while it lasts nobody is asked, and the moderator is not told"]
        self.faults.lift()
        if cell.deed == "begin" and not self.bot.is_running:
            await self.bot.start()
        with suppress(TimeoutError):
            await double.until(is_done, PATIENT)
        if not is_done():
            with suppress(Unanswered):
                await do()
        await self._recover(told)
        if self.tellings() == told:
            # A question that may not be deleted goes when the game is told the next time.
            stays = fault == "400" and cell.route == DELETE
            found += [each for each in self.troubles() if not (stays and each.endswith("are asked"))]
            found += [] if is_done() else [f"{cell.deed}: not done"]
        elif fault not in OF_THIS_REQUEST:
            found.append("the moderator was told of an outage")
        if self.saved() > asked + 1:
            found.append("the move was made twice")
        return found

    async def _recover(self, told: int = 0) -> None:
        """Wait until nothing is wrong any more, or the moderator was told."""
        with suppress(TimeoutError):
            await self.double.until(lambda: not self.troubles() or self.tellings() > told, RECOVERED)
