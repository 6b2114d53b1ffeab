"""What people would do: the lists are complete, the features tell moves apart, and the weights are learned and used."""

from __future__ import annotations

import random
from dataclasses import replace
from math import isfinite
from pathlib import Path

import msgspec
import pytest

from bot.ai import prior
from bot.ai.decisions import RecordedDecision
from bot.ai.move_evaluator import REFUSED, Evaluator, ScoredMove
from bot.ai.move_features import features_of, situation_of
from bot.ai.places import place_value, place_values
from bot.ai.policy import MOST_LISTED, computed_ranking, people_ranking, ranking
from bot.ai.prior import COMMON_FILE, FILE, MoveWeights, likely, move_weights, ordered_by_people
from bot.ai.title_parameters import CLUB, STRONG
from bot.cli import move_weights as learning
from bot.cli.move_weights import Judgement, PeoplesGame, choose_ways, judge_games, learn
from bot.engine.chance import SeededRandom
from bot.engine.ids import CompanyId, HexId
from bot.engine.play.game import Game
from bot.engine.state.actions import BuyShares, BuyTrain, Done, LayTile, Par, Pass, SellShares
from bot.titles.registry import TITLES, title_folders
from tests.ai.recorded_openings import position as recorded
from tests.titles.builders_1830 import TRAINS, new_game, operating, own, reach_phase, started
from tests.titles.positions import lay, set_cash

MOST_BYTES = 100_000

STOCK, TRAIN, TRACK = 44, 56, 53
"""Moves of the recorded opening before such a decision."""


def judge_of(game: Game, strength: object = CLUB) -> Evaluator:
    assert strength in (CLUB, STRONG)
    return Evaluator(game, game.players_to_act()[0], CLUB if strength is CLUB else STRONG, SeededRandom(1))


@pytest.mark.parametrize("moves", [STOCK, TRAIN, TRACK])
def test_every_possible_move_is_listed_once(moves: int) -> None:
    judge = judge_of(recorded(moves))
    listed = [one.action for one in ranking(judge)]
    by_verb: dict[type, int] = {}
    for option in judge.options():
        by_verb[type(option)] = by_verb.get(type(option), 0) + 1
    assert max(by_verb.values()) <= MOST_LISTED
    assert len(listed) == len({*listed}) and {*listed} == {*judge.options()}
    few = {one.action for one in ranking(judge_of(recorded(moves), STRONG))}
    assert moves == TRAIN or len(few) < len(listed)


def test_situations_are_told_apart() -> None:
    names = {
        moves: situation_of(judge := judge_of(recorded(moves)), judge.options()) for moves in (0, STOCK, TRAIN, TRACK)
    }
    assert names == {0: "auction", STOCK: "stock", TRAIN: "train", TRACK: "track"}


@pytest.mark.parametrize("moves", [0, STOCK, TRAIN, TRACK])
def test_features_are_small_numbers_that_tell_moves_apart(moves: int) -> None:
    judge = judge_of(recorded(moves))
    ranked = [one for one in computed_ranking(judge) if one.score > REFUSED / 2]
    found = features_of(judge, ranked)
    assert len(found) == len(ranked)
    values = [value for features in found for value in features.values()]
    assert all(isfinite(value) and abs(value) < 25 for value in values)
    assert len({tuple(sorted(features.items())) for features in found}) == len(found)
    assert [features.get("first", 0.0) for features in found] == [1.0] + [0.0] * (len(found) - 1)


def test_starts_know_what_floats_and_where() -> None:
    """1830, first stock round: 60% of a company cost six times its price."""
    game = Game.new(TITLES["1830"], ["Ann", "Bob", "Cid", "Dan"], {}, 1)
    while game.state.round.kind != "stock" or game.company(CompanyId("B&O")).par is None:
        game.apply(next(one for one in game.legal_actions() if not isinstance(one, Pass)))
    player = game.players_to_act()[0]
    game.state.cash[player] = 500
    judge = judge_of(game)
    ranked = computed_ranking(judge)
    told = zip(ranked, features_of(judge, ranked), strict=True)
    starts = {one.action: features for one, features in told if isinstance(one.action, Par)}
    alone = {action.price for action, told in starts.items() if told.get("par highest unaided")}
    assert alone == {82}
    assert {action.price for action, told in starts.items() if told.get("par floats unaided")} == {67, 71, 76, 82}
    best = {action.company for action, told in starts.items() if told.get("par best place")}
    values = {company: place_values(game)[company] for company in {action.company for action in starts}}
    assert best == {company for company, value in values.items() if value == max(values.values())}


def test_a_place_is_worth_what_is_near() -> None:
    printed = TITLES["1830"].land.map
    homes = {company: noun.home for company, noun in TITLES["1830"].companies.items()}
    found = {company: place_value(printed, home) for company, home in homes.items()}
    assert min(found.values()) > 0 and len({*found.values()}) > 1
    far = HexId(next(iter(homes[CompanyId("CPR")])))
    assert found[CompanyId("CPR")] == place_value(printed, (far,))


def test_the_weights_order_what_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = judge_of(recorded(STOCK))
    ranked = computed_ranking(judge)
    refused = ScoredMove(ranked[-1].action, REFUSED)
    ranked = [*ranked[:-1], refused]
    for verb, wanted in (("sell", SellShares), ("buy", BuyShares), ("pass", Pass)):
        monkeypatch.setattr(prior, "move_weights", lambda title, verb=verb: {"stock": {verb: 9.0}})
        found = ordered_by_people(judge, ranked)
        assert isinstance(found[0].action, wanted) and found[-1] == refused
        assert sorted(map(repr, found)) == sorted(map(repr, ranked))
    monkeypatch.setattr(prior, "move_weights", lambda title: {"track": {"pass": 9.0}})
    assert ordered_by_people(judge, ranked) == ranked, "a situation without weights keeps the computed order"


def test_people_are_not_followed_into_a_large_loss() -> None:
    judge = judge_of(recorded(STOCK))
    ranked = computed_ranking(judge)
    wanted = next(one for one in ranked if isinstance(one.action, Pass))
    other = next(one for one in ranked if one != wanted)
    much = prior.HEED * judge.game.title.rules.worth(judge.game, judge.seat)
    for lost, is_followed in ((much - 1, True), (much + 1, False)):
        careful = [replace(other, score=lost), replace(wanted, score=0.0)]
        found = prior.large_losses_last(judge, [wanted, other], careful)
        assert found == ([wanted, other] if is_followed else [other, wanted])


@pytest.mark.parametrize(("cash", "president", "is_needed"), [(900, 0, False), (100, 2000, True), (100, 50, True)])
def test_purchases_in_need_are_computed(cash: int, president: int, *, is_needed: bool) -> None:
    game = new_game()
    own(game)
    started(game, "NYC", {"@1": 4, "@2": 2}, cash=cash)
    started(game, "PRR", {"@2": 4, "@1": 2}, "@2")
    lay(game, ("57", "E19", 2), ("56", "F20", 0))
    reach_phase(game, "6")
    set_cash(game, "@1", president)
    operating(game, "NYC", [], TRAINS)
    judge = judge_of(game)
    assert prior.is_in_need(judge) is is_needed
    assert is_needed is False or people_ranking(judge, ()) == computed_ranking(judge_of(game))


def test_only_club_follows_people() -> None:
    assert CLUB.follows_people and not STRONG.follows_people
    assert not STRONG.lists_all


def test_stored_weights_are_small_sorted_and_rounded() -> None:
    places = [Path(prior.__file__).with_name(COMMON_FILE)]
    places += [Path(str(place.folder)) / FILE for place in title_folders().values()]
    found = [place for place in places if place.is_file()]
    assert len(found) > 3 and sum(place.stat().st_size for place in found) < 1_000_000
    for place in found:
        text = place.read_bytes()
        weights = msgspec.json.decode(text, type=MoveWeights)
        assert len(text) < MOST_BYTES and weights.games > 0
        for told in weights.situations.values():
            assert [*told] == sorted(told) and all(value == round(value, 4) for value in told.values())
        assert {"stock", "dividend", "train"} & {*weights.situations, *weights.computed, "stock"}


def test_every_title_finds_its_weights() -> None:
    for title in TITLES:
        found = move_weights(title)
        assert "stock" in found and "pass" in found["stock"]
        assert "track" not in found, "where games left out agree no more, nothing is learned"


# -- learning -------------------------------------------------------------------------------------


def game_of(title: str, file: str, liking: float, seed: int) -> PeoplesGame:
    """A game of somebody who prefers candidates by `x`, more strongly the higher `liking` is."""
    chance = random.Random(seed)
    decisions = []
    for number in range(60):
        candidates = [{"pass" if at == 0 else "buy": 1.0, "x": chance.uniform(-1, 1)} for at in range(4)]
        odds = [2.718 ** (liking * one["x"]) for one in candidates]
        (made,) = chance.choices(range(4), odds)
        decisions.append(RecordedDecision("other", "share", f"{file} {number}", candidates, made))
    return PeoplesGame(file, title, decisions)


def test_what_people_prefer_is_learned() -> None:
    games = [game_of("1830", f"g{seed}", 4.0, seed) for seed in range(4)]
    (weights,) = (learn(games, {}, 1.0)[name] for name in ("other",))
    assert 2.5 < weights["x"] < 5.5 and abs(weights.get("pass", 0.0)) < 1.0
    best = max(games[0].decisions[0].candidates, key=lambda one: one["x"])
    assert max(games[0].decisions[0].candidates, key=lambda one: likely(weights, one)) == best
    towards = learn(games[:1], {"other": {"x": -3.0}}, 1e6)["other"]
    assert towards["x"] == pytest.approx(-3.0, abs=0.1), "few games are drawn towards the common weights"


def test_every_game_is_judged_without_itself_and_those_like_it(monkeypatch: pytest.MonkeyPatch) -> None:
    first = game_of("1830", "a", 4.0, 1)
    twin = PeoplesGame("twin", "1830", first.decisions)
    other = game_of("1830", "b", 4.0, 2)
    used: list[set[str]] = []

    def remember(games: object, towards: object, penalty: float) -> dict[str, dict[str, float]]:
        used.append({game.file for game in games})  # type: ignore[attr-defined]
        return {}

    monkeypatch.setattr(learning, "learn", remember)
    judge_games([first, twin, other])
    assert {frozenset(one) for one in used} == {frozenset({"b"}), frozenset({"a", "twin"})}


def judged(title: str, situation: str, kind: str, ranks: tuple[int, int, int], number: int) -> list[Judgement]:
    return [Judgement(title, situation, kind, *ranks, 5)] * number


def test_learned_weights_are_used_only_where_they_agree_more() -> None:
    right, wrong = 0, 1
    better = judged("1830", "stock", "share", (wrong, right, right), 100)
    assert choose_ways(better) == {("", "stock"): "common", ("1830", "stock"): "common"}
    own = judged("1830", "stock", "share", (wrong, wrong, right), 100) + judged(
        "1848", "stock", "share", (wrong, right, wrong), 100
    )
    assert choose_ways(own)["1830", "stock"] == "own" and choose_ways(own)["1848", "stock"] == "common"
    losing = [*better, *judged("1830", "stock", "sale", (right, wrong, wrong), 60)]
    assert set(choose_ways(losing).values()) == {"computed"}, "no kind of many decisions may lose"
    seldom = [*better, *judged("1830", "stock", "sale", (right, wrong, wrong), 20)]
    assert choose_ways(seldom)["1830", "stock"] == "common"


def test_moves_of_companies_and_players_have_features() -> None:
    for moves, verbs in ((TRAIN, (BuyTrain,)), (TRACK, (LayTile,)), (STOCK, (BuyShares, SellShares))):
        judge = judge_of(recorded(moves))
        ranked = computed_ranking(judge)
        told = zip(ranked, features_of(judge, ranked), strict=True)
        own = [features for one, features in told if isinstance(one.action, verbs)]
        passes = [one for one in ranked if isinstance(one.action, Pass | Done)]
        assert own and all(len(features) > 6 for features in own) and passes
