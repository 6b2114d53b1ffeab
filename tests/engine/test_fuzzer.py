"""Random games: they end, they repeat exactly, and what they found once stays found; the audits notice what is broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from inspect import isfunction

import pytest

from bot.ai.fuzzer import (
    BUILDER,
    COLLECTOR,
    RECKLESS,
    SURVEYOR,
    TEMPERS,
    NoLegalMove,
    RandomGame,
    RandomPolicy,
    SeededRandom,
)
from bot.ai.title_parameters import title_ai
from bot.engine.board.reachability import network
from bot.engine.ids import BANK, CompanyId, HexId, Owner, TileId, TrainId, as_company, seat
from bot.engine.play.audit import AUDITS, PARTS, audit_run
from bot.engine.play.game import Game, Watch
from bot.engine.play.steps.routes import RunTrains
from bot.engine.play.steps.stock import StockTurn
from bot.engine.refusals import NotYourTurn
from bot.engine.routes.revenue.model import TrainSpec
from bot.engine.routes.search import best_routes
from bot.engine.state.actions import Action, LayTile, Pass
from bot.engine.state.board import PlacedTile
from bot.engine.state.state import Certificate, Frame, State
from bot.titles.registry import TITLES
from tests.engine.routes.lines import problem, stop, track
from tests.families import few
from tests.titles.builders_1848 import new_game, operating, reach_phase, sell_privates, started
from tests.titles.positions import as_player

TITLE = TITLES["1848"]


def halfway(seed: int = 1, moves: int = 200) -> Game:
    """A position in the middle of a random game, with trains, tokens and tiles about."""
    return Game.decode(TITLE, played_halfway(seed, moves))


@cache
def played_halfway(seed: int, moves: int) -> bytes:
    game = None
    for number, game in enumerate(RandomGame(TITLE, 4, seed, wanted=BUILDER, is_audited=False).moves()):
        if number >= moves and not game.state.finished and len(game.state.flow) > 1:
            break
    assert game is not None
    return game.encode()


# -- runs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", TITLES)
def test_what_chance_likes_to_do_can_be_done_in_the_title(title: str) -> None:
    assert title_ai(title).verb_weights.keys() <= {str(verb.__struct_config__.tag) for verb in TITLES[title].verbs}


def test_a_run_that_leaves_what_is_in_reach_is_noticed() -> None:
    """Beyond a city full of others' tokens, or through it from a station on either side."""
    game = new_game()
    graph = track("A1.c0 = A2.c0 = A3.c0")
    asked = problem(graph, [TrainSpec("t", "3", 3)], {}, ["A1.c0", "A3.c0"])
    route = best_routes(asked).routes[0]
    game.cache["network", "VR"] = network(graph, asked.own)
    assert len(route.stops) == 3
    assert not audit_run(game, as_company("VR"), asked, [route])
    full = replace(asked, blocked=frozenset([stop("A2.c0")]))
    assert audit_run(game, as_company("VR"), full, [route])
    game.cache["network", "VR"] = network(graph, [stop("A1.c0")], full.blocked)
    assert audit_run(game, as_company("VR"), asked, [route])


# -- the games ----------------------------------------------------------------------------------------


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = (RandomGame(TITLE, 3, 5, is_audited=audited) for audited in (True, False))
    for table in (first, second):
        for _, _ in zip(range(150), table.moves(), strict=False):
            pass
    assert first.texts == second.texts
    assert first.game.encode() == second.game.encode()


def test_what_only_the_log_tells_is_counted_by_its_sentence() -> None:
    table = RandomGame(TITLES["1820"], 3, 1, is_audited=False)
    next(game for game in table.moves() if game.state.moves == 40)
    assert table.happened["{player}'s £{amount} on {lot} is returned."] > 0 and "Noted" not in table.happened


def test_tempers_take_turns_by_seed() -> None:
    drawn = [RandomGame(TITLE, 3, seed).temper for seed in range(2 * len(TEMPERS))]
    assert drawn == [*TEMPERS, *TEMPERS]


def test_the_generator_is_that_of_18xx_games() -> None:
    generator = SeededRandom(1)
    expected = 1
    for _ in range(5):
        generator.randrange(10)
        expected = (1103515245 * expected + 12345) % 2**31
        assert generator.x == expected


def test_draws_follow_the_weights() -> None:
    generator = SeededRandom(3)
    drawn = [generator.choose([0, 3, 1]) for _ in range(4000)]
    assert drawn.count(0) == 0
    assert 2800 < drawn.count(1) < 3200
    with pytest.raises((ValueError, ZeroDivisionError)):
        generator.choose([])


def test_a_fault_stops_the_game_with_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    settle = Game.advance

    def thief(game: Game, watch: Watch | None = None) -> None:
        game.state.cash[BANK] -= game.state.moves == 10
        settle(game, watch)

    monkeypatch.setattr(Game, "advance", thief)
    with pytest.raises(NoLegalMove, match="money in the game") as stuck:
        for _ in RandomGame(TITLE, 3, 1, wanted=RECKLESS).moves():
            pass
    assert len(stuck.value.moves) == 10


# -- found by random games ----------------------------------------------------------------------------


def test_listing_moves_may_not_change_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = Game.legal_actions

    def careless(game: Game) -> tuple[Action, ...]:
        game.state.ending = "over" * (game.state.moves == 40)
        return listed(game)

    monkeypatch.setattr(Game, "legal_actions", careless)
    with pytest.raises(NoLegalMove, match=r"move 40 .*looking at moves or asking whether .* opens changed the state"):
        list(RandomGame(TITLE, 3, 1).moves())


def test_asking_whether_a_decision_opens_may_not_change_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = StockTurn.opens

    def careless(step: StockTurn, game: Game) -> bool:
        game.state.ending = "over" * (game.state.moves == 40)
        return opened(step, game)

    monkeypatch.setattr(StockTurn, "opens", careless)
    with pytest.raises(NoLegalMove, match=r"looking at moves or asking whether .* opens changed the state"):
        list(RandomGame(TITLE, 3, 1).moves())


def test_asking_whether_a_decision_opens_that_does_not_may_not_change_the_state_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def careless(step: RunTrains, game: Game) -> bool:
        game.state.cash[BANK] -= 1
        return False

    monkeypatch.setattr(RunTrains, "opens", careless)
    with pytest.raises(NoLegalMove, match=r": asking whether [a-z ]*run trains[a-z ]* opens changed the state"):
        list(RandomGame(TITLE, 3, 1).moves())


def test_asking_whether_a_decision_opens_may_not_lead_on_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(step: RunTrains, game: Game) -> bool:
        game.frame.at += 1
        return False

    monkeypatch.setattr(RunTrains, "opens", careless)
    with pytest.raises(NoLegalMove, match=r": asking whether [a-z ]*run trains[a-z ]* opens changed the state"):
        list(RandomGame(TITLE, 3, 1).moves())


@pytest.mark.parametrize("is_last", [False, True])
def test_a_state_that_is_read_as_another_one_stops_the_game(monkeypatch: pytest.MonkeyPatch, is_last: bool) -> None:
    settle = Game.advance

    def careless(game: Game, watch: Watch | None = None) -> None:
        game.state.finished = is_last and game.state.moves == 10
        if game.state.moves == 10:
            game.state.order = tuple(reversed(game.state.order))  # type: ignore[assignment]
        settle(game, watch)

    monkeypatch.setattr(Game, "advance", careless)
    with pytest.raises(NoLegalMove, match=r"move 10 .*the state does not survive encoding"):
        list(RandomGame(TITLE, 3, 1).moves())


def test_nobody_passes_for_a_company_in_his_own_name() -> None:
    """A director decides for his company, but his own pass is not the company's."""
    game = new_game()
    started(game, "VR", {"@1": 4})
    operating(game, "VR")
    assert game.players_to_act() == (seat(1),)
    with pytest.raises(NotYourTurn):
        game.check(Pass(seat(1)))
    game.check(Pass(as_company("VR")))


def test_a_company_without_money_is_offered_the_desert_by_rebate() -> None:
    """1848 §4.3: the rebate pays for the desert where the treasury cannot."""
    game = new_game()
    started(game, "WA", {"@1": 4}, cash=0)
    sell_privates(game, {"P2": "@1"})
    reach_phase(game, "3")
    operating(game, "WA")
    lays = [action for action in game.legal_actions() if isinstance(action, LayTile) and action.hex == "C2"]
    assert lays
    assert all(action.using == "P2" for action in lays)


# -- the audits ---------------------------------------------------------------------------------------


def test_a_sound_position_has_no_complaints() -> None:
    assert halfway().audit() == []


def steal_a_certificate(game: Game) -> None:
    game.company(Owner("VR")).move_certificates(game.company(Owner("VR")).certificates[-1:], Owner("nobody"))


def print_a_certificate(game: Game) -> None:
    company = next(company for company in game.state.companies.values() if company.has_president)
    company.certificates[-2:] = [Certificate(20, company.certificates[-1].owner)]


def hand_the_presidency_to_nobody_in_particular(game: Game) -> None:
    company = next(c for c in game.state.companies.values() if c.has_president and c.par and not c.closed)
    company.move_certificates(company.certificates[1:], seat(1 if company.certificates[0].owner != "@1" else 2))


def move_a_marker(game: Game) -> None:
    company = next(c for c in game.state.companies.values() if c.position)
    company.position = (0, 3)


def copy_a_train(game: Game) -> None:
    game.state.trains[1] = game.state.trains[0]


def invent_a_train(game: Game) -> None:
    game.state.move_train(game.state.trains[0], game.state.trains[0].owner, "9")


def lay_a_tile_to_nowhere(game: Game) -> None:
    for rotation in range(6):
        game.state.board.tiles[HexId("E2")] = PlacedTile(TileId("9"), rotation)
        if any("nowhere" in line for line in game.audit()):
            return


def lay_too_many_tiles(game: Game) -> None:
    for hex_id in list(game.board_rules.map.hexes)[:8]:
        game.state.board.tiles[hex_id] = PlacedTile(TileId("69"), 0)


def have_tokens(game: Game, more: int) -> CompanyId:
    """A company that has so many tokens more than were printed for it and all privates gave."""
    company = next(c for c in game.state.companies.values() if game.title.companies[c.id].all_tokens and not c.closed)
    given = sum(private.ability_used for private in game.state.privates.values())
    printed, placed = game.title.companies[company.id].all_tokens, game.state.board.token_counts()[company.id]
    company.tokens_left = (40,) * (printed + given + more - placed)
    return company.id


def have_a_token_too_many(game: Game) -> None:
    have_tokens(game, more=1)


def place_too_many_tokens(game: Game) -> None:
    for hex_id in list(game.board_rules.map.hexes)[:40]:
        game.state.board.place_token(hex_id, 0, as_company("nobody"))


def place_a_token_in_no_city(game: Game) -> None:
    company = next(c for c in game.state.companies.values() if c.tokens_left)
    company.tokens_left = company.tokens_left[:-1]
    game.state.board.place_token(HexId("E4"), 3, company.id)


def forget_a_player(game: Game) -> None:
    game.state.order[0] = game.state.order[1]


def leave_nothing_to_do(game: Game) -> None:
    game.state.flow.clear()


def ask_nobody(game: Game) -> None:
    game.state.flow[-1].asked = []
    game.state.flow[-1].entity = None


def stand_at_a_deed(game: Game) -> None:
    game.push("discard", asked=[seat(1)])


def owe_money(game: Game) -> None:
    game.state.cash[as_player("@1")] -= 10_000
    game.state.cash[BANK] += 10_000


def forget_the_phase(game: Game) -> None:
    game.state.phase = "7"


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (steal_a_certificate, "belongs to nobody"),
        (print_a_certificate, "not those printed"),
        (hand_the_presidency_to_nobody_in_particular, "than its president"),
        (move_a_marker, "marker is at"),
        (copy_a_train, "same number"),
        (invent_a_train, "no side of"),
        (lay_a_tile_to_nowhere, "to nowhere"),
        (lay_too_many_tiles, "pieces of tile 69"),
        (have_a_token_too_many, "tokens on the map and "),
        (place_too_many_tokens, "were printed"),
        (place_a_token_in_no_city, "in city 3 of E4"),
        (forget_a_player, "every player once"),
        (leave_nothing_to_do, "nothing is to be done"),
        (ask_nobody, "nobody is asked"),
        (stand_at_a_deed, "stands at no decision of discard"),
        (owe_money, "@1 has -"),
        (forget_the_phase, "no phase 7"),
    ],
)
def test_the_audit_notices(fault: Callable[[Game], None], complaint: str) -> None:
    """Where it looks at everything, and where it looks at what has changed."""
    game = halfway()
    before = game.copy().state
    fault(game)
    changed = [part for part in PARTS if getattr(game.state, part) != getattr(before, part)]
    for found in (game.audit(), game.audit(changed)):
        assert [line for line in found if complaint in line], found


def test_whoever_sorts_out_the_tokens_of_two_companies_may_have_more_than_were_printed() -> None:
    game = halfway()
    have_tokens(game, more=0)
    assert not any("tokens on the map" in line for line in game.audit())
    company = have_tokens(game, more=1)
    game.state.flow.insert(0, Frame(game.frame.plan, company))
    assert not any("tokens on the map" in line for line in game.audit())


class Seen:
    """A state that notes which of its parts are looked at."""

    def __init__(self, state: State) -> None:
        self.state, self.parts = state, set[str]()

    def __getattr__(self, part: str) -> object:
        self.parts.update({part} & PARTS)
        method = getattr(type(self.state), part, None)
        return partial(method, self) if isfunction(method) else getattr(self.state, part)


@pytest.mark.parametrize("title", few(TITLES, 4))
def test_an_audit_looks_at_no_other_parts_than_it_says(title: str) -> None:
    """Else what is broken by a change of another part would go unseen."""
    seen: dict[str, set[str]] = {}
    audits = (*AUDITS, *TITLES[title].audits)
    for number, game in enumerate(RandomGame(TITLES[title], 3, 1, wanted=BUILDER, is_audited=False).moves()):
        if number % 20 == 0 and not game.state.finished:
            for one in audits:
                game.state, state = Seen(game.state), game.state
                list(one.broken(game))
                seen.setdefault(one.broken.__name__, set()).update(game.state.parts)
                game.state = state
    assert {one.broken.__name__ for one in audits} == seen.keys()
    assert not {one.broken.__name__: more for one in audits if (more := seen[one.broken.__name__] - {*one.parts})}
    assert all(seen.values())


def test_a_closed_company_owns_nothing() -> None:
    game = halfway()
    company = next(c for c in game.state.companies.values() if c.floated and c.has_president)
    company.closed = True
    assert any("is closed and" in line for line in game.audit())
    game.state.move_train(game.state.trains[0], Owner("@9"))
    assert f"train {TrainId(game.state.trains[0].id)} belongs to @9" in game.audit()


def test_a_collector_lays_tiles_that_its_game_has_not_had() -> None:
    def kinds(temper: RandomPolicy) -> int:
        table = RandomGame(TITLE, 3, 1, wanted=temper, is_audited=False)
        return max(len({placed.tile for placed in game.state.board.tiles.values()}) for game in table.moves())

    assert kinds(COLLECTOR) > kinds(SURVEYOR)
