"""Lobbies, floating companies, increasing share-counts (1820 §6.5.2.1, §6.5.2.2, §6.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from bot.engine import BANK, IPO, CompanyId, IllegalMove, Owner, PlayerId, is_player, join_or, msg
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import pay
from bot.engine.state import (
    Action,
    Board,
    Company,
    CompanyFloated,
    CompanyStarted,
    Pass,
    SharesBought,
    TileLaid,
    TokenPlaced,
)
from bot.titles.t1820 import components
from bot.titles.t1820.actions import FloatCompany, FundLobby, Purchase, Station
from bot.titles.t1820.companies import (
    possible_buyers,
    resize,
    set_director,
    set_price,
    shares_to_buy,
    size,
    transfer_shares,
)
from bot.titles.t1820.consent import propose
from bot.titles.t1820.events import LobbyResolved
from bot.titles.t1820.map import MAP
from bot.titles.t1820.operations.token_placement import (
    check_rotation,
    check_tile,
    edges_between,
    is_rural,
    legal_tiles_with_rotations,
    place_tile,
    tile_at,
)
from bot.titles.t1820.state import LobbyMarker, title_state
from bot.titles.t1820.tiles import TILES

from .shares import check_holding, halve_fee

USUAL_LOBBIES = 2
"""The number of lobbies of a player up to which new lobbies are suggested."""
SAMPLE_SPACES = 8
"""The number of hexes considered for a station when moves are listed."""


# -- lobbies (§6.5.2.1) -------------------------------------------------------------------------------


def check_fund(game: Game, action: FundLobby) -> None:
    memory = title_state(game)
    if memory.is_resolved:
        raise IllegalMove("The lobbies of this stock round have been resolved.", "1820 §6.5.1")
    if action.amount < components.SMALLEST_BID or action.amount % components.BID_STEP:
        sentence = "A lobby holds a multiple of £{step}, at least £{least}."
        raise IllegalMove(sentence, "1820 §6.5.2.1", components.BID_STEP, components.SMALLEST_BID)
    if any(lobby.amount == action.amount for lobby in memory.lobbies):
        raise IllegalMove("There is a lobby with £{amount} already.", "1820 §6.5.2.1", action.amount)
    added = action.amount
    if action.lobby:
        if not any(lobby.amount == action.lobby for lobby in memory.lobbies):
            raise IllegalMove("There is no lobby with £{lobby}.", "1820 §6.5.2.1", action.lobby)
        added -= action.lobby
        if added <= 0:
            raise IllegalMove("A lobby can only be raised.", "1820 §6.5.2.1")
    elif sum(lobby.player == action.by for lobby in memory.lobbies) >= components.LOBBY_MARKERS:
        raise IllegalMove("All ten of your lobby markers are already in use.", "1820 §2")
    if added > game.state.cash[action.by]:
        raise IllegalMove("You have £{cash}.", "1820 §6.5.1", game.state.cash[action.by])


def fund(game: Game, action: FundLobby) -> None:
    """Put money under the marker; the line stays sorted, largest first."""
    lobbies = title_state(game).lobbies
    player = PlayerId(action.by)
    lobby = next((lobby for lobby in lobbies if action.lobby and lobby.amount == action.lobby), None)
    before, now = lobby.amount if lobby else 0, action.amount
    pay(game, player, components.LOBBY, now - before, "lobby")
    if lobby is None:
        lobbies.append(LobbyMarker(now, player))
        game.log("{by} funds a lobby with £{amount}.", player, now)
    else:
        lobby.amount = now
        if lobby.player == player:
            game.log("{by} raises the lobby of £{before} to £{amount}.", player, before, now)
        else:
            game.log("{by} raises {owner}'s lobby of £{before} to £{amount}.", player, lobby.player, before, now)
    lobbies.sort(key=lambda one: -one.amount)


def fund_options(game: Game, player: Owner) -> Iterator[FundLobby]:
    """While there are few lobbies: the lowest new lobby, a lobby above the highest, a raise of the smallest."""
    lobbies = title_state(game).lobbies
    taken = {lobby.amount for lobby in lobbies}
    lowest = next(amount for amount in range(20, 2000, 10) if amount not in taken)
    if sum(lobby.player == player for lobby in lobbies) < USUAL_LOBBIES:
        for amount in sorted({lowest, max(taken, default=10) + 10}):
            yield FundLobby(player, amount)
    if lobbies and max(taken) < 100:
        smallest = min(taken)
        yield FundLobby(player, next(one for one in range(smallest + 10, 4000, 10) if one not in taken), smallest)


def next_lobby(game: Game) -> None:
    """Resolve the largest lobby that is left: its money goes to the bank, its owner is asked (§6.6.1)."""
    lobbies = title_state(game).lobbies
    if not lobbies:
        return
    game.frame.at -= 1
    lobby = lobbies.pop(0)
    pay(game, components.LOBBY, BANK, lobby.amount, "lobby")
    game.emit(LobbyResolved(lobby.player, lobby.amount))
    game.push("lobby", lobby.player)


# -- floating (§6.6.2) --------------------------------------------------------------------------------


def par_prices(game: Game) -> list[int]:
    """Starting prices of this phase and all before it (§16.1)."""
    phases = list(game.title.phase_numbers)
    return _prices_in(tuple(phases[: phases.index(game.state.phase) + 1]))


@cache
def _prices_in(phases: tuple[str, ...]) -> list[int]:
    zones = (components.PAR_ZONES.get(phase, "-") for phase in phases)
    return [components.MARKET.price(cell) for zone in zones for cell in components.MARKET.cells_in(zone)]


def unused_companies(game: Game) -> list[CompanyId]:
    return [company.id for company in game.state.companies.values() if _is_unused(company)]


def _is_unused(company: Company) -> bool:
    return not company.floated and not company.closed and company.id != components.BRITISH_RAIL


def check_station(game: Game, board: Board, station: Station) -> None:
    if station.hex == components.LONDON:
        raise IllegalMove("No company starts in London.", "1820 §6.6.2")
    if station.tile is not None:
        if station.hex in title_state(game).tiles_of_round and station.hex in board.tiles:
            raise IllegalMove(
                "The tile on {hex} was placed by a company floated in this stock round.", "1820 §6.6.2", station.hex
            )
        check_tile(game, board, station.tile, station.hex)
        check_rotation(game, board, station.tile, station.hex, station.rotation)
        board = board.copy()
        place_tile(board, station.tile, station.hex, station.rotation)
    elif station.hex not in board.tiles and station.hex != components.CHATHAM:
        ways = (
            f"{station.hex}={tile}/{turns[0]}"
            for tile, turns in legal_tiles_with_rotations(game, board, station.hex)
            if TILES[tile].cities
        )
        place = next(ways, "")
        hint = msg("; name a tile to lay there, for example {place}", place) if place else ""
        raise IllegalMove("There is no tile with a station circle on {hex}{hint}.", "1820 §6.6.2", station.hex, hint)
    cities = tile_at(board, station.hex).cities
    if station.city >= len(cities) or len(board.tokens_in(station.hex, station.city)) >= cities[station.city].slots:
        raise IllegalMove("There is no open station circle there on {hex}.", "1820 §6.6.2", station.hex)


def check_stations(game: Game, stations: Sequence[Station]) -> None:
    """Raise the refusal of first stations in these places; cached by board."""
    places = (tuple(stations), tuple(title_state(game).tiles_of_round), game.state.phase)
    refusal = game.memoise(("first stations", places), lambda: _find_station_refusal(game, stations))
    if refusal is not None:
        raise IllegalMove("{reason}", refusal.rule, refusal.said)


def _find_station_refusal(game: Game, stations: Sequence[Station]) -> IllegalMove | None:
    board = game.state.board.copy()
    for station in stations:
        try:
            check_station(game, board, station)
        except IllegalMove as refusal:
            return refusal
        if station.tile is not None:
            place_tile(board, station.tile, station.hex, station.rotation)
    return None


def place_station(board: Board, station: Station, company: CompanyId) -> None:
    if station.tile is not None:
        place_tile(board, station.tile, station.hex, station.rotation)
    board.place_token(station.hex, station.city, company)


def distance_fee(stations: Sequence[Station]) -> int | None:
    """£80 for each hexagon edge between two stations; None when no path connects them."""
    if len(stations) < 2:
        return 0
    edges = edges_between(stations[0].hex, stations[1].hex)
    return None if edges is None else edges * components.STATION_FEE


def check_float(game: Game, action: FloatCompany) -> None:
    company = game.state.companies.get(action.company)
    if company is None or not _is_unused(company):
        raise IllegalMove("{company} cannot be floated now.", "1820 §6.6.2", action.company)
    sizes = components.FLOAT_SIZES[title_state(game).column]
    if action.shares not in sizes:
        sentence = "Companies start with {sizes} shares now, not {shares}."
        raise IllegalMove(sentence, "1820 §10.5", join_or(map(str, sizes)), action.shares)
    if action.price not in par_prices(game):
        raise IllegalMove("Starting prices: {prices}.", "1820 §16.1", ", ".join(map(str, par_prices(game))))
    if not 1 <= len(action.stations) <= components.STATIONS_AT_FLOATING:
        raise IllegalMove("Place one or two stations.", "1820 §6.6.2")
    if len({station.hex for station in action.stations}) < len(action.stations):
        raise IllegalMove("The two stations must be on different hexes.", "1820 §6.6.2")
    check_stations(game, action.stations)
    fee = distance_fee(action.stations)
    if fee is None:
        raise IllegalMove("No permitted path joins the two stations.", "1820 §6.6.2")
    sold = sum(sale.shares for sale in action.sales)
    check_sales(game, action.sales, action.price, {action.by: fee})
    for sale in action.sales:
        check_holding(game, sale.buyer, action.company, 0, sale.shares, action.shares)
    if sold * 100 < components.PARTICIPATION * action.shares or sold > action.shares:
        raise IllegalMove(
            "{percent}% must be bought: {least} to {shares} shares.",
            "1820 §6.6.2",
            components.PARTICIPATION,
            shares_to_buy(action.shares),
            action.shares,
        )


def check_sales(game: Game, sales: Sequence[Purchase], money: int, other: dict[Owner, int]) -> None:
    """Refuse buyers who do not exist, are named twice, or cannot pay (with `other` costs)."""
    buyers = [sale.buyer for sale in sales]
    if len(set(buyers)) < len(buyers):
        raise IllegalMove("Name each buyer only once.", "1820 §6.6.2")
    for buyer in buyers:
        if buyer not in possible_buyers(game):
            raise IllegalMove("{buyer} is neither a player nor a player's cousin.", "1820 §6.6.2", buyer)
    costs = dict(other)
    for sale in sales:
        costs[sale.buyer] = costs.get(sale.buyer, 0) + sale.shares * money
    for owner, cost in costs.items():
        if cost > game.state.cash[owner]:
            sentence = "{owner} needs £{cost} and has £{cash}."
            raise IllegalMove(sentence, "1820 §6.5.1", game.state.name(owner), cost, game.state.cash[owner])


def float_company(game: Game, action: FloatCompany) -> None:
    state, memory = game.state, title_state(game)
    company = game.company(action.company)
    resize(company, action.shares, {})
    company.floated = True
    set_price(game, company.id, action.price)
    memory.floated_in[company.id] = state.round.number
    memory.enlarged_in.pop(company.id, None)
    game.emit(CompanyStarted(action.by, company.id, action.price))
    for station in action.stations:
        replaced = state.board.tiles.get(station.hex)
        place_station(state.board, station, company.id)
        game.board_changed()
        if station.tile is not None:
            memory.tiles_of_round.append(station.hex)
            game.emit(
                TileLaid(
                    company.id, station.tile, station.hex, station.rotation, replaced.tile if replaced else None, 0
                )
            )
        game.emit(TokenPlaced(company.id, station.hex, station.city, 0))
    company.tokens_left = (0,) * (components.STATIONS_AT_FLOATING - len(action.stations))
    fee = distance_fee(action.stations) or 0
    if fee:
        pay(game, action.by, BANK, fee, "distance between stations")
        memory.fees[company.id] = fee
        template = "{player} pays £{amount} for {edges} hexagon edge(s) between {company}'s stations."
        game.log(template, action.by, fee, fee // components.STATION_FEE, company.id)
    hand_out(game, company, action.sales, action.price)
    game.emit(CompanyFloated(company.id, state.cash[company.id]))
    start = state.order.index(PlayerId(action.by))
    ranked: list[Owner] = [*state.order[start:], *state.order[:start], *state.privates]
    set_director(game, company, max(ranked, key=company.count_of))
    if company.count_of(components.VIGNOLES):
        halve_fee(game, company.id)
    game.next_step()


def hand_out(game: Game, company: Company, sales: Sequence[Purchase], money: int) -> None:
    for sale in sales:
        transfer_shares(game, company, IPO, sale.buyer, sale.shares)
        pay(game, sale.buyer, company.id, sale.shares * money, f"shares of {company.id}")
        percent = sale.shares * (100 // size(company))
        game.emit(SharesBought(sale.buyer, company.id, IPO, percent, sale.shares * money))


@dataclass(frozen=True)
class ResolveLobby:
    """The owner of a resolved lobby floats a company, with the consent of all buyers, or passes (§6.6)."""

    name: str = "float a company"
    verbs: tuple[type[Action], ...] = (FloatCompany, Pass)

    def opens(self, game: Game) -> bool:
        return True

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        yield Pass(player)
        yield from filter_allowed(self, game, float_sample(game, player))

    def check(self, game: Game, action: FloatCompany | Pass) -> None:
        if isinstance(action, FloatCompany):
            if not is_player(action.by):
                raise IllegalMove("A player floats companies.", "1820 §6.6.2")
            check_float(game, action)

    def apply(self, game: Game, action: FloatCompany | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        propose(game, action, [sale.buyer for sale in action.sales])


def float_sample(game: Game, player: PlayerId) -> Iterator[FloatCompany]:
    """The first companies of the supply in all sizes, at some prices, in some places, with some buyers."""
    places = station_sample(game)
    for number, company in enumerate(unused_companies(game)[:2]):
        for shares in components.FLOAT_SIZES[title_state(game).column]:
            for money in par_prices(game)[:: 2 if number else 1]:
                sales = sales_sample(game, player, shares, money)
                for index, station in enumerate(places):
                    sale = sales[index % len(sales)] if sales else ()
                    yield FloatCompany(player, company, shares, money, (station,), sale)
                    if index and number == 0:
                        pair = (places[index - 1], station)
                        yield FloatCompany(player, company, shares, money, pair, sale)


def sales_sample(game: Game, player: PlayerId, shares: int, money: int) -> list[tuple[Purchase, ...]]:
    least = shares_to_buy(shares)
    found: list[tuple[Purchase, ...]] = [(Purchase(player, least),), (Purchase(player, least + 1),)]
    others = [other for other in possible_buyers(game) if other != player]
    found += [(Purchase(player, least - least // 2), Purchase(other, least // 2)) for other in others if least > 1]
    return [one for one in found if all(sale.shares * money <= game.state.cash[sale.buyer] for sale in one)]


def station_sample(game: Game) -> list[Station]:
    """Open circles, printed cities, and some free hexes that shift with the game."""
    board = game.state.board
    found = [
        Station(hex_id, city)
        for hex_id in (*board.tiles, components.CHATHAM)
        for city, node in enumerate(tile_at(board, hex_id).cities)
        if len(board.tokens_in(hex_id, city)) < node.slots
    ]
    spaces = [hex_id for hex_id in COMPANY_STARTS if hex_id not in board.tiles]
    shift = game.state.moves % len(COMPANY_STARTS)
    for hex_id in [*spaces[shift:], *spaces[:shift]][:SAMPLE_SPACES]:
        for tile_id, turns in legal_tiles_with_rotations(game, board, hex_id):
            if TILES[tile_id].cities:
                found += [Station(hex_id, 0, tile_id, rotation) for rotation in turns]
    shift = game.state.moves % max(1, len(found))
    return [*found[shift:], *found[:shift]][:SAMPLE_SPACES]


COMPANY_STARTS = (
    *(hex_id for hex_id, space in MAP.hexes.items() if space.is_buildable and space.printed.cities),
    *filter(is_rural, MAP.hexes),
)
"""The places where a company may start, printed cities first."""
