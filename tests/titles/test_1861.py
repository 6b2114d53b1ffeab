"""1861: what differs from 1867, whose tests are those of the family. The law is the title's page."""

from __future__ import annotations

from bot.engine.ids import DEPOT, REMOVED, HexId, Owner
from bot.engine.play.game import Game
from bot.engine.state.state import Frame, OperatingRoundMemory, Round
from bot.titles.merging.actions import RemoveToken
from bot.titles.merging.peer18xx.dialect import slot_of
from bot.titles.merging.prices import raise_sold_out, rise
from bot.titles.merging.state import MajorInFormation
from tests.rearrangement import rearrange
from tests.titles import builders_merging as mb
from tests.titles.positions import act, as_player, cash, company, give_train, lay, refused, set_cash, settled

PRIORITY = "@2"


def in_stock_round(phase: str = "2") -> Game:
    """The first player's turn in a stock round."""
    return mb.stock_turn(mb.reach_phase(mb.sold(mb.new_game("1861")), phase), "@1")


def last_round(game: Game, part: int = 1) -> Game:
    """An operating round in which all minors and majors have had their turns."""
    national = game.title.family.national
    done = [one for one in game.state.companies if one != national]
    game.state.round = Round("operating", 2, part, 2)
    game.state.priority = as_player(PRIORITY)
    game.state.flow = [
        Frame("game", None, 3),
        Frame("operating round", None, 2, memory=OperatingRoundMemory(done)),
    ]
    return settled(game)


def test_nikolaev_is_begun_first_at_its_home() -> None:
    game = in_stock_round()
    refused(game, "@1 bid MV 100")
    act(game, "@1 bid N 100")
    assert game.state.board.tokens_in(HexId("H8"), 1) == ["N"] and game.players_to_act() == ("@2",)
    act(game, "@2 pass", "@3 pass")
    assert mb.offered(game, "@2 bid MV") and not mb.offered(game, "@2 bid E"), "E comes with the first 3"


def test_a_home_follows_its_city_to_a_new_tile() -> None:
    game = in_stock_round("3")
    mb.started(game, "N", tokens=[("H8", 1)])
    lay(game, ("635", "D14", 0))
    kept = next(place for place in game.state.board.reservations if place.company == "KB")
    act(game, "@1 bid KB 100")
    assert game.state.board.tokens_in(HexId("D14"), kept.city) == ["KB"]


def test_a_major_begins_only_on_unconnected_hexes() -> None:
    game = in_stock_round("4")
    mb.started(game, "N", tokens=[("H8", 1)])
    act(game, "@1 par NW 100")
    assert mb.offered(game, "NW token L12") and not mb.offered(game, "NW token E1")
    refused(game, "NW token E1")
    act(game, "NW token L12")
    assert cash(game, "NW") == 200


def test_the_grid_moves_prices() -> None:
    game = in_stock_round("4")
    minor = mb.started(game, "N", at=165, tokens=[("H8", 1)])
    while game.title.market.price(minor.position or (0, 0)) < 165:
        rise(game, minor.id)
    assert minor.position == (0, 6)
    rise(game, minor.id)
    assert minor.position == (0, 6), "the highest price of minors"
    major = mb.started(game, "NW", {"@1": 6, "@2": 4}, at=100, tokens=[("L12", 0)])
    row, column = major.position or (0, 0)
    raise_sold_out(game)
    assert major.position == (row - 1, column)
    game.state.flow = mb.stock_turn(game, "@1").state.flow
    act(game, "@1 sell 1 NW")
    assert major.position == (row, column)


def test_the_state_railway_runs_last_and_buys_what_it_can_pay() -> None:
    game = in_stock_round("5")
    mb.started(game, "N", tokens=[("H8", 1)])
    give_train(game, "N", "5")
    set_cash(game, "RSR", 700)
    last_round(game)
    assert game.state.board.has_token(HexId("E1"), company("RSR")) and game.state.special.promised == ["H8"]
    assert [train.kind for train in game.state.trains_of(Owner("RSR"))] == ["5"] and cash(game, "RSR") == 150
    last_round(game, part=2)
    assert game.players_to_act() == (PRIORITY,) and mb.offered(game, "RSR run")
    refused(game, "N buy 5 from RSR for 1", "")
    act(game, mb.offered(game, "RSR run")[0])
    set_cash(game, "RSR", 0)
    for train in game.state.trains_of(Owner("RSR")):
        rearrange(game, train, owner=REMOVED)
    last_round(settled(game))
    assert game.company(Owner("RSR")).loans == 13, "of 45 each"
    assert [train.kind for train in game.state.trains_of(Owner("RSR"))] == ["5"]


def test_the_state_railway_buys_again_with_what_is_given_up_in_its_turn() -> None:
    game = in_stock_round("5")
    mb.started(game, "NW", {"@1": 3}, at=150, money=700, tokens=[("L12", 0)]).operated = True
    set_cash(game, "RSR", 650)
    for train in [train for train in game.state.trains_of(DEPOT) if train.family == "5"]:
        rearrange(game, train, owner=REMOVED)
    last_round(game)
    assert game.step is not None and game.step.name == "give up a company without trains" and cash(game, "RSR") == 0
    act(game, "NW nationalise")
    assert [train.kind for train in game.state.trains_of(Owner("RSR"))] == ["6", "6"] and cash(game, "RSR") == 50


def test_the_state_railway_inherits_what_it_takes_over() -> None:
    game = mb.stock_turn(mb.reach_phase(mb.sold(mb.new_game("1861"), BSS="@1"), "4"), "@1")
    record = mb.started(game, "NW", {"@1": 3}, at=150, money=60, loans=3, tokens=[("H8", 1), ("L12", 0)])
    game.private(Owner("BSS")).owner = Owner("NW")
    purse = cash(game, "@1")
    mb.in_turn(game, "NW", "trains")
    # One loan is repaid, two are left: three spaces from 150.
    assert record.position is None and cash(game, "@1") == purse + 3 * 110
    assert game.private(Owner("BSS")).owner == "RSR" and cash(game, "RSR") >= 10
    assert game.state.board.tokens_in(HexId("H8"), 1) == ["RSR"] and "H8" not in game.state.special.promised


def test_phase_8_in_the_first_round_makes_this_set_the_last() -> None:
    game = in_stock_round("7")
    mb.started(game, "NW", {"@1": 4}, money=2000, tokens=[("L12", 0)])
    give_train(game, "NW", "5")
    for train in game.state.trains_of(DEPOT):
        rearrange(game, train, owner=REMOVED if train.family == "7" else DEPOT)
    mb.in_turn(game, "NW", "trains")
    refused(game, "NW buy 8 for 725 trade 5")
    act(game, "NW buy 8 for 1000")
    assert game.state.round == Round("operating", 2, 2, 3) and game.state.special.last_set == 2


def test_a_new_majors_token_has_the_slot_of_its_minor_in_files_of_18xx_games() -> None:
    game = in_stock_round("4")
    mb.started(game, "MKV", {"@1": 4}, tokens=[("E9", 0)])
    mb.started(game, "SE", {"@1": 4}, tokens=[("E9", 0)])
    state = game.state.special
    state.forming = MajorInFormation(
        company=company("SE"), members=[company("MB")], director=as_player("@1"), key="", several=[], tokens=[]
    )
    game.state.board.free(HexId("E9"), company("MB"))
    removal = RemoveToken(company("SE"), HexId("E9"), 0)
    assert slot_of(game, removal) == 0, "MB's home keeps the first slot for it"
    state.forming.members = [company("N")]
    assert slot_of(game, removal) == 1
