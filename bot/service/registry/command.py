"""A command: its declaration, what the front doors ask of it, and what it answers."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from bot.engine import GameId, IllegalMove, Message, PersonId, Rejected, Text, literal, msg
from bot.engine.play.game import Game
from bot.render.picture_kinds import HistoryOf, PictureOf
from bot.service.features.plans.executor import ShownPlan
from bot.service.features.public_addresses import check_address
from bot.service.features.sandbox import MovePreview, SandboxState
from bot.service.features.votes import Poll
from bot.service.game_service import GameService, GameSession, MoveResult
from bot.service.sessions import Actor, LogEntry
from bot.store import LinkKind, Place
from bot.threads import run_in_thread
from bot.titles.registry import example_title


class Door(StrEnum):
    DISCORD = "discord"
    TERMINAL = "terminal"
    MAIL = "mail"
    PAGE = "page"


class Absence(StrEnum):
    """Every reason for which a front door may lack a command."""

    SERVER = "needs a server's channels"
    SECRET = "would put a secret into a mail"
    SCREEN = "needs all players at one screen"
    SHOWN = "is always on the page"
    CHANNEL = "is what people write in the channel"
    LINK = "must not be reachable by a link that was passed on"


# -- parameters ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """Some text; as the last parameter, or with `is_rest`, it is the rest of the line: then a person who types gives later
    parameters only by name."""

    most: int = 200
    is_rest: bool = False


@dataclass(frozen=True)
class Number:
    least: int
    most: int


@dataclass(frozen=True)
class Choice:
    """One of these values, each with its meaning. People may type the value, or `words` for it."""

    meanings: Mapping[str, Text]
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def typed_values(self) -> list[str]:
        words = {value: word for word, value in self.words.items()}
        return [words.get(value, value) for value in self.meanings if value]


@dataclass(frozen=True)
class Flag:
    """True where the parameter's name is typed."""


@dataclass(frozen=True)
class SeatOf:
    """A seat's number; people may type the player's name."""


@dataclass(frozen=True)
class Member:
    """A person whom the door knows, as a `Person`."""


@dataclass(frozen=True)
class GameFile:
    """A file that somebody brings: its bytes, or what `Request.run_in_turn` makes its bytes of."""


@dataclass(frozen=True)
class ForumChannel:
    """A forum of a server; only Discord has it."""


Kind = Words | Number | Choice | Flag | SeatOf | Member | GameFile | ForumChannel


@dataclass(frozen=True)
class Person:
    person: PersonId
    name: str


Completer = Callable[["Request", str], Awaitable[Sequence[tuple[str, str]]]]
"""Values with their labels that fit what has been typed so far."""


@dataclass(frozen=True)
class Parameter:
    """`complete` offers values while somebody types. `default` is `inspect.Parameter.empty` where a value is needed.
    `shown` stands for the value in help, by default the name.
    """

    name: str
    kind: Kind
    help: str
    complete: Completer | None = None
    default: Any = inspect.Parameter.empty
    shown: str = ""

    @property
    def is_needed(self) -> bool:
        return self.default is inspect.Parameter.empty


def parameter(kind: Kind, text: str, complete: Completer | None = None, shown: str = "") -> Parameter:
    """A parameter for `command`, which adds the name and the default of the function's signature."""
    return Parameter("", kind, text, complete, shown=shown)


# -- replies ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NamedFile:
    """A file to hand over; `is_named` says that somebody has chosen the name, which may be a path at a terminal."""

    name: str
    content: bytes
    about: str
    is_named: bool = False


@dataclass(frozen=True)
class FollowUp:
    """A command that somebody may want next: a button where there are buttons, else a line to type.

    Of a draft the reader changes the line before they send it.
    """

    label: Text
    command: str
    values: Mapping[str, Any] = field(default_factory=dict)
    is_draft: bool = False


@dataclass(frozen=True)
class Plans:
    """Somebody's own plans in a game."""

    game_id: GameId
    plans: Sequence[ShownPlan]


@dataclass(frozen=True)
class Polls:
    polls: Sequence[Poll]


@dataclass(frozen=True)
class TurnNews:
    """A game as the reader finds it, and its log since their last move (empty where they have no seat)."""

    table: GameSession
    since: Sequence[LogEntry]


Subject = MoveResult | TurnNews | SandboxState | MovePreview | GameSession | Plans | Polls
"""The subject of a reply; a door may show more of it than the lines, with buttons of its own."""


@dataclass(frozen=True)
class Reply:
    """The answer to a command. A line that is a `str` is already in the reader's language. `opened` is the game that
    the reader goes on with. A `long` text may be sent as a file of that name. Beside its pictures `caption` says
    enough. If the latest lines come last, the first may be left out. A `refusal` says why nothing was done, with what
    may be done instead. After the last reply nothing more is sent to a person.
    """

    lines: Sequence[Text] = ()
    pictures: Sequence[PictureOf | HistoryOf] = ()
    files: Sequence[NamedFile] = ()
    follow_ups: Sequence[FollowUp] = ()
    subject: Subject | None = None
    opened: GameId | None = None
    long: str = ""
    caption: Message | None = None
    is_latest_last: bool = False
    refusal: Rejected | None = None
    is_last: bool = False


# -- requests -----------------------------------------------------------------------------------------


class Request(ABC):
    """Who asks at which door, and about which game. Each door has its own kind."""

    door: Door

    version: int | None = None
    """The position that they saw, where the door knows it."""

    zone = ""
    """Their time zone, where the door knows it."""

    def __init__(self, tables: GameService, person: PersonId, name: str = "") -> None:
        self.tables, self.person, self.name = tables, person, name
        self.chosen: Mapping[str, Any] = {}

    @abstractmethod
    async def game_id(self) -> GameId:
        """The game that is meant.

        :raises IllegalMove: none is.
        """

    async def lobby_id(self, number: int | None = None) -> GameId:
        """The lobby of that number, by default the lobby that is meant here.

        :raises IllegalMove: none is.
        """
        return await self.game_id() if number is None else GameId(number)

    async def lobby_or_game_id(self, number: int | None = None) -> GameId:
        """The lobby of that number, by default the lobby that is meant here, else the game.

        :raises IllegalMove: neither is.
        """
        try:
            return await self.lobby_id(number)
        except IllegalMove:
            if number is not None:
                raise
            return await self.game_id()

    async def asker(self, game_id: GameId) -> Actor:
        """The person with their present rights at the game's place."""
        return Actor(self.person, self.name)

    async def place_for_new(self) -> Place | None:
        """The place of a game that begins here; None where games have none.

        :raises IllegalMove: no game may begin here.
        """
        return None

    async def lobby_place(self, title: str, forum: object) -> Place | None:
        """The place of a new lobby, in this forum if it is a forum.

        :raises IllegalMove: no lobby may be opened there.
        """
        return None

    async def place_for_start(self, game_id: GameId) -> Place | None:
        """The place where a lobby's game begins."""
        return await self.tables.places.place_with_thread(game_id)

    async def describe(self, place: Place | None) -> str:
        """A new game's place in words, after it has been prepared; empty where games have none."""
        return ""

    async def move_here(self, game_id: GameId) -> None:
        """Continue a game in the place where this was asked.

        :raises IllegalMove: the door has no places, or the right is missing.
        """
        raise IllegalMove("There is no place for a game here.")

    def check_server_manager(self) -> None:
        """Refuse people who may not manage the server from which they ask.

        :raises IllegalMove: they may not, or there is none.
        """
        raise IllegalMove("Only people who may manage a server can do that, on that server.")

    async def lobby_changed(self, table: GameSession) -> None:
        """Bring what the door shows of a lobby up to date."""

    async def invitation_lines(self, game_id: GameId, code: str) -> Sequence[Text]:
        """How others join with an invitation's code."""
        typed = self.spell("game join", game=game_id, name=code) + " NAME"
        return [msg("Anyone with this code can join, until the game begins or you make a new code: {line}", typed)]

    async def board_link(self, kind: LinkKind) -> str:
        """The address of a new link to the game that is meant, to `look` or to `play`.

        :raises IllegalMove: no pages are served.
        """
        raise IllegalMove("This bot shows no boards in the browser.")

    async def add_hook(self, address: str) -> str:
        """Have an address called when the game that is meant moves on; returns the secret of the signatures.

        :raises IllegalMove: it cannot be called, or nothing is called here.
        """
        check_address(address)
        if not self.has_pages():
            raise IllegalMove("This bot shows no boards in the browser, and calls no addresses.")
        game_id = await self.game_id()
        return await self.tables.links.make(game_id, await self.asker(game_id), LinkKind.HOOK, address)

    def has_pages(self) -> bool:
        """Whether board pages are served here; their server also calls addresses."""
        return False

    async def clone(self, game_id: GameId, record: int | None, place: Place | None) -> GameId:
        """Copy a game; returns the copy's number."""
        return await self.tables.transfer.clone(game_id, await self.asker(game_id), record, place)

    def check_mail(self) -> None:
        """Refuse where no mail is sent.

        :raises IllegalMove: none is.
        """

    def client_language(self) -> str:
        """The language of the program that somebody uses here; empty where it has none."""
        return ""

    async def help(self, about: str) -> Reply:
        """The moves that are possible now, or help about something."""
        from .help import help_about

        return await help_about(self, about)

    async def run_in_turn(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Something that needs many resources, after those who asked before; in a process of its own.

        :raises Rejected: as the function does.
        """
        porter = self.tables.transfer.porter
        if porter is None:
            return await run_in_thread(function, *arguments)
        async with porter.turn(self.person, self.guild()):
            return await porter.run(function, *arguments)

    def guild(self) -> str:
        """The server from which somebody asks; empty where there is none."""
        return ""

    def moment(self, when: datetime) -> str:
        """A moment for this reader: in their zone, where the door knows it."""
        return format_moment(when, self.zone)

    def mark(self, game_id: GameId) -> str:
        """The words before a game in a list of games."""
        return ""

    def first_game(self) -> str:
        """How a first game is opened here."""
        return self.spell("game new", title=example_title())

    async def place_words(self, game_id: GameId) -> str:
        """The place of a game, in words after a space; empty where that says nothing here."""
        return ""

    @abstractmethod
    def spell(self, command: str, **values: Any) -> str:
        """A command as it is typed at this door."""

    async def find_person(self, name: str) -> Person:
        """Somebody by their name in a game of the person who asks, the game that is meant first, or by their confirmed
        mail address.

        :raises IllegalMove: there is nobody, or several people.
        """
        if "@" in name:
            return await self._find_reader(name)
        wanted = name.strip().casefold()
        called = {one.person: one for one in await self.known_people() if one.name.casefold() == wanted}
        try:
            here = [held.person for held in (await self.table()).seats if held.name.casefold() == wanted]
        except IllegalMove:
            here = []
        found = [one for one in called.values() if one.person in here] or list(called.values())
        if len(found) > 1:
            # All seats of a copy are one's own, under the names of others.
            found = [one for one in found if one.person != self.person]
        if len(found) > 1:
            raise IllegalMove("Several people in your games are called {name}.", "", literal(name[:40]))
        if not found:
            raise IllegalMove(
                "There is nobody called {name} in your games. You can also give their mail address.",
                "",
                literal(name[:40]),
            )
        return found[0]

    async def known_people(self) -> list[Person]:
        """The people in the games of the person who asks, by their names there."""
        return [Person(*one) for one in await self.tables.queries.people_around(self.person)]

    async def _find_reader(self, address: str) -> Person:
        """Somebody with that address, by the name that they bear in their newest game.

        :raises IllegalMove: nobody who has played here has confirmed it.
        """
        wanted = address.strip().lower()
        for one in await self.tables.mail.people_at(wanted):
            around = await self.tables.queries.people_around(one.person) if one.address == wanted else []
            own = [name for person, name in around if person == one.person]
            if own:
                return Person(one.person, own[0])
        raise IllegalMove("Nobody who plays here has this address.")

    async def read_file(self, name: str) -> bytes:
        """The file that somebody brings under that name.

        :raises IllegalMove: there is none, or it cannot be read.
        """
        raise IllegalMove("No file is attached.")

    async def table(self) -> GameSession:
        """The game that is meant, for a person who may look at it.

        :raises IllegalMove: none is, or they may not.
        """
        game_id = await self.game_id()
        table = await self.tables.desk.table(game_id)
        self.tables.desk.check(table, await self.asker(game_id), "look")
        return table

    async def require_started(self) -> tuple[GameSession, Game]:
        """That game with its position.

        :raises IllegalMove: it has not begun either.
        """
        table = await self.table()
        if table.game is None:
            raise IllegalMove("This game has not begun yet.")
        return table, table.game

    async def position(self) -> Game:
        """The position of that game.

        :raises IllegalMove: as `require_started` does.
        """
        return (await self.require_started())[1]


def format_moment(when: datetime, zone: str) -> str:
    """A moment in a time zone; an empty zone is that of this machine."""
    if not zone:
        return f"{when.astimezone():%Y-%m-%d %H:%M}"
    return f"{when.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})"


# -- declarations -------------------------------------------------------------------------------------

Function = Callable[..., Awaitable[Reply]]


@dataclass(frozen=True)
class Spelling:
    """Another way to type a command: at one door only, or only where a lobby is meant; in a game that has begun only if
    what follows matches the pattern `in_game`. The text that follows is for the parameter `first`; `rest` is added to
    it. In some titles a word that `may_be_move` begins a move. Help shows a better word than one that `is_old`.
    """

    text: str
    door: Door | None = None
    in_lobby: bool = False
    in_game: str = ""
    may_be_move: bool = False
    is_old: bool = False
    first: str = ""
    rest: str = ""


@dataclass(frozen=True, eq=False)
class Command:
    """A command of every door except those in `absent`. `words` are other ways to type it. The answer of an `is_public`
    command is for all who read the channel. `right` is the right that it needs (`bot.service.sessions.rights`), empty
    where everyone may. `changes` says that something is changed, `is_sealed` that a mail must be proven to come from its
    sender. `form_of` is the command whose text this command fills in from a form; people who type write that text.
    `or_else` is the command that its words mean at a door where something follows that is no number.
    `example` is a typed line.
    """

    name: str
    help: str
    run: Function
    parameters: tuple[Parameter, ...]
    right: str = ""
    words: tuple[str | Spelling, ...] = ()
    absent: Mapping[Door, Absence] = field(default_factory=dict)
    is_public: bool = False
    changes: bool = False
    is_sealed: bool = False
    example: str = ""
    form_of: str = ""
    or_else: Mapping[Door, str] = field(default_factory=dict)

    @property
    def spellings(self) -> tuple[Spelling, ...]:
        """Every way to type it, its name first."""
        ways = (Spelling(word) if isinstance(word, str) else word for word in self.words)
        return () if self.form_of else (Spelling(self.name), *ways)

    def is_at(self, door: Door) -> bool:
        return door not in self.absent


class Registry:
    """All commands, in the order of their declaration."""

    def __init__(self) -> None:
        self.commands: dict[str, Command] = {}

    def command(self, name: str, text: str, /, **facts: Any) -> Callable[[Function], Function]:
        """Declare a command: the facts of `Command`, and under each parameter's name its kind and help."""

        def declare(function: Function) -> Function:
            signature = inspect.signature(function)
            parameters = tuple(
                replace(found, name=one.name, default=one.default)
                for one in list(signature.parameters.values())[1:]
                for found in [facts.pop(one.name)]
            )
            self.commands[name] = Command(name, text, function, parameters, **facts)
            return function

        return declare


DISCORD_ONLY = dict.fromkeys((Door.MAIL, Door.PAGE, Door.TERMINAL), Absence.SERVER)
"""Where a command is absent that needs a server's rights."""

REGISTRY = Registry()
command = REGISTRY.command
