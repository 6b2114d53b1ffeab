"""A player's turn in a stock round, and the first station of a company started in it (18BF §9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.engine import BANK, IPO, CompanyId, HexId, IllegalMove, Owner, PlayerId, StockSections, as_company, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import Position, has_phase_begun, price_of
from bot.engine.play.steps import (
    PlaceFirstToken,
    SharePrices,
    StockTurn,
    current_stock_round,
    is_sale_by_president,
    vacant_cities,
)

from .auction import next_railway_private
from .company_closure import fall
from .components import MARKET
from .state import kind_of, title_state

SECTIONS = replace(
    same_ref(StockSections, "18BF §9.3"),
    sell="18BF §9.1",
    pool="18BF §9.1",
    president="18BF §9.1",
    limit="18BF §9.1, §9.3",
)


def begin_stock_turn(game: Game) -> None:
    """Forget the last turn's sales. The number of passes in a row is kept, not the players who passed."""
    title_state(game).sale_prices = {}
    current_stock_round(game).passed = []


def par_cells(game: Game, company: CompanyId) -> list[Position]:
    """Public companies start at £70 to £200 (§9.3)."""
    is_public = kind_of(company) == "public" and game.company(company).position is None and has_phase_begun(game, "4")
    return [cell for zone in "rp" for cell in MARKET.cells_in(zone)] if is_public else []


def check_share(game: Game, company: CompanyId) -> None:
    """Refuse shares that are never traded, and all while private railways are unsold (§9.1, §9.4)."""
    if kind_of(company) == "minor":
        raise IllegalMove("A minor is one charter: it is auctioned whole and never sold.", "18BF §9.1")
    if next_railway_private(game) is not None:
        raise IllegalMove("The private railways are auctioned first.", "18BF §9.4")


def check_sell(game: Game, company: CompanyId) -> None:
    """Refuse shares of a company that has not operated (§9.1)."""
    check_share(game, company)
    if game.company(company).position is not None and not game.company(company).operated:
        raise IllegalMove("{company} has not yet completed a turn in an operating round.", "18BF §9.1", company)


def check_buy(game: Game, player: PlayerId, company: CompanyId, source: Owner) -> None:
    """Refuse to start a company that cannot be started now (§7.4, §9.3)."""
    check_share(game, company)
    if game.company(company).position is not None:
        return
    if kind_of(company) == "system":
        raise IllegalMove("Only public companies form systems.", "18BF §7.4")
    if not has_phase_begun(game, "4"):
        raise IllegalMove("Public companies are started from phase 4 on.", "18BF §9.3")
    if not first_stations(game):
        raise IllegalMove("There is no city where its first station could be placed.", "18BF §9.3")


def sale_price(game: Game, company: CompanyId) -> int:
    """All shares sold in a turn bring the price at its beginning (§9.1)."""
    return title_state(game).sale_prices.get(company, price_of(game, company))


def lower_price_after_sale(game: Game, company: CompanyId, percent: int) -> None:
    """A sale by the (outgoing) director costs one space, once a turn (§9.1)."""
    is_first = company not in title_state(game).sale_prices
    title_state(game).sale_prices.setdefault(company, price_of(game, company))
    if is_first and is_sale_by_president(game, company):
        fall(game, company)


def after_purchase(game: Game, company: CompanyId) -> None:
    """A started company has its money immediately; then its first station is placed (§9.3)."""
    record = game.company(company)
    if not record.floated:
        record.floated = True
        game.push("first station", company)


STOCK = StockTurn(
    section=SECTIONS,
    prices=SharePrices(
        lower_price_after_sale=lower_price_after_sale,
        par_cells=par_cells,
        share_price=lambda game, company, source: price_of(game, company),
        sale_price=sale_price,
        payee=lambda game, company, source: company if source == IPO else BANK,
    ),
    may_sell=check_sell,
    after_purchase=after_purchase,
    may_buy=check_buy,
)


# -- the first station --------------------------------------------------------------------------------


def first_stations(game: Game) -> Sequence[tuple[HexId, int]]:
    """Unreserved places in cities without a route to another city; else in any city without a station (§9.3)."""
    return game.memoise("first stations", lambda: _first_stations(game))


def _first_stations(game: Game) -> list[tuple[HexId, int]]:
    hexes = (hex_id for hex_id, space in game.board_rules.map.hexes.items() if space.is_buildable)
    found = list(vacant_cities(game, hexes))
    alone = [place for place in found if is_unconnected(game, *place)]
    return alone or [place for place in found if not game.state.board.tokens_in(*place)]


def is_unconnected(game: Game, hex_id: HexId, city: int) -> bool:
    """Whether no legal route leads from the city to another city, large or small."""
    land = game.board_rules
    full = land.blocked_stops(game, as_company(""))
    reached = land.track_index(game).network([land.city_stop(game.state.board, hex_id, city)], full).stops
    others = [game.tile_at(stop.hex).node(stop.node) for stop in reached if stop.hex != hex_id]
    return not any(node.kind in ("city", "town") for node in others)


FIRST_STATION = PlaceFirstToken(
    section="18BF §9.3",
    places=lambda game, company: first_stations(game),
    told=(
        "The first station goes to an unreserved space in a city that has no route to another city; if there is none, to a city "
        "without a station."
    ),
    name="place the first station",
)
"""The player who started a public company places its first station (§9.3)."""
