"""What a move will do, and what it has done, in the words of each title: where the figures alone would mislead."""

from __future__ import annotations

from bot.engine.ids import Owner, PrivateId
from bot.engine.message import msg
from bot.engine.notation.messages import question
from bot.engine.notation.text import parse_words
from bot.engine.play.game import Game
from bot.i18n import tr_lines, use_language
from bot.service.parser.components_info import meaning
from bot.service.parser.preview import foretold
from bot.service.parser.suggestions import help_lines
from bot.service.plans import Buy, Plan, Stay, find_wakes, woken
from bot.titles.t1820.company_debt import owe
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.service.test_components_info import new
from tests.titles import builders_18gb, builders_1820, builders_1848


def consequence(game: Game, text: str, language: str = "en") -> str:
    """What is said of a move before it is made."""
    with use_language(language):
        return foretold(game, parse_words(game.title, text.split()))


def made(game: Game, text: str, language: str = "en") -> list[str]:
    """What is told of a move that is made."""
    with use_language(language):
        return told(game, game.apply(parse_words(game.title, text.split())))


def asked(game: Game) -> str:
    """The question."""
    return tr_lines([question(game)], game.state.names)[0]


# -- 18GB: ten shares ---------------------------------------------------------------------------------


def grown() -> Game:
    """Ann may turn NER, of which Bob and Cid hold a share each, into a company of ten shares."""
    game = builders_18gb.new_game(3)
    builders_18gb.started(game, "NER", {"@2": 1, "@3": 1, "pool": 1}, "@1", 100, cash=10)
    builders_18gb.give_train(game, "NER", "2+1")
    return builders_18gb.stock_round(game)


def test_whoever_converts_a_company_is_told_what_becomes_of_everybodys_shares() -> None:
    whole = (
        "NER falls from £100 to £80. NER becomes a 10-share company and gets £400 for five new shares, which go to the pool. "
        "A share of NER is 10% now: Ann 20%, Bob 10% and Cid 10%."
    )
    assert consequence(grown(), "@1 convert NER") == whole
    assert consequence(grown(), "@1 convert NER", "de") == (
        "NER fällt von £100 auf £80. NER hat jetzt zehn Aktien und erhält £400 für fünf neue, die in den Pool kommen. "
        "Eine Aktie NER zählt jetzt 10%: Ann 20%, Bob 10% und Cid 10%."
    )
    assert " ".join(made(grown(), "@1 convert NER")) == whole


def test_after_a_conversion_one_share_of_it_is_all_that_is_asked_for() -> None:
    game = grown()
    assert asked(game) == "Ann: buy or sell shares, convert a company, or pass."
    made(game, "@1 convert NER")
    assert asked(game) == "Ann: buy a share of NER or pass."


def test_nobody_has_sold_what_a_conversion_has_halved() -> None:
    game = grown()
    asleep = Plan(builders_18gb.BOB, (Stay(),), (*find_wakes("sale"), *find_wakes("buy")))
    before = game.copy()
    made(game, "@1 convert NER")
    assert woken(before, game, builders_18gb.BOB, asleep) is None
    game = builders_18gb.stock_round(grown())
    before = game.copy()
    made(game, "@1 sell 1 NER")
    assert woken(before, game, builders_18gb.BOB, asleep) == msg("{company} has been sold.", "NER")


def test_a_plan_to_buy_ends_where_a_share_has_become_another_part() -> None:
    game = grown()
    before = game.copy()
    made(game, "@1 convert NER")
    end = msg("A share of {company} is {unit}% now, and you hold {held}%.", "NER", 10, 10)
    assert woken(before, game, builders_18gb.BOB, Plan(builders_18gb.BOB, (Buy("NER", 40),))) == end


def test_a_share_of_a_company_without_a_train_is_said_to_bring_half() -> None:
    game = grown()
    assert "half" not in consequence(game, "@1 sell 1 NER")
    for train in game.state.trains_of("NER"):
        rearrange(game, train, owner=Owner("removed"))
    line = "NER has no train: its shares sell for half their price."
    assert line in consequence(game, "@1 sell 1 NER") and "Ann gets £50." in consequence(game, "@1 sell 1 NER")
    assert line in made(game, "@1 sell 1 NER")


def test_a_company_that_loses_its_director_is_told_of_after_the_sale_with_what_becomes_of_it() -> None:
    game = builders_18gb.new_game(3)
    builders_18gb.started(game, "NER", {"@2": 1}, "@1", 100)
    builders_18gb.give_train(game, "NER", "2+1")
    builders_18gb.stock_round(game)
    assert made(game, "@1 sell 2 NER")[:2] == [
        "Ann sells 40% of NER for £200.",
        "NER has no president now: it runs automatically, withholds its revenue and builds nothing.",
    ]


def test_a_token_that_finds_its_city_is_told_of_by_the_track_there() -> None:
    game = builders_18gb.new_game(5)
    builders_18gb.started(game, "NBR", director="@1")
    builders_18gb.operating(game, "NBR", ["2+1"])
    line = next(line for line in made(game, "NBR lay G19 I6 1") if "token" in line)
    assert line == "NBR's token is in the city of I6 with track to H7 and I4."


def test_what_companies_that_run_by_themselves_lease_is_no_consequence_of_the_move_before() -> None:
    game = builders_18gb.new_game(3)
    for name, director, price in (("NER", "@1", 100), ("MR", None, 90)):
        builders_18gb.started(game, name, {"@2": 1}, director, price, cash=10)
    builders_18gb.operating(game, "NER", step=builders_18gb.TRAINS, others=True)
    told_before = consequence(game, "NER pass")
    assert "NER is insolvent" in told_before and "MR is insolvent" not in told_before
    assert any(line.startswith("MR is insolvent") for line in made(game, "NER pass"))


def test_whoever_is_insolvent_learns_what_that_means() -> None:
    game = builders_18gb.new_game(3)
    builders_18gb.started(game, "NER", {"@2": 1}, "@1", 100, cash=10)
    builders_18gb.operating(game, "NER", step=builders_18gb.TRAINS)
    assert consequence(game, "NER pass").startswith(
        "NER is insolvent without a train: it leases the bank's cheapest train, withholds its revenue and builds nothing."
    )


# -- 1848: the last loan ------------------------------------------------------------------------------


def falling(cash: int = 30) -> Game:
    """CAR, trainless beside the hatched column, is asked for a loan; Bob holds four shares at £100."""
    game = builders_1848.new_game()
    builders_1848.reach_phase(game, "4")
    builders_1848.started(game, "CAR", {"@2": 4}, position=(0, 1), cash=cash)
    builders_1848.started(game, "VR", {"@1": 2}, "@3")
    return builders_1848.operating(game, "CAR", step=3)


def test_with_a_last_loan_as_without_it_is_told_who_pays_the_compensation() -> None:
    begins = "CAR falls from £70 into receivership. The Bank of England takes CAR over. Compensation: Bob £400. "
    assert consequence(falling(), "CAR pass") == f"{begins}CAR pays £30 of it, Ann £370."
    assert consequence(falling(), "CAR loan") == (
        f"CAR takes a loan of £100. BOE rises from £70 to £80. {begins}CAR pays £130 of it, Ann £270."
    )
    assert "CAR zahlt davon £30, Ann £370." in made(falling(), "CAR pass", "de")
    assert "CAR pays all of it." in consequence(falling(400), "CAR pass")


def test_what_the_director_lacks_of_the_compensation_is_told_once_and_after_it() -> None:
    game = falling()
    builders_1848.started(game, "NSW", {}, "@1")
    builders_1848.set_cash(game, "@1", 300)
    lines = made(game, "CAR pass")
    at = lines.index("CAR pays £30 of it, Ann £370.")
    assert lines[at + 1] == "Ann borrows £70 from the bank."


def test_the_last_loan_is_explained_and_offered_once() -> None:
    lines = help_lines(falling())
    assert [line for line in lines if line.startswith("To ")] == ["To take a loan before receivership:"]
    assert "it goes into receivership now, with or without a loan" in lines[1]


# -- 1820: what is neglected, sold and auctioned ------------------------------------------------------


def indebted(loans: int = 6, others: bool = False) -> Game:
    """LSR, of Ann, Bob and a cousin, cannot pay its interest; `others`: Bob directs LUR beside it."""
    game = builders_1820.new_game(3, cousins=("RSCF",))
    builders_1820.floated(game, "LSR", 10, {"@1": 4, "@2": 2, "RSCF": 1}, pool=1, money=10, loans=loans)
    if others:
        builders_1820.floated(game, "LUR", 5, {"@2": 3}, money=500)
        builders_1820.give_trains(game, "LUR", "2+")
    for player, cash in (("@1", 300), ("@2", 50), ("@3", 60)):
        builders_1820.set_cash(game, player, cash)
    return builders_1820.in_turn(game, "LSR", "interest", ["2+"])


def test_neglect_says_what_is_lost_what_is_owed_and_how_it_ends_and_no_more() -> None:
    assert consequence(indebted(), "LSR neglect") == (
        "LSR falls from £65 to £10. LSR goes into liquidation: it did not pay £120 interest. "
        "Issue and takeover round 2.1 begins. The bank takes what is left of LSR for £80. "
        "Shareholders of LSR owe £138 a share for its loans: Ann £552, Bob £276 and RSCF £138. Ann lacks £252. "
        "The game is over: Ann is bankrupt. Cid £60, Ann £0, Bob £0."
    )
    assert "Aktionäre von LSR schulden £138 je Aktie für ihre Kredite: Ann £552, Bob £276 und RSCF £138." in (
        consequence(indebted(), "LSR neglect", "de")
    )


def test_an_auction_in_which_nobody_can_bid_is_not_announced() -> None:
    assert not any("Auction" in line for line in made(indebted(), "LSR neglect"))
    game = indebted(others=True)
    made(game, "LSR neglect")
    assert made(game, "@2 done")[0] == "Auction of LSR: Bob may bid, from £90 on."


def test_a_sale_for_a_debt_says_in_one_sentence_what_it_brings_and_what_is_paid() -> None:
    game = indebted(others=True)
    for certificate in builders_1820.company(game, "LUR").certificates[-2:]:
        rearrange(game, certificate, owner=Owner("RSCF"))
    builders_1820.set_cash(game, "RSCF", 3)
    owe(game, Owner("RSCF"), 68)
    game.advance()
    whole = "RSCF pays the £68 owed: £65 from the sale and £3 in hand."
    assert consequence(game, "RSCF sell 1 LUR") == whole
    assert consequence(game, "RSCF sell 1 LUR", "de") == (
        "RSCF zahlt die geschuldeten £68: £65 aus dem Verkauf und £3 eigenes Geld."
    )
    assert consequence(game, "RSCF sell 2 LUR") == "RSCF pays the £68 owed out of the £130 from the sale."
    assert whole in made(game.copy(), "RSCF sell 1 LUR")
    owe(game, Owner("RSCF"), 10)
    assert consequence(game, "RSCF sell 1 LUR") == "RSCF gets £65. RSCF still lacks £10."


# -- privates -----------------------------------------------------------------------------------------


def test_a_share_that_came_with_a_private_is_told_of_as_long_as_it_is_unsold() -> None:
    for title, sign in (("1830", "CA"), ("1844", "P5"), ("1848", "P5")):
        game, private = new(title), PrivateId(sign)
        assert "comes with" in meaning(game, private)
        game.private(private).owner = Owner("@1")
        assert meaning(game, private) and "comes with" not in meaning(game, private)


def test_a_space_is_said_to_be_kept_while_a_player_has_the_private() -> None:
    game, private = new("1830"), PrivateId("CA")
    assert "income $25; no track on H18 while a player owns it; comes with a share of PRR" in meaning(game, private)
    game.private(private).owner = Owner("PRR")
    assert "blocked" not in meaning(game, private)
    game.private(private).owner, game.private(private).closed = Owner("@1"), True
    assert "blocked" not in meaning(game, private)
