"""Values of the family that no title here has, each in a made-up title: 1830 with this value instead of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.ids import BANK, POOL, HexId, Owner, TileId
from bot.engine.play.game import Game
from bot.engine.play.holdings import counted_trains
from bot.engine.play.holdings.market import Cell
from bot.engine.play.steps import close_private
from bot.engine.play.steps.routes import best_set
from bot.engine.state.events import GameEndTriggered, PresidentChanged, RoutesRun
from bot.titles.classic import (
    GameEnd,
    Lay,
    LayBy,
    MayLay,
    Presidency,
    RevenueMarker,
    RouteBonus,
    TileOfTurn,
    TokenHelp,
    Towns,
    TrainDiscount,
    TrainRun,
    build_title,
)
from bot.titles.classic.game_end import BANK_BROKEN, MOMENTS, TOP_PRICE, announce_end
from bot.titles.classic.powers import Power
from bot.titles.lint import lint_title
from bot.titles.registry import TITLES
from tests.titles import builders_classic as rb
from tests.titles.positions import act, as_player, company, empty_depot, give_train, lay, private, refused, set_cash

BOX = TITLES["1830"].family
NEXT_ROUND = [getattr(step, "__name__", "") for step in TITLES["1830"].plans["game"].steps].index(
    "next_operating_round"
)


def made_up(players: int = 3, **values: Any) -> Game:
    """A game of 1830 with other values, before its auction."""
    return Game.new(build_title(replace(BOX, **values)), rb.NAMES[:players], {}, 1)


# -- the end of the game ------------------------------------------------------------------------------------


def broken_bank(**values: Any) -> Game:
    """PRR pays the last money of the bank; ERIE operates after it, in the first of two operating rounds."""
    game = made_up(**values)
    rb.started(game, "PRR", {"@1": 4})
    rb.started(game, "ERIE", {"@2": 4}, "@2", par=67)
    rb.operating(game, "PRR", ["2"], rb.PAY, 100, last=False)
    game.state.flow[0].at = NEXT_ROUND
    set_cash(game, BANK, 50)
    game.state.money = sum(game.state.cash.values())
    act(game, "PRR pay")
    return game


def pass_until_end(game: Game) -> str:
    """Pass, withhold or run at every decision; where play stands before the game is over."""
    place = ""
    while not game.state.finished:
        here = game.state.round
        place = f"{here.kind} {here.number}.{here.part} {game.frame.entity}"
        moves = [*game.legal_actions()]
        quiet = [move for move in moves if type(move).__name__ in ("Pass", "Dividend", "RunRoutes")]
        assert quiet, (place, moves)
        game.apply(quiet[-1])
    return place


@pytest.mark.parametrize(
    ("moment", "last"),
    [
        (GameEnd.AT_ONCE, ""),
        (GameEnd.TURN, "operating 2.1 PRR"),
        (GameEnd.ROUND, "operating 2.1 ERIE"),
        (GameEnd.OPERATING_ROUND, "operating 2.1 ERIE"),
        (GameEnd.SET, "operating 2.2 ERIE"),
    ],
)
def test_the_game_ends_when_the_value_says_after_the_bank_is_broken(moment: GameEnd, last: str) -> None:
    game = broken_bank(broken_bank_ends=moment)
    assert game.state.ending == BANK_BROKEN
    assert pass_until_end(game) == last and game.state.ending == BANK_BROKEN


@pytest.mark.parametrize("moment", [GameEnd.AT_ONCE, GameEnd.TURN, GameEnd.ROUND, GameEnd.OPERATING_ROUND])
def test_a_top_price_ends_the_game_when_its_own_value_says(moment: GameEnd) -> None:
    """A bank broken before changes nothing where the price ends the game sooner; a later one never does."""
    game = made_up(market=ENDING, ends_at="e", top_price_ends=moment)
    rb.started(game, "PRR", {"@1": 4})
    rb.price_at(game, "PRR", (0, len(ENDING.rows[0]) - 2))
    rb.operating(game, "PRR", ["2"], rb.PAY, 100, last=False)
    game.state.flow[0].at = NEXT_ROUND
    set_cash(game, BANK, 50)
    game.state.money = sum(game.state.cash.values())
    told = [str(event.when) for event in act(game, "PRR pay") if isinstance(event, GameEndTriggered)]
    assert told == ["after this set of operating rounds", MOMENTS[moment]]
    assert game.state.ending == TOP_PRICE and game.state.finished == (moment is GameEnd.AT_ONCE)
    assert pass_until_end(game) == ("" if moment is GameEnd.AT_ONCE else "operating 2.1 PRR")


def _end_zone(cell: Cell | None) -> Cell | None:
    """The market of 1830 with its last price as the end."""
    return replace(cell, zones="e") if cell is not None and cell.price == 350 else cell


ENDING = replace(BOX.market, rows=tuple(tuple(map(_end_zone, row)) for row in BOX.market.rows))


def test_a_price_in_a_stock_round_ends_the_game_after_the_next_operating_round_where_only_those_end_it() -> None:
    places = []
    for moment in (GameEnd.TURN, GameEnd.ROUND, GameEnd.OPERATING_ROUND):
        game = made_up(market=ENDING, ends_at="e", top_price_ends=moment)
        rb.started(game, "PRR", {"@1": 4})
        rb.stock_round(game)
        announce_end(game, TOP_PRICE)
        places.append(pass_until_end(game))
    assert places == ["stock 2.1 @1", "stock 2.1 @3", "operating 2.1 PRR"]


def test_the_buyer_of_one_of_two_presidencies_is_asked_for_its_price_only() -> None:
    game = made_up(powers={**BOX.powers, private("SV"): (Presidency("PRR", "set the par price of PRR"),)})
    act(game, "@1 bid SV 20")
    assert game.frame.plan == "first price" and {move.split()[2] for move in rb.offered(game, "par")} == {"PRR"}
    act(game, "@1 par PRR 67")
    assert game.frame.plan == "auction" and game.company(company("B&O")).par is None


# -- trains -------------------------------------------------------------------------------------------------


def buying(trains: dict[str, str] | None = None, **values: Any) -> Game:
    """PRR, with $3000 and these trains, buys trains; ERIE, with the same president and others, may sell them."""
    game = made_up(**values)
    rb.started(game, "PRR", {"@1": 4}, cash=3000)
    rb.started(game, "ERIE", {"@2": 2})
    for name, kind in (trains or {}).items():
        give_train(game, name, kind)
    return rb.operating(game, "PRR", step=rb.TRAINS)


def test_a_company_buys_so_many_trains_of_the_bank_in_a_turn_of_a_phase_and_any_number_of_others() -> None:
    game = buying({"ERIE": "2"}, new_trains={"2": 1, "3": 1})
    act(game, "PRR buy 2 for 80")
    assert "at most 1 train from the bank" in refused(game, "PRR buy 2 for 80")
    assert rb.offered(game, "buy") and not [move for move in rb.offered(game, "buy") if "from" not in move]
    act(game, "PRR buy 2 from ERIE for 1")
    game = buying(new_trains={"3": 1})
    act(game, "PRR buy 2 for 80", "PRR buy 2 for 80")


def test_a_train_of_the_pool_is_one_of_the_bank_and_the_next_phase_may_lift_the_limit() -> None:
    game = buying({"ERIE": "2"}, new_trains={"3": 1})
    give_train(game, POOL, "2")
    rb.reach_phase(game, "3")
    act(game, "PRR buy 2 from pool for 80")
    assert "at most 1 train" in refused(game, "PRR buy 3 for 180")
    game.state.phase = "4"
    act(game, "PRR buy 3 for 180", "PRR buy 3 for 180")


def obsolete(step: int = rb.TRAINS) -> Game:
    """4-trains run once more after the first 6. PRR, above the limit by its two, buys it; ERIE and the bank have others."""
    fours = replace(BOX.trains["4"], rusts_on="6", runs_once_more=True)
    game = made_up(trains={**BOX.trains, "4": fours})
    rb.reach_phase(game, "5")
    for name, owner in (("PRR", "@1"), ("ERIE", "@2")):
        rb.started(game, name, {owner: 4}, owner, cash=3000)
    for owner in ("PRR", "ERIE", POOL):
        give_train(game, owner, "4")
    rb.operating(game, "PRR", step=step, last=False)
    empty_depot(game, list(BOX.cards(game)), "6")
    return game


def test_a_train_that_runs_once_more_stays_beside_the_limit_until_it_has_run() -> None:
    game = obsolete()
    events = act(game, "PRR buy 6 for 630")
    said = [str(event) for event in events]
    assert any("are obsolete: each runs once more" in text for text in said), said
    assert kinds(game, "PRR") == ["4", "6"] and kinds(game, "ERIE") == ["4"] and kinds(game, POOL) == []
    assert [train.kind for train in counted_trains(game, company("PRR"))] == ["6"]
    assert "is obsolete: it is not sold" in refused(game, "PRR buy 4 from ERIE for 1")
    assert not any("from ERIE" in move for move in rb.offered(game, "buy"))
    act(game, "PRR pass")
    assert game.company_in_turn == "ERIE"
    while game.frame.at < rb.TRAINS and game.company_in_turn == "ERIE":
        assert kinds(game, "ERIE") == ["4"], "before its dividend it is there"
        act(game, "ERIE pass")
    assert kinds(game, "ERIE") == [] and kinds(game, "PRR") == ["4", "6"], "of the company in turn alone"


def kinds(game: Game, owner: str) -> list[str]:
    return sorted(train.kind for train in game.state.trains if train.owner == owner)


def test_a_train_that_never_rusts_cannot_run_once_more() -> None:
    trains = {**BOX.trains, "5": replace(BOX.trains["5"], runs_once_more=True)}
    assert "The 5 runs once more after it rusts, but it never rusts." in lint_title(
        build_title(replace(BOX, trains=trains))
    )


SHIKOKU = TITLES["1889"].family


def on_shikoku(run: TrainRun, name: str = "4D") -> Game:
    """KO's train runs so from a city of 20 over a town of 10 to a city of 20."""
    trains = {**SHIKOKU.trains, name: replace(SHIKOKU.trains["2"], name=name, family=name)}
    values = replace(SHIKOKU, trains=trains, runs={name: run}, cards=lambda game: {**SHIKOKU.cards(game), name: 1})
    game = Game.new(build_title(values), rb.NAMES[:3], {}, 1)
    rb.started(game, "KO", {"@1": 3})
    lay(game, ("5", "K4", 0), ("58", "J5", 2), ("5", "I4", 4))
    return rb.operating(game, "KO", (name,), rb.RUN)


@pytest.mark.parametrize(
    ("run", "revenue", "told"),
    [
        (TrainRun(2), 30, "Visits 2 stops, including towns"),
        (TrainRun(2, Towns.FREE), 50, "Visits 2 cities and red areas; towns pay too and do not count (1889)."),
        (TrainRun(2, Towns.UNPAID), 40, "it runs over towns without pay (1889)."),
        (TrainRun(2, Towns.SKIPPED), 40, "Visits 2 stops; it may leave out towns (1889)."),
        (TrainRun(2, 1), 50, "Visits 2 cities and red areas, and 1 town; it cannot skip any (1889)."),
        (TrainRun(2, 0), 0, "and 0 towns"),
        (TrainRun(None, Towns.UNPAID), 40, "Visits any number of cities and red areas"),
        (TrainRun(2, Towns.FREE, 2), 90, "Cities and red areas pay ×2, towns ×1."),
        (TrainRun(2, Towns.FREE, 2, 2), 100, "towns ×2."),
        (TrainRun(1, 1, 3), 70, "Cities and red areas pay ×3"),
    ],
)
def test_a_train_runs_as_its_value_says(run: TrainRun, revenue: int, told: str) -> None:
    game = on_shikoku(run)
    assert best_set(game, company("KO")).revenue == revenue
    assert told in str(game.title.words.trains["4D"]) and (run.times > 1) == ("×" in str(game.title.words.trains["4D"]))
    (move,) = rb.offered(game, "run") or [""]
    if revenue:
        events = act(game, move)
        assert next(event.revenue for event in events if isinstance(event, RoutesRun)) == revenue


def test_trains_of_two_values_run_beside_each_other_and_a_name_needs_no_number() -> None:
    """The doubled train has the way of 50 to itself; of two others each is written in its own words."""
    game = on_shikoku(TrainRun(2, Towns.FREE, 2), "twice")
    give_train(game, "KO", "2")
    assert best_set(game, company("KO")).revenue == 90
    assert "including towns" in str(game.title.words.trains["2"])


# -- track --------------------------------------------------------------------------------------------------

SECOND = TileOfTurn(MayLay.UNLESS_UPGRADED, MayLay.NEVER, 20, other_hex=True)


def laying(cash: int = 200, first: bool = False, changes: Mapping[str, Power] | None = None, **values: Any) -> Game:
    """KO's track step in phase 3, in its first turn or a later one; its way from Takamatsu is K4, J5, I4. Privates of
    `changes` have other powers.
    """
    powers = {**SHIKOKU.powers, **{private(sign): (power,) for sign, power in (changes or {}).items()}}
    game = Game.new(build_title(replace(SHIKOKU, powers=powers, **values)), rb.NAMES[:3], {}, 1)
    rb.started(game, "KO", {"@1": 3}, cash=cash)
    rb.own(game, **dict.fromkeys(changes or {}, "KO"))
    game.company(company("KO")).operated = not first
    lay(game, ("58", "J5", 2), ("5", "I4", 4))
    return rb.operating(game, "KO", ["2"], phase="3")


def test_a_turn_has_as_many_tiles_as_the_value_says_and_a_later_one_costs_its_price() -> None:
    game = laying(lays=(TileOfTurn(), SECOND))
    act(game, "KO lay 9 K6 0")
    assert game.frame.at == rb.TRACK and game.state.cash[company("KO")] == 120, "K6 is water for 80"
    assert "Tile 2 of this turn may be no upgrade." in refused(game, "KO lay 440 K4 0")
    assert {move.split()[3] for move in rb.offered(game, "lay")} == {"J3", "K8"}
    act(game, "KO lay 8 J3 1")
    assert game.state.cash[company("KO")] == 100 and game.frame.at > rb.TRACK
    assert "Up to 2 tiles per turn" in str(game.title.words.steps["lay track"])
    assert "One tile lay or upgrade" in str(laying().title.words.steps["lay track"])


def test_a_company_with_too_little_money_for_the_next_tile_of_its_turn_is_not_asked() -> None:
    for cash, at in ((99, rb.TOKEN), (100, rb.TRACK)):
        game = laying(cash, lays=(TileOfTurn(), SECOND))
        act(game, "KO lay 9 K6 0")
        assert (game.frame.at > rb.TRACK) == (at != rb.TRACK)


def test_after_an_upgrade_there_is_no_tile_that_comes_only_without_one() -> None:
    game = laying(lays=(TileOfTurn(), SECOND))
    act(game, "KO lay 440 K4 0")
    assert game.frame.at > rb.TRACK
    either = TileOfTurn(upgrade=MayLay.UNLESS_UPGRADED)
    game = laying(lays=(TileOfTurn(), either))
    act(game, "KO lay 440 K4 0")
    assert "Tile 2 of this turn may be no upgrade." in refused(game, "KO lay 12 I4 2")
    game = laying(lays=(TileOfTurn(new=MayLay.NEVER), either))
    assert "Tile 1 of this turn may be no new tile." in refused(game, "KO lay 9 K6 0")
    act(game, "KO lay 440 K4 0", "KO lay 9 K6 0")


def test_a_tile_for_another_hex_goes_to_none_of_the_turn() -> None:
    for other_hex in (False, True):
        game = laying(lays=(TileOfTurn(), TileOfTurn(other_hex=other_hex)))
        act(game, "KO lay 440 K4 0")
        refusal = refused(game, "KO lay 466 K4 0")
        assert ("Each tile of a turn goes to a different hex." in refusal) == other_hex, refusal


def test_the_first_turn_of_a_company_may_have_other_tiles() -> None:
    for first in (True, False):
        game = laying(first=first, first_lays=lambda game: (TileOfTurn(), TileOfTurn()))
        act(game, "KO lay 9 K6 0")
        assert (game.frame.at == rb.TRACK) == first
        if first:
            act(game, "KO lay 440 K4 0")
            assert game.frame.at > rb.TRACK


def test_a_lay_with_the_track_waits_in_the_track_step_and_is_over_with_it() -> None:
    power = Lay("G12 H11", "7 8 9", LayBy.COMPANY_WITH_ITS_TRACK, is_free=True)
    game = laying(changes={"MF": power})
    act(game, "KO lay 9 K6 0")
    assert game.frame.at == rb.TRACK, "the private's tile is left"
    act(game, "KO lay 9 H11 0 with MF")
    assert game.frame.at > rb.TRACK and game.state.cash[company("KO")] == 120
    game = laying(changes={"MF": power})
    act(game, "KO pass")
    assert "MF's tile is laid in the track step." in refused(game, "KO lay 9 H11 0 with MF")
    game = laying(changes={"MF": replace(power, by=LayBy.COMPANY)})
    act(game, "KO pass", "KO lay 9 H11 0 with MF")


def test_a_tile_of_a_private_brings_a_town_where_there_was_none() -> None:
    for owner in ("MF", "ER"):
        tiles = {**SHIKOKU.land.tiles, TileId("437"): replace(SHIKOKU.land.tiles[TileId("437")], private=owner)}
        power = Lay("H11", "437", LayBy.COMPANY, is_free=True)
        game = laying(changes={"MF": power}, land=replace(SHIKOKU.land, tiles=tiles))
        if owner == "MF":
            act(game, "KO lay 437 H11 0 with MF")
        else:
            assert "does not fit H11" in refused(game, "KO lay 437 H11 0 with MF")
    game = laying(changes={"MF": Lay("H11", "58", LayBy.COMPANY, is_free=True)})
    assert "does not fit H11" in refused(game, "KO lay 58 H11 0 with MF"), "a tile that others lay too"


def test_a_tile_that_is_the_last_is_never_upgraded() -> None:
    for is_last in (False, True):
        tiles = {**SHIKOKU.land.tiles, TileId("5"): replace(SHIKOKU.land.tiles[TileId("5")], is_last=is_last)}
        game = laying(land=replace(SHIKOKU.land, tiles=tiles))
        lay(game, ("5", "I2", 0))
        following = game.board_rules.possible_upgrades(game.state.board, HexId("I2"))
        assert bool(following) != is_last
    assert "cannot be upgraded any more" in refused(game, "KO lay 12 I2 0")


def towards(goal: str, **values: Any) -> Game:
    """KO may place a token in Kotohira, I4; its destination is that hex of the map."""
    land = SHIKOKU.land
    space = replace(land.map.hexes[HexId(goal)], goals=(company("KO"),))
    board = replace(land, map=replace(land.map, hexes={**land.map.hexes, space.id: space}))
    game = laying(land=board, **values)
    act(game, "KO pass")
    return game


def test_a_token_in_its_destination_brings_a_company_money() -> None:
    game = towards("I4", goal_money=100)
    assert [*game.title.look.spent(game)] == []
    act(game, "KO token I4")
    assert game.state.cash[company("KO")] == 200 - 40 + 100
    assert [*game.title.look.spent(game)] == ["KO"], "the board draws the destination no more"
    for game in (towards("I4"), towards("I2", goal_money=100)):
        act(game, "KO token I4")
        assert game.state.cash[company("KO")] == 160


# -- privates -----------------------------------------------------------------------------------------------


def trading(number: int, **values: Any) -> Game:
    """Ann's turn in that stock round, with a private of Bob's and the Baltimore & Ohio, which no company buys, of Cid's."""
    game = made_up(**values)
    rb.own(game, CS="@2", MH="@2", BO="@3")
    return rb.stock_round(game, number)


def test_players_sell_each_other_privates_from_the_round_of_the_value_on_but_those_that_are_kept() -> None:
    game = trading(1, trades_from=1, not_traded=lambda game: [private("MH")])
    act(game, "@1 buy CS for 33", "@2 agree")
    assert rb.owner_of(game, "CS") == "@1"
    for sign, reason in (("MH", "MH is not sold"), ("BO", "BO is not sold")):
        assert reason in refused(
            trading(1, trades_from=1, not_traded=lambda game: [private("MH")]), f"@1 buy {sign} for 33"
        )
    assert "can be traded from stock round 3 on" in refused(trading(2, trades_from=3), "@1 buy CS for 33")
    told = str(trading(2, trades_from=3).title.words.privates[""])
    assert "from each other from stock round 3 on" in told


def test_players_sell_each_other_nothing_without_the_value() -> None:
    game = trading(2, trades_from=None)
    assert not [move for move in rb.offered(game, "buy") if " CS " in move]
    assert "each other" not in str(game.title.words.privates[""])


def with_bonus(**values: Any) -> Game:
    """As `on_shikoku`, and KO owns a private that brings 30 for a route between the two cities."""
    bonus = RouteBonus("Mail", "K4 I4", 30, **values)
    title = build_title(replace(SHIKOKU, powers={**SHIKOKU.powers, private("TE"): (bonus,)}))
    game = Game.new(title, rb.NAMES[:3], {}, 1)
    rb.started(game, "KO", {"@1": 2, "@2": 3})
    rb.own(game, TE="KO")
    lay(game, ("5", "K4", 0), ("58", "J5", 2), ("5", "I4", 4))
    return rb.operating(game, "KO", ("3",), rb.RUN)


def test_a_private_brings_its_company_a_bonus_for_a_route_that_visits_both_hexes_even_when_it_has_closed() -> None:
    game = with_bonus(until="5")
    assert best_set(game, company("KO")).revenue == 80
    (route,) = best_set(game, company("KO")).routes
    assert dict(route.parts) == {"stops": 50, "Mail": 30}
    close_private(game, game.private(private("TE")))
    assert best_set(game, company("KO")).revenue == 80
    game.state.phase = "5"
    assert best_set(game, company("KO")).revenue == 50
    game = with_bonus()
    game.private(private("TE")).owner = Owner("@1")
    game.board_changed()
    assert best_set(game, company("KO")).revenue == 50, "of the company that owns it"


@pytest.mark.parametrize("for_one_president", [True, False])
def test_a_bonus_for_one_president_ends_with_another(for_one_president: bool) -> None:
    game = with_bonus(for_one_president=for_one_president)
    game.emit(PresidentChanged(company("IR"), as_player("@2")))
    assert best_set(game, company("KO")).revenue == 80
    game.emit(PresidentChanged(company("KO"), as_player("@2")))
    assert best_set(game, company("KO")).revenue == (50 if for_one_president else 80)


def marking(until: str = "") -> Game:
    """KO, with a 2 and a 3, may mark Kotohira, which it reaches, or Matsuyama, which it does not."""
    game = laying(changes={"MF": RevenueMarker("I4 E2", 10, until)})
    give_train(game, "KO", "3")
    return game


def test_a_marker_raises_what_its_companys_trains_earn_until_its_phase_also_when_the_private_has_closed() -> None:
    game = marking("5")
    before = best_set(game, company("KO")).revenue
    act(game, "KO token I4 with MF")
    assert best_set(game, company("KO")).revenue == before + 10, "one of the trains gets to Kotohira"
    assert [(mark.hex, mark.text, mark.company) for mark in game.title.look.marks(game)] == [("I4", "MF", "KO")]
    assert "used up" in refused(game, "KO token I4 with MF")
    close_private(game, game.private(private("MF")))
    assert best_set(game, company("KO")).revenue == before + 10
    game.state.phase = "5"
    assert best_set(game, company("KO")).revenue == before and not [*game.title.look.marks(game)]


def test_a_marker_needs_a_train_and_a_way_and_is_of_its_owner() -> None:
    game = marking()
    assert "KO has no route to E2." in refused(game, "KO token E2 with MF")
    assert "MF marks one of these hexes: I4, E2." in refused(game, "KO token K4 with MF")
    game.private(private("MF")).owner = Owner("@1")
    assert "MF does not belong to KO, or its marker is used up." in refused(game, "KO token I4 with MF")
    game = laying(changes={"MF": RevenueMarker("I4", 10)})
    game.state.trains = [train for train in game.state.trains if train.owner != "KO"]
    assert "KO has no train." in refused(game, "KO token I4 with MF")
    game = laying(changes={"MF": RevenueMarker("E2", 10)})
    act(game, "KO pass")
    assert "KO has no route to E2." in refused(game, "KO token E2 with MF"), "its own reason, in the token step too"


def test_a_train_that_doubles_cities_does_not_double_a_marker() -> None:
    twice = TrainRun(2, Towns.FREE, 2)
    powers = {**SHIKOKU.powers, private("MF"): (RevenueMarker("I4", 10),)}
    values = replace(SHIKOKU, powers=powers, runs={"2": twice})
    game = Game.new(build_title(values), rb.NAMES[:3], {}, 1)
    rb.started(game, "KO", {"@1": 3})
    rb.own(game, MF="KO")
    lay(game, ("5", "K4", 0), ("58", "J5", 2), ("5", "I4", 4))
    rb.operating(game, "KO", ["2"])
    assert best_set(game, company("KO")).revenue == 90
    act(game, "KO token I4 with MF")
    assert best_set(game, company("KO")).revenue == 100


def test_another_companys_trains_earn_nothing_by_a_marker() -> None:
    game = marking()
    act(game, "KO token I4 with MF")
    before = best_set(game, company("KO")).revenue
    game.private(private("MF")).owner = Owner("IR")
    game.board_changed()
    assert best_set(game, company("KO")).revenue == before - 10


def helped(power: TokenHelp) -> Game:
    """KO's token step, with a private that helps."""
    game = laying(changes={"MF": power})
    act(game, "KO pass")
    assert game.frame.at == rb.TOKEN
    return game


def test_a_private_places_its_companys_token_even_out_of_reach_for_a_part_of_the_price() -> None:
    game = helped(TokenHelp("E4 A10"))
    assert "MF places a token on one of these hexes: E4, A10." in refused(game, "KO token I4 with MF")
    act(game, "KO token A10 with MF")
    assert game.state.cash[company("KO")] == 200 and game.company(company("KO")).tokens_left == ()
    assert company("KO") in game.state.board.tokens_in(HexId("A10"), 0) and game.private(private("MF")).ability_used
    game = helped(TokenHelp(percent=50))
    assert "no route" in refused(game, "KO token A10 with MF")
    act(game, "KO token I4 with MF")
    assert game.state.cash[company("KO")] == 180


def test_a_helper_that_is_used_anothers_or_without_a_token_places_none() -> None:
    for spoil in ("owner", "used", "token"):
        game = helped(TokenHelp("A10"))
        if spoil == "owner":
            game.private(private("MF")).owner = Owner("IR")
        elif spoil == "used":
            game.private(private("MF")).ability_used = True
        else:
            game.company(company("KO")).tokens_left = ()
        assert ("no token left" if spoil == "token" else "used up") in refused(game, "KO token A10 with MF")
        assert not [move for move in rb.offered(game, "token") if "MF" in move]
    assert "does not help with tokens" in refused(helped(TokenHelp("A10")), "KO token I4 with ER")


@pytest.mark.parametrize(
    ("power", "price", "closes"),
    [
        (TrainDiscount("2 3", percent=50), 40, True),
        (TrainDiscount("2", amount=30, closes=False), 50, False),
    ],
)
def test_a_private_makes_one_new_train_cheaper(power: TrainDiscount, price: int, closes: bool) -> None:
    game = made_up(powers={**BOX.powers, private("CS"): (power,)})
    rb.started(game, "PRR", {"@1": 4}, cash=3000)
    rb.own(game, CS="PRR")
    rb.operating(game, "PRR", step=rb.TRAINS)
    assert f"PRR buy 2 for {price} with CS" in rb.offered(game, "buy")
    assert "A 2 costs" in refused(game, "PRR buy 2 for 1 with CS")
    act(game, f"PRR buy 2 for {price} with CS")
    assert game.state.cash[company("PRR")] == 3000 - price
    assert game.private(private("CS")).closed == closes
    refused(game, f"PRR buy 2 for {price} with CS")
    assert not [move for move in rb.offered(game, "buy") if "CS" in move]


def test_a_discount_is_for_its_trains_and_its_owner() -> None:
    game = made_up(powers={**BOX.powers, private("CS"): (TrainDiscount("3", percent=50),)})
    rb.started(game, "PRR", {"@1": 4}, cash=3000)
    rb.own(game, CS="PRR", MH="PRR")
    rb.operating(game, "PRR", step=rb.TRAINS)
    assert "CS gives no discount on a 2 train." in refused(game, "PRR buy 2 for 40 with CS")
    assert "MH gives no discount on a 2 train." in refused(game, "PRR buy 2 for 40 with MH")
    rb.reach_phase(game, "3")
    game.private(private("CS")).owner = Owner("@1")
    assert "CS does not belong to PRR" in refused(game, "PRR buy 3 for 90 with CS")
