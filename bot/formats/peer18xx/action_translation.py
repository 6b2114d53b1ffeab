"""Actions of 18xx.games that most titles' logs share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from typing import TYPE_CHECKING, Any

from bot.engine import DEPOT, IPO, POOL, CompanyId, HexId, Owner, PrivateId, TileId, as_company, as_private
from bot.engine.board import Side, Stop
from bot.engine.play.steps import route_problem
from bot.engine.routes.revenue import Route, RouteError, RouteProblem, routes_over, validate, ways_over, write_route
from bot.engine.routes.revenue.score import score
from bot.engine.state import Train, actions

from .file_format import InvalidLog, RawAction

if TYPE_CHECKING:
    from bot.engine.play import Game

    from .dialect import Dialect
    from .replay import LogReplay


def company_action(replay: LogReplay, raw: RawAction) -> actions.Action:
    """Actions of companies in every title.

    :raises InvalidLog: it is nothing of that kind.
    """
    by = Owner(str(raw["entity"]))
    match raw["type"]:
        case "lay_tile":
            return lay_tile(replay, raw, by)
        case "place_token":
            return place_token(replay, raw)
        case "run_routes":
            return run_routes(replay, raw)
        case "dividend":
            return dividend(raw)
        case "buy_train":
            return buy_train(replay, raw, by)
        case "discard_train":
            train = train_by_number(replay, raw["train"])
            replay.trains.go_first(replay.game, train)
            return actions.DiscardTrain(by, train.kind)
        case "buy_company":
            return actions.BuyPrivate(by, as_private(str(raw["company"])), int(raw["price"]))
        case "bankrupt":
            return actions.DeclareBankruptcy(by)
    raise InvalidLog(f"unknown action {raw['type']} of a company")


def private_action(replay: LogReplay, raw: RawAction) -> actions.Action:
    """The action of the player or company in turn by a private.

    :raises InvalidLog: it is nothing of that kind.
    """
    private, by = as_private(str(raw["entity"])), replay.game.actor_in_turn
    match raw["type"]:
        case "lay_tile":
            return lay_tile(replay, raw, by, private)
        case "place_token":
            place = place_token(replay, raw)
            return actions.PlaceToken(by, place.hex, place.city, private)
    raise InvalidLog(f"unknown action {raw['type']} of {private}")


def player_action(replay: LogReplay, raw: RawAction) -> actions.Action:
    """Actions of players in every title.

    :raises InvalidLog: it is nothing of that kind.
    """
    match raw["type"]:
        case "pass":
            return actions.Pass(replay.player(raw["entity"]))
        case "bid":
            return actions.Bid(replay.player(raw["entity"]), Owner(str(raw["company"])), int(raw["price"]))
        case "buy_company":
            return actions.BuyPrivate(replay.player(raw["entity"]), as_private(str(raw["company"])), int(raw["price"]))
        case "par":
            return par(replay, raw)
        case "buy_shares":
            return buy_shares(replay, raw)
        case "sell_shares":
            return sell_shares(replay, raw)
    raise InvalidLog(f"unknown action {raw['type']} of a player")


def company_of_share(share: str) -> CompanyId:
    """`VR_2` is a certificate of VR."""
    return as_company(share.rsplit("_", 1)[0])


def buy_shares(replay: LogReplay, raw: RawAction) -> actions.BuyShares:
    """If shares are in both IPO and pool, a certificate that nobody has bought before comes from the IPO."""
    share = str(raw["shares"][0])
    company = company_of_share(share)
    in_pool_from_the_start = not replay.game.title.companies[company].has_president
    source = POOL if share in replay.seen_shares or in_pool_from_the_start else IPO
    record = replay.game.company(company)
    if not record.percent_held_by(source):
        source = IPO if source == POOL else POOL
    replay.seen_shares.add(share)
    return actions.BuyShares(replay.player(raw["entity"]), company, source)


def sell_shares(replay: LogReplay, raw: RawAction) -> actions.SellShares:
    """The number of shares is derived from the percentage."""
    company = company_of_share(str(raw["shares"][0]))
    replay.seen_shares.update(str(share) for share in raw["shares"])
    smallest = min(certificate.percent for certificate in replay.game.company(company).certificates)
    return actions.SellShares(replay.player(raw["entity"]), company, int(raw["percent"]) // smallest)


def par(replay: LogReplay, raw: RawAction) -> actions.Par:
    """`share_price` is price, row, column."""
    price = int(str(raw["share_price"]).split(",")[0])
    company = as_company(str(raw["corporation"]))
    replay.seen_shares.add(f"{company}_0")
    return actions.Par(replay.player(raw["entity"]), company, price)


def lay_tile(replay: LogReplay, raw: RawAction, by: Owner, using: PrivateId | None = None) -> actions.LayTile:
    """`57-0` is the first piece of tile 57."""
    tile = TileId(str(raw["tile"]).rsplit("-", 1)[0])
    return actions.LayTile(by, tile, HexId(str(raw["hex"])), int(raw["rotation"]), using)


def place_token(replay: LogReplay, raw: RawAction) -> actions.PlaceToken:
    """`57-2-0` is city 0 of the third piece of tile 57; a city printed on the map is named by its hex."""
    piece, city = str(raw["city"]).rsplit("-", 1)
    place = replay.tile_places.get(piece) or piece.rsplit("-", 1)[0]
    return actions.PlaceToken(Owner(str(raw["entity"])), HexId(place), int(city))


def dividend(raw: RawAction) -> actions.Dividend:
    """`payout`, `withhold` or `half`."""
    kinds = {"payout": "pay", "withhold": "withhold", "half": "half"}
    kind = kinds.get(str(raw["kind"]))
    if kind is None:
        raise InvalidLog(f"unknown dividend {raw['kind']}")
    return actions.Dividend(Owner(str(raw["entity"])), kind)  # type: ignore[arg-type]


def train_by_number(replay: LogReplay, number: Any) -> Train:
    """The train card of that number.

    :raises InvalidLog: there is none.
    """
    ours = replay.trains.own_number(str(number))
    for train in replay.game.state.trains:
        if train.id == ours:
            return train
    raise InvalidLog(f"there is no train {number}")


def buy_train(replay: LogReplay, raw: RawAction, by: Owner, using: PrivateId | None = None) -> actions.BuyTrain:
    """From the depot as the named side of the card, or from the company that has it."""
    train = train_by_number(replay, raw["train"])
    given = train_by_number(replay, raw["exchange"]) if raw.get("exchange") else None
    for named in (given, train if train.owner != DEPOT else None):
        if named is not None:
            replay.trains.go_first(replay.game, named)
    if train.owner != DEPOT:
        return actions.BuyTrain(by, train.kind, int(raw["price"]), train.owner)
    kind = str(raw.get("variant") or train.family)
    return actions.BuyTrain(by, kind, int(raw["price"]), DEPOT, given.kind if given else None, using)


# -- routes -------------------------------------------------------------------------------------------


MOST_READINGS = 200
MOST_HEXES = 7


@dataclass(frozen=True)
class RecordedRoute:
    """A route as the file has it: lists of hexes from stop to stop, and the stops where the file names them."""

    train: str
    connections: tuple[tuple[HexId, ...], ...]
    stops: tuple[Stop, ...]


def run_routes(replay: LogReplay, raw: RawAction) -> actions.RunRoutes:
    """Routes are given as lists of hexes between stops; the stops as hex and number where the file has them.

    :raises InvalidLog: there is no track for a route.
    """
    company = as_company(str(raw["entity"]))
    problem = route_problem(replay.game, company)
    if any(one.get("revenue") and not one.get("connections") and not one.get("hexes") for one in raw["routes"]):
        raise InvalidLog("a route earns something and has no way")
    if any(one.get("hexes") and not one.get("connections") for one in raw["routes"]):
        return actions.RunRoutes(company, _runs(_routes_by_hexes(replay, problem, raw["routes"])))
    recorded = [_earning_part(problem, _recorded_route(replay, one)) for one in raw["routes"] if one.get("connections")]
    routes = next(_disjoint_routes(problem, recorded, frozenset()), None)
    if routes is None:
        # Trains that share track are for the rules to refuse, with their own words.
        routes = tuple(_first_fitting_route(problem, route) for route in recorded)
    return actions.RunRoutes(company, _runs(routes))


def _runs(routes: Sequence[Route]) -> tuple[actions.Run, ...]:
    return tuple(actions.Run(route.train, write_route(route)) for route in routes)


def _routes_by_hexes(replay: LogReplay, problem: RouteProblem, raw: Sequence[Mapping[str, Any]]) -> Sequence[Route]:
    """The routes of an old file, which names the spaces of each and no track. Between several ways the rules decide, and what they earn there.

    :raises InvalidLog: there is no such way, or there are several that earn differently and the file does not say what they did.
    """
    named = [one for one in raw if one.get("connections") or one.get("hexes")]
    told = sum(int(one.get("revenue") or 0) for one in named)
    found = list(_readings(replay, problem, named, in_order=True))
    legal = {routes: score(problem, routes).revenue for routes in found if _is_legal(problem, routes)}
    fitting = [routes for routes, money in legal.items() if money == told]
    if not fitting:
        others = _readings(replay, problem, named, in_order=False)
        fits = (one for one in others if _is_legal(problem, one) and score(problem, one).revenue == told)
        fitting = list(islice(fits, 1))
    if fitting or (found and len(set(legal.values())) <= 1):
        return next(iter([*fitting, *legal, _legal_part(problem, found[0]) if found else ()]))
    spaces = "; ".join("-".join(map(str, one.get("hexes") or ())) for one in named)
    raise InvalidLog(f"the file names only the spaces of the routes ({spaces}), and they look the same as these")


def _legal_part(problem: RouteProblem, routes: Sequence[Route]) -> Sequence[Route]:
    """Those of the routes that the rules allow together: that engine trusts a file without track, and what
    was paid is corrected afterwards. If they allow none, all, for the rules to refuse with their own words."""
    kept: tuple[Route, ...] = ()
    for route in routes:
        kept = (*kept, route) if _is_legal(problem, (*kept, route)) else kept
    return kept or routes


def _readings(
    replay: LogReplay, problem: RouteProblem, named: Sequence[Mapping[str, Any]], in_order: bool
) -> Iterator[tuple[Route, ...]]:
    for ways in islice(product(*(_ways_of(replay, problem, one, in_order) for one in named)), MOST_READINGS):
        yield from islice(_disjoint_routes(problem, ways, frozenset()), MOST_READINGS)


def _is_legal(problem: RouteProblem, routes: Sequence[Route]) -> bool:
    try:
        validate(problem, routes)
    except RouteError:
        return False
    return True


def _ways_of(replay: LogReplay, problem: RouteProblem, raw: Mapping[str, Any], in_order: bool) -> list[RecordedRoute]:
    """The ways over the named hexes, in their order or in any: a file may list those of one connection after those of
    another that begins elsewhere."""
    if raw.get("connections"):
        return [_earning_part(problem, _recorded_route(replay, raw))]
    train, hexes = replay.trains.own_number(str(raw["train"])), [HexId(str(name)) for name in raw["hexes"]]
    orders = [hexes] if in_order else permutations(dict.fromkeys(hexes)) if len(hexes) <= MOST_HEXES else ()
    found = (way for order in orders for way in ways_over(problem.graph, order))
    ways = islice(dict.fromkeys(found), MOST_READINGS)
    return [_earning_part(problem, RecordedRoute(train, connections, ())) for connections in ways]


def _recorded_route(replay: LogReplay, raw: Mapping[str, Any]) -> RecordedRoute:
    connections = tuple(
        [tuple([HexId(str(name)) for name in connection]) for connection in raw.get("connections") or () if connection]
    )
    stops = tuple([_named_stop(replay, str(node)) for node in raw.get("nodes") or ()])
    return RecordedRoute(replay.trains.own_number(str(raw["train"])), connections, stops)


def _earning_part(problem: RouteProblem, recorded: RecordedRoute) -> RecordedRoute:
    """The part that earns something, of a train that runs from an own token to a place: 18xx.games counts the best of
    the tokens on its way and lets it run on."""
    named = next((train.runs_to for train in problem.trains if train.id == recorded.train), "")
    route = next(routes_over(problem, recorded.train, recorded.connections, recorded.stops), None) if named else None
    if route is None:
        return recorded
    stops, between = route.stops, route.between
    if named in problem.values[stops[-1]].tags:
        stops, between = stops[::-1], tuple(spaces[::-1] for spaces in between[::-1])
    tokens = [place for place, stop in enumerate(stops) if place and stop in problem.own]
    if named not in problem.values[stops[0]].tags or not tokens:
        return recorded
    end = max(tokens, key=lambda place: problem.values[stops[place]].revenue)
    if end == len(stops) - 1:
        return recorded
    ways = zip(stops[:end], between, stops[1 : end + 1], strict=False)
    connections = tuple((start.hex, *spaces, goal.hex) for start, spaces, goal in ways)
    return RecordedRoute(recorded.train, connections, stops[: end + 1])


def part_numbers(game: Game, dialect: Dialect, hex_id: HexId) -> tuple[int, ...]:
    """The file's numbers for the stops on the hex: 0, 1, 2 …, unless the print counts something else too."""
    laid = game.state.board.tiles.get(hex_id)
    found = dialect.parts.get(laid.tile if laid else hex_id)
    return found if found is not None else tuple(range(len(game.tile_at(hex_id).nodes)))


def _named_stop(replay: LogReplay, node: str) -> Stop:
    """`G10-1` is the second stop of G10.

    :raises InvalidLog: there is no such stop.
    """
    name, number = node.rsplit("-", 1)
    hex_id = HexId(name)
    if hex_id not in replay.game.board_rules.map.hexes:
        raise InvalidLog(f"there is no space {hex_id}")
    nodes = replay.game.tile_at(hex_id).nodes
    numbers = part_numbers(replay.game, replay.dialect, hex_id)
    if int(number) not in numbers[: len(nodes)]:
        raise InvalidLog(f"there is no stop {node}")
    return Stop(hex_id, nodes[numbers.index(int(number))].id)


def _disjoint_routes(
    problem: RouteProblem, recorded: Sequence[RecordedRoute], used: frozenset[Side]
) -> Iterator[tuple[Route, ...]]:
    if not recorded:
        yield ()
        return
    first = recorded[0]
    for route in routes_over(problem, first.train, first.connections, first.stops, used):
        for others in _disjoint_routes(problem, recorded[1:], used | route.sides):
            yield (route, *others)


def _first_fitting_route(problem: RouteProblem, recorded: RecordedRoute) -> Route:
    """The first route that fits what is recorded, regardless of other trains.

    :raises InvalidLog: there is none.
    """
    for stops in (recorded.stops, ()):
        for route in routes_over(problem, recorded.train, recorded.connections, stops):
            return route
    spaces = "; ".join("-".join(connection) for connection in recorded.connections)
    raise InvalidLog(f"no track for the route {spaces}")
