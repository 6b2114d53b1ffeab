"""Actions of 18xx.games that most titles' logs share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..actions import BuyShares, BuyTrain, Dividend, LayTile, Par, PlaceToken, Run, RunRoutes, SellShares
from ..ids import DEPOT, IPO, POOL, CompanyId, HexId, Owner, PrivateId, TileId
from ..routes.model import RouteError
from ..routes.paths import link_between
from ..state import Train
from ..track import Stop, TrackGraph
from .history import BadLog, RawAction

if TYPE_CHECKING:
    from .replay import Replay


def company_of_share(share: str) -> CompanyId:
    """`VR_2` is a certificate of VR."""
    return CompanyId(Owner(share.rsplit("_", 1)[0]))


def buy_shares(replay: Replay, raw: RawAction) -> BuyShares:
    """A certificate that nobody has bought before comes from the IPO, any other from the pool."""
    share = str(raw["shares"][0])
    company = company_of_share(share)
    in_pool_from_the_start = not replay.game.title.companies[company].has_president
    source = POOL if share in replay.seen_shares or in_pool_from_the_start else IPO
    replay.seen_shares.add(share)
    return BuyShares(replay.player(raw["entity"]), company, source)


def sell_shares(replay: Replay, raw: RawAction) -> SellShares:
    """The number of shares follows from the percentage."""
    company = company_of_share(str(raw["shares"][0]))
    replay.seen_shares.update(str(share) for share in raw["shares"])
    smallest = min(certificate.percent for certificate in replay.game.company(company).certificates)
    return SellShares(replay.player(raw["entity"]), company, int(raw["percent"]) // smallest)


def par(replay: Replay, raw: RawAction) -> Par:
    """`share_price` is price, row, column."""
    price = int(str(raw["share_price"]).split(",")[0])
    company = CompanyId(Owner(str(raw["corporation"])))
    replay.seen_shares.add(f"{company}_0")
    return Par(replay.player(raw["entity"]), company, price)


def lay_tile(replay: Replay, raw: RawAction, by: Owner, using: PrivateId | None = None) -> LayTile:
    """`57-0` is the first piece of tile 57."""
    tile = TileId(str(raw["tile"]).rsplit("-", 1)[0])
    return LayTile(by, tile, HexId(str(raw["hex"])), int(raw["rotation"]), using)


def place_token(replay: Replay, raw: RawAction) -> PlaceToken:
    """`57-2-0` is city 0 of the third piece of tile 57; a city printed on the map is named by its space."""
    piece, city = str(raw["city"]).rsplit("-", 1)
    place = replay.tile_places.get(piece) or piece.rsplit("-", 1)[0]
    return PlaceToken(Owner(str(raw["entity"])), HexId(place), int(city))


def dividend(raw: RawAction) -> Dividend:
    """`payout`, `withhold` or `half`."""
    kinds = {"payout": "pay", "withhold": "withhold", "half": "half"}
    kind = kinds.get(str(raw["kind"]))
    if kind is None:
        raise BadLog(f"unknown dividend {raw['kind']}")
    return Dividend(Owner(str(raw["entity"])), kind)  # type: ignore[arg-type]


def train_by_number(replay: Replay, number: Any) -> Train:
    """The train card of that number.

    :raises BadLog: there is none.
    """
    for train in replay.game.state.trains:
        if train.id == str(number):
            return train
    raise BadLog(f"there is no train {number}")


def buy_train(replay: Replay, raw: RawAction, by: Owner, using: PrivateId | None = None) -> BuyTrain:
    """From the depot as the named side of the card, or from the company that has it."""
    train = train_by_number(replay, raw["train"])
    given = raw.get("exchange")
    trade_in = train_by_number(replay, given).kind if given else None
    if train.owner != DEPOT:
        return BuyTrain(by, train.kind, int(raw["price"]), train.owner)
    kind = str(raw.get("variant") or train.family)
    return BuyTrain(by, kind, int(raw["price"]), DEPOT, trade_in, using)


# -- routes -------------------------------------------------------------------------------------------


def run_routes(replay: Replay, raw: RawAction) -> RunRoutes:
    """Routes are given as lists of spaces between stops; the stops as space and number where the file has them."""
    graph = replay.game.land.graph(replay.game)
    runs = []
    for route in raw["routes"]:
        connections = [[HexId(str(name)) for name in connection] for connection in route.get("connections") or ()]
        if connections:
            path = read_connections(replay, graph, connections, [str(node) for node in route.get("nodes") or ()])
            runs.append(Run(str(route["train"]), path))
    return RunRoutes(Owner(str(raw["entity"])), tuple(runs))


def read_connections(
    replay: Replay, graph: TrackGraph, connections: Sequence[Sequence[HexId]], nodes: Sequence[str]
) -> tuple[str, ...]:
    """The connections joined to one way, from stop to stop.

    :raises BadLog: they do not join.
    """
    wanted = [_named_stop(replay, node) for node in nodes]
    for first in _candidates(replay, connections[0]):
        way = _join(replay, graph, connections, 0, first, [first], wanted)
        if way is not None:
            return way
    raise BadLog(f"no track for the route {connections}")


def _named_stop(replay: Replay, node: str) -> Stop:
    """`G10-1` is the second stop of G10; a few prints count something else before their only stop."""
    hex_id, number = node.rsplit("-", 1)
    nodes = replay.game.geometry(HexId(hex_id)).nodes
    return Stop(HexId(hex_id), nodes[min(int(number), len(nodes) - 1)].id)


def _candidates(replay: Replay, connection: Sequence[HexId]) -> list[Stop]:
    return [
        Stop(hex_id, node.id)
        for hex_id in dict.fromkeys((connection[0], connection[-1]))
        for node in replay.game.geometry(hex_id).nodes
    ]


def _join(
    replay: Replay,
    graph: TrackGraph,
    connections: Sequence[Sequence[HexId]],
    index: int,
    here: Stop,
    stops: list[Stop],
    wanted: Sequence[Stop],
) -> tuple[str, ...] | None:
    """Continue the way with connection number `index`, in either direction."""
    if index == len(connections):
        fits = not wanted or set(stops) == set(wanted)
        return (f"{here.hex}.{here.node}",) if fits else None
    spaces = list(connections[index])
    for way in (spaces, spaces[::-1]):
        if way[0] != here.hex:
            continue
        for node in replay.game.geometry(way[-1]).nodes:
            there = Stop(way[-1], node.id)
            if there in stops or not _is_track(graph, here, way[1:-1], there):
                continue
            rest = _join(replay, graph, connections, index + 1, there, [*stops, there], wanted)
            if rest is not None:
                return (f"{here.hex}.{here.node}", *way[1:-1], *rest)
    return None


def _is_track(graph: TrackGraph, start: Stop, spaces: Sequence[HexId], end: Stop) -> bool:
    try:
        link_between(graph, start, spaces, end)
    except RouteError:
        return False
    return True
