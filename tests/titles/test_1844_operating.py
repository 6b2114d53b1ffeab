"""1844 §V to §XX: operating rounds, track, tunnels, the Furka-Oberalp, markers, runs, trains, phases."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from bot.engine.games.corrections import replay_text
from bot.engine.ids import BANK, DEPOT, POOL, REMOVED, HexId, Owner, TileId
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of
from bot.engine.play.holdings.market import place_marker, price_of
from bot.engine.play.holdings.trains import export, trains_for_sale
from bot.engine.play.steps.dividends import operating_turn
from bot.engine.play.steps.emergency import takes_singles_first
from bot.engine.play.steps.routes import route_problem
from bot.engine.play.steps.tokens import printed_price
from bot.engine.play.steps.track import printed_cost
from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.engine.routes.revenue.score import score
from bot.engine.routes.search import best_routes
from bot.engine.state.actions import (
    Answer,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DeclareBankruptcy,
    DiscardTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    Run,
    RunRoutes,
    SellShares,
)
from bot.engine.state.board import Reservation
from bot.engine.state.events import (
    Contributed,
    DividendPaid,
    GameEndTriggered,
    PrivateClosed,
    SharesSold,
    TokenPlaced,
    TurnBegan,
)
from bot.engine.state.state import Frame, OperatingRoundMemory, Round
from bot.titles.t1844.actions import LayFurka, PayDebt, TakeEva
from bot.titles.t1844.board_rules import LAND, mouths, tunnel_at
from bot.titles.t1844.components import TUNNEL_HEXES
from bot.titles.t1844.events import TargetReached
from bot.titles.t1844.flotation import has_reached_target
from bot.titles.t1844.player_debt import audit_debts, interest_on
from bot.titles.t1844.routes import has_route, look_for_visits, stop_values, train_spec
from bot.titles.t1844.state import title_state
from bot.titles.t1844.track import lay_furka
from bot.titles.t1844.trains import highest_price, lowest_price, must_own_train, train_limit
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles.builders_1844 import (
    ANN,
    BOB,
    CID,
    PAY,
    RUN,
    TITLE,
    TOKEN,
    TRACK,
    TRAINS,
    home,
    mountain,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
    tunnel,
)
from tests.titles.positions import company, give_train, lay, private, refusal, refused, set_cash, token

NOB, GB, JS, VSB, SCB = (company(name) for name in ("NOB", "GB", "JS", "VSB", "SCB"))
FNM, MOB, BLS, STB, AB, RhB = (company(name) for name in ("FNM", "MOB", "BLS", "STB", "AB", "RhB"))
JN, ChA, VZ, SBB = (company(name) for name in ("JN", "ChA", "VZ", "SBB"))


def tile(by: str, number: str, hex_id: str, rotation: int, using: str | None = None) -> LayTile:
    """A lay."""
    return LayTile(Owner(by), TileId(number), HexId(hex_id), rotation, private(using) if using else None)


def best(game: Game, name: str) -> int:
    """The best revenue of a company's trains."""
    result = best_routes(route_problem(game, company(name)))
    assert result.proven
    return result.revenue


def spaces(game: Game, name: str) -> list[list[str]]:
    """The spaces of the stops of its best routes."""
    return [[stop.hex for stop in route.stops] for route in best_routes(route_problem(game, company(name))).routes]


# -- §V: powers -----------------------------------------------------------------------------------------


def test_V_companies_buy_p1_to_p5_from_their_director_from_the_first_3_on() -> None:
    game = new_game()
    sell_privates(game, {"P5": "@1", "P6": "@1", "P4": "@2"})
    started(game, "BLS", {"@1": 3})
    operating(game, "BLS", step=TRAINS)
    refused(game, BuyPrivate(BLS, private("P5"), 140), "§V")
    reach_phase(game, "3")
    refused(game, BuyPrivate(BLS, private("P5"), 281), "§V")
    refused(game, BuyPrivate(BLS, private("P5"), 0), "§V")
    refused(game, BuyPrivate(BLS, private("P6"), 100), "§V")
    refused(game, BuyPrivate(BLS, private("P4"), 110), "§V")
    game.apply(BuyPrivate(BLS, private("P5"), 280))
    assert game.private(Owner("P5")).owner == BLS
    assert game.state.cash[ANN] == 800 + 280


@pytest.mark.parametrize("sign", ["P6", "P7", "B1", "T1"])
def test_V_to_VII_p6_p7_mountains_and_tunnels_are_not_sold_to_companies(sign: str) -> None:
    game = new_game()
    sell_privates(game, {sign: "@1"})
    started(game, "BLS", {"@1": 3})
    reach_phase(game, "3")
    refused(operating(game, "BLS"), BuyPrivate(BLS, private(sign), 10), "§V")


@pytest.mark.parametrize("name", ["NOB", "SBB"])
def test_V_pre_sbb_companies_and_the_sbb_buy_no_privates(name: str) -> None:
    game = new_game()
    sell_privates(game, {"P1": "@1"})
    started(game, name)
    reach_phase(game, "3")
    if name == "SBB":
        token(game, "SBB", "D19")
    operating(game, name, ["3H"], step=TRAINS)
    refused(game, BuyPrivate(company(name), private("P1"), 20), "§V")


def test_V_p2_gives_a_yellow_tile_beside_the_usual_lay_once() -> None:
    game = new_game()
    sell_privates(game, {"P2": "@1"})
    started(game, "NOB")
    lay(game, ("57", "D19", 1))
    operating(game, "NOB")
    refused(game, tile("NOB", "8", "D17", 0, "P2"), "§V")
    reach_phase(game, "3")
    game.apply(tile("NOB", "4", "D17", 1, "P2"))
    refused(game, tile("NOB", "8", "D21", 1, "P2"), "§V")
    game.apply(tile("NOB", "4", "D21", 1))
    assert game.step is not None and game.step.name != "lay track"


def test_V_p2s_tile_after_the_usual_one_too_while_it_is_open() -> None:
    for is_open in (True, False):
        game = new_game()
        sell_privates(game, {"P2": "@1"})
        started(game, "NOB")
        lay(game, ("57", "D19", 1))
        reach_phase(game, "3")
        operating(game, "NOB")
        game.private(Owner("P2")).closed = not is_open
        game.apply(tile("NOB", "4", "D17", 1))
        assert (game.step is not None and game.step.name == "lay track") is is_open
        if is_open:
            assert "does not help" in refused(game, tile("NOB", "4", "D21", 1, "P4"), "§V")
            game.apply(tile("NOB", "4", "D21", 1, "P2"))
            assert game.step is not None and game.step.name != "lay track"


def test_V_p2_does_not_upgrade() -> None:
    game = new_game()
    sell_privates(game, {"P2": "@1"})
    started(game, "NOB")
    lay(game, ("57", "D19", 1), ("4", "D17", 1))
    reach_phase(game, "3")
    operating(game, "NOB")
    refused(game, tile("NOB", "87", "D17", 1, "P2"), "§V")


def test_V_p4_lays_the_furka_oberalp_for_80_in_a_share_round_too() -> None:
    game = new_game()
    sell_privates(game, {"P4": "@1"})
    stock_round(game)
    refused(game, LayFurka(ANN), "§V")
    reach_phase(game, "3")
    events = game.apply(LayFurka(ANN))
    assert "The Furka-Oberalp line is laid; Ann gets sfr 80." in told(game, events)
    assert PrivateClosed(private("P4")) in events
    assert game.state.cash[ANN] == 880
    assert game.private(Owner("P4")).closed
    assert {hex_id for hex_id in game.state.board.tiles} == {"H17", "H19", "H21", "H23", "I16"}
    assert game.players_to_act() == (ANN,), "it takes no turn"


def test_V_p4_pays_the_company_that_owns_it() -> None:
    game = new_game()
    sell_privates(game, {"P4": "BLS"})
    started(game, "BLS", {"@1": 3})
    reach_phase(game, "3")
    operating(game, "BLS")
    game.apply(LayFurka(BLS))
    assert game.state.cash[BLS] == 580


def test_V_the_furka_oberalp_joins_brig_and_disentis_by_andermatt() -> None:
    game = new_game()
    sell_privates(game, {"P4": "@1"})
    reach_phase(game, "3")
    stock_round(game)
    lay(game, ("9", "J15", 1), ("4", "H25", 1))
    assert not game.board_rules.are_linked(game, HexId("J13"), HexId("H25"))
    game.apply(LayFurka(ANN))
    assert game.board_rules.are_linked(game, HexId("J13"), HexId("H25"))
    assert game.tile_at(HexId("H17")).nodes[0].value_in(("yellow",)) == 10


def test_V_with_the_first_5_the_line_is_laid_by_itself_and_privates_close() -> None:
    game = new_game()
    sell_privates(game, {"P1": "@2", "P4": "@2", "P6": "@3"})
    started(game, "BLS", {"@1": 3}, cash=1000)
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS)
    events = game.apply(BuyTrain(BLS, "5", 450))
    assert {event.private for event in events if isinstance(event, PrivateClosed)} == {"P1", "P4", "P6"}
    assert game.state.cash[BOB] == 880
    assert all(game.private(Owner(f"P{number}")).closed for number in range(1, 8))
    assert tunnel_at(game.state.board, HexId("H19")) is None


def test_V_p6_closes_when_the_fnm_runs() -> None:
    game = new_game()
    sell_privates(game, {"P6": "@1"})
    started(game, "FNM", {"@1": 3})
    lay(game, ("5", "L21", 5))
    operating(game, "FNM", ["2"], step=RUN)
    run = RunRoutes(FNM, (Run(game.state.trains_of(FNM)[0].id, ("L21.c0", "M20.o0")),))
    for closes in (True, False):
        events = game.apply(run) + game.apply(Dividend(FNM, "pay"))
        assert (PrivateClosed(private("P6")) in events) is closes
        assert game.private(Owner("P6")).closed
        operating(game, "FNM", step=RUN)


def test_V_p6_stays_open_when_another_company_runs() -> None:
    game = new_game()
    sell_privates(game, {"P6": "@1"})
    started(game, "NOB")
    lay(game, ("57", "D19", 1), ("4", "D17", 1))
    operating(game, "NOB", ["2"], step=RUN)
    game.apply(RunRoutes(NOB, (Run(game.state.trains_of(NOB)[0].id, ("D19.c0", "D17.t0")),)))
    game.apply(Dividend(NOB, "pay"))
    assert not game.private(Owner("P6")).closed


def eva_game(rules: str = "rulebook") -> Game:
    """BLS (Ann) buys the first 5, STB is Bob's, and he owns P7."""
    game = new_game(rules=rules)
    sell_privates(game, {"P7": "@2"})
    started(game, "BLS", {"@1": 3}, cash=1000)
    started(game, "STB", {"@2": 3}, director="@2")
    started(game, "MOB", {"@2": 3}, director="@2", position=(2, 3))
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS)
    return game


def test_V_the_eva_is_given_at_once_to_a_company_of_its_owner() -> None:
    game = eva_game()
    built = "The EVA is built: Bob may give this 5H to one of their companies."
    assert built in told(game, game.apply(BuyTrain(BLS, "5", 450)))
    assert game.players_to_act() == (BOB,)
    refused(game, TakeEva(BOB), "§V")
    with pytest.raises(NotYourTurn):
        game.apply(TakeEva(BLS))
    assert "STB gets the EVA, a 5H train." in told(game, game.apply(TakeEva(STB)))
    assert [train.kind for train in game.state.trains_of(STB)] == ["5H"]
    assert game.players_to_act() == (ANN,)


def test_V_the_eva_may_be_kept_for_later() -> None:
    game = eva_game()
    game.apply(BuyTrain(BLS, "5", 450))
    game.apply(Pass(BOB))
    game.apply(Pass(BLS))
    game.state.flow[-1].entity = MOB
    operating(game, "MOB")
    game.apply(TakeEva(MOB))
    assert [train.kind for train in game.state.trains_of(MOB)] == ["5H"]


def test_V_the_eva_keeps_to_the_train_limit() -> None:
    game = eva_game()
    for kind in ("3H", "3H"):
        give_train(game, "STB", kind)
    game.apply(BuyTrain(BLS, "5", 450))
    refused(game, TakeEva(STB), "§V")
    game.apply(TakeEva(MOB))


def test_V_on_18xx_games_the_eva_is_taken_in_a_companys_turn() -> None:
    game = eva_game("18xx.games")
    game.apply(BuyTrain(BLS, "5", 450))
    assert game.players_to_act() == (ANN,)


# -- §VI, §VII: mountains and tunnels ---------------------------------------------------------------------


def stans(marker: str | None, trains: tuple[str, ...] = ("2",), phase: str = "2") -> Game:
    """GB has track from Altdorf (20) by Stans (20) and Sarnen (10) to the Pilatus."""
    game = new_game()
    reach_phase(game, phase)
    started(game, "GB", par=90)
    lay(game, ("57", "G18", 1), ("4", "G16", 1))
    if marker:
        mountain(game, "B1", "@2", "G14", marker)
    return operating(game, "GB", trains, step=RUN)


def test_VI_a_bare_mountain_is_part_of_no_route() -> None:
    assert best(stans(None, ("4",)), "GB") == 50
    assert best(stans("XM1", ("4",)), "GB") == 60


@pytest.mark.parametrize(
    ("marker", "values"), [("XM1", (10, 20, 50, 80)), ("XM2", (10, 40, 50, 60)), ("XM3", (10, 50, 80, 10))]
)
def test_VI_and_XVIII_markers_are_worth_something_else_in_each_colour(marker: str, values: tuple[int, ...]) -> None:
    found = [best(stans(marker, ("4H",), phase), "GB") - 50 for phase in ("2", "3", "5", "7")]
    assert found == list(values)


def test_VI_a_mountain_railway_pays_40_from_its_first_visit_on() -> None:
    game = stans("XM3", ("3",), "3")
    assert private("B1") not in title_state(game).active
    run = RunRoutes(GB, (Run(game.state.trains_of(GB)[0].id, ("G18.c0", "G16.t0", "G14.o0")),))
    events = game.apply(run)
    assert "B1 has been visited: it pays sfr 40 a round from now on." in told(game, events)
    look_for_visits(game, GB, best_routes(route_problem(game, GB)))
    assert title_state(game).active == ["B1"], "once"
    game.state.round = Round("operating", 2, 1, 2)
    game.state.flow = [Frame("game", None, 3), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    before = game.state.cash[BOB]
    game.advance()
    assert game.state.cash[BOB] == before + 40


def test_VI_a_mountain_ends_a_route() -> None:
    game = stans("XM3", ("4H",), "3")
    lay(game, ("9", "H15", 3), ("57", "H13", 4))
    assert all("G14" not in stops[1:-1] for stops in spaces(game, "GB"))


def test_VII_nine_spaces_and_their_mouths() -> None:
    assert len(TUNNEL_HEXES) == 9
    assert mouths(HexId("H19")) == {2, 3, 5}
    assert mouths(HexId("K14")) == {1, 2, 5}


def gotthard(cash: int = 500) -> Game:
    """GB reaches the Gotthard's mouth at Altdorf; Ann has one right."""
    game = new_game()
    sell_privates(game, {"T2": "@1"})
    started(game, "GB", par=90, cash=cash)
    lay(game, ("57", "G18", 1))
    return operating(game, "GB")


def test_VII_a_tunnel_costs_100_beside_the_usual_lay() -> None:
    game = gotthard()
    events = game.apply(tile("GB", "X78", "H19", 3, "T2"))
    assert "GB builds a tunnel at Gotthard (H19) with T2." in told(game, events)
    assert title_state(game).tunnels == {"T2": "H19"}
    assert game.step is not None and game.step.name == "lay track"
    refused(game, tile("GB", "X78", "H19", 3, "T2"), "§VII")


def test_VII_after_the_track_too() -> None:
    game = gotthard()
    game.private(Owner("T3")).owner = ANN
    game.apply(tile("GB", "4", "G16", 1))
    assert {option.using for option in game.legal_actions() if isinstance(option, LayTile)} == {"T2"}, "the next right"
    game.apply(tile("GB", "X78", "H19", 3, "T2"))
    assert game.step is not None and game.step.name != "lay track"


def test_VII_not_once_the_track_is_done() -> None:
    game = gotthard()
    game.apply(Pass(GB))
    refused(game, tile("GB", "X78", "H19", 3, "T2"), "§XIII")


def test_VII_a_tunnel_needs_a_right_of_the_companys_director() -> None:
    game = gotthard()
    for lay_ in (tile("GB", "X78", "H19", 3), tile("GB", "9", "H19", 1), tile("GB", "X78", "D17", 0)):
        assert "with a share of the tunnel company" in refused(game, lay_, "§VII")
    assert "does not belong" in refused(game, tile("GB", "X78", "H19", 3, "T1"), "§VII")
    game.private(Owner("T2")).owner = BOB
    assert "does not belong" in refused(game, tile("GB", "X78", "H19", 3, "T2"), "§VII")


def test_VII_only_between_mouths_that_the_company_reaches_one_of() -> None:
    game = gotthard()
    assert "In this rotation, the tunnel does not open at a mouth" in refused(
        game, tile("GB", "X79", "H19", 0, "T2"), "§VII"
    )
    assert "In this rotation, the tunnel does not open at a mouth" in refused(
        game, tile("GB", "X78", "H19", 0, "T2"), "§VII"
    )
    for lay_ in (tile("GB", "X79", "H19", 2, "T2"), tile("GB", "X78", "K14", 5, "T2")):
        assert "does not reach a mouth" in refused(game, lay_, "§VII"), "Altdorf is at the third one"
    for lay_ in (tile("GB", "7", "H19", 0, "T2"), tile("GB", "9", "G16", 1, "T2"), tile("GB", "X78", "G16", 1, "T2")):
        assert "Tunnels can only be built on H17, H19, H21, H23, H27," in refused(game, lay_, "§VII")
    assert "0 to 5" in refusal(game, tile("GB", "X78", "H19", 6, "T2")).sentence


def test_VII_one_tunnel_a_space() -> None:
    game = gotthard()
    tunnel(game, "T1", "@2", "X79", "H19", 2)
    assert "already" in refused(game, tile("GB", "X78", "H19", 3, "T2"), "§VII")


def test_VII_one_tunnel_a_right() -> None:
    game = gotthard()
    tunnel(game, "T2", "@1", "X79", "K14", 5)
    assert "has built its tunnel" in refused(game, tile("GB", "X78", "H19", 3, "T2"), "§VII")


def test_VII_the_money_must_be_there() -> None:
    game = gotthard(cash=99)
    assert "costs sfr 100" in refused(game, tile("GB", "X78", "H19", 3, "T2"), "§VII")
    game = gotthard(cash=100)
    game.apply(tile("GB", "X78", "H19", 3, "T2"))
    assert game.state.cash[GB] == 2 * 90, "the Gotthard is its target"


def test_VII_a_tunnel_runs_beneath_the_furka_oberalp_and_apart_from_it() -> None:
    game = gotthard()
    reach_phase(game, "3")
    game.state.privates[private("P4")].closed = False
    game.state.privates[private("P4")].owner = ANN
    game.apply(LayFurka(GB))
    game.apply(tile("GB", "X78", "H19", 3, "T2"))
    geometry = game.tile_at(HexId("H19"))
    assert {frozenset((path.a, path.b)) for path in geometry.paths} == {frozenset((1, 4)), frozenset((3, 5))}
    assert game.audit() == []


def test_VII_under_the_furka_oberalp_its_track_is_enough_and_no_mouth_need_be_reached() -> None:
    for has_furka in (True, False):
        game = gotthard()
        started(game, "RhB", {"@1": 3})
        reach_phase(game, "3")
        lay(game, ("57", "G26", 0), ("58", "H25", 1))
        operating(game, "RhB")
        if has_furka:
            lay_furka(game)
            game.apply(tile("RhB", "X78", "H19", 3, "T2"))
            assert game.company(GB).id not in title_state(game).waiting
        else:
            assert "does not reach" in refused(game, tile("RhB", "X78", "H19", 3, "T2"), "§VII")


def test_VII_the_furka_oberalp_runs_above_a_tunnel_that_was_there() -> None:
    game = gotthard()
    game.apply(tile("GB", "X78", "H19", 3, "T2"))
    reach_phase(game, "3")
    game.state.privates[private("P4")].closed = False
    game.state.privates[private("P4")].owner = ANN
    game.apply(LayFurka(GB))
    assert game.tile_at(HexId("H19")).exits == {1, 3, 4, 5}
    assert tunnel_at(game.state.board, HexId("H19")) is not None


def gotthard_line(trains: tuple[str, ...], **options: str) -> Game:
    """FNM runs from Milano (40) by Como (20), Bellinzona (20) and the tunnel to Altdorf (20)."""
    game = new_game(**options)
    sell_privates(game, {"T2": "@2"})
    reach_phase(game, "2")
    started(game, "FNM", {"@1": 3}, par=90)
    lay(game, ("9", "I20", 2), ("9", "J21", 2), ("6", "K22", 0), ("57", "L21", 0))
    tunnel(game, "T2", "@2", "X78", "H19", 3)
    return operating(game, "FNM", trains, step=RUN)


@pytest.mark.parametrize(("train", "revenue"), [("2", 60), ("3", 60 + 30), ("4", 100 + 40)])
def test_VII_and_XVIII_a_tunnel_adds_10_to_every_place_of_a_route_through_it(train: str, revenue: int) -> None:
    assert best(gotthard_line((train,)), "FNM") == revenue


def test_VII_a_second_tunnel_adds_nothing() -> None:
    game = gotthard_line(("5",))
    lay(game, ("57", "G18", 1))
    assert best(game, "FNM") == 120 + 50
    tunnel(game, "T1", "@3", "X79", "H21", 0)
    assert best(game, "FNM") == 120 + 50


def test_VII_a_tunnel_pays_10_from_the_first_run_through_it() -> None:
    game = gotthard_line(("4",))
    game.apply(game.legal_actions()[0])
    assert title_state(game).active == ["T2"]
    game.state.flow = [Frame("game", None, 3), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    before = game.state.cash[BOB]
    game.advance()
    assert game.state.cash[BOB] == before + 10


def test_VII_a_train_that_runs_elsewhere_does_not_open_the_tunnel() -> None:
    game = gotthard_line(("2",))
    game.apply(game.legal_actions()[0])
    assert title_state(game).active == []


# -- §VIII: targets ---------------------------------------------------------------------------------------


def nob_to_aarau(floated: bool = True) -> Game:
    """One tile is missing between Zurich and Aarau."""
    game = new_game()
    started(game, "NOB", par=70, cash=140, floated=floated)
    lay(game, ("57", "D19", 1))
    return operating(game, "NOB")


def test_VIII_home_and_target_connected_release_the_rest_of_the_capital() -> None:
    game = nob_to_aarau()
    assert not has_reached_target(game, NOB)
    events = game.apply(tile("NOB", "4", "D17", 1))
    assert TargetReached(NOB, 2 * 70) in events
    assert game.state.cash[NOB] == 140 + 140
    assert NOB not in title_state(game).waiting


def test_VIII_a_large_company_gets_five_issue_prices_more() -> None:
    game = new_game()
    started(game, "AB", {"@1": 3}, par=80, cash=400)
    started(game, "VSB", cash=100)
    lay(game, ("6", "D25", 0), ("57", "C24", 1), ("59", "C20", 4))
    game.board_rules.lay(game.state.board, TileId("14"), HexId("C24"), 1)
    game.state.phase = "3"
    operating(game, "AB")
    assert AB in title_state(game).waiting
    game.apply(tile("AB", "9", "C22", 1))
    assert game.state.cash[AB] == 400 - 30 + 5 * 80, "either city of the target will do"


def test_VIII_a_city_full_of_others_markers_is_no_connection() -> None:
    game = new_game()
    started(game, "SCB", par=90, cash=0)
    lay(game, ("57", "C12", 2), ("57", "D13", 2), ("9", "E14", 2), ("8", "F15", 2))
    assert has_reached_target(game, SCB)
    started(game, "STB", {"@2": 3}, director="@2")
    token(game, "STB", "D13")
    assert not has_reached_target(game, SCB)


def test_VIII_what_is_paid_once_is_not_paid_again() -> None:
    game = nob_to_aarau()
    game.apply(tile("NOB", "4", "D17", 1))
    game.apply(Pass(NOB))
    assert game.state.cash[NOB] == 280


def test_VIII_the_gotthard_railway_needs_the_tunnel_alone_whoever_builds_it() -> None:
    game = new_game()
    sell_privates(game, {"T1": "@2"})
    started(game, "GB", par=90, cash=180)
    started(game, "FNM", {"@2": 3}, director="@2")
    lay(game, ("9", "I20", 2), ("9", "J21", 2), ("6", "K22", 0), ("57", "L21", 0))
    operating(game, "FNM")
    game.apply(tile("FNM", "X79", "H19", 2, "T1"))
    assert game.state.cash[GB] == 180 + 180


def test_VIII_a_company_that_is_not_launched_waits() -> None:
    game = nob_to_aarau(floated=False)
    game.apply(tile("NOB", "4", "D17", 1))
    assert NOB in title_state(game).waiting


# -- §IX to §XI: kinds of companies -------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "large"), [("1", 4), ("2", 4), ("3", 4), ("4", 3), ("5", 2), ("6", 2), ("7", 2)])
def test_IX_to_XII_train_limits(phase: str, large: int) -> None:
    game = new_game()
    game.state.phase = phase
    assert [train_limit(game, name) for name in (BLS, NOB, JN, SBB)] == [large, 2, 2, 4]


def test_IX_with_a_route_a_large_company_must_own_a_locomotive() -> None:
    game = new_game()
    started(game, "FNM", {"@1": 3}, cash=500)
    lay(game, ("57", "L21", 0))
    operating(game, "FNM", step=TRAINS)
    assert has_route(game, FNM), "Milano counts although an H-train could not run there"
    refused(game, Pass(FNM), "§XVII")
    game.apply(BuyTrain(FNM, "2H", 70))
    game.apply(Pass(FNM))


def test_IX_and_X_a_mountain_without_a_railway_is_no_route() -> None:
    game = new_game()
    started(game, "FNM", {"@1": 3})
    token(game, "FNM", "I6")
    lay(game, ("5", "I6", 2))
    operating(game, "FNM", has_home=False)
    reached = {stop.hex for stop in game.board_rules.network(game, FNM).stops}
    assert reached == {"I6", "H7"}
    assert not has_route(game, FNM)
    mountain(game, "B1", "@2", "H7", "XM1")
    assert has_route(game, FNM)


def test_X_regional_companies_own_h_trains_alone() -> None:
    game = new_game()
    started(game, "JN", {"@1": 1})
    reach_phase(game, "3")
    operating(game, "JN", step=TRAINS)
    assert "H-trains" in refused(game, BuyTrain(JN, "3", 180), "§X")
    game.apply(BuyTrain(JN, "3H", 150))


def test_X_red_spaces_are_no_route_for_a_regional_company() -> None:
    game = new_game()
    started(game, "VZ", {"@1": 1})
    token(game, "VZ", "L21")
    lay(game, ("57", "L21", 0))
    operating(game, "VZ", has_home=False)
    assert not has_route(game, VZ)
    started(game, "FNM", {"@1": 3})
    token(game, "FNM", "L21")
    assert has_route(game, FNM)
    lay(game, ("6", "K22", 0))
    assert has_route(game, VZ)


@pytest.mark.parametrize(("before", "after"), [((3, 10), (3, 11)), ((3, 11), (2, 11))])
def test_X_the_price_of_a_regional_company_stays_left_of_the_red_line(
    before: tuple[int, int], after: tuple[int, int]
) -> None:
    game = new_game()
    started(game, "JN", {"@1": 1}, position=before)
    lay(game, ("5", "F7", 0), ("9", "F5", 1))
    operating(game, "JN", ["2H"], step=TRACK)
    operating_turn(game).revenue = 50
    game.state.flow[-1].at = PAY
    game.apply(Dividend(JN, "pay"))
    assert game.company(JN).position == after
    assert price_of(game, JN) < 200


def test_XI_a_pre_sbb_company_need_not_own_a_locomotive_nor_may_its_director_help() -> None:
    game = new_game()
    started(game, "GB", cash=50)
    lay(game, ("57", "G18", 1))
    operating(game, "GB", step=TRAINS)
    assert has_route(game, GB) and not must_own_train(game, GB)
    refused(game, BuyTrain(GB, "2H", 70), "§XVII")
    game.apply(Pass(GB))


# -- §XIII: order -------------------------------------------------------------------------------------------


def test_XIII_the_highest_price_operates_first_of_equals_the_marker_on_top_further_right_first() -> None:
    game = new_game()
    for name, position in (("BLS", (1, 5)), ("STB", (2, 6)), ("MOB", (2, 6)), ("AB", (0, 3))):
        started(game, name, {"@1": 3}, position=position)
    game.state.round = Round("operating", 2, 1, 1)
    sell_privates(game)
    game.state.flow = [Frame("game", None, 3), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    order = []
    game.advance()
    for _ in range(4):
        order.append(game.frame.entity)
        while game.state.flow[-1].plan == "company turn" and game.frame.entity == order[-1]:
            game.apply(Pass(Owner(order[-1] or "")))
    assert order == [STB, MOB, BLS, AB]


def test_XIII_who_is_not_launched_or_has_no_director_takes_no_turn() -> None:
    game = new_game()
    started(game, "BLS", {"@1": 1}, floated=False)
    started(game, "MOB", {"@1": 3})
    record = game.company(SBB)
    record.par, record.floated = 100, True
    place_marker(game, SBB, (5, 8))
    for certificate in record.certificates:
        rearrange(game, certificate, owner=POOL)
    stock_round(game)
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    assert game.frame.entity == MOB
    while game.state.round.kind == "operating":
        assert game.frame.entity == MOB
        game.apply(Pass(MOB))


@pytest.mark.parametrize(("phase", "rounds"), [("1", 1), ("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("7", 3)])
def test_XX_and_XXI_operating_rounds_after_a_share_round(phase: str, rounds: int) -> None:
    game = stock_round(new_game())
    game.state.phase = phase
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    assert (game.state.round.kind, game.state.round.number) == ("stock", 3), "nobody operates"
    started(game, "NOB")
    stock_round(game)
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    assert game.state.round == Round("operating", 2, 1, rounds)


# -- §XIV, §XV: track ---------------------------------------------------------------------------------------


def test_XIV_one_tile_a_turn() -> None:
    game = new_game()
    started(game, "NOB")
    lay(game, ("57", "D19", 1))
    operating(game, "NOB")
    game.apply(tile("NOB", "4", "D17", 1))
    assert game.step is not None and game.step.name != "lay track"


def test_XIV_the_first_tile_lies_on_the_home_base() -> None:
    game = new_game()
    started(game, "NOB", cash=500)
    operating(game, "NOB")
    lays = {action.hex for action in game.legal_actions() if isinstance(action, LayTile)}
    assert lays == {"D19"}
    game.apply(tile("NOB", "57", "D19", 1))
    assert game.state.cash[NOB] == 500 - 20, "the river at Zurich"


def test_XIV_track_must_extend_the_companys_own() -> None:
    game = new_game()
    started(game, "NOB")
    lay(game, ("57", "D19", 1))
    operating(game, "NOB")
    refused(game, tile("NOB", "9", "E14", 0), "§XIV")


def test_XIV_the_cost_is_paid_by_the_company_once() -> None:
    game = new_game()
    started(game, "AB", {"@1": 3}, cash=29)
    lay(game, ("6", "D25", 4))
    token(game, "AB", "C24")
    lay(game, ("57", "C24", 1))
    operating(game, "AB")
    refused(game, tile("AB", "9", "C22", 1), "§XIV")
    set_cash(game, "AB", 30)
    game.apply(tile("AB", "9", "C22", 1))
    assert game.state.cash[AB] == 0
    assert printed_cost(game, tile("AB", "24", "C22", 1)) == 0


@pytest.mark.parametrize(("number", "hex_id"), [("4", "D19"), ("57", "D17"), ("8", "D17"), ("14", "D17")])
def test_XIV_towns_cities_and_open_land_take_their_own_tiles(number: str, hex_id: str) -> None:
    game = new_game()
    started(game, "NOB")
    if hex_id != "D19":
        lay(game, ("57", "D19", 1))
    operating(game, "NOB")
    refused(game, tile("NOB", number, hex_id, 1), "§X")


def test_XIV_no_track_to_a_wall_off_the_map_or_to_closed_spaces() -> None:
    for hex_id, closed in (("F9", {2}), ("E20", {2, 3}), ("J11", {2, 3})):
        exits = LAND.exits(new_game().state.board, HexId(hex_id))
        assert not exits & closed


def test_XIV_track_may_head_for_a_tunnel_mouth() -> None:
    board = new_game().state.board
    assert 5 in LAND.exits(board, HexId("G18")), "towards the Gotthard"
    assert 2 not in LAND.exits(board, HexId("J11")), "no mouth of the Lötschberg there"


def test_XV_colours_come_with_their_phases() -> None:
    game = new_game()
    started(game, "NOB")
    lay(game, ("57", "D19", 1), ("4", "D17", 1))
    reach_phase(game, "2")
    operating(game, "NOB")
    refused(game, tile("NOB", "87", "D17", 1), "§XV")
    reach_phase(game, "3")
    game.apply(tile("NOB", "87", "D17", 1))


def test_XV_zurich_and_berne_take_their_letters_from_green_on_aarau_a_plain_city() -> None:
    game = new_game()
    reach_phase(game, "3")
    lay(game, ("57", "D19", 1))
    started(game, "NOB")
    operating(game, "NOB")
    assert set(game.board_rules.legal_tiles(game, HexId("D19"))) == {"907", "908"}
    assert set(game.board_rules.legal_tiles(game, HexId("D15"))) == {"14", "15", "619"}
    assert set(game.board_rules.legal_tiles(game, HexId("I4"))) == {"901"}
    assert set(game.board_rules.legal_tiles(game, HexId("C20"))) == {"59"}


def test_XV_track_is_preserved_and_tiles_come_back() -> None:
    game = new_game()
    started(game, "NOB")
    lay(game, ("57", "D19", 1), ("4", "D17", 1))
    reach_phase(game, "3")
    operating(game, "NOB")
    before = game.board_rules.tiles_left(game, TileId("4"))
    refused(game, tile("NOB", "87", "D17", 2), "§XV")
    game.apply(tile("NOB", "87", "D17", 1))
    assert game.board_rules.tiles_left(game, TileId("4")) == (before or 0) + 1


# -- §XVI: markers ------------------------------------------------------------------------------------------


def fnm_line(cash: int = 500) -> Game:
    """FNM has track from Como to Bellinzona and on to Altdorf by the Gotthard."""
    game = gotthard_line(())
    title_state(game).waiting.remove(FNM)
    set_cash(game, "FNM", cash)
    lay(game, ("619", "L21", 0), ("14", "K22", 2))
    return operating(game, "FNM", step=TOKEN)


def test_XVI_the_first_marker_lies_at_home_for_nothing() -> None:
    game = new_game()
    started(game, "FNM", {"@1": 3})
    started(game, "MOB", {"@2": 3}, director="@2")
    operating(game, "MOB", step=TRAINS)
    events = game.apply(Pass(MOB))
    assert TurnBegan(FNM) in events and TokenPlaced(FNM, HexId("L21"), 0, 0) in events
    assert game.state.board.has_token(HexId("L21"), FNM)
    assert len(game.company(FNM).tokens_left) == 4
    assert game.state.cash[FNM] == 500


def test_XVI_the_first_marker_takes_the_place_that_is_kept_for_it() -> None:
    game = new_game()
    started(game, "JS")
    game.state.board.reservations = [Reservation(HexId("I4"), 1, company("JS"))]
    operating(game, "JS", has_home=False, step=0)
    assert list(game.state.board.cities_of(company("JS"))) == [(HexId("I4"), 1)]


def test_XVI_the_next_costs_40_the_others_100_one_a_turn() -> None:
    game = fnm_line()
    game.apply(PlaceToken(FNM, HexId("K22"), 0))
    assert game.state.cash[FNM] == 460
    assert game.company(FNM).tokens_left == (100, 100, 100)
    assert game.step is not None and game.step.name != "place a token"


def test_XVI_not_in_altdorf_nor_brig_and_not_twice_on_a_space() -> None:
    game = fnm_line()
    refused(game, PlaceToken(FNM, HexId("G20"), 0), "§XVI")
    refused(game, PlaceToken(FNM, HexId("J13"), 0), "§XVI")
    refused(game, PlaceToken(FNM, HexId("L21"), 0), "§XVI")


def test_XVI_only_within_reach() -> None:
    game = fnm_line()
    lay(game, ("57", "D13", 0))
    assert "D13" in refused(game, PlaceToken(FNM, HexId("D13"), 0), "§XVI")


def test_XVI_an_off_board_hex_is_no_way_to_a_station() -> None:
    """St. Gallen (C24) and Appenzell (D25) are joined by München (C26) alone."""
    game = new_game()
    started(game, "VSB", par=90)
    started(game, "AB", {"@2": 3}, director="@2")
    home(game, "AB")
    lay(game, ("57", "C24", 1), ("619", "D25", 3))
    operating(game, "VSB", step=TOKEN)
    assert "C26" in {stop.hex for stop in game.board_rules.network(game, VSB).stops}
    assert game.board_rules.reached_cities(game, VSB) == [(HexId("C24"), 0)]
    assert "D25" not in game.board_rules.reached_hexes(game, VSB), "and no way to build on"
    with pytest.raises(IllegalMove, match="VSB has no route to D25"):
        printed_price(game, PlaceToken(VSB, HexId("D25"), 0))


def test_XVI_a_place_is_kept_for_a_company_that_has_not_begun() -> None:
    game = fnm_line()
    lay(game, ("57", "G18", 1))
    assert (HexId("G18"), 0) in game.board_rules.reached_cities(game, FNM)
    assert "There is no free token slot on G18: a slot is reserved" in refused(
        game, PlaceToken(FNM, HexId("G18"), 0), "§XVI"
    )


# -- §XVII: locomotives ---------------------------------------------------------------------------------------


def test_XVII_the_bank_sells_both_sides_of_the_next_card() -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3})
    operating(game, "BLS", step=TRAINS)
    refused(game, BuyTrain(BLS, "3", 180), "§XVII")
    refused(game, BuyTrain(BLS, "2", 80), "§XVII")
    game.apply(BuyTrain(BLS, "2", 90))
    game.apply(BuyTrain(BLS, "2H", 70))
    assert game.state.phase == "2"
    assert [train.kind for train in game.state.trains_of(BLS)] == ["2", "2H"]


def test_XVII_not_beyond_the_limit() -> None:
    game = new_game()
    started(game, "NOB")
    operating(game, "NOB", ["2", "2"], step=TRACK)
    game.state.flow[-1].at = TRAINS
    refused(game, BuyTrain(NOB, "2", 90), "§XVII")


def trade(rules: str = "rulebook", director: str = "@2", phase: str = "3") -> Game:
    """BLS (Ann) may want the 3 of STB."""
    game = new_game(rules=rules)
    started(game, "BLS", {"@1": 3}, cash=600)
    started(game, "STB", {director: 3}, director=director)
    give_train(game, "STB", "3")
    reach_phase(game, phase)
    return operating(game, "BLS", step=TRAINS)


def test_XVII_companies_trade_from_the_first_3_on() -> None:
    refused(trade(phase="2"), BuyTrain(BLS, "3", 180, STB), "§XVII")


def test_XVII_between_directors_at_the_printed_price_and_by_consent() -> None:
    game = trade()
    refused(game, BuyTrain(BLS, "3", 100, STB), "§XVII")
    game.apply(BuyTrain(BLS, "3", 180, STB))
    assert game.players_to_act() == (BOB,)
    game.apply(Answer(BOB, True))
    assert game.state.cash[STB] == 680
    assert [train.kind for train in game.state.trains_of(BLS)] == ["3"]


def test_XVII_a_director_may_refuse_to_sell() -> None:
    game = trade()
    game.apply(BuyTrain(BLS, "3", 180, STB))
    game.apply(Answer(BOB, False))
    assert game.state.trains_of(BLS) == []
    assert game.players_to_act() == (ANN,)


def test_XVII_18xx_games_does_not_ask() -> None:
    game = trade("18xx.games")
    game.apply(BuyTrain(BLS, "3", 180, STB))
    assert len(game.state.trains_of(BLS)) == 1


def test_XVII_one_director_pays_what_he_likes_from_1_on() -> None:
    game = trade(director="@1")
    refused(game, BuyTrain(BLS, "3", 0, STB), "§XVII")
    game.apply(BuyTrain(BLS, "3", 1, STB))


def test_XII_the_sbb_trades_at_the_printed_price_and_keeps_its_own_5H() -> None:
    game = trade(director="@1", phase="6")
    started(game, "SBB")
    give_train(game, "SBB", "5")
    give_train(game, "SBB", "5H-SBB")
    refused(game, BuyTrain(BLS, "5", 1, SBB), "§XVII")
    refused(game, BuyTrain(BLS, "5H-SBB", 400, SBB), "§XVII")
    game.apply(BuyTrain(BLS, "5", 450, SBB))


def poor(
    cash: int = 30, director_cash: int = 20, phase: str = "3", rules: str = "rulebook", step: int = TRAINS
) -> Game:
    """FNM must buy a train and cannot pay it."""
    game = new_game(rules=rules)
    started(game, "FNM", {"@1": 3}, cash=cash)
    started(game, "MOB", {"@2": 3, "@1": 2}, director="@2", position=(2, 4))
    reach_phase(game, phase)
    lay(game, ("57", "L21", 0))
    set_cash(game, "@1", director_cash)
    return operating(game, "FNM", step=step)


def test_XVII_the_director_adds_what_is_missing_and_the_company_keeps_nothing() -> None:
    game = poor(director_cash=500)
    assert Contributed(ANN, FNM, 150) in game.apply(BuyTrain(FNM, "3", 180))
    assert game.state.cash[FNM] == 0
    assert game.state.cash[ANN] == 500 - 150
    assert title_state(game).debts == {}


def test_XVII_what_he_lacks_he_owes_with_half_as_much_interest() -> None:
    game = poor()
    events = game.apply(BuyTrain(FNM, "3H", 150))
    assert "Ann owes the bank sfr 150 more, sfr 50 of it interest." in told(game, events)
    assert game.state.cash[ANN] == 0
    assert title_state(game).debts == {ANN: 100 + 50}
    assert game.audit() == []
    assert TITLE.rules.worth(game, ANN) == 5 * 100 + 2 * 90 - 150


def test_XVII_he_may_sell_shares_but_need_not_and_nobody_loses_a_company() -> None:
    game = poor()
    refused(game, SellShares(FNM, FNM, 4), "§XXII")
    game.apply(SellShares(FNM, MOB, 1))
    assert game.state.cash[ANN] == 20 + 90
    assert price_of(game, MOB) == 80
    refused(game, SellShares(FNM, MOB, 1), "§XVII")
    game.apply(BuyTrain(FNM, "3H", 150))
    assert title_state(game).debts == {ANN: 10 + 5}


def test_XVII_he_sells_no_more_than_the_dearest_offer_needs() -> None:
    """3 for 180, of which 30 and 60 are there."""
    for cash in (60, 100):
        refused(poor(director_cash=cash), SellShares(FNM, MOB, 2), "§XVII")
    poor(director_cash=59).apply(SellShares(FNM, MOB, 2))


def test_XVII_no_help_while_the_company_can_pay_for_a_train() -> None:
    for cash, director_cash in ((150, 0), (160, 500)):
        game = poor(cash=cash, director_cash=director_cash)
        refused(game, BuyTrain(FNM, "3", 180), "§XVII")
        assert "must be bought" in refused(game, SellShares(FNM, MOB, 1), "§XVII")
        assert not [option for option in game.legal_actions() if isinstance(option, SellShares)]
        game.apply(BuyTrain(FNM, "3H", 150))


def test_XVII_no_shares_are_sold_before_the_company_buys() -> None:
    game = poor()
    assert SellShares(FNM, MOB, 1) in game.legal_actions()
    assert "Company XYZ is not in play" in refusal(game, SellShares(FNM, company("XYZ"), 1)).sentence
    game.company(MOB).closed = True
    assert "Company MOB is not in play" in refusal(game, SellShares(FNM, MOB, 1)).sentence
    game = poor(step=TRACK)
    assert "must be bought" in refused(game, SellShares(FNM, MOB, 1), "§XVII")


def test_XVII_what_is_offered_to_a_regional_company_are_h_trains() -> None:
    game = poor()
    assert (lowest_price(game, FNM), highest_price(game, FNM)) == (150, 180)
    assert (lowest_price(game, JN), highest_price(game, JN)) == (150, 150)
    game = poor(rules="18xx.games")
    assert (lowest_price(game, JN), highest_price(game, JN)) == (150, 180)


def test_XVII_where_no_train_is_left_none_must_be_owned() -> None:
    game = poor(rules="18xx.games")
    assert must_own_train(game, FNM)
    for train in game.state.trains:
        rearrange(game, train, owner=REMOVED if train.owner == DEPOT else train.owner)
    assert not must_own_train(game, FNM)


def test_XVII_no_help_for_a_second_train() -> None:
    game = poor(director_cash=500)
    game.apply(BuyTrain(FNM, "3H", 150))
    refused(game, BuyTrain(FNM, "3H", 150), "§XVII")


def test_XVII_help_for_another_companys_train_up_to_its_printed_price() -> None:
    game = poor(director_cash=500)
    started(game, "BLS", {"@1": 3})
    give_train(game, "BLS", "3")
    refused(game, BuyTrain(FNM, "3", 181, BLS), "§XVII")
    game.apply(BuyTrain(FNM, "3", 180, BLS))
    assert game.state.cash[BLS] == 500 + 180
    assert game.state.cash[ANN] == 500 - 150


def test_XVII_a_debtor_buys_nothing_and_pays_interest_after_each_share_round() -> None:
    game = poor()
    game.apply(BuyTrain(FNM, "3H", 150))
    stock_round(game)
    set_cash(game, "@1", 400)
    refused(game, BuyShares(ANN, MOB), "§XVII")
    refused(game, Par(ANN, BLS, 60), "§XVII")
    refused(game, BuyPrivate(ANN, private("T1"), 50), "§XVII")
    set_cash(game, "@1", 51)
    assert PayDebt(ANN) in game.legal_actions()
    assert "Ann pays sfr 51 back." in told(game, game.apply(PayDebt(ANN)))
    assert PayDebt(ANN) not in game.legal_actions()
    assert title_state(game).debts == {ANN: 99}
    game.apply(Pass(ANN))
    game.apply(Pass(BOB))
    assert "Ann's debt grows by sfr 50 of interest." in told(game, game.apply(Pass(CID)))
    assert title_state(game).debts == {ANN: 99 + 50}, "half of 99, rounded up"
    assert list(audit_debts(game)) == []


@pytest.mark.parametrize(("debt", "interest"), [(1, 1), (2, 1), (99, 50), (301, 151)])
def test_XVII_interest_is_half_of_a_debt_rounded_up(debt: int, interest: int) -> None:
    assert interest_on(debt) == interest


def test_XII_and_XVII_both_kinds_of_debt_count_and_are_audited() -> None:
    game = new_game()
    record = title_state(game)
    record.debts[ANN], record.dues[ANN], record.lent = 20, 10, 30
    set_cash(game, "@1", 0)
    assert TITLE.rules.worth(game, ANN) == -30
    assert list(audit_debts(game)) == []
    record.lent = 31
    assert list(audit_debts(game)) == ["players owe 30, not 31"]
    record.debts[BOB], record.lent = 0, 30
    assert list(audit_debts(game)) == ["@2 owes 0"]
    record.debts[BOB], record.lent = 1, 31
    assert list(audit_debts(game)) == []


def test_XVII_once_paid_back_he_buys_again() -> None:
    game = poor()
    game.apply(BuyTrain(FNM, "3H", 150))
    stock_round(game)
    set_cash(game, "@1", 400)
    game.apply(PayDebt(ANN))
    assert game.state.cash[ANN] == 250
    refused(game, PayDebt(ANN), "§XVII")
    game.apply(BuyShares(ANN, MOB))


def test_XVII_there_is_no_bankruptcy() -> None:
    refused(poor(), DeclareBankruptcy(FNM), "§XVII")


def test_bankruptcy_on_18xx_games_ends_the_game_when_nothing_sold_is_enough() -> None:
    game = poor(phase="6", rules="18xx.games")
    game.apply(DeclareBankruptcy(FNM))
    assert game.state.finished
    assert game.state.cash[ANN] == 0
    assert game.company(MOB).percent_held_by(ANN) == 0
    assert game.company(FNM).percent_held_by(ANN) >= 20, "the director's certificate stays"
    assert "@1" in str(game.state.ending)


def test_bankruptcy_on_18xx_games_only_if_nothing_helps() -> None:
    """6H for 550: 30 of the company, 300 for three shares of the FNM, 180 for two of the MOB."""
    refused(poor(rules="18xx.games"), DeclareBankruptcy(FNM), "§XVII")
    game = poor(phase="6", director_cash=40, rules="18xx.games")
    assert "can raise sfr 550" in refused(game, DeclareBankruptcy(FNM), "§XVII")
    game = poor(cash=550, phase="6", director_cash=0, rules="18xx.games")
    assert "FNM is not forced to buy a train it cannot afford" in refused(game, DeclareBankruptcy(FNM), "§XVII")
    game = poor(phase="6", director_cash=39, rules="18xx.games", step=TRACK)
    assert "FNM is not forced to buy a train it cannot afford" in refused(game, DeclareBankruptcy(FNM), "§XVII")
    poor(phase="6", director_cash=39, rules="18xx.games").apply(DeclareBankruptcy(FNM))


def test_bankruptcy_on_18xx_games_sells_the_dearest_first_and_counts_what_is_left() -> None:
    game = poor(phase="7", rules="18xx.games")
    started(game, "AB", {"@2": 3, "@1": 1}, director="@2", position=(4, 3))
    started(game, "STB", {"@2": 3, "@1": 1}, director="@2", position=(5, 3))
    game.state.money = sum(game.state.cash.values())
    events = game.apply(DeclareBankruptcy(FNM))
    sold = [event.company for event in events if isinstance(event, SharesSold)]
    assert sold[0] == FNM, "at 100 before MOB at 90, AB at 60 and STB at 58"
    assert sold == [FNM, MOB, AB, STB]
    assert game.audit() == []
    assert (price_of(game, FNM), price_of(game, MOB)) == (90, 80), "one row down a sale"
    assert TITLE.rules.worth(game, ANN) == 2 * 90, "the director's certificate, no cash"


def test_bankruptcy_on_18xx_games_takes_singles_of_the_sbb_first() -> None:
    game = new_game(rules="18xx.games")
    record = game.company(SBB)
    record.par = 100
    place_marker(game, SBB, (5, 8))
    for index in (1, 2, 11):
        rearrange(game, record.certificates[index], owner=ANN)
    for sale, is_possible in ((1, True), (2, True), (3, False), (4, True)):
        action = SellShares(ANN, SBB, sale)
        assert takes_singles_first(record, ANN, action) is is_possible, sale
    assert not takes_singles_first(record, ANN, SellShares(ANN, SBB, 2, 1))


def test_IX_on_18xx_games_a_bare_mountain_is_a_route() -> None:
    game = new_game(rules="18xx.games")
    started(game, "FNM", {"@1": 3})
    token(game, "FNM", "I6")
    lay(game, ("5", "I6", 2))
    assert has_route(operating(game, "FNM", has_home=False), FNM)


def test_XVII_on_18xx_games_money_is_raised_for_any_train_also_of_a_regional_railway() -> None:
    for rules, dearest in (("rulebook", 150), ("18xx.games", 180)):
        game = new_game(rules=rules)
        started(game, "JN", {"@1": 2})
        reach_phase(game, "3")
        assert highest_price(game, JN) == dearest


def test_XVII_discarded_trains_can_be_bought_again() -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3}, cash=1000)
    started(game, "STB", {"@2": 3}, director="@2")
    for kind in ("3H", "3H", "4"):
        give_train(game, "STB", kind)
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS)
    game.apply(BuyTrain(BLS, "5H", 400))
    assert game.players_to_act() == (BOB,)
    game.apply(DiscardTrain(STB, "4"))
    assert [train.kind for train in game.state.trains_of(POOL)] == ["4"]
    refused(game, BuyTrain(BLS, "4", 200, POOL), "§XVII")
    game.apply(BuyTrain(BLS, "4", 300, POOL))
    assert sorted(train.kind for train in game.state.trains_of(BLS)) == ["4", "5H"]


def test_XVII_on_18xx_games_discarded_trains_are_gone() -> None:
    game = new_game(rules="18xx.games")
    started(game, "BLS", {"@1": 3}, cash=1000)
    started(game, "STB", {"@2": 3}, director="@2")
    for kind in ("3H", "3H", "4"):
        give_train(game, "STB", kind)
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS)
    game.apply(BuyTrain(BLS, "5H", 400))
    game.apply(DiscardTrain(STB, "4"))
    assert game.state.trains_of(POOL) == []


def end_of_set(game: Game) -> None:
    """The last turn of a set is over."""
    while game.state.round.kind == "operating" and not game.state.finished:
        game.apply(Pass(Owner(game.frame.entity or "")))


def test_XVII_after_the_first_2_a_train_is_sold_abroad_at_the_end_of_each_set() -> None:
    game = new_game()
    started(game, "NOB", cash=0)
    operating(game, "NOB", step=TRAINS, part=1, of=1)
    end_of_set(game)
    assert len([train for train in game.state.trains if train.owner == DEPOT and train.family == "2"]) == 13
    game.state.phase = "2"
    operating(game, "NOB", step=TRAINS, part=1, of=1)
    before = game.state.cash[BANK]
    end_of_set(game)
    assert len([train for train in game.state.trains if train.owner == DEPOT and train.family == "2"]) == 12
    assert game.state.cash[BANK] == before, "it brings no money"


def test_XVII_a_train_sold_abroad_can_bring_the_next_phase() -> None:
    game = new_game()
    started(game, "NOB", cash=0)
    reach_phase(game, "3")
    game.state.phase = "2"
    operating(game, "NOB", ["2"], step=TRAINS, part=1, of=1)
    end_of_set(game)
    assert game.state.phase == "3"
    assert [train.kind for train in game.state.trains_of(NOB)] == ["2H"]


# -- §XVII, §XVIII: runs ----------------------------------------------------------------------------------------


def test_XVII_an_h_train_visits_no_red_space() -> None:
    assert spaces(gotthard_line(("2",)), "FNM") in ([["L21", "M20"]], [["M20", "L21"]])
    assert spaces(gotthard_line(("2H",)), "FNM") in ([["L21", "K22"]], [["K22", "L21"]])


@pytest.mark.parametrize(
    ("trains", "has_bellinzona", "rules", "is_asked"),
    [
        (["2H"], False, "rulebook", False),
        (["2H"], True, "rulebook", True),
        (["2H", "2"], False, "rulebook", True),
        (["2H"], False, "18xx.games", True),
    ],
)
def test_XVII_where_h_trains_reach_red_spaces_alone_nobody_is_asked_to_run(
    trains: list[str], has_bellinzona: bool, rules: str, is_asked: bool
) -> None:
    game = new_game(rules=rules)
    started(game, "FNM", {"@1": 3})
    lay(game, ("57", "L21", 0), *[("6", "K22", 0)] * has_bellinzona)
    operating(game, "FNM", trains, step=RUN)
    assert (game.step is not None and game.step.name == "run trains") is is_asked
    assert game.company(FNM).position == ((1, 4) if is_asked else (1, 3)), "without revenue the price has fallen"


@pytest.mark.parametrize(("train", "revenue"), [("2H", 40), ("3H", 40), ("6H", 60 + 30)])
def test_XVII_how_far_h_trains_run(train: str, revenue: int) -> None:
    """From Como (L21) to Bellinzona (K22) are two spaces; to Altdorf (G20) by J21, I20 and the tunnel six."""
    game = gotthard_line((train,))
    assert best(game, "FNM") == revenue


@pytest.mark.parametrize(("train", "revenue"), [("6H", 0), ("8H", 20 + 20)])
def test_XVII_an_h_train_counts_a_hex_twice_that_it_visits_twice(train: str, revenue: int) -> None:
    """From Locarno (K20) by J21, I22, I20, J19 and again J21 to Bellinzona (K22) it counts seven spaces, not six."""
    game = new_game()
    reach_phase(game, "7")
    started(game, "VZ", {"@1": 2})
    token(game, "VZ", "K20")
    lay(game, ("57", "K20", 0), ("57", "K22", 2), ("19", "J21", 3), ("7", "I22", 0), ("8", "I20", 4), ("7", "J19", 3))
    assert best(operating(game, "VZ", [train], has_home=False, step=RUN), "VZ") == revenue


def test_XVII_an_e_train_passes_stops_but_counts_one_with_its_marker() -> None:
    game = new_game()
    reach_phase(game, "7")
    started(game, "FNM", {"@1": 3})
    lay(game, ("9", "I20", 2), ("9", "J21", 2), ("6", "K22", 0), ("57", "L21", 0), ("57", "G18", 1))
    tunnel(game, "T2", "@2", "X78", "H19", 3)
    operating(game, "FNM", ["8E"], step=RUN)
    assert best(game, "FNM") == 90 + 20 + 20 + 20 + 20 + 50


def test_XVII_an_e_train_counts_its_marker_rather_than_a_dearer_stop() -> None:
    """Of the line from west to east both ends and Basel (20), not Winterthur (50)."""
    game = west_to_east("6")
    train = msgspec.structs.replace(game.state.trains_of(SCB)[0], kind="3E")
    problem = replace(route_problem(game, SCB), trains=(train_spec(train),))
    assert best_routes(problem).revenue == 50 + 20 + 50 + 100


@pytest.mark.parametrize(("rules", "counts_ends"), [("rulebook", True), ("18xx.games", False)])
def test_XVII_whether_an_e_train_must_count_its_ends(rules: str, counts_ends: bool) -> None:
    game = new_game(rules=rules)
    reach_phase(game, "7")
    started(game, "FNM", {"@1": 3})
    operating(game, "FNM", ["8E"], step=TRAINS)
    assert [train.counts_ends for train in route_problem(game, FNM).trains] == [counts_ends]


def test_XVII_an_off_board_place_of_several_hexes_is_one_place() -> None:
    game = new_game()
    places = {stop.hex: value.group for stop, value in stop_values(game).items()}
    assert places[HexId("A20")] == places[HexId("A18")] == places[HexId("B17")] == "Stuttgart"
    assert places[HexId("B11")] == places[HexId("C12")] == ""


def test_XVIII_routes_of_one_company_use_different_track_and_each_has_a_marker() -> None:
    game = gotthard_line(("2", "2"))
    assert best(game, "FNM") == 60 + 40


def test_XVIII_transit_from_north_to_south_pays_both_bonuses() -> None:
    game = new_game()
    reach_phase(game, "2")
    started(game, "NOB", par=90)
    token(game, "NOB", "L21")
    lay(game, ("57", "L21", 0))
    problem = route_problem(operating(game, "NOB", ["2"], step=RUN), NOB)
    names = {bonus.name: bonus for bonus in problem.bonuses}
    printed = {stop.hex: money for stop, money in names["north-south"].by_stop.items()}  # type: ignore[union-attr]
    assert {hex_id: printed[HexId(hex_id)] for hex_id in ("A18", "B11", "M8", "M20", "H29", "L1")} == {
        "A18": 30,
        "B11": 30,
        "M8": 40,
        "M20": 40,
        "H29": 90,
        "L1": 90,
    }


def west_to_east(train: str) -> Game:
    """SCB has track from Belfort (C8, 50) by Basel (20), Liestal (10), Winterthur (50) and St. Gallen (20) to München
    (C26, 50)."""
    game = new_game()
    reach_phase(game, "6")
    started(game, "SCB", par=90)
    plain = [("9", hex_id, 1) for hex_id in ("C10", "C16", "C18", "C22")]
    lay(game, *plain, ("57", "C12", 1), ("4", "C14", 1), ("67", "C20", 1), ("57", "C24", 1))
    return operating(game, "SCB", [train], step=RUN)


@pytest.mark.parametrize(("train", "revenue"), [("5", 150), ("6", 200 + 50 + 50)])
def test_XVIII_a_transit_run_from_west_to_east_earns_both_printed_bonuses(train: str, revenue: int) -> None:
    game = west_to_east(train)
    assert best(game, "SCB") == revenue
    problem = route_problem(game, SCB)
    parts = dict(score(problem, best_routes(problem).routes).routes[0].parts)
    assert parts.get("east-west", 0) == (100 if train == "6" else 0)


@pytest.mark.parametrize(("train", "revenue"), [("4", 40 + 20 + 10 + 10), ("5", 110 + 30 + 40)])
def test_XVIII_a_transit_run_from_north_to_south_earns_both_printed_bonuses(train: str, revenue: int) -> None:
    """Strasbourg (B11, 40) by Basel (20), Solothurn (10) and Martigny (10) to Torino (M8, 30)."""
    game = new_game()
    reach_phase(game, "3")
    started(game, "SCB", par=90)
    lay(game, ("6", "C12", 0), ("9", "D11", 0), ("4", "E10", 0), ("8", "F9", 3), ("8", "G10", 0), ("9", "H9", 0))
    lay(game, ("9", "I8", 0), ("8", "J7", 3), ("58", "K8", 0), ("8", "L7", 3))
    assert best(operating(game, "SCB", [train], step=RUN), "SCB") == revenue


def test_XVIII_from_north_to_west_is_no_transit() -> None:
    game = new_game()
    reach_phase(game, "3")
    started(game, "SCB", par=90)
    lay(game, ("5", "C12", 1), ("9", "C10", 1))
    assert best(operating(game, "SCB", ["3"], step=RUN), "SCB") == 40 + 20 + 30


def test_XVIII_the_highest_revenue_must_be_claimed_and_is_shown() -> None:
    game = gotthard_line(("3",))
    number = game.state.trains_of(FNM)[0].id
    less = RunRoutes(FNM, (Run(number, ("M20.o0", "L21.c0", "K22.c0")),))
    sentence = refused(game, less, "§XVIII")
    assert "90" in sentence and "G20" in sentence and "80" in sentence
    refused(game, RunRoutes(FNM), "§XVIII")
    game.apply(game.legal_actions()[0])
    assert operating_turn(game).revenue == 90


def test_XVIII_a_recorded_run_is_not_judged_again() -> None:
    """The search may have had too little time when it was accepted."""
    game = gotthard_line(("3",))
    number = game.state.trains_of(FNM)[0].id
    text = format_action(RunRoutes(FNM, (Run(number, ("M20.o0", "L21.c0", "K22.c0")),)))
    with pytest.raises(IllegalMove, match="highest revenue"):
        replay_text(game.copy(), text)
    replay_text(game, text, was_accepted=True)
    assert operating_turn(game).revenue == 80


def test_XVIII_18xx_games_leaves_that_to_the_players() -> None:
    game = gotthard_line(("3",), rules="18xx.games")
    number = game.state.trains_of(FNM)[0].id
    game.apply(RunRoutes(FNM, (Run(number, ("M20.o0", "L21.c0", "K22.c0")),)))
    assert operating_turn(game).revenue == 80


@pytest.mark.parametrize(
    ("name", "revenue", "parts", "treasury"),
    [
        ("NOB", 150, {"@1": 75, "@2": 38}, 37),
        ("BLS", 150, {"@1": 30, "@2": 15}, 15),
        ("BLS", 100, {"@1": 20, "@2": 10}, 10),
    ],
)
def test_XVIII_players_get_their_parts_rounded_up_the_company_the_pools_rounded_down(
    name: str, revenue: int, parts: dict[str, int], treasury: int
) -> None:
    game = new_game()
    started(game, name, {"@2": 1, "pool": 1}, cash=0)
    operating(game, name, ["2"], step=TRACK)
    operating_turn(game).revenue = revenue
    game.state.flow[-1].at = PAY
    events = game.apply(Dividend(company(name), "pay"))
    assert {player: game.state.cash[Owner(player)] - 800 for player in parts} == parts
    assert game.state.cash[company(name)] == treasury
    paid = next(event for event in events if isinstance(event, DividendPaid))
    assert dict(paid.amounts) == {Owner(player): part for player, part in {**parts, name: treasury}.items() if part}


def test_XVIII_odd_5_percent_certificates() -> None:
    """A payment of 150 is 8 for one share of 5%, 15 for two."""
    game = new_game()
    started(game, "SBB", {"@2": 1, "@3": 2}, director="@1", cash=0)
    token(game, "SBB", "D19")
    operating(game, "SBB", ["5H"], step=TRACK)
    operating_turn(game).revenue = 150
    game.state.flow[-1].at = PAY
    events = game.apply(Dividend(SBB, "pay"))
    paid = next(event for event in events if isinstance(event, DividendPaid))
    assert (paid.revenue, paid.per_share, paid.and_half) == (150, 7, True)
    assert "SBB pays sfr 150, sfr 7½ a share: Ann sfr 15, Bob sfr 8, Cid sfr 15." in told(game, events)
    assert [game.state.cash[player] - 800 for player in (ANN, BOB, CID)] == [15, 8, 15]


def test_XVIII_the_director_may_keep_the_revenue() -> None:
    game = new_game()
    started(game, "BLS", {"@2": 1}, cash=0)
    operating(game, "BLS", ["2"], step=TRACK)
    operating_turn(game).revenue = 150
    game.state.flow[-1].at = PAY
    game.apply(Dividend(BLS, "withhold"))
    assert game.state.cash[BLS] == 150


# -- §XIX -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "kind", "after"),
    [
        ((2, 5), "pay", (2, 6)),
        ((3, 11), "pay", (3, 12)),
        ((5, 9), "pay", (4, 9)),
        ((0, 17), "pay", (0, 17)),
        ((2, 5), "withhold", (2, 4)),
        ((2, 0), "withhold", (3, 0)),
        ((7, 0), "withhold", (7, 0)),
        ((1, 1), "withhold", (2, 1)),
    ],
)
def test_XIX_right_for_a_dividend_left_without_up_or_down_at_the_end_of_a_row(
    before: tuple[int, int], kind: str, after: tuple[int, int]
) -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3}, position=before)
    operating(game, "BLS", ["2"], step=TRACK)
    operating_turn(game).revenue = 100
    game.state.flow[-1].at = PAY
    game.apply(Dividend(BLS, kind))  # type: ignore[arg-type]
    assert game.company(BLS).position == after


def test_XIX_without_revenue_the_price_falls() -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3}, position=(2, 5))
    operating(game, "BLS", step=RUN)
    assert game.company(BLS).position == (2, 4)


def test_XIX_a_marker_that_arrives_lies_under_those_that_wait() -> None:
    game = new_game()
    started(game, "STB", {"@2": 3}, position=(2, 6))
    started(game, "BLS", {"@1": 3}, position=(2, 5))
    operating(game, "BLS", ["2"], step=TRACK)
    operating_turn(game).revenue = 100
    game.state.flow[-1].at = PAY
    game.apply(Dividend(BLS, "pay"))
    assert game.state.stacks["2,6"] == [STB, BLS]


# -- §XX --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "before", "after"),
    [
        ("3", ("2", "2H"), ("2H", "2H")),
        ("4", ("2H", "3"), ("3H",)),
        ("6", ("3H", "4"), ("4H",)),
        ("8E", ("4H", "5"), ("5H",)),
    ],
)
def test_XX_trains_become_h_trains_and_are_scrapped(
    family: str, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    game = new_game()
    started(game, "NOB")
    for kind in before:
        give_train(game, "NOB", kind)
    reach_phase(game, {"8E": "7"}.get(family, family))
    game.state.phase = {"3": "2", "4": "3", "6": "5", "8E": "6"}[family]
    export(game, trains_for_sale(game)[0])
    kind = next(kind for kind in before if not kind.endswith("H"))
    assert f"All {kind} trains become {kind}H trains." in told(game, game.events)
    assert tuple(sorted(train.kind for train in game.state.trains_of(NOB))) == after


def test_XX_the_first_5_announces_the_sbb_and_lowers_the_limit() -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3}, cash=1000)
    for kind in ("3H", "4"):
        give_train(game, "BLS", kind)
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=TRAINS)
    game.apply(BuyTrain(BLS, "5", 450))
    assert title_state(game).is_forming
    game.apply(DiscardTrain(BLS, "3H"))
    assert sorted(train.kind for train in game.state.trains_of(BLS)) == ["4", "5"]


@pytest.mark.parametrize(("rules", "asks_at_once"), [("rulebook", True), ("18xx.games", False)])
def test_XVII_a_limit_that_falls_with_an_export_is_heeded_at_once_or_when_companies_operate(
    rules: str, asks_at_once: bool
) -> None:
    game = new_game(rules=rules)
    started(game, "BLS", {"@1": 3})
    for kind in ("3", "3", "3", "3"):
        give_train(game, "BLS", kind)
    reach_phase(game, "4")
    game.state.phase = "3"
    operating(game, "BLS", step=TRAINS, part=2, of=2)
    assert game.state.phase == "4"
    assert (game.frame.plan == "discard") is asks_at_once
    while game.frame.plan != "discard":
        assert game.state.round.kind == "stock"
        game.apply(Pass(game.players_to_act()[0]))
    game.apply(DiscardTrain(BLS, "3H"))
    assert len(game.state.trains_of(BLS)) == 3


def test_XVII_with_no_train_left_none_is_sold_abroad() -> None:
    game = new_game(rules="18xx.games")
    started(game, "NOB", cash=0)
    game.state.phase = "7"
    for train in game.state.trains:
        rearrange(game, train, owner=REMOVED)
    operating(game, "NOB", step=TRAINS, part=1, of=1)
    end_of_set(game)
    assert game.state.round.kind == "stock"


def test_VIII_who_is_not_launched_when_the_first_6_is_sold_has_no_target_any_more() -> None:
    game = new_game()
    started(game, "STB", {"@2": 3}, director="@2")
    reach_phase(game, "6")
    game.state.phase = "5"
    export(game, trains_for_sale(game)[0])
    assert STB in title_state(game).waiting and BLS not in title_state(game).waiting


# -- §XXIII -------------------------------------------------------------------------------------------------------


def test_XXIII_the_set_is_played_to_its_end_when_the_bank_is_empty() -> None:
    game = new_game()
    started(game, "NOB", {"@2": 1}, cash=0)
    operating(game, "NOB", ["2"], step=TRACK, part=1, of=2)
    game.state.cash[BANK], game.state.cash[CID] = 50, game.state.cash[CID] + game.state.cash[BANK] - 50
    operating_turn(game).revenue = 100
    game.state.flow[-1].at = PAY
    events = game.apply(Dividend(NOB, "pay"))
    assert game.state.cash[BANK] == -25, "what is missing is written down"
    assert sum(isinstance(event, GameEndTriggered) for event in events) == 1, "though it pays twice"
    assert game.state.ending and not game.state.finished
    end_of_set(game)
    assert game.state.finished
    assert game.state.round.part == 2


def test_XXIII_in_a_share_round_a_whole_set_follows() -> None:
    game = new_game()
    started(game, "NOB", {"@2": 2}, cash=0)
    stock_round(game, 2, "@2")
    game.state.cash[BANK], game.state.cash[CID] = 50, game.state.cash[CID] + game.state.cash[BANK] - 50
    game.apply(SellShares(BOB, NOB, 1))
    game.apply(Pass(BOB))
    game.apply(Pass(CID))
    game.apply(Pass(ANN))
    if game.state.round.kind == "stock":
        game.apply(Pass(BOB))
    assert game.state.ending and not game.state.finished
    end_of_set(game)
    assert game.state.finished


def test_XXIII_companies_money_and_trains_do_not_count() -> None:
    game = new_game()
    started(game, "NOB", {"@1": 1}, position=(2, 8), cash=900)
    give_train(game, "NOB", "5")
    assert TITLE.rules.worth(game, ANN) == 800 + 3 * 135
    assert president_of(game.company(NOB)) == ANN
    place_marker(game, NOB, (0, 17))
    assert TITLE.rules.worth(game, ANN) == 800 + 3 * 350
