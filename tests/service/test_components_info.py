"""What things mean before anybody owns them, who leads with which bid, what moves cost and what follows from them."""

from __future__ import annotations

import re

import pytest

from bot.engine.ids import PlayerId, PrivateId, as_company
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Bid, BuyShares, Par, Pass, SellShares
from bot.i18n import use_language
from bot.service.parser.components_info import shop
from bot.service.parser.moves import parse_moves
from bot.service.parser.preview import foretold
from bot.service.parser.suggestions import help_text
from bot.service.views.position_text import status_text, thing_text
from bot.service.views.turn_text import turn_text
from bot.titles.registry import TITLES, title_folders
from bot.titles.t1820.state import title_state

ANN, BOB = PlayerId("@1"), PlayerId("@2")
IDS = tuple(TITLES)
EVERY = pytest.mark.parametrize("title", [TITLES[one] for one in IDS], ids=IDS)


def new(title: Title | str) -> Game:
    found = TITLES[title] if isinstance(title, str) else title
    return Game.new(found, ["Ann", "Bob", "Cid"][: max(found.players.start, 3)], seed=3)


def play(game: Game, text: str) -> Game:
    for line in text.split(";"):
        for action in parse_moves(game, line.strip()):
            game.apply(action)
    return game


@EVERY
def test_everything_in_the_box_is_explained_with_its_section(title: Title) -> None:
    game = new(title)
    ends = re.compile(rf"\({title.id}{' [^)]+' if title_folders()[title.id].record.has_sections else ''}\)\.$")
    for private, noun in title.privates.items():
        told = thing_text(game, private)
        assert noun.name in told and noun.section in told and noun.section, told
    for train in title.trains:
        assert ends.search(thing_text(game, train.lower()))
    for company, railway in title.companies.items():
        told = thing_text(game, railway.name)
        assert told.startswith(railway.name) and ends.search(told), company


@EVERY
def test_what_is_for_sale_is_explained_in_the_status_and_told_from_what_comes_later(title: Title) -> None:
    game = new(title)
    for lot in title.words.lots(game):
        if lot.sign in title.privates and not lot.later:
            assert title.privates[lot.sign].name in status_text(game)
            assert title.privates[lot.sign].power in status_text(game)
            assert title.privates[lot.sign].brings in status_text(game)


def test_18bf_sells_private_railways_first_and_says_so() -> None:
    lines = shop(new("18BF"))
    assert lines[0].startswith("Privates for sale: P") and lines[0].count("£") == 1
    assert any(line.startswith("When all private railways are sold: F1 £50, F2 £50") for line in lines)
    assert "It is sold later, when all private railways are sold; face value £100." in thing_text(new("18BF"), "F4")


def test_1830_names_the_least_that_is_paid_and_the_highest_bid() -> None:
    game = play(new("1830"), "bid CS 45; bid CS 50")
    assert shop(game)[0] == "Privates for sale: SV $20, CS $55, DH $75, MH $115, CA $165, BO $225"
    assert "It is for sale: from $55; Bob leads with $50." in thing_text(game, "Champlain & St. Lawrence")
    game = play(game, "bid SV 20; pass")
    assert "It belongs to Cid." in thing_text(game, "SV")
    assert "floats with ten times that once 60% is sold" in thing_text(game, "PRR")
    assert "comes with BO" in thing_text(game, "B&O") and "comes with BO" not in thing_text(game, "NYC")
    with use_language("de"):
        assert "Macht beliebig viele Halte" in thing_text(game, "D")


def test_18gb_names_standing_bids_everywhere() -> None:
    game = play(new("18GB"), "bid LB 45")
    for text in (status_text(game), turn_text(game, BOB), help_text(game)):
        assert "Ann leads with £45 for LB." in text
    assert "It is for sale: from £50; Ann leads with £45." in thing_text(game, "London & Birmingham")
    with use_language("de"):
        assert "Ann führt bei LB mit £45." in turn_text(game, BOB)


def test_help_explains_lots_and_costs_and_its_lines_can_be_typed_whole() -> None:
    game = new("1848")
    line = next(line for line in help_text(game).splitlines() if "buy P2" in line)
    assert line.strip() == (
        "buy P2 for 70  — Oodnadatta Railway: income £10; once a yellow tile in a desert hex without its £40."
    )
    assert parse_moves(game, line) == parse_moves(game, "buy P2")
    with use_language("de"):
        assert "    buy P2 for 70  — Oodnadatta Railway: Ertrag £10; " in help_text(game)


def auctioned() -> Game:
    return play(new("1848"), "buy P1; buy P2; buy P3; buy P4; buy P5; buy P6")


def test_a_first_share_costs_two_and_a_purchase_its_price() -> None:
    game = auctioned()
    assert foretold(game, Par(ANN, as_company("VR"), 90)) == "Ann pays £180."
    play(game, "par VR 90; buy VR; pass; buy VR; buy VR; pass")
    assert foretold(game, BuyShares(ANN, as_company("VR"))) == "Ann pays £90. VR floats with £900."
    assert foretold(game, Pass(ANN)) == ""


def test_foretelling_changes_nothing_and_says_what_a_sale_does() -> None:
    game = auctioned()
    play(game, "par VR 90; pass; pass; buy VR; pass; pass; buy VR; pass; pass")
    game.state.round.number = 2
    before = game.encode()
    sale = SellShares(ANN, as_company("VR"), 2)
    assert foretold(game, sale) == "Ann gets £180. VR falls from £90 to £80."
    assert game.encode() == before


def test_a_change_of_directors_is_foretold() -> None:
    game = auctioned()
    play(game, "par VR 70; buy VR; pass; pass; buy VR; pass; pass")
    assert foretold(game, BuyShares(BOB, as_company("VR"))) == "Bob pays £70. Bob is now director of VR."


def test_a_company_that_the_scenario_leaves_out_is_explained_all_the_same() -> None:
    assert "It is not in this game." in thing_text(Game.new(TITLES["18GB"], ["Ann", "Bob"]), "GER")


def test_1820_tells_the_cost_of_business_in_words() -> None:
    game = new("1820")
    assert (
        "Cost of business (1820 figure 10.1), column 1 of 17: phase yellow; a company floats with 5 shares and may have 6 "
        "trains; a takeover costs the price 10 spaces up; interest 10% of a loan; maintenance of a train: none"
    ) in status_text(game)
    title_state(game).column = 3
    assert "a company floats with 5 or 10 shares" in status_text(game)
    assert status_text(game).splitlines()[-1] != "" and "maintenance of a train: 2+ £25, 3+ £10\n" in status_text(game)


def test_what_another_one_alone_may_do_is_not_asked_of_whoever_is_in_turn() -> None:
    game = play(new("1830"), "buy SV; buy CS; buy DH; buy MH; buy CA; buy BO; par B&O 100")
    assert "exchange MH" in help_text(game) and game.private(PrivateId("MH")).owner == ANN
    assert turn_text(game, ANN).startswith("Ann: buy or sell shares, exchange a private, or pass.")
    play(game, "pass")
    assert turn_text(game, BOB).startswith("Bob: buy or sell shares, or pass.")
    with pytest.raises(IllegalMove, match=r"Bob is asked to: buy or sell shares\. "):
        game.check(Bid(BOB, PrivateId("SV"), 20))
