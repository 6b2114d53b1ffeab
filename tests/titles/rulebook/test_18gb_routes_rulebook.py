"""18GB by a second reader of the rules: what trains run and earn."""

from __future__ import annotations

import pytest

from bot.engine.ids import Owner
from bot.engine.play.game import Game
from bot.engine.state.events import RoutesRun
from tests.titles import builders_18gb as gb
from tests.titles.positions import act, give_train, lay, refused, token

Tiles = tuple[tuple[str, str, int], ...]


def railway(name: str, trains: tuple[str, ...], tiles: Tiles, phase: str = "2+1", **options: str) -> Game:
    """The company of @1 with this track is about to run."""
    game = gb.new_game(2 if options else 6, **options)
    gb.own(game)
    gb.reach_phase(game, phase)
    gb.started(game, name, {"@1": 1})
    lay(game, *tiles)
    gb.operating(game, name)
    for train in trains:
        give_train(game, name, train)
    return game


def earned(game: Game) -> int:
    """What the listed run brings; nothing where there is none."""
    name = str(game.frame.entity)
    game = gb.operating(game, name, step=gb.RUN)
    runs = gb.offered(game, "run") if game.step and game.step.name == "run trains" else []
    if not runs:
        return 0
    events = act(game, runs[0])
    return next(event.revenue for event in events if isinstance(event, RoutesRun))


def revenue(name: str, trains: tuple[str, ...], tiles: Tiles, phase: str = "2+1", **options: str) -> int:
    return earned(railway(name, trains, tiles, phase, **options))


# -- N+M: N+M stops, N of them cities or off-board ----------------------------------------------------

LINE: Tiles = (
    ("G18", "H17", 0),
    ("G40", "H19", 3),
    ("58", "I20", 0),
    ("4", "I22", 0),
    ("8", "I24", 3),
    ("G40", "J25", 2),
)
"""Sheffield 20, Derby 10 (MR), Lincoln 10, Peterborough 10, Ipswich 10."""
PENNINES: Tiles = (("G03", "H15", 1), ("G02", "G16", 2), ("9", "F15", 2))
"""Leeds 30 (LYR), Manchester 30, Liverpool 20."""
TOWNS: Tiles = (("G40", "J25", 1), ("4", "I26", 1), ("8", "H27", 2))
"""Ipswich 10 (GER), Colchester 10, London 30."""


@pytest.mark.parametrize(("train", "earns"), [("2+1", 40), ("3+1", 50), ("4+2", 60), ("5+2", 60)])
def test_routes_towns_take_the_places_of_cities_too(train: str, earns: int) -> None:
    game = railway("MR", (train,), LINE)
    game.state.board.tokens.pop("H17", None)
    game.board_changed()
    assert earned(game) == earns


@pytest.mark.parametrize(("train", "earns"), [("2+1", 60), ("3+1", 80), ("4+2", 80)])
def test_routes_cities_and_off_board_places_are_n_at_most(train: str, earns: int) -> None:
    assert revenue("LYR", (train,), PENNINES) == earns


@pytest.mark.parametrize(("trains", "earns"), [(("2+1",), 50), (("2+1", "2+1"), 50)])
def test_routes_track_serves_once(trains: tuple[str, ...], earns: int) -> None:
    assert revenue("GER", trains, TOWNS) == earns


def test_routes_meet_at_a_stop() -> None:
    """From Harwich to Ipswich, and from Ipswich to London."""
    assert revenue("GER", ("2+1", "2+1"), (*TOWNS[1:], ("G36", "J25", 0))) == (10 + 20) + (20 + 10 + 30)


def test_routes_need_a_token_of_the_company() -> None:
    assert revenue("MR", ("5+2",), PENNINES) == 0


def test_routes_are_stopped_by_a_full_city() -> None:
    """Derby's single place is MR's: GER's train from Norwich ends there and never comes to Sheffield."""
    assert revenue("GER", ("5+2",), LINE) == 10 + 10 + 10 + 10 + 10


def test_routes_homes_of_companies_not_begun_stop_them() -> None:
    """LYR is not in play, and yet its home token fills Leeds."""
    game = railway("MSLR", ("5+2",), (("G18", "H17", 0), ("G03", "H15", 0), ("9", "H13", 0)))
    assert earned(game) == 20 + 30
    assert "H15" in {stop.hex for stop in game.board_rules.blocked_stops(game, game.company(Owner("MSLR")).id)}


@pytest.mark.parametrize(
    ("phase", "earns"), [("2+1", 40), ("3+1", 50), ("4+2", 60), ("5+2", 70), ("4X", 70), ("5X", 70), ("6X", 80)]
)
def test_routes_london_grows_with_every_colour(phase: str, earns: int) -> None:
    """Ipswich 10 and London, past no town."""
    assert revenue("GER", ("2+1",), (("G40", "J25", 1), ("9", "I26", 1), ("8", "H27", 2)), phase) == earns


@pytest.mark.parametrize(("phase", "earns"), [("3+1", 80), ("4+2", 100), ("5X", 100), ("6X", 110)])
def test_routes_liverpool_grows_with_the_blue_and_the_gray_phase(phase: str, earns: int) -> None:
    assert revenue("LYR", ("3+1",), PENNINES, phase) == earns


# -- nX -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("train", "earns"), [("4X", 10 + 10 + 40), ("5X", 10 + 10 + 40)])
def test_routes_x_trains_ignore_towns_and_earn_the_distance(train: str, earns: int) -> None:
    """Derby and Ipswich: two columns and six rows apart, four hexes as the crow flies."""
    assert revenue("MR", (train,), LINE[1:], "4X") == earns


def test_routes_x_trains_measure_from_end_to_end() -> None:
    game = railway("MR", ("4X",), LINE, "4X")
    game.state.board.tokens.pop("H17", None)
    game.board_changed()
    assert earned(game) == 20 + 10 + 10 + 50


def test_routes_distance_is_that_of_the_crow_not_of_the_track() -> None:
    """Leeds, Manchester, Liverpool lie three hexes apart; the track from Leeds by Derby to Ipswich is longer than its four."""
    assert revenue("LYR", ("4X",), PENNINES, "2+1") == 80 + 10 * 3


def test_routes_n_plus_m_trains_earn_no_distance() -> None:
    assert revenue("MR", ("5+2",), LINE[1:], "4X") == 40


def test_routes_an_x_train_needs_two_large_places() -> None:
    assert revenue("MR", ("4X",), (("G40", "H19", 3), ("58", "I20", 0), ("4", "I22", 0)), "4X") == 0


# -- north-south and east-west ------------------------------------------------------------------------

SPINE: Tiles = (
    ("G41", "J13", 0),
    ("8", "J15", 1),
    ("58", "I16", 4),
    ("9", "I18", 0),
    ("4", "I20", 0),
    ("4", "I22", 0),
    ("9", "I24", 0),
    ("58", "I26", 1),
    ("8", "H27", 2),
)
"""Newcastle, Middlesbrough 10, four towns, London; on the east-west map."""


def spine(*trains: str, phase: str = "2+1", tiles: Tiles = SPINE) -> Game:
    game = railway("LNWR", trains, tiles, phase, map="east-west")
    token(game, "LNWR", "J13")
    return game


@pytest.mark.parametrize(
    ("phase", "newcastle", "london", "bonus"),
    [("2+1", 20, 30, 20), ("3+1", 20, 40, 20), ("4+2", 40, 50, 30), ("5+2", 40, 60, 30), ("6X", 50, 70, 40)],
)
def test_routes_north_south_by_one_train(phase: str, newcastle: int, london: int, bonus: int) -> None:
    assert earned(spine("4X", phase=phase)) == newcastle + 10 + london + 90 + bonus


def test_routes_north_south_by_two_trains_that_meet() -> None:
    assert earned(spine("2+1", "4+2")) == (20 + 10) + (10 + 40 + 30) + 20


def test_routes_north_south_needs_trains_that_meet() -> None:
    """One train in the north at Middlesbrough, another in the south at Ipswich: no network, no bonus."""
    game = railway("GER", ("2+1", "2+1"), (("G41", "J13", 3), ("G41", "J25", 0)), map="east-west")
    token(game, "GER", "J13")
    assert earned(game) == (20 + 10) + (10 + 10)


def test_routes_north_south_needs_both_ends() -> None:
    assert earned(spine("3+1")) == 20 + 10 + 10 + 10
    assert earned(spine("4+2")) == 10 + 4 * 10 + 30  # six stops: Newcastle is the seventh


# -- tunnels ------------------------------------------------------------------------------------------

FORTH: Tiles = (("G32", "I4", 0), ("G19", "I6", 4), ("G40", "J3", 1))
"""Edinburgh 20, by J5 into the tunnel, Dundee 10."""
SEVERN: Tiles = (("G33", "C22", 0), ("G18", "D23", 2), ("G18", "B21", 2))
"""Bristol 20, the tunnel, Cardiff 20."""


@pytest.mark.parametrize(("name", "tiles", "earns"), [("NBR", FORTH, 20 + 10 + 40), ("GWR", SEVERN, 20 + 20 + 30)])
@pytest.mark.parametrize("train", ["2+1", "4+2"])
def test_routes_tunnels_pay_and_are_no_stop(name: str, tiles: Tiles, earns: int, train: str) -> None:
    assert revenue(name, (train,), tiles, "4+2") == earns


def test_routes_tunnels_pay_x_trains_too() -> None:
    assert revenue("GWR", ("4X",), SEVERN, "4+2") == 20 + 20 + 30 + 20


@pytest.mark.parametrize(
    ("name", "tiles", "earns"),
    [
        ("NBR", (("G32", "I4", 0), ("G18", "I6", 0), ("G41", "I2", 0)), 20 + 10),
        ("GWR", (("G33", "C22", 0), ("G18", "D23", 2), ("4", "C24", 0)), 20 + 10),
    ],
)
def test_routes_other_track_of_an_estuary_is_no_tunnel(name: str, tiles: Tiles, earns: int) -> None:
    game = railway(name, ("2+1",), tiles, "4+2")
    assert earned(game) == earns


@pytest.mark.parametrize(("name", "tiles"), [("NBR", FORTH[:2]), ("GWR", SEVERN[:2])])
def test_routes_tunnels_must_lead_to_a_place_beyond(name: str, tiles: Tiles) -> None:
    assert revenue(name, ("2+1",), tiles, "4+2") == 0


# -- what a company runs is its own choice, as in 1830 ------------------------------------------------


@pytest.mark.parametrize(("run", "brings"), [("nothing", 0), ("{}=H17.c0>H19.c0", 30), ("{}=H19.c0>I20.t0>I22.t0", 30)])
def test_routes_less_than_the_most_may_be_run(run: str, brings: int) -> None:
    game = railway("MR", ("2+1",), LINE)
    gb.operating(game, "MR", step=gb.RUN)
    train = game.state.trains_of(game.company(Owner("MR")).id)[0].id
    events = act(game, f"MR run {run.format(train)}")
    assert sum(event.revenue for event in events if isinstance(event, RoutesRun)) == brings


@pytest.mark.parametrize("run", ["{}=H17.c0>H19.c0>I20.t0>I22.t0", "{}=I20.t0>I22.t0", "{}=H17.c0>I20.t0", "{}=H19.c0"])
def test_routes_what_a_train_cannot_run(run: str) -> None:
    """One stop too many, no token, not joined, one stop alone."""
    game = railway("MR", ("2+1",), LINE)
    gb.operating(game, "MR", step=gb.RUN)
    train = game.state.trains_of(game.company(Owner("MR")).id)[0].id
    refused(game, f"MR run {run.format(train)}", "18GB routes")
