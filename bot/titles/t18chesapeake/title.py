"""18Chesapeake: the values of its rules, and the export of trains."""

from __future__ import annotations

from dataclasses import replace

from bot.engine import CompanyId
from bot.engine.board import BoardRules
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.holdings.trains import export, trains_for_sale
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import check_improved, pay_incomes
from bot.titles.classic import Classic, Presidency, TurnOrder, build_title, classic, company_brought

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


def is_for_two(game: Game) -> bool:
    return len(game.state.players) == 2


def certificates_of(game: Game, company: CompanyId) -> tuple[int, ...]:
    """Two players divide a company otherwise, except the company that comes with a private."""
    spec, brought = game.title.companies[company], classic(game).privates_with(Presidency)
    is_brought = any(company == company_brought(game, power) for _, power in brought)
    return spec.otherwise[0] if is_for_two(game) and not is_brought else spec.certificates


VALUES = Classic(
    id="18Chesapeake",
    currency="$",
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
    options=(RULES_OPTION, box.VARIANTS),
    uncounted="y",
    unlimited="",
    turn=TurnOrder.SELL_BUY,
    certificates_of=certificates_of,
    floats_into_pool=is_for_two,
    thins_pool=is_for_two,
    bids_in=5,
    binds_highest=True,
    all_passed=pay_and_export,
    after_set=export_train,
    check_track=check_improved,
    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
)

OFF_THE_RAILS = replace(
    VALUES,
    bank=box.BANK_CASH_OFF_THE_RAILS,
    trains=box.TRAINS_OFF_THE_RAILS,
    cards=lambda game: box.TRAIN_CARDS_OFF_THE_RAILS,
    market=box.MARKET_OFF_THE_RAILS,
    look=BoardStyle(zones={"y": "yellow", "o": "#f5a623", "b": "#b5895a", "p": "#f6b8b0", "e": "#9fc5e8"}),
    floats_at=50,
    uncounted="yob",
    unlimited="ob",
    several="b",
    several_new=lambda game: True,
    turn=TurnOrder.SELL_BUY_SELL,
    all_passed=pay_incomes,
    ends_at="e",
    after_set=None,
)

TITLE = build_title(VALUES, variants={box.OFF_THE_RAILS: OFF_THE_RAILS})
