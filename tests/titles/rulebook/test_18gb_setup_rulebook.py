"""18GB by a second reader of the rules: what is in the game, the auction, privates."""

from __future__ import annotations

import pytest

from bot.engine.ids import Owner, TileId
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.events import RoutesRun
from tests.titles import builders_18gb as gb
from tests.titles.positions import act, cash, lay, refused, set_cash, token

SCENARIOS = {
    "2 north-south": (2, {"map": "north-south"}),
    "2 east-west": (2, {"map": "east-west"}),
    "3": (3, {}),
    "4 standard": (4, {"companies": "standard"}),
    "4 alternative": (4, {"companies": "alternative"}),
    "5": (5, {}),
    "6": (6, {}),
}
NORTH = {"CR", "LNWR", "LYR", "MR", "NBR", "NER"}
EVERYBODY = NORTH | {"GER", "GSWR", "GWR", "LSWR", "MSLR", "SWR"}
PRIVATES = {
    "LB": (40, 10),
    "AF": (30, 10),
    "GN": (70, 25),
    "SD": (35, 12),
    "LM": (45, 15),
    "LS": (30, 10),
    "TV": (60, 25),
    "MC": (50, 20),
    "CH": (30, 10),
}
"""Price and income."""


def scenario(name: str, seed: int = 1) -> Game:
    players, options = SCENARIOS[name]
    return gb.new_game(players, seed, **options)


# -- the corporations and private companies used depend on the player count --------------------------


@pytest.mark.parametrize(
    ("name", "money"),
    [
        ("2 north-south", 375),
        ("2 east-west", 375),
        ("3", 330),
        ("4 standard", 330),
        ("4 alternative", 330),
        ("5", 320),
        ("6", 305),
    ],
)
def test_set_up_money_by_players(name: str, money: int) -> None:
    game = scenario(name)
    assert {cash(game, player.id) for player in game.state.players} == {money}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("2 north-south", (4, 3, 3, 1, 2, 2, 6)),
        ("2 east-west", (4, 3, 3, 1, 2, 2, 6)),
        ("3", (5, 4, 4, 1, 2, 2, 7)),
        ("4 standard", (7, 5, 5, 2, 3, 2, 7)),
        ("4 alternative", (7, 5, 5, 2, 3, 2, 7)),
        ("5", (9, 6, 5, 3, 3, 3, 8)),
        ("6", (10, 7, 6, 3, 3, 3, 8)),
    ],
)
def test_set_up_trains_by_players(name: str, counts: tuple[int, ...]) -> None:
    game = scenario(name)
    assert tuple(gb.number_in_depot(game, family) for family in gb.FAMILIES) == counts


@pytest.mark.parametrize(
    ("name", "companies"),
    [
        ("2 north-south", NORTH),
        ("2 east-west", {"GER", "GWR", "LNWR", "LSWR", "MR", "SWR"}),
        ("4 standard", EVERYBODY - {"GER", "GSWR", "MSLR"}),
        ("4 alternative", EVERYBODY - {"GER", "LSWR", "SWR"}),
        ("5", EVERYBODY),
        ("6", EVERYBODY),
    ],
)
def test_set_up_companies_by_players(name: str, companies: set[str]) -> None:
    assert {record.id for record in scenario(name).state.companies.values() if not record.closed} == companies


@pytest.mark.parametrize(
    ("name", "privates"),
    [
        ("2 north-south", {"LB", "AF", "GN", "SD", "LM", "LS"}),
        ("2 east-west", {"LB", "GN", "LM", "LS", "TV", "CH"}),
        ("3", {"LB", "AF", "GN", "SD", "LM", "LS"}),
        ("4 standard", set(PRIVATES) - {"MC"}),
        ("4 alternative", set(PRIVATES) - {"TV"}),
        ("5", set(PRIVATES)),
        ("6", set(PRIVATES)),
    ],
)
def test_set_up_privates_by_players(name: str, privates: set[str]) -> None:
    assert set(scenario(name).state.privates) == privates


def test_set_up_three_players_add_one_of_three_companies() -> None:
    drawn = [set(scenario("3", seed).state.companies) - NORTH for seed in range(1, 25)]
    assert all(len(extra) == 1 for extra in drawn)
    assert set().union(*drawn) == {"GSWR", "GWR", "MSLR"}


@pytest.mark.parametrize(
    ("name", "there", "missing"),
    [
        ("2 north-south", ["G4", "I6", "D23", "E22"], ["A20", "C22", "C14", "a25"]),
        ("2 east-west", ["A20", "C22", "H9", "J11"], ["G4", "I6", "I4", "G0"]),
        ("3", ["G4", "A20", "J25"], []),
    ],
)
def test_set_up_the_map_by_players(name: str, there: list[str], missing: list[str]) -> None:
    spaces = scenario(name).board_rules.map.hexes
    assert all(space in spaces for space in there)
    assert not any(space in spaces for space in missing)


@pytest.mark.parametrize(
    ("name", "gray"), [("2 north-south", 0), ("3", 0), ("4 standard", 0), ("4 alternative", 0), ("5", 2), ("6", 2)]
)
def test_set_up_gray_tiles_with_five_and_six(name: str, gray: int) -> None:
    game = scenario(name)
    assert [
        tile in game.board_rules.tiles and game.board_rules.tiles_left(game, TileId(tile))
        for tile in ("G31", "G35", "912")
    ] == [gray] * 3


@pytest.mark.parametrize("players", [1, 7])
def test_set_up_two_to_six_players(players: int) -> None:
    with pytest.raises(Rejected):
        Game.new(gb.TITLE, [*gb.NAMES, "Gus"][:players], {}, 1)


# -- the auction --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sign", "price"), [(sign, price) for sign, (price, _) in PRIVATES.items()])
def test_auction_the_minimum_bid_is_the_price(sign: str, price: int) -> None:
    game = gb.new_game(6)
    refused(game, f"@1 bid {sign} {price - 5}")
    refused(game, f"@1 bid {sign} {price - 1}")
    act(game, f"@1 bid {sign} {price}")


@pytest.mark.parametrize(("bid", "may"), [(70, False), (71, False), (74, False), (75, True), (80, True), (305, True)])
def test_auction_a_higher_bid_is_at_least_5_higher(bid: int, may: bool) -> None:
    game = gb.new_game(6)
    act(game, "@1 bid GN 70")
    if may:
        act(game, f"@2 bid GN {bid}")
    else:
        refused(game, f"@2 bid GN {bid}")


@pytest.mark.parametrize(("second", "may"), [(235, True), (240, False)])
def test_auction_nobody_bids_more_than_all_his_leading_bids_leave(second: int, may: bool) -> None:
    game = gb.new_game(6)
    act(game, "@1 bid GN 70", *(f"@{seat} bid LB {40 + 5 * seat}" for seat in range(2, 7)))
    if may:
        act(game, f"@1 bid SD {second}")
    else:
        refused(game, f"@1 bid SD {second}")


def test_auction_passing_needs_a_winning_bid_or_a_bid_on_everything() -> None:
    game = gb.new_game(3)
    refused(game, "@1 pass")
    act(game, "@1 bid LB 40")
    refused(game, "@2 pass")
    act(game, "@2 bid LB 45", "@3 bid AF 30")
    refused(game, "@1 pass")  # he was overbid
    act(game, "@1 bid SD 35", "@2 pass")


def test_auction_whoever_leads_nothing_may_pass_when_everything_has_a_bid() -> None:
    game = gb.new_game(3)
    act(game, "@1 bid LB 40", "@2 bid AF 30", "@3 bid GN 70", "@1 bid SD 35", "@2 bid LM 45", "@3 bid LS 30")
    act(game, "@1 bid AF 35", "@2 bid SD 40", "@3 pass", "@1 pass", "@2 bid LB 45", "@3 bid AF 40")
    act(game, "@1 pass")


def test_auction_when_all_pass_the_highest_bidders_pay_and_the_rest_is_10_cheaper() -> None:
    game = gb.new_game(3)
    act(game, "@1 bid LB 40", "@2 bid LB 45", "@3 bid GN 90", "@1 bid SD 35")
    act(game, "@2 pass", "@3 pass", "@1 pass")
    assert [cash(game, seat) for seat in ("@1", "@2", "@3")] == [330 - 35, 330 - 45, 330 - 90]
    assert [game.private(Owner(sign)).owner for sign in ("SD", "LB", "GN")] == ["@1", "@2", "@3"]
    assert [game.private(Owner(sign)).price for sign in ("AF", "LM", "LS")] == [20, 35, 20]


def test_auction_the_first_stock_round_goes_by_least_cash() -> None:
    game = gb.new_game(3)
    act(game, "@1 bid LB 40", "@2 bid AF 60", "@3 bid GN 70", "@1 bid SD 35", "@2 bid LM 45", "@3 bid LS 30")
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert [cash(game, seat) for seat in ("@1", "@2", "@3")] == [255, 225, 230]
    assert game.state.order == ["@2", "@3", "@1"]
    assert game.players_to_act() == ("@2",)


def test_auction_of_equals_whoever_has_more_privates_goes_first() -> None:
    game = gb.new_game(3)
    act(game, "@1 bid LM 75", "@2 bid LB 40", "@3 bid GN 70", "@1 pass", "@2 bid SD 35", "@3 bid AF 30")
    act(game, "@1 pass", "@2 pass", "@3 bid LS 30", "@1 pass", "@2 pass", "@3 pass")
    assert [cash(game, seat) for seat in ("@1", "@2", "@3")] == [255, 255, 200]
    assert game.state.order == ["@3", "@2", "@1"]


# -- privates -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sign", "income"), [(sign, income) for sign, (_, income) in PRIVATES.items()])
def test_privates_open_ones_pay_at_the_start_of_every_operating_round(sign: str, income: int) -> None:
    for part in (1, 2):
        game = gb.new_game(6)
        gb.own(game, **{sign: "@2"})
        gb.started(game, "MR")
        gb.operating_round(game, part)
        assert cash(game, "@2") == 305 + income


def test_privates_closed_ones_pay_nothing() -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.closed(game, "GN", "@2")
    gb.started(game, "MR")
    gb.operating_round(game)
    assert cash(game, "@2") == 305


@pytest.mark.parametrize(("sign", "income"), [(sign, income) for sign, (_, income) in PRIVATES.items()])
def test_privates_closing_pays_one_last_time(sign: str, income: int) -> None:
    game = gb.new_game(6)
    gb.own(game, **{sign: "@2"})
    gb.started(game, "MR")
    gb.operating(game, "MR", ["2+1"])
    act(game, f"@2 close {sign}")
    assert cash(game, "@2") == 305 + income
    refused(game, f"@2 close {sign}")


def test_privates_do_not_close_in_the_first_stock_round_but_in_the_second() -> None:
    game = gb.new_game(6)
    gb.own(game, GN="@1")
    refused(gb.stock_round(game, 1), "@1 close GN")
    act(gb.stock_round(game, 2), "@1 close GN")


def test_privates_are_closed_by_their_owners_alone() -> None:
    game = gb.new_game(6)
    gb.own(game, GN="@1")
    refused(gb.stock_round(game, 2), "@2 close GN")


@pytest.mark.parametrize("director", ["@1", "@2"])
@pytest.mark.parametrize("phase", ["2+1", "3+1"])
def test_privates_keep_their_hex_even_from_their_owners_companies(phase: str, director: str) -> None:
    game = gb.new_game(6)
    gb.own(game, GN="@1")
    gb.reach_phase(game, phase)
    gb.started(game, "MR", director=director)
    lay(game, ("G41", "H19", 1))
    gb.operating(game, "MR", ["2+1"])
    refused(game, "MR lay 8 I18 1")


def test_privates_give_way_in_the_blue_phase_and_close() -> None:
    game = gb.new_game(6)
    gb.own(game, GN="@2")
    gb.reach_phase(game, "4+2")
    gb.started(game, "MR")
    lay(game, ("G41", "H19", 1))
    gb.operating(game, "MR", ["4+2"])
    act(game, "MR lay 8 I18 1")
    assert game.private(Owner("GN")).closed


def test_privates_count_towards_no_limit() -> None:
    game = gb.new_game(6)
    gb.own(game, **dict.fromkeys(PRIVATES, "@1"))
    for name in ("MR", "LNWR", "GWR"):
        gb.started(game, name, {"@1": 2})
    gb.started(game, "NER", {"@1": 1}, director="@2")
    gb.started(game, "NBR", {"@1": 1}, director="@2")
    set_cash(game, "@1", 1000)
    gb.stock_round(game)
    act(game, "@1 buy NER from ipo")


BONUSES = {
    "SD": ("NER", "J13", (("G40", "J13", 2), ("3", "I12", 5)), 10 + 10, 10),
    "LM": ("LNWR", "G16", (("G03", "G16", 2), ("9", "F15", 2)), 30 + 20, 30),
    "CH": ("LNWR", "G16", (("G03", "G16", 1), ("58", "F17", 2), ("9", "E16", 2)), 30 + 10 + 10, 20),
}
"""The company, its token's place, the track to the private's place, what the run earns, what the private adds."""


@pytest.mark.parametrize("sign", BONUSES)
@pytest.mark.parametrize(("director", "is_closed", "adds"), [("@1", True, 1), ("@2", True, 0), ("@1", False, 0)])
def test_privates_closed_ones_add_to_runs_of_their_owners_companies(
    sign: str, director: str, is_closed: bool, adds: int
) -> None:
    name, space, track, revenue, bonus = BONUSES[sign]
    game = gb.new_game(6)
    gb.own(game, **({} if is_closed else {sign: "@1"}))
    if is_closed:
        gb.closed(game, sign)
    gb.started(game, name, director=director)
    if not game.state.board.has_token(space, Owner(name)):
        token(game, name, space)
    lay(game, *track)
    gb.operating(game, name, ["2+1"], step=gb.RUN)
    events = act(game, gb.offered(game, "run")[0])
    assert [event.revenue for event in events if isinstance(event, RoutesRun)] == [revenue + adds * bonus]


@pytest.mark.parametrize(("closes", "paid"), [(True, 0), (False, None)])
def test_privates_taff_vale_pays_for_the_severn_tunnel(closes: bool, paid: int | None) -> None:
    game = gb.new_game(6)
    gb.own(game, **({} if closes else {"TV": "@1"}))
    if closes:
        gb.closed(game, "TV")
    gb.started(game, "GWR", cash=200)
    lay(game, ("G40", "D25", 3), ("G19", "D23", 0))
    gb.reach_phase(game, "4+2")
    gb.operating(game, "GWR", ["2+1"])
    if paid is None:
        refused(game, "GWR lay G33 C22 0 with TV")
    else:
        act(game, "GWR lay G33 C22 0 with TV")
        assert cash(game, "GWR") == 200


@pytest.mark.parametrize(("sign", "space", "other"), [("GN", "I14", "H9"), ("MC", "H9", "I14")])
@pytest.mark.parametrize("phase", ["2+1", "3+1"])
def test_privates_keep_a_place_for_a_token_until_the_blue_phase(sign: str, space: str, other: str, phase: str) -> None:
    game = gb.new_game(6)
    gb.own(game)
    gb.closed(game, sign, "@2")
    gb.reach_phase(game, phase)
    gb.started(game, "NER", cash=500)
    reach = {"I14": (("G40", "J13", 1), ("G41", "I14", 1)), "H9": (("G41", "H9", 0),)}
    lay(game, *reach[space])
    if space == "H9":
        lay(game, ("G40", "J13", 2), ("8", "I12", 3))
    gb.operating(game, "NER", ["2+1"])
    refused(game, f"NER token {space}")
