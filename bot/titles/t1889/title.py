"""1889: the values of its rules, and the beginning for beginners."""

from __future__ import annotations

from bot.engine import PrivateId, SeededRandom, as_private
from bot.engine.board import BoardRules
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import check_improved, sell_private
from bot.titles.classic import Classic, TurnOrder, build_title

from . import components as box
from .interpretations import interpretation_flags
from .map import BEGINNERS_MAP, MAP
from .tiles import BEGINNERS_TILES, TILES


def is_for_beginners(game: Game) -> bool:
    return game.state.options[box.BEGINNING.name] != box.BEGINNING.default


def list_privates(game: Game) -> list[PrivateId]:
    """The ferry to Uno needs four players, the South Iyo Railway three; beginners have one each."""
    players = len(game.state.players)
    dealt = list(map(as_private, box.BEGINNERS))
    if is_for_beginners(game):
        return [sign for sign in box.PRIVATES if sign in dealt[:players]]
    absent = {"UTF"} if players == 3 else {"UTF", "SIR"} if players == 2 else set()
    return [sign for sign in box.PRIVATES if sign not in {*dealt, *absent}]


def deal_privates(game: Game) -> None:
    """Beginners get a private each by lot, in the order of seats, and pay its price."""
    if not is_for_beginners(game):
        return
    chance = SeededRandom(game.state.seed)
    drawn = sorted(game.state.privates.values(), key=lambda private: chance.random_bits())
    for player, private in zip(game.state.order, drawn, strict=True):
        sell_private(game, private, player, private.price)


VALUES = Classic(
    id="1889",
    currency="¥",
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
    scenarios={"beginners": BoardRules(BEGINNERS_MAP, TILES | BEGINNERS_TILES)},
    scenario=lambda game: "beginners" if is_for_beginners(game) else "",
    privates_in_play=list_privates,
    prepare=deal_privates,
    look=BoardStyle(zones={"y": "yellow", "o": "#f5a623", "p": "#f6b8b0"}),
    options=(RULES_OPTION, box.BEGINNING),
    floats_at=50,
    uncounted="yo",
    unlimited="o",
    turn=TurnOrder.SELL_BUY_OR_BUY_SELL,
    sells_in_blocks=True,
    check_track=check_improved,
    homes_at_once=True,
    may_dethrone=False,
    pays_for_used=False,
    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
)

TITLE = build_title(VALUES, "1889 Shikoku")
