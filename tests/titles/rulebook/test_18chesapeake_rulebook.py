"""18Chesapeake by a second reader, who has read what is known of its rules and none of its code, with two players and off the rails
too; as in `test_1889_rulebook.py`."""

from __future__ import annotations

import pytest

from bot.engine.ids import DEPOT, IPO, POOL, REMOVED, HexId, Owner
from bot.engine.play.game import Game
from tests.rearrangement import rearrange
from tests.titles import builders_classic as rb
from tests.titles.positions import act, cash, company, empty_depot, give_train, lay, refused, set_cash

TITLE = "18Chesapeake"


def auction(*moves: str, players: int = 3) -> Game:
    game = rb.new_game(TITLE, players)
    act(game, *moves)
    return game


def shares(number: int = 2, players: int = 3, player: str = "@1", **options: str) -> Game:
    """A stock round: LV of @1 (40%), @2 (30%), the pool (10%) and the bank; its price is 95, off the rails 100."""
    game = rb.new_game(TITLE, players, **options)
    rb.own(game)
    rb.started(game, "LV", {"@1": 2, "@2": 3, POOL: 1})
    return rb.stock_round(game, number, player)


def turn(name: str = "LV", step: int = rb.TRACK, phase: str = "2", **more: object) -> Game:
    game = rb.new_game(TITLE)
    rb.own(game, **more.pop("privates", {}))  # type: ignore[arg-type]
    rb.started(game, name, {"@1": 3, POOL: 1})
    rb.reach_phase(game, phase)
    return rb.operating(game, name, step=step, phase=phase, **more)  # type: ignore[arg-type]


def left(game: Game, family: str) -> int:
    return sum(train.family == family and train.owner == DEPOT for train in game.state.trains)


# -- the box and the auction ------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "money", "limit"), [(2, 1200, 20), (3, 800, 20), (4, 600, 16), (5, 480, 13), (6, 400, 11)])  # fmt: skip
def test_money_and_limits_by_number_of_players(players: int, money: int, limit: int) -> None:
    game = rb.new_game(TITLE, players)
    assert cash(game, "@1") == money and cash(game, "bank") == 8000 - players * money
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == limit


PASSES = ("@1 pass", "@2 pass", "@3 pass")


@pytest.mark.parametrize(("moves", "refusal"), [
    (["@1 bid CV 200"], "205"),
    (["@1 bid CV 207"], "multiples of $5"),
    (["@1 bid CV 205", "@2 bid CV 205"], "210"),
    (["@1 bid CV 700", "@2 pass", "@3 pass", "@1 bid B&OR 105"], "100"),
])  # fmt: skip
def test_of_the_auction_these_moves_are_refused(moves: list[str], refusal: str) -> None:
    assert refusal in refused(auction(*moves[:-1]), moves[-1])


@pytest.mark.parametrize(("moves", "money", "trains"), [
    ([*PASSES, "@1 bid D&R 15"], 785, 7),
    (["@1 bid D&R 20", "@2 pass", "@3 pass", "@1 pass"], 785, 6),
])  # fmt: skip
def test_all_pass_lowers_the_first_private_or_pays_and_exports(moves: list[str], money: int, trains: int) -> None:
    game = auction(*moves)
    assert (cash(game, "@1"), left(game, "2")) == (money, trains)


# -- stock rounds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "prices"), [
    ({}, [95, 80, 70]), ({"variant": "off the rails"}, [100, 90, 82, 76, 71, 67]),
])  # fmt: skip
def test_first_prices(options: dict[str, str], prices: list[int]) -> None:
    market = rb.new_game(TITLE, **options).title.market
    assert [market.price(cell) for cell in market.cells_in("p")] == prices


def test_shares_are_sold_one_after_the_other_and_before_the_purchase() -> None:
    game = shares(2, player="@2")
    act(game, "@2 sell 1 LV", "@2 sell 1 LV")
    assert rb.price(game, "LV") == 80 and cash(game, "@2") == 800 + 95 + 85
    act(game, "@2 par PRR 70")
    assert game.player_in_turn != "@2"


@pytest.mark.parametrize(("number", "move", "refusal"), [
    (1, "@1 sell 1 LV", "first stock round"), (2, "@1 par PRR 90", "not 90"),
])  # fmt: skip
def test_in_a_stock_round_these_moves_are_refused(number: int, move: str, refusal: str) -> None:
    assert refusal in refused(shares(number), move)


@pytest.mark.parametrize(("options", "cell", "counts", "may_buy"), [
    ({}, (4, 2), True, False),
    ({}, (7, 0), False, False),
    ({"variant": "off the rails"}, (3, 0), False, False),
    ({"variant": "off the rails"}, (6, 0), False, True),
    ({"variant": "off the rails"}, (8, 0), False, True),
])  # fmt: skip
def test_colours_lift_the_certificate_limit_and_orange_and_brown_the_60_percent(
    options: dict[str, str], cell: tuple[int, int], counts: bool, may_buy: bool
) -> None:
    game = rb.new_game(TITLE, **options)
    rb.started(game, "LV", {"@1": 4})
    rb.price_at(game, "LV", cell)
    rb.stock_round(game)
    assert game.title.rules.counts_for_limit(game, company("LV")) == counts
    assert ("@1 buy LV" in rb.offered(game, "buy")) == may_buy


@pytest.mark.parametrize(("number", "floats"), [(3, False), (4, True)])
def test_a_company_floats_at_60_percent_with_ten_times_its_first_price(number: int, floats: bool) -> None:
    game = rb.new_game(TITLE)
    rb.started(game, "LV", {"@1": number - 1}, cash=0, par=70, floated=False)
    rb.stock_round(game, 1, "@2")
    act(game, "@2 buy LV")
    assert game.company(company("LV")).floated == floats and cash(game, "LV") == (700 if floats else 0)


# -- operating rounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "rounds", "limit"), [("2", 1, 4), ("3", 2, 4), ("4", 2, 3), ("5", 3, 2), ("6", 3, 2), ("D", 3, 2)])  # fmt: skip
def test_phases_set_rounds_and_limits(phase: str, rounds: int, limit: int) -> None:
    found = rb.new_game(TITLE).title.phase(phase)
    assert (found.operating_rounds, found.train_limit, "gray" in found.colours) == (rounds, limit, phase == "D")


@pytest.mark.parametrize(("name", "more"), [("PRR", (40, 60, 80)), ("C&O", (40, 60, 80)), ("PLE", (40, 60)), ("B&O", (40, 60)), ("N&W", (40, 60)), ("SRR", (40,)), ("LV", (40,)), ("C&A", (40,))])  # fmt: skip
def test_what_further_tokens_cost(name: str, more: tuple[int, ...]) -> None:
    assert rb.new_game(TITLE).title.companies[company(name)].tokens == (0, *more)


def test_homes_are_placed_in_the_companies_own_first_turns() -> None:
    game = rb.new_game(TITLE)
    rb.own(game)
    for name, player in (("LV", "@1"), ("PRR", "@2")):
        rb.started(game, name, {player: 4}, player, floated=False)
        game.company(company(name)).floated = True
    rb.stock_round(game)
    while game.state.round.kind == "stock":
        act(game, f"{game.player_in_turn} pass")
    placed = [name for name in ("LV", "PRR") if [*game.state.board.cities_of(company(name))]]
    assert placed == [game.company_in_turn]


@pytest.mark.parametrize(("hex_id", "tiles"), [("J4", "X3 X4 X5"), ("H6", "X3 X4 X5"), ("F8", "X1")])
def test_cities_with_tiles_of_their_own(hex_id: str, tiles: str) -> None:
    game = rb.new_game(TITLE)
    assert game.board_rules.possible_upgrades(game.state.board, HexId(hex_id)) == tiles.split()


@pytest.mark.parametrize(("hex_id", "cost"), [("D4", 80), ("G3", 40), ("H6", 40), ("J4", 0), ("H2", 0), ("F4", 0)])
def test_what_the_ground_costs(hex_id: str, cost: int) -> None:
    assert rb.new_game(TITLE).board_rules.map.hexes[HexId(hex_id)].cost == cost


@pytest.mark.parametrize(("pair", "group"), [(("A3", "B2"), "Pittsburgh"), (("A13", "B14"), "Coal")])
def test_two_spaces_are_one_area(pair: tuple[str, str], group: str) -> None:
    hexes = rb.new_game(TITLE).board_rules.map.hexes
    assert all(group in node.groups for name in pair for node in hexes[HexId(name)].printed.nodes)


@pytest.mark.parametrize(("options", "price"), [({}, 700), ({"variant": "off the rails"}, 800)])
def test_a_d_costs_less_for_another_train_once_a_6_is_sold(options: dict[str, str], price: int) -> None:
    game = rb.new_game(TITLE, **options)
    rb.own(game)
    rb.started(game, "LV", {"@1": 3})
    for phase in ("5", "6"):
        rb.reach_phase(game, phase)
        rb.operating(game, "LV", step=rb.TRAINS, phase=phase)
        give_train(game, "LV", "4") if phase == "5" else None
        if phase == "5":
            assert refused(game, f"LV buy D for {price} trade 4")
    act(game, f"LV buy D for {price} trade 4")
    assert cash(game, "LV") == 1000 - price


def test_an_exported_4_rusts_the_2s_and_5s_are_never_exported() -> None:
    game = rb.new_game(TITLE)
    rb.own(game)
    rb.started(game, "LV", {"@1": 3})
    empty_depot(game, ["2", "3", "4", "5", "6", "D"], "4")
    game.state.phase = "3"
    rb.operating(game, "LV", trains=("2",), step=rb.TRAINS, phase="3")
    rb.started(game, "PRR", {"@2": 3}, "@2")
    game.state.round.part = game.state.round.of
    while game.state.round.kind == "operating":
        act(game, f"{game.actor_in_turn} pass")
    assert game.state.phase == "4" and left(game, "4") == 4
    assert not any(train.kind == "2" and train.owner != REMOVED for train in game.state.trains)


# -- a president in need ----------------------------------------------------------------------------------


def need(money: int, own: int = 0) -> Game:
    """LV must buy a train and has 10; PRR of @2 has one, and @1 so many shares of it."""
    game = rb.new_game(TITLE)
    rb.own(game)
    rb.started(game, "LV", {"@1": 3})
    rb.started(game, "PRR", {"@2": 2, "@1": own}, "@2")
    give_train(game, "PRR", "2")
    lay(game, ("57", "J2", 1))
    set_cash(game, "LV", 10)
    set_cash(game, "@1", money)
    return rb.operating(game, "LV", step=rb.TRAINS)


@pytest.mark.parametrize(("price", "is_sold"), [(80, True), (81, False)])
def test_a_president_pays_for_another_companys_train_at_most_its_face(price: int, is_sold: bool) -> None:
    game = need(200)
    if is_sold:
        act(game, f"LV buy 2 from PRR for {price}")
    else:
        assert refused(game, f"LV buy 2 from PRR for {price}")


def test_a_sale_in_need_may_change_another_presidency_but_not_the_companys_own() -> None:
    game = need(0, 4)
    assert not any(" LV" in move and "sell 5" in move for move in rb.offered(game, "sell"))
    record = game.company(company("LV"))
    record.move_certificates(record.certificates[5:8], Owner("@2"))
    assert refused(game, "LV sell 3 LV")
    game = need(0)
    rearrange(game, game.company(company("PRR")).certificates[0], owner=Owner("@1"))
    for certificate in game.company(company("PRR")).certificates[1:4]:
        rearrange(game, certificate, owner=Owner("@2") if certificate.owner in ("@2", IPO) else certificate.owner)
    act(game, "LV sell 1 PRR")
    assert game.controller_of(Owner("PRR")) == "@2"


# -- privates ---------------------------------------------------------------------------------------------


def test_vanderbilt_closes_with_its_companys_first_train_and_is_never_sold() -> None:
    game = auction(
        "@1 bid D&R 20", "@2 bid C-P 40", "@3 bid B&S 50", "@1 bid C&OC 80", "@2 bid B&OR 100", "@3 bid CV 200"
    )
    drawn = next(move for move in rb.offered(game, "par")).split()[2]
    assert game.title.privates[company("CV")].price_range is None  # type: ignore[index]
    act(game, f"@3 par {drawn} 80")
    game.company(company(drawn)).floated = True
    set_cash(game, drawn, 200)
    rb.operating(game, drawn, step=rb.TRAINS)
    act(game, f"{drawn} buy 2 for 80")
    assert rb.owner_of(game, "CV") is None and rb.owner_of(game, "D&R") == "@1"


@pytest.mark.parametrize(("hex_id", "private"), [("K3", "D&R"), ("H2", "C-P"), ("I3", "C-P"), ("F4", "B&S"), ("G5", "B&S"), ("D2", "C&OC")])  # fmt: skip
def test_hexes_are_closed_while_a_player_owns_their_private(hex_id: str, private: str) -> None:
    game = turn(privates={private: "@2"})
    tile = "1" if hex_id == "K3" else "57" if hex_id == "D2" else "8"
    assert f"blocked by {private}" in refused(game, f"LV lay {tile} {hex_id} 0")


def test_the_canals_tile_is_the_turns_tile_and_its_token_the_turns_token() -> None:
    game = turn("PRR", privates={"C&OC": "PRR"})
    act(game, next(move for move in rb.offered(game, "lay") if "57 D2" in move), "PRR token D2")
    assert cash(game, "PRR") == 920 and list(game.company(company("PRR")).tokens_left) == [60, 80]
    assert not rb.offered(game, "lay") and not rb.offered(game, "token")


def test_a_pair_lies_beside_the_turns_tile_and_its_private_stays_open() -> None:
    game = turn("PLE", privates={"B&S": "PLE"})
    act(game, next(move for move in rb.offered(game, "lay") if "F4" in move and "B&S" in move))
    act(game, next(move for move in rb.offered(game, "lay") if "G5" in move))
    assert cash(game, "PLE") == 1000 and rb.owner_of(game, "B&S") == "PLE"
    assert not any("B&S" in move for move in rb.offered(game, "lay"))
