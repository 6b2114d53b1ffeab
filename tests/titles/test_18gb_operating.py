"""18GB: privates at work, track, tokens, routes, trains, insolvency, receivership."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.board.board_rules import BoardRules
from bot.engine.ids import IPO, POOL, REMOVED, HexId
from bot.engine.play.holdings.market import price_of
from bot.engine.play.steps.privates import pay_incomes
from bot.engine.play.steps.routes import route_problem
from bot.engine.routes.search import best_routes
from bot.engine.state.actions import RunRoutes
from bot.engine.state.board import PlacedTile
from bot.titles.t18gb.companies import convert, is_in_receivership, is_insolvent, train_limit
from bot.titles.t18gb.routes import compass_bonuses, private_bonuses
from bot.titles.t18gb.state import title_state
from tests.rearrangement import rearrange
from tests.titles.builders_18gb import (
    BUILD,
    RUN,
    TITLE,
    TRAINS,
    closed,
    new_game,
    offered,
    operating,
    own,
    play,
    reach_phase,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, lay, refused, set_cash


def turn(name: str, *trains: str, phase: str = "2+1", cash: int = 500, players: int = 5, step: int = BUILD, **options):
    """A company's turn in a phase."""
    game = new_game(players, **options)
    own(game)
    reach_phase(game, phase)
    started(game, name, {"@1": 1}, cash=cash)
    return operating(game, name, trains, step)


def before_4x(cash: int):
    """MR buys; the first 4X is the only train for sale."""
    game = turn("MR", phase="4X", cash=cash, step=BUILD)
    game.state.phase = "5+2"
    return play(game, "MR pass")


def earned(game, name: str) -> tuple[int, list[tuple[str, int]]]:
    """The best revenue of the company's trains, and its bonuses by name."""
    found = best_routes(route_problem(game, company(name)))
    assert found.proven
    bonuses = [part for route in found.routes for part in route.parts if part[0] not in ("stops",)]
    return found.revenue, [*bonuses, *found.joint]


# -- private companies --------------------------------------------------------------------------------


def test_open_privates_pay_their_owner_at_the_start_of_an_operating_round():
    game = new_game(4)
    own(game, GN="@1", TV="@2", LB="@2")
    pay_incomes(game)
    assert [game.state.cash[seat] - 330 for seat in ("@1", "@2", "@3")] == [25, 35, 0]


def test_a_private_closes_whenever_its_owner_likes_after_the_first_stock_round_in_turn_or_not():
    game = new_game(4)
    own(game, GN="@2")
    stock_round(game, number=1)
    assert "after the first stock round" in refused(game, "@2 close GN")
    game.state.round.number = 2
    assert game.players_to_act() == ("@1",)
    assert "belong" in refused(game, "@3 close GN")
    play(game, "@2 close GN")
    assert game.state.cash["@2"] == 330 + 25  # one last time
    assert "already closed" in refused(game, "@2 close GN")
    pay_incomes(game)
    assert game.state.cash["@2"] == 330 + 25
    assert game.players_to_act() == ("@1",)


def test_privates_belong_to_players_for_the_whole_game():
    game = new_game(4)
    own(game, GN="@1")
    started(game, "MR", {"@1": 1})
    operating(game, "MR")
    assert not [text for text in offered(game, "buy") if "GN" in text]


def test_an_open_private_keeps_its_hex_until_the_blue_phase_and_closes_when_it_is_built_on():
    game = new_game(5)
    own(game, LS="@2")
    started(game, "MR", {"@1": 1})
    lay(game, ("G41", "H19", 0))
    operating(game, "MR")
    assert "blocked by LS" in refused(game, "MR lay G18 H21 0")
    reach_phase(game, "4+2")
    before = game.state.cash["@2"]
    play(game, "MR lay G18 H21 0")
    assert game.private("LS").closed
    assert game.state.cash["@2"] == before + 10


def test_closing_frees_the_hex():
    game = new_game(5)
    own(game, LS="@2")
    started(game, "MR", {"@1": 1})
    lay(game, ("G41", "H19", 0))
    operating(game, "MR")
    play(game, "@2 close LS", "MR lay G18 H21 0")


def test_abilities_wait_for_closing_and_belong_to_companies_of_the_owner():
    game = turn("MR")
    game.private("GN").owner, game.private("GN").closed = "@1", False
    assert "GN helps with tokens only after it has been closed" in refused(game, "MR token I14 with GN")
    closed(game, "GN", "@2")
    assert "does not belong" in refused(game, "MR token I14 with GN")
    closed(game, "GN", "@1")
    play(game, "MR token I14 with GN")


@pytest.mark.parametrize(("private", "hex_id"), [("GN", "I14"), ("MC", "H9")])
def test_great_northern_and_maryport_give_one_more_token_for_50_out_of_reach(private, hex_id):
    game = turn("MR")
    closed(game, private)
    left = game.company("MR").tokens_left
    play(game, f"MR token {hex_id} with {private}")
    assert game.state.cash["MR"] == 450
    assert game.company("MR").tokens_left == left
    assert game.state.board.tokens_in(HexId(hex_id), 0) == ["MR"]
    assert f"MR lay G36 {hex_id} 0" in offered(game, "lay")  # a green tile at once


def test_within_reach_the_token_is_free():
    game = turn("NER")
    closed(game, "GN")
    lay(game, ("G41", "J13", 0), ("7", "J15", 2), ("G41", "I14", 2))
    play(game, "NER token I14 with GN")
    assert game.state.cash["NER"] == 500


def test_the_place_is_kept_until_the_blue_phase():
    game = new_game(5)
    own(game)
    started(game, "MR", {"@1": 1}, cash=800)
    assert game.state.board.reservations_in(HexId("I14"), 0) == ["GN"]
    reach_phase(game, "3+1")
    for train in [train for train in game.state.trains if train.family == "3+1"]:
        rearrange(game, train, owner=REMOVED)
    operating(game, "MR", step=TRAINS)
    play(game, "MR buy 4+2 for 300")
    assert game.state.board.reservations_in(HexId("I14"), 0) == []


@pytest.mark.parametrize(("private", "name", "line"), [("LS", "MR", ("G41", "H19", 0)), ("AF", "CR", ("G41", "H3", 0))])
def test_two_privates_give_a_lay_beside_the_two_of_the_turn(private, name, line):
    game = turn(name)
    closed(game, private)
    if private == "LS":
        lay(game, line)
        play(game, "MR lay G18 H21 0 with LS")
        assert game.frame.memory.lays == []
        play(game, "MR lay 9 H23 0", "MR lay 9 H25 0")
    else:
        lay(game, ("G02", "G4", 4), ("4", "H3", 1))
        assert any(text.endswith("with AF") for text in offered(game, "lay"))


def test_taff_vale_waives_the_severn_tunnel():
    game = turn("GWR", phase="4+2")
    lay(game, ("G18", "D23", 2))
    closed(game, "TV", "@2")
    assert "does not belong" in refused(game, "GWR lay G33 C22 0 with TV")
    closed(game, "TV")
    play(game, "GWR lay G33 C22 0 with TV")
    assert game.state.cash["GWR"] == 500


# -- track --------------------------------------------------------------------------------------------


def test_two_tiles_a_turn_lays_or_upgrades_but_one_city():
    game = turn("MR", phase="3+1")
    play(game, "MR lay G36 H19 0")
    assert "Only one" in refused(game, "MR lay G18 H17 0")
    play(game, "MR lay 8 G20 4")
    assert not offered(game, "lay")


def test_some_companies_lay_a_green_tile_at_home_before_its_time_even_on_the_empty_hex():
    for name, hex_id in {"GER": "J25", "GSWR": "F5", "MR": "H19", "NER": "J13", "SWR": "A20"}.items():
        assert any(text.startswith(f"{name} lay G3") and hex_id in text for text in offered(turn(name), "lay")), name
    game = turn("LSWR")
    assert not any(text.split()[2] in ("G36", "G37", "G38") for text in offered(game, "lay"))
    assert "D25 takes a yellow tile next" in refused(game, "LSWR lay G36 D25 0")


def test_the_green_right_holds_once_the_home_is_yellow_too():
    game = turn("MR")
    lay(game, ("G41", "H19", 0))
    assert any(text.startswith("MR lay G36 H19") for text in offered(game, "lay"))


def test_a_company_must_be_able_to_use_new_track_even_of_a_city():
    """Leicester's first city is reached from Derby; a tile that only adds track to the other city is of no use."""
    game = turn("MR", phase="3+1")
    lay(game, ("G41", "H19", 0), ("G18", "H21", 0))
    assert "MR could not use any new track of that tile on H21" in refused(
        game, "MR lay G21 H21 0"
    )  # 0-3 as before, 2-4 apart
    lay(game, ("9", "G20", 1))
    assert "MR could not use any new track of that tile on H21" in refused(game, "MR lay G21 H21 0")


def test_plain_track_is_upgraded_only_for_a_branch_that_is_reached():
    game = turn("MR", phase="3+1")
    lay(game, ("G41", "H19", 0), ("9", "I18", 0))
    assert not any(" I18 " in text for text in offered(game, "lay"))


def test_the_quick_answer_is_that_of_a_search_of_the_network_as_it_would_be(monkeypatch):
    quick, seen = BoardRules._uses_new_track, {True: 0, False: 0}

    def both(land, game, name, tile, hex_id, rotation):
        answer = quick(land, game, name, tile, hex_id, rotation)
        if sum(seen.values()) % 9 == 0:
            laid = PlacedTile(tile, rotation)
            assert answer == land.reaches_new_track(game, name, laid, hex_id)
        seen[answer] += 1
        return answer

    monkeypatch.setattr(BoardRules, "_uses_new_track", both)
    for number, _ in enumerate(RandomGame(TITLE, 4, 3, is_audited=False).moves()):
        if number > 240:
            break
    assert min(seen.values()) > 50


def test_hill_borders_cost_50_for_each_track_that_points_at_them():
    """Salisbury has a hill at its edge 4."""
    for rotation, cost in ((0, 0), (1, 50), (2, 0)):
        game = turn("LSWR")
        play(game, f"LSWR lay G41 D25 {rotation}")
        assert game.state.cash["LSWR"] == 500 - cost


def test_the_other_half_of_a_hill_border_costs_50_again():
    game = turn("LSWR")
    play(game, "LSWR lay G41 D25 1", "LSWR lay 9 E24 1")
    assert game.state.cash["LSWR"] == 400


def test_estuary_tiles_come_with_the_blue_phase_for_50_and_lie_as_printed():
    game = turn("GWR", phase="3+1")
    lay(game, ("G18", "D23", 2))
    assert not any(" G33 " in text for text in offered(game, "lay"))
    game = turn("GWR", phase="4+2")
    lay(game, ("G18", "D23", 2))
    assert [text for text in offered(game, "lay") if " G33 " in text] == ["GWR lay G33 C22 0"]
    assert "printed" in refused(game, "GWR lay G33 C22 1")
    play(game, "GWR lay G33 C22 0")
    assert game.state.cash["GWR"] == 450


# -- tokens -------------------------------------------------------------------------------------------


def test_home_tokens_block_before_their_company_begins():
    game = turn("MR")
    assert {"J25", "F5", "D25", "J13", "A20"} <= {
        stop.hex for stop in game.board_rules.blocked_stops(game, company("MR"))
    }


def test_the_second_token_costs_50_the_caledonians_nothing_conversion_brings_two():
    assert TITLE.companies["MR"].tokens == (0, 50)
    assert TITLE.companies["CR"].tokens == (0, 0)
    assert TITLE.companies["LYR"].tokens == TITLE.companies["MSLR"].tokens == (0,)
    more = {name: len(noun.more_tokens) for name, noun in TITLE.companies.items()}
    assert more.pop("NBR") == 1
    assert set(more.values()) == {2}


def test_one_token_a_turn_within_reach_before_or_after_track():
    game = turn("MR", phase="3+1", cash=400)
    lay(game, ("G41", "H19", 0), ("G18", "H21", 0), ("G18", "H17", 0))
    play(game, "MR token H21", "MR lay 9 H23 0")
    assert game.state.cash["MR"] == 350
    assert "no token left" in refused(game, "MR token H17")


def test_a_home_in_a_space_of_two_cities_stands_in_the_city_that_its_company_connects():
    game = turn("GWR")
    play(game, "GWR lay G18 D23 0")
    assert game.state.board.tokens_in(HexId("D23"), 0) == ["GWR"]
    game = turn("LSWR")
    lay(game, ("G41", "D25", 0))
    play(game, "LSWR lay G18 D23 0")
    assert game.state.board.tokens_in(HexId("D23"), 1) == ["GWR"]  # in the city without track


# -- routes -------------------------------------------------------------------------------------------


def test_n_plus_m_runs_n_plus_m_stops_at_most_n_of_them_cities():
    """Sheffield 20, Derby 10, Lincoln 10, Peterborough 10."""
    game = turn("MR", "2+1", players=4, step=RUN)
    lay(game, ("G40", "H19", 3), ("58", "I20", 0), ("4", "I22", 0))
    assert earned(game, "MR") == (30, [])  # one city and two towns
    lay(game, ("G18", "H17", 0))
    assert earned(game, "MR") == (40, [])  # two cities and a town


def test_an_x_train_counts_cities_and_off_board_and_earns_ten_for_each_hex_of_distance():
    """Ipswich 20, London 60, Norwich 20; G26 and K22 lie four hexes apart; Colchester is passed."""
    game = turn("GER", "4X", phase="4X", step=RUN)
    lay(game, ("G36", "J25", 0), ("4", "I26", 1), ("8", "H27", 2))
    assert earned(game, "GER") == (140, [("distance", 40)])


def west(*trains: str):
    """GWR from London over Reading, Bristol, the Severn, Cardiff and Swansea to Pembroke."""
    game = turn("GWR", *trains, phase="4X", players=4, companies="alternative", step=RUN)
    straight = [("4", "F25"), ("9", "E24"), ("G18", "D23"), ("G18", "B21"), ("G41", "A20")]
    return lay(game, *((tile, hex_id, 2) for tile, hex_id in straight), ("G33", "C22", 0))


def test_tunnel_distance_and_east_west_bonus_on_one_train():
    # 60 + 20 + 20 + 10 + 20, seven hexes of distance, the Severn tunnel, east-west in the blue phase.
    assert earned(west("5X"), "GWR") == (260, [("S", 30), ("distance", 70), ("E-W", 30)])


def test_two_trains_together_earn_the_east_west_bonus_once():
    revenue, parts = earned(west("4+2", "4+2"), "GWR")
    # London, Reading, Bristol: 90; Bristol, Cardiff, Swansea, Pembroke: 70; the tunnel; the bonus.
    assert revenue == 90 + 70 + 30 + 30
    assert sorted(parts) == [("E-W", 30), ("S", 30)]


def test_a_train_that_ends_in_the_tunnel_earns_nothing_for_it():
    game = west("4+2")
    for hex_id in ("B21", "A20"):
        del game.state.board.tiles[HexId(hex_id)]
    game.board_changed()
    assert ("S", 30) not in earned(game, "GWR")[1]


def test_two_cities_of_a_hex_pay_once():
    game = turn("MR", step=RUN)
    values = route_problem(game, "MR").values
    assert {stop.hex: value.place for stop, value in values.items()}["H17"] == "H17"


@pytest.mark.parametrize(("private", "hex_id", "money"), [("SD", "J13", 10), ("LM", "E14", 30), ("CH", "C14", 20)])
def test_closed_privates_pay_for_a_stop_of_their_owners_companies(private, hex_id, money):
    game = turn("NER", step=RUN)
    closed(game, private)
    (bonus,) = private_bonuses(game, company("NER"))
    assert bonus.by_count == {1: money}
    assert bonus.tag == hex_id
    closed(game, private, "@2")
    assert private_bonuses(game, company("NER")) == []


def test_compass_bonuses_grow_with_the_phases():
    values = {"2+1": 20, "3+1": 20, "4+2": 30, "5+2": 30, "6X": 40}
    for phase, money in values.items():
        game = turn("MR", phase=phase)
        assert {bonus.money for bonus in compass_bonuses(game)} == {money}


# -- trains -------------------------------------------------------------------------------------------


def test_limits_by_phase_one_less_for_five_shares_until_the_first_4x():
    limits = {"2+1": (3, 4), "3+1": (3, 4), "4+2": (2, 3), "5+2": (2, 3), "4X": (2, 2), "6X": (2, 2)}
    for phase, (small, large) in limits.items():
        game = turn("MR", phase=phase)
        assert train_limit(game, company("MR")) == small, phase
        convert(game, company("MR"), 0)
        assert train_limit(game, company("MR")) == large, phase


def test_5x_after_the_first_4x_and_6x_after_the_first_5x():
    game = before_4x(2000)
    kinds = {text.split()[2] for text in offered(game, "buy")}
    assert kinds == {"4X"}
    play(game, "MR buy 4X for 550")
    assert {text.split()[2] for text in offered(game, "buy")} == {"4X", "5X"}
    play(game, "MR buy 5X for 650")
    assert game.state.phase == "5X"


@pytest.mark.parametrize(("first", "rusted"), [("4+2", "2+1"), ("4X", "3+1"), ("6X", "4+2")])
def test_trains_rust(first, rusted):
    assert TITLE.trains[rusted].rusts_on == first


def test_trains_between_companies_cost_1_to_twice_what_is_printed():
    game = turn("MR", phase="3+1", step=BUILD)
    started(game, "NER", cash=500)
    give_train(game, "NER", "2+1")
    give_train(game, "NER", "2+1")
    play(game, "MR pass")
    refused(game, "MR buy 2+1 from NER for 161")
    refused(game, "MR buy 2+1 from NER for 0")
    play(game, "MR buy 2+1 from NER for 160")
    assert game.state.cash["NER"] == 660


def test_a_last_train_is_sold_only_to_a_company_without_one():
    game = turn("MR", "2+1", phase="3+1", step=TRAINS)
    started(game, "NER")
    give_train(game, "NER", "2+1")
    assert "last train" in refused(game, "MR buy 2+1 from NER for 10")
    for train in game.state.trains_of(company("MR")):
        game.state.move_train(train, REMOVED)
    play(game, "MR buy 2+1 from NER for 10")


def test_directors_pay_nothing_towards_trains():
    game = turn("MR", cash=60, step=TRAINS)
    assert not any("2+1" in text for text in offered(game, "buy"))
    refused(game, "MR buy 2+1 for 80")


def test_whoever_can_pay_the_dearest_train_must_buy():
    assert "must" in refused(before_4x(550), "MR pass")
    game = before_4x(549)
    assert "MR convert MR" in offered(game, "convert")
    play(game, "MR pass")
    assert is_insolvent(game, company("MR"))


def test_discarded_trains_leave_the_game():
    game = turn("MR", "3+1", phase="4+2", cash=800)
    game.state.phase = "3+1"
    started(game, "NER", {"@2": 1}, director="@2")
    for _ in range(3):
        give_train(game, "NER", "3+1")
    play(game, "MR pass", "MR buy 4+2 for 300")
    assert game.players_to_act() == ("@2",)
    assert offered(game, "discard") == ["NER discard 3+1"]
    play(game, "NER discard 3+1")
    assert len(game.state.trains_of(company("NER"))) == 2
    assert sum((train.family, train.owner) == ("3+1", POOL) for train in game.state.trains) == 0


# -- insolvency ---------------------------------------------------------------------------------------


def test_without_a_train_at_the_end_of_its_turn_a_company_is_insolvent():
    game = turn("MR", cash=20, step=TRAINS)
    play(game, "MR pass")
    assert is_insolvent(game, company("MR"))


def insolvent(step: int = BUILD, cash: int = 20, **options: str):
    """MR leases; Sheffield 20 and Derby 10."""
    game = new_game(4, **options)
    own(game)
    started(game, "MR", {"@1": 1}, cash=cash)
    lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    title_state(game).insolvent.append(company("MR"))
    return operating(game, "MR", step=step)


def test_insolvent_companies_lay_nothing_lease_the_cheapest_train_and_withhold():
    game = insolvent()
    assert game.step.name == "run trains"
    assert not offered(game, "lay")
    assert [train.kind for train in game.title.rules.runs_with(game, company("MR"))] == ["2+1"]
    game.apply(next(action for action in game.legal_actions() if isinstance(action, RunRoutes)))
    assert game.state.cash["MR"] == 20 + 30
    assert price_of(game, company("MR")) == 90
    assert game.step.name == "buy trains"


def test_insolvency_ends_with_a_train():
    game = insolvent(step=TRAINS, cash=80)
    play(game, "MR buy 2+1 for 80")
    while game.state.flow[-1].entity == "MR":
        play(game, "MR pass")
    assert not is_insolvent(game, company("MR"))


def test_18xx_games_lets_a_company_lease_on_that_could_pay_for_a_train():
    game = insolvent(cash=80, rules="18xx.games")
    assert is_insolvent(game, company("MR"))
    assert game.step.name == "run trains"
    game.apply(next(action for action in game.legal_actions() if isinstance(action, RunRoutes)))
    play(game, "MR buy 2+1 for 80")
    while game.state.flow[-1].entity == "MR":
        play(game, "MR pass")
    assert not is_insolvent(game, company("MR"))


# -- receivership -------------------------------------------------------------------------------------


def received(cash: int, *trains: str, **options: str):
    """MR without a director; its turn runs by itself."""
    game = new_game(4, **options)
    own(game)
    started(game, "MR", {"pool": 3}, director=None, cash=cash)
    rearrange(game, game.company("MR").certificates[0], owner=POOL)
    for certificate in game.company("MR").certificates:
        rearrange(game, certificate, owner=POOL)
    lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    assert is_in_receivership(game, company("MR"))
    return operating(game, "MR", trains, BUILD)


def test_in_receivership_a_company_withholds_and_buys_the_dearest_train_that_it_can_pay():
    game = received(cash=180)
    # 30 by a leased 2+1; the bank sells 2+1 trains alone.
    assert [train.kind for train in game.state.trains_of(company("MR"))] == ["2+1"]
    assert game.state.cash["MR"] == 180 + 30 - 80
    assert price_of(game, company("MR")) == 90
    assert not is_insolvent(game, company("MR"))


def test_in_receivership_a_company_with_trains_runs_them_for_the_most_and_keeps_it():
    game = received(0, "2+1")
    assert game.state.cash["MR"] == 30
    assert price_of(game, company("MR")) == 90


def test_in_receivership_a_small_company_that_can_pay_for_nothing_converts():
    game = received(cash=0)
    # 30 by a lease, not enough for 80: three further spaces down from 90 to 70, five times 70.
    assert price_of(game, company("MR")) == 70
    assert len(game.company("MR").certificates) == 9
    assert game.state.cash["MR"] == 30 + 350 - 80


def test_whoever_buys_the_presidents_certificate_out_of_the_pool_directs():
    game = received(cash=180)
    stock_round(game)
    set_cash(game, "@2", 900)
    play(game, "@1 pass")
    bought = [text for text in offered(game, "buy") if " MR " in text]
    assert bought
    play(game, bought[0])
    assert IPO not in {certificate.owner for certificate in game.company("MR").certificates}
