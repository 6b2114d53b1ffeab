"""1861 by a second reader, who has read what is known of its rules and none of its code: what differs from 1867.

As in `test_1867_rulebook.py`; the national railway has `test_1861_national_rulebook.py`."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, DEPOT, POOL, REMOVED, HexId, Owner
from bot.engine.play.game import Game
from bot.engine.state.state import TurnMemory
from tests.rearrangement import rearrange
from tests.titles.builders_merging import (
    cell,
    in_turn,
    merger_round,
    named,
    new_game,
    offered,
    passes,
    place,
    price,
    reach_phase,
    sold,
    started,
    stock_turn,
)
from tests.titles.positions import act, cash, company, give_train, lay, refused, token

TITLE = "1861"
YELLOW = {"RO": ("B4", 0), "KB": ("D14", 1), "OK": ("D20", 0), "KK": ("D14", 2), "SPW": ("E1", 0), "KR": ("G15", 0), "N": ("H8", 1), "M-K": ("H8", 0), "MNN": ("H8", 2), "MV": ("I13", 0)}  # fmt: skip
GREEN = {"MB": ("E9", 0), "Y": ("H18", 0), "V": ("I19", 0), "TR": ("K17", 0), "SV": ("N10", 0), "E": ("Q3", 0)}
MAJORS = {"NW", "SW", "SE", "MVR", "MK", "GRR", "MKN", "MKV"}
PRIVATES = {"TSR": (30, 10), "BSS": (45, 15), "MYR": (60, 20), "MRR": (75, 25), "WVR": (90, 30)}


def base(phase: str = "4", players: int = 3, **options: str) -> Game:
    return reach_phase(sold(new_game(TITLE, players, **options)), phase)


def owned(phase: str, **privates: str) -> Game:
    return reach_phase(sold(new_game(TITLE), **privates), phase)


def all_pass(game: Game) -> None:
    kind = game.state.round.kind
    while game.state.round.kind == kind:
        passes(game, 1)


def stocks(phase: str = "4", player: str = "@1", **options: str) -> Game:
    return stock_turn(base(phase, **options), player)


# -- the same as 1867 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "money", "limit"), [(2, 420, 21), (3, 420, 21), (4, 315, 16), (5, 252, 13), (6, 210, 11)])  # fmt: skip
def test_money_and_limits_by_number_of_players(players: int, money: int, limit: int) -> None:
    game = new_game(TITLE, players)
    assert [cash(game, player) for player in game.state.order] == [money] * players
    assert cash(game, BANK) == 15000 - players * money
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == limit


@pytest.mark.parametrize(("name", "value", "income"), [(name, *rest) for name, rest in PRIVATES.items()])
def test_the_privates_and_their_first_bids(name: str, value: int, income: int) -> None:
    game = new_game(TITLE)
    for earlier in list(PRIVATES)[: list(PRIVATES).index(name)]:
        act(game, f"{game.player_in_turn} bid {earlier} {PRIVATES[earlier][0] * 2 // 3}")
        passes(game, 2)
    player = game.player_in_turn
    refused(game, f"{player} bid {name} {value * 2 // 3 - 5}")
    act(game, f"{player} bid {name} {value * 2 // 3}")
    spec = game.title.privates[name]  # type: ignore[index]
    assert (spec.price, spec.income, spec.price_range) == (value, income, (1, value))


TRAINS = {"2": (10, 100, "4"), "3": (7, 225, "6"), "4": (4, 350, "8"), "5": (4, 550, None), "6": (2, 650, None), "7": (2, 800, None), "8": (None, 1000, None), "2+2": (None, 600, None), "5+5E": (None, 1500, None)}  # fmt: skip


@pytest.mark.parametrize(("kind", "number", "value", "rusts"), [(kind, *rest) for kind, rest in TRAINS.items()])
def test_the_trains(kind: str, number: int | None, value: int, rusts: str | None) -> None:
    game = new_game(TITLE)
    spec = game.title.trains[kind]
    assert (spec.price, spec.rusts_on, spec.is_unlimited) == (value, rusts, number is None)
    if number:
        assert sum(train.family == kind for train in game.state.trains) == number


@pytest.mark.parametrize(("phase", "name", "limit"), [
    ("2", "MV", 2), ("3", "MV", 2), ("4", "MV", 1), ("5", "MV", 1), ("6", "MV", 1), ("7", "MV", 1),
    ("3", "NW", 4), ("4", "NW", 3), ("5", "NW", 3), ("6", "NW", 2), ("7", "NW", 2), ("8", "NW", 2),
])  # fmt: skip
def test_train_limits(phase: str, name: str, limit: int) -> None:
    for number in (limit - 1, limit):
        game = base(phase)
        started(game, name, {"@1": 3} if name == "NW" else "@1", money=2000, tokens=[("I13", 0)])
        for _ in range(number):
            give_train(game, name, "7")
        in_turn(game, name, "trains")
        assert bool(offered(game, f"{name} buy {phase} for")) == (number < limit)


# -- companies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "minors", "majors"), [
    ("2", {*YELLOW}, set()), ("3", {*YELLOW, *GREEN}, set()), ("4", {*YELLOW, *GREEN}, MAJORS),
])  # fmt: skip
def test_who_starts_in_which_phase(phase: str, minors: set[str], majors: set[str]) -> None:
    """N has been started."""
    game = base(phase)
    started(game, "N", "@2", tokens=[("H8", 1)])
    stock_turn(game, "@1")
    assert (named(game, "bid"), named(game, "par")) == (minors - {"N"}, majors)


def test_n_is_the_first_minor() -> None:
    game = stocks("2")
    assert named(game, "bid") == {"N"}
    game = base("2")
    game.company(Owner("N")).closed = True
    assert named(stock_turn(game, "@1"), "bid") == {*YELLOW} - {"N"}


@pytest.mark.parametrize(("name", "home"), [*YELLOW.items(), *GREEN.items()])
def test_homes_are_fixed_and_taken_as_soon_as_the_auction_opens(name: str, home: tuple[str, int]) -> None:
    game = base("3")
    if name != "N":
        started(game, "N", "@2", tokens=[("H8", 1)])
    stock_turn(game, "@1")
    act(game, f"@1 bid {name} 100")
    found = [(str(hex_id), at) for hex_id, at in game.state.board.cities_of(company(name))]
    assert found == [home] and game.player_in_turn == "@2" and cash(game, name) == 0


def test_homes_of_majors_are_unconnected_hexes_with_a_city_free_of_tokens_and_reservations() -> None:
    """L12, P2, P8, F18, M19 and yellow K7 and Kiev's first city; in phase 3 the minors' homes are reserved."""
    game = stocks("4")
    act(game, "@1 par NW 100")
    assert {move.split()[2].split(".")[0] for move in offered(game, "NW token")} == {"L12", "P2", "P8", "F18", "M19", "K7", "D14", "M7"}  # fmt: skip
    act(game, "NW token P8")
    assert cash(game, "NW") == 200 and list(game.company(Owner("NW")).tokens_left) == [20, 40]


@pytest.mark.parametrize("is_joined", [False, True])
def test_without_an_unconnected_hex_no_major_starts(is_joined: bool) -> None:
    """All is taken but Nizhnii Novgorod, which is joined with Moscow or not (1867 would allow connected ones then)."""
    game = lay(base("4"), *([("8", "I7", 5), ("8", "J8", 2)] if is_joined else []))
    homes = ("L12", "P2", "P8", "F18", "M19", "M7", "D14")
    for name, home in zip(("MV", "SV", "E", "Y", "V", "TR", "MB"), homes, strict=True):
        started(game, name, "@2", tokens=[(home, 0)])
    stock_turn(game, "@1")
    assert named(game, "par") == (set() if is_joined else MAJORS)
    if is_joined:
        refused(game, "@1 par NW 100")
    else:
        act(game, "@1 par NW 100")
        assert [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("NW"))] in ([], ["K7"])


MOSCOW = ("637", "H8", 0)


@pytest.mark.parametrize("phase", ["2", "3"])
@pytest.mark.parametrize(("hex_id", "home", "tiles"), [
    ("E3", ("E1", 1), [("28", "F2", 2)]),
    ("H6", ("H8", 1), [MOSCOW]),
    ("I9", ("H8", 2), [MOSCOW]),
    ("I5", ("H8", 2), [MOSCOW, ("8", "I7", 1)]),
    ("J10", ("H8", 2), [MOSCOW, ("8", "I7", 5), ("8", "J8", 0)]),
])  # fmt: skip
def test_five_hexes_are_closed_until_the_first_3(
    hex_id: str, home: tuple[str, int], tiles: list[tuple[str, str, int]], phase: str
) -> None:
    game = lay(sold(new_game(TITLE)), *tiles)
    started(game, "MV", "@1", 100, 500, tokens=[home])
    if phase == "3":
        for train in list(game.state.trains):
            if train.family == "2":
                rearrange(game, train, owner=REMOVED)
        in_turn(game, "MV", "trains")
        act(game, "MV buy 3 for 225")
        assert game.state.phase == "3"
    in_turn(game, "MV", "track")
    assert (hex_id in {move.split()[3] for move in offered(game, "MV lay")}) == (phase == "3")
    if phase == "2":
        refused(game, f"MV lay {58 if hex_id == 'I5' else 8} {hex_id} 0", "")


# -- map and tiles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "colours"), [
    ("2", "yellow"), ("3", "yellow green"), ("4", "yellow green"), ("5", "yellow green brown"), ("6", "yellow green brown gray"),
    ("7", "yellow green brown gray"), ("8", "yellow green brown gray"),
])  # fmt: skip
def test_grey_tiles_from_phase_6(phase: str, colours: str) -> None:
    assert list(new_game(TITLE).title.phase(phase).colours) == colours.split()


@pytest.mark.parametrize(("hex_id", "steps"), [
    ("E1", ["641", "642"]), ("H8", ["637", "638", "639"]), ("D14", ["635", "636"]), ("G15", ["201", "207", "623", "640"]),
])  # fmt: skip
def test_the_cities_with_tiles_of_their_own(hex_id: str, steps: list[str]) -> None:
    game = new_game(TITLE)
    for tile in steps:
        found = game.board_rules.possible_upgrades(game.state.board, HexId(hex_id))
        assert tile in found and ((hex_id == "G15" and tile != "640") or found == [tile])
        lay(game, (tile, hex_id, 0))
    assert not game.board_rules.possible_upgrades(game.state.board, HexId(hex_id))


@pytest.mark.parametrize(("hex_id", "cost"), [
    ("P2", 20), ("P4", 20), ("I5", 20), ("J6", 20), ("D10", 20), ("C17", 20), ("M7", 40), ("E15", 40), ("F18", 40), ("J18", 40), ("M9", 80),
    ("C11", 80), ("M11", 80), ("D12", 80), ("L12", 0), ("I13", 0), ("H8", 0), ("D14", 0), ("K7", 20),
])  # fmt: skip
def test_what_water_costs(hex_id: str, cost: int) -> None:
    assert new_game(TITLE).board_rules.map.hexes[HexId(hex_id)].cost == cost


@pytest.mark.parametrize(("tile", "following", "paid"), [(None, "635", 0), ("635", "636", 40)])
def test_635_costs_40_at_its_next_upgrade(tile: str | None, following: str, paid: int) -> None:
    game = base("5")
    if tile:
        lay(game, (tile, "D14", 0))
    started(game, "KB", "@1", 100, 200, tokens=[("D14", 1)])
    in_turn(game, "KB", "track")
    act(game, next(move for move in offered(game, f"KB lay {following} D14")))
    assert cash(game, "KB") == 200 - paid


@pytest.mark.parametrize("has", [True, False])
def test_on_grey_moscow_rsr_gets_a_token_at_once_if_it_has_none(has: bool) -> None:
    game = lay(base("6"), ("638", "H8", 0))
    started(game, "N", "@1", 100, 200, tokens=[("H8", 0)])
    give_train(game, "N", "7")
    if has:
        token(game, "RSR", "H8")
        game.company(Owner("RSR")).tokens_left = (0,) * 7
    in_turn(game, "N", "track")
    act(game, offered(game, "N lay 639 H8")[0])
    assert [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("RSR"))].count("H8") == 1
    assert len(game.company(Owner("RSR")).tokens_left) == 7


# -- routes -----------------------------------------------------------------------------------------------------


def run(game: Game, name: str = "NW") -> int:
    in_turn(game, name, "run")
    act(game, next(iter(offered(game, f"{name} run"))))
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory) and memory.revenue is not None
    return memory.revenue


@pytest.mark.parametrize(("train", "owner", "revenue"), [("2", "@1", 80), ("3", "@1", 90), ("3", "NW", 100), ("2", "NW", 90)])  # fmt: skip
@pytest.mark.parametrize("private", ["MYR", "MRR"])
def test_from_st_petersburg_to_moscow(train: str, owner: str, revenue: int, private: str) -> None:
    """40, Tver 10, 40; two privates add 10 each for Moscow in a company's hands."""
    game = owned("3", **{private: owner})
    started(game, "NW", {"@1": 3}, tokens=[("H8", 1)])
    give_train(game, "NW", train)
    assert run(game) == revenue


def test_both_moscow_privates_together() -> None:
    game = owned("3", MYR="NW", MRR="NW")
    started(game, "NW", {"@1": 3}, tokens=[("H8", 1)])
    give_train(game, "NW", "2")
    assert run(game) == 100


@pytest.mark.parametrize(("phase", "train", "revenue"), [("3", "2", 130), ("8", "2+2", 260)])
def test_ekaterinburg_with_moscow_is_40_more_and_doubled(phase: str, train: str, revenue: int) -> None:
    """Ekaterinburg 40, Moscow's green city 50, bonus 40, with plain track between them."""
    path = (("637", "H8", 3), ("9", "I7", 1), ("9", "J6", 1), ("9", "K5", 1), ("9", "L4", 1), ("8", "M3", 5), ("9", "N4", 2), ("8", "O5", 2), ("9", "P4", 1))  # fmt: skip
    game = lay(base(phase), *path)
    started(game, "NW", {"@1": 3}, tokens=[("H8", 0)])
    give_train(game, "NW", train)
    in_turn(game, "NW", "run")
    moves = offered(game, "NW run")
    assert moves, [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("NW"))]
    act(game, moves[0])
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory) and memory.revenue == revenue


@pytest.mark.parametrize(("phase", "owner", "value"), [("2", "@1", 50), ("2", "OK", 60), ("3", "OK", 70)])
def test_bss_adds_10_for_odessa(phase: str, owner: str, value: int) -> None:
    """Odessa 30 and Romania 10/20 by C19, and BSS's 10; halves."""
    game = lay(owned(phase, BSS=owner), ("202", "D20", 2), ("9", "C19", 2))
    started(game, "OK", "@1", 100, 200, tokens=[("D20", 0)])
    give_train(game, "OK", "2")
    in_turn(game, "OK", "run")
    act(game, offered(game, "OK run")[0])
    revenue = value - 10
    assert (cash(game, "OK"), cash(game, "@1")) == (200 + revenue // 2, 420 + revenue // 2)


@pytest.mark.parametrize(("phase", "owner", "revenue"), [("2", "@1", 70), ("2", "RO", 80), ("3", "RO", 90)])
def test_wvr_adds_10_for_poland(phase: str, owner: str, revenue: int) -> None:
    """Riga 30 by B6 to Vilna 10 and Poland 30/40."""
    game = lay(owned(phase, WVR=owner), ("201", "B4", 0), ("9", "B6", 0), ("58", "B8", 1))
    started(game, "RO", "@1", 100, 200, tokens=[("B4", 0)])
    give_train(game, "RO", "3")
    in_turn(game, "RO", "run")
    act(game, offered(game, "RO run")[0])
    assert (cash(game, "RO"), cash(game, "@1")) == (200 + revenue // 2, 420 + revenue // 2)


# -- the grid -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bid", "at", "value"), [
    (100, (7, 1), 50), (115, (7, 2), 55), (120, (6, 2), 60), (130, (6, 3), 65), (155, (5, 3), 70), (160, (5, 4), 80), (180, (4, 4), 90),
    (200, (4, 5), 100), (220, (3, 5), 110), (240, (3, 6), 120), (265, (3, 6), 120), (270, (2, 6), 135), (420, (2, 6), 135),
])  # fmt: skip
def test_first_prices_of_minors(bid: int, at: tuple[int, int], value: int) -> None:
    game = stocks("2")
    act(game, f"@1 bid N {bid}")
    while game.state.special.lot is not None:
        passes(game, 1)
    assert (cell(game, "N"), price(game, "N"), cash(game, "N")) == (at, value, bid)


@pytest.mark.parametrize(("par", "at"), [
    (70, (5, 3)), (80, (5, 4)), (90, (4, 4)), (100, (4, 5)), (110, (3, 5)), (120, (3, 6)), (135, (2, 6)), (150, (2, 7)), (165, (1, 7)),
    (180, (1, 8)), (200, (0, 8)),
])  # fmt: skip
def test_first_prices_of_majors(par: int, at: tuple[int, int]) -> None:
    game = stocks("4")
    act(game, f"@1 par NW {par}")
    assert (cell(game, "NW"), price(game, "NW"), cash(game, "NW")) == (at, par, 2 * par)


@pytest.mark.parametrize(("at", "after"), [((4, 5), (4, 6)), ((4, 9), (3, 9)), ((3, 11), (2, 11)), ((2, 18), (1, 18)), ((0, 18), (0, 18)), ((0, 8), (0, 9)), ((3, 6), (3, 7)), ((9, 2), (8, 2)), ((5, 7), (4, 7))])  # fmt: skip
def test_a_majors_dividend_is_one_right_at_the_end_of_a_row_one_up(at: tuple[int, int], after: tuple[int, int]) -> None:
    game = base("4")
    started(game, "NW", {"@1": 3}, tokens=[("I13", 0)])
    place(game, "NW", at)
    give_train(game, "NW", "4")
    in_turn(game, "NW", "dividend", revenue=540)
    act(game, "NW pay")
    assert cell(game, "NW") == after


@pytest.mark.parametrize(("at", "after"), [((4, 5), (4, 4)), ((4, 0), (5, 0)), ((8, 0), (9, 0)), ((9, 0), (9, 0)), ((0, 8), (0, 7)), ((9, 1), (9, 0)), ((3, 1), (4, 1)), ((0, 4), (1, 4))])  # fmt: skip
def test_nothing_distributed_is_one_left_in_column_0_one_down(at: tuple[int, int], after: tuple[int, int]) -> None:
    game = base("4")
    started(game, "NW", {"@1": 3}, tokens=[("I13", 0)])
    place(game, "NW", at)
    give_train(game, "NW", "4")
    in_turn(game, "NW", "dividend", revenue=100)
    act(game, "NW withhold")
    assert cell(game, "NW") == after


@pytest.mark.parametrize(("at", "after"), [((3, 5), (3, 6)), ((3, 6), (2, 6)), ((5, 6), (4, 6)), ((4, 6), (3, 6)), ((2, 6), (1, 6)), ((1, 6), (0, 6)), ((0, 6), (0, 6)), ((5, 5), (5, 6)), ((6, 5), (5, 5)), ((7, 4), (6, 4))])  # fmt: skip
def test_minors_turn_up_in_column_6_and_stay_at_165(at: tuple[int, int], after: tuple[int, int]) -> None:
    game = base("3")
    started(game, "N", "@1", 100, 200, tokens=[("H8", 1)])
    place(game, "N", at)
    give_train(game, "N", "2")
    in_turn(game, "N", "run")
    act(game, offered(game, "N run")[0])
    assert cell(game, "N") == after and (cash(game, "N"), cash(game, "@1")) == (240, 460)


@pytest.mark.parametrize(("at", "after"), [((4, 5), (5, 5)), ((3, 9), (4, 9)), ((3, 10), (3, 10)), ((3, 11), (3, 11)), ((0, 8), (1, 8)), ((9, 1), (9, 1)), ((5, 6), (5, 6)), ((2, 11), (3, 11)), ((2, 12), (2, 12))])  # fmt: skip
@pytest.mark.parametrize("number", [1, 2])
def test_a_presidents_sale_is_one_down_if_there_is_a_cell(at: tuple[int, int], after: tuple[int, int], number: int) -> None:  # fmt: skip
    game = stocks("4")
    started(game, "NW", {"@1": 5, "@2": 2})
    place(game, "NW", at)
    act(game, f"@1 sell {number} NW")
    assert cell(game, "NW") == after
    game = stocks("4", "@2")
    started(game, "NW", {"@1": 5, "@2": 2})
    place(game, "NW", at)
    act(game, f"@2 sell {number} NW")
    assert cell(game, "NW") == at


@pytest.mark.parametrize(("at", "after"), [((4, 5), (3, 5)), ((1, 8), (0, 8)), ((0, 8), (1, 9)), ((0, 4), (1, 5)), ((0, 18), (0, 18)), ((0, 17), (1, 18)), ((9, 0), (8, 0)), ((4, 0), (4, 0)), ((3, 1), (3, 1)), ((6, 0), (5, 0))])  # fmt: skip
def test_sold_out_is_one_up_in_the_top_row_down_and_right(at: tuple[int, int], after: tuple[int, int]) -> None:
    game = stocks("4")
    started(game, "NW", {"@1": 4, "@2": 3, "@3": 3})
    place(game, "NW", at)
    give_train(game, "NW", "4")
    all_pass(game)
    assert cell(game, "NW") == after


def test_a_minor_is_never_sold_out() -> None:
    game = stocks("4")
    started(game, "N", "@1", 100, tokens=[("H8", 1)])
    place(game, "N", (4, 5))
    give_train(game, "N", "4")
    all_pass(game)
    assert cell(game, "N") == (4, 5)


@pytest.mark.parametrize(("at", "into"), [
    ((0, 6), (1, 7)), ((1, 6), (2, 7)), ((2, 6), (2, 6)), ((3, 6), (3, 6)), ((4, 6), (3, 5)), ((5, 6), (4, 5)), ((4, 5), None), ((3, 5), None),
    ((2, 5), None), ((0, 5), None),
])  # fmt: skip
def test_conversion_only_from_the_six_cells(at: tuple[int, int], into: tuple[int, int] | None) -> None:
    game = base("3")
    started(game, "N", "@1", 100, tokens=[("H8", 1)])
    place(game, "N", at)
    merger_round(game)
    assert bool(offered(game, "N convert")) == (into is not None)
    if into:
        act(game, "N convert to MK")
        assert cell(game, "MK") == into


@pytest.mark.parametrize(("at", "after"), [(10, 11), (15, 15), (14, 15), (0, 1)])
def test_the_column_is_an_option(at: int, after: int) -> None:
    game = base("3", variant="column")
    started(game, "N", "@1", 100, 200, tokens=[("H8", 1)])
    place(game, "N", (0, at))
    give_train(game, "N", "2")
    in_turn(game, "N", "run")
    act(game, offered(game, "N run")[0])
    assert cell(game, "N") == (0, after) and len(game.title.market.rows[0]) == 28


# -- two players, the end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 5])
def test_with_two_players_trains_and_privates_are_taken_out(seed: int) -> None:
    from bot.titles.registry import TITLES

    game = Game.new(TITLES[TITLE], ("Ann", "Bob"), {}, seed)
    assert [sum(train.family == kind and train.owner == DEPOT for train in game.state.trains) for kind in "234567"] == [7, 5, 3, 3, 1, 1]  # fmt: skip
    numbers, value = {}, seed
    for name in PRIVATES:
        value = (1103515245 * value + 12345) % 2**31
        numbers[name] = value
    assert {str(name) for name, record in game.state.privates.items() if not record.closed} == set(sorted(numbers, key=lambda name: numbers[name])[2:])  # fmt: skip


@pytest.mark.parametrize(("held", "may"), [(6, True), (7, False)])
def test_with_two_players_the_limit_is_70_percent(held: int, may: bool) -> None:
    game = base("4", 2)
    started(game, "NW", {"@1": held})
    assert ("@1 buy NW" in offered(stock_turn(game, "@1"))) == may


@pytest.mark.parametrize(("held", "may"), [(5, True), (6, False)])
def test_with_three_players_it_is_60_percent(held: int, may: bool) -> None:
    game = base("4")
    started(game, "NW", {"@1": held, POOL: 1})
    assert ("@1 buy NW" in offered(stock_turn(game, "@1"))) == may


# -- merging, as in 1867 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second", "at", "value"), [
    ((4, 4), (4, 4), (1, 8), 180), ((4, 5), (4, 4), (1, 8), 180), ((4, 5), (4, 5), (0, 8), 200), ((7, 1), (7, 1), (4, 5), 100),
    ((6, 2), (7, 1), (3, 5), 110), ((6, 3), (6, 3), (3, 6), 120), ((5, 3), (6, 3), (2, 6), 135), ((5, 4), (5, 3), (2, 7), 150),
    ((4, 4), (5, 4), (1, 7), 165), ((0, 6), (0, 6), (0, 8), 200), ((9, 0), (9, 0), (4, 5), 100),
])  # fmt: skip
def test_a_merged_major_starts_in_the_cell_of_the_sum(
    first: tuple[int, int], second: tuple[int, int], at: tuple[int, int], value: int
) -> None:
    """N of Moscow and SPW's city of St. Petersburg with the line: here MNN lies there."""
    game = base("3")
    started(game, "N", "@1", 100, tokens=[("H8", 1)])
    started(game, "SPW", "@1", 100, tokens=[("E1", 1)])
    place(game, "N", first)
    place(game, "SPW", second)
    merger_round(game)
    name, other = ("N", "SPW") if game.company_in_turn == "N" else ("SPW", "N")
    act(game, f"{name} merge {other} into MK")
    assert (cell(game, "MK"), price(game, "MK")) == (at, value)


def test_groups_count_once_a_route() -> None:
    """From Poland by Vilna 10 and B10 to Poland again: no route; the last stop is left out."""
    game = lay(base("3"), ("87", "B8", 0), ("8", "B10", 1))
    groups = {group for name in ("A9", "A11", "A13", "A15") for node in game.board_rules.map.hexes[HexId(name)].printed.nodes for group in node.groups}  # fmt: skip
    assert groups == {"Poland"}
    for names, group in (
        (("B18", "B20"), "Romania"),
        (("J20", "I21", "K21"), "Caucasus"),
        (("Q11", "Q13"), "CentralAsia"),
    ):
        hexes = [game.board_rules.map.hexes[HexId(name)] for name in names]
        assert {one for each in hexes for node in each.printed.nodes for one in node.groups} == {group}
