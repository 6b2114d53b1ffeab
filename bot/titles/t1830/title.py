"""1830: the values of its rules, and what it has beyond its family."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import CompanyId, IllegalMove, PrivateId
from bot.engine.board import BoardRules
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import BuyPrivateFromPlayer
from bot.titles.classic import Classic, TurnOrder, build_title
from bot.titles.classic.stock import check_excess

from . import components as box
from .interpretations import interpretation_flags
from .map import MAP
from .tiles import TILES


def count_cards(game: Game) -> Mapping[str, int]:
    has_third = game.state.options[box.SIXES_OPTION.name] != box.SIXES_OPTION.default
    return box.TRAIN_CARDS | {"6": box.TRAIN_CARDS["6"] + has_third}


def count_purchases(game: Game, bought: list[CompanyId]) -> list[CompanyId]:
    """Shares; a private too, unless shares may follow it."""
    privates = set(map(str, game.title.privates)) if interpretation_flags(game).brown_shares_follow_a_private else set()
    return [company for company in bought if company not in privates]


def check_trade(game: Game, private: PrivateId) -> None:
    """Players sell each other privates after the first stock round, the Baltimore & Ohio never. A player above a limit
    sells shares first.
    """
    is_kept = private == box.CAMDEN and interpretation_flags(game).camden_is_not_traded
    if game.title.privates[private].price_range is None or is_kept:
        raise IllegalMove("{private} is not sold.", "1830", private)
    if game.state.round.number == 1:
        raise IllegalMove("Privates can be traded only after the first stock round.", "1830")
    check_excess(game, game.player_in_turn)


VALUES = Classic(
    id="1830",
    currency="$",
    bank=box.BANK_CASH,
    cash=box.STARTING_CASH,
    certificates=box.CERTIFICATE_LIMIT,
    companies=box.COMPANIES,
    privates=box.PRIVATES,
    powers=box.POWERS,
    trains=box.TRAINS,
    cards=count_cards,
    phases=box.PHASES,
    market=box.MARKET,
    land=BoardRules(MAP, TILES),
    look=BoardStyle(zones={"y": "yellow", "o": "#f5a623", "b": "#b5895a", "p": "#f6b8b0"}),
    options=(RULES_OPTION, box.BROWN_OPTION, box.SIXES_OPTION),
    uncounted="yob",
    unlimited="ob",
    several="b",
    several_new=lambda game: game.state.options[box.BROWN_OPTION.name] != box.BROWN_OPTION.default,
    turn=TurnOrder.SELL_BUY_SELL,
    beside_shares=(BuyPrivateFromPlayer(check_trade, "1830"),),
    counted_purchases=count_purchases,
    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
    breaks_below=lambda game: 0 if interpretation_flags(game).ends_when_bank_owes else 1,
)

TITLE = build_title(VALUES)
