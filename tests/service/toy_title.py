"""A game of three minutes, for tests of the table: players in turn raise a total by 1 to 9.

`bid P1 5` raises it by 5; `bid P1 7` also asks all players at once to agree. At 60 the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from msgspec import Struct

from bot.engine.ids import Owner, as_company, as_private
from bot.engine.play.game import Game
from bot.engine.play.title import Procedure, Title
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action, Answer, Bid, Pass
from bot.engine.state.events import GameEnded, PriceMoved
from bot.titles.t1848.title import TITLE as AUSTRALIA

P1 = as_private("P1")
LONG_END = 10**9


class Total(Struct):
    """What the toy remembers."""

    total: int = 0
    turns: int = 0
    answers: list[bool] = []


class Raise:
    """Raise the total, or pass."""

    name = "raise the total"
    verbs: tuple[type[Action], ...] = (Bid, Pass)

    def opens(self, game: Game) -> bool:
        return True

    def options(self, game: Game) -> Iterable[Action]:
        by = game.frame.entity or Owner("")
        yield from (Bid(by, P1, price) for price in range(1, 10))
        yield Pass(by)

    def check(self, game: Game, action: Any) -> None:
        if isinstance(action, Bid) and action.price not in range(1, 10):
            raise IllegalMove("{price} is not 1 to 9.", "Toy §1", action.price, instead=("bid P1 9",))

    def apply(self, game: Game, action: Any) -> None:
        special = game.state.special
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        game.emit(PriceMoved(as_company("TOTAL"), special.total, special.total + action.price))
        special.total += action.price
        game.next_step()
        if action.price == 7:
            game.push("agree", None, asked=game.state.order)


class Agree:
    """Everybody answers, in any order."""

    name = "agree"
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked)

    def options(self, game: Game) -> Iterable[Action]:
        for player in game.frame.asked:
            yield Answer(player, True)
            yield Answer(player, False)

    def check(self, game: Game, action: Any) -> None:
        return None

    def apply(self, game: Game, action: Any) -> None:
        game.state.special.answers.append(action.agree)
        game.frame.asked.remove(action.by)
        if not game.frame.asked:
            game.next_step()


def next_turn(game: Game) -> None:
    """The next player, until the total is reached."""
    special = game.state.special
    if special.total >= (LONG_END if game.title.id == "long" else 60):
        game.emit(GameEnded("the total is reached", ()))
        game.state.finished = True
        return
    game.frame.at -= 1
    game.push("turn", game.state.order[special.turns % len(game.state.order)])
    special.turns += 1


def set_up(game: Game) -> None:
    game.push("game")


TOY: Title = replace(
    AUSTRALIA,
    id="toy",
    name="Toy",
    players=range(2, 5),
    plans={
        plan.name: plan
        for plan in (Procedure("game", (next_turn,)), Procedure("turn", (Raise(),)), Procedure("agree", (Agree(),)))
    },
    reactions=(),
    rules=replace(AUSTRALIA.rules, worth=lambda game, player: game.state.cash[player]),
    special_type=Total,
    set_up=set_up,
    options=(),
    sentences={},
    version=1,
)
LONG: Title = replace(TOY, id="long", name="Long Toy")
TITLES = {"toy": TOY, "long": LONG, "1848": AUSTRALIA}
