"""Moves put together question by question: any legal one of those that are too many to be listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import pytest

from bot.ai.fuzzer import BUILDER, RandomGame
from bot.engine.chance import SeededRandom
from bot.engine.ids import PlayerId
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.play.move_builder import (
    ChoiceField,
    Composing,
    Prompt,
    answer_labels,
    choose_many,
    choose_one,
    compose,
    encode_answer,
)
from bot.engine.refusals import IllegalMove, Rejected, StalePosition
from bot.engine.state.actions import Action
from bot.service.parser import menus
from bot.titles.registry import TITLES
from bot.titles.t1820.actions import FloatCompany, FundLobby
from bot.titles.t1820.state import LobbyMarker, title_state
from tests.families import few
from tests.move_builder_helpers import answers_to
from tests.titles import builders_18bf, builders_1820
from tests.titles.positions import act

ANN = PlayerId(builders_18bf.Owner("@1"))
OF_EACH = 3
"""So many moves of a kind are put together again."""

SEEN = 6
"""So many choices of a question are looked at."""


def is_reached(game: Game, text: str) -> bool:
    """Whether answers lead to the move, and the rules allow it."""
    action = parse_action(game.title, text)
    player = game.controller_of(action.by)
    assert player is not None
    game.check(action)
    assert type(action).__name__ in {way.kind for way in menus.ways(game, [player])}
    return answers_to(game, player, action) is not None


def test_1820_answers_lead_to_every_lobby_and_company_that_is_listed() -> None:
    table = RandomGame(TITLES["1820"], 3, 2, {}, BUILDER, is_audited=False)
    numbers: dict[type[Action], int] = {}
    for _, game in zip(range(200), table.moves(), strict=False):
        for action in menus.legal_for(game, game.players_to_act()):
            if type(action) in game.title.composers and numbers.setdefault(type(action), 0) < OF_EACH:
                numbers[type(action)] += 1
                assert is_reached(game, format_action(action)), format_action(action)
        if list(numbers.values()) == [OF_EACH, OF_EACH]:
            break
    assert numbers == {FundLobby: OF_EACH, FloatCompany: OF_EACH}


def lobby() -> Game:
    """Player 1 may float a company."""
    game = builders_1820.new_game()
    builders_1820.stock_turn(game, resolved=True)
    game.push("lobby", ANN)
    return builders_1820.settled(game)


@pytest.mark.parametrize(
    "text",
    few(
        [
            "@1 float LSR 5 at 55 on M15 to @1:2 @2:1",
            "@1 float LSR 5 at 71 on G7=150/1 H12=57/1 to @3:1 @2:2",
            "@1 float N&PR 5 at 60 on B6=6/3 to @2:2 @3:1",
        ],
        1,
    ),
)
def test_1820_6_6_2_companies_that_no_list_has(text: str) -> None:
    game = lobby()
    assert is_reached(game, text)


def test_1820_6_5_2_1_any_lobby_is_raised_by_any_sum() -> None:
    game = builders_1820.new_game()
    builders_1820.stock_turn(game, "@1")
    act(game, "@1 fund 50")
    player = game.players_to_act()[0]
    for text in (f"{player} fund 50 to 170", f"{player} fund 130"):
        assert is_reached(game, text)


def test_1820_6_5_2_who_has_done_his_one_thing_is_offered_no_other() -> None:
    game = builders_1820.new_game()
    builders_1820.floated(game, "LSR", 5, {"@1": 3, "@2": 2})
    builders_1820.stock_turn(game, "@1")
    offered = {kind.__name__ for kind in menus.composers_for(game, [ANN])}
    assert offered == {"FundLobby", "IncreaseShares"}
    act(game, "@1 fund 50")
    assert game.players_to_act() == (ANN,) and menus.composers_for(game, [ANN]) == []


def test_1820_6_5_2_2_and_8_2_shares_are_taken_and_bought_back_as_agreed() -> None:
    game = builders_1820.new_game()
    builders_1820.floated(game, "LSR", 5, {"@1": 3, "@2": 2})
    builders_1820.stock_turn(game, "@1")
    assert is_reached(game, "LSR increase 10")
    assert is_reached(game, "LSR increase 20 to @1:3 @2:2")
    builders_1820.issue_round(game)
    texts = list(guide_texts(game, "decrease"))
    assert texts and all(is_reached(game, text) for text in texts), texts


def guide_texts(game: Game, verb: str) -> Iterator[str]:
    """The listed moves of a verb."""
    for action in menus.legal_for(game, game.players_to_act()):
        if format_action(action).split()[1] == verb:
            yield format_action(action)


def west() -> Game:
    """Minors of three players, connected; VN is in turn."""
    game = builders_18bf.after_privates(3)
    for name, owner in (("LR", "@1"), ("LS", "@2"), ("LY", "@3"), ("EK", "@1"), ("SE", "@2"), ("EC", "@1")):
        builders_18bf.minor(game, name, owner)
    builders_18bf.reach_phase(game, "4")
    return builders_18bf.merger_round(game)


def test_18bf_12_3_any_group_of_minors_is_chosen_at_once() -> None:
    game = west()
    company, *others = [str(one) for one in ("LR", "LS", "LY", "EK", "SE", "EC")]
    assert game.frame.entity == company
    for group in (others, others[1:4], [others[4], others[0]]):
        assert is_reached(game, f"{company} merge {' '.join(group)} into MR")
    menu = menus.menu(game, [ANN], "Merge")
    assert menu.is_several and (menu.least, menu.most) == (1, 5) and menu.question == "Together with which?"
    assert [choice.note.split(",")[0] for choice in menu.choices] != []
    chosen = menus.menu(game, [ANN], "Merge", (encode_answer([0, 2]),))
    assert chosen.question == "What do LR, LS and EK become?"
    assert menus.text_command(game, chosen).startswith("merge · ")


def test_18bf_12_3_who_cannot_be_connected_is_not_offered() -> None:
    game = builders_18bf.after_privates(3)
    for name, owner in (("LR", "@1"), ("LS", "@2"), ("EK", "@3"), ("GC", "@2"), ("NU", "@3")):
        builders_18bf.minor(game, name, owner)
    builders_18bf.reach_phase(game, "4")
    offered = menus.menu(builders_18bf.merger_round(game), [ANN], "Merge").choices
    labels = {choice.label for choice in offered}
    assert "LS" in labels and not labels & {"GC", "NU", "LR"}


@pytest.mark.parametrize(("most", "sentence"), [(2, "Choose exactly 2 of them."), (3, "Choose 2 to 3 of them.")])
def test_too_few_are_refused_with_how_many_there_must_be(most: int, sentence: str) -> None:
    question = Prompt("Which stay?", tuple(ChoiceField(name, name) for name in "abc"), 2, most)
    with pytest.raises(IllegalMove) as refused:
        answer_labels(question, encode_answer([0]))
    assert str(refused.value) == sentence


def test_18bf_12_6_systems_of_some_companies_or_of_one() -> None:
    game = builders_18bf.after_privates(3)
    builders_18bf.reach_phase(game, "6")
    for number, name in enumerate(("MR", "CR", "NER")):
        builders_18bf.public(game, name, {f"@{number + 1}": 6}, (120, 110, 100)[number], 0, stations=[("U23", number)])
    builders_18bf.merger_round(game)
    for text in ("MR form SR with CR", "MR form LMS with NER CR", "MR form GWR without LYR"):
        assert is_reached(game, text)
    act(game, "MR form LMS with CR NER", "@2 agree", "@3 agree")


def test_18bf_12_6_stations_that_stay() -> None:
    game = west()
    act(game, "LR merge EK LS LY into MR", "@2 agree", "@3 agree")
    assert game.frame.plan == "forming"
    for text in guide_texts(game, "stations"):
        assert is_reached(game, text)


@pytest.mark.parametrize("seed", few(range(12), 0, 4, 8))
def test_whatever_is_answered_ends_in_a_move_or_a_sentence(seed: int) -> None:
    chance = SeededRandom(seed)
    for game, verb in ((lobby(), "FloatCompany"), (west(), "Merge")):
        path: tuple[int, ...] = ()
        while True:
            try:
                menu = menus.menu(game, [ANN], verb, path)
                if menu.action is not None:
                    game.check(menu.action)
                    break
            except Rejected as refusal:
                assert str(refusal)[-1] in ".)" and " " in str(refusal)
                break
            number = chance.randrange(len(menu.choices))
            path = (*path, encode_answer([number]) if menu.is_several else number)
            assert len(path) < 30 and len(".".join(map(str, path))) < 60


def dead_ends(game: Game, kind: str, chance: SeededRandom, path: tuple[int, ...] = ()) -> Iterator[str]:
    """Where a menu ends without a move that is legal: some choices of each question are looked at, one is followed.

    Of several choices, or of a sum, not every answer need be good, but one must be; what is said against others is a sentence.
    """
    menu = menus.menu(game, game.players_to_act(), kind, path)
    if menu.action is not None:
        if not game.allows(menu.action):
            yield f"{path} makes {format_action(menu.action)}"
        return
    numbers = list(range(len(menu.choices)))
    sums = [*(menu.sums or ())][:1] if not menu.left else []
    several = [encode_answer(chance.permutation(numbers)[:number]) for number in range(menu.least, menu.most + 1)]
    answers = sums or (several if menu.is_several else chance.permutation(numbers)[:SEEN])
    good = []
    for answer in answers:
        try:
            menus.menu(game, game.players_to_act(), kind, (*path, answer))
            good.append(answer)
        except IllegalMove as refusal:
            if not menu.is_several:
                yield f"{(*path, answer)} is answered: {refusal}"
    if menu.is_several and not good:
        good = [
            answer
            for answer in map(encode_answer, combinations_of(numbers, menu))
            if leads_on(game, kind, (*path, answer))
        ]
    if good:
        yield from dead_ends(game, kind, chance, (*path, good[0]))
    else:
        yield f"{path} asks: {menu.question}, and nothing leads on"


def combinations_of(numbers: Sequence[int], menu: menus.Menu) -> Iterator[tuple[int, ...]]:
    """All ways to choose as many as a menu wants."""
    return chain.from_iterable(combinations(numbers, number) for number in range(menu.least, menu.most + 1))


def leads_on(game: Game, kind: str, path: tuple[int, ...]) -> bool:
    """Whether something is asked then, or a move made."""
    try:
        return bool(menus.menu(game, game.players_to_act(), kind, path))
    except IllegalMove:
        return False


def looked_at(title: str, seed: int, moves: int, most: int) -> dict[str, list[str]]:
    """Dead ends of the menus of a random game, by kind of move; each kind at its first positions and at some later ones."""
    played, chance = (
        RandomGame(TITLES[title], TITLES[title].players.start, seed, {}, BUILDER, is_audited=False),
        SeededRandom(seed),
    )
    found: dict[str, list[str]] = {}
    looked: Counter[str] = Counter()
    for _, game in zip(range(moves), played.moves(), strict=False):
        for way in menus.ways(game, game.players_to_act()):
            if way.kind and looked[way.kind] < most and (looked[way.kind] < 2 or not chance.randrange(4)):
                looked[way.kind] += 1
                ends = dead_ends(game, way.kind, chance)
                found.setdefault(way.kind, []).extend(f"after {len(played.texts)} moves {end}" for end in ends)
    return found


@pytest.mark.parametrize("title", [title for title in TITLES if title != "1820"])
def test_no_menu_leads_to_nothing(title: str) -> None:
    found = looked_at(title, 7, 60, 1)
    assert found and not [*chain.from_iterable(found.values())], found


def test_1820_no_menu_leads_to_nothing() -> None:
    """Lobbies, a company that grows and shrinks, where some may not buy and some answers would take control."""
    game = builders_1820.new_game()
    builders_1820.floated(game, "LSR", 5, {"@1": 2, "@2": 2, "@3": 1})
    builders_1820.stock_turn(game, "@1")
    title_state(game).lobbies = [LobbyMarker(amount, ANN) for amount in (60, 50, 40)]
    chance = SeededRandom(1)
    title_state(game).sold["@2"] = ["LSR"]
    for kind in ("FundLobby", "IncreaseShares"):
        assert kind in {way.kind for way in menus.ways(game, game.players_to_act())}
        for _ in range(12):
            assert list(dead_ends(game, kind, chance)) == [], kind
    title_state(game).is_resolved = True
    assert menus.composers_for(game, [ANN]) == []
    builders_1820.issue_round(game)
    game.state.cash[game.company("LSR").id] = 900
    for _ in range(12):
        assert list(dead_ends(game, "ReduceShares", chance)) == []


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("title", TITLES)
def test_no_menu_of_a_whole_game_leads_to_nothing(title: str, seed: int) -> None:
    found = looked_at(title, seed, 1500, 12)
    assert found and not [*chain.from_iterable(found.values())], found


def ask_two(game: Game, player: PlayerId) -> Composing:
    """Two questions."""
    first = yield from choose_one("Which?", [ChoiceField("a", "A"), ChoiceField("b", "B")])
    rest = yield from choose_many("Which others?", [ChoiceField(letter, letter.upper()) for letter in "cdef"], 2, 3)
    return parse_action(game.title, "@1 pass") if first == "a" and rest else parse_action(game.title, "@2 pass")


def test_answers_of_other_questions_are_refused_and_change_nothing() -> None:
    game = west()
    made = compose(ask_two, game, ANN, (0,))
    assert made.said == ("A",) and made.question is not None and made.question.is_several
    assert compose(ask_two, game, ANN, (0, encode_answer([1, 3]))).said == ("A", "D", "F")
    for answers in ((2,), (-1,), (0, encode_answer([1, 7])), (0, encode_answer([0, 1]), 3)):
        with pytest.raises(StalePosition):
            compose(ask_two, game, ANN, answers)
    for answers in ((0, encode_answer([1])), (0, encode_answer([0, 1, 2, 3])), (0, 0)):
        with pytest.raises(IllegalMove, match="Choose 2 to 3"):
            compose(ask_two, game, ANN, answers)


def test_nobody_else_puts_a_move_together() -> None:
    game = lobby()
    bob = PlayerId(builders_18bf.Owner("@2"))
    assert menus.ways(game, [bob]) == []
    with pytest.raises(StalePosition):
        menus.menu(game, [bob], "FloatCompany")
    with pytest.raises(StalePosition):
        menus.menu(west(), [ANN], "FormSystem")
