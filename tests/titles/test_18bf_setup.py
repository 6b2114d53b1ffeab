"""18BF §3 to §8: set-up, map, market, companies, phases."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, HexId, Owner, as_company
from bot.engine.play.holdings.market import price_of
from bot.engine.state.events import PhaseBegan, PrivateBought
from bot.service.parser.components_info import privates_for_sale
from bot.titles.t18bf.auction import lots
from bot.titles.t18bf.components import GROUP_A, PRIVATES, TRAIN_LIMIT
from bot.titles.t18bf.privates import income
from tests.rearrangement import rearrange
from tests.titles.builders_18bf import (
    COMPANIES,
    TITLE,
    after_privates,
    company,
    give_trains,
    happened,
    in_turn,
    lay,
    legal,
    memory,
    minor,
    new_game,
    operating_round,
    places,
    price,
    public,
    reach_phase,
    stock_turn,
    trains,
)
from tests.titles.positions import act, cash, refusal, refused, set_cash

# -- §3, §4 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "capital"), [(3, 630), (4, 470), (5, 375)])
def test_3_starting_capital_from_a_bank_of_20000(players: int, capital: int) -> None:
    game = new_game(players)
    assert [cash(game, f"@{number}") for number in range(1, players + 1)] == [capital] * players
    assert sum(game.state.cash.values()) == 20_000
    assert list(TITLE.players) == [3, 4, 5]


def test_3_the_game_begins_with_the_first_stock_round_and_yellow_track() -> None:
    game = new_game()
    assert (game.state.round.kind, game.state.round.number, game.state.phase) == ("stock", 1, "2")
    assert TITLE.phase("2").colours == ("yellow",)
    assert game.players_to_act() == (game.state.priority,)


def test_4_two_operating_rounds_between_stock_rounds_and_no_merger_round_in_phase_2() -> None:
    game = operating_round(after_privates())
    assert (game.state.round.kind, game.state.round.number) == ("stock", 3)


def test_4_from_phase_3_on_a_merger_round_may_follow_each_operating_round() -> None:
    game = after_privates()
    minor(game, "BE", at=120)
    reach_phase(game, "3")
    in_turn(game, "BE", "end")
    assert game.state.round.kind == "merger"
    act(game, "BE pass")
    assert (game.state.round.kind, game.state.round.part) == ("operating", 2)


# -- §5, §6 -------------------------------------------------------------------------------------------


def test_5_london_has_two_token_spaces_for_each_of_six_exits() -> None:
    london = new_game().tile_at(HexId("U23"))
    assert [city.slots for city in london.cities] == [2] * 6
    for number, city in enumerate(london.cities):
        ends = [path for path in london.paths if city.id in (path.a, path.b)]
        assert len(ends) == 1
        assert number in (ends[0].a, ends[0].b)


def test_6_the_price_of_a_minor_is_half_of_a_public_a_tenth_of_a_system_a_twentieth_of_its_value() -> None:
    """Seen in what the owners are worth: two, ten and twenty times the price for the whole company."""
    game = after_privates()
    before = TITLE.rules.worth(game, game.state.order[0])
    minor(game, "BE", "@1", at=80)
    assert TITLE.rules.worth(game, game.state.order[0]) - before == 2 * 80
    public(game, "MR", {"@1": 6}, at=120)
    public(game, "LMS", {"@1": 8}, at=300)
    assert TITLE.rules.worth(game, game.state.order[0]) - before == 2 * 80 + 6 * 120 + 8 * 300


def test_6_in_the_closed_box_a_company_is_removed_without_compensation() -> None:
    game = after_privates()
    minor(game, "BE", "@1", at=40, money=130)
    give_trains(game, "BE", "3")
    bank, ann = cash(game, BANK), cash(game, "@1")
    reach_phase(game, "3")
    in_turn(game, "BE", "earnings")
    assert company(game, "BE").position is None
    assert cash(game, "@1") == ann
    assert cash(game, BANK) == bank + 130
    assert trains(game, "pool") == ["3"]
    assert places(game, "BE") == []


def test_6_closed_publics_and_systems_may_be_started_again_closed_minors_not() -> None:
    game = after_privates()
    for name, start in (("BE", minor), ("MR", public), ("LMS", public)):
        start(game, name, at=40, money=0)
        in_turn(game, name, "earnings")
        assert company(game, name).position is None
    assert company(game, "BE").closed
    assert not company(game, "MR").closed
    assert not company(game, "LMS").closed
    assert len(company(game, "MR").tokens_left) == 4
    assert len(company(game, "LMS").tokens_left) == 12
    reach_phase(game, "4")
    stock_turn(game, "@1")
    assert any(text.startswith("@1 par MR ") for text in legal(game))
    assert Owner("BE") not in lots(game)
    act(game, "@1 par MR 70", "MR token X24", "@2 pass", "@3 pass")
    assert "has not yet completed a turn" in refused(game, "@1 sell 1 MR", "§9.1"), "it begins anew"


# -- §7.1 ---------------------------------------------------------------------------------------------

TABLE_1 = {
    "P1": (20, 30, 10),
    "P2": (30, 45, 15),
    "P3": (30, 45, 15),
    "P4": (30, 45, 15),
    "P5": (40, 60, 20),
    "P6": (40, 60, 20),
    "P7": (50, 75, 25),
    "P8": (50, 75, 25),
    "P9": (50, 75, 25),
    "P10": (60, 90, 30),
}
TABLES_2_AND_3 = {
    **dict.fromkeys(("F1", "F2", "F3"), (50, (10, 15, 20, 25))),
    **dict.fromkeys(("F4", "F5", "F6"), (100, (20, 30, 40, 50))),
    **dict.fromkeys(("F7", "F8"), (150, (30, 45, 60, 75))),
    "U1": (100, (0, 0, 40, 50)),
    "U2": (150, (0, 0, 0, 75)),
}


def test_7_1_privates_pay_their_owners_at_the_start_of_each_operating_round() -> None:
    game = after_privates(owners={"P3": "@2", "P10": "@3"})
    public(game, "MR", money=0)
    game.private(Owner("F8")).owner = Owner("MR")
    two, three = cash(game, "@2"), cash(game, "@3")
    operating_round(game)
    assert game.players_to_act()
    assert cash(game, "@2") == two + 15
    assert cash(game, "@3") == three + 30
    assert cash(game, "MR") == 30


def test_7_1_a_players_private_counts_as_a_certificate_a_companys_does_not() -> None:
    from bot.engine.play.holdings.certificates import certificate_count

    game = after_privates(owners={"P3": "@1", "F1": "@1"})
    assert certificate_count(game, game.state.order[0]) == 2
    public(game, "MR")
    game.private(Owner("P3")).owner = Owner("MR")
    assert certificate_count(game, game.state.order[0]) == 2


def test_7_1_companies_buy_privates_from_phase_3_for_1_to_face_value() -> None:
    game = after_privates(owners={"P10": "@1"})
    minor(game, "BE", money=300)
    in_turn(game, "BE", "track")
    assert "phase 3" in refused(game, "BE buy P10 for 90", "§7.1")
    reach_phase(game, "3")
    assert "£1 to £90" in refused(game, "BE buy P10 for 91", "§7.1")
    refused(game, "BE buy P10 for 0", "§7.1")
    ann = cash(game, "@1")
    act(game, "BE buy P10 for 90")
    assert game.private(Owner("P10")).owner == "BE"
    assert (cash(game, "@1"), cash(game, "BE")) == (ann + 90, 210)


def test_7_1_another_players_private_is_sold_only_if_he_agrees() -> None:
    game = after_privates(owners={"P10": "@2"})
    minor(game, "BE", "@1", money=300)
    reach_phase(game, "3")
    in_turn(game, "BE", "track")
    act(game, "BE buy P10 for 60")
    assert game.players_to_act() == ("@2",)
    assert TITLE.offered(game, game.players_to_act()[0]) == 60
    act(game, "@2 refuse")
    assert game.private(Owner("P10")).owner == "@2"
    bob = cash(game, "@2")
    # The company takes its offer back and makes a better one.
    act(game, "BE buy P10 for 60", "@1 withdraw")
    assert game.players_to_act() == ("@1",) and game.frame.entity == "BE" and cash(game, "@2") == bob
    events = act(game, "BE buy P10 for 61", "@2 agree")
    assert len(happened(events, PrivateBought)) == 1
    assert cash(game, "@2") == bob + 61


def test_7_1_a_company_may_not_sell_its_private_nor_borrow_for_one() -> None:
    game = after_privates(owners={"P10": "@1"})
    minor(game, "BE", money=40)
    public(game, "MR", {"@2": 2}, money=500)
    game.private(Owner("P10")).owner = Owner("BE")
    reach_phase(game, "3")
    in_turn(game, "MR", "track")
    assert "No player owns P10" in refused(game, "MR buy P10 for 90", "§7.1")
    game.private(Owner("P10")).owner = Owner("@1")
    in_turn(game, "BE", "track")
    assert "BE has £40" in refused(game, "BE buy P10 for 41", "§7.1")


def test_7_1_the_end_of_the_turn_is_the_last_point_at_which_a_private_may_be_bought() -> None:
    """After its run and with nothing to buy in the way of trains a company is still asked."""
    game = after_privates(owners={"P10": "@1"})
    minor(game, "BE", money=60)
    give_trains(game, "BE", "3", "3")
    reach_phase(game, "3")
    in_turn(game, "BE", "trains")
    assert "BE buy P10 for 60" in legal(game)
    act(game, "BE buy P10 for 60")
    assert game.state.round.kind != "operating" or game.frame.entity != "BE"


def test_7_1_and_10_10_a_private_may_take_the_money_for_a_train() -> None:
    """£136 and two loans pay for the 3; with P10 bought for £90 they do not, and the company falls."""
    game = after_privates(owners={"P10": "@1"})
    minor(game, "BE", at=100, money=136)
    reach_phase(game, "3")
    in_turn(game, "BE", "trains")
    assert "must own a train" in refused(game, "BE pass", "§10.10")
    act(game, "BE buy P10 for 90")
    assert (price(game, "BE"), company(game, "BE").loans) == (90, 0)


def test_7_1_1_table_1_and_seven_of_ten_in_play_by_lot() -> None:
    for sign, (minimum, face, paid) in TABLE_1.items():
        noun = PRIVATES[Owner(sign)]
        assert (noun.price, noun.income) == (face, paid)
        found = [g for g in (new_game(seed=s) for s in range(1, 4)) if sign in g.state.privates]
        assert all(game.private(Owner(sign)).price == minimum for game in found)
    drawn = set()
    for seed in range(1, 8):
        game = new_game(seed=seed)
        chosen = [sign for sign in game.state.privates if sign in TABLE_1]
        assert len(chosen) == 7
        drawn.add(tuple(chosen))
    assert len(drawn) > 3
    assert list(new_game(seed=5).state.privates) == list(new_game(seed=5).state.privates)


@pytest.mark.parametrize(
    ("private", "hex_id", "seed"), [("P2", "I17", 2), ("P3", "D8", 1), ("P4", "V28", 1), ("P5", "P18", 1)]
)
def test_7_1_1_a_free_yellow_tile_in_the_turn_of_one_of_the_owners_companies(
    private: str, hex_id: str, seed: int
) -> None:
    """Beside the normal allowance, for nothing, without connection: £0 and both tiles of the turn are left."""
    game = after_privates(owners={private: "@1"}, seed=seed)
    minor(game, "BE", "@1", money=0)
    minor(game, "LR", "@2", money=500)
    in_turn(game, "LR", "track")
    assert "director" in refused(game, f"LR lay 4 {hex_id} 1 with {private}", "§7.1.1")
    in_turn(game, "BE", "track")
    assert f"BE lay 4 {hex_id} 1 with {private}" in legal(game)
    assert "yellow tile on" in refused(game, f"BE lay 9 K21 1 with {private}", "§7.1.1")
    refused(game, f"BE lay 57 {hex_id} 1 with {private}", "§10.4")
    assert refusal(game, f"BE lay 4 {hex_id} 7 with {private}").sentence
    act(game, f"BE lay 4 {hex_id} 1 with {private}")
    assert cash(game, "BE") == 0
    assert game.state.board.tiles[HexId(hex_id)].tile == "4"
    assert not legal(game, f"BE lay 4 {hex_id}")
    assert legal(game, "BE lay 621 U13")


def test_7_1_1_the_free_tile_still_pays_for_a_hex_side_that_it_completes() -> None:
    """D8 with its link to C7 or C9 is free of water; its side towards D6/D10 is not: £80 at the lower right of A11 and so on."""
    game = after_privates(owners={"P3": "@1"})
    layout = game.board_rules.map
    sides = {edge: layout.side_cost(HexId("D8"), edge) for edge in range(6)}
    edge = next(edge for edge, money in sides.items() if money == 80)
    other = layout.neighbour(HexId("D8"), edge)
    minor(game, "BE", "@1", money=100)
    lay(game, f"9 {other} {edge % 3}")
    in_turn(game, "BE", "track")
    text = f"BE lay 4 D8 {edge % 3} with P3"
    set_cash(game, "BE", 79)
    company(game, "BE").loans = 2
    assert "must pay £80 for the hex-side" in refused(game, text, "§7.1.1")
    set_cash(game, "BE", 80)
    act(game, text)
    assert cash(game, "BE") == 0


def test_7_1_1_a_closed_private_lays_nothing() -> None:
    game = after_privates(owners={"P3": "@1"})
    game.private(Owner("P3")).closed = True
    minor(game, "BE", "@1", money=100)
    in_turn(game, "BE", "track")
    assert "BE's director does not personally own P3" in refused(game, "BE lay 4 D8 0 with P3", "§7.1.1")
    assert not legal(game, "BE lay 4 D8")


def test_7_1_1_once_bought_by_a_company_the_power_is_gone_and_nobody_is_blocked() -> None:
    game = after_privates(owners={"P5": "@1"})
    minor(game, "MC", "@2", money=500)
    minor(game, "BE", "@1", money=0)
    game.private(Owner("P5")).owner = Owner("BE")
    in_turn(game, "BE", "track")
    assert not legal(game, "BE lay 4 P18")
    lay(game, "621 O19 0")
    in_turn(game, "MC", "track")
    assert legal(game, "MC lay 4 P18")


def test_7_1_1_private_railways_close_at_the_start_of_phase_8_for_nothing() -> None:
    game = after_privates(owners={"P10": "@1", "F1": "@1", "P9": "@2"})
    public(game, "LMS", {"@1": 8}, money=2000)
    game.private(Owner("P9")).owner = Owner("LMS")
    reach_phase(game, "7")
    for train in game.state.trains:
        if train.family == "3+3" and train.owner == "depot":
            rearrange(game, train, owner=Owner("removed"))
    in_turn(game, "LMS", "trains")
    ann = cash(game, "@1")
    events = act(game, "LMS buy 4+4 for 1000")
    assert [event.phase for event in happened(events, PhaseBegan)] == ["8"]
    assert game.private(Owner("P10")).closed
    assert game.private(Owner("P9")).closed
    assert not game.private(Owner("F1")).closed
    assert cash(game, "@1") == ann
    operating_round(game)
    assert cash(game, "@1") == ann + 25  # F1 alone


def test_7_1_2_and_7_1_3_face_values_and_incomes_by_phase() -> None:
    game = after_privates()
    for sign, (face, incomes) in TABLES_2_AND_3.items():
        assert PRIVATES[Owner(sign)].price == face
        for phases, paid in zip(("2", "34", "56", "78"), incomes, strict=True):
            for phase in phases:
                game.state.phase = phase
                assert income(game, Owner(sign)) == paid


def test_7_1_2_ferries_are_on_offer_when_the_private_railways_have_been_auctioned() -> None:
    game = new_game()
    assert set(lots(game)) == {"P3"}
    game = stock_turn(after_privates())
    offered = lots(game)
    assert {sign: offered[Owner(sign)] for sign in ("F1", "F4", "F7")} == {"F1": 50, "F4": 100, "F7": 150}


def test_7_1_3_undergrounds_are_shown_for_sale_from_their_phases_on() -> None:
    for phase, shown in (("4", []), ("5", ["U1 £100"]), ("7", ["U1 £100", "U2 £150"])):
        game = after_privates()
        reach_phase(game, phase)
        assert [offer for offer in privates_for_sale(game).split(", ") if offer.startswith("U")] == shown


def test_7_1_3_undergrounds_come_in_phases_5_and_7_at_face_value() -> None:
    game = stock_turn(after_privates())
    for phase, expected in (("4", {}), ("5", {"U1": 100}), ("6", {"U1": 100}), ("7", {"U1": 100, "U2": 150})):
        reach_phase(game, phase)
        assert {lot: bid for lot, bid in lots(game).items() if lot in ("U1", "U2")} == expected
    set_cash(game, "@1", 500)
    act(game, "@1 bid U2 150", "@2 pass", "@3 pass")
    assert game.private(Owner("U2")).owner == "@1"


def test_7_1_3_ferries_and_undergrounds_are_permanent() -> None:
    game = after_privates(owners={"F8": "@1"})
    reach_phase(game, "8")
    stock_turn(game)
    assert not game.private(Owner("F8")).closed
    assert TITLE.rules.worth(game, game.state.order[0]) == cash(game, "@1") + 150


# -- §7.2 to §7.4 -------------------------------------------------------------------------------------


def test_7_2_minors_by_lot_12_at_the_start_6_for_the_second_stock_round_6_for_phase_3() -> None:
    groups = set()
    for seed in range(1, 9):
        game = new_game(seed=seed)
        start, second, late = memory(game).batches
        assert [len(start), len(second), len(late)] == [12, 6, 6]
        assert sorted((*start, *second, *late)) == sorted(
            name for name, noun in COMPANIES.items() if noun.kind == "minor"
        )
        assert [sum(one in GROUP_A for one in batch) for batch in (start, second, late)] == [4, 2, 2]
        groups.add(tuple(late))
    assert len(groups) > 4


def test_7_2_the_groups_set_aside_are_public_and_the_same_for_a_seed() -> None:
    assert memory(new_game(seed=4)).batches == memory(new_game(seed=4)).batches


def test_7_2_what_is_available_in_each_stock_round() -> None:
    game = after_privates()
    start, second, late = memory(game).batches

    def minors() -> set[str]:
        return {lot for lot in lots(game) if lot in COMPANIES}

    stock_turn(game, number=1)
    assert minors() == set(start)
    assert "not for sale now" in refused(game, f"@1 bid {second[0]} 100", "§9.2")
    stock_turn(game, number=2)
    assert minors() == {*start, *second}
    reach_phase(game, "3")
    assert minors() == {*start, *second, *late}
    reach_phase(game, "4")
    assert len(minors()) == 24
    reach_phase(game, "5")
    assert minors() == set()


def test_7_3_eleven_publics_with_a_directors_certificate_of_20_percent_and_eight_of_10() -> None:
    publics = [noun for noun in COMPANIES.values() if noun.kind == "public"]
    assert [noun.id for noun in publics] == ["CR", "GER", "GNR", "LBSC", "LNW", "LSW", "LYR", "MR", "NBR", "NER", "SEC"]
    assert all(noun.certificates == (20, *(10,) * 8) and len(noun.tokens) == 4 for noun in publics)


def test_7_3_whoever_owns_more_becomes_director() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 2, "@2": 2}, at=70)
    stock_turn(game, "@2")
    act(game, "@2 buy MR")
    record = company(game, "MR")
    assert record.certificates[0].owner == "@2"
    assert (record.percent_held_by(Owner("@1")), record.percent_held_by(Owner("@2"))) == (20, 30)
    assert record.count_of(Owner("@1")) == 2


def test_7_4_five_systems_of_20_shares_three_with_12_stations_two_with_8() -> None:
    systems = {noun.id: noun for noun in COMPANIES.values() if noun.kind == "system"}
    assert {name: len(noun.tokens) for name, noun in systems.items()} == {
        "GCR": 12,
        "GWR": 8,
        "LMS": 12,
        "LNE": 12,
        "SR": 8,
    }
    assert all(noun.certificates == (20, *(5,) * 16) for noun in systems.values())


def test_7_4_the_outgoing_director_of_a_system_gets_four_ordinary_shares() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 4, "@2": 4}, at=100)
    stock_turn(game, "@2")
    act(game, "@2 buy LMS")
    record = company(game, "LMS")
    assert record.certificates[0].owner == "@2"
    assert record.count_of(Owner("@1")) == 4


# -- §8 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "colours", "minors", "publics", "systems"),
    [
        ("2", "yellow", 2, None, None),
        ("3", "yellow green", 2, 4, None),
        ("4", "yellow green", 1, 3, None),
        ("5", "yellow green brown", 1, 3, None),
        ("6", "yellow green brown", 1, 2, 4),
        ("7", "yellow green brown gray", 1, 2, 4),
        ("8", "yellow green brown gray", 0, 2, 4),
    ],
)
def test_8_track_and_train_limits_of_each_phase(
    phase: str, colours: str, minors: int, publics: int | None, systems: int | None
) -> None:
    assert TITLE.phase(phase).colours == tuple(colours.split())
    assert TRAIN_LIMIT["minor"][phase] == minors
    assert publics in (None, TRAIN_LIMIT["public"][phase])
    assert systems in (None, TRAIN_LIMIT["system"][phase])


@pytest.mark.parametrize(
    ("old", "train", "new", "gone"),
    [
        ("2", "3", "3", ""),
        ("3", "4", "4", "2"),
        ("4", "5", "5", ""),
        ("4", "3G", "5", ""),
        ("5", "6", "6", "3"),
        ("5", "4G", "6", "3"),
        ("6", "3+3", "7", ""),
        ("6", "5G", "7", ""),
        ("7", "4+4", "8", "4"),
        ("7", "6G", "8", "4"),
    ],
)
def test_8_each_phase_begins_with_the_first_train_of_its_family(old: str, train: str, new: str, gone: str) -> None:
    """At the start of phases 4, 6 and 8 the 2-, 3- and 4-trains are eliminated, a 4G is none of them."""
    game = after_privates()
    public(game, "LMS", {"@1": 8}, money=2000)
    for name in ("MR", "CR"):
        public(game, name, {"@2": 5}, money=0)
    give_trains(game, "MR", "4G")
    give_trains(game, "CR", gone or "5")
    give_trains(game, "pool", gone or "5")
    reach_phase(game, new)
    game.state.phase = old
    in_turn(game, "LMS", "trains")
    events = act(game, f"LMS buy {train} for {TITLE.trains[train].price}")
    assert [event.phase for event in happened(events, PhaseBegan)] == [new]
    assert trains(game, "CR") == ([] if gone else ["5"])
    assert trains(game, "pool") == ([] if gone else ["5"])
    assert trains(game, "MR") == ["4G"]


def test_8_reservations_end_with_phase_5() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 5}, money=2000, stations=[("O17", 0)])
    give_trains(game, "MR", "4")
    game.state.board.reservations = [kept for kept in game.state.board.reservations if kept.company != "NM"]
    assert game.state.board.reservations
    reach_phase(game, "4")
    for train in game.state.trains:
        if train.family == "4" and train.owner == "depot":
            rearrange(game, train, owner=Owner("removed"))
    in_turn(game, "MR", "trains")
    act(game, "MR buy 5 for 550")
    assert game.state.phase == "5"
    assert game.state.board.reservations == []


def test_8_the_limit_falls_at_once_when_a_phase_begins() -> None:
    """Phase 4: minors own one train, publics three; the excess goes to the pool."""
    game = after_privates()
    minor(game, "BE", "@1", money=350)
    minor(game, "TV", "@2", at=120)
    give_trains(game, "TV", "3", "3")
    public(game, "MR", {"@3": 5})
    give_trains(game, "MR", "3", "3", "3", "3")
    reach_phase(game, "3")
    for train in game.state.trains:
        if train.family == "3" and train.owner == "depot":
            rearrange(game, train, owner=Owner("removed"))
    in_turn(game, "BE", "trains")
    act(game, "BE buy 4 for 350")
    assert game.players_to_act() == ("@2",)
    act(game, "TV discard 3")
    assert game.players_to_act() == ("@3",)
    act(game, "MR discard 3")
    assert trains(game, "pool") == ["3", "3"]
    assert (trains(game, "TV"), trains(game, "MR")) == (["3"], ["3"] * 3)


def test_8_phase_8_leaves_minors_without_trains() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 8}, money=1000)
    minor(game, "BE", "@2")
    give_trains(game, "BE", "5")
    reach_phase(game, "8")
    game.state.phase = "7"
    in_turn(game, "LMS", "trains")
    act(game, "LMS buy 4+4 for 1000", "BE discard 5")
    assert trains(game, "BE") == []
    game.private(Owner("F1")).owner = Owner("@2")
    set_cash(game, "BE", 700)
    in_turn(game, "BE", "trains")
    assert set(legal(game)) == {"BE pass", "BE buy F1 for 1", "BE buy F1 for 50"}  # it need not buy what it may not own
    assert price_of(game, as_company("BE")) == price(game, "BE") == 100


def test_7_4_tokens_are_audited() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 2}, stations=[("X24", 0)])
    public(game, "LMS", {"@2": 4}, stations=[("U23", 0)])
    assert list(TITLE.audits[0].broken(game)) == []
    company(game, "LMS").tokens_left = company(game, "LMS").tokens_left[:7]
    assert list(TITLE.audits[0].broken(game)) == []
    company(game, "MR").tokens_left = company(game, "MR").tokens_left[:-1]
    assert list(TITLE.audits[0].broken(game)) == ["MR has 3 tokens instead of 4"]
