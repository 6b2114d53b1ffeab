"""Every event has its sentence, and every question names who is asked and what."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from bot.engine.ids import BANK, IPO, POOL, as_private, seat
from bot.engine.message import join_and, join_or, msg
from bot.engine.notation.messages import TABLE, question, round_and_phase
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.state import events as facts
from bot.engine.state.actions import Bid, BuyPrivate, BuyTrain, DiscardTrain
from bot.engine.state.events import Event
from bot.titles.registry import TITLES
from tests.engine.test_text import moves
from tests.message_helpers import told
from tests.rearrangement import rearrange

TITLE = TITLES["1848"]
ANN, BOB, CID = seat(1), seat(2), seat(3)

SILENT = {facts.Paid, facts.TurnBegan}
"""Events that others tell of."""

SENTENCES: list[tuple[Event, str | None]] = [
    (facts.Paid(ANN, BANK, 30, "P1"), None),
    (facts.TurnBegan("VR"), None),
    (facts.Noted(msg("{player} pays back £{amount}.", ANN, 5)), "Ann pays back £5."),
    (facts.Passed("VR", "lay track"), "VR passes (lay track)."),
    (facts.Passed(ANN, "buy or sell shares"), "Ann passes."),
    (facts.Passed(ANN, ""), None),
    (facts.ProposalWithdrawn(BOB), "Bob withdraws the proposal."),
    (facts.RoundBegan("stock", 2, 1, 1), "Stock round 2 begins."),
    (facts.RoundBegan("operating", 2, 1, 3), "Operating round 2.1 of 2.3 begins."),
    (facts.PriceReduced(BOB, "P4", 165), "Bob lowers P4 to £165."),
    (facts.BidMade(ANN, "P4", 175), "Ann bids £175 for P4 The Ghan."),
    (facts.BidMade(ANN, "VR", 175), "Ann bids £175 for VR."),
    (facts.PrivateBought(ANN, "P4", BANK, 170), "Ann buys P4 The Ghan for £170."),
    (facts.PrivateBought("VR", "P4", ANN, 220), "VR buys P4 The Ghan from Ann for £220."),
    (facts.PrivatePaid("P1", ANN, 5), "P1 pays Ann £5."),
    (facts.PrivateClosed("P4"), "P4 The Ghan closes."),
    (facts.CompanyStarted(ANN, "VR", 90), "Ann starts VR at £90."),
    (facts.SharesBought(BOB, "VR", IPO, 10, 90), "Bob buys 10% of VR from the bank for £90."),
    (facts.SharesBought(BOB, "VR", POOL, 10, 80), "Bob buys 10% of VR from the pool for £80."),
    (facts.SharesSold(BOB, "VR", 20, 160), "Bob sells 20% of VR for £160."),
    (facts.PresidentChanged("VR", CID), "Cid is now director of VR."),
    (facts.PresidentChanged("VR", None), "nobody is now director of VR."),
    (facts.CompanyFloated("VR", 900), "VR floats with £900."),
    (facts.PriceMoved("VR", 90, 100), "VR rises from £90 to £100."),
    (facts.PriceMoved("VR", 90, 80), "VR falls from £90 to £80."),
    (facts.PriceMoved("VR", 90, 90), "VR stays at £90."),
    (
        facts.TileLaid("VR", "57", "H11", 1, None, 0),
        "VR lays 57 on H11 (Melbourne), rotation 1.",
    ),
    (facts.TileLaid("VR", "14", "H11", 1, "57", 40), "VR upgrades 57 to 14 on H11 (Melbourne), rotation 1, for £40."),
    (facts.TileLaid("VR", "8", "C4", 1, None, 0), "VR lays 8 on C4, rotation 1."),
    (facts.TokenPlaced("VR", "G10", 0, 40), "VR places a token on G10 (Ballarat & Bendigo) for £40."),
    (facts.RoutesRun("VR", 50, ("2-0: H11 - G10 = 50",)), "VR runs for £50 (2: H11 - G10 = 50)."),
    (facts.RoutesRun("VR", 0), "VR runs for £0."),
    (facts.DividendPaid("VR", 50, 5, ((ANN, 30), (BOB, 10))), "VR pays £50, £5 a share: Ann £30, Bob £10."),
    (facts.DividendPaid("VR", 50, 5, ()), "VR pays £50, £5 a share; no player holds a share."),
    (facts.RevenueWithheld("VR", 50), "VR withholds £50."),
    (facts.EarnedNothing("VR"), "VR earns nothing."),
    (facts.TrainBought("VR", "3-0", "3+", BANK, 230), "VR buys a 3+ train from the bank for £230."),
    (facts.TrainBought("VR", "8-0", "8", BANK, 800, "4"), "VR buys an 8 train from the bank for £800 and its 4."),
    (facts.TrainBought("VR", "3-0", "3", "CAR", 1), "VR buys a 3 train from CAR for £1."),
    (facts.TrainExported("5-0", "5"), "A 5 train leaves the bank unsold."),
    (facts.TrainExported("2E-0", "2E"), "A 2E train leaves the bank unsold."),
    (facts.TrainDiscarded("VR", "3"), "VR discards a 3 train."),
    (facts.TrainsRusted(("2", "2+"), ("VR", "QR", "VR")), "All 2 and 2+ trains rust; VR and QR lose trains."),
    (facts.TrainsRusted(("2",), ("VR",)), "All 2 trains rust; VR loses trains."),
    (facts.TrainsRusted(("2",), ()), "All 2 trains rust; nobody had one."),
    (facts.PhaseBegan("3"), "Phase 3 begins."),
    (facts.LoanTaken("VR", 100), "VR takes a loan of £100."),
    (facts.Contributed(ANN, "VR", 80), "Ann adds £80 to VR's money for a train."),
    (facts.WentBankrupt(BOB), "Bob is bankrupt."),
    (
        facts.GameEndTriggered("the bank is broken", "after this set"),
        "The game will end after this set: the bank is broken.",
    ),
    (
        facts.GameEnded("the bank is broken", ((BOB, 900), (ANN, 800), (CID, 7))),
        "The game is over: the bank is broken. Bob £900, Ann £800, Cid £7.",
    ),
]


@cache
def new() -> Game:
    return Game.new(TITLE, ["Ann", "Bob", "Cid"], seed=1)


@pytest.mark.parametrize(("event", "said"), SENTENCES, ids=lambda value: type(value).__name__)
def test_each_event_has_its_sentence(event: Event, said: str | None) -> None:
    expected = said[0].upper() + said[1:] if said else said
    assert told(new(), [event]) == ([expected] if expected else [])


def test_no_shared_event_is_forgotten() -> None:
    shared = {kind for kind in vars(facts).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}
    assert set(TABLE) | SILENT == shared
    assert {type(event) for event, _ in SENTENCES} == shared


def test_a_title_may_say_it_in_its_own_words() -> None:
    title = replace(TITLE, sentences={facts.CompanyFloated: "{company} floats."})
    assert told(Game(title, new().state), [facts.CompanyFloated("VR", 900)]) == ["VR floats."]


def test_every_event_of_a_random_game_is_told_or_meant_to_be_silent() -> None:
    for game in moves(TITLE, 4, 5):
        for event in game.events:
            lines = told(game, [event])
            if not lines:
                assert type(event) in SILENT or isinstance(event, facts.Passed)
            for line in lines:
                assert line[0].isupper() and line[-1] == "." and not re.search(r"None|@\d|\{\w+\}", line)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], ""),
        (["Ann"], "Ann"),
        (["Ann", "Bob"], "Ann or Bob"),
        (["lay track", "take a loan", "pass"], "lay track, take a loan or pass"),
        (["pay or withhold", "take a loan"], "pay or withhold, or take a loan"),
    ],
)
def test_lists_of_words(words: list[str], text: str) -> None:
    assert str(join_or(words)) == text


# -- questions ----------------------------------------------------------------------------------------


def test_the_first_question() -> None:
    assert str(question(new())) == "Ann: buy a private or lower a price."
    assert str(round_and_phase(new())) == "Auction round, phase 2"


def test_passing_is_offered_only_where_it_is_legal() -> None:
    for number, game in enumerate(moves(TITLE, 3, 8)):
        if number % 20 or game.state.finished:
            continue
        can_pass = any(type(action).__name__ == "Pass" for action in game.legal_actions())
        assert str(question(game)).removesuffix(".").endswith("pass") == can_pass
        assert str(question(game)).startswith(tuple(game.state.name(player) for player in game.players_to_act()))


def test_a_companys_turn_names_president_and_company() -> None:
    for game in moves(TITLE, 3, 8):
        if game.frame.plan == "company turn" and game.step is not None and game.step.name == "lay track":
            entity = game.frame.entity or BANK
            president = game.controller_of(entity)
            assert president is not None
            assert str(question(game)) == f"{game.state.name(president)} ({entity}): lay track or pass."
            return
    pytest.fail("no company laid track")


def test_an_offer_is_put_as_a_question() -> None:
    game = new().copy()
    game.state.offer = BuyTrain("WA", "3", 150, source="VR")
    game.push("train offer", "VR", asked=[BOB])
    assert str(question(game)) == "Bob: sell a 3 train of VR to WA for £150? Agree or refuse.", "VR is not his"
    with pytest.raises(IllegalMove, match="not possible now: Bob is asked to"):
        game.check(Bid(BOB, as_private("P4"), 150))
    rearrange(game, game.company("VR").certificates[0], owner=BOB)
    assert str(question(game)) == "Bob (VR): sell a 3 train of VR to WA for £150? Agree or refuse."


def test_a_private_that_a_player_wants_is_asked_for_by_his_name() -> None:
    game = new().copy()
    game.state.offer = BuyPrivate(seat(1), as_private("P4"), 150)
    game.push("train offer", BOB, asked=[BOB])
    assert str(question(game)).endswith(f"sell P4 to {game.state.name(seat(1))} for £150? Agree or refuse.")
    assert "@" not in str(question(game))


def test_whoever_must_discard_is_named_with_the_companies() -> None:
    for number in range(1, 60):
        for game in moves(TITLE, 4, number):
            if game.frame.plan == "discard":
                companies = dict.fromkeys(a.by for a in game.legal_actions() if isinstance(a, DiscardTrain))
                asked = str(question(game))
                assert f" ({join_and(companies)}): discard a train (" in asked
                assert all(f"{company} has " in asked for company in companies)
                return
    pytest.fail("no company was above its limit")


def test_when_the_game_is_over_nothing_is_asked() -> None:
    game = new().copy()
    game.state.finished = True
    assert str(question(game)) == "The game is over."
