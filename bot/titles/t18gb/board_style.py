"""The print beside the map of 18GB, and the text below its market."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine import Text, msg
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle, SideBox

from .companies import is_in_receivership, is_insolvent
from .state import is_small, title_state

GREEN_AREA, START, END = "#b7dfa3", "#f6b8b0", "#9ac2f0"


def lines(game: Game) -> Iterator[Text]:
    """Companies with ten shares, leasing companies, companies without a president or waiting for the second stock
    round.
    """
    launched = [company.id for company in game.state.companies.values() if company.floated and not company.closed]
    second = game.state.round.number == 1 and game.state.round.kind != "operating"
    found: list[tuple[str, Sequence[str]]] = [
        ("Ten shares: {companies}", [company for company in launched if not is_small(game, company)]),
        ("Insolvent: {companies}", [company for company in launched if is_insolvent(game, company)]),
        ("In receivership: {companies}", [company for company in launched if is_in_receivership(game, company)]),
        ("From the second stock round on: {companies}", title_state(game).second_tier if second else []),
    ]
    yield from (msg(template, ", ".join(companies)) for template, companies in found if companies)
    if title_state(game).last_trains and not game.state.finished:
        yield "Two trains or fewer are left: no more tokens"


LOOK = BoardStyle(
    zones={"b": GREEN_AREA, "p": START, "e": END},
    notes=(
        SideBox("North–South", (20, 30, 40), ("yellow", "blue", "gray")),
        SideBox("East–West", (20, 30, 40), ("yellow", "blue", "gray")),
    ),
    lines=lines,
)
