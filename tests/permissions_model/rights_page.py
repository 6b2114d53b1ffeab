"""Who may do what, as docs/reference/security.md says it and from nothing else: its table is read from the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/security.md"
MEMBER, INVITED, GUEST, SEATED, SITTER, OPENER, MODERATOR = (
    "member",
    "invited",
    "guest",
    "seated",
    "sitter",
    "opener",
    "moderator by role",
)
UNDER_WAY = ("running", "paused")

CHANGES: dict[str, tuple[str, ...]] = {
    "look": (),
    "export": (),
    "copy": (),
    "join": ("seat", "sitter", "habits"),
    "leave": ("seat", "sitter", "habits"),
    "invite": ("invitation",),
    "open": ("opening",),
    "vouch": ("opening",),
    "computer": ("seat", "sitter", "habits"),
    "options": ("options",),
    "start": ("status", "seat", "sitter", "habits", "move", "clock", "place"),
    "move": ("status", "move", "clock", "order", "question", "sandbox"),
    "undo": ("status", "move", "clock", "order", "question"),
    "order": ("order", "move", "clock", "question", "status"),
    "remind": ("habits", "clock"),
    "advice": (),
    "own": ("link", "seat", "sitter", "order", "move", "clock", "question", "habits"),
    "ask": ("question", "answer"),
    "answer": ("answer", "question"),
    "act": ("status", "move", "clock", "order", "question"),
    "rewind": ("status", "move", "clock", "order", "question"),
    "status": ("status", "move", "clock", "question"),
    "correct": ("move", "clock", "order", "question"),
    "replace": ("link", "seat", "sitter", "order", "move", "clock", "question", "habits"),
    "sitter": ("sitter",),
    "pace": ("pace", "clock"),
    "clock": ("allowance", "move", "clock", "question"),
    "language": ("language",),
    "rules": ("rules", "move", "clock"),
    "handover": ("opener",),
    "place": ("place",),
    "link": ("link",),
    "key": ("link",),
    "note": ("note",),
}
"""What of a game an act may change; everything else stays, of this game and of all others."""

DECIDED = {
    "undo": ("move", "status", "clock", "order"),
    "end": ("status", "move", "clock"),
    "replace": ("link", "seat", "sitter", "move", "clock", "order", "habits"),
    "computer": ("sitter", "move", "clock"),
    "skip": ("move", "clock", "order", "status"),
    "moderator": ("opener", "move", "clock"),
    "fine": ("move", "clock", "order"),
    "clock": ("allowance", "move", "clock"),
}
"""What a decision of the table may change, beside the question."""


def table_of_the_page() -> dict[str, frozenset[str]]:
    """Who has which right: the word before the colon of each row, with the heads of the columns that say yes."""
    text = PAGE.read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    begin = next(number for number, row in enumerate(rows) if row[0] == "to")
    heads = rows[begin][1:]
    found = {}
    for name, *cells in rows[begin + 2 :]:
        if len(cells) != len(heads):
            break
        found[keyword(name)] = frozenset(head for head, cell in zip(heads, cells, strict=True) if cell == "yes")
    return found


def keyword(row: str) -> str:
    """The short name of a row of the table."""
    special = {"replace: give somebody else's seat away": "replace", "sitter for somebody else's seat": "sitter"}
    return special.get(row) or re.split(r"[ :,]", row)[0]


RIGHTS = table_of_the_page()


@dataclass(frozen=True)
class Spot:
    """A channel, a thread (then `above` is its channel), or, without a server, a conversation with the bot."""

    server: int
    number: int
    above: int = 0


@dataclass
class Server:
    """Who is in it, and whose roles let him manage threads there."""

    members: set[str] = field(default_factory=set)
    managers: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Seat:
    """Who holds it, and who sits in for it now."""

    number: int
    person: str
    sitter: str
    name: str


@dataclass(frozen=True)
class Game:
    """What the model knows of a game."""

    number: int
    status: str
    opener: str
    seats: tuple[Seat, ...]
    server: int
    channel: int
    thread: int
    each: int
    version: int
    reach: str = ""
    banned: frozenset[str] = frozenset()
    """Digests of those whom the operator keeps out of open tables."""
    title: str = ""

    @property
    def spot(self) -> int:
        """Where it is posted."""
        return self.thread or self.channel

    def seats_of(self, person: str) -> set[int]:
        """The seats for which somebody moves."""
        return {seat.number for seat in self.seats if person in (seat.person, seat.sitter)}

    def own_seats(self, person: str) -> set[int]:
        """The seats that somebody holds."""
        return {seat.number for seat in self.seats if person == seat.person}


def is_there(game: Game, spot: Spot) -> bool:
    """Whether somebody asks from the place of a game; a lobby is its whole server's."""
    if game.status == "lobby":
        return spot.server == game.server
    return spot.server == game.server and spot.number in (game.thread, game.channel)


def parts(game: Game, person: str, spot: Spot, servers: dict[int, Server], is_invited: bool = False) -> set[str]:
    """What somebody is to a game now, where he asks from."""
    home = servers.get(game.server, Server())
    found = set()
    if is_there(game, spot):
        found.add(MEMBER)
    if is_invited:
        found.add(INVITED)
    if game.status == "lobby" and game.reach == "everybody":
        found.add(GUEST)
    if game.own_seats(person):
        found.add(SEATED)
    if any(seat.sitter == person for seat in game.seats):
        found.add(SITTER)
    if person == game.opener and person in home.members:
        found.add(OPENER)
    if person in home.managers and spot.server == game.server and spot.number in (game.thread, game.channel):
        found.add(MODERATOR)
    return found


def has(right: str, found: set[str]) -> bool:
    """Whether one of these gives a right."""
    return bool(RIGHTS[right] & found)


def meant(games: Iterable[Game], spot: Spot) -> list[Game]:
    """The games that somebody can mean at a spot: the one under way there, or in a channel those in its threads; only
    where there is none of these a lobby, or what was played there last."""
    here = [game for game in games if game.server == spot.server and game.spot == spot.number]
    if playing := [game for game in here if game.status in UNDER_WAY]:
        return playing
    below = [
        game
        for game in games
        if game.status in UNDER_WAY and game.server == spot.server and game.thread and game.channel == spot.number
    ]
    return below or here


def may_bring(game: Game, person: str, spot: Spot, games: Iterable[Game], servers: dict[int, Server]) -> bool:
    """Whether somebody may go on with a game at another spot: rights at both ends, and room."""
    old, new = servers.get(game.server, Server()), servers.get(spot.server, Server())
    is_opener = person == game.opener and person in old.members
    manages_old = person in old.managers and person in old.members
    if not (is_opener or manages_old) or person not in new.members:
        return False
    if spot.server != game.server and person not in new.managers:
        return False
    others = [other for other in games if other.number != game.number and other.spot == spot.number]
    over = [other for other in others if other.status not in (*UNDER_WAY, "lobby")]
    if any(other.status in UNDER_WAY for other in others) or game.spot == spot.number:
        return False
    return person in new.managers or all(other.opener == person for other in over)


# -- what an act may change ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Act:
    """What somebody tries: the right that it needs, the games that it can be about, whom it names."""

    right: str
    person: str
    spot: Spot
    about: tuple[int, ...]
    named: str = ""
    is_invited: bool = False


def is_banned(person: str, game: Game) -> bool:
    return sha256(person.encode()).hexdigest() in game.banned


def is_shut_out(act: Act, game: Game) -> bool:
    """Whether the operator's ban forbids it: to open a lobby to others, to join one that is open, or to open it with them in it."""
    if act.right == "open" and any(is_banned(seat.person, game) for seat in game.seats):
        return True
    return is_banned(act.person, game) and (act.right == "open" or (act.right == "join" and bool(game.reach)))


def people_of(game: Game) -> set[str]:
    """Everybody who has a part in a game."""
    return {game.opener, *(person for seat in game.seats for person in (seat.person, seat.sitter))}


def granted(act: Act, games: dict[int, Game], servers: dict[int, Server]) -> list[Game]:
    """The games about which the table gives that right."""
    found = []
    for number in act.about:
        game = games[number]
        if act.right == "place":
            gives = may_bring(game, act.person, act.spot, games.values(), servers)
        else:
            was = parts(game, act.person, act.spot, servers, act.is_invited)
            gives = any(has(right, was) for right in alternatives(act.right)) and not is_shut_out(act, game)
        if gives:
            found.append(game)
    return found


def alternatives(right: str) -> tuple[str, ...]:
    """Rights of which one is enough: one's own seat may be given away by whoever holds it."""
    return {"replace": ("replace", "own"), "sitter": ("sitter", "own")}.get(right, (right,))
