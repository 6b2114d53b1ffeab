"""1820 by a second reader of the rulebook: cousins' help, British Rail, FLOOD trains (§13.5, §14, §15.3.4)."""

from __future__ import annotations

import pytest

from bot.engine.ids import Owner
from bot.engine.play.game import Game
from bot.engine.state.events import PriceMoved, RevenueWithheld
from bot.engine.state.state import Frame, OperatingRoundMemory, Round
from tests.titles import builders_1820 as e
from tests.titles.positions import act, cash, set_cash, token
from tests.titles.rulebook.birmingham import ROW, legal, revenue_of


def helped(
    cousin: str, held: dict[str, int], trains: tuple[str, ...] = (), tiles: tuple[str, ...] = (), **company: object
) -> Game:
    """The LSR at Birmingham, of which a cousin holds shares."""
    game = e.new_game(cousins=(cousin,))
    e.lay(game, "G7", "150", 1)
    for text in tiles:
        tile, hex_id, rotation = text.split()
        e.lay(game, hex_id, tile, int(rotation))
    e.floated(game, "LSR", held=held, **company)  # type: ignore[arg-type]
    token(game, "LSR", "G7")
    e.give_trains(game, "LSR", *trains)
    return game


# -- 14 -----------------------------------------------------------------------------------------------


def test_14_4_3_locke_halves_terrain_and_gets_what_is_saved() -> None:
    game = helped("JL", {"@1": 2, "JL": 1}, tiles=("149 G7 3",))
    e.in_turn(game, "LSR", "track")
    act(game, "LSR lay 9 F8 0")
    assert (cash(game, "LSR"), cash(game, "JL")) == (480, 20)


def test_14_4_3_no_help_without_a_share() -> None:
    game = helped("JL", {"@1": 3}, tiles=("149 G7 3",))
    e.in_turn(game, "LSR", "track")
    act(game, "LSR lay 9 F8 0")
    assert (cash(game, "LSR"), cash(game, "JL")) == (460, 0)


def test_14_4_1_bedlington_adds_an_upgrade_of_a_city_and_gets_half_its_revenue() -> None:
    game = helped("BI", {"@1": 2, "BI": 1})
    e.reach_phase(game, "green")
    e.in_turn(game, "LSR", "track")
    act(game, "LSR lay 9 G9 1", "LSR lay 9 G5 1")
    found = [text for text in legal(game, "LSR lay 179 G7")]
    assert found
    act(game, found[0])
    assert cash(game, "BI") == 20


def test_14_4_2_gas_light_makes_a_small_city_big() -> None:
    game = helped("GLCC", {"@1": 2, "GLCC": 1}, tiles=("9 G9 1", "57 G11 1"))
    e.reach_phase(game, "green")
    e.in_turn(game, "LSR", "track")
    found = [text for text in legal(game, "LSR lay ") if " 179 G11" in text or " 180 G11" in text]
    assert found
    act(game, found[0])
    assert cash(game, "GLCC") == 40
    assert not [text for text in legal(game, "LSR lay ") if "with GLCC" in text], "once per company"


@pytest.mark.parametrize(("held", "trains", "revenue", "cousin"), [(1, ("2+",), 100, 10), (0, ("2+",), 80, 0)])
def test_14_5_2_vulcan_adds_a_city_and_gets_half_of_it(
    held: int, trains: tuple[str, ...], revenue: int, cousin: int
) -> None:
    shares = {"@1": 2, "VF": 1} if held else {"@1": 2}
    game = helped("VF", shares, trains, ROW)
    e.in_turn(game, "LSR", "cousins" if held else "run")
    if held:
        act(game, next(text for text in legal(game, "LSR use VF")))
    before, treasury = cash(game, "VF"), cash(game, "LSR")
    act(game, legal(game, "LSR run")[0], "LSR withhold")
    assert cash(game, "LSR") - treasury == revenue
    assert cash(game, "VF") - before == cousin


def test_14_3_1_vignoles_halves_the_fee_of_distance_when_he_buys_a_share() -> None:
    game = e.new_game(cousins=("CBV",))
    for seat in ("@1", "@2", "@3"):
        set_cash(game, seat, 3000)
    set_cash(game, "CBV", 200)
    e.stock_turn(game)
    act(game, "@1 fund 20", "@2 pass", "@3 pass", "@1 pass")
    act(game, "@1 float LSR 5 at 55 on G7=150/1 G11=57/1 to @1:1 CBV:1")
    # two hexagon edges: 160, half of it back and as much to the cousin
    assert cash(game, "@1") == 3000 - 20 - 55 - 80
    assert cash(game, "CBV") == 200 - 55 + 80


def test_14_3_1_vignoles_halves_the_fee_also_with_a_share_of_a_player_later_in_the_round() -> None:
    game = e.new_game(cousins=("CBV",))
    for seat in ("@1", "@2", "@3", "CBV"):
        set_cash(game, seat, 3000)
    e.stock_turn(game)
    act(game, "@1 fund 20", "@2 pass", "@3 pass", "@1 pass")
    act(game, "@1 float LSR 5 at 55 on G7=150/1 G11=57/1 to @2:2", "@2 agree")
    # The fee was Ann's; half of it comes to Bob, who directs the company.
    assert (cash(game, "@1"), cash(game, "@2")) == (3000 - 20 - 160, 3000 - 2 * 55)
    act(game, "@2 pass", "@3 pass", "CBV ask @2 for LSR", "@2 agree")
    assert cash(game, "@2") == 3000 - 55 + 80 and cash(game, "CBV") == 3000 - 55 + 80


def test_14_3_2_stephenson_places_a_station_for_nothing() -> None:
    game = helped("RSCF", {"@1": 2, "RSCF": 1}, tiles=("9 G9 1", "57 G11 1"))
    e.in_turn(game, "LSR", "station")
    found = next(text for text in legal(game, "LSR token G11") if "RSCF" in text)
    act(game, found)
    assert (cash(game, "LSR"), cash(game, "RSCF")) == (500, 50)


def test_14_5_1_holden_buys_a_train_before_the_run() -> None:
    game = helped("JH", {"@1": 2, "JH": 1}, tiles=ROW)
    e.in_turn(game, "LSR", "early")
    found = [text for text in legal(game, "LSR buy 2+")]
    assert found
    act(game, found[0])
    assert len(game.state.trains_of(Owner("LSR"))) == 1
    assert cash(game, "LSR") == 420


def test_14_1_a_cousins_company_neglects_everything() -> None:
    game = helped("VF", {"VF": 2}, ("2+",), ROW, loans=1)
    game.state.round = Round("operating", 2, 1, 2)
    game.state.flow = [Frame("game", None, 2), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    game.state.money = sum(game.state.cash.values())
    game.advance()
    withheld = [event.revenue for event in game.events if isinstance(event, RevenueWithheld)]
    moved = [event.after for event in game.events if isinstance(event, PriceMoved)]
    assert withheld == [80]
    assert moved[-1] == 10, "no interest was paid"
    # liquidated at once (§8.5): 580 and the bank's 20, less the loan of 200
    assert cash(game, "VF") == 400


# -- 13.5, 7.2.2 --------------------------------------------------------------------------------------


def test_7_2_2_a_second_station_in_a_hexagon_makes_the_first_british_rails() -> None:
    # both cities of Warrington and Bolton, joined outside the hexagon
    game = e.new_game()
    e.lay(game, "C7", "54", 0)  # cities 0-1 and 2-3
    e.floated(game, "LSR", stations=1)
    token(game, "LSR", "C7", 0)
    e.reach_phase(game, "green")
    e.in_turn(game, "LSR", "station")
    assert not legal(game, "LSR token C7"), "no track joins the two"


def test_13_5_british_rail_pays_its_holders() -> None:
    game = e.new_game()
    assert sum(one.percent for one in e.company(game, "BR").certificates) == 100
    assert len(e.company(game, "BR").certificates) == 100


# -- 15.3.4 -------------------------------------------------------------------------------------------


def test_15_3_4_a_flood_covers_everything_connected_once() -> None:
    game = helped("VF", {"@1": 3}, (), ROW)
    e.give_trains(game, "LSR", "FLOOD")
    assert revenue_of(game) == 100


def test_15_3_4_a_flood_stops_at_full_cities() -> None:
    game = helped("VF", {"@1": 3}, (), ROW)
    e.floated(game, "OW&WR", held={"@2": 2})
    token(game, "OW&WR", "G11")
    e.give_trains(game, "LSR", "FLOOD")
    assert revenue_of(game) == 70


@pytest.mark.parametrize(("phase", "dover"), [("green", 30), ("brown", 40), ("gray", 50)])
def test_15_3_4_a_flood_includes_ports_beside_its_stations_once_without_off_boards(phase: str, dover: int) -> None:
    game = e.new_game()
    e.lay(game, "O17", "150", 1)
    e.lay(game, "O15", "4", 1)
    e.floated(game, "LSR")
    token(game, "LSR", "O17")
    e.give_trains(game, "LSR", "FLOOD")
    e.reach_phase(game, phase)
    assert revenue_of(game) == 40 + dover
