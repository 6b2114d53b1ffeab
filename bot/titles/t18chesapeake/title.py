"""18Chesapeake: the values of its rules, and the export of trains."""

from __future__ import annotations

from bot.engine.board import BoardRules
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.holdings.trains import export, trains_for_sale
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import check_improved, pay_incomes
from bot.titles.classic import Classic, TurnOrder, build_title

from . import components as box
from .interpretations import interpretation_flags
from .map import MAP
from .tiles import TILES


def export_train(game: Game) -> None:
    """The next train of the bank leaves the game, if it is a 2, 3 or 4."""
    for card in trains_for_sale(game)[:1]:
        if card.family in ("2", "3", "4"):
            export(game, card)


def pay_and_export(game: Game) -> None:
    pay_incomes(game)
    export_train(game)


VALUES = Classic(
    id="18Chesapeake",
    currency="$",
    players=range(3, 7),
    bank=box.BANK_CASH,
    cash=box.STARTING_CASH,
    certificates=box.CERTIFICATE_LIMIT,
    companies=box.COMPANIES,
    privates=box.PRIVATES,
    powers=box.POWERS,
    trains=box.TRAINS,
    cards=lambda game: box.TRAIN_CARDS,
    phases=box.PHASES,
    market=box.MARKET,
    land=BoardRules(MAP, TILES),
    look=BoardStyle(zones={"y": "yellow", "p": "#f6b8b0"}),
    options=(RULES_OPTION,),
    uncounted="y",
    unlimited="",
    turn=TurnOrder.SELL_BUY,
    bids_in=5,
    binds_highest=True,
    all_passed=pay_and_export,
    after_set=export_train,
    check_track=check_improved,
    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
)

TITLE = build_title(VALUES)
