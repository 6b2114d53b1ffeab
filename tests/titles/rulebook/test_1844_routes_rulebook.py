"""1844 §§VI, VII, XVII, XVIII read a second time: H-locomotives, mountains, tunnels, transit routes."""

from __future__ import annotations

import pytest

from bot.engine.play.game import Game
from bot.engine.state.events import RoutesRun
from bot.titles.t1844.auction import pay_incomes
from tests.titles.builders_1844 import RUN, mountain, new_game, operating, reach_phase, started, tunnel
from tests.titles.positions import act, cash, lay, refused, token

Tiles = tuple[tuple[str, str, int], ...]


def railway(name: str, trains: tuple[str, ...], tiles: Tiles, phase: str = "2", has_home: bool = True) -> Game:
    """The company of @1 with this track and these locomotives, before its run."""
    game = new_game()
    reach_phase(game, phase)
    started(game, name, {"@1": 1})
    lay(game, *tiles)
    return operating(game, name, trains, has_home=has_home)


def earned(game: Game) -> int:
    """What the listed run brings; nothing where there is none."""
    name = str(game.frame.entity)
    operating(game, name, step=RUN)
    runs = [action for action in game.legal_actions() if type(action).__name__ == "RunRoutes"]
    events = game.apply(runs[0]) if runs else []
    return next((event.revenue for event in events if isinstance(event, RoutesRun)), 0)


SOUTHWARDS: Tiles = (("57", "C12", 2), ("57", "D13", 2), ("9", "E14", 2), ("9", "F15", 2), ("4", "G16", 2))
"""Strasbourg 30, Basel 20 (SCB), Olten 20, two plain spaces, Sarnen 10."""


# -- XVII: how far ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("train", "earns"), [("2H", 40), ("3H", 40), ("4H", 40), ("5H", 50), ("6H", 50), ("8H", 50)])
def test_xvii_h_locomotives_count_every_space_also_those_without_a_station(train: str, earns: int) -> None:
    assert earned(railway("SCB", (train,), SOUTHWARDS)) == earns


@pytest.mark.parametrize(("train", "earns"), [("2", 30 + 20), ("3", 30 + 20 + 20), ("4", 80), ("6", 80)])
def test_xvii_others_count_stations_however_far_apart(train: str, earns: int) -> None:
    assert earned(railway("SCB", (train,), SOUTHWARDS)) == earns


@pytest.mark.parametrize(("train", "earns"), [("2", 50), ("2H", 0), ("6H", 0)])
def test_xvii_h_locomotives_visit_no_red_space(train: str, earns: int) -> None:
    assert earned(railway("SCB", (train,), SOUTHWARDS[:1])) == earns


@pytest.mark.parametrize("runs", ["{}=C12.c0>G16.t0", "{}=B11.o0>D13.c0", "{}=D13.c0>G16.t0", "{}=C12.c0"])
def test_xvii_stations_are_not_passed_over_and_a_marker_lies_on_the_route(runs: str) -> None:
    game = railway("SCB", ("4",), SOUTHWARDS)
    operating(game, "SCB", step=RUN)
    train = game.state.trains_of(game.state.companies["SCB"].id)[0].id
    refused(game, f"SCB run {runs.format(train)}", "")


@pytest.mark.parametrize(("train", "earns"), [("2H", 20 + 10), ("3H", 20 + 20), ("4H", 20 + 20 + 10)])
def test_xvii_a_route_from_a_space_to_the_next_takes_a_2h(train: str, earns: int) -> None:
    """Neuchâtel 20, a plain space, Bern 20 (BLS), Langnau 10."""
    tiles = (("57", "F7", 1), ("9", "F9", 1), ("57", "F11", 1), ("4", "F13", 1))
    assert earned(railway("BLS", (train,), tiles)) == earns


def test_xvii_a_full_station_ends_a_route() -> None:
    game = railway("SCB", ("4",), SOUTHWARDS)
    started(game, "STB", {"@2": 3}, director="@2")
    token(game, "STB", "D13")
    assert earned(game) == 30 + 20 + 20


def test_xvii_two_locomotives_run_on_separate_track() -> None:
    game = railway("SCB", ("2", "2"), SOUTHWARDS)
    assert earned(game) == (30 + 20) + (20 + 20)


# -- VI, XVIII: mountains -----------------------------------------------------------------------------

TO_PILATUS: Tiles = (("6", "C12", 5), ("57", "D13", 2), ("9", "E14", 2), ("8", "F15", 0))
"""Basel 20 (SCB), Olten 20, the Pilatus."""
MARKERS = {"XM1": (10, 20, 50, 80), "XM2": (10, 40, 50, 60), "XM3": (10, 50, 80, 10)}


@pytest.mark.parametrize("train", ["3", "5H"])
@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize(("phase", "colour"), [("1", 0), ("2", 0), ("3", 1), ("4", 1), ("5", 2), ("6", 2), ("7", 3)])
def test_xviii_mountains_are_worth_more_by_colour(train: str, marker: str, phase: str, colour: int) -> None:
    game = railway("SCB", (train,), TO_PILATUS, phase)
    mountain(game, "B1", "@2", "G14", marker)
    assert earned(game) == 20 + 20 + MARKERS[marker][colour]


@pytest.mark.parametrize("train", ["3", "5H", "8H"])
def test_vi_a_mountain_without_a_railway_is_part_of_no_route(train: str) -> None:
    assert earned(railway("SCB", (train,), TO_PILATUS)) == 40


@pytest.mark.parametrize("train", ["4", "6H", "8H"])
def test_xviii_a_mountain_is_an_end(train: str) -> None:
    """Sarnen 10 lies beyond the Pilatus."""
    game = railway("SCB", (train,), (*TO_PILATUS, ("4", "G16", 1)))
    mountain(game, "B1", "@2", "G14", "XM1")
    assert earned(game) == 20 + 20 + 10


@pytest.mark.parametrize(("train", "pays"), [("3", 40), ("2", 0)])
def test_vi_a_mountain_pays_40_once_a_locomotive_has_been_there(train: str, pays: int) -> None:
    game = railway("SCB", (train,), TO_PILATUS)
    mountain(game, "B1", "@2", "G14", "XM1")
    earned(game)
    before = cash(game, "@2")
    pay_incomes(game)
    assert cash(game, "@2") - before == pays


# -- VII: tunnels -------------------------------------------------------------------------------------

GOTTHARD: Tiles = (("57", "G18", 2), ("9", "I20", 2), ("9", "J21", 2), ("57", "K22", 2))
"""Stans 20 (GB), the Gotthard, two plain spaces, Bellinzona 20, Monte Generoso."""


def through_the_gotthard(*trains: str, tiles: Tiles = GOTTHARD, peak: bool = False, phase: str = "2") -> Game:
    game = railway("GB", trains, tiles, phase)
    tunnel(game, "T1", "@2", "X79", "H19", 2)
    if peak:
        mountain(game, "B1", "@2", "L23", "XM2")
    return game


@pytest.mark.parametrize(
    ("trains", "peak", "earns"),
    [
        (("2",), False, 60),
        (("5H",), False, 60),
        (("4H",), False, 0),
        (("3",), True, 60 + 20),
        (("2",), True, 60),
        (("6H",), True, 60 + 20),
    ],
)
def test_vii_a_tunnel_adds_10_to_each_place_of_the_route(trains: tuple[str, ...], peak: bool, earns: int) -> None:
    assert earned(through_the_gotthard(*trains, peak=peak)) == earns


def test_vii_a_foreign_place_counts_10_more_too() -> None:
    """Bellinzona, Como 20, Milano 40."""
    tiles = (*GOTTHARD[:3], ("6", "K22", 0), ("57", "L21", 0))
    assert earned(through_the_gotthard("4", tiles=tiles)) == 30 + 30 + 30 + 50


def test_vii_only_the_locomotive_that_drives_through_counts_more() -> None:
    """From Stans 30 one locomotive runs to Bellinzona, the other to Altdorf 20."""
    game = through_the_gotthard("2", "2", tiles=(("14", "G18", 1), *GOTTHARD[1:]))
    assert earned(game) == (30 + 10) + (20 + 10) + (30 + 20)


def test_vii_a_tunnel_that_leads_to_no_place_adds_nothing() -> None:
    assert earned(through_the_gotthard("2", tiles=GOTTHARD[:3])) == 0


def test_vii_two_tunnels_add_10_once() -> None:
    """From Stans by the Gotthard and back by the Lukmanier to Altdorf 20."""
    game = through_the_gotthard("2", tiles=(("57", "G18", 2), ("7", "I20", 2), ("7", "G22", 0)))
    tunnel(game, "T2", "@2", "X79", "H21", 0)
    assert earned(game) == (20 + 10) + (20 + 10)


# -- XVIII: transit routes ----------------------------------------------------------------------------

EAST_WEST: Tiles = (
    ("9", "C10", 1),
    ("57", "C12", 1),
    ("4", "C14", 1),
    ("9", "C16", 1),
    ("9", "C18", 1),
    ("66", "C20", 1),
    ("9", "C22", 1),
    ("57", "C24", 1),
)
"""Belfort, Basel 20 (SCB), Liestal 10, Winterthur 50, St. Gallen 20, München."""
BETWEEN = 20 + 10 + 50 + 20


@pytest.mark.parametrize(("phase", "ends"), [("2", 10), ("4", 30), ("5", 50), ("7", 70)])
def test_xviii_west_to_east_adds_both_printed_bonuses(phase: str, ends: int) -> None:
    assert earned(railway("SCB", ("6",), EAST_WEST, phase)) == ends + BETWEEN + ends + 50 + 50


def test_xviii_transit_takes_one_locomotive_from_end_to_end() -> None:
    game = railway("SCB", ("5", "2"), EAST_WEST)
    assert earned(game) == BETWEEN + 10 + (20 + 10)


@pytest.mark.parametrize(("train", "earns"), [("6H", 20 + 10 + 50), ("8H", BETWEEN)])
def test_xviii_h_locomotives_make_no_transit(train: str, earns: int) -> None:
    assert earned(railway("SCB", (train,), EAST_WEST)) == earns


def test_xviii_north_and_west_make_no_transit() -> None:
    """Belfort and Strasbourg by Basel."""
    game = railway("SCB", ("3",), (("9", "C10", 1), ("15", "C12", 1)))
    assert earned(game) == 10 + 30 + 30


# -- X ------------------------------------------------------------------------------------------------


def test_x_regional_companies_count_no_red_space() -> None:
    """JN at Neuchâtel: Dijon is joined and cannot be visited."""
    game = railway("JN", ("2H",), (("57", "F7", 1), ("9", "F5", 1), ("9", "F9", 1)))
    assert earned(game) == 0


# -- XVIII: the highest revenue -----------------------------------------------------------------------


@pytest.mark.parametrize("runs", ["nothing", "{}=C12.c0>D13.c0"])
def test_xviii_the_highest_revenue_must_be_claimed(runs: str) -> None:
    game = railway("SCB", ("2",), SOUTHWARDS)
    operating(game, "SCB", step=RUN)
    train = game.state.trains_of(game.state.companies["SCB"].id)[0].id
    refused(game, f"SCB run {runs.format(train)}", "XVIII")
    act(game, f"SCB run {train}=B11.o0>C12.c0")
