"""Lobbies and the list of somebody's games as plain values, ready to be written into their pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.engine import GameId, PersonId
from bot.engine.play import Title
from bot.i18n import tr
from bot.service.game_service import GameService
from bot.service.registry.command import format_moment
from bot.service.registry.lobby_commands import CLOCK, NO_COMPUTERS, PACE, STRENGTH, TITLE
from bot.service.sessions import DEFAULT_STRENGTH, PACES, GameSession, Status, has_right, is_computer
from bot.service.views.clock_text import clock_name, describe_clock
from bot.store import GameStatus

from .auth import LinkHolder, Viewer

MOST_FINISHED = 10
"""Maximum number of finished games in the list, the newest first."""

RIGHTS_HERE = ("join", "leave", "invite", "options", "computer", "start", "clock")


@dataclass(frozen=True)
class LobbySeat:
    name: str
    is_computer: bool
    is_own: bool


@dataclass(frozen=True)
class LobbyOption:
    """An option of the title with its choices: each with its explanation."""

    name: str
    explanation: str
    choices: Sequence[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class LobbyPage:
    """A lobby as one viewer sees it: `may` are the rights that they have in it."""

    game: GameId
    title: str
    least: int
    most: int
    pace: str
    clock: str
    clocks: Sequence[tuple[str, str]]
    chosen_clock: str
    seats: Sequence[LobbySeat]
    options: Sequence[LobbyOption]
    may: frozenset[str]
    plays: bool
    strengths: Sequence[str]
    default_strength: str = DEFAULT_STRENGTH

    @property
    def has_computers(self) -> bool:
        return any(held.is_computer for held in self.seats)

    @property
    def has_own_seat(self) -> bool:
        return any(held.is_own for held in self.seats)

    @property
    def is_full(self) -> bool:
        return len(self.seats) >= self.most

    @property
    def can_start(self) -> bool:
        return self.least <= len(self.seats) <= self.most


def lobby_of(visit: Viewer, title: Title) -> LobbyPage:
    table, record = visit.table, visit.table.record
    options = [
        LobbyOption(
            one.name,
            tr(one.explanation),
            [(choice, tr(said)) for choice, said in one.choices.items()],
            record.options.get(one.name, ""),
        )
        for one in title.options
    ]
    return LobbyPage(
        record.id,
        title.name,
        title.players.start,
        title.players.stop - 1,
        next((name for name, hours in PACES.items() if hours == record.pace_hours), ""),
        tr(describe_clock(record.clock)),
        [(name, tr(meaning)) for name, meaning in CLOCK.meanings.items()],
        clock_name(record.clock),
        [LobbySeat(held.name, is_computer(held.person), held.person in visit.persons) for held in table.seats],
        options,
        rights_in(table, visit.persons),
        bool(visit.persons),
        [one for one in STRENGTH.meanings if one != NO_COMPUTERS],
    )


def rights_in(table: GameSession, persons: Sequence[PersonId]) -> frozenset[str]:
    """The rights that one of these persons has in a lobby."""
    return frozenset(
        right for right in RIGHTS_HERE if any(has_right(table.record, table.seats, one, right) for one in persons)
    )


@dataclass(frozen=True)
class GameLine:
    """A game in the list; `is_linked` says that this browser has a play link to it."""

    game: GameId
    title: str
    names: str
    asked: str
    is_own_turn: bool
    is_finished: bool
    is_linked: bool
    since: str


async def home_of(holder: LinkHolder, tables: GameService) -> dict[str, Any]:
    """The values of the page of all games: those that wait for the browser's persons first."""
    found: dict[GameId, GameLine] = {}
    for person in holder.persons:
        zone = (await tables.mail.person(person)).zone
        for status in await tables.queries.games_of(person, with_finished=True):
            line = game_line(status, person, zone, status.record.id in holder.games)
            if line.is_own_turn or line.game not in found:
                found[line.game] = line
    lines = sorted(found.values(), key=lambda line: (line.is_finished, not line.is_own_turn, -line.game))
    under_way = [line for line in lines if not line.is_finished]
    finished = [line for line in lines if line.is_finished][:MOST_FINISHED]
    names = [
        name for person in holder.persons for one, name in await tables.queries.people_around(person) if one == person
    ]
    return {
        "under_way": under_way,
        "finished": finished,
        "lines_without_link": any(not line.is_linked for line in under_way),
        "titles": {title: TITLE.meanings[title] for title in tables.desk.offered if title in TITLE.meanings},
        "paces": PACE.meanings.items(),
        "persons": holder.persons,
        "own_name": next(iter(names), ""),
    }


def game_line(status: Status, person: PersonId, zone: str, is_linked: bool) -> GameLine:
    record, waiting = status.record, status.waiting
    return GameLine(
        record.id,
        record.title,
        ", ".join(held.name for held in status.seats),
        tr(status.question or "in the lobby"),
        status.waits_for(person),
        record.status == GameStatus.FINISHED,
        is_linked,
        format_moment(waiting[0].since, zone) if waiting else "",
    )
