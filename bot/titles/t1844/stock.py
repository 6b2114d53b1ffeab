"""Share rounds: what else is bought beside shares, what sales do to prices, and who begins (1844 §VI, §VII, §XXI, §XXII)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from bot.engine import (
    BANK,
    POOL,
    CompanyId,
    IllegalMove,
    Owner,
    PlayerId,
    PrivateId,
    StockSections,
    msg,
    require,
    same_ref,
)
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import (
    Position,
    check_cash,
    pay,
    price_of,
    sort_by_price,
    step_down,
    step_left_or_down,
    step_up,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import (
    SharePrices,
    StockTurn,
    check_excess,
    check_sale,
    current_stock_round,
    current_stock_turn,
    is_sold_out,
    open_stock_round,
    possible_sales,
)
from bot.engine.state import Action, BuyPrivate, LayTile, PlacedTile, PrivateBought, SellShares

from .board_rules import format_hex, format_marker_values, free_mountains, markers_left, mountain_tile
from .components import FNM, MARKERS, MARKET, MOUNTAIN_HEXES, MOUNTAINS, PRIVATES, SBB, TUNNELS
from .flotation import give_tokens, launch, may_launch
from .interpretations import interpretation_flags
from .player_debt import add_interest, check_buy, total_debt
from .state import title_state

STOCK_SECTIONS = same_ref(StockSections, "1844 §XXII")


# -- the round ----------------------------------------------------------------------------------------


def begin_stock_round(game: Game) -> None:
    """The first share round continues with the poorest player, once the privates are sold; others follow their number
    cards.
    """
    state = game.state
    if state.round.kind == "auction":
        set_order(game, sorted(state.order, key=lambda player: state.cash[player]))
        if may_launch(game, FNM):
            launch(game, FNM)
    title_state(game).bought = {}
    open_stock_round(game)


def set_order(game: Game, order: list[PlayerId]) -> None:
    game.state.order = order
    game.state.priority = order[0]


def end_stock_round(game: Game) -> None:
    """Prices move, debts grow, number cards are handed out (§XXI, §XVII)."""
    state = game.state
    on_chart = [company.id for company in state.companies.values() if company.floated and company.position is not None]
    for company_id in sort_by_price(game, on_chart):
        company = game.company(company_id)
        position = company.position or (0, 0)
        if company.percent_held_by(POOL):
            move(game, company_id, step_left_or_down(MARKET, position))
        elif is_sold_out(company):
            move(game, company_id, step_up(MARKET, position))
    add_interest(game)
    if state.options.get("order") == "elephant":
        set_order(game, elephant_order(game))
    else:
        set_order(game, sorted(state.order, key=lambda player: -state.cash[player]))


def elephant_order(game: Game) -> list[PlayerId]:
    """The right-hand neighbour of the last player to buy or sell goes first, the others keep their order."""
    last = current_stock_round(game).last_to_act
    if last is None:
        return game.state.order
    seats = [seat.id for seat in game.state.players]
    first = seats[seats.index(last) - 1]
    return [first, *(player for player in game.state.order if player != first)]


# -- parameters of the turn ---------------------------------------------------------------------------


def par_cells(game: Game, company: CompanyId) -> list[Position]:
    """Five issue prices; the SBB is not started by players."""
    return [] if company == SBB else MARKET.cells_in("p")


def check_sell(game: Game, company: CompanyId) -> None:
    """Not in the first share round; one sale of a company a turn (§IV, §XXII)."""
    if game.state.round.number == 1:
        raise IllegalMove("No shares are sold in the share round in which the last private was sold.", "1844 §IV")
    if company in current_stock_turn(game).sold:
        raise IllegalMove(
            "You sold {company} in this turn; shares of one company are sold together.", "1844 §XXII", company
        )


def sale_price(game: Game, company_id: CompanyId) -> int:
    """A company that has never operated falls before its shares are paid (§XXII)."""
    company = game.company(company_id)
    if company.operated or company.position is None:
        return price_of(game, company_id)
    return MARKET.price(step_down(MARKET, company.position))


def lower_price_after_sale(game: Game, company_id: CompanyId, percent: int) -> None:
    """One row down for each sale (§XXII)."""
    position = game.company(company_id).position
    if position is not None:
        move(game, company_id, step_down(MARKET, position))


PRICES = SharePrices(lower_price_after_sale=lower_price_after_sale, par_cells=par_cells, sale_price=sale_price)


def after_purchase(game: Game, company_id: CompanyId) -> None:
    """Markers come with the issue price; with half of the shares bought the company is launched."""
    company = game.company(company_id)
    if not company.floated:
        give_tokens(game, company_id)
    if may_launch(game, company_id):
        launch(game, company_id)


def check_pass(game: Game, player: PlayerId) -> None:
    """A player with dues for the exchange into the SBB must sell shares before any other move (§XII); on 18xx.games a
    debtor who has money and can neither sell shares nor start a company repays.
    """
    if has_only_debts(game, player):
        raise IllegalMove(
            "You can neither sell shares nor start a company, so you must pay back what you can.", "1844 §XVII"
        )
    due = title_state(game).dues.get(player, 0)
    if due and any(True for _ in sales(game, player)):
        sentence = "You still owe {due} for the exchange into the SBB and must sell shares first."
        raise IllegalMove(sentence, "1844 §XII", game.title.money(due))


def has_only_debts(game: Game, player: PlayerId) -> bool:
    """Whether 18xx.games leaves the player only repayment in this turn."""
    step = game.step
    if (
        not interpretation_flags(game).debtors_repay_before_passing
        or not isinstance(step, StockTurn)
        or not (total_debt(game, player) and game.state.cash[player])
    ):
        return False
    return not any(True for _ in chain(sales(game, player), step.options_to_start(game, player)))


def sales(game: Game, player: PlayerId) -> Iterator[SellShares]:
    for company in game.state.companies.values():
        for action in possible_sales(company, player) if not company.closed else ():
            try:
                check_sell(game, action.company)
                check_sale(game, player, action.company, action.shares, STOCK_SECTIONS, doubles=action.doubles)
            except IllegalMove:
                continue
            yield action


# -- mountain railways and tunnels --------------------------------------------------------------------


@dataclass(frozen=True)
class BuyMountainOrTunnel:
    """Buy a mountain railway or a share of the tunnel company instead of a share, one of each a round."""

    name: str = "buy a mountain railway or a tunnel share"
    verbs: tuple[type[Action], ...] = (BuyPrivate,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        player = game.actor_in_turn
        for kind in (MOUNTAINS, TUNNELS):
            for sign in [sign for sign in kind if game.private(sign).owner == BANK][:1]:
                yield from filter_allowed(self, game, [BuyPrivate(player, sign, PRIVATES[sign].price)])

    def check(self, game: Game, action: BuyPrivate) -> None:
        sign = action.private
        section = "1844 §VI" if sign in MOUNTAINS else "1844 §VII"
        if sign not in (*MOUNTAINS, *TUNNELS):
            raise IllegalMove("{sign} is not for sale in a share round.", "1844 §XXII", sign)
        if current_stock_turn(game).bought:
            raise IllegalMove("You may buy only one item per turn.", "1844 §XXII")
        check_buy(game, action.by)
        if interpretation_flags(game).sells_excess_first:
            check_excess(game)
        if game.private(sign).owner != BANK:
            raise IllegalMove("{sign} is sold already.", section, sign)
        if kind_of(sign) in title_state(game).bought.get(PlayerId(action.by), []):
            raise IllegalMove("You have already bought a {sign} in this share round.", section, msg(kind_of(sign)))
        price = PRIVATES[sign].price
        if action.price != price:
            raise IllegalMove("{private} costs {price}.", section, sign, game.title.money(price))
        check_cash(game, action.by, price, section)

    def apply(self, game: Game, action: BuyPrivate) -> None:
        """A mountain railway is put on the map immediately."""
        player, sign = PlayerId(action.by), action.private
        game.private(sign).owner = player
        pay(game, player, BANK, action.price, sign)
        game.emit(PrivateBought(player, sign, BANK, action.price))
        title_state(game).bought.setdefault(player, []).append(kind_of(sign))
        current_stock_turn(game).bought.append(CompanyId(sign))
        memory = current_stock_round(game)
        memory.last_to_act, memory.passes = player, 0
        if sign in MOUNTAINS:
            game.push("mountain", player)


def kind_of(sign: PrivateId) -> str:
    return "mountain railway" if sign in MOUNTAINS else "tunnel share"


def unplaced_mountain(game: Game, player: Owner) -> PrivateId | None:
    placed = title_state(game).mountains
    return next((sign for sign in MOUNTAINS if game.private(sign).owner == player and sign not in placed), None)


@dataclass(frozen=True)
class PlaceMountain:
    """Put the railway on a free mountain, with an income marker of the player's choice (§VI)."""

    name: str = "put the mountain railway on a mountain"
    verbs: tuple[type[Action], ...] = (LayTile,)

    def opens(self, game: Game) -> bool:
        return unplaced_mountain(game, game.actor_in_turn) is not None

    def options(self, game: Game) -> Iterator[Action]:
        for hex_id in free_mountains(game.state.board):
            for marker in markers_left(game.state.board):
                yield LayTile(game.actor_in_turn, marker, hex_id, 0)

    def check(self, game: Game, action: LayTile) -> None:
        if action.hex not in MOUNTAIN_HEXES:
            raise IllegalMove(
                "{hex} is not a mountain; the mountains are {hexes}.", "1844 §VI", action.hex, ", ".join(MOUNTAIN_HEXES)
            )
        if action.hex not in free_mountains(game.state.board):
            raise IllegalMove("There is a railway on {hex} already.", "1844 §VI", action.hex)
        if action.tile not in MARKERS:
            raise IllegalMove(
                "{tile} is not an income marker; the markers are {markers}.",
                "1844 §VI",
                action.tile,
                ", ".join(MARKERS),
            )
        if action.tile not in markers_left(game.state.board):
            raise IllegalMove("Both markers {tile} are on the map.", "1844 §VI", action.tile)
        if action.rotation != 0 or action.using is not None:
            raise IllegalMove("Income markers are not rotated, and no private helps with them.", "1844 §VI")

    def apply(self, game: Game, action: LayTile) -> None:
        sign = require(unplaced_mountain(game, action.by), f"{action.by} has no mountain railway to place")
        title_state(game).mountains[sign] = action.hex
        game.state.board.tiles[action.hex] = PlacedTile(mountain_tile(action.hex, action.tile), 0)
        game.board_changed()
        where, marker = format_hex(action.hex), format_marker_values(action.tile)
        game.log("{player} puts {private} on {hex}, worth {marker} by phase.", action.by, sign, where, marker)
