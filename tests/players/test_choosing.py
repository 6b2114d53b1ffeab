"""Computer players: they choose legal moves of their own, the same again, and know no more than their seat."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache

import pytest

from bot.engine.chance import Generator
from bot.engine.data.actions import Answer, Bid, BuyTrain
from bot.engine.games.selfplay import BUILDER, RandomGame
from bot.engine.ids import REMOVED, CompanyId, Owner, PrivateId, seat
from bot.engine.play.game import Game, options_for_chance
from bot.engine.refusals import NotAllowed
from bot.engine.titles.registry import TITLES
from bot.engine.words.text import action_of, text_of
from bot.players.ahead import deepened
from bot.players.choosing import blinded, choose, rate
from bot.players.judging import Judge
from bot.players.tournament import Match, play_match, rotated
from bot.players.traits import LEARNER, STEADY, STRENGTHS, STRONG, TRAITS
from tests.players.recorded import position as recorded

MOVES = 60


def position(title: str, moves: int = MOVES, seed: int = 3) -> Game:
    """A random game after so many moves."""
    table = RandomGame(TITLES[title], 3, seed, wanted=BUILDER, is_audited=False)
    for game in table.moves():
        if game.state.moves >= moves:
            return game
    raise AssertionError("the game is over before")


@pytest.mark.parametrize("title", TITLES)
def test_chooses_a_legal_move_of_its_own_and_the_same_again(title: str) -> None:
    for moves in (1, 70):
        game = position(title, moves)
        before = game.encode()
        player = game.asked()[0]
        choice = choose(game, player, 7, LEARNER)
        assert game.encode() == before
        assert game.decider(choice.action.by) == player
        game.check(choice.action)
        assert choose(Game.decode(game.title, before), player, 7, LEARNER) == choice


def test_every_title_has_its_numbers() -> None:
    assert set(TRAITS) >= set(TITLES)
    for title in TITLES:
        traits = TRAITS[title]
        assert traits.most in TITLES[title].trains
        assert set(traits.floats) <= {phase.name for phase in TITLES[title].phases}
        assert set(traits.extras) <= set(TITLES[title].privates)


@pytest.mark.parametrize("title", TITLES)
def test_nothing_depends_on_the_seed_of_the_game(title: str) -> None:
    game = position(title)
    other = Game.decode(game.title, game.encode())
    other.state.seed += 1
    player = game.asked()[0]
    assert choose(game, player, 1, LEARNER) == choose(other, player, 1, LEARNER)
    assert blinded(game).encode() == blinded(other).encode()


def test_minors_that_have_not_been_shown_are_not_seen() -> None:
    game = position("18BF", 1)
    other = Game.decode(game.title, game.encode())
    first, second, third = other.state.special.batches
    second[0], third[0] = third[0], second[0]
    assert game.state.special.batches != other.state.special.batches
    assert blinded(game).encode() == blinded(other).encode()
    assert blinded(game).state.special.batches[0] == first


def test_who_is_not_asked_chooses_nothing() -> None:
    game = position("1848")
    other = next(player for player in game.state.order if player not in game.asked())
    with pytest.raises(NotAllowed, match="turn"):
        choose(game, other, 1)


def test_what_was_refused_is_not_proposed_again() -> None:
    game = position("1848")
    player = game.asked()[0]
    first = choose(game, player, 1, LEARNER).action
    assert choose(game, player, 1, LEARNER, (first,)).action != first


@cache
def opening() -> Match:
    """The first moves of three steady players."""
    return play_match(TITLES["1848"], ("steady", "steady", "steady"), 1, 45)


def test_companies_are_launched_and_buy_trains() -> None:
    assert opening().happened["CompanyFloated"] > 0 and opening().happened["TrainBought"] > 0


def test_who_starts_a_company_launches_it() -> None:
    title = TITLES["1848"]
    match = opening()
    game = Game.new(title, match.seats, options_for_chance(title, {}), 1)
    for text in match.texts:
        game.apply(action_of(title, text))
        if game.state.round.kind == "operating":
            break
    started = [company for company in game.state.companies.values() if company.par and company.has_president]
    assert game.state.round.kind == "operating" and len(started) >= 3
    assert [company.id for company in started if not company.floated] == []


def test_a_match_repeats_exactly() -> None:
    first, again = (play_match(TITLES["18GB"], ("learner", "random", "learner"), 2, 40) for _ in range(2))
    assert first.texts == again.texts
    assert len(first.texts) == 40
    assert first.reason == ""


def test_seats_rotate() -> None:
    assert [rotated("abc", number) for number in range(4)] == [
        ["a", "b", "c"],
        ["b", "c", "a"],
        ["c", "a", "b"],
        ["a", "b", "c"],
    ]


def test_strengths_by_name() -> None:
    assert list(STRENGTHS) == ["learner", "steady", "strong"]
    assert STRENGTHS["steady"] is STEADY


def test_offers_are_answered_by_what_they_are_worth() -> None:
    for trains, agrees in ((4, True), (1, False)):
        game = recorded(57)
        for train in game.state.trains_of(CompanyId("SAR"))[trains:]:
            train.owner = REMOVED
        game.apply(BuyTrain(Owner("CAR"), "2", 100, Owner("SAR")))
        assert game.asked() == (seat(2),)
        choice = choose(game, seat(2), 1)
        assert choice.action == Answer(Owner("@2"), agrees)
        assert (str(choice.reason) == "It is the only train of the company.") is not agrees


def test_a_private_that_keeps_a_company_from_its_home_is_closed() -> None:
    game = recorded(27, "18GB")
    assert game.in_turn == "LNWR" and game.private(PrivateId("LB")).owner == seat(2)
    assert text_of(choose(game, seat(2), 1).action) == "@2 close LB"


def test_a_lot_that_is_fought_for_goes_up_in_strides() -> None:
    game = Game.new(TITLES["1830"], ["Ann", "Bob", "Cid"], options_for_chance(TITLES["1830"], {}), 1)
    prices = []
    for _ in range(40):
        action = choose(game, game.asked()[0], 1).action
        if isinstance(action, Bid) and action.lot == "BO":
            prices.append(action.price)
        game.apply(action)
    assert 1 < len(prices) <= 8 and prices[-1] - prices[0] > 5 * len(prices)


def test_no_clock_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked() -> float:
        raise AssertionError("a clock was looked at")

    for name in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(time, name, looked)
    for moves in (54, 60, 64):
        game = recorded(moves)
        choose(game, game.asked()[0], 1, STRONG)


def test_the_strong_player_looks_ahead_within_a_counted_budget() -> None:
    game = recorded(54)
    looks = []
    for budget in (0, STRONG.looks):
        judge = Judge(game.copy(), seat(1), replace(STRONG, looks=budget), Generator(1))
        rated = rate(judge)
        before = judge.looks
        deepened(judge, rated, rate)
        looks.append(judge.looks - before)
    assert looks[0] <= STRONG.ahead < looks[1]
