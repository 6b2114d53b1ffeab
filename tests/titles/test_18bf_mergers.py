"""18BF §12.1 to §12.5: merger rounds, new public companies, takeovers."""

from __future__ import annotations

import pytest

from bot.engine.ids import HexId, Owner, TileId, as_company
from bot.engine.notation.messages import question
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.play.steps import CompanyFormed
from bot.engine.refusals import IllegalMove, NotYourTurn
from bot.engine.state.events import PresidentChanged
from bot.titles.t18bf.events import MinorTakenOver
from bot.titles.t18bf.mergers.connections import are_connected, reachable_companies
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles.builders_18bf import (
    TITLE,
    after_privates,
    asked,
    column,
    company,
    give_trains,
    happened,
    lay,
    legal,
    memory,
    merger_round,
    minor,
    places,
    price,
    public,
    reach_phase,
    shares,
    token,
    trains,
)
from tests.titles.positions import act, cash, refused, set_cash

VALLEYS = ("57 U7 1", "621 U9 1", "57 U11 1", "621 U13 1")
"""Swansea, Rhondda, Cardiff and Bristol in a row."""
TO_LONDON = ("9 U15 1", "4 U17 1", "4 U19 1", "9 U21 1")
"""From Bristol to London's western exit."""
EIGHTEEN = ("BG", "EC", "EG", "EK", "EPD", "GA", "GC", "GJ", "LB", "LH", "LR", "LS", "LY", "MC", "ML", "ND", "NM", "NU")
"""Minors beside those of the west."""


def west(
    players: int = 3, phase: str = "3", *, at: int = 60, owners: tuple[str, str, str] = ("@1", "@2", "@3")
) -> Game:
    """BE, TV and VN in a connected row; VN operates first."""
    game = after_privates(players)
    for name, owner, more in zip(("VN", "TV", "BE"), owners, (2, 1, 0), strict=True):
        minor(game, name, owner, at=at)
        company(game, name).position = (0, column(at) + more)
        game.state.stacks.setdefault(f"0,{column(at) + more}", [])
    game.state.stacks = {f"0,{column(at) + more}": [name] for name, more in (("VN", 2), ("TV", 1), ("BE", 0))}  # type: ignore[list-item]
    lay(game, *VALLEYS)
    reach_phase(game, phase)
    return merger_round(game)


def upgrade(game: Game, hex_id: str, *tiles: str) -> None:
    """Lay tiles one upon the other in a rotation that keeps the track."""
    for tile in tiles:
        rotation = game.board_rules.rotations(game.state.board, TileId(tile), HexId(hex_id))[0]
        game.board_rules.lay(game.state.board, TileId(tile), HexId(hex_id), rotation)
        game.board_changed()


# -- §12.1 --------------------------------------------------------------------------------------------


def test_12_1_in_operating_order_each_minor_may_propose() -> None:
    game = west()
    order = []
    while game.state.round.kind == "merger":
        order.append(game.frame.entity)
        act(game, f"{game.frame.entity} pass")
    assert order == ["VN", "TV", "BE"]


def test_12_1_all_other_directors_are_asked_at_once_and_may_answer_in_any_order() -> None:
    game = west()
    memory(game).quiet_sets = 5
    act(game, "VN merge BE TV into MR")
    assert sorted(asked(game)) == ["@2", "@3"]
    act(game, "@3 agree")
    assert asked(game) == ["@2"]
    with pytest.raises(NotYourTurn):
        game.apply(parse_action(TITLE, "@3 agree"))
    assert memory(game).quiet_sets == 5
    events = act(game, "@2 agree")
    assert happened(events, CompanyFormed)
    assert memory(game).quiet_sets == 0  # A game that a formation moves on is in no stalemate (§13).


def test_12_1_the_proposer_takes_a_merger_back_and_may_propose_another_or_the_same() -> None:
    game = west()
    before = game.encode()
    act(game, "VN merge BE TV into MR", "@3 agree")
    for text in ("@2 withdraw", "@3 withdraw"):
        with pytest.raises(IllegalMove):
            game.apply(parse_action(TITLE, text))
    act(game, "@1 withdraw")
    assert asked(game) == ["@1"] and game.frame.entity == "VN"
    game.state.moves -= 3
    assert game.encode() == before
    act(game, "VN merge BE TV into MR", "@2 agree", "@3 agree")
    assert company(game, "MR").floated


def test_12_1_directors_read_what_would_become_of_it() -> None:
    """Two at £60 to £70, columns apart, become one at their sum; a takeover costs a share."""
    game = west()
    act(game, "VN merge BE TV into MR")
    total = min(price(game, "VN") + price(game, "BE"), 200)
    first = max(money for money in (100, 110, 120, 135, 150) if money <= total)
    assert str(question(game)).endswith(f"VN, TV and BE become MR at £{first}, a share for each? Agree or refuse.")
    game = west()
    public(game, "MR", {"@3": 2}, stations=[("U11", 0)])
    act(game, "VN join MR")
    assert str(question(game)).endswith("MR takes VN over for a share? Agree or refuse.")


def test_12_1_one_refusal_ends_it_and_it_is_not_proposed_again_in_this_turn() -> None:
    game = west()
    before = [price(game, name) for name in ("VN", "TV", "BE")]
    events = act(game, "VN merge BE TV into MR", "@2 refuse")
    assert "Bob does not agree; MR is not formed." in told(game, events)
    assert asked(game) == ["@1"]
    assert [price(game, name) for name in ("VN", "TV", "BE")] == before
    for text in ("VN merge BE TV into MR", "VN merge TV BE into MR"):
        assert "refused" in refused(game, text, "§12.1")
    act(game, "VN merge TV into MR")


def test_12_1_what_was_refused_may_be_proposed_in_the_next_merger_round() -> None:
    game = west()
    act(game, "VN merge BE TV into MR", "@2 refuse", "VN pass", "TV pass", "BE pass")
    merger_round(game, part=2)
    assert "VN merge TV BE into MR" in legal(game)


def test_12_1_among_the_companies_of_one_director_nobody_is_asked() -> None:
    game = west(owners=("@1", "@1", "@1"))
    events = act(game, "VN merge TV into MR")
    assert happened(events, CompanyFormed)


def test_12_1_there_is_no_merger_round_in_phase_2() -> None:
    from tests.titles.builders_18bf import operating_round

    game = west(phase="2")
    operating_round(game, at=3)
    assert game.state.round.kind == "operating"


# -- §12.2 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "may"), [(90, False), (100, True), (135, True), (165, True)])
def test_12_2_a_minor_converts_at_100_to_165(at: int, may: bool) -> None:
    game = after_privates()
    minor(game, "BE", "@2", at=at)
    reach_phase(game, "3")
    merger_round(game)
    if may:
        act(game, "BE convert to MR")
        assert price(game, "MR") == at
    else:
        assert game.state.round.kind != "merger" or not legal(game, "BE convert")


def test_12_2_same_price_under_the_others_the_station_replaced_the_directors_certificate_for_the_owner() -> None:
    game = after_privates()
    public(game, "CR", {"@3": 2}, at=120)
    minor(game, "BE", "@2", at=120, money=77, loans=2)
    give_trains(game, "BE", "3")
    game.private(Owner("F1")).owner = Owner("BE")
    reach_phase(game, "3")
    merger_round(game)
    act(game, "BE convert to MR")
    assert game.state.stacks[f"0,{column(120)}"] == ["CR", "MR"]
    assert places(game, "MR") == ["U13.0"]
    assert places(game, "BE") == []
    assert len(company(game, "MR").tokens_left) == 3
    assert company(game, "MR").certificates[0].owner == "@2"
    assert shares(game, "MR", "@2") == 2
    assert (cash(game, "MR"), company(game, "MR").loans, trains(game, "MR")) == (77, 2, ["3"])
    assert game.private(Owner("F1")).owner == "MR"
    assert company(game, "BE").closed


# -- §12.3 --------------------------------------------------------------------------------------------


def test_12_3_the_price_is_the_highest_and_the_lowest_added_rounded_down() -> None:
    """£70 for VN, £65 for TV, £60 for BE: £130 is rounded down to £120."""
    game = west(owners=("@1", "@1", "@1"))
    act(game, "VN merge BE TV into MR")
    assert price(game, "MR") == 120


def test_12_3_200_at_the_most() -> None:
    game = west(at=120, owners=("@1", "@1", "@1"))
    act(game, "VN merge BE TV into MR")
    assert price(game, "MR") == 200


def test_12_3_each_charter_becomes_a_share() -> None:
    game = west(owners=("@1", "@1", "@2"))
    act(game, "VN merge BE TV into MR", "@2 agree")
    assert (shares(game, "MR", "@1"), shares(game, "MR", "@2"), shares(game, "MR", "ipo")) == (2, 1, 7)
    assert company(game, "MR").certificates[0].owner == "@1"


def test_12_3_in_a_tie_the_owner_of_the_minor_that_operated_first_directs() -> None:
    """VN operates first: Cid, its owner, chooses the stations although the proposal came from BE."""
    game = west(owners=("@3", "@2", "@1"))
    act(game, "VN pass", "TV pass", "BE merge TV VN into MR", "@2 agree", "@3 agree")
    assert memory(game).forming is not None
    assert asked(game) == ["@3"]
    assert legal(game, "MR stations")


def test_12_3_two_to_ten_different_minors_in_play() -> None:
    game = west()
    assert "different" in refused(game, "VN merge BE BE into MR", "§12.3")
    assert "GC is not a minor in play" in refused(game, "VN merge GC into MR", "§12.3")


def test_12_3_they_must_be_connected() -> None:
    game = west()
    minor(game, "NM", "@1", at=50)
    assert "trace" in refused(game, "VN merge NM into MR", "§12.3")
    assert not legal(game, "VN merge NM")


def test_12_3_stations_of_merging_companies_do_not_block_those_of_others_do() -> None:
    """TV fills Cardiff between VN and BE: with TV the three are connected, VN and BE alone are not."""
    game = west()
    assert "trace" in refused(game, "VN merge BE into MR", "§12.3")
    assert are_connected(game, [company(game, name).id for name in ("VN", "TV", "BE")])


def test_12_3_one_that_reaches_all_others_is_enough() -> None:
    """VN and NM do not reach each other, TV reaches both."""
    game = west()
    minor(game, "EC", "@1", at=50)
    lay(game, *TO_LONDON)
    minor(game, "LR", "@2", at=50)
    assert are_connected(game, [company(game, name).id for name in ("BE", "LR", "EC")])
    assert not are_connected(game, [company(game, name).id for name in ("BE", "EC")])


def test_12_3_who_cannot_merge_learns_whose_stations_block_or_that_no_track_joins_them() -> None:
    game = west()
    assert refused(game, "VN merge BE into CR", "§12.3").startswith(
        "None of VN, BE can trace routes to all the others. Stations of TV on U11 (Cardiff) block the way."
    )
    game.state.board.tiles.clear()
    game.board_changed()
    assert "all the others. No track joins them." in refused(game, "VN merge BE into CR", "§12.3")


def test_12_3_spaces_of_one_city_are_connected_by_track_or_by_their_tile_only() -> None:
    """Glasgow: yellow and green spaces are apart, the gray tile has one city of three."""
    game = after_privates()
    minor(game, "GA", "@1", at=100)
    minor(game, "GC", "@1", at=90)
    reach_phase(game, "3")
    pair = [company(game, name).id for name in ("GA", "GC")]
    assert not are_connected(game, pair)
    upgrade(game, "D6", "BF1")
    assert not are_connected(game, pair)
    upgrade(game, "D6", "BF7", "BF14")
    assert are_connected(game, pair)


def test_12_3_stations_in_london_are_connected() -> None:
    game = after_privates()
    for name, at in (("LB", 100), ("LY", 90), ("EC", 80)):
        minor(game, name, "@1", at=at)
    reach_phase(game, "3")
    merger_round(game)
    act(game, "LB merge EC LY into GNR")
    assert price(game, "GNR") == 180


def test_12_3_stations_in_london_are_in_one_place() -> None:
    """By the Underground (§19): MR's western station leads to Bristol, CR's south-eastern one to Chatham."""
    game = after_privates()
    for name, hex_id, city in (("MR", "U23", 1), ("GER", "U13", 0), ("CR", "U23", 5), ("NBR", "V26", 0)):
        public(game, name, {"@1": 2}, stations=[(hex_id, city)])
    lay(game, "621 U13 1", *TO_LONDON, "8 V24 2", "57 V26 1")
    western, bristol, eastern, chatham = (as_company(name) for name in ("MR", "GER", "CR", "NBR"))
    assert are_connected(game, [western, bristol, eastern, chatham])
    assert not are_connected(game, [western, bristol, chatham])
    assert reachable_companies(game, bristol, [western, eastern]) == [western, eastern]
    assert reachable_companies(game, bristol, [eastern]) == []


def test_12_3_at_most_ten_and_six_of_one_player() -> None:
    game = after_privates(players=4)
    names = ["EC", "EK", "LB", "LH", "LR", "LS", "LY", "SE"]
    for name in names:
        minor(game, name, "@1", at=100)
    reach_phase(game, "3")
    merger_round(game)
    assert "One player may own at most 6 of the minors" in refused(
        game, f"EC merge {' '.join(names[1:7])} into GER", "§12.3"
    )
    act(game, f"EC merge {' '.join(names[1:6])} into GER")
    assert shares(game, "GER", "@1") == 6
    game = after_privates(players=4)
    for name in names:
        minor(game, name, "@1", at=100)
    for name in ["BE", "TV", "VN"]:
        minor(game, name, "@2", at=90)
    reach_phase(game, "3")
    merger_round(game)
    assert "Two to 10" in refused(game, f"EC merge {' '.join(names[1:])} BE TV VN into GER", "§12.3")


def test_12_3_the_director_chooses_two_stations() -> None:
    game = west(owners=("@1", "@1", "@1"))
    act(game, "VN merge BE TV into MR")
    assert set(legal(game, "MR stations")) == {
        "MR stations U11.0 U13.0",
        "MR stations U11.0 U7.0",
        "MR stations U13.0 U7.0",
    }
    assert str(question(game)).endswith("(MR): choose which 2 stations of the merged companies stay.")
    assert "2 station" in refused(game, "MR stations U11.0", "§12.3")
    refused(game, "MR stations U11.0 U11.0", "§12.3")
    refused(game, "MR stations U11.0 O17.0", "§12.3")
    act(game, "MR stations U13.0 U7.0")
    assert places(game, "MR") == ["U13.0", "U7.0"]
    assert game.state.board.tokens_in(HexId("U11"), 0) == []
    assert len(company(game, "MR").tokens_left) == 2


def test_12_3_two_stations_in_a_hex_in_london_alone() -> None:
    game = after_privates()
    for name in ("LB", "LS", "LY"):
        minor(game, name, "@1", at=80)
    reach_phase(game, "3")
    merger_round(game)
    act(game, "LB merge LS LY into GNR")
    assert "GNR stations U23.0 U23.0" in legal(game)
    act(game, "GNR stations U23.0 U23.3")
    assert places(game, "GNR") == ["U23.0", "U23.3"]


def test_12_3_of_two_stations_in_a_hex_one_is_kept() -> None:
    """Edinburgh and two in gray Glasgow, never both of these: there is nothing to choose."""
    game = after_privates()
    for name in ("GA", "GC", "EG"):
        minor(game, name, "@1", at=80)
    upgrade(game, "D6", "BF1", "BF7", "BF14")
    lay(game, "4 D8 1", "57 D10 1")
    reach_phase(game, "7")
    merger_round(game)
    act(game, "GA merge GC EG into CR", "@1 pass", "@1 pass", "@2 pass", "@3 pass")
    assert places(game, "CR") == ["D10.0", "D6.0"]


def test_12_3_two_minors_in_one_hex_give_one_station() -> None:
    game = after_privates()
    minor(game, "GA", "@1", at=100)
    minor(game, "GC", "@1", at=90)
    upgrade(game, "D6", "BF1", "BF7", "BF14")
    reach_phase(game, "7")
    merger_round(game)
    act(game, "GA merge GC into CR")
    assert len(places(game, "CR")) == 1 or legal(game, "CR stations D6.0")
    if legal(game, "CR stations"):
        act(game, legal(game, "CR stations")[0])
    assert len(places(game, "CR")) == 1
    assert len(company(game, "CR").tokens_left) == 3


def test_12_3_more_than_five_loans_are_allowed() -> None:
    game = west(owners=("@1", "@1", "@1"))
    for name in ("VN", "TV", "BE"):
        company(game, name).loans = 2
    act(game, "VN merge BE TV into MR")
    assert company(game, "MR").loans == 6


# -- §12.4 --------------------------------------------------------------------------------------------


def formed(players: int = 3, owners: tuple[str, str, str] = ("@1", "@1", "@2")) -> Game:
    """MR has been formed by VN, TV and BE at £120 and has its stations."""
    game = west(players, owners=owners)
    others = sorted({owner for owner in owners if owner != owners[0]})
    act(game, "VN merge BE TV into MR", *(f"{owner} agree" for owner in others))
    act(game, "MR stations U13.0 U7.0")
    return game


def test_12_4_all_assets_go_to_the_new_company() -> None:
    game = west(owners=("@1", "@1", "@1"))
    for name, money in (("VN", 30), ("TV", 40), ("BE", 50)):
        set_cash(game, name, money)
        give_trains(game, name, "3")
    act(game, "VN merge BE TV into MR", "MR stations U13.0 U7.0")
    assert cash(game, "MR") == 120
    assert trains(game, "MR") == ["3"] * 3
    assert all(company(game, name).position is None for name in ("VN", "TV", "BE"))
    assert all(name not in stack for stack in game.state.stacks.values() for name in ("VN", "TV", "BE"))


def test_12_4_shareholders_buy_any_number_from_the_director_to_the_left() -> None:
    game = formed(4)
    assert asked(game) == ["@1"]
    assert "buy any number of shares at once of MR at £120, or pass" in str(question(game))
    before = cash(game, "@1")
    act(game, "@1 buy 2 MR")
    assert cash(game, "@1") == before - 240
    assert cash(game, "MR") == 300 + 240
    assert shares(game, "MR", "@1") == 4
    assert asked(game) == ["@2"]
    act(game, "@2 buy 3 MR")
    assert asked(game) == ["@1"]
    assert [text for text in legal(game, "@1") if "buy" in text] == ["@1 buy MR"]
    assert "buy a share of MR at £120, or pass" in str(question(game))


def test_12_4_then_all_players_may_buy_one_from_the_director_to_the_left() -> None:
    game = formed(4)
    act(game, "@1 pass", "@2 pass")
    assert asked(game) == ["@1"]
    refused(game, "@1 buy 2 MR", "§12.4")
    act(game, "@1 pass")
    assert asked(game) == ["@2"]
    act(game, "@2 buy MR")
    assert asked(game) == ["@3"]
    act(game, "@3 buy MR", "@4 pass")
    assert memory(game).forming is None
    assert [shares(game, "MR", f"@{number}") for number in (1, 2, 3, 4)] == [2, 2, 1, 0]


def test_12_4_who_gets_more_takes_the_directorship_and_the_second_round_begins_with_him() -> None:
    game = formed(4)
    act(game, "@1 pass")
    events = act(game, "@2 buy 2 MR")
    assert [event.president for event in happened(events, PresidentChanged)] == ["@2"]
    assert company(game, "MR").certificates[0].owner == "@2"
    assert asked(game) == ["@2"]


def test_12_4_who_gets_as_many_does_not() -> None:
    """VN and TV are Bob's: he directs with two shares; Ann, before him in order, has two after her purchase."""
    game = formed(3, ("@2", "@2", "@1"))
    events = act(game, "@2 pass", "@1 buy MR")
    assert not happened(events, PresidentChanged)
    assert company(game, "MR").certificates[0].owner == "@2"


def test_12_4_the_second_round_may_change_the_directorship_as_well() -> None:
    game = formed(4, ("@1", "@1", "@2"))
    act(game, "@1 pass", "@2 buy MR")
    act(game, "@1 pass", "@2 buy MR")
    assert company(game, "MR").certificates[0].owner == "@2"


def test_12_4_nobody_buys_beyond_60_percent_his_money_or_the_certificate_limit() -> None:
    game = formed(3)
    set_cash(game, "@1", 2000)
    assert "60%" in refused(game, "@1 buy 5 MR", "§12.4")
    assert "@1 buy 4 MR" in legal(game)
    set_cash(game, "@1", 239)
    assert "£239" in refused(game, "@1 buy 2 MR", "§12.4")
    set_cash(game, "@1", 240)
    assert "@1 buy 2 MR" in legal(game)
    game = formed(5)
    for name in EIGHTEEN:
        minor(game, name, "@1", at=50)
    assert "limit is 19" in refused(game, "@1 buy MR", "§12.4")


def test_12_4_two_shares_may_be_one_certificate() -> None:
    """18 minors and a share of MR are 19 of 19; with one share more Ann has the director's certificate instead."""
    game = formed(5, ("@1", "@2", "@3"))
    for name in EIGHTEEN:
        minor(game, name, "@1", at=50)
    set_cash(game, "@1", 500)
    game.state.money = sum(game.state.cash.values())
    assert "limit is 19" in refused(game, "@1 buy 2 MR", "§12.4")
    act(game, "@1 buy MR")
    assert company(game, "MR").certificates[0].owner == "@1"


def test_12_4_nothing_is_sold_by_players_meanwhile() -> None:
    game = formed(3)
    refused(game, "@1 sell 1 MR", "")


def test_12_4_without_two_shares_in_one_hand_all_is_as_before() -> None:
    game = west()
    for owner in ("@1", "@2", "@3"):
        set_cash(game, owner, 500)
    game.state.money = sum(game.state.cash.values())
    before = game.copy().state
    events = act(game, "VN merge BE TV into MR", "@2 agree", "@3 agree", "MR stations U11.0 U7.0", "@1 pass", "@2 pass")
    undone = "Nobody holds 2 shares of MR: the merger is undone."
    assert undone not in told(game, events)
    assert undone in told(game, act(game, "@3 pass"))
    after = game.state
    assert (after.cash, after.companies, after.trains, after.board, after.stacks) == (
        before.cash,
        before.companies,
        before.trains,
        before.board,
        before.stacks,
    )
    assert after.moves == before.moves + 7
    assert asked(game) == ["@1"]
    assert "refused" in refused(game, "VN merge BE TV into MR", "§12.1")
    act(game, "VN pass")
    assert game.frame.entity == "TV"


def test_12_4_nobody_who_could_buy_is_needed_for_the_merger_to_be_undone() -> None:
    game = west()
    for owner in ("@1", "@2", "@3"):
        set_cash(game, owner, 0)
    game.state.money = sum(game.state.cash.values())
    act(game, "VN merge BE TV into MR", "@2 agree", "@3 agree")
    events = act(game, "MR stations U11.0 U7.0")
    assert "Nobody holds 2 shares of MR: the merger is undone." in told(game, events)


def test_12_4_a_share_more_makes_a_director_of_a_shareholder_with_one() -> None:
    game = west()
    set_cash(game, "@2", 500)
    game.state.money = sum(game.state.cash.values())
    act(
        game,
        "VN merge BE TV into MR",
        "@2 agree",
        "@3 agree",
        "MR stations U11.0 U7.0",
        "@1 pass",
        "@2 buy MR",
        "@3 pass",
    )
    assert company(game, "MR").certificates[0].owner == "@2"


def test_12_4_the_new_company_does_not_operate_before_the_next_round_and_is_not_sold_until_then() -> None:
    game = formed(3)
    assert not company(game, "MR").operated


def test_12_4_trains_above_the_limit_are_discarded() -> None:
    game = west(owners=("@1", "@1", "@1"))
    for name in ("VN", "TV", "BE"):
        give_trains(game, name, "3", "3")
    for owner in ("@2", "@3"):
        set_cash(game, owner, 0)
    set_cash(game, "@1", 0)
    game.state.money = sum(game.state.cash.values())
    act(game, "VN merge BE TV into MR", "MR stations U11.0 U7.0")
    act(game, "MR discard 3", "MR discard 3")
    assert len(trains(game, "MR")) == 4
    assert len(trains(game, "pool")) == 2


# -- §12.5 --------------------------------------------------------------------------------------------


def takeover(phase: str = "3", **public_record: object) -> Game:
    """VN of Ann may join MR of Bob, with a station in Cardiff."""
    game = after_privates()
    minor(game, "VN", "@1", at=60, money=70, loans=2)
    public(game, "MR", {"@2": 4}, stations=[("U11", 0)], **public_record)  # type: ignore[arg-type]
    lay(game, *VALLEYS)
    reach_phase(game, phase)
    return merger_round(game)


def test_12_5_a_minor_becomes_a_treasury_share_of_a_connected_public() -> None:
    game = takeover(money=100, loans=4)
    give_trains(game, "VN", "3")
    game.private(Owner("F1")).owner = Owner("VN")
    memory(game).quiet_sets = 5
    act(game, "VN join MR")
    assert (asked(game), memory(game).quiet_sets) == (["@2"], 5)
    events = act(game, "@2 agree")
    assert happened(events, MinorTakenOver)
    assert memory(game).quiet_sets == 0  # A game that a takeover moves on is in no stalemate (§13).
    assert shares(game, "MR", "@1") == 1
    assert shares(game, "MR", "ipo") == 5
    assert (cash(game, "MR"), company(game, "MR").loans, trains(game, "MR")) == (170, 6, ["3"])
    assert game.private(Owner("F1")).owner == "MR"
    assert price(game, "MR") == 100
    assert "MR agree" in legal(game)
    act(game, "MR agree")
    assert places(game, "MR") == ["U11.0", "U7.0"]
    assert company(game, "VN").closed


def test_12_5_the_station_may_be_left_unreplaced() -> None:
    game = takeover()
    act(game, "VN join MR", "@2 agree", "MR refuse")
    assert places(game, "MR") == ["U11.0"]
    assert game.state.board.tokens_in(HexId("U7"), 0) == []
    assert len(company(game, "MR").tokens_left) == 3


def test_12_5_by_mutual_consent() -> None:
    game = takeover()
    assert "Ann proposes that VN be taken over by MR." in told(game, act(game, "VN join MR"))
    events = act(game, "@2 refuse")
    assert "Bob does not agree; MR does not take VN over." in told(game, events)
    assert company(game, "VN").position is not None
    assert game.state.round.kind == "operating"


def test_12_5_a_public_that_was_formed_in_this_round_exists() -> None:
    game = west(owners=("@1", "@1", "@2"))
    act(game, "VN merge TV into MR", "@1 pass", "@1 pass", "@2 pass", "@3 pass")
    assert game.frame.entity == "BE"
    act(game, "BE join MR", "@1 agree", "MR refuse")
    assert shares(game, "MR", "@2") == 1


def test_12_5_only_in_the_minors_turn_to_a_public_with_a_share_and_a_connection() -> None:
    game = takeover()
    public(game, "CR", {"@3": 4}, stations=[("X24", 0)])
    assert "trace no route" in refused(game, "VN join CR", "§12.5")
    for certificate in company(game, "MR").certificates:
        if certificate.owner == "ipo":
            rearrange(game, certificate, owner=Owner("pool"))
    assert "no share" in refused(game, "VN join MR", "§12.5")
    assert "NER is not a public company in play" in refused(game, "VN join NER", "§12.5")


def test_12_5_systems_take_nothing_over() -> None:
    from bot.titles.t18bf.mergers.proposals import TakeOver

    game = takeover(phase="6")
    public(game, "LMS", {"@3": 4}, stations=[("U9", 0)])
    with pytest.raises(IllegalMove, match="LMS is not a public company in play"):
        game.apply(TakeOver(Owner("VN"), company(game, "LMS").id))


def test_12_5_in_london_stations_are_in_one_place() -> None:
    game = after_privates()
    minor(game, "LH", "@1", at=60)
    public(game, "GNR", {"@2": 4}, stations=[("U23", 3)])
    reach_phase(game, "3")
    merger_round(game)
    act(game, "LH join GNR", "@2 agree", "GNR agree")
    assert places(game, "GNR") == ["U23.2", "U23.3"]


def test_12_5_no_second_station_in_a_city_but_london_and_none_without_a_spare_token() -> None:
    game = after_privates()
    minor(game, "MC", "@1", at=60)
    public(game, "MR", {"@2": 4})
    lay(game, "207 O19 1")
    token(game, "MR", "O19")
    reach_phase(game, "3")
    merger_round(game)
    act(game, "MC join MR", "@2 agree")
    assert not legal(game, "MR agree")
    assert places(game, "MR") == ["O19.0"]
    game = takeover()
    for hex_id in ("O17", "O19", "M17"):
        token(game, "MR", hex_id)
    company(game, "MR").tokens_left = ()
    act(game, "VN join MR", "@2 agree")
    assert places(game, "MR") == ["M17.0", "O17.0", "O19.0", "U11.0"]


def test_12_5_a_player_may_go_over_60_percent_and_stays_there() -> None:
    game = after_privates()
    minor(game, "VN", "@1", at=60)
    public(game, "MR", {"@1": 6}, stations=[("U11", 0)])
    lay(game, *VALLEYS)
    reach_phase(game, "3")
    merger_round(game)
    act(game, "VN join MR")
    assert shares(game, "MR", "@1") == 7


def test_12_5_the_share_may_change_the_directorship() -> None:
    game = after_privates()
    minor(game, "VN", "@1", at=60)
    public(game, "MR", {"@2": 2, "@1": 2}, stations=[("U11", 0)])
    lay(game, *VALLEYS)
    reach_phase(game, "3")
    merger_round(game)
    act(game, "VN join MR", "@2 agree")
    assert company(game, "MR").certificates[0].owner == "@1"
    assert asked(game) == ["@1"]


def test_12_5_trains_above_the_limit_are_discarded_at_once() -> None:
    game = takeover()
    give_trains(game, "MR", "3", "3", "3")
    give_trains(game, "VN", "3", "4")
    act(game, "VN join MR", "@2 agree", "MR refuse")
    assert set(legal(game)) == {"MR discard 3", "MR discard 4"}
    act(game, "MR discard 3")
    assert len(trains(game, "MR")) == 4
