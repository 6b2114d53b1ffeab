"""What several files of cases of 1820 need: the LSR at Birmingham."""

from __future__ import annotations

from bot.engine.ids import Owner, PlayerId
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.state.events import RoutesRun
from bot.engine.state.state import Frame, OperatingRoundMemory, Round, TurnMemory
from tests.titles import builders_1820 as e
from tests.titles.positions import act, token

ROW = ("4 G5 1", "4 G9 1", "57 G11 1", "4 G13 1", "6 G15 1")
"""Town 10, Birmingham 30, town 10, city 20, town 10, city 20, from left to right."""


def legal(game: Game, start: str = "") -> list[str]:
    return [text for text in map(format_action, game.legal_actions()) if text.startswith(start)]


def at_birmingham(
    phase: str = "yellow", trains: tuple[str, ...] = (), tiles: tuple[str, ...] = (), **company: object
) -> Game:
    """The LSR with a station in Birmingham, whose yellow tile runs left and right."""
    game = e.new_game()
    e.lay(game, "G7", "150", 1)
    for text in tiles:
        tile, hex_id, rotation = text.split()
        e.lay(game, hex_id, tile, int(rotation))
    e.floated(game, "LSR", **company)  # type: ignore[arg-type]
    token(game, "LSR", "G7")
    e.give_trains(game, "LSR", *trains)
    e.reach_phase(game, phase)
    return game


def revenue_of(game: Game, name: str = "LSR") -> int:
    """What the listed run brings."""
    e.in_turn(game, name, "run")
    events = act(game, legal(game, f"{name} run")[0])
    return next(event.revenue for event in events if isinstance(event, RoutesRun))


def with_revenue(game: Game, revenue: int, name: str = "LSR") -> Game:
    """The company's trains have run for this revenue; its dividend is the question."""
    state = game.state
    state.round = Round("operating", 2, 1, 2)
    state.flow = [
        Frame("game", None, 2),
        Frame("operating round", None, 0, memory=OperatingRoundMemory([one.id for one in state.companies.values()])),
        Frame(
            "company turn",
            Owner(name),
            e.PLACES["dividend"],
            [PlayerId(e.title_state(game).directors[game.company(Owner(name)).id])],
            TurnMemory(revenue=revenue),
        ),
    ]
    return e.settled(game)
