"""How a game went: what players and companies were worth after every round, from a replay of its moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bot.engine import CompanyId, PlayerId, is_player
from bot.engine.play import Game, Title
from bot.engine.play.holdings import price_of
from bot.engine.state import Event, Paid, RoundBegan

from .game_record import GameRecordFile

INCOME = ("dividend", "income")
"""Beginnings of the reasons for which players are paid income."""


@dataclass
class RoundSummary:
    """Everyone's holdings at the end of a round; `income` is what players received in it."""

    label: str
    worth: dict[PlayerId, int]
    cash: dict[PlayerId, int]
    income: dict[PlayerId, int]
    prices: dict[CompanyId, int]


@dataclass
class GameHistory:
    names: dict[PlayerId, str] = field(default_factory=dict)
    standings: list[RoundSummary] = field(default_factory=list)

    def add(self, label: str, game: Game, income: dict[PlayerId, int]) -> None:
        state = game.state
        self.names = {player.id: player.name for player in state.players}
        players = list(self.names)
        self.standings.append(
            RoundSummary(
                label,
                {player: game.title.rules.worth(game, player) for player in players},
                {player: state.cash[player] for player in players},
                {player: income.get(player, 0) for player in players},
                {
                    company.id: price_of(game, company.id)
                    for company in state.companies.values()
                    if company.position is not None
                },
            )
        )


def build_history(title: Title, course: GameRecordFile) -> GameHistory:
    """Replay the game and note the standing at the end of every round, and now.

    :raises Rejected: a move is not legal by today's rules.
    """
    found = GameHistory()
    income: dict[PlayerId, int] = {}
    before = ""
    game: Game | None = None
    for game, events in course.positions(title):
        now = round_label(game)
        ended, begun = (events, []) if now == before else split_at_new_round(events)
        add_income(income, ended)
        if now != before:
            found.add(before or "start", game, income)
            income = {}
            add_income(income, begun)
        before = now
    if game is not None:
        found.add(before, game, income)
    return found


def round_label(game: Game) -> str:
    """The round in a few letters: `SR 2`, `OR 3.1`."""
    here = game.state.round
    letter = here.kind[:1].upper()
    part = f".{here.part}" if here.of > 1 or here.kind == "operating" else ""
    return f"{letter}R {here.number}{part}"


def split_at_new_round(events: list[Event]) -> tuple[list[Event], list[Event]]:
    """The records before the newest round began, and since: what privates pay as it begins is its income."""
    begins = [place for place, event in enumerate(events) if isinstance(event, RoundBegan)]
    place = begins[-1] if begins else len(events)
    return events[:place], events[place:]


def add_income(income: dict[PlayerId, int], events: Iterable[Event]) -> None:
    for player, amount in income_payments(events):
        income[player] = income.get(player, 0) + amount


def income_payments(events: Iterable[Event]) -> Iterator[tuple[PlayerId, int]]:
    for event in events:
        if isinstance(event, Paid) and is_player(event.payee) and event.why.startswith(INCOME):
            yield PlayerId(event.payee), event.amount
