"""The end of the game: what brings it, and when it comes then."""

from __future__ import annotations

from bot.engine import BANK
from bot.engine.play import AutomaticStep, Game
from bot.engine.play.steps import end_game, trigger_end
from bot.engine.state import PriceMoved

from .family import Classic, GameEnd, classic
from .stock import is_in_zone

BANK_BROKEN = "the bank has run out of money"
TOP_PRICE = "a share price has reached the end of the market"

MOMENTS = {
    GameEnd.AT_ONCE: "at once",
    GameEnd.TURN: "after this turn",
    GameEnd.ROUND: "after this round",
    GameEnd.OPERATING_ROUND: "after this operating round",
    GameEnd.SET: "after this set of operating rounds",
}


def moment_of(values: Classic, reason: str) -> GameEnd:
    return values.top_price_ends if reason == TOP_PRICE else values.broken_bank_ends


def announce_end(game: Game, reason: str) -> None:
    """The end that comes sooner stands."""
    values, known = classic(game), str(game.state.ending)
    moment = moment_of(values, reason)
    if known and moment_of(values, known).value <= moment.value:
        return
    game.state.ending = ""
    trigger_end(game, reason, MOMENTS[moment])


def detect_broken_bank(game: Game, event: object) -> None:
    """A reaction to payments."""
    if game.state.cash[BANK] < 1 and game.state.cash[BANK] < classic(game).breaks_below(game):
        announce_end(game, BANK_BROKEN)


def detect_top_price(game: Game, event: PriceMoved) -> None:
    """A reaction: a price at the end of the market."""
    if is_in_zone(game, event.company, classic(game).ends_at):
        announce_end(game, TOP_PRICE)


def end_at(game: Game, *moments: GameEnd) -> None:
    if game.state.ending and moment_of(classic(game), str(game.state.ending)) in moments:
        end_game(game)


def end_at_once(game: Game) -> None:
    end_at(game, GameEnd.AT_ONCE)


def end_after(values: Classic, *moments: GameEnd) -> tuple[AutomaticStep, ...]:
    """The last step of a plan after which the game may end; none in a title whose games end at other moments."""
    known = {values.broken_bank_ends, *([values.top_price_ends] if values.ends_at else [])}
    return (lambda game: end_at(game, *moments),) if known & {*moments} else ()
