"""A player's turn in a stock round, and the first station of a company started in it (18BF §9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.data.actions import Action, Bid, BuyShares, Par, Pass, PlaceToken, SellShares
from bot.engine.data.events import CompanyStarted, SharesBought
from bot.engine.holdings.certificates import (
    certificate_count,
    ordinary,
    president_of,
    settle_presidency,
    smallest,
    transfer,
)
from bot.engine.holdings.market import place_marker, price_of
from bot.engine.holdings.money import pay
from bot.engine.holdings.trains import has_begun
from bot.engine.ids import BANK, IPO, POOL, CompanyId, HexId, Owner, PlayerId, as_company
from bot.engine.map.track import Stop
from bot.engine.play.game import Game
from bot.engine.play.title import allowed
from bot.engine.refusals import NotAllowed, permits
from bot.engine.said import said
from bot.engine.sections import StockSections
from bot.engine.steps.stock import check_sale, round_of, sell, turn_of

from .auction import check_bid, lots, lowest_bid, next_railway_private, open_auction
from .box.nouns import MARKET
from .closing import fall, put_token
from .special import kind_of, special

SECTIONS = StockSections(
    sell="18BF §9.1",
    pool="18BF §9.1",
    president="18BF §9.1",
)
STARTS = {MARKET.price(cell): cell for zone in "rp" for cell in MARKET.cells_in(zone)}
"""Public companies start at £70 to £200 (§9.3)."""


def begin_stock_turn(game: Game) -> None:
    """Nothing has been sold in this turn."""
    special(game).sale_prices = {}


@dataclass(frozen=True)
class StockTurn:
    """Sell any number of certificates, then buy one, start a public company, or offer a lot for auction (§9)."""

    name: str = "buy, sell or auction"
    verbs: tuple[type[Action], ...] = (BuyShares, SellShares, Par, Bid, Pass)

    def opens(self, game: Game) -> bool:
        """Until something was bought or offered, or the player passed."""
        return not turn_of(game).bought

    def options(self, game: Game) -> Iterator[Action]:
        """Everything legal; bids at the lowest sum and a little more."""
        yield from allowed(self, game, self._candidates(game, game.player_in_turn))

    def _candidates(self, game: Game, player: PlayerId) -> Iterator[BuyShares | SellShares | Par | Bid | Pass]:
        yield Pass(player)
        for lot, lowest in lots(game).items():
            yield from (Bid(player, lot, price) for price in (lowest, lowest + 50, lowest + 100))
        if next_railway_private(game) is not None:
            return
        may_start = has_begun(game, "4")
        for company in game.state.companies.values():
            if company.closed or kind_of(company.id) == "minor":
                continue
            if company.position is None:
                yield from (Par(player, company.id, price) for price in STARTS if may_start)
                continue
            yield from (BuyShares(player, company.id, source) for source in (IPO, POOL))
            most = company.held_by(player) // smallest(company)
            yield from (SellShares(player, company.id, number) for number in range(1, most + 1))

    # -- checks -------------------------------------------------------------------------------------

    def check(self, game: Game, action: BuyShares | SellShares | Par | Bid | Pass) -> None:
        """Raise the refusal that stands against the action."""
        player = PlayerId(action.by)
        if isinstance(action, Pass):
            self._check_pass(game, player)
        elif isinstance(action, Bid):
            _check_offer(game, player, action)
        elif action.company not in game.state.companies or game.company(action.company).closed:
            raise NotAllowed("There is no company {company} in play.", "", action.company)
        elif kind_of(action.company) == "minor":
            raise NotAllowed("A minor is one charter: it is auctioned whole and never sold.", "18BF §9.1")
        elif next_railway_private(game) is not None:
            raise NotAllowed("The private railways are auctioned first.", "18BF §9.4")
        elif isinstance(action, SellShares):
            _check_sale(game, player, action)
        elif isinstance(action, Par):
            _check_start(game, player, action)
        else:
            _check_purchase(game, player, action)

    def _check_pass(self, game: Game, player: PlayerId) -> None:
        excess = certificate_count(game, player) - game.title.rules.certificate_limit(game, player)
        if excess > 0 and any(_may_sell(game, player)):
            raise NotAllowed(
                "You hold {excess} certificate(s) above your limit and must sell first.", "18BF §9.1", excess
            )

    # -- deeds --------------------------------------------------------------------------------------

    def apply(self, game: Game, action: BuyShares | SellShares | Par | Bid | Pass) -> None:
        """Do it; a purchase, an auction or a pass ends the turn."""
        player, turn, memory = PlayerId(action.by), turn_of(game), round_of(game)
        acted = not isinstance(action, Pass) or bool(turn.sold)
        if acted:
            memory.passes = 0
        else:
            memory.passes += 1
        if isinstance(action, Pass):
            game.passed(action)
        elif isinstance(action, Bid):
            turn.bought.append(CompanyId(action.lot))
            open_auction(game, player, action.lot, action.price)
        elif isinstance(action, SellShares):
            memory.last_to_act = player
            turn.sold.append(action.company)
            memory.sold.setdefault(player, []).append(action.company)
            sell_shares(game, player, action.company, action.shares)
        else:
            memory.last_to_act = player
            turn.bought.append(action.company)
            if isinstance(action, Par):
                start_public(game, player, action.company, action.price)
            else:
                buy_share(game, player, action.company, action.source)


def _check_offer(game: Game, player: PlayerId, action: Bid) -> None:
    lowest = lowest_bid(game, action.lot)
    if lowest is None:
        names = ", ".join(lots(game)) or "nothing"
        raise NotAllowed("{lot} cannot be auctioned now; on offer: {names}.", "18BF §9.2", action.lot, names)
    check_bid(game, player, action.price, lowest)


def _may_sell(game: Game, player: PlayerId) -> Iterator[SellShares]:
    """The player's legal sales of one share each."""
    for company in game.state.companies.values():
        if company.closed or kind_of(company.id) == "minor" or not company.held_by(player):
            continue
        for number in range(1, company.held_by(player) // smallest(company) + 1):
            action = SellShares(player, company.id, number)
            if permits(_check_sale, game, player, action):
                yield action


def _check_sale(game: Game, player: PlayerId, action: SellShares) -> None:
    company = game.company(action.company)
    if company.position is not None and not company.operated:
        raise NotAllowed("{id} has not yet completed a turn in an operating round.", "18BF §9.1", company.id)
    check_sale(game, player, action.company, action.shares, SECTIONS)


def _check_start(game: Game, player: PlayerId, action: Par) -> None:
    company = game.company(action.company)
    if kind_of(company.id) == "system":
        raise NotAllowed("Systems are formed by public companies.", "18BF §7.4")
    if company.position is not None:
        raise NotAllowed("{id} has been started; buy a share of it instead.", "18BF §9.3", company.id)
    if not has_begun(game, "4"):
        raise NotAllowed("Public companies are started from phase 4 on.", "18BF §9.3")
    if action.price not in STARTS:
        allowed = ", ".join(str(price) for price in sorted(STARTS))
        raise NotAllowed("{id} can start at {allowed}, not at {price}.", "18BF §9.3", company.id, allowed, action.price)
    _check_room(game, player, company.id)
    _check_cash(game, player, 2 * action.price)
    if not first_stations(game):
        raise NotAllowed("There is no city where its first station could be placed.", "18BF §9.3")


def _check_purchase(game: Game, player: PlayerId, action: BuyShares) -> None:
    company = game.company(action.company)
    if company.position is None:
        raise NotAllowed("{id} has not been started.", "18BF §9.3", company.id)
    if action.source not in (IPO, POOL) or action.shares != 1:
        raise NotAllowed("One share is bought in a turn, from the treasury or the pool.", "18BF §9.3")
    if not ordinary(company, action.source):
        where = said("the treasury" if action.source == IPO else "the pool")
        raise NotAllowed("There is no share of {id} in {where}.", "18BF §9.3", company.id, where)
    _check_room(game, player, company.id)
    _check_cash(game, player, price_of(game, company.id))


def _check_room(game: Game, player: PlayerId, company_id: CompanyId) -> None:
    if company_id in round_of(game).sold.get(player, []):
        raise NotAllowed("You sold {company_id} in this stock round and may not buy it.", "18BF §9.3", company_id)
    limit = game.title.rules.certificate_limit(game, player)
    if certificate_count(game, player) >= limit:
        raise NotAllowed("Your certificate limit is {limit} and you have reached it.", "18BF §9.3", limit)
    most = game.title.rules.holding_limit(game, company_id)
    if game.company(company_id).held_by(player) >= most:
        raise NotAllowed("Who owns {most}% of {company_id} may not buy more.", "18BF §9.3", most, company_id)


def _check_cash(game: Game, player: PlayerId, cost: int) -> None:
    cash = game.state.cash[player]
    if cash < cost:
        raise NotAllowed("That costs £{cost} and you have £{cash}.", "18BF §9.3", cost, cash)


# -- sales and purchases ------------------------------------------------------------------------------


def sell_shares(game: Game, player: PlayerId, company_id: CompanyId, shares: int) -> None:
    """All that are sold in a turn bring the price of its beginning; the (outgoing) director's sale costs one space (§9.1)."""
    prices = special(game).sale_prices
    is_first, was_director = company_id not in prices, president_of(game.company(company_id)) == player
    sell(game, player, company_id, shares, each=prices.setdefault(company_id, price_of(game, company_id)))
    if is_first and was_director:
        fall(game, company_id)


def buy_share(game: Game, player: PlayerId, company_id: CompanyId, source: Owner) -> None:
    """One certificate at the present price, paid to the company for its treasury's, to the bank for the pool's (§9.3)."""
    price = price_of(game, company_id)
    percent = transfer(game, company_id, source, player, 1)
    pay(game, player, company_id if source == IPO else BANK, price, f"share of {company_id}")
    game.happened(SharesBought(player, company_id, source, percent, price))
    settle_presidency(game, company_id)


def start_public(game: Game, player: PlayerId, company_id: CompanyId, price: int) -> None:
    """The director's certificate for twice the price, which goes into the treasury; then the first station (§9.3)."""
    record = game.company(company_id)
    record.certificates[0].owner = player
    record.par, record.floated = price, True
    place_marker(game, company_id, STARTS[price])
    pay(game, player, company_id, 2 * price, f"start of {company_id}")
    game.happened(CompanyStarted(player, company_id, price))
    game.push("first station", company_id)


# -- the first station --------------------------------------------------------------------------------


def first_stations(game: Game) -> list[tuple[HexId, int]]:
    """Unreserved places in cities without a route to another city; else in any city without a station (§9.3)."""
    found = _vacant(game)
    alone = [place for place in found if is_unconnected(game, *place)]
    return alone or [place for place in found if not game.state.board.tokens_in(*place)]


def _vacant(game: Game) -> list[tuple[HexId, int]]:
    board, land = game.state.board, game.land
    found = []
    for hex_id, space in land.map.hexes.items():
        if not space.is_buildable:
            continue
        for number, city in enumerate(land.tile_at(board, hex_id).cities):
            taken = len(board.tokens_in(hex_id, number)) + len(board.reserved_in(hex_id, number))
            if taken < city.slots:
                found.append((hex_id, number))
    return found


def is_unconnected(game: Game, hex_id: HexId, city: int) -> bool:
    """Whether no legal route leads from the city to another one, large or small."""
    return game.cached(("unconnected", hex_id, city), lambda: _is_unconnected(game, hex_id, city))


def _is_unconnected(game: Game, hex_id: HexId, city: int) -> bool:
    land = game.land
    full = land.blocked(game, as_company(""))
    reached = land.ground(game).network([land.city_stop(game.state.board, hex_id, city)], full).stops
    return not any(_is_city(game, stop) and stop.hex != hex_id for stop in reached)


def _is_city(game: Game, stop: Stop) -> bool:
    return game.geometry(stop.hex).node(stop.node).kind in ("city", "town")


@dataclass(frozen=True)
class FirstStation:
    """The player who started a public company places its first station (§9.3)."""

    name: str = "place the first station"
    verbs: tuple[type[Action], ...] = (PlaceToken,)

    def opens(self, game: Game) -> bool:
        """Until it is placed."""
        company = game.company_in_turn
        return not any(game.state.board.cities_of(company))

    def options(self, game: Game) -> Iterator[Action]:
        """Every place that the rule allows."""
        by = game.in_turn
        return (PlaceToken(by, hex_id, city) for hex_id, city in first_stations(game))

    def check(self, game: Game, action: PlaceToken) -> None:
        """Refuse any other place."""
        if action.using is not None:
            raise NotAllowed("{using} does not help with stations.", "18BF §9.3", action.using)
        if (action.hex, action.city) not in first_stations(game):
            raise NotAllowed(
                "The first station goes to an unreserved place in a city that has no route to another one; "
                "if there is none, to a city without a station.",
                "18BF §9.3",
            )

    def apply(self, game: Game, action: PlaceToken) -> None:
        """It costs nothing."""
        put_token(game, CompanyId(action.by), action.hex, action.city)
