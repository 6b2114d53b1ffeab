"""Companies that are floated, grow or shrink, and lobbies, put together question by question (1820 §6.5.2, §6.6, §8.2)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from bot.engine.data.actions import Action
from bot.engine.data.board import Board
from bot.engine.ids import POOL, HexId, Owner, PlayerId, present
from bot.engine.play.composing import Composer, Composing, Part, Question, a_sum, one, some
from bot.engine.play.game import Game
from bot.engine.refusals import NotAllowed, permits
from bot.engine.said import Said, Text, said, together, verbatim
from bot.engine.steps.stock import turn_of
from bot.engine.titles.t1820.actions import FloatCompany, FundLobby, IncreaseShares, Purchase, ReduceShares, Station
from bot.engine.titles.t1820.box import nouns
from bot.engine.titles.t1820.box.map import MAP
from bot.engine.titles.t1820.box.tiles import TILES
from bot.engine.titles.t1820.companies import (
    directed_by_cousin,
    director_of,
    director_player,
    holdings,
    in_liquidation,
    is_private,
    larger_sizes,
    loans_for,
    player_of,
    possible_buyers,
    price,
    share_owners,
    size,
    to_be_bought,
)
from bot.engine.titles.t1820.operating.placement import fitting, tile_at
from bot.engine.titles.t1820.special import special
from bot.engine.titles.t1820.takeover.issue import active, bought_back
from bot.engine.words.narration import named_space

from .floating import COMPANY_STARTS, check_station, distance_fee, par_prices, place_station, unused

USUAL_LOBBY = 200
"""So much a lobby usually holds at most."""


def sized(numbers: Sequence[int], money: int = 0) -> list[Part]:
    """Numbers of shares as answers, with what they cost at `money` each."""
    return [
        Part(
            number,
            said("{number} shares" if number > 1 else "{number} share", number),
            f"£{number * money}" if money else "",
        )
        for number in numbers
    ]


def priced(game: Game) -> list[Part]:
    """Starting prices as answers."""
    return [Part(money, f"£{money}") for money in par_prices(game)]


def in_turn(game: Game, player: PlayerId) -> None:
    """Only the player whose turn it is.

    :raises NotAllowed: it is somebody else.
    """
    if game.frame.entity != player:
        raise NotAllowed("It is not your turn.", "1820 §6.5.1")


def may_act(game: Game, player: PlayerId) -> None:
    """Only the player whose turn it is, and who has not done his one thing in it.

    :raises NotAllowed: it is somebody else, or he has.
    """
    in_turn(game, player)
    if turn_of(game).bought:
        raise NotAllowed("You have done your one thing in this turn and may only sell.", "1820 §6.5.2")


# -- buyers -------------------------------------------------------------------------------------------


def purse_of(game: Game, owner: Owner) -> Text:
    """What a player has, or a cousin and whose that is."""
    keeper, cash = player_of(game, owner), game.state.cash[owner]
    if keeper is None or keeper == owner:
        return f"£{cash}"
    return said("£{cash}, {keepers}'s cousin", cash, game.state.name(keeper))


def buyers(
    game: Game, money: int, least: int, most: int, spent: dict[Owner, int]
) -> Generator[Question, int, tuple[Purchase, ...]]:
    """Which players and cousins buy, then how many shares each, `least` to `most` in all. `spent` is what they pay besides."""
    purses = {owner: game.state.cash[owner] - spent.get(owner, 0) for owner in possible_buyers(game)}
    able = [
        Part(owner, verbatim(game.state.name(owner)), purse_of(game, owner))
        for owner, purse in purses.items()
        if purse >= money
    ]
    named: list[Owner] = yield from some("Who buys shares?", able, 1 if least > 0 else 0, min(most, len(able)))
    found: list[Purchase] = []
    for number, owner in enumerate(named):
        taken = sum(purchase.shares for purchase in found)
        after = len(named) - number - 1
        room = min(purses[owner] // money, most - taken - after)
        fewest = max(1, least - taken) if not after else 1
        if room < fewest:
            sentence = "{least} to {most} shares must be bought in all, and {owner} can take {room}."
            raise NotAllowed(sentence, "1820 §6.6.2", least, most, game.state.name(owner), max(0, room))
        asked = said("How many shares does {owner} take?", game.state.name(owner))
        numbers = sized(range(fewest, room + 1), money)
        found.append(Purchase(owner, (yield from one(asked, numbers))))
    return tuple(found)


# -- floating (§6.6.2) --------------------------------------------------------------------------------


def may_place(game: Game, board: Board, station: Station) -> bool:
    """Whether a first station may go there, on this board."""
    return permits(check_station, game, board, station)


def ways_to_place(game: Game, board: Board, hex_id: HexId) -> Iterator[Station]:
    """In which open circles on a space, and on which tiles that may be laid there, a first station can stand."""
    if hex_id in board.tiles or hex_id == nouns.CHATHAM:
        for city in range(len(tile_at(board, hex_id).cities)):
            if may_place(game, board, Station(hex_id, city)):
                yield Station(hex_id, city)
    if MAP.hexes[hex_id].is_buildable:
        for tile_id, rotation in fitting(game, board, hex_id):
            for city in range(len(TILES[tile_id].cities)):
                if may_place(game, board, Station(hex_id, city, tile_id, rotation)):
                    yield Station(hex_id, city, tile_id, rotation)


def places(game: Game, board: Board, purse: int, first: Station | None) -> Iterator[Part]:
    """The spaces for a station, those with open circles first; of the second one with what the distance costs."""
    known = dict.fromkeys((*board.tiles, nouns.CHATHAM, *COMPANY_STARTS))
    for hex_id in known:
        if first is not None and hex_id == first.hex:
            continue
        found = next(ways_to_place(game, board, hex_id), None)
        if found is None:
            continue
        fee = distance_fee([first, found]) if first is not None else 0
        if fee is not None and fee <= purse:
            laid = board.tiles.get(hex_id)
            empty = said("nothing laid yet" if hex_id != nouns.CHATHAM else "an open circle")
            now = said("tile {tile}", laid.tile) if laid else empty
            note = said("{now}, £{fee} for the distance", now, fee) if fee else now
            yield Part(hex_id, named_space(game, hex_id), note)


def station(
    game: Game, board: Board, purse: int, first: Station | None, is_optional: bool
) -> Generator[Question, int, Station | None]:
    """Where a station stands: the space, the tile, how it is turned, the city."""
    spots = list(places(game, board, purse, first))
    none = [Part(None, "no second station")] if is_optional else []
    text = "A second station?" if is_optional else "Where is its station?"
    hex_id = yield from one(text, [*none, *spots], [part.value for part in spots])
    if hex_id is None:
        return None
    ways = list(ways_to_place(game, board, hex_id))
    tiles = list(dict.fromkeys(way.tile for way in ways))
    parts = [Part(tile, tile, TILES[tile].colour) if tile else Part(None, "as it lies") for tile in tiles]
    tile = yield from one("Which tile?", parts, [hex_id], [tile for tile in tiles if tile])
    ways = [way for way in ways if way.tile == tile]
    turns = list(dict.fromkeys(way.rotation for way in ways))
    rotation = yield from one(
        "Turned how?",
        [Part(turn, said("rotation {turn}", turn), leads(tile, hex_id, turn) if tile else "") for turn in turns],
        [hex_id],
    )
    cities = [way for way in ways if way.rotation == rotation]
    chosen: Station = yield from one(
        "Which city?", [Part(way, said("city {city}", way.city + 1)) for way in cities], [hex_id]
    )
    return chosen


def leads(tile: str, hex_id: HexId, rotation: int) -> Said:
    """Where the track of a tile leads."""
    exits = next(noun for name, noun in TILES.items() if name == tile).rotated(rotation).exits
    return said("track to {what}", together(other for edge in sorted(exits) if (other := MAP.beside[hex_id][edge])))


def compose_float(game: Game, player: PlayerId) -> Composing:
    """Company, number of shares, price, one or two stations, and who buys (§6.6.2)."""
    in_turn(game, player)
    company = yield from one("Which company?", [Part(c, c, nouns.COMPANIES[c].name) for c in unused(game)])
    shares = yield from one("How many shares has it?", sized(nouns.FLOAT_SIZES[special(game).column]))
    money = yield from one("For how much?", priced(game))
    board, purse = game.state.board.copy(), game.state.cash[player]
    first = present((yield from station(game, board, purse, None, False)), "a company has a station")
    stations = [first]
    place_station(board, first, company)
    if len(stations) < nouns.STATIONS_AT_FLOATING:
        second = yield from station(game, board, purse, first, True)
        stations += [second] if second else []
    spent: dict[Owner, int] = {player: distance_fee(stations) or 0}
    sales = yield from buyers(game, money, to_be_bought(shares), shares, spent)
    return FloatCompany(player, company, shares, money, tuple(stations), sales)


# -- growing and shrinking (§6.5.2.2, §8.2) -----------------------------------------------------------


def compose_increase(game: Game, player: PlayerId) -> Composing:
    """Company, new number of shares, the price of a private one, and who buys (§6.5.2.2)."""
    may_act(game, player)
    floated = special(game).floated_in
    own = [
        company
        for company in game.state.companies.values()
        if director_player(game, company.id) == player
        and company.id != nouns.BRITISH_RAIL
        and not directed_by_cousin(game, company.id)
        and larger_sizes(company)
        and not in_liquidation(company)
        and floated.get(company.id) != game.state.round.number
    ]
    chosen = yield from one(
        "For whom?", [Part(company, company.id, nouns.COMPANIES[company.id].name) for company in own]
    )
    shares = yield from one("How many shares has it then?", sized(larger_sizes(chosen)))
    named = (yield from one("For how much?", priced(game))) if is_private(chosen) else 0
    held = sum(chosen.count_of(owner) for owner in share_owners(game, chosen))
    missing = to_be_bought(shares) - held
    free = shares - sum(holdings(chosen).values())
    sales = yield from buyers(game, named or price(game, chosen.id), max(0, missing), free, {})
    return IncreaseShares(chosen.id, shares, named, sales)


def compose_reduce(game: Game, player: PlayerId) -> Composing:
    """Company, new number of shares, from whom they are bought back, and what a private one becomes part of (§8.2)."""
    own = [company for company in active(game) if director_of(game, company.id) == player]
    chosen = yield from one(
        "For whom?", [Part(company, company.id, nouns.COMPANIES[company.id].name) for company in own]
    )
    shares = yield from one(
        "How many shares has it then?", sized([number for number in nouns.SIZES if number < size(chosen)])
    )
    back = bought_back(chosen, shares)
    rest = back - min(back, chosen.count_of(POOL))
    owners = share_owners(game, chosen)
    parts = [Part(one, verbatim(game.state.name(one)), said("holds {one}", chosen.count_of(one))) for one in owners]
    sellers: list[Owner] = (yield from some("Bought back from whom?", parts, 1, rest)) if rest else []
    purchases: list[Purchase] = []
    for number, owner in enumerate(sellers):
        left = rest - sum(purchase.shares for purchase in purchases)
        after = sum(chosen.count_of(other) for other in sellers[number + 1 :])
        room = min(chosen.count_of(owner), left - (len(sellers) - number - 1))
        numbers = sized(range(max(1, left - after), room + 1), price(game, chosen.id))
        asked = said("How many shares of {owner}?", game.state.name(owner))
        purchases.append(Purchase(owner, (yield from one(asked, numbers))))
    loans = loans_for(back * price(game, chosen.id) - game.state.cash[chosen.id])
    into = None
    if shares == 1:
        privates = [other for other in special(game).private_track if director_of(game, other) == player]
        alone = Part(None, "a private company of its own")
        into = yield from one("As part of what?", [alone, *(Part(p, p, nouns.COMPANIES[p].name) for p in privates)])
    return ReduceShares(chosen.id, shares, tuple(purchases), loans, into)


# -- lobbies (§6.5.2.1) -------------------------------------------------------------------------------


def compose_fund(game: Game, player: PlayerId) -> Composing:
    """A new lobby or one that is raised, then the sum (§6.5.2.1)."""
    may_act(game, player)
    if special(game).is_resolved:
        raise NotAllowed("The lobbies of this stock round have been resolved.", "1820 §6.5.1")
    lobbies = special(game).lobbies
    parts = [Part(0, "a new lobby")]
    parts += [
        Part(lobby.amount, said("the lobby of £{amount}", lobby.amount), verbatim(game.state.name(lobby.player)))
        for lobby in lobbies
    ]
    raised = yield from one("Which lobby?", parts)
    low = raised + nouns.BID_STEP if raised else nouns.SMALLEST_BID
    amount = yield from a_sum("How much is in it then?", low, max(low, USUAL_LOBBY))
    return FundLobby(player, amount, raised)


COMPOSERS: Mapping[type[Action], Composer] = {
    FloatCompany: compose_float,
    IncreaseShares: compose_increase,
    ReduceShares: compose_reduce,
    FundLobby: compose_fund,
}
