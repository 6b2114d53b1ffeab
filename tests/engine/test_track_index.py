"""The ground follows the board: held against building it anew, on random boards and over random games of every title."""

from __future__ import annotations

import random

import pytest

from bot.ai.fuzzer import SURVEYOR, RandomGame
from bot.engine.board.reachability import network
from bot.engine.board.track import TrackGraph, preset
from bot.engine.board.track_index import ROOM, TrackIndex, track_of
from bot.engine.ids import CompanyId
from bot.engine.play.game import Game
from bot.engine.routes.candidates.chains import Chain, Contraction
from bot.titles.registry import TITLES
from tests.engine.reachability_oracle import random_board
from tests.families import few

EVERY_TITLE = pytest.mark.parametrize("title", TITLES)


def anew(game: Game) -> TrackGraph:
    """The board's track, from every space."""
    land = game.board_rules
    spaces = [track_of(land.map, name, game.tile_at(name), land.one_city_a_space) for name in land.map.hexes]
    return TrackGraph(
        {number: segment for space in spaces for number, segment in space.segments.items()},
        {stop: info for space in spaces for stop, info in space.stops.items()},
        frozenset(crossing for space in spaces for crossing in space.gauge_sides),
    )


def chains(graph: TrackGraph) -> list[list[Chain]]:
    """Those from every stop, as the search for routes sees them, with some track marked."""
    marked = frozenset(number for number in graph.segments if number % 7 == 0)
    contraction = Contraction(graph, (marked,))
    return [contraction.chains_from(stop) for stop in sorted(graph.stops)]


def check(game: Game, before: TrackIndex) -> int:
    """Compare the graph, the chains on it, what is told of spaces and what every company reaches; how much of that was known
    on the ground before."""
    land, graph = game.board_rules, anew(game)
    known = [] if land.track_index(game) is before else [one for kept in before.networks.values() for one in kept.found]
    assert land.graph(game) == graph
    assert land.graph(game).stops_on == graph.stops_on
    assert {end: numbers for end, numbers in land.graph(game).segments_at.items() if numbers} == graph.segments_at
    turned = TrackGraph(dict(reversed(graph.segments.items())), graph.stops, graph.gauge_sides)
    assert turned.segments_at == graph.segments_at  # in whatever order they stand
    assert chains(land.graph(game)) == chains(graph)
    lying = [(name, game.tile_at(name)) for name in land.map.hexes]
    assert list(land.track_index(game).memo_per_hex("tiles", game.tile_at).items()) == lying
    kept = 0
    for company in {company for cities in game.state.board.tokens.values() for city in cities for company in city}:
        tokens, blocked = land.tokens_of(game, company), land.blocked_stops(game, company)
        assert tokens == [land.city_stop(game.state.board, *place) for place in game.state.board.cities_of(company)]
        most, found = land.track_index(game).network(tokens, blocked, keeps_apart=False), land.network(game, company)
        assert most == network(graph, tokens, blocked, apart=()), company
        assert found == network(graph, tokens, blocked), company
        joined = [(token, stop) for token in tokens for stop in network(graph, [token], blocked).stops if stop != token]
        for some in (set(graph.stops), set(tokens), set(sorted(graph.stops)[::5])):
            assert land.connects(game, company, some.__contains__) is any(stop in some for _, stop in joined)
        kept += any(found is one for one in known)
    return kept


def change(game: Game, other: Game, chance: random.Random) -> None:
    """On some spaces let lie what lies on another board, tokens too."""
    board, wanted = game.state.board, other.state.board
    spaces = sorted({*board.tiles, *wanted.tiles, *wanted.tokens})
    for hex_id in chance.sample(spaces, min(len(spaces), chance.randint(1, 3))):
        board.tokens.pop(hex_id, None)
        board.tiles.pop(hex_id, None)
        if hex_id in wanted.tiles:
            board.tiles[hex_id] = wanted.tiles[hex_id]
        tokens = wanted.tokens.get(hex_id, []) if chance.random() < 0.7 else []
        cities = len(game.tile_at(hex_id).cities)
        board.tokens[hex_id] = [list(companies) for companies in tokens[:cities]]
    game.board_changed()


@pytest.mark.parametrize("title", few(TITLES, 2, 5))
def test_on_random_boards_the_ground_follows_every_change(title: str) -> None:
    chance, kept = random.Random(title), 0
    for seed in range(3):
        game, wanted = (random_board(title, 2 * seed + which, tiles=20) for which in (0, 1))
        for _ in range(8):
            before = game.board_rules.track_index(game)
            change(game, wanted, chance)
            copied = game.copy()
            change(copied, wanted, chance)
            kept += check(copied, before)
            kept += check(game, before)
    assert kept


@EVERY_TITLE
def test_what_nobody_asks_for_is_carried_over_a_few_boards_and_then_forgotten(
    title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.engine.board.track_index.MOST_CARRIED", 3)
    chance, (game, *others) = random.Random(title), [random_board(title, seed, tiles=20) for seed in range(4)]
    for unasked in (1, 2, 3, 4, 6):
        before = game.board_rules.track_index(game)
        check(game, before)
        for _ in range(unasked):
            change(game, chance.choice(others), chance)
            game.board_rules.track_index(game)
        check(game, before)


@pytest.mark.parametrize("title", few(TITLES, 4))
def test_over_a_random_game_the_ground_follows_every_change(title: str) -> None:
    table = RandomGame(TITLES[title], min(TITLES[title].players), 3, wanted=SURVEYOR, is_audited=False)
    kept, boards, board, before = 0, 0, None, table.game.board_rules.track_index(table.game)
    for game in table.moves():
        if game.state.board != board:
            kept, boards = kept + check(game, before), boards + 1
            board, before = game.state.board.copy(), game.board_rules.track_index(game)
        if boards == 30:
            break
    assert kept


def test_copies_share_what_is_computed_until_the_board_of_one_changes() -> None:
    game = random_board("1848", 1)
    copied = game.copy()
    assert copied.memoise("key", lambda: 1) == game.memoise("key", lambda: 2) == 1
    copied.board_changed()
    assert copied.memoise("key", lambda: 3) == 3 and game.memoise("key", lambda: 2) == 1


def test_what_is_known_of_the_graph_is_carried_over_by_its_name() -> None:
    table = RandomGame(TITLES["1848"], 3, 1, is_audited=False)
    moves = table.moves()
    index = before = table.game.board_rules.track_index(table.game)
    while index is before:
        next(moves)
        index = table.game.board_rules.track_index(table.game)
    assert {"segments_at", "points", "memo"} <= vars(index.graph).keys()
    with pytest.raises(KeyError, match="at"):
        preset(index.graph, at={})


def test_a_token_far_away_changes_nothing_and_one_on_the_way_does() -> None:
    game = random_board("1848", 1)
    land, board = game.board_rules, game.state.board
    company = max(game.title.companies, key=lambda one: len(land.network(game, one).stops))
    first = land.network(game, company)
    cities = {(name, number) for name in board.tiles for number, _ in enumerate(game.tile_at(name).cities)}
    near = {place for place in land.reached_cities(game, company) if not board.has_token(place[0], company)}
    rival = CompanyId(next(one for one in game.title.companies if one != company))
    for places, is_kept in ((cities - set(land.reached_cities(game, company)), True), (near, False)):
        for hex_id, city in sorted(places):
            for _ in range(3):
                board.place_token(hex_id, city, rival)
        game.board_changed()
        assert (land.network(game, company) is first) == is_kept


@EVERY_TITLE
def test_no_space_has_more_track_than_it_has_numbers_for(title: str) -> None:
    for land in (TITLES[title].land, *TITLES[title].scenarios.values()):
        printed = [space.printed for space in land.map.hexes.values()]
        assert max(len(tile.paths) for tile in [*land.tiles.values(), *printed]) <= ROOM
