"""British Rail: its birth at Queen Victoria's death, its stations, its income (1820 §10.8, §13.5)."""

from __future__ import annotations

from math import atan2, tau

from bot.engine import POOL, HexId, Message, Owner, join_values, msg
from bot.engine.board import Stop
from bot.engine.board.reachability import network
from bot.engine.play import Game
from bot.engine.state import Certificate, TokenPlaced, TurnBegan
from bot.titles.t1820 import components
from bot.titles.t1820.companies import move_price, set_price
from bot.titles.t1820.map import MAP
from bot.titles.t1820.state import title_state

from .dividends import pay_shares, steps_for
from .routes import PORTS, RED, hexes_beside_port, running_graph, value_of
from .token_placement import tile_at

TILES_FILLED = 3


def remember_phase(game: Game) -> None:
    """At the start of an operating round, remember whether the brown phase has begun (§10.8)."""
    names = [phase.name for phase in game.title.phases]
    title_state(game).began_in_brown = names.index(game.state.phase) >= names.index("brown")


def resolve_victoria_event(game: Game) -> None:
    """Queen Victoria dies at the end of the first operating round that started in brown phase."""
    memory = title_state(game)
    if memory.is_victoria_dead or not memory.began_in_brown:
        return
    memory.is_victoria_dead = True
    company = game.company(components.BRITISH_RAIL)
    company.certificates = [Certificate(1, POOL) for _ in range(components.BRITISH_RAIL_SHARES)]
    company.floated = True
    set_price(game, components.BRITISH_RAIL, components.BRITISH_RAIL_PAR)
    game.log(
        "Queen Victoria is dead. British Rail begins at £{price} with all its shares in the pool.",
        components.BRITISH_RAIL_PAR,
    )
    for hex_id in (components.LONDON, components.CHATHAM):
        fill_circles(game, hex_id)


def open_circles(game: Game, hex_id: HexId) -> list[int]:
    """The cities of a hex with room, repeated for each free circle."""
    board = game.state.board
    return [
        city
        for city, node in enumerate(tile_at(board, hex_id).cities)
        for _ in range(node.slots - len(board.tokens_in(hex_id, city)))
    ]


def fill_circles(game: Game, hex_id: HexId) -> None:
    for city in open_circles(game, hex_id):
        game.state.board.place_token(hex_id, city, components.BRITISH_RAIL)
        game.emit(TokenPlaced(components.BRITISH_RAIL, hex_id, city, 0))
    game.board_changed()


def rank_from_london(hex_id: HexId) -> tuple[int, float]:
    """Distance from London, then clockwise from the direction of Margate."""
    x0, y0 = MAP.layout.coordinates(components.LONDON)

    def angle(name: HexId) -> float:
        x, y = MAP.layout.coordinates(name)
        return atan2((y - y0) * 3**0.5, x - x0)

    turn = (angle(hex_id) - angle(components.MARGATE)) % tau
    return MAP.layout.distance(components.LONDON, hex_id), 0.0 if turn > tau - 1e-9 else turn


def place_stations(game: Game) -> None:
    """Fill the first three track tiles with open circles, by distance from London."""
    waiting = [hex_id for hex_id in game.state.board.tiles if open_circles(game, hex_id)]
    for hex_id in sorted(waiting, key=rank_from_london)[:TILES_FILLED]:
        fill_circles(game, hex_id)


def income(game: Game) -> list[tuple[Message, int]]:
    """Station markers, ports beside and joined to them, off-board areas joined to a station by track."""
    stations: list[Stop] = []
    for hex_id, city in game.state.board.cities_of(components.BRITISH_RAIL):
        stop = game.board_rules.city_stop(game.state.board, hex_id, city)
        if stop not in stations:
            stations.append(stop)
    graph = running_graph(game)
    ports: set[Stop] = set()
    for station in stations:
        direct = network(graph, [station], graph.stops.keys() - {station})
        ports |= {stop for stop in direct.stops if stop.hex in PORTS and station.hex in hexes_beside_port(stop.hex)}
    reached = game.board_rules.network(game, components.BRITISH_RAIL).stops if stations else frozenset()
    offboards = sorted(stop for stop in reached if stop.hex in RED)
    return [
        (msg("stations"), sum(value_of(game, stop) for stop in stations)),
        (msg("ports"), sum(value_of(game, stop) for stop in ports)),
        (msg("off-boards"), sum(value_of(game, stop) for stop in offboards)),
    ]


def operate(game: Game) -> None:
    """Fill circles, earn, pay, and move the price like a public company's (§13.5)."""
    game.emit(TurnBegan(Owner(components.BRITISH_RAIL)))
    place_stations(game)
    parts = income(game)
    total = sum(money for _, money in parts)
    told = join_values(", ", (join_values(" £", (name, money)) for name, money in parts))
    game.log("British Rail earns £{total} ({parts}).", total, told)
    pay_shares(game, game.company(components.BRITISH_RAIL), total)
    move_price(game, components.BRITISH_RAIL, steps_for(game, components.BRITISH_RAIL, total, has_train=True))
