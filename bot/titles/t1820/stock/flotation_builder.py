"""Companies that are floated, grow or shrink, and lobbies, put together question by question (1820 §6.5.2, §6.6, §8.2)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count, product

from bot.engine import (
    POOL,
    CompanyId,
    HexId,
    IllegalMove,
    Message,
    Owner,
    PlayerId,
    Text,
    is_permitted,
    join_and,
    literal,
    msg,
    require,
)
from bot.engine.notation import hex_name
from bot.engine.play import Game
from bot.engine.play.move_builder import ChoiceField, Composer, Composing, Prompt, ask_amount, choose_many, choose_one
from bot.engine.state import Action, Board, Company
from bot.titles.t1820 import components
from bot.titles.t1820.actions import FloatCompany, FundLobby, IncreaseShares, Purchase, ReduceShares, Station
from bot.titles.t1820.companies import (
    director_of,
    director_player,
    holdings,
    is_private,
    larger_sizes,
    loans_for,
    player_of,
    possible_buyers,
    price,
    share_owners,
    shares_to_buy,
    size,
)
from bot.titles.t1820.map import MAP
from bot.titles.t1820.operations.token_placement import legal_tiles_with_rotations, tile_at
from bot.titles.t1820.state import title_state
from bot.titles.t1820.takeover.issue import active_companies, shares_to_buy_back
from bot.titles.t1820.tiles import TILES

from .flotation import COMPANY_STARTS, check_station, distance_fee, par_prices, place_station, unused_companies
from .increase import forced_placement
from .shares import most_to_hold

USUAL_LOBBY = 200
"""The usual maximum of a lobby."""


def size_choices(numbers: Iterable[int], money: int = 0) -> list[ChoiceField]:
    """Numbers of shares as answers, with their cost at `money` each."""
    return [
        ChoiceField(
            number,
            msg("{number} shares" if number > 1 else "{number} share", number),
            f"£{number * money}" if money else "",
        )
        for number in numbers
    ]


def price_choices(prices: Iterable[int]) -> list[ChoiceField]:
    return [ChoiceField(money, f"£{money}") for money in prices]


def check_in_turn(game: Game, player: PlayerId) -> None:
    """Refuse every player except the player in turn.

    :raises IllegalMove: it is somebody else.
    """
    if game.frame.entity != player:
        raise IllegalMove("It is not your turn.", "1820 §6.5.1")


# -- buyers -------------------------------------------------------------------------------------------


def format_purse(game: Game, owner: Owner) -> Text:
    keeper, cash = player_of(game, owner), game.state.cash[owner]
    if keeper is None or keeper == owner:
        return f"£{cash}"
    return msg("£{cash}, {keepers}'s cousin", cash, game.state.name(keeper))


def room_by_buyer(
    game: Game, company: Company, shares: int, money: int, spent: Mapping[Owner, int]
) -> dict[Owner, int]:
    """How many shares each player and cousin could buy at `money` each of a company with `shares` shares (§6.5.2.4).

    `spent` is what they pay besides.
    """
    return {
        owner: min(
            (game.state.cash[owner] - spent.get(owner, 0)) // money,
            most_to_hold(company.count_of(owner) * (100 // shares), shares),
        )
        for owner in possible_buyers(game)
    }


def split_shares(room: Mapping[Owner, int], shares: int) -> tuple[Purchase, ...] | None:
    """`shares` shares among buyers who have room for them; None where they have not."""
    found: list[Purchase] = []
    for owner, number in room.items():
        taken = min(number, shares - sum(purchase.shares for purchase in found))
        if taken > 0:
            found.append(Purchase(owner, taken))
    return tuple(found) if sum(purchase.shares for purchase in found) >= shares else None


def choose_buyers(
    game: Game, money: int, least: int, most: int, room: Mapping[Owner, int]
) -> Generator[Prompt, int, tuple[Purchase, ...]]:
    """The players and cousins that buy, then a number of shares each as far as they have room, `least` to `most` in
    all.
    """
    able = [owner for owner, number in room.items() if number > 0]
    largest = sorted((room[owner] for owner in able), reverse=True)
    fewest = next((number for number in range(len(able) + 1) if sum(largest[:number]) >= least), len(able) + 1)
    parts = [ChoiceField(owner, literal(game.state.name(owner)), format_purse(game, owner)) for owner in able]
    named: list[Owner] = yield from choose_many("Who buys shares?", parts, fewest, most)
    if sum(room[owner] for owner in named) < least:
        sentence = "At least {least} shares must be bought in all; {buyers} can take {room}."
        names = join_and(game.state.name(owner) for owner in named)
        raise IllegalMove(sentence, "1820 §6.6.2", least, names, sum(room[owner] for owner in named))
    found: list[Purchase] = []
    for number, owner in enumerate(named):
        after = named[number + 1 :]
        taken = sum(purchase.shares for purchase in found)
        low = max(1, least - taken - sum(room[other] for other in after))
        high = min(room[owner], most - taken - len(after))
        asked = msg("How many shares does {owner} take?", game.state.name(owner))
        found.append(Purchase(owner, (yield from choose_one(asked, size_choices(range(low, high + 1), money)))))
    return tuple(found)


# -- floating (§6.6.2) --------------------------------------------------------------------------------


def may_place(game: Game, board: Board, station: Station) -> bool:
    return is_permitted(check_station, game, board, station)


def ways_to_place(game: Game, board: Board, hex_id: HexId) -> Iterator[Station]:
    """The open circles on a hex, and those on tiles that may be laid there, that can hold a first station."""
    if hex_id in board.tiles or hex_id == components.CHATHAM:
        for city in range(len(tile_at(board, hex_id).cities)):
            if may_place(game, board, Station(hex_id, city)):
                yield Station(hex_id, city)
    if MAP.hexes[hex_id].is_buildable:
        for tile_id, turns in legal_tiles_with_rotations(game, board, hex_id):
            for rotation, city in product(turns, range(len(TILES[tile_id].cities))):
                if may_place(game, board, Station(hex_id, city, tile_id, rotation)):
                    yield Station(hex_id, city, tile_id, rotation)


def station_hex_choices(
    game: Game, board: Board, pays: Callable[[int], bool], first: Station | None
) -> Iterator[ChoiceField]:
    """The hexes for a station, first those with open circles; for the second station with the distance fee, if it can
    be paid.
    """
    known = dict.fromkeys((*board.tiles, components.CHATHAM, *COMPANY_STARTS))
    for hex_id in known:
        if first is not None and hex_id == first.hex:
            continue
        found = next(ways_to_place(game, board, hex_id), None)
        if found is None:
            continue
        fee = distance_fee([first, found]) if first is not None else 0
        if fee is not None and pays(fee):
            laid = board.tiles.get(hex_id)
            empty = msg("nothing laid yet" if hex_id != components.CHATHAM else "an open circle")
            now = msg("tile {tile}", laid.tile) if laid else empty
            note = msg("{now}, £{fee} for the distance", now, fee) if fee else now
            yield ChoiceField(hex_id, hex_name(game, hex_id), note)


def choose_station(
    game: Game, board: Board, pays: Callable[[int], bool], first: Station | None, is_optional: bool
) -> Generator[Prompt, int, Station | None]:
    spots = list(station_hex_choices(game, board, pays, first))
    none = [ChoiceField(None, "no second station")] if is_optional else []
    text = "A second station?" if is_optional else "Where is its station?"
    hex_id = yield from choose_one(text, [*none, *spots], [part.value for part in spots])
    if hex_id is None:
        return None
    ways = list(ways_to_place(game, board, hex_id))
    tiles = list(dict.fromkeys(way.tile for way in ways))
    parts = [ChoiceField(tile, tile, TILES[tile].colour) if tile else ChoiceField(None, "as laid") for tile in tiles]
    tile = yield from choose_one("Which tile?", parts, [hex_id], [tile for tile in tiles if tile])
    ways = [way for way in ways if way.tile == tile]
    turns = list(dict.fromkeys(way.rotation for way in ways))
    rotation = yield from choose_one(
        "Which rotation?",
        [
            ChoiceField(turn, msg("rotation {turn}", turn), track_directions(tile, hex_id, turn) if tile else "")
            for turn in turns
        ],
        [hex_id],
    )
    cities = [way for way in ways if way.rotation == rotation]
    chosen: Station = yield from choose_one(
        "Which city?", [ChoiceField(way, msg("city {city}", way.city + 1)) for way in cities], [hex_id]
    )
    return chosen


def track_directions(tile: str, hex_id: HexId, rotation: int) -> Message:
    exits = next(noun for name, noun in TILES.items() if name == tile).rotate(rotation).exits
    return msg("track to {what}", join_and(other for edge in sorted(exits) if (other := MAP.neighbours[hex_id][edge])))


def compose_float(game: Game, player: PlayerId) -> Composing:
    """Company, number of shares, price, one or two stations, and buyers (§6.6.2)."""
    check_in_turn(game, player)
    company = yield from choose_one(
        "Which company?", [ChoiceField(c, c, components.COMPANIES[c].name) for c in unused_companies(game)]
    )

    def room(shares: int, money: int, fee: int = 0) -> dict[Owner, int]:
        return room_by_buyer(game, game.company(company), shares, money, {player: fee})

    def is_sold(shares: int, money: int, fee: int = 0) -> bool:
        return split_shares(room(shares, money, fee), shares_to_buy(shares)) is not None

    sizes = [
        number for number in components.FLOAT_SIZES[title_state(game).column] if is_sold(number, min(par_prices(game)))
    ]
    shares = yield from choose_one("How many shares does it have?", size_choices(sizes))
    money = yield from choose_one(
        "For how much?", price_choices(price for price in par_prices(game) if is_sold(shares, price))
    )
    board = game.state.board.copy()

    def pays(fee: int) -> bool:
        return fee <= game.state.cash[player] and is_sold(shares, money, fee)

    first = require((yield from choose_station(game, board, pays, None, False)), "a company has a station")
    stations = [first]
    place_station(board, first, company)
    if len(stations) < components.STATIONS_AT_FLOATING:
        second = yield from choose_station(game, board, pays, first, True)
        stations += [second] if second else []
    able = room(shares, money, distance_fee(stations) or 0)
    sales = yield from choose_buyers(game, money, shares_to_buy(shares), shares, able)
    return FloatCompany(player, company, shares, money, tuple(stations), sales)


# -- growing and shrinking (§6.5.2.2, §8.2) -----------------------------------------------------------


@dataclass(frozen=True)
class Growth:
    """A way in which a company can grow: its new number of shares, and a price for a private company; `least` to `most`
    are bought, by owners with room.
    """

    shares: int
    price: int
    least: int
    most: int
    room: Mapping[Owner, int]


def growths(game: Game, company: Company) -> Iterator[Growth]:
    """The ways in which the company can grow now (§6.5.2.2)."""
    sellers = [owner for owner, sold in title_state(game).sold.items() if company.id in sold]
    held = sum(company.count_of(owner) for owner in share_owners(game, company))
    for shares, money in product(larger_sizes(company), par_prices(game) if is_private(company) else [0]):
        room = room_by_buyer(game, company, shares, money or price(game, company.id), {})
        room |= dict.fromkeys(sellers, 0)
        least = max(0, shares_to_buy(shares) - held)
        most = shares - sum(holdings(company).values()) - forced_placement(size(company), shares)
        sales = split_shares(room, least)
        if sales is not None and game.allows(IncreaseShares(company.id, shares, money, sales)):
            yield Growth(shares, money, least, most, room)


def compose_increase(game: Game, player: PlayerId) -> Composing:
    """Company, new number of shares, price of a private company, and buyers (§6.5.2.2)."""
    check_in_turn(game, player)
    own = [c for c in game.state.companies.values() if c.position is not None or is_private(c)]
    ways = {c.id: list(growths(game, c)) for c in own if director_player(game, c.id) == player}
    company = yield from choose_one(
        "For whom?", [ChoiceField(c, c, components.COMPANIES[c].name) for c, found in ways.items() if found]
    )
    sizes = list(dict.fromkeys(way.shares for way in ways[company]))
    shares = yield from choose_one("How many shares will it have then?", size_choices(sizes))
    alike = {way.price: way for way in ways[company] if way.shares == shares}
    money = (yield from choose_one("For how much?", price_choices(alike))) if is_private(game.company(company)) else 0
    way = alike[money]
    sales = yield from choose_buyers(game, money or price(game, company), way.least, way.most, way.room)
    return IncreaseShares(company, shares, money, sales)


def find_buy_back(
    held: Mapping[Owner, int], director: Owner, settled: Mapping[Owner, int], asked: Sequence[Owner], rest: int
) -> dict[Owner, int] | None:
    """A way in which owners give `rest` more shares, beside what is `settled`, so that nobody then holds more than the
    director (§8.2); the `asked` owners give at least one share each. None where there is no way.
    """
    for given in range(1, held[director] + 1) if director in asked else [settled.get(director, 0)]:
        kept = held[director] - given
        found = {owner: max(1, number - kept) for owner, number in held.items() if owner in asked and owner != director}
        if director in asked:
            found[director] = given
        is_most = all(number - found.get(owner, settled.get(owner, 0)) <= kept for owner, number in held.items())
        for owner in found:
            more = min(held[owner] - found[owner], rest - sum(found.values()))
            found[owner] += max(0, more) if owner != director else 0
        if kept and is_most and sum(found.values()) == rest:
            return found
    return None


def compose_reduce(game: Game, player: PlayerId) -> Composing:
    """Company, new number of shares, the owners who sell back, and the company that a private company joins (§8.2)."""
    own = [company for company in active_companies(game) if director_of(game, company.id) == player]
    ways = {company.id: dict(reductions(game, company)) for company in own}
    named = yield from choose_one(
        "For whom?", [ChoiceField(c, c, components.COMPANIES[c].name) for c, found in ways.items() if found]
    )
    shares = yield from choose_one("How many shares will it have then?", size_choices(list(ways[named])))
    company, director = game.company(named), Owner(player)
    held = {owner: company.count_of(owner) for owner in share_owners(game, company)}
    rest = shares_from_owners(company, shares)
    fewest = len(ways[named][shares].purchases)
    parts = [
        ChoiceField(one, literal(game.state.name(one)), msg("holds {one}", number)) for one, number in held.items()
    ]
    sellers: list[Owner] = (yield from choose_many("Bought back from whom?", parts, fewest, rest)) if rest else []
    if find_buy_back(held, director, {}, sellers, rest) is None:
        sentence = "{rest} share(s) are bought back, and nobody may hold more than the director then; choose others."
        raise IllegalMove(sentence, "1820 §8.2", rest)
    given: dict[Owner, int] = {}
    for number, owner in enumerate(sellers):
        left = rest - sum(given.values())
        after = sellers[number + 1 :]
        numbers = [
            taken
            for taken in range(1, min(held[owner], left) + 1)
            if find_buy_back(held, director, {**given, owner: taken}, after, left - taken) is not None
        ]
        asked = msg("How many shares of {owner}?", game.state.name(owner))
        given[owner] = yield from choose_one(asked, size_choices(numbers, price(game, named)))
    into = None
    if shares == 1:
        privates = [other for other in title_state(game).private_track if director_of(game, other) == player]
        alone = ChoiceField(None, "a private company of its own")
        into = yield from choose_one(
            "As part of what?", [alone, *(ChoiceField(p, p, components.COMPANIES[p].name) for p in privates)]
        )
    return reduction(game, company, shares, given, into)


def shares_from_owners(company: Company, shares: int) -> int:
    """How many shares owners give when a company is to have `shares`: those that the pool does not."""
    back = shares_to_buy_back(company, shares)
    return back - min(back, company.count_of(POOL))


def reduction(
    game: Game, company: Company, shares: int, given: Mapping[Owner, int], into: CompanyId | None = None
) -> ReduceShares:
    loans = loans_for(shares_to_buy_back(company, shares) * price(game, company.id) - game.state.cash[company.id])
    return ReduceShares(company.id, shares, tuple(Purchase(*one) for one in given.items()), loans, into)


def reductions(game: Game, company: Company) -> Iterator[tuple[int, ReduceShares]]:
    """The numbers of shares to which a company can be reduced now, each with a way in which as few owners as possible
    give.
    """
    held = {owner: company.count_of(owner) for owner in share_owners(game, company)}
    director = require(director_of(game, company.id), "a public company has a director")
    for shares in (number for number in components.SIZES if number < size(company)):
        rest = shares_from_owners(company, shares)
        some_owners = (asked for number in range(len(held) + 1) for asked in combinations(held, number))
        found = (find_buy_back(held, director, {}, asked, rest) for asked in some_owners)
        given = next((one for one in found if one is not None), None)
        if given is not None and game.allows(move := reduction(game, company, shares, given)):
            yield shares, move


# -- lobbies (§6.5.2.1) -------------------------------------------------------------------------------


def compose_fund(game: Game, player: PlayerId) -> Composing:
    """A new lobby or a lobby to raise, then the sum (§6.5.2.1)."""
    check_in_turn(game, player)
    lobbies = title_state(game).lobbies
    taken = {lobby.amount for lobby in lobbies}
    lowest = {
        raised: next(
            amount
            for amount in count(max(components.SMALLEST_BID, raised + components.BID_STEP), components.BID_STEP)
            if amount not in taken
        )
        for raised in (0, *(lobby.amount for lobby in lobbies))
    }
    parts = [ChoiceField(0, "a new lobby")]
    parts += [
        ChoiceField(lobby.amount, msg("the lobby of £{amount}", lobby.amount), literal(game.state.name(lobby.player)))
        for lobby in lobbies
    ]
    possible = [part for part in parts if game.allows(FundLobby(player, lowest[part.value], part.value))]
    raised = yield from choose_one("Which lobby?", possible)
    low = lowest[raised]
    amount = yield from ask_amount(
        "How much will it hold then?", low, max(low, min(USUAL_LOBBY, raised + game.state.cash[player]))
    )
    return FundLobby(player, amount, raised)


COMPOSERS: Mapping[type[Action], Composer] = {
    FloatCompany: compose_float,
    IncreaseShares: compose_increase,
    ReduceShares: compose_reduce,
    FundLobby: compose_fund,
}
