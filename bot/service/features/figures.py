"""The figures of a game that is over, computed from its moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import quantiles

from bot.engine import ERASED, FormerPlayer, Owner, PersonId, PlayerId, SeatNumber, seat_number
from bot.engine.play import Game
from bot.engine.play.holdings import president_of
from bot.service.sessions import TitleAt, initial_position, is_computer, replay_move, turns_of, waking_time, with_rules
from bot.service.views.report import Verdict, ranking
from bot.store import DepartureRecord, GameRecord, MoveKind, MoveRecord, ResultRecord, SeatRecord, StandingRecord

HOUR = 3600


@dataclass(frozen=True)
class GameFigures:
    result: ResultRecord
    standings: list[StandingRecord]
    departures: list[DepartureRecord]


@dataclass
class Owners:
    """Who directed each company last, and the player who bought each private first."""

    companies: dict[str, Owner]
    privates: dict[str, Owner]

    def note(self, game: Game) -> None:
        for company in game.state.companies.values():
            president = president_of(company)
            if president is not None:
                self.companies[company.id] = president
        for private in game.state.privates.values():
            if private.id not in self.privates and private.owner is not None and private.owner.startswith("@"):
                self.privates[private.id] = private.owner

    def companies_of(self, player: PlayerId) -> list[str]:
        return [name for name, owner in self.companies.items() if owner == player]

    def privates_of(self, player: PlayerId) -> list[str]:
        return [name for name, owner in self.privates.items() if owner == player]


def compute_figures(
    record: GameRecord,
    seats: Sequence[SeatRecord],
    records: Sequence[MoveRecord],
    line: Collection[int],
    title_at: TitleAt,
    verdict: Verdict,
    now: float,
) -> GameFigures:
    """The figures of a game with these records, of which those in `line` led to its end.

    :raises Rejected: a move is not allowed by the rules that it was made by.
    :raises StoreDamaged: a record cannot be read.
    """
    played = [move for move in records if move.number in line]
    game, last, owners = replay_owners(record, seats, played, title_at)
    ended = last
    if not game.state.finished:
        ended = next((move for move in reversed(played) if move.kind == MoveKind.END), last)
    result = ResultRecord(
        record.id,
        record.version,
        record.title,
        played[0].made_at,
        ended.made_at,
        len(seats),
        game.state.moves,
        game.state.finished,
        game.state.finished and not record.unrated and is_ratable(seats),
    )
    heirs, hours = heirs_of(played), answer_hours(records, seats, now)
    held_by = {held.number: held for held in seats}
    standings = [
        StandingRecord(
            record.id,
            seat_number(player),
            place,
            score,
            held_by[seat_number(player)].person in heirs,
            owners.companies_of(player),
            owners.privates_of(player),
            hours.get(seat_number(player), []),
        )
        for place, player, score in ranking(game, verdict)
    ]
    left = {move.person for move in played if move.kind == MoveKind.LEAVE and move.number <= ended.number} - {ERASED}
    return GameFigures(result, standings, [DepartureRecord(record.id, person) for person in sorted(left)])


def replay_owners(
    record: GameRecord, seats: Sequence[SeatRecord], played: Sequence[MoveRecord], title_at: TitleAt
) -> tuple[Game, MoveRecord, Owners]:
    """The last position, the record that ended the game by the rules (else the last of all), and who held what.

    :raises Rejected: a move is not allowed by the rules that it was made by.
    """
    game, owners, last = initial_position(title_at(0), record, seats), Owners({}, {}), played[0]
    for move in played:
        if not game.state.finished:
            last = move
        game = with_rules(game, title_at(move.number))
        replay_move(game, move)
        owners.note(game)
    return game, last, owners


def is_ratable(seats: Sequence[SeatRecord]) -> bool:
    """Whether several people or computers played, and no person for several seats."""
    people = [held.person for held in seats if held.person and not is_computer(held.person)]
    return len(set(people)) == len(people) and len({held.person for held in seats}) > 1


def heirs_of(played: Sequence[MoveRecord]) -> set[PersonId]:
    """The people who took over a seat after the start."""
    return {
        value.person
        for move in played
        if move.kind == MoveKind.REPLACE
        for value in move.lines[0].values[:1]
        if isinstance(value, FormerPlayer)
    }


def answer_hours(
    records: Sequence[MoveRecord], seats: Sequence[SeatRecord], now: float
) -> dict[SeatNumber, list[float]]:
    """For each person's seat, the number of their turns and the quartiles of the waking hours that they took."""
    found: dict[SeatNumber, list[float]] = {}
    turns: Mapping[SeatNumber, list[tuple[datetime, datetime]]] = turns_of(records, seats, now)
    for held in seats:
        taken = [waking_time(begin, end, held).total_seconds() / HOUR for begin, end in turns[held.number]]
        if held.person and not is_computer(held.person) and taken:
            cuts = quantiles(taken, n=4, method="inclusive") if len(taken) > 1 else [taken[0]] * 3
            found[held.number] = [float(len(taken)), *(round(cut, 4) for cut in cuts)]
    return found
