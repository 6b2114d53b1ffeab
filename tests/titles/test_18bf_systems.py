"""18BF §12.6 and §13: systems, the end of the game, the appendix."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bot.engine.ids import REMOVED, HexId, Owner, as_company
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.play.holdings.trains import restock
from bot.engine.play.steps import CompanyFormed, unstarted_companies
from bot.engine.state.events import GameEnded, GameEndTriggered, RoundBegan, TrainExported
from bot.titles.t18bf.company_closure import close
from bot.titles.t18bf.events import SharesTraded
from bot.titles.t18bf.map import MAP
from bot.titles.t18bf.mergers.systems import exchange_rate, first_column, tokens_for, worth_of
from bot.titles.t18bf.rounds import final_price
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles.builders_18bf import (
    COMPANIES,
    MARKET,
    TITLE,
    after_privates,
    asked,
    company,
    give_trains,
    happened,
    in_turn,
    lay,
    legal,
    memory,
    merger_round,
    minor,
    operating_round,
    places,
    price,
    public,
    reach_phase,
    shares,
    stock_turn,
    token,
    trains,
)
from tests.titles.positions import act, cash, refused, set_cash


def londoners(
    held: Mapping[str, Mapping[str, int]],
    at: Mapping[str, int],
    phase: str = "6",
    players: int = 3,
    money: int = 0,
    stations: int = 1,
) -> Game:
    """Publics with a station each in London, hence connected; MR is the dearest and in turn."""
    game = after_privates(players)
    reach_phase(game, phase)
    for number, (name, holdings) in enumerate(held.items()):
        public(game, name, holdings, at[name], money, stations=[("U23", number)] * stations)
    return merger_round(game)


# -- §12.6: who may -----------------------------------------------------------------------------------


def test_12_6_systems_form_in_merger_rounds_of_phases_6_to_8() -> None:
    held = {"MR": {"@1": 4}, "CR": {"@1": 2}}
    game = londoners(held, {"MR": 120, "CR": 100}, "5")
    assert game.state.round.kind == "operating"
    for phase in ("6", "7", "8"):
        game = londoners(held, {"MR": 120, "CR": 100}, phase)
        assert "MR form SR with CR" in legal(game)


def test_12_6_before_phase_6_no_typed_proposal_forms_one() -> None:
    game = after_privates()
    minor(game, "EC", "@1", at=150)
    public(game, "MR", {"@1": 4}, 120, stations=[("U23", 1)])
    public(game, "CR", {"@1": 2}, 100, stations=[("U23", 2)])
    reach_phase(game, "5")
    merger_round(game)
    game.frame.entity = Owner("MR")
    assert "from phase 6 on" in refused(game, "MR form SR with CR", "§12.6")


def test_12_6_they_must_be_connected_and_four_at_the_most() -> None:
    game = londoners({"MR": {"@1": 4}, "CR": {"@1": 2}}, {"MR": 120, "CR": 100})
    public(game, "NER", {"@1": 2}, stations=[("G17", 0)])
    assert "trace" in refused(game, "MR form SR with NER", "§12.6")
    names = ["CR", "GER", "GNR", "LBSC", "LNW"]
    game = londoners({"MR": {"@1": 4}, **{name: {"@1": 2} for name in names}}, {"MR": 120, **dict.fromkeys(names, 100)})
    assert "Two to 4" in refused(game, f"MR form LMS with {' '.join(names[:4])}", "§12.6")
    assert not [text for text in legal(game, "MR form") if len(text.split()) > 7]


def test_12_6_all_directors_agree_and_are_asked_at_once() -> None:
    game = londoners({"MR": {"@1": 6}, "CR": {"@2": 2}, "GNR": {"@3": 2}}, {"MR": 120, "CR": 100, "GNR": 90})
    act(game, "MR form LMS with CR GNR")
    assert sorted(asked(game)) == ["@2", "@3"]
    assert sorted(legal(game)) == ["@1 withdraw", "@2 agree", "@2 refuse", "@3 agree", "@3 refuse"]
    assert "MR, CR and GNR become LMS at £150 with Ann as director? Agree or refuse." in str(question(game))
    act(game, "@3 agree", "@2 refuse")
    assert asked(game) == ["@1"]
    assert company(game, "LMS").position is None


def test_12_6_minors_first_then_publics_and_a_public_formed_now_may_join_now() -> None:
    game = after_privates()
    minor(game, "EC", "@1", at=150, money=0)
    public(game, "MR", {"@1": 4}, 120, 0, stations=[("U23", 1)])
    reach_phase(game, "6")
    merger_round(game)
    set_cash(game, "@1", 0)
    set_cash(game, "@2", 0)
    set_cash(game, "@3", 0)
    game.state.money = sum(game.state.cash.values())
    assert str(question(game)) == "Ann (EC): convert, merge or join a public company, or pass."
    act(game, "EC convert to GER")
    assert game.frame.entity == "GER"
    assert str(question(game)) == "Ann (GER): form a system, or pass."
    act(game, "GER form SR with MR")
    assert shares(game, "SR", "@1") == 6


def test_12_6_four_shares_must_be_in_one_hand() -> None:
    held = {"MR": {"@1": 2, "@2": 1}, "CR": {"@2": 2, "@3": 2}, "GER": {"@1": 2}}
    game = londoners(held, {"MR": 120, "CR": 100, "GER": 90})
    for owner in ("MR", "CR"):
        for certificate in company(game, owner).certificates:
            if certificate.owner == "ipo":
                rearrange(game, certificate, owner=Owner("pool"))
    assert "4 shares of SR" in refused(game, "MR form SR with CR", "§12.6")
    assert {text.split()[-1] for text in legal(game, "MR form") if len(text.split()) == 5} == {"GER"}


def test_12_6_four_shares_may_come_from_trading_up() -> None:
    """5 shares of three companies are 2 and a pair left over: 2 more for two-thirds of £165, which are £110, or 1 more."""
    held = {"MR": {"@1": 2, "@2": 2}, "CR": {"@3": 2, "@1": 2}, "NBR": {"@2": 2, "@1": 1}}
    game = londoners(held, {"MR": 120, "CR": 100, "NBR": 110})
    set_cash(game, "@1", 109)
    game.state.money = sum(game.state.cash.values())
    assert "4 shares" in refused(game, "MR form LMS with CR NBR", "§12.6")
    set_cash(game, "@1", 110)
    game.state.money = sum(game.state.cash.values())
    act(game, "MR form LMS with CR NBR", "@2 agree", "@3 agree")
    assert shares(game, "LMS", "@1") == 4


def test_12_6_what_a_correction_takes_while_directors_are_asked_is_missing() -> None:
    held = {"MR": {"@1": 2, "@2": 2}, "CR": {"@3": 2, "@1": 2}, "NBR": {"@2": 2, "@1": 1}}
    game = londoners(held, {"MR": 120, "CR": 100, "NBR": 110})
    set_cash(game, "@1", 110)
    game.state.money = sum(game.state.cash.values())
    act(game, "MR form LMS with CR NBR", "@2 agree")
    set_cash(game, "@1", 0)
    game.state.money = sum(game.state.cash.values())
    before = game.copy().state
    events = act(game, "@3 agree")
    assert "Nobody holds 4 shares of LMS: the merger is undone." in told(game, events)
    assert (game.state.companies, game.state.cash, game.state.stacks) == (before.companies, before.cash, before.stacks)
    assert "refused" in refused(game, "MR form LMS with CR NBR", "§12.1")


def test_12_6_systems_merge_no_more_and_merged_publics_are_gone() -> None:
    game = londoners({"MR": {"@1": 4}, "CR": {"@1": 2}}, {"MR": 120, "CR": 100})
    act(game, "MR form SR with CR")
    assert company(game, "MR").closed
    assert company(game, "CR").closed
    assert game.state.round.kind == "operating"
    stock_turn(game, "@2")
    set_cash(game, "@2", 500)
    assert not [text for text in legal(game, "@2 par") if text.split()[2] in ("MR", "CR", "SR")]


def test_12_6_players_buy_no_system_shares_in_a_merger_round() -> None:
    game = londoners({"MR": {"@1": 4}, "CR": {"@1": 2}}, {"MR": 120, "CR": 100})
    set_cash(game, "@1", 2000)
    game.state.money = sum(game.state.cash.values())
    act(game, "MR form SR with CR")
    assert shares(game, "SR", "@1") == 6
    assert game.frame.plan not in ("forming", "merger turn")


def test_12_6_more_than_60_percent_the_certificate_limit_and_ten_loans_are_allowed() -> None:
    game = londoners({"MR": {"@1": 7}, "CR": {"@1": 7}}, {"MR": 120, "CR": 100}, "8", players=5)
    for name in ["BE", "BG", "EC", "EG", "EK", "EPD", "GA", "GC"]:
        rearrange(game, company(game, name).certificates[0], owner=Owner("@1"))
        company(game, name).floated = True
    company(game, "MR").loans, company(game, "CR").loans = 6, 5
    act(game, "MR form SR with CR")
    assert shares(game, "SR", "@1") == 14
    assert company(game, "SR").loans == 11


# -- §12.6 a ------------------------------------------------------------------------------------------


def test_12_6_a_two_publics_one_for_one_at_the_average_in_a_system_of_8_stations() -> None:
    """£135 and £100: £117.5, the space of £110. Treasury and pool change as well."""
    game = londoners(
        {"MR": {"@1": 4, "@2": 1, "pool": 2}, "CR": {"@2": 3, "@3": 2}}, {"MR": 135, "CR": 100}, stations=2
    )
    assert "can become: GWR, SR" in refused(game, "MR form LMS with CR", "§12.6")
    events = act(game, "MR form GWR with CR", "@2 agree")
    assert [(event.company, event.price) for event in happened(events, CompanyFormed)] == [("GWR", 110)]
    assert [shares(game, "GWR", owner) for owner in ("@1", "@2", "@3", "pool", "ipo")] == [4, 4, 2, 2, 8]
    assert company(game, "GWR").certificates[0].owner == "@1"
    assert places(game, "GWR") == ["U23.0", "U23.0", "U23.1", "U23.1"]
    assert len(company(game, "GWR").tokens_left) == 4


def test_12_6_a_system_keeps_two_stations_in_one_hex() -> None:
    """§10.5: "a System can have more than one in any city (if acquired by merger)"."""
    game = londoners({"MR": {"@1": 4}, "CR": {"@1": 2}}, {"MR": 135, "CR": 100})
    lay(game, "207 U13 1")
    for name in ("MR", "CR"):
        token(game, name, "U13")
    act(game, "MR form GWR with CR")
    assert places(game, "GWR") == ["U13.0", "U13.0", "U23.0", "U23.1"]


def test_12_6_a_without_a_small_system_a_large_one_with_8_stations() -> None:
    game = londoners({"MR": {"@1": 4}, "CR": {"@1": 2}}, {"MR": 135, "CR": 100})
    for name in ("GWR", "SR"):
        public(game, name, {"@2": 4}, at=100)
    act(game, "MR form LMS with CR")
    assert len(places(game, "LMS")) + len(company(game, "LMS").tokens_left) == 8


def test_12_6_assets_and_loans_go_to_the_system_and_trains_above_four_to_the_pool() -> None:
    game = londoners({"MR": {"@1": 4}, "CR": {"@1": 2}}, {"MR": 135, "CR": 100}, money=70)
    for name in ("MR", "CR"):
        give_trains(game, name, "5", "3G", "6")
        company(game, name).loans = 3
    game.private(Owner("F1")).owner = Owner("CR")
    act(game, "MR form SR with CR")
    assert (cash(game, "SR"), company(game, "SR").loans) == (140, 6)
    assert set(legal(game)) == {"SR discard 5", "SR discard 3G", "SR discard 6"}
    act(game, "SR discard 5", "SR discard 3G")
    assert sorted(trains(game, "SR")) == ["3G", "5", "6", "6"]
    assert sorted(trains(game, "pool")) == ["3G", "5"]
    assert game.private(Owner("F1")).owner == "SR"


# -- §12.6 b ------------------------------------------------------------------------------------------

THREE = {"MR": 120, "CR": 100, "GNR": 90}
"""£120 + £90 = £210, the space of £200, three back: £150."""


def test_12_6_b_three_publics_three_for_two_at_the_sum_of_highest_and_lowest_three_back() -> None:
    game = londoners({"MR": {"@1": 6}, "CR": {"@2": 3}, "GNR": {"@3": 3}}, THREE)
    assert "can become: GCR, LMS, LNE" in refused(game, "MR form SR with CR GNR", "§12.6")
    act(game, "MR form LMS with CR GNR", "@2 agree", "@3 agree")
    assert price(game, "LMS") == 150
    assert [shares(game, "LMS", owner) for owner in ("@1", "@2", "@3", "ipo")] == [4, 2, 2, 12]
    assert len(places(game, "LMS")) + len(company(game, "LMS").tokens_left) == 12


def test_12_6_b_singles_pay_a_third_pairs_two_thirds_to_trade_up() -> None:
    """At £150: £50 for a single, £100 for a pair, into the system's treasury; the pool's £50 come from the bank."""
    game = londoners({"MR": {"@1": 7, "pool": 1}, "CR": {"@2": 2}, "GNR": {"@3": 4}}, THREE)
    before = [cash(game, owner) for owner in ("@1", "@2", "@3", "bank")]
    events = act(game, "MR form LMS with CR GNR", "@2 agree", "@3 agree")
    assert [(event.owner, event.shares, event.money) for event in happened(events, SharesTraded)] == [
        ("@1", 1, -50),
        ("@2", 2, -100),
        ("@3", 1, -50),
        ("pool", 1, -50),
    ]
    assert [shares(game, "LMS", owner) for owner in ("@1", "@2", "@3", "pool")] == [5, 2, 3, 1]
    assert cash(game, "LMS") == 250
    assert [cash(game, owner) for owner in ("@1", "@2", "@3", "bank")] == [
        before[0] - 50,
        before[1] - 100,
        before[2] - 50,
        before[3] - 50,
    ]


@pytest.mark.parametrize(("prices", "first", "third", "two_thirds"), [((90, 80), 120, 40, 80), ((80, 70), 110, 37, 73)])
def test_12_6_b_fractions_are_rounded_normally(
    prices: tuple[int, int], first: int, third: int, two_thirds: int
) -> None:
    """£90 and £80, £80 and £70 make 165 and 150, three spaces back 120 and 110: a third of 110 is 36.67, two are 73.33."""
    high, low = prices
    game = londoners({"MR": {"@1": 7}, "CR": {"@2": 2}, "GNR": {"@3": 4}}, {"MR": high, "CR": low, "GNR": low})
    events = act(game, "MR form LMS with CR GNR", "@2 agree", "@3 agree")
    assert price(game, "LMS") == first
    assert [event.money for event in happened(events, SharesTraded)] == [-third, -two_thirds, -third]


def test_12_6_b_without_funds_singles_get_two_thirds_pairs_a_share_and_one_third() -> None:
    """At £150: £100 for the single, a share and £50 for the pair; the system borrows four loans for it."""
    game = londoners({"MR": {"@1": 6}, "CR": {"@2": 2}, "GNR": {"@3": 4}}, THREE)
    set_cash(game, "@2", 99)
    set_cash(game, "@3", 49)
    game.state.money = sum(game.state.cash.values())
    act(game, "MR form LMS with CR GNR", "@2 agree", "@3 agree")
    assert [shares(game, "LMS", owner) for owner in ("@1", "@2", "@3")] == [4, 1, 2]
    assert (cash(game, "@2"), cash(game, "@3")) == (149, 149)
    assert company(game, "LMS").loans == 4
    assert cash(game, "LMS") == 4 * 45 - 150


def test_12_6_b_loans_for_trading_down_exceed_the_limit_if_they_must() -> None:
    game = londoners({"MR": {"@1": 6}, "CR": {"@2": 2}, "GNR": {"@3": 4}}, THREE)
    for name, loans in (("MR", 5), ("CR", 4), ("GNR", 0)):
        company(game, name).loans = loans
    set_cash(game, "@2", 0)
    set_cash(game, "@3", 0)
    game.state.money = sum(game.state.cash.values())
    act(game, "MR form LMS with CR GNR", "@2 agree", "@3 agree")
    assert company(game, "LMS").loans == 13


def test_12_6_b_the_new_director_first_then_to_the_left_while_there_are_shares() -> None:
    """All 30 shares are out, 10 each: 18 new ones, two are left. Bob directs and begins, Cid gets the last, Ann £100."""
    game = londoners({"MR": {"@2": 10}, "CR": {"@1": 10}, "GNR": {"@3": 10}}, THREE)
    events = act(game, "MR form LMS with CR GNR", "@1 agree", "@3 agree")
    assert [(event.owner, event.shares, event.money) for event in happened(events, SharesTraded)] == [
        ("@2", 1, -50),
        ("@3", 1, -50),
        ("@1", 0, 100),
    ]
    assert [shares(game, "LMS", owner) for owner in ("@1", "@2", "@3", "ipo")] == [6, 7, 7, 0]
    assert company(game, "LMS").certificates[0].owner == "@2"


def test_12_6_b_the_pool_decides_last_and_trades_down_if_there_is_no_share() -> None:
    """Six hold five shares each: twelve of the system at first, and four pairs trade up for the other eight. Eve's pair is
    worth four thirds of £135, and so is the pool's."""
    held = {
        "MR": {"@1": 4, "@2": 2, "@3": 2, "@4": 2},
        "CR": {"@5": 4, "@1": 1, "@2": 3, "@3": 2},
        "GER": {"@4": 3, "@5": 1, "@3": 1, "pool": 5},
    }
    game = londoners(held, {"MR": 100, "CR": 90, "GER": 80}, players=5)
    before, bank = cash(game, "@5"), cash(game, "bank")
    events = act(game, "MR form LMS with CR GER", "@5 agree", "@4 agree")
    trades = [(trade.owner, trade.shares, trade.money) for trade in happened(events, SharesTraded)]
    assert trades == [*((f"@{seat}", 2, -90) for seat in (1, 2, 3, 4)), ("@5", 0, 180), ("pool", 0, 180)]
    assert [shares(game, "LMS", owner) for owner in ("@1", "@5", "pool", "ipo")] == [4, 2, 2, 0]
    assert (cash(game, "@5"), cash(game, "bank")) == (before + 180, bank + 180)


# -- §12.6 c ------------------------------------------------------------------------------------------

FOUR = {"MR": 120, "CR": 100, "GNR": 90, "LNW": 80}
"""£120 + £80 = £200."""


def test_12_6_c_four_publics_two_for_one_odd_shares_for_half_the_price() -> None:
    game = londoners({"MR": {"@1": 5, "@2": 1}, "CR": {"@2": 2}, "GNR": {"@1": 4}, "LNW": {"@3": 3, "pool": 1}}, FOUR)
    set_cash(game, "@3", 99)
    game.state.money = sum(game.state.cash.values())
    bank = cash(game, "bank")
    events = act(game, "MR form LNE with CR GNR LNW", "@2 agree", "@3 agree")
    assert price(game, "LNE") == 200
    assert [(event.owner, event.shares, event.money) for event in happened(events, SharesTraded)] == [
        ("@1", 1, -100),
        ("@2", 1, -100),
        ("@3", 0, 100),
        ("pool", 1, -100),
    ]
    assert [shares(game, "LNE", owner) for owner in ("@1", "@2", "@3", "pool")] == [5, 2, 1, 1]
    assert cash(game, "@3") == 199
    assert cash(game, "bank") == bank - 100
    assert cash(game, "LNE") == 200


def test_12_6_c_with_too_few_tokens_the_director_chooses_which_stations_to_give_up() -> None:
    game = londoners(
        {"MR": {"@1": 8}, "CR": {"@1": 2}, "GNR": {"@1": 2}, "LNW": {"@1": 2}},
        FOUR,
        stations=2,
    )
    spots = iter([(hex_id, 0) for hex_id in ("O17", "O19", "U13", "U11", "U7", "X24", "X20", "K19", "M17")])
    for name in FOUR:
        for _ in range(2):
            spot = next(spots)
            company(game, name).tokens_left = company(game, name).tokens_left[1:]
            game.state.board.place_token(HexId(spot[0]), spot[1], as_company(name))
    game.board_changed()
    act(game, "MR form LNE with CR GNR LNW")
    (first, *_others) = legal(game, "LNE stations")
    words = first.split()
    assert len(words) == 2 + 12
    assert "No merging company has that station on U23" in refused(game, " ".join([*words[:-1], words[-2]]), "§12.3"), (
        "named twice"
    )
    assert "keeps 12" in refused(game, " ".join(words[:-1]), "§12.3")
    act(game, first)
    assert len(places(game, "LNE")) == 12
    assert company(game, "LNE").tokens_left == ()
    assert not any(token in FOUR for cities in game.state.board.tokens.values() for city in cities for token in city)


# -- §12.6 d, e ---------------------------------------------------------------------------------------


def test_12_6_d_one_public_converts_one_for_one_at_its_price_with_four_more_stations() -> None:
    game = londoners({"MR": {"@1": 4, "pool": 2}}, {"MR": 150}, stations=2)
    events = act(game, "MR form SR without CR")
    assert [(event.company, event.price) for event in happened(events, CompanyFormed)] == [("SR", 150)]
    assert [shares(game, "SR", owner) for owner in ("@1", "pool", "ipo")] == [4, 2, 14]
    assert len(places(game, "SR")) == 2
    assert len(company(game, "SR").tokens_left) == 6
    assert company(game, "CR").closed


def test_12_6_d_only_if_the_director_has_no_other_public_and_one_is_unstarted() -> None:
    game = londoners({"MR": {"@1": 4}, "CR": {"@1": 2}}, {"MR": 150, "CR": 100})
    assert "only if its director has no other" in refused(game, "MR form SR without GER", "§12.6")
    game = londoners({"MR": {"@1": 4}, "CR": {"@2": 2}}, {"MR": 150, "CR": 100})
    assert "unstarted" in refused(game, "MR form SR without CR", "§12.6")
    act(game, "MR form SR without GER")


def test_12_6_d_a_public_that_has_closed_is_unstarted() -> None:
    """§7.3: it is available to be restarted, so it can be dropped."""
    game = londoners({"MR": {"@1": 4}, "CR": {"@2": 4}}, {"MR": 150, "CR": 100})
    for name in unstarted_companies(game, "public"):
        game.company(name).closed = True
    assert not [text for text in legal(game, "MR form") if "without" in text]
    close(game, as_company("CR"))
    assert "MR form SR without CR" in legal(game)


def test_12_6_d_four_shares_must_be_in_one_hand() -> None:
    game = londoners({"MR": {"@1": 3, "@2": 3}, "CR": {"@2": 4}}, {"MR": 150, "CR": 100})
    assert "No player would own 4 shares of SR" in refused(game, "MR form SR without GER", "§12.6")


def test_12_6_e_what_remains_lies_in_the_treasury() -> None:
    game = londoners({"MR": {"@1": 4}}, {"MR": 150})
    act(game, "MR form SR without CR")
    assert shares(game, "SR", "ipo") == 16


@pytest.mark.parametrize(
    ("members", "old", "new", "left"), [(1, 7, 7, 0), (2, 7, 7, 0), (3, 7, 4, 1), (3, 8, 4, 2), (4, 7, 3, 1)]
)
def test_12_6_exchanges(members: int, old: int, new: int, left: int) -> None:
    assert exchange_rate(old, members) == (new, left)
    assert tokens_for(members) == (8 if members < 3 else 12)


@pytest.mark.parametrize(
    ("prices", "money"),
    [((150,), 150), ((135, 100), 110), ((120, 100, 90), 150), ((120, 100, 90, 80), 200), ((800, 600, 600, 500), 800)],
)
def test_12_6_prices(prices: tuple[int, ...], money: int) -> None:
    assert MARKET.price((0, first_column(prices))) == money


def test_12_6_a_system_operates_from_the_next_round_on() -> None:
    game = londoners({"MR": {"@1": 4}}, {"MR": 150})
    act(game, "MR form SR without CR")
    assert (game.state.round.kind, game.frame.entity) == ("operating", "SR")


# -- §13 ----------------------------------------------------------------------------------------------


def ending(part: int) -> Game:
    """LMS buys the first 4+4 in the first or second operating round of a set."""
    game = after_privates()
    public(game, "LMS", {"@1": 8}, money=5000, stations=[("U23", 1)])
    reach_phase(game, "8")
    game.state.phase = "7"
    in_turn(game, "LMS", "trains", part)
    events = act(game, "LMS buy 4+4 for 1000", "LMS pass")
    assert happened(events, GameEndTriggered)
    return game


def test_13_another_train_does_not_move_the_end() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 8}, money=5000, stations=[("U23", 1)])
    reach_phase(game, "8")
    game.state.phase = "7"
    in_turn(game, "LMS", "trains")
    assert happened(act(game, "LMS buy 4+4 for 1000"), GameEndTriggered)
    game.state.round.part = 2
    assert not happened(act(game, "LMS buy 4+4 for 1000"), GameEndTriggered)
    assert memory(game).last_set == 2, "no triple set, though the second was bought in the second round"


def test_10_10_only_2_plus_2_and_4_plus_4_trains_are_without_number() -> None:
    game = after_privates()
    for family in ("2", "3", "4", "5", "2+2", "4+4"):
        cards = [train for train in game.state.trains if train.family == family]
        for train in cards:
            rearrange(game, train, owner=REMOVED)
        restock(game, TrainExported(cards[-1].id, cards[-1].kind))
        more = sum(train.family == family for train in game.state.trains) - len(cards)
        assert more == (1 if family in ("2+2", "4+4") else 0), family


def rounds_to_the_end(game: Game) -> list[str]:
    """What rounds begin until the game is over, everybody passing."""
    begun = []
    for _ in range(200):
        if game.state.finished:
            return begun
        by = game.frame.entity if not game.frame.asked else game.frame.asked[0]
        text = f"{by} pass" if f"{by} pass" in legal(game) else legal(game)[0]
        begun += [event.kind for event in happened(act(game, text), RoundBegan)]
    raise AssertionError("no end")


def test_13_triggered_in_the_first_round_the_pair_is_finished_a_stock_round_and_another_pair_follow() -> None:
    game = ending(1)
    begun = [game.state.round.kind, *rounds_to_the_end(game)]
    assert [kind for kind in begun if kind != "merger"] == ["operating", "stock", "operating", "operating"]


def test_13_triggered_in_the_second_round_a_stock_round_and_three_operating_rounds_follow() -> None:
    game = ending(2)
    begun = [game.state.round.kind, *rounds_to_the_end(game)]
    assert [kind for kind in begun if kind != "merger"] == ["stock", "operating", "operating", "operating"]


def test_13_a_6g_triggers_it_as_well() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 8}, money=5000)
    reach_phase(game, "8")
    game.state.phase = "7"
    in_turn(game, "LMS", "trains")
    assert happened(act(game, "LMS buy 6G for 800"), GameEndTriggered)


@pytest.mark.parametrize(("option", "ends"), [("any", True), ("bought", False)])
def test_13_whether_the_removal_of_the_first_4_plus_4_triggers_it_is_an_option(option: str, ends: bool) -> None:
    game = after_privates(end=option)
    minor(game, "BE", at=150)
    reach_phase(game, "8")
    game.state.phase = "7"
    operating_round(game, part=2, at=2)
    assert game.state.phase == "8"
    assert bool(game.state.ending) is ends


def test_13_loans_move_the_price_left_at_the_end() -> None:
    """MR at £100 with three loans counts £70; a company whose loans lead to the closed box counts nothing."""
    game = after_privates()
    public(game, "MR", {"@1": 4}, at=100, loans=3)
    public(game, "CR", {"@1": 3}, at=50, loans=7)
    assert final_price(game, company(game, "MR").id) == 70
    assert final_price(game, company(game, "CR").id) == 0
    assert TITLE.rules.worth(game, game.state.order[0]) == cash(game, "@1") + 4 * 70
    assert price(game, "MR") == 100


def test_13_privates_count_face_value_and_minors_twice_their_price() -> None:
    game = after_privates(owners={"F8": "@1", "P10": "@1"})
    game.private(Owner("U2")).owner = Owner("@1")
    minor(game, "BE", "@1", at=110, loans=1)
    assert TITLE.rules.worth(game, game.state.order[0]) == cash(game, "@1") + 150 + 90 + 150 + 2 * 100


def test_13_assets_of_companies_count_for_nothing_and_the_richest_wins() -> None:
    game = after_privates()
    public(game, "MR", {"@1": 4}, at=100, money=5000)
    give_trains(game, "MR", "5")
    game.private(Owner("F8")).owner = Owner("MR")
    assert TITLE.rules.worth(game, game.state.order[0]) == cash(game, "@1") + 400
    game = ending(2)
    rounds_to_the_end(game)
    (event,) = happened(game.events, GameEnded)
    scores = [money for _, money in event.scores]
    assert scores == sorted(scores, reverse=True)


def test_13_the_bank_pays_on_when_it_is_empty() -> None:
    game = after_privates(owners={"P10": "@2"})
    minor(game, "BE", at=100)
    set_cash(game, "@1", cash(game, "@1") + cash(game, "bank"))
    assert cash(game, "bank") == 0
    before = cash(game, "@2")
    operating_round(game)
    assert cash(game, "@2") == before + 30
    assert cash(game, "bank") == -30


@pytest.mark.parametrize(
    ("option", "quiet", "phase", "ends"),
    [("ends", 5, "2", True), ("ends", 4, "2", False), ("ends", 5, "4", False), ("goes on", 9, "2", False)],
)
def test_13_a_game_that_nothing_moves_on_ends_by_option(option: str, quiet: int, phase: str, ends: bool) -> None:
    """The sixth set of operating rounds without a train, a start or a closure before phase 4."""
    game = after_privates(stalemate=option)
    reach_phase(game, phase)
    memory(game).quiet_sets = quiet
    operating_round(game)
    assert game.state.finished is ends


def test_13_a_train_bought_makes_the_count_begin_anew() -> None:
    game = after_privates()
    minor(game, "BE", money=300)
    memory(game).quiet_sets = 5
    in_turn(game, "BE", "trains")
    act(game, "BE buy 2 for 100")
    assert memory(game).quiet_sets == 0


def test_13_a_minor_started_makes_the_count_begin_anew() -> None:
    game = stock_turn(after_privates())
    memory(game).quiet_sets = 5
    act(game, "@1 bid BE 100", "@2 pass")
    assert memory(game).quiet_sets == 5
    act(game, "@3 pass")
    assert memory(game).quiet_sets == 0


# -- §18, §19 -----------------------------------------------------------------------------------------

APPENDIX = {
    "BE": "U13",
    "BG": "Q15",
    "EC": "U23.4",
    "EG": "D10",
    "EK": "U23.5",
    "EPD": "C11",
    "GA": "D6",
    "GC": "D6.1",
    "GJ": "P14",
    "LB": "U23",
    "LH": "U23.2",
    "LR": "U23.1",
    "LS": "U23",
    "LY": "U23.3",
    "MC": "O19",
    "ML": "M15.1",
    "ND": "G17",
    "NM": "O17",
    "NU": "L12",
    "SAM": "M17",
    "SE": "U23.5",
    "TV": "U11",
    "VN": "U7",
    "YNM": "K19",
}


def test_19_home_stations_of_the_minors() -> None:
    """Edges of London and of separate spaces: 0 south-west, 1 west, 2 north-west, 3 north-east, 4 east, 5 south-east."""
    game = after_privates()
    for name, home in APPENDIX.items():
        hex_id, _, city = home.partition(".")
        kept = next(kept for kept in game.state.board.reservations if kept.company == name)
        assert (kept.hex, kept.city) == (hex_id, int(city or 0))


def test_19_systems_operate_after_publics_and_have_a_limit_of_four_trains_and_ten_loans() -> None:
    game = after_privates()
    public(game, "LMS", {"@1": 8}, at=800)
    assert [TITLE.rules.train_limit(game, company(game, "LMS").id) for game.state.phase in "678"] == [4, 4, 4]


def test_5_coordinates_and_colours_of_the_map() -> None:
    """Red areas cannot be built on, nor gray ones; large circles are cities, dots small cities."""
    reds = {hex_id for hex_id, space in MAP.hexes.items() if space.printed.colour == "red"}
    assert reds == {"A13", "H2", "L22", "N4", "S3", "S29", "V30", "X8"}
    assert not any(MAP.hexes[HexId(hex_id)].is_buildable for hex_id in (*reds, "V10"))
    assert len(COMPANIES) == 24 + 11 + 5


def test_12_6_shares_left_over_are_worth_two_thirds_or_a_half_each() -> None:
    assert worth_of(1, 3) == (2, 3)
    assert worth_of(2, 3) == (4, 3)
    assert worth_of(1, 4) == (1, 2)
