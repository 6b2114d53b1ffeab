"""1830: the values of its rules, and what it has beyond its family."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import CompanyId, PrivateId
from bot.engine.board import BoardRules
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.interpretations import RULES_OPTION
from bot.titles.classic import Classic, TurnOrder, build_title

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


def list_kept(game: Game) -> list[PrivateId]:
    return [box.CAMDEN] if interpretation_flags(game).camden_is_not_traded else []


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
    trades_from=2,
    not_traded=list_kept,
    counted_purchases=count_purchases,
    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
    breaks_below=lambda game: 0 if interpretation_flags(game).ends_when_bank_owes else 1,
)

TITLE = build_title(VALUES)
