"""1867 by a second reader: merger rounds, nationalisation, the end. As in `test_1867_rulebook.py`."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, DEPOT, IPO, POOL, REMOVED, Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from tests.rearrangement import rearrange
from tests.titles.builders_merging import (
    in_turn,
    merger_round,
    new_game,
    offered,
    price,
    reach_phase,
    sold,
    started,
    stock_turn,
)
from tests.titles.positions import act, cash, company, give_train, lay, refused, set_cash, settled

TITLE = "1867"
PEER = {"rules": "18xx.games"}
LINE = (("9", "D4", 0), ("9", "D6", 0), ("15", "D8", 2), ("40", "E9", 0), ("14", "F8", 0), ("9", "E11", 0), ("619", "E13", 0), ("619", "E15", 0), ("207", "E17", 3))  # fmt: skip
PLACES = ("D2", "D8", "F8", "E13", "E15", "E17", "D8", "F8", "E13", "E15", "E17")
NAMES = ("OP", "BO", "CS", "CV", "KP", "TN", "AE", "CA", "NO", "PM", "BBG")
MAJORS = ("CNR", "CPR", "C&O", "GTR", "GWR", "ICR", "NTR", "NYC")


def base(phase: str = "4", players: int = 3, **options: str) -> Game:
    return reach_phase(sold(new_game(TITLE, players, **options)), phase)


def minors(owners: str, prices: tuple[int, ...] = (), phase: str = "3", trains: str = "", money: int = 200, **options: str) -> Game:  # fmt: skip
    """Connected minors in operating order; `owners` has the seat of each one's owner. Without options as the peer's engine."""
    game = lay(base(phase, **(options or PEER)), *LINE)
    for at, seat in enumerate(owners):
        started(game, NAMES[at], f"@{seat}", prices[at] if prices else 100, money, 0, [(PLACES[at], 0)])
        if trains:
            give_train(game, NAMES[at], trains)
    return game


def merge(game: Game, number: int, first: int = 0, into: str = "GTR") -> str:
    others = " ".join(NAMES[at] for at in range(number) if at != first)
    return f"{NAMES[first]} merge {others} into {into}"


def shares(game: Game, name: str = "GTR") -> list[int]:
    record = game.company(Owner(name))
    return [record.percent_held_by(player) for player in game.state.order]


def remove_tokens(game: Game) -> None:
    while offered(game, "GTR remove"):
        act(game, offered(game, "GTR remove")[0])


def pass_sale(game: Game) -> None:
    remove_tokens(game)
    while game.state.flow[-1].plan == "forming":
        act(game, f"{asked(game)} pass")


def asked(game: Game) -> str:
    """The player whose decision it is, of new shares too."""
    (player,) = game.players_to_act()
    return str(player)


# -- when ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "meets"), [("2", False), ("3", True), ("4", True), ("5", True), ("6", True), ("7", True)])  # fmt: skip
@pytest.mark.parametrize("part", [1, 2])
def test_a_merger_round_follows_each_operating_round_in_phases_3_to_7(phase: str, meets: bool, part: int) -> None:
    game = base(phase)
    started(game, "OP", "@1", 120, 0, tokens=[("E17", 0)])
    give_train(game, "OP", "7")
    in_turn(game, "OP", "trains", part=part)
    assert (game.state.round.kind == "merger") == meets


def test_it_follows_the_export() -> None:
    game = base("4")
    started(game, "OP", "@1", 120, 0, tokens=[("E17", 0)])
    give_train(game, "OP", "7")
    in_turn(game, "OP", "trains")
    assert sum(train.family == "4" and train.owner == DEPOT for train in game.state.trains) == 3


def test_owners_are_asked_in_operating_order_and_who_can_do_nothing_is_passed_over() -> None:
    game = base("3")
    for name, at, home in (("OP", 90, "E17"), ("BO", 110, "D8"), ("CS", 150, "F8"), ("KP", 100, "N12")):
        started(game, name, "@1", at, tokens=[(home, 0)])
    merger_round(game)
    order = []
    while game.state.round.kind == "merger":
        order.append(str(game.company_in_turn))
        act(game, f"{order[-1]} pass")
    assert order == ["CS", "BO", "KP"]


# -- converting -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "par"), [(80, None), (90, None), (100, 100), (110, 110), (120, 120), (135, 135), (150, 150), (165, 165)])  # fmt: skip
def test_a_minor_converts_from_100_to_165(at: int, par: int | None) -> None:
    game = base("3")
    started(game, "OP", "@1", at, tokens=[("E17", 0)])
    started(game, "KP", "@1", 100, tokens=[("N12", 0)])
    merger_round(game)
    if par is None:
        assert not offered(game, "OP convert")
        return
    assert {move.split()[3] for move in offered(game, "OP convert")} == set(MAJORS)
    act(game, "OP convert to CPR")
    assert price(game, "CPR") == par and game.company(Owner("OP")).closed


@pytest.mark.parametrize(("cell", "converts", "into"), [
    ((0, 6), True, (1, 7)), ((1, 6), True, (2, 7)), ((2, 6), True, (2, 6)), ((3, 6), True, (3, 6)), ((4, 6), True, (3, 5)),
    ((5, 6), True, (4, 5)), ((2, 5), False, None), ((4, 5), False, None), ((3, 5), False, None),
])  # fmt: skip
def test_on_the_grid_only_from_the_marked_cells(
    cell: tuple[int, int], converts: bool, into: tuple[int, int] | None
) -> None:
    game = base("3", variant="grid")
    started(game, "OP", "@1", 100, tokens=[("E17", 0)])
    started(game, "KP", "@2", 90, tokens=[("N12", 0)])
    place_marker(game, company("OP"), cell)
    merger_round(game)
    assert bool(offered(game, "OP convert")) == converts
    if converts:
        act(game, "OP convert to CPR")
        assert game.company(Owner("CPR")).position == into


def test_the_new_major_takes_everything_and_the_minor_closes() -> None:
    game = sold(new_game(TITLE), NFB="OP")
    reach_phase(game, "3")
    started(game, "OP", "@1", 120, 130, 2, [("E17", 0)])
    give_train(game, "OP", "3")
    merger_round(game)
    act(game, "OP convert to CPR")
    record = game.company(Owner("CPR"))
    assert (cash(game, "CPR"), record.loans, cash(game, "OP")) == (130, 2, 0)
    assert shares(game, "CPR") == [20, 0, 0] and record.certificates[0].owner == "@1"
    assert [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("CPR"))] == ["E17"]
    assert list(record.tokens_left) == [20, 40]
    assert game.state.privates["NFB"].owner == "CPR"  # type: ignore[index]
    assert [train.kind for train in game.state.trains if train.owner == "CPR"] == ["3"]
    assert game.company(Owner("OP")).closed and cash(game, "@1") == 420


def test_the_owner_buys_any_number_of_treasury_shares_the_others_one_each() -> None:
    game = base("3")
    started(game, "OP", "@2", 100, 0, tokens=[("E17", 0)])
    for player in ("@1", "@2", "@3"):
        set_cash(game, player, 1000)
    merger_round(game)
    act(game, "OP convert to CPR")
    for number in range(4):
        assert asked(game) == "@2"
        act(game, "@2 buy CPR")
        assert cash(game, "CPR") == 100 * (number + 1)
    assert "@2 buy CPR" not in offered(game)
    if asked(game) == "@2":
        act(game, "@2 pass")
    act(game, "@3 buy CPR")
    assert asked(game) == "@1"
    act(game, "@1 buy CPR")
    assert shares(game, "CPR") == [10, 60, 10] and cash(game, "CPR") == 600
    assert game.state.flow[-1].plan != "forming"


def test_a_closed_minor_never_comes_back() -> None:
    game = base("3")
    started(game, "OP", "@1", 100, tokens=[("E17", 0)])
    merger_round(game)
    act(game, "OP convert to CPR")
    stock_turn(game, "@1")
    refused(game, "@1 bid OP 100", "")


# -- merging: who -----------------------------------------------------------------------------------------------


def test_only_connected_minors_merge() -> None:
    game = minors("111")
    started(game, "PM", "@1", 100, tokens=[("N12", 0)])
    merger_round(game)
    refused(game, "OP merge PM into GTR", "")
    refused(game, "OP merge BO PM into GTR", "")
    act(game, "OP merge BO CS into GTR")


def test_a_minor_may_be_connected_with_one_of_those_gathered_only() -> None:
    """E13 is full of strange tokens: beyond lies Guelph. OP on Timmins reaches Sudbury and North Bay only."""
    game = lay(base("3", **PEER), *LINE[:6], ("57", "E13", 0), ("619", "E15", 0))
    for name, home in (("OP", "D8"), ("BO", "E13"), ("CS", "E15")):
        started(game, name, "@1", 100, tokens=[(home, 0)])
    merger_round(game)
    refused(game, "OP merge CS into GTR", "")
    act(game, "OP merge BO CS into GTR")


@pytest.mark.parametrize(("number", "may"), [(10, True), (11, False)])
def test_at_most_ten_minors(number: int, may: bool) -> None:
    game = merger_round(minors("12312312312"))
    if may:
        act(game, merge(game, number))
    else:
        refused(game, merge(game, number), "")


@pytest.mark.parametrize(
    ("owners", "may"), [("1111112", True), ("1111121", True), ("1111111", False), ("11111211", False)]
)
def test_a_player_with_six_adds_none_more(owners: str, may: bool) -> None:
    game = merger_round(minors(owners))
    if may:
        act(game, merge(game, len(owners)))
    else:
        refused(game, merge(game, len(owners)), "")


@pytest.mark.parametrize("options", [PEER, {"rules": "rulebook"}])
def test_other_players_minors_may_be_taken_and_the_engine_asks_no_consent(options: dict[str, str]) -> None:
    game = merger_round(minors("121", **options))
    act(game, merge(game, 3))
    assert (game.state.flow[-1].plan == "consent") == (options != PEER)


# -- merging: price and shares ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("prices", "par"), [
    ((35, 35), 100), ((50, 45), 100), ((50, 50), 100), ((55, 50), 100), ((60, 50), 110), ((65, 50), 110), ((65, 55), 120), ((65, 65), 120),
    ((70, 65), 135), ((80, 60), 135), ((80, 65), 135), ((80, 70), 150), ((80, 80), 150), ((90, 70), 150), ((90, 80), 165), ((90, 90), 180),
    ((100, 90), 180), ((100, 100), 200), ((110, 90), 200), ((135, 120), 200), ((165, 165), 200), ((80, 60, 50), 120), ((120, 90, 50), 165),
])  # fmt: skip
def test_the_price_is_the_sum_of_lowest_and_highest(prices: tuple[int, ...], par: int) -> None:
    game = merger_round(minors("1" * len(prices), prices))
    assert game.company_in_turn == "OP"
    act(game, merge(game, len(prices)))
    assert price(game, "GTR") == par


@pytest.mark.parametrize(("owners", "held", "president"), [
    ("11", [20, 0, 0], "@1"), ("112", [20, 10, 0], "@1"), ("122", [10, 20, 0], "@2"), ("1221", [20, 20, 0], "@2"), ("1212", [20, 20, 0], "@1"),
    ("1233", [10, 10, 20], "@3"), ("111111", [60, 0, 0], "@1"),
])  # fmt: skip
def test_ten_percent_a_minor_and_the_first_with_two_presides(owners: str, held: list[int], president: str) -> None:
    game = merger_round(minors(owners))
    act(game, merge(game, len(owners)))
    remove_tokens(game)
    assert shares(game) == held and game.company(Owner("GTR")).certificates[0].owner == president
    assert cash(game, "GTR") == 200 * len(owners)


@pytest.mark.parametrize(("ann", "bob", "may"), [(0, 0, False), (199, 199, False), (200, 0, True), (0, 200, True)])
def test_somebody_must_be_able_to_preside(ann: int, bob: int, may: bool) -> None:
    """The price is 200."""
    game = minors("12")
    set_cash(game, "@1", ann)
    set_cash(game, "@2", bob)
    merger_round(game)
    if may:
        act(game, merge(game, 2))
    else:
        refused(game, merge(game, 2), "")
        assert not offered(game, "OP merge")


def test_with_10_percent_each_one_share_buys_the_presidency() -> None:
    game = merger_round(minors("12"))
    act(game, merge(game, 2))
    assert asked(game) == "@1"
    act(game, "@1 buy GTR")
    assert shares(game) == [20, 10, 0] and (cash(game, "@1"), cash(game, "GTR")) == (220, 600)
    assert game.company(Owner("GTR")).certificates[0].owner == "@1"


def test_the_second_owner_may_buy_it_too() -> None:
    game = merger_round(minors("12"))
    act(game, merge(game, 2), "@1 pass", "@2 buy GTR")
    assert shares(game) == [10, 20, 0] and game.company(Owner("GTR")).certificates[0].owner == "@2"


def test_without_a_president_the_merge_is_void() -> None:
    game = merger_round(minors("12"))
    before = game.state.cash.copy()
    act(game, merge(game, 2), "@1 pass", "@2 pass")
    assert game.state.cash == before and not game.company(Owner("OP")).closed and not game.company(Owner("BO")).closed
    assert not game.company(Owner("GTR")).floated and shares(game) == [0, 0, 0]
    assert game.company_in_turn == "OP"


def test_first_owners_from_the_first_minors_buy_any_number_then_all_from_the_president_on_one_each() -> None:
    game = minors("212", (100, 100, 100))
    for player in ("@1", "@2", "@3"):
        set_cash(game, player, 2000)
    merger_round(game)
    act(game, merge(game, 3))
    remove_tokens(game)
    assert asked(game) == "@2"
    act(game, "@2 buy GTR", "@2 buy GTR", "@2 pass")
    assert asked(game) == "@1"
    act(game, "@1 buy GTR", "@1 buy GTR", "@1 pass")
    assert shares(game) == [30, 40, 0] and asked(game) == "@2"
    act(game, "@2 buy GTR")
    assert asked(game) == "@3"
    act(game, "@3 buy GTR")
    assert asked(game) == "@1"
    act(game, "@1 buy GTR")
    assert shares(game) == [40, 50, 10] and cash(game, "GTR") == 600 + 7 * 200
    assert game.state.flow[-1].plan != "forming"


# -- merging: tokens, trains, loans ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 3, 5])
def test_two_tokens_stay_and_the_third_of_40_is_left(number: int) -> None:
    game = merger_round(minors("1" * number))
    act(game, merge(game, number))
    for _ in range(number - 2):
        act(game, offered(game, "GTR remove")[0])
    assert not offered(game, "GTR remove")
    assert len(list(game.state.board.cities_of(company("GTR")))) == 2
    assert list(game.company(Owner("GTR")).tokens_left) == [40]


@pytest.mark.parametrize(("phase", "limit"), [("3", 4), ("4", 3), ("6", 2)])
def test_trains_over_the_limit_are_discarded(phase: str, limit: int) -> None:
    game = minors("111111", trains="7", phase=phase)
    merger_round(game)
    act(game, merge(game, 6))
    pass_sale(game)
    for number in range(6 - limit):
        assert offered(game, "GTR discard"), number
        act(game, "GTR discard 7")
    assert not offered(game, "GTR discard")
    assert sum(train.owner == POOL for train in game.state.trains) == 6 - limit


def test_loans_above_5_after_a_merge_are_kept() -> None:
    game = minors("111")
    for name in NAMES[:3]:
        game.company(Owner(name)).loans = 2
    merger_round(game)
    act(game, merge(game, 3))
    assert game.company(Owner("GTR")).loans == 6


def test_a_company_formed_operates_in_the_next_round() -> None:
    game = minors("11", trains="7")
    merger_round(game)
    act(game, merge(game, 2))
    pass_sale(game)
    assert game.state.round.kind == "operating" and game.company_in_turn == "GTR"


# -- nationalisation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("loans", "money", "worth"), [(0, 0, 90), (1, 60, 90), (1, 49, 70), (1, 50, 90), (2, 50, 70), (2, 49, 60), (2, 0, 60), (2, 100, 90)])  # fmt: skip
def test_a_minor_without_a_train_its_price_one_left_and_two_a_loan(loans: int, money: int, worth: int) -> None:
    """100 falls to 90, with a loan to 70, with two to 60; its owner has two shares."""
    game = base("4")
    started(game, "OP", "@1", 100, money, loans, [("E17", 0)])
    bank = cash(game, BANK)
    in_turn(game, "OP", "trains")
    assert game.company(Owner("OP")).closed and cash(game, "OP") == 0
    assert (cash(game, "@1"), cash(game, BANK)) == (420 + 2 * worth, bank + money - 2 * worth)


@pytest.mark.parametrize(("loans", "worth"), [(0, 180), (1, 150), (2, 120), (5, 65)])
def test_a_major_pays_players_only_and_can_be_started_again(loans: int, worth: int) -> None:
    """200 falls to 180, 150, 120, ...; @1 has 30%, @2 20%, the pool 20%."""
    game = base("4")
    started(game, "CPR", {"@1": 3, "@2": 2, POOL: 2}, 200, 0, loans, [("E17", 0)])
    in_turn(game, "CPR", "trains")
    record = game.company(Owner("CPR"))
    assert (cash(game, "@1"), cash(game, "@2")) == (420 + 3 * worth, 420 + 2 * worth)
    assert record.percent_held_by(IPO) == 100 and not record.floated and not record.closed and record.loans == 0
    stock_turn(game, "@3")
    act(game, "@3 par CPR 100", "CPR token N12")
    assert shares(game, "CPR") == [0, 0, 20] and list(record.tokens_left) == [20, 40]


def test_trains_and_privates_leave_the_game() -> None:
    game = reach_phase(sold(new_game(TITLE), NFB="OP"), "4")
    started(game, "OP", "@1", 100, 9, 2, [("E17", 0)])
    train = give_train(game, "OP", "4")
    in_turn(game, "OP", "loans")
    assert game.company(Owner("OP")).closed
    assert not any(one.id == train.id and one.owner not in (REMOVED,) for one in game.state.trains)
    record = game.state.privates["NFB"]  # type: ignore[index]
    assert record.closed or record.owner == "CN"


@pytest.mark.parametrize(("home", "city"), [("E17", 0), ("F16", 1), ("L12", 0)])
def test_tokens_are_replaced_by_cns_if_it_has_none_in_the_hex(home: str, city: int) -> None:
    game = base("4")
    started(game, "OP", "@1", 100, 0, 0, [(home, city)])
    left = len(game.company(Owner("CN")).tokens_left)
    in_turn(game, "OP", "trains")
    board = game.state.board
    assert not list(board.cities_of(company("OP")))
    found = [(str(hex_id), at) for hex_id, at in board.cities_of(company("CN"))]
    assert ((home, city) in found) == (home != "F16")
    assert len(game.company(Owner("CN")).tokens_left) == left - (home != "F16")


@pytest.mark.parametrize(("left", "found"), [(3, {"E17", "E13"}), (2, {"E17"}), (1, set())])
def test_cn_keeps_the_token_for_montreal_and_takes_the_richest_city_first(left: int, found: set[str]) -> None:
    """Hamilton 30, Barrie 20."""
    game = lay(base("4"), *LINE[:5], ("57", "E13", 0), ("57", "E15", 0), ("201", "E17", 3))
    started(game, "CPR", {"@1": 3}, 100, 0, 0, [("E13", 0), ("E17", 0)])
    game.company(Owner("CN")).tokens_left = (0,) * left
    in_turn(game, "CPR", "trains")
    assert {str(hex_id) for hex_id, _ in game.state.board.cities_of(company("CN"))} - {"F16"} == found


def test_the_last_token_goes_to_montreal() -> None:
    game = base("4")
    started(game, "OP", "@1", 100, 0, 0, [("L12", 1)])
    game.company(Owner("CN")).tokens_left = (0,)
    in_turn(game, "OP", "trains")
    assert ("L12", 1) in {(str(hex_id), city) for hex_id, city in game.state.board.cities_of(company("CN"))}


def first_of(kind: str, phase: str) -> Game:
    """CNR is about to buy the first of this kind; the older ones are out."""
    game = base(phase)
    for train in list(game.state.trains):
        if train.owner == DEPOT and train.family < kind and train.family.isdigit():
            rearrange(game, train, owner=REMOVED)
    started(game, "CNR", {"@1": 3}, 165, 1200, 0, [("N12", 0)])
    give_train(game, "CNR", "7")
    return game


@pytest.mark.parametrize(("kind", "phase", "old"), [("4", "3", "2"), ("6", "5", "3"), ("8", "7", "4")])
def test_after_the_first_4_6_and_8_companies_without_trains(kind: str, phase: str, old: str) -> None:
    """OP's only train rusts, BO keeps one, CS has not operated yet; CPR's and GTR's presidents may choose."""
    game = first_of(kind, phase)
    for name, at, home in (("OP", 100, "E17"), ("BO", 100, "E13"), ("CS", 100, "D8")):
        started(game, name, "@1", at, 0, 0, [(home, 0)])
    game.company(Owner("CS")).operated = False
    give_train(game, "OP", old)
    give_train(game, "BO", "5")
    for name, at, home in (("CPR", 100, "E15"), ("GTR", 120, "F8")):
        started(game, name, {"@2": 3}, at, 0, 0, [(home, 0)])
        give_train(game, name, old)
    in_turn(game, "CNR", "trains")
    act(game, next(move for move in offered(game, f"CNR buy {kind} for") if "trade" not in move))
    closed = {name for name in ("OP", "BO", "CS") if game.company(Owner(name)).closed}
    assert closed == ({"OP", "BO", "CS"} if kind == "8" else {"OP"})
    assert game.company_in_turn == "GTR" and game.controller_of(game.actor_in_turn) == "@2"
    act(game, next(move for move in offered(game) if not move.endswith("pass") and "GTR" in move))
    assert game.company_in_turn == "CPR"
    act(game, "CPR pass")
    assert not game.company(Owner("GTR")).floated and game.company(Owner("CPR")).floated
    assert cash(game, "@2") == 420 + 3 * 110


def test_a_major_that_has_not_operated_is_not_asked() -> None:
    game = first_of("4", "3")
    started(game, "CPR", {"@2": 3}, 100, 0, 0, [("E15", 0)]).operated = False
    in_turn(game, "CNR", "trains")
    act(game, "CNR buy 4 for 350")
    assert game.company_in_turn == "CNR" and game.company(Owner("CPR")).floated


# -- the end ----------------------------------------------------------------------------------------------------------


def play_on(game: Game) -> None:
    """Everybody passes, or does the first thing that is offered, until the round is another."""
    now = (game.state.round.kind, game.state.round.number, game.state.round.part)
    while not game.state.finished and (game.state.round.kind, game.state.round.number, game.state.round.part) == now:
        moves = offered(game)
        act(game, next((move for move in moves if move.endswith(" pass")), moves[0]))


@pytest.mark.parametrize("part", [1, 2])
def test_after_the_first_8_the_set_ends_then_a_stock_round_and_three_operating_rounds(part: int) -> None:
    game = first_of("8", "7")
    in_turn(game, "CNR", "trains", part=part)
    act(game, "CNR buy 8 for 1000")
    rounds = []
    play_on(game)
    while not game.state.finished:
        rounds.append((game.state.round.kind, game.state.round.part, game.state.round.of))
        play_on(game)
    first = [("operating", 2, 2)] if part == 1 else []
    assert rounds == [*first, ("stock", 1, 1), ("operating", 1, 3), ("operating", 2, 3), ("operating", 3, 3)]


def breaks(game: Game) -> Game:
    """The bank has 10 left; the rest of its money is with @3."""
    game.state.cash[Owner("@3")] += game.state.cash[BANK] - 10
    game.state.cash[BANK] = 10
    return settled(game)


@pytest.mark.parametrize("part", [1, 2])
def test_a_broken_bank_ends_the_game_with_the_current_operating_round(part: int) -> None:
    game = lay(base("7"), ("201", "E17", 4))
    started(game, "CPR", {"@1": 3}, 100, 0, 0, [("E17", 0)])
    give_train(game, "CPR", "7")
    in_turn(game, "CPR", "run", part=part)
    breaks(game)
    act(game, offered(game, "CPR run")[0], "CPR pay")
    assert game.state.finished


def test_loans_move_the_price_one_left_each_in_the_score_and_privates_count_their_value() -> None:
    game = sold(new_game(TITLE), SCT="@2")
    reach_phase(game, "4")
    started(game, "CPR", {"@1": 3, "@2": 2}, 100, 0, 3, [("E17", 0)])
    started(game, "OP", "@2", 100, 0, 1, [("E15", 0)])
    worth = [game.title.rules.worth(game, player) for player in game.state.order]
    assert worth == [420 + 3 * 70, 420 + 2 * 70 + 2 * 90 + 90, 420]


def test_a_bank_broken_in_a_stock_round_ends_the_game_with_the_next_operating_round() -> None:
    game = base("4")
    started(game, "CPR", {"@1": 4}, tokens=[("E17", 0)])
    give_train(game, "CPR", "7")
    stock_turn(game, "@1")
    breaks(game)
    act(game, "@1 sell 1 CPR")
    rounds = []
    while not game.state.finished:
        now = (game.state.round.kind, game.state.round.part)
        rounds += [now] if now not in rounds else []
        moves = offered(game)
        act(game, next((move for move in moves if move.endswith(" pass")), moves[0]))
    assert rounds == [("stock", 1), ("operating", 1)]


def test_once_phase_8_is_reached_its_timing_counts() -> None:
    game = first_of("8", "7")
    lay(game, ("201", "E17", 4))
    started(game, "CPR", {"@2": 3}, 100, 0, 0, [("E17", 0)])
    give_train(game, "CPR", "7")
    in_turn(game, "CNR", "trains", part=2)
    act(game, "CNR buy 8 for 1000")
    breaks(game)
    while game.state.round.kind != "stock":
        moves = offered(game)
        act(game, next((move for move in moves if move.endswith(" pass")), moves[0]))
    assert not game.state.finished


@pytest.mark.parametrize(("held", "may"), [(15, True), (16, False)])
def test_the_certificate_limit_holds_in_the_sale_of_a_new_major(held: int, may: bool) -> None:
    """Of four players one may have 16; OP's owner loses it for the president's certificate."""
    game = reach_phase(sold(new_game(TITLE, 4)), "4")
    started(game, "OP", "@1", 100, tokens=[("E17", 0)])
    left = held - 1
    for name in ("CPR", "CNR", "C&O", "NYC"):
        number = min(4, left)
        if number:
            started(game, name, {"@1": number + 1})
        left -= number
    merger_round(game)
    act(game, "OP convert to GTR")
    assert ("@1 buy GTR" in offered(game)) == may


def test_in_the_sale_nobody_gets_above_60_percent() -> None:
    game = minors("11111")
    set_cash(game, "@1", 2000)
    merger_round(game)
    act(game, merge(game, 5))
    remove_tokens(game)
    assert shares(game)[0] == 50
    act(game, "@1 buy GTR")
    assert shares(game)[0] == 60 and not offered(game, "@1 buy")


def test_of_two_tokens_in_a_hex_one_is_removed_and_three_are_left_in_all() -> None:
    game = lay(base("3", **PEER), *LINE)
    for name in ("OP", "BO"):
        started(game, name, "@1", 100, tokens=[("E13", 0)])
    merger_round(game)
    act(game, "OP merge BO into GTR")
    remove_tokens(game)
    assert [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("GTR"))] == ["E13"]
    assert len(game.company(Owner("GTR")).tokens_left) == 2 and game.company(Owner("GTR")).tokens_left[-1] == 40


def test_of_three_tokens_two_in_a_hex_the_two_kept_are_in_two_hexes() -> None:
    game = lay(base("3", **PEER), *LINE)
    for name, home in (("OP", "E13"), ("BO", "E13"), ("CS", "E15")):
        started(game, name, "@1", 100, tokens=[(home, 0)])
    merger_round(game)
    act(game, "OP merge BO CS into GTR")
    remove_tokens(game)
    assert {str(hex_id) for hex_id, _ in game.state.board.cities_of(company("GTR"))} == {"E13", "E15"}
    assert list(game.company(Owner("GTR")).tokens_left) == [40]


def test_the_president_may_not_remove_the_only_token_outside_a_hex_with_two() -> None:
    """OP and BO in two cities of Montreal, CS in Ottawa, with track between them on both sides."""
    loop = (("201", "J12", 4), ("58", "K13", 2), ("9", "K11", 1), ("3", "L10", 0))
    game = lay(base("3", **PEER), *loop)
    for name, place in (("OP", ("L12", 0)), ("BO", ("L12", 1)), ("CS", ("J12", 0))):
        started(game, name, "@1", 100, tokens=[place])
    merger_round(game)
    act(game, "OP merge BO CS into GTR")
    refused(game, "GTR remove J12")
    act(game, "GTR remove L12.0")
    assert {(str(hex_id), city) for hex_id, city in game.state.board.cities_of(company("GTR"))} == {
        ("L12", 1),
        ("J12", 0),
    }
    assert list(game.company(Owner("GTR")).tokens_left) == [40]
