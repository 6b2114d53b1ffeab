"""Reasons: what a move earns or prevents, with sums and names, true of the position."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ai.explanation_facts import ExplanationFacts
from bot.ai.explanations import reason, spoils
from bot.ai.fuzzer import BUILDER, RandomGame
from bot.ai.move_evaluator import Evaluator, ScoredMove
from bot.ai.title_parameters import STEADY, TRAITS
from bot.engine.chance import SeededRandom
from bot.engine.ids import IPO, CompanyId, HexId, Owner, PlayerId, TileId, seat
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.play.holdings import price_of
from bot.engine.state.actions import Action, BuyShares, BuyTrain, Dividend, LayTile, Par, PlaceToken, SellShares
from bot.titles.registry import TITLES
from tests.ai.recorded_openings import position
from tests.rearrangement import rearrange
from tests.titles.test_18bf_mergers import takeover


def told(game: Game, action: Action, gains: tuple[int, int, int] = (0, 0, 0), then: Action | None = None) -> str:
    """The reason for a move of whoever decides for its actor."""
    player = game.controller_of(action.by)
    assert player is not None
    return str(reason(Evaluator(game, player, STEADY, SeededRandom(1)), ScoredMove(action, 100.0, gains, then)))


def test_a_private_by_its_income_and_what_a_company_may_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(position(2), parse_action(TITLES["1848"], "@3 buy P4 for 170")) == (
        "P4 The Ghan pays £20 a round, and a company may pay up to £220 for it: about £150 in all, for £170."
    )
    cut = parse_action(TITLES["1848"], "@3 reduce P5")
    assert told(position(5), cut) == "P5 Trans-Australian Railway is not worth more than £140 yet."
    monkeypatch.setitem(TRAITS, "1848", replace(TRAITS["1848"], paid={}))
    assert told(position(5), cut) == (
        "@3 keeps £300 to start a company; P5 Trans-Australian Railway can wait, and may become cheaper."
    )


def test_shares_by_launch_control_and_dividends() -> None:
    start = position(10)
    assert told(start, Par(Owner("@2"), CompanyId("SAR"), 90)) == (
        "SAR floats once players spend £360 more on its shares."
    )
    assert told(position(20), BuyShares(Owner("@3"), CompanyId("QR"))) == (
        "It floats QR with £900: enough for 9 trains (2)."
    )
    game = position(42)
    record = game.company(CompanyId("SAR"))
    for certificate in [one for one in record.certificates if one.owner == IPO][:3]:
        rearrange(game, certificate, owner=Owner("@3"))
    for certificate in [one for one in record.certificates if one.owner == "@2"][1:3]:
        rearrange(game, certificate, owner=IPO)
    assert told(game, BuyShares(Owner("@3"), CompanyId("SAR"))) == (
        "@3 and @2 hold 40% each of SAR: one more share decides who runs it."
    )
    game.state.cash[seat(3)] += 200
    game.apply(BuyShares(Owner("@3"), CompanyId("SAR")))
    for text in ("@1 pass", "@2 pass"):
        game.apply(parse_action(game.title, text))
    assert told(game, BuyShares(Owner("@3"), CompanyId("SAR"))) == "With 50% against 40% @3 takes SAR from @2."


def test_sales_by_what_is_bought_and_who_is_left_with_the_company() -> None:
    game = position(42)
    rearrange(game, game.company(CompanyId("QR")).certificates[-1], owner=Owner("@2"))
    sale = SellShares(Owner("@3"), CompanyId("QR"), 5)
    assert told(game, sale) == ("@2 must now run QR, with £800 in its treasury and only these trains: 2.")
    for train in game.state.trains_of(CompanyId("QR")):
        rearrange(game, train, owner=Owner("depot"))
    game.board_changed()
    assert told(game, sale) == "@2 must now run QR, without a train and with £800 in its treasury."
    small = SellShares(Owner("@3"), CompanyId("QR"), 1)
    assert told(game, small, then=Par(Owner("@3"), CompanyId("VR"), 100)) == "£80 for these shares helps to start VR."


def test_sales_that_must_be_by_the_limit_that_forces_them(monkeypatch: pytest.MonkeyPatch) -> None:
    game = position(42)
    sale = SellShares(Owner("@3"), CompanyId("QR"), 1)
    monkeypatch.setattr("bot.ai.explanations.certificate_count", lambda *_: 21)
    assert told(game, sale) == "@3 has 21 certificates and the limit is 20: this sale costs least."


def test_trains_by_whom_they_leave_without_one() -> None:
    game = position(56)
    sold(game, "3")
    assert told(game, BuyTrain(Owner("CAR"), "3", 200)) == (
        "After 2 more trains from the bank the 2 and 2+ trains of SAR and QR rust."
    )
    sold(game, "3", "3", "3", "3")
    assert told(game, BuyTrain(Owner("CAR"), "4", 300)) == (
        "It rusts the 2 and 2+ trains of SAR and QR; left without a train: SAR and QR."
    )


def sold(game: Game, *families: str) -> None:
    """The next trains of these families have left the bank."""
    for family in families:
        card = next((card for card in game.state.trains if card.family == family and card.owner == "depot"), None)
        if card is not None:
            rearrange(game, card, owner=Owner("removed"))


def test_a_first_train_by_its_run_and_revenue_by_what_it_is_for() -> None:
    assert told(position(40), BuyTrain(Owner("QR"), "2", 100)) == "QR had no train; with this train it runs for £30."
    game = position(64)
    assert (
        told(game, Dividend(Owner("SAR"), "withhold"))
        == "SAR is at its train limit, with £620 for when its 2 and 2+ rust."
    )
    assert told(game, Dividend(Owner("SAR"), "pay")) == ("@2 gets £56; SAR has £540 for the train after its 2 and 2+.")


def test_track_by_runs_and_places_tokens_by_whom_they_stop() -> None:
    game = position(58)
    lay = LayTile(Owner("SAR"), TileId("5"), HexId("F5"), 4)
    assert told(game, lay, (40, 30, 1)) == "With this tile SAR can run for £40."
    assert told(game, lay, (0, 30, 1)) == "It connects F5 (Port Pirie) to SAR: a 5 train would run for £30 more."
    token = PlaceToken(Owner("SAR"), HexId("H7"))
    assert told(position(62), token) == "It takes a token slot in H7 (Mount Gambier) before others can."


def test_a_company_that_answers_by_itself_gets_a_place_to_run_from() -> None:
    game = takeover(money=100)
    for text in ("VN join MR", "@2 agree"):
        game.apply(parse_action(game.title, text))
    assert told(game, parse_action(game.title, "MR agree")) == "MR may run from there, too."
    assert told(game, parse_action(game.title, "MR refuse")) == "None"


def test_a_sale_of_several_shares_tells_the_whole_fall() -> None:
    """Each share is a fall of its own."""
    are_right, table = [], RandomGame(TITLES["1830"], 3, 3, wanted=BUILDER, is_audited=False)
    for game in table.moves():
        for sale in game.legal_actions() if game.state.round.kind == "stock" else ():
            if not isinstance(sale, SellShares) or sale.shares < 2:
                continue
            after = game.copy()
            after.apply(sale)
            message = spoils(ExplanationFacts(game, after, PlayerId(sale.by), ScoredMove(sale, 0.0)))
            if message is not None:
                prices = (price_of(one, sale.company) for one in (game, after))
                are_right.append(message.values[1:3] == tuple(game.title.money(price) for price in prices))
        if len(are_right) > 3:
            break
    assert are_right and all(are_right)
