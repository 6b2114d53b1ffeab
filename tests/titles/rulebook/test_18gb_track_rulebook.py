"""18GB by a second reader of the rules: track and tokens."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, REMOVED, HexId, Owner
from bot.engine.play.game import Game
from bot.titles.t18gb.state import title_state
from tests.rearrangement import rearrange
from tests.titles import builders_18gb as gb
from tests.titles.positions import act, cash, company, give_train, lay, refused, set_cash

Tiles = tuple[tuple[str, str, int], ...]


def turn(name: str, *tiles: tuple[str, str, int], phase: str = "2+1", money: int = 500, players: int = 6) -> Game:
    """The company of @1 begins to build on this track."""
    game = gb.new_game(players)
    gb.own(game)
    gb.reach_phase(game, phase)
    gb.started(game, name, {"@1": 1}, cash=money)
    lay(game, *tiles)
    return gb.operating(game, name, ["5+2"])


def may(game: Game, move: str, allowed: bool, section: str = "18GB track") -> None:
    """Make the move, or see it refused."""
    if allowed:
        act(game, move)
    else:
        refused(game, move, section)


IPSWICH = ("G40", "J25", 1)
"""GER's home, with track to Colchester and to the north."""


# -- two tile actions, one in a city ------------------------------------------------------------------


def test_track_two_lays_and_no_third() -> None:
    game = turn("GER", IPSWICH)
    act(game, "GER lay 8 J23 0", "GER lay 4 I26 1")
    refused(game, "GER lay 58 I22 1", "18GB track")


def test_track_two_upgrades() -> None:
    game = turn("GER", IPSWICH, ("8", "J23", 0), ("4", "I26", 1), phase="3+1")
    act(game, "GER lay 25 J23 0", "GER lay 87 I26 1")
    assert cash(game, "GER") == 500


def test_track_an_upgrade_and_a_lay() -> None:
    game = turn("GER", IPSWICH, ("8", "J23", 0), phase="3+1")
    act(game, "GER lay 25 J23 0", "GER lay 4 I26 1")


@pytest.mark.parametrize(("second", "allowed"), [("4 D21 0", True), ("G41 D25 0", False), ("4 C24 1", False)])
def test_track_one_city_and_something_else(second: str, allowed: bool) -> None:
    game = turn("GWR")
    act(game, "GWR lay G18 D23 0")
    may(game, f"GWR lay {second}", allowed)


def test_track_the_upgrade_of_a_city_counts_as_the_city() -> None:
    game = turn("LSWR", ("G41", "D25", 0), phase="3+1")
    act(game, "LSWR lay G18 D23 0")
    refused(game, "LSWR lay G36 D25 0", "18GB track")


@pytest.mark.parametrize(("phase", "allowed"), [("2+1", False), ("3+1", True)])
def test_track_the_same_hex_twice(phase: str, allowed: bool) -> None:
    """The rules do not forbid it: the colour of the phase decides."""
    game = turn("GER", IPSWICH, phase=phase)
    act(game, "GER lay 8 J23 0")
    may(game, "GER lay 25 J23 0", allowed)


# -- green homes --------------------------------------------------------------------------------------

HOMES = {"GER": "J25", "GSWR": "F5", "MR": "H19", "NER": "J13", "SWR": "A20", "LSWR": "D25"}


@pytest.mark.parametrize(("name", "space"), HOMES.items())
@pytest.mark.parametrize("tile", ["G36", "G37", "G38"])
def test_track_some_lay_a_green_tile_on_the_empty_home_in_the_yellow_phase(name: str, space: str, tile: str) -> None:
    game = turn(name)
    fitting = [text for text in gb.offered(game, "lay") if text.startswith(f"{name} lay {tile} {space}")]
    assert bool(fitting) == (name != "LSWR")


def test_track_the_green_right_is_for_the_own_home_alone() -> None:
    game = turn("MR")
    refused(game, "MR lay G36 J25 0", "18GB track")
    game = turn("LSWR", phase="3+1")
    refused(game, "LSWR lay G36 D25 0", "18GB track")
    lay(game, ("G41", "D25", 0))
    act(gb.operating(game, "LSWR"), "LSWR lay G36 D25 0")


# -- hills --------------------------------------------------------------------------------------------

TO_DARLINGTON = ("G40", "J13", 2)


@pytest.mark.parametrize(
    ("name", "tiles", "move", "cost"),
    [
        ("NER", (), "NER lay G41 J13 0", 50),
        ("NER", (), "NER lay G40 J13 2", 0),
        ("NER", (TO_DARLINGTON,), "NER lay 4 I12 2", 50),
        ("NER", (TO_DARLINGTON,), "NER lay 58 I12 3", 50),
        ("NER", (TO_DARLINGTON,), "NER lay 3 I12 5", 0),
        ("NER", (TO_DARLINGTON, ("58", "I12", 3)), "NER lay 9 I10 0", 100),
        ("NER", (TO_DARLINGTON, ("58", "I12", 3)), "NER lay 8 I10 0", 50),
        ("NER", (TO_DARLINGTON, ("58", "I12", 3)), "NER lay 7 I10 0", 100),
        ("NER", (TO_DARLINGTON, ("4", "I12", 2)), "NER lay 8 H11 3", 50),
        ("NER", (TO_DARLINGTON, ("4", "I12", 2)), "NER lay 9 H11 2", 100),
    ],
)
def test_track_hill_borders_cost_50_for_each_track_that_points_at_them(
    name: str, tiles: Tiles, move: str, cost: int
) -> None:
    game = turn(name, *tiles, money=cost)
    act(game, move)
    assert cash(game, name) == 0
    if cost:
        refused(turn(name, *tiles, money=cost - 1), move, "18GB")


@pytest.mark.parametrize(("move", "cost"), [("NER lay 87 I12 2", 50), ("NER lay 204 I12 1", 0)])
def test_track_an_upgrade_pays_for_new_hills_alone(move: str, cost: int) -> None:
    game = turn("NER", TO_DARLINGTON, ("58", "I12", 3), phase="3+1")
    act(game, move)
    assert cash(game, "NER") == 500 - cost


def test_track_both_sides_of_a_hill_cost_100() -> None:
    game = turn("NER", TO_DARLINGTON)
    act(game, "NER lay 58 I12 3", "NER lay 8 I10 0")
    assert cash(game, "NER") == 400


# -- estuaries ----------------------------------------------------------------------------------------

FORTH: Tiles = (("G18", "I6", 0),)
SEVERN: Tiles = (("G18", "D23", 2),)


@pytest.mark.parametrize(("name", "track", "lays"), [("NBR", FORTH, "G32 I4 0"), ("GWR", SEVERN, "G33 C22 0")])
@pytest.mark.parametrize(
    ("phase", "money", "allowed"),
    [("2+1", 500, False), ("3+1", 500, False), ("4+2", 49, False), ("4+2", 50, True), ("6X", 50, True)],
)
def test_track_estuary_tiles_from_the_blue_phase_for_50(
    name: str, track: Tiles, lays: str, phase: str, money: int, allowed: bool
) -> None:
    game = turn(name, *track, phase=phase, money=money)
    may(game, f"{name} lay {lays}", allowed)
    assert cash(game, name) == (0 if allowed else money)


@pytest.mark.parametrize("tile", ["8", "9", "G41", "G33"])
def test_track_an_estuary_takes_its_own_tile_alone(tile: str) -> None:
    game = turn("NBR", *FORTH, phase="4+2")
    refused(game, f"NBR lay {tile} I4 0", "18GB track")


# -- restrictive --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "rotation", "reached"),
    [("9", 0, False), ("9", 1, True), ("8", 1, False), ("8", 2, True), ("8", 4, True), ("7", 0, False), ("7", 3, True)],
)
def test_track_a_tile_that_old_track_does_not_meet_is_not_laid(tile: str, rotation: int, reached: bool) -> None:
    """Derby's track comes to the north-east side of the plain hex beside it."""
    game = turn("MR", ("G41", "H19", 1))
    may(game, f"MR lay {tile} G20 {rotation}", reached)


@pytest.mark.parametrize("tile", ["G05", "G06", "G11"])
def test_track_a_city_is_not_upgraded_for_another_city_of_its_hex(tile: str) -> None:
    """LYR stands in the straight city; the tile adds track to the other one alone."""
    game = turn("LYR", ("G03", "H15", 0), phase="3+1")
    refused(game, f"LYR lay {tile} H15 0", "18GB track")


@pytest.mark.parametrize("reached", [False, True])
def test_track_a_city_is_upgraded_for_the_other_city_when_its_track_is_reached(reached: bool) -> None:
    """The new track leads from north-west to north-east; a bent line from Derby may come to the north-west side."""
    line = (
        (("G36", "H19", 0), ("G18", "H21", 0), ("7", "G20", 4)) if reached else (("G41", "H19", 0), ("G18", "H21", 0))
    )
    game = turn("MR", *line, phase="3+1")
    may(game, "MR lay G21 H21 0", reached)


def test_track_a_home_token_blocks_building_beyond_it() -> None:
    game = turn("MR", ("G41", "H19", 0), ("G18", "H17", 0), ("9", "H21", 0))
    assert not any(" H15 " in text for text in gb.offered(game, "lay"))


# -- colours, labels, numbers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "tile", "phases"),
    [
        ("G41", "G36", ("3+1", "4+2", "5+2", "4X", "5X", "6X")),
        ("G36", "G34", ("5+2", "4X", "5X", "6X")),
        ("G34", "G35", ("6X",)),
    ],
)
@pytest.mark.parametrize("phase", gb.FAMILIES)
def test_track_colours_by_phase(phase: str, before: str, tile: str, phases: tuple[str, ...]) -> None:
    game = turn("LSWR", (before, "D25", 0), phase=phase)
    if tile == "G35":
        lay(game, ("9", "E26", 0), ("G18", "D23", 0))
    fitting = [text for text in gb.offered(game, "lay") if text.startswith(f"LSWR lay {tile} D25")]
    assert bool(fitting) == (phase in phases)


@pytest.mark.parametrize(("players", "phase", "allowed"), [(6, "6X", True), (6, "5X", False), (5, "6X", True)])
def test_track_gray_tiles_in_the_gray_phase_with_five_or_six(players: int, phase: str, allowed: bool) -> None:
    game = turn("MR", ("G34", "H19", 0), phase=phase, players=players)
    may(game, "MR lay G35 H19 0", allowed)


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("MSLR", "G41 H17 0"),
        ("MSLR", "G03 H17 0"),
        ("LYR", "G18 H15 0"),
        ("LSWR", "G18 D25 0"),
        ("LSWR", "9 D25 0"),
        ("LSWR", "4 D25 0"),
    ],
)
def test_track_tiles_fit_their_place(name: str, move: str) -> None:
    refused(turn(name), f"{name} lay {move}", "18GB track")


@pytest.mark.parametrize("move", ["9 I26 1", "4 J23 0", "9 J23 0", "58 I26 0", "9 K24 1", "G41 G26 0", "8 K22 0"])
def test_track_towns_edges_and_printed_places(move: str) -> None:
    refused(turn("GER", IPSWICH), f"GER lay {move}", "18GB track")


def test_track_as_many_tiles_as_there_are() -> None:
    game = turn("LSWR", ("G39", "F5", 0))
    refused(game, "LSWR lay G39 D25 0", "18GB track")


# -- tokens -------------------------------------------------------------------------------------------

NORTHWARDS: Tiles = (("G41", "H19", 0), ("G18", "H21", 0), ("G18", "H17", 0))
"""From Leicester over Derby to Sheffield."""


@pytest.mark.parametrize(("money", "allowed"), [(49, False), (50, True)])
def test_tokens_cost_50(money: int, allowed: bool) -> None:
    game = turn("MR", *NORTHWARDS, money=money)
    may(game, "MR token H21", allowed, "18GB tokens")
    assert cash(game, "MR") == (0 if allowed else 49)


def test_tokens_one_a_turn() -> None:
    game = turn("MR", *NORTHWARDS)
    game.company(Owner("MR")).tokens_left = (50, 50)
    game.state.board.tokens[HexId("H17")] = [[], []]
    act(game, "MR token H21")
    refused(game, "MR token H17", "18GB tokens")


@pytest.mark.parametrize(("left", "money", "allowed"), [((0, 50), 0, True), ((50,), 0, False), ((50,), 50, True)])
def test_tokens_the_caledonians_second_is_free_its_third_costs_50(
    left: tuple[int, ...], money: int, allowed: bool
) -> None:
    game = turn("CR", ("G03", "G4", 2), ("4", "H5", 2), ("G18", "I6", 2), money=money)
    assert game.company(Owner("CR")).tokens_left == (0,)
    game.company(Owner("CR")).tokens_left = left
    game.state.board.tokens[HexId("I6")] = [[], [company("NBR")]]
    game.board_changed()
    may(game, "CR token I6", allowed, "18GB tokens")
    assert cash(game, "CR") == 0


@pytest.mark.parametrize("name", ["LYR", "MSLR"])
def test_tokens_some_have_none_beside_their_home_before_ten_shares(name: str) -> None:
    game = gb.new_game(6)
    assert game.company(Owner(name)).tokens_left == ()
    assert game.state.board.has_token({"LYR": "H15", "MSLR": "H17"}[name], company(name))


def test_tokens_only_within_reach_and_where_there_is_room() -> None:
    game = turn("GWR", ("G18", "D23", 0), ("G41", "D25", 0))
    refused(game, "GWR token D25", "18GB tokens")  # LSWR's home fills it
    refused(game, "GWR token H21", "18GB tokens")
    game = turn("GWR", ("G18", "D23", 0), ("G34", "D25", 0), phase="5+2")
    act(game, "GWR token D25")


def test_tokens_one_of_a_company_in_a_hex() -> None:
    game = turn("GWR", ("G30", "D23", 0), phase="5+2")
    refused(game, "GWR token D23", "18GB tokens")


@pytest.mark.parametrize(
    ("left", "bought", "ends"), [(4, False, False), (3, False, True), (3, True, False), (2, True, True)]
)
def test_tokens_end_with_two_trains_left_at_the_end_of_an_operating_round(left: int, bought: bool, ends: bool) -> None:
    game = turn("MR", *NORTHWARDS, phase="6X")
    cards = [train for train in game.state.trains if train.owner == DEPOT]
    for card in cards[left:]:
        rearrange(game, card, owner=REMOVED)
    title_state(game).train_bought = bought
    game.board_changed()
    while game.state.round.kind == "operating":
        act(game, next(iter(gb.offered(game, "pass") or gb.offered(game, "run") or gb.offered(game, "withhold"))))
    give_train(game, "MR", "5+2")
    gb.operating(game, "MR", part=2)
    may(game, "MR token H21", not ends, "18GB end of the game")


def test_tokens_may_be_placed_while_the_last_trains_are_being_bought() -> None:
    game = turn("MR", *NORTHWARDS, phase="6X")
    for card in [train for train in game.state.trains if train.owner == DEPOT][1:]:
        rearrange(game, card, owner=REMOVED)
    act(game, "MR token H21")


def test_tokens_and_track_in_any_order() -> None:
    game = turn("MR", *NORTHWARDS)
    act(game, "MR token H21", "MR lay 9 H23 0", "MR lay 9 H25 0")
    game = turn("MR", *NORTHWARDS)
    act(game, "MR lay 9 H23 0", "MR token H21", "MR lay 9 H25 0")


# -- insolvent companies and receivership -------------------------------------------------------------


@pytest.mark.parametrize("move", ["MR lay 9 H23 0", "MR token H21"])
def test_insolvent_companies_build_nothing(move: str) -> None:
    game = turn("MR", *NORTHWARDS)
    for train in game.state.trains_of(company("MR")):
        rearrange(game, train, owner=REMOVED)
    title_state(game).insolvent.append(company("MR"))
    gb.operating(game, "MR")
    refused(game, move, "")


def test_a_trainless_company_that_is_not_insolvent_yet_still_builds() -> None:
    game = turn("MR", *NORTHWARDS)
    for train in game.state.trains_of(company("MR")):
        rearrange(game, train, owner=REMOVED)
    set_cash(game, "MR", 60)
    gb.operating(game, "MR")
    act(game, "MR lay 9 H23 0", "MR token H21")


# -- homes in hexes of two cities ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layer", "tiles", "city"),
    [("GWR", (), 0), ("LSWR", (("G41", "D25", 0),), 1)],
)
def test_homes_stand_in_the_city_of_their_own_track_or_in_the_unconnected_one(
    layer: str, tiles: Tiles, city: int
) -> None:
    """Bristol's first tile is laid by its own company or by the neighbour."""
    game = turn(layer, *tiles)
    act(game, f"{layer} lay G18 D23 0")
    places = [game.state.board.tokens_in(HexId("D23"), number) for number in (0, 1)]
    assert places[city] == ["GWR"]
    assert places[1 - city] == []


# -- extra lays and tokens of closed privates ---------------------------------------------------------


def test_leicester_gives_a_third_lay_in_its_hex_alone_and_once() -> None:
    game = turn("MR", ("G41", "H19", 0))
    gb.closed(game, "LS")
    gb.operating(game, "MR")
    refused(game, "MR lay G18 H17 0 with LS", "18GB private companies")
    act(game, "MR lay G18 H21 0 with LS", "MR lay 9 H23 0", "MR lay 9 H25 0")
    assert game.private(Owner("LS")).ability_used
    gb.operating(game, "MR")
    refused(game, "MR lay G18 H17 0 with LS", "18GB private companies")


def test_leicesters_tile_is_no_city_of_the_turn() -> None:
    game = turn("MR", ("G41", "H19", 0))
    gb.closed(game, "LS")
    gb.operating(game, "MR")
    act(game, "MR lay G18 H21 0 with LS", "MR lay G18 H17 0")


@pytest.mark.parametrize(
    ("private", "space", "tiles", "price"),
    [
        ("GN", "I14", (), 50),
        ("GN", "I14", (("G40", "J13", 1), ("G41", "I14", 1)), 0),
        ("MC", "H9", (), 50),
    ],
)
def test_closed_privates_give_a_token_free_where_the_track_leads_else_for_50(
    private: str, space: str, tiles: Tiles, price: int
) -> None:
    game = turn("NER", *tiles, money=price)
    gb.closed(game, private)
    gb.operating(game, "NER")
    act(game, f"NER token {space} with {private}")
    assert (cash(game, "NER"), game.company(Owner("NER")).tokens_left) == (0, (50,))
    refused(game, f"NER token {space} with {private}", "")
