"""18GB, option `rules: 18xx.games`: receivership, excess trains, conversion in need, and how a finished game is told."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, HexId, Owner, PlayerId, TileId
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of
from bot.engine.play.steps.dividends import operating_turn
from bot.engine.play.steps.routes import route_problem
from bot.engine.routes.search import best_routes
from bot.engine.state.actions import RunRoutes
from bot.engine.state.events import TileLaid
from bot.engine.state.state import TileLay
from bot.formats.peer18xx.file_format import read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.formats.peer18xx.snapshots import snapshot
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.registry import OLDER_VERSIONS
from bot.titles.t18gb.companies import is_in_receivership, is_insolvent
from bot.titles.t18gb.peer18xx.questions import asks_to_build
from bot.titles.t18gb.rounds import detect_game_end
from bot.titles.t18gb.state import title_state
from bot.titles.t18gb.title import FIRST
from tests.rearrangement import rearrange
from tests.titles.builders_18gb import (
    BUILD,
    BY_18XX,
    PAY,
    RUN,
    TITLE,
    TRAINS,
    closed,
    grow,
    names,
    new_game,
    offered,
    operating,
    own,
    play,
    price_at,
    reach_phase,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, lay, private, refused, set_cash, token


def received(cash: int, *, has_route: bool = True) -> Game:
    """MR without a director and without a train, at the beginning of its turn."""
    game = new_game(4, **BY_18XX)
    own(game)
    started(game, "MR", {"pool": 3}, director=None, cash=cash)
    for certificate in game.company("MR").certificates:
        rearrange(game, certificate, owner=POOL)
    if has_route:
        lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    assert is_in_receivership(game, company("MR"))
    return operating(game, "MR", step=BUILD)


def run_best(game: Game) -> None:
    """The trains earn what they can."""
    game.apply(next(action for action in game.legal_actions() if isinstance(action, RunRoutes)))


def test_after_a_run_with_a_leased_train_a_company_in_receivership_converts_and_buys_by_itself():
    game = received(cash=0)
    assert game.step.name == "run trains"
    run_best(game)
    assert len(game.company("MR").certificates) == 9
    assert [train.kind for train in game.state.trains_of(company("MR"))] == ["2+1"]
    assert game.frame.entity != "MR"


def test_a_company_in_receivership_that_can_pay_is_not_insolvent_and_somebody_buys_for_it():
    game = received(cash=80)
    assert game.step.name == "buy trains"
    assert not is_insolvent(game, company("MR"))
    assert game.players_to_act() == (game.state.order[0],)
    assert "must" in refused(game, "MR pass", "")
    play(game, "MR buy 2+1 for 80")
    assert game.state.cash["MR"] == 0


def test_a_company_in_receivership_without_a_route_may_convert_or_not():
    game = received(cash=10, has_route=False)
    assert game.step.name == "buy trains"
    assert "MR convert MR" in offered(game, "convert")
    play(game, "MR pass")
    assert is_insolvent(game, company("MR"))
    assert len(game.company("MR").certificates) == 4


def test_in_receivership_trains_are_not_bought_from_other_companies():
    game = received(cash=200, has_route=False)
    started(game, "NER")
    give_train(game, "NER", "2+1")
    give_train(game, "NER", "2+1")
    assert "receivership" in refused(game, "MR buy 2+1 from NER for 10")


def excess(step: int, **options: str) -> Game:
    """The next 4+2 lowers the limit of NER, which has three 3+1, to two."""
    game = new_game(4, **options)
    own(game)
    reach_phase(game, "4+2")
    game.state.phase = "3+1"
    started(game, "NER", {"@2": 1}, director="@2", price=90)
    for _ in range(3):
        give_train(game, "NER", "3+1")
    started(game, "MR", {"@1": 1}, cash=900, price=100)
    lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    return operating(game, "MR", ["3+1"], step=step)


def test_trains_above_a_limit_that_falls_in_a_turn_are_given_up_at_once():
    game = play(excess(TRAINS, **BY_18XX), "MR buy 4+2 for 300")
    assert game.players_to_act() == ("@2",)
    assert offered(game, "discard") == ["NER discard 3+1"]


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_trains_above_a_limit_that_falls_by_an_export_are_given_up_in_the_next_turn(rules: str):
    game = excess(TRAINS, rules=rules)
    game.state.flow[0].at = names("game").index("next_operating_round")
    game.state.flow[1].memory.done.append(company("NER"))
    play(game, "MR pass")
    assert game.state.phase == "4+2"
    assert bool(offered(game, "discard")) == (rules == "rulebook")
    if rules == "rulebook":
        play(game, "NER discard 3+1")
    assert (game.state.round.part, game.frame.entity) == (2, "MR")
    play(game, "MR pass")
    run_best(game)
    play(game, "MR withhold")
    if rules == "18xx.games":
        assert (game.players_to_act(), offered(game, "discard")) == (("@2",), ["NER discard 3+1"])
        play(game, "NER discard 3+1")
    assert game.step.name == "buy trains"
    assert len(game.state.trains_of(company("NER"))) == 2


def test_for_a_company_in_receivership_the_first_player_gives_trains_up():
    game = excess(TRAINS, **BY_18XX)
    for certificate in game.company("NER").certificates:
        rearrange(game, certificate, owner=POOL)
    play(game, "MR buy 4+2 for 300")
    assert game.players_to_act() == (game.state.order[0],)
    play(game, "NER discard 3+1")


def in_need(price: int, cash: int = 500) -> Game:
    """MR cannot pay for a train; its director has two of its shares beside his certificate."""
    game = new_game(4, **BY_18XX)
    own(game)
    started(game, "MR", {"@1": 2}, price=price, cash=20)
    set_cash(game, "@1", cash)
    return play(operating(game, "MR", step=TRAINS), "MR convert", "MR buy 2+1 for 80", "MR pass")


def test_after_a_conversion_in_need_a_second_share_is_bought_in_the_green_area():
    game = in_need(price=75)
    assert game.company("MR").position == (0, 2)
    play(game, "@1 buy MR from pool", "@1 buy MR from pool")
    assert game.company("MR").percent_held_by("@1") == 60
    assert game.state.round.kind == "stock"


def test_beyond_the_green_area_one_share_is_bought():
    game = in_need(price=130)
    play(game, "@1 buy MR from pool")
    assert game.state.round.kind == "stock"


@pytest.mark.parametrize("is_there", [True, False])
def test_the_director_is_asked_as_soon_as_he_could_pay_for_any_share_of_companies_with_a_price(is_there: bool):
    game = new_game(4, **BY_18XX)
    own(game)
    started(game, "MR", {"@1": 1}, price=130, cash=20)
    started(game, "NER", {"pool": 1}, director="@2", price=50)
    if not is_there:
        game.company("NER").position = None
    set_cash(game, "@1", 60)
    play(operating(game, "MR", step=TRAINS), "MR convert", "MR buy 2+1 for 80", "MR pass")
    assert (game.state.round.kind == "operating") == is_there
    if is_there:
        assert offered(game, "buy") == []
        assert game.frame.entity == "@1"
        play(game, "@1 pass")


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_an_exported_6x_that_removes_unstarted_companies_may_bring_the_end_near(rules: str):
    game = new_game(4, rules=rules)
    own(game)
    reach_phase(game, "6X")
    game.state.phase = "5X"
    started(game, "MR", {"@1": 1}, cash=100)
    waiting = [record.id for record in game.state.companies.values() if not record.floated]
    spare = [train for train in game.state.trains if train.owner == DEPOT][len(waiting[:3]) + 3 :]
    for train in spare:
        rearrange(game, train, owner=REMOVED)
    for sign in waiting[3:]:
        game.company(sign).closed = True
    operating(game, "MR", ["5X"], step=TRAINS)  # too poor to be asked
    # Six 6X: one exported, one removed with each of three companies, two left.
    assert sum(train.owner == DEPOT for train in game.state.trains) == 2
    assert title_state(game).last_trains


@pytest.mark.parametrize(("first", "told"), [("trains", "final_train"), ("price", "stock_market")])
def test_the_reason_that_is_told_is_the_one_that_was_met_first(first: str, told: str):
    game = new_game(4, **BY_18XX)
    started(game, "MR")
    for condition in (first, "trains", "price"):
        if condition == "price":
            price_at(game, "MR", 350)
        else:
            for train in game.state.trains:
                rearrange(game, train, owner=REMOVED)
        detect_game_end(game, None)
    game.state.finished = True
    ids = {player.id: player.id for player in game.state.players}
    assert snapshot(game, ids, DIALECTS["18GB"])["end_reason"] == told


def test_leased_trains_are_run_by_the_first_player():
    game = received(cash=0)
    assert (game.players_to_act(), game.frame.at) == ((game.state.order[0],), RUN)


@pytest.mark.parametrize(("rules", "earned"), [("rulebook", 0), ("18xx.games", 10)])
def test_an_x_train_runs_from_a_city_to_a_town(rules: str, earned: int):
    """Derby's 10 alone: the town pays an X train nothing, and one city is no distance."""
    game = new_game(4, rules=rules)
    own(game)
    reach_phase(game, "4X")
    started(game, "MR", {"@1": 1})
    lay(game, ("G41", "H19", 2), ("3", "I20", 1))
    operating(game, "MR", ["4X"], step=RUN)
    found = best_routes(route_problem(game, company("MR")))
    assert (found.revenue, found.proven) == (earned, True)


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_whoever_is_above_his_limit_sells_there_before_he_converts(rules: str):
    game = new_game(4, rules=rules)
    own(game)
    started(game, "MR", {"@1": 2}, cash=60)
    for other in ("NER", "GWR", "SWR", "CR"):
        started(game, other, {"@1": 3}, director="@1")
    stock_round(game)
    game.company("MR").operated = True
    if rules == "rulebook":
        play(game, "@1 convert MR")
    else:
        assert "must sell first" in refused(game, "@1 convert MR")


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_some_privates_help_an_insolvent_company_at_any_time(rules: str):
    game = new_game(4, rules=rules)
    own(game)
    started(game, "MR", {"@1": 1}, cash=60)
    lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    title_state(game).insolvent.append(company("MR"))
    for sign in ("GN", "AF"):
        closed(game, sign)
    operating(game, "MR")
    assert game.step.name == "run trains"
    if rules == "rulebook":
        refused(game, "MR token I14 with GN")
        return
    assert offered(game, "token") == ["MR token I14 with GN"]
    play(game, "MR token I14 with GN")
    assert (game.state.cash["MR"], game.step.name) == (10, "run trains")
    refused(game, "MR token H17")
    refused(game, "MR lay 8 H21 0 with AF")


@pytest.mark.parametrize(
    ("placed", "asked"), [("MR token I14 with GN", ["lay_tile", "pass"]), ("MR token H17", ["lay_tile"])]
)
def test_after_the_last_lay_it_is_over_if_the_company_placed_a_token_of_its_own(placed: str, asked: list[str]):
    """A private of the director's could still lay a tile there; a private's token is placed in another step."""
    game = new_game(4, **BY_18XX)
    own(game)
    started(game, "MR", {"@1": 2}, cash=500)
    lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    closed(game, "GN")
    closed(game, "TV")
    operating(game, "MR", ["2+1"])
    writer = LogWriter(game, DIALECTS["18GB"])
    writer.write_text(placed)
    writer.write_text("MR lay G38 H19 3")
    written = writer.write_text("MR lay 7 G20 3")
    assert [raw["type"] for raw in written] == asked


@pytest.mark.parametrize(("last", "asked"), [(("7", "G20"), False), (("G34", "I2"), True)])
def test_a_privates_lay_does_not_end_the_building_there(last: tuple[str, str], asked: bool):
    """MR has laid two tiles and placed a token; TV of its director's is closed and has laid none."""
    game = new_game(4, **BY_18XX)
    own(game)
    started(game, "MR", {"@1": 2}, cash=0)
    lay(game, ("G41", "H19", 0))
    closed(game, "TV")
    operating(game, "MR", ["2+1"])
    turn = operating_turn(game)
    turn.lays = [TileLay(HexId("H19"), TileId("G38"), True), TileLay(HexId("G20"), TileId("7"), False)]
    turn.tokens_placed = 1
    tile, space = last
    game.events.append(TileLaid(company("MR"), TileId(tile), HexId(space), 0, None, 0))
    assert asks_to_build(game, company("MR")) == asked


@pytest.mark.parametrize(("has_used", "asked"), [(False, False), (True, True)])
def test_taff_vales_lay_does_not_end_the_building_there_though_it_is_one_of_the_companys(has_used: bool, asked: bool):
    """GWR has laid two tiles and placed a token; LS of its director's is closed and has laid none."""
    game = new_game(4, **BY_18XX)
    own(game)
    started(game, "GWR", {"@1": 2}, cash=0)
    for sign in ("LS", "TV"):
        closed(game, sign)
        game.private(private(sign)).owner = PlayerId(Owner("@1"))
    game.private(private("TV")).ability_used = has_used
    operating(game, "GWR", ["2+1"])
    turn = operating_turn(game)
    turn.lays = [TileLay(HexId("H19"), TileId("G38"), True), TileLay(HexId("C22"), TileId("G33"), True)]
    turn.tokens_placed = 1
    game.events.append(TileLaid(company("GWR"), TileId("G33"), HexId("C22"), 0, None, 0))
    assert asks_to_build(game, company("GWR")) == asked


# -- files --------------------------------------------------------------------------------------------


def followed(game: Game, *actions: dict[str, Any]) -> LogReplay:
    """A file of 18xx.games whose game stands as this one, followed through these actions."""
    players = [{"id": number, "name": player.name} for number, player in enumerate(game.state.players, 1)]
    data = {"title": "18GB", "players": players, "status": "active", "actions": []}
    data["actions"] = [{"id": number} | action for number, action in enumerate(actions, 1)]
    runner = LogReplay(TITLE, DIALECTS["18GB"], read_log(data))
    runner.game = game
    for _ in runner.steps():
        pass
    return runner


def by(company_or_player: str | int, kind: str, **more: Any) -> dict[str, Any]:
    """An action as 18xx.games writes it."""
    entity_type = "player" if isinstance(company_or_player, int) else "corporation"
    return {"type": kind, "entity": company_or_player, "entity_type": entity_type, **more}


def beginning(*companies: str) -> Game:
    """An operating round with these companies, each of them with a train and money for another."""
    game = new_game(4, **BY_18XX)
    own(game)
    reach_phase(game, "4X")
    for number, name in enumerate(companies):
        started(game, name, {"@1": 1}, price=100 - 10 * number, cash=560, operated=False)
        give_train(game, name, "4X")
    game = operating(game, companies[0])
    game.state.flow[0].at = names("game").index("next_operating_round")
    return game


def test_the_run_of_an_insolvent_company_is_written_empty_when_no_train_is_left_to_lease():
    game = new_game(4, **BY_18XX)
    own(game)
    started(game, "NER", price=100)
    started(game, "MR", {"@1": 1}, price=90, cash=20)
    lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    title_state(game).insolvent.append(company("MR"))
    operating(game, "NER", ["6X", "6X"], step=PAY, revenue=30)
    game.state.flow[1].at = names("operating round").index("pay_incomes") + 1
    for train in game.state.trains:
        rearrange(game, train, owner=REMOVED if train.owner == DEPOT else train.owner)
    written = LogWriter(game, DIALECTS["18GB"]).write_text("NER withhold")
    assert [(raw["entity"], raw["type"]) for raw in written] == [
        ("NER", "dividend"),
        ("NER", "pass"),
        ("MR", "run_routes"),
    ]
    assert written[-1]["routes"] == []
    assert game.frame.entity == "MR" and offered(game, "buy")


def test_a_purchase_after_two_passes_belongs_to_the_next_operating_round():
    """MR passes track and trains, passes track in the next round, and buys; 18xx.games asks nobody else."""
    game = beginning("MR")
    runner = followed(
        game,
        by("MR", "pass"),
        by("MR", "pass"),
        by("MR", "pass"),
        by("MR", "buy_train", train="4X-1", price=550, variant="4X"),
    )
    assert [format_action(action) for action in runner.taken] == [*["MR pass"] * 3, "MR buy 4X for 550"]


def test_a_lay_after_a_pass_belongs_to_the_next_operating_round():
    game = beginning("MR")
    runner = followed(game, by("MR", "pass"), by("MR", "lay_tile", hex="H19", tile="G41-0", rotation=0))
    assert runner.game.state.round.part == 2


def test_a_companys_pass_says_that_it_is_in_turn():
    """NER passes only; when MR lays after it, that is in the next round."""
    game = beginning("MR", "NER")
    lay_mr = by("MR", "lay_tile", hex="H19", tile="G41-0", rotation=0)
    runner = followed(game, by("MR", "pass"), by("MR", "pass"), by("NER", "pass"), by("NER", "pass"), lay_mr)
    assert (runner.game.state.round.part, runner.game.frame.entity) == (2, "MR")


def test_new_shares_of_an_automatic_conversion_come_out_of_the_pool():
    game = received(cash=0)
    for certificate in game.company("MR").certificates[2:]:
        rearrange(game, certificate, owner=IPO)
    routes = [{"train": "2+1-0", "connections": [["H19", "H17"]], "nodes": ["H19-0", "H17-0"]}]
    runner = followed(game, by("MR", "run_routes", routes=routes))
    assert len(game.company("MR").certificates) == 9
    bought = runner.dialect.translate(runner, by(1, "buy_shares", shares=["MR_5"], percent=10))
    assert bought.source == POOL


def test_a_private_is_used_by_the_company_that_can_use_it():
    """MR and NER have one director; the file's next action is NER's, but only MR reaches Leicester (H21)."""
    game = beginning("MR", "NER")
    closed(game, "LS")
    lay(game, ("G41", "H19", 0))
    game.board_changed()
    token(game, "MR", "H21")
    use = {"type": "lay_tile", "entity": "LS", "entity_type": "company", "hex": "H21", "tile": "G18-0", "rotation": 0}
    runner = followed(game, by("MR", "pass"), use, by("NER", "pass"))
    assert [format_action(action) for action in runner.taken] == ["MR lay G18 H21 0 with LS", "MR pass"]


def test_a_privates_token_is_the_named_companys():
    """Both companies of Ann could place it; the file names the second one."""
    game = beginning("MR", "NER")
    closed(game, "GN")
    place = {"type": "place_token", "entity": "GN", "entity_type": "company", "city": "I14-4-0", "slot": 0}
    runner = followed(game, by("MR", "pass"), place | {"tokener": "NER"}, by("NER", "pass"))
    assert [format_action(action) for action in runner.taken][-1] == "NER token I14 with GN"


# -- what that engine refuses -------------------------------------------------------------------------


def test_an_extra_lay_that_does_not_connect_is_refused():
    game = new_game(4, **BY_18XX)
    started(game, "MR", {"@1": 1}, cash=900)
    closed(game, "LS")
    lay(game, ("G41", "H19", 0))
    operating(game, "MR", step=BUILD)
    lays = {text for text in offered(game, "lay") if text.endswith("with LS")}
    assert "MR lay G18 H21 0 with LS" in lays
    assert "MR lay G18 H21 1 with LS" not in lays
    assert "MR has no route to that tile on H21" in refused(game, "MR lay G18 H21 1 with LS", "18GB track")


def test_in_receivership_one_train_is_bought():
    game = received(cash=500)
    play(game, "MR buy 2+1 for 80")
    assert game.frame.entity != "MR"
    assert [train.kind for train in game.state.trains_of(company("MR"))] == ["2+1"]


@pytest.mark.parametrize(("rules", "price"), [("rulebook", 100), ("18xx.games", 200)])
def test_the_presidents_certificate_is_bought_out_of_the_pool_with_money_for_all_of_it(rules: str, price: int):
    game = new_game(4, rules=rules)
    started(game, "MR", {"@1": 1, "@2": 2}, director=None, price=100)
    rearrange(game, game.company("MR").certificates[0], owner=POOL)
    stock_round(game)
    set_cash(game, "@1", price - 1)
    assert str(price) in refused(game, "@1 buy MR from pool")
    set_cash(game, "@1", price)
    play(game, "@1 buy MR from pool")
    assert game.state.cash["@1"] == price - 100
    assert president_of(game.company("MR")) == "@1"


# -- version 1 ----------------------------------------------------------------------------------------


def first_edition(**options: str) -> Game:
    """A game that was begun by version 1 of the rules."""
    return Game.new(OLDER_VERSIONS["18GB", 1], ("Ann", "Bob", "Cid", "Dan"), options, 1)


def test_games_begun_by_version_1_go_on_as_they_were_played():
    assert (TITLE.version, OLDER_VERSIONS["18GB", 1].version) == (2, 1)
    game = first_edition()
    assert "first_sales" not in game.state.options
    started(game, "MR", {"@1": 2, "pool": 1}, price=65)
    stock_round(game, number=1)
    play(game, "@1 sell 1 MR")
    started(game, "NER", director="@2", price=65)
    grow(game, "NER", ["@1"] * 2 + ["pool"] * 6)
    play(stock_round(game), "@1 buy NER from pool", "@1 buy NER from pool")


@pytest.mark.parametrize(("options", "asked"), [({}, "@2"), (BY_18XX, "@1")])
def test_whoever_converts_in_the_green_area_buys_two_shares_there_and_one_by_the_rules(
    options: dict[str, str], asked: str
) -> None:
    game = new_game(4, **options)
    started(game, "MR", {"@1": 1, "@2": 1}, price=60)
    stock_round(game)
    play(game, "@1 convert MR", "@1 buy MR from pool")
    assert game.players_to_act() == (asked,)


def test_version_1_let_whoever_converts_buy_two_shares() -> None:
    game = Game.new(FIRST, ("Ann", "Bob", "Cid", "Dan"), {}, 1)
    started(game, "MR", {"@1": 1, "@2": 1}, price=60)
    stock_round(game)
    play(game, "@1 convert MR", "@1 buy MR from pool")
    assert game.players_to_act() == ("@1",)


def test_by_version_1_a_company_that_can_pay_is_solvent_before_it_runs():
    game = first_edition(**BY_18XX)
    own(game)
    started(game, "MR", {"@1": 1}, cash=80)
    lay(game, ("G41", "H19", 0), ("G18", "H17", 0))
    title_state(game).insolvent.append(company("MR"))
    operating(game, "MR", step=BUILD)
    assert not is_insolvent(game, company("MR"))
