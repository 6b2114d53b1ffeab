"""Every action has one text form, and the form reads back to it and to nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, ClassVar

import pytest

from bot.engine.ids import POOL, CompanyId, Owner, PrivateId, as_private, seat
from bot.engine.notation.text import SHARED, format_action, own_verbs, parse_action, parse_words, verb_of, verb_words
from bot.engine.notation.verb import example_of
from bot.engine.play.game import Game
from bot.engine.play.title import Procedure, Title
from bot.engine.refusals import ParseError
from bot.engine.state.actions import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DeclareBankruptcy,
    DiscardTrain,
    Dividend,
    Done,
    Exchange,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    Run,
    RunRoutes,
    SellShares,
    TakeLoan,
    Withdraw,
)
from bot.titles.registry import TITLES

TITLE = TITLES["1848"]
EAGERNESS: dict[type[Action], int] = {
    RunRoutes: 60,
    BuyTrain: 8,
    Par: 12,
    BuyShares: 10,
    LayTile: 4,
    Dividend: 4,
    Pass: 3,
}


def moves(title: Title, players: int, seed: int) -> Iterator[Game]:
    """The same game after every move of a random game: a verb is drawn by its weight, then one of its actions."""
    chance = Random(seed)
    game = Game.new(title, [f"Player {number}" for number in range(1, players + 1)], {}, seed)
    while not game.state.finished:
        legal = game.legal_actions()
        verbs = list(dict.fromkeys(type(action) for action in legal))
        (verb,) = chance.choices(verbs, [EAGERNESS.get(verb, 1) for verb in verbs])
        game.apply(chance.choice([action for action in legal if type(action) is verb]))
        yield game


ANN, VR = seat(1), "VR"

FORMS_OF_ACTIONS: list[tuple[Action, str]] = [
    (Pass(ANN), "@1 pass"),
    (Done(ANN), "@1 done"),
    (ReducePrice(ANN, "P4"), "@1 reduce P4"),
    (BuyPrivate(ANN, "P4", 150), "@1 buy P4 for 150"),
    (BuyPrivate(VR, "P4", 220), "VR buy P4 for 220"),
    (Bid(ANN, "P4", 175), "@1 bid P4 175"),
    (Par(ANN, "VR", 90), "@1 par VR 90"),
    (BuyShares(ANN, "VR"), "@1 buy VR"),
    (BuyShares(ANN, "VR", POOL), "@1 buy VR from pool"),
    (BuyShares(ANN, "VR", POOL, 2), "@1 buy 2 VR from pool"),
    (BuyShares(ANN, "VR", shares=3), "@1 buy 3 VR"),
    (SellShares(ANN, "QR", 2), "@1 sell 2 QR"),
    (LayTile(VR, "57", "H11", 2), "VR lay 57 H11 2"),
    (LayTile(VR, "8", "C4", 1, "P2"), "VR lay 8 C4 1 with P2"),
    (PlaceToken(VR, "G10"), "VR token G10"),
    (PlaceToken(VR, "G10", 1), "VR token G10.1"),
    (RunRoutes(VR), "VR run nothing"),
    (
        RunRoutes(VR, (Run("2-0", ("E4.c0", "D3.t1", "D1.c0")), Run("2-1", ("H11.c0", "G12", "G10.c0")))),
        "VR run 2-0=E4.c0>D3.t1>D1.c0 2-1=H11.c0>G12>G10.c0",
    ),
    (Dividend(VR, "pay"), "VR pay"),
    (Dividend(VR, "withhold"), "VR withhold"),
    (Dividend(VR, "half"), "VR half"),
    (BuyTrain(VR, "3+", 230), "VR buy 3+ for 230"),
    (BuyTrain(VR, "3", 1, "CAR"), "VR buy 3 from CAR for 1"),
    (BuyTrain(VR, "D", 800, trade_in="4"), "VR buy D for 800 trade 4"),
    (BuyTrain(VR, "2E", 100, using="P4"), "VR buy 2E for 100 with P4"),
    (DiscardTrain(VR, "3"), "VR discard 3"),
    (TakeLoan(VR), "VR loan"),
    (Answer(ANN, True), "@1 agree"),
    (Answer(ANN, False), "@1 refuse"),
    (Withdraw(ANN), "@1 withdraw"),
    (DeclareBankruptcy(ANN), "@1 bankrupt"),
    (Exchange(ANN, as_private("P4")), "@1 exchange P4"),
    (Exchange(ANN, as_private("P4"), POOL), "@1 exchange P4 from pool"),
]


@pytest.mark.parametrize(("action", "text"), FORMS_OF_ACTIONS, ids=lambda value: str(value)[:40])
def test_each_action_has_its_form_and_the_form_reads_back(action: Action, text: str) -> None:
    assert format_action(action) == text
    assert parse_action(TITLE, text) == action


def test_every_shared_action_is_in_the_table_above() -> None:
    assert {type(action) for action, _ in FORMS_OF_ACTIONS} == set(SHARED)


@pytest.mark.parametrize("title", TITLES)
def test_the_examples_can_be_read(title: str) -> None:
    box = TITLES[title]
    for verb in (*SHARED.values(), *own_verbs(box)):
        example = f"@1 {example_of(box, verb)}"
        assert format_action(parse_action(box, example)) == example


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("@1 buy 1 VR", "@1 buy VR"),
        ("@1 buy VR from ipo", "@1 buy VR"),
        ("VR buy 3 from depot for 180", "VR buy 3 for 180"),
        ("VR token G10.0", "VR token G10"),
        ("VR buy 2E with P4 for 100", "VR buy 2E for 100 with P4"),
        ("VR  lay 57  H11 2", "VR lay 57 H11 2"),
    ],
)
def test_a_form_that_says_the_same_in_other_words_is_not_the_form(text: str, exact: str) -> None:
    assert format_action(parse_words(TITLE, text.split())) == exact
    with pytest.raises(ParseError) as refusal:
        parse_action(TITLE, text)
    assert refusal.value.instead == (exact,)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A move names who acts"),
        ("VR", "A move names who acts"),
        ("XX pass", "There is no company or seat XX."),
        ("@7 pass", "There is no company or seat @7"),
        ("VR lya 57 H11 2", "There is no move called lya; perhaps lay"),
        ("VR lay 57", "lay needs a tile, a hex and a rotation, for example: lay 5 H11 1."),
        ("VR lay 57 H11", "lay needs a tile, a hex and a rotation"),
        ("VR lay 57 H11 2 with", "with is followed by a private."),
        ("VR lay 957 H11 2", "There is no tile 957; perhaps 57"),
        ("VR lay 57 H111 2", "There is no hex H111; perhaps H11"),
        ("VR lay 57 H11 6", "A rotation is a number from 0 to 5, not 6."),
        ("VR lay 57 H11 -1", "A rotation is a number from 0 to 5, not -1."),
        ("VR token", "token needs a hex, for example: token H11."),
        ("VR token G10.x", "token needs a hex"),
        ("VR run", "run needs every train's route"),
        ("VR run best", "best is not a route; write a route like this:"),
        ("VR run 2-0=H11.c0>>G10.c0", "Nothing is not a stop of a route; write stops like"),
        ("VR run 2-0=H11.c0>Z99.c0", "There is no hex Z99"),
        ("VR buy", "buy needs a private with its price or a company at its market price or a train with its price"),
        ("VR buy 3", "buy needs a train with its price, for example: buy 2 for 100."),
        ("VR buy P4", "buy needs a private with its price, for example: buy P1 for 30."),
        ("VR buy VR for 90", "buy needs a company at its market price, for example: buy 2 VR from pool."),
        ("VR buy 99", "There is no 99"),
        ("VR buy 3 for 0180", "buy needs a train with its price"),
        ("VR buy 3 for 1 for 2", "buy needs a train with its price"),
        ("@1 par VR", "par needs a company and a price, for example: par VR 70."),
        ("@1 par VX 90", "There is no company VX; perhaps"),
        ("@1 sell VR 2", "@1 sell VR 2 is not the exact form, which is: @1 sell 2 VR."),
        ("@1 bid P4 99999999999999999999", "bid needs a lot and a price"),
        ("@1 pass now", "Nothing follows after pass."),
        ("VR discard 9", "There is no train 9."),
        ("@1 reduce P9", "There is no private P9"),
    ],
)
def test_what_is_no_form_says_what_is_missing(text: str, sentence: str) -> None:
    with pytest.raises(ParseError) as refusal:
        parse_action(TITLE, text)
    assert sentence in refusal.value.sentence


@pytest.mark.parametrize("players", [3, 6])
def test_every_legal_action_of_a_random_game_reads_back(players: int) -> None:
    for game in every(40, moves(TITLE, players, seed=players)):
        for action in game.legal_actions():
            assert parse_action(TITLE, format_action(action)) == action


def every(spacing: int, games: Iterator[Game]) -> Iterator[Game]:
    return (game for number, game in enumerate(games) if number % spacing == 0 and number <= 400)


# -- a title with a verb of its own -------------------------------------------------------------------


class Ferry(Action, frozen=True, tag="ferry"):
    """A verb that only the toy title knows; it begins like a shared one."""

    form: ClassVar[str] = "buy|sail ferry {number}"
    number: int


@dataclass(frozen=True)
class Ferries:
    """A step that takes it."""

    name: str = "buy a ferry"
    verbs: tuple[type[Action], ...] = (Ferry, Pass)

    def opens(self, game: Game) -> bool:
        return True

    def options(self, game: Game) -> Sequence[Action]:
        return ()

    def check(self, game: Game, action: Any) -> None: ...

    def apply(self, game: Game, action: Any) -> None: ...


def toy() -> Title:
    return replace(TITLE, plans={"ferries": Procedure("ferries", (Ferries(),))})


def test_a_titles_own_verb_is_found_by_its_steps() -> None:
    assert format_action(Ferry(VR, 2)) == "VR buy ferry 2"
    assert parse_action(toy(), "VR buy ferry 2") == Ferry(VR, 2)
    assert parse_action(toy(), "VR buy 3 for 180") == BuyTrain(VR, "3", 180)
    assert "sail" in verb_words(toy())
    assert "sail" not in verb_words(TITLE)


def test_other_titles_do_not_know_it() -> None:
    with pytest.raises(ParseError, match="There is no train ferry"):
        parse_action(TITLE, "VR buy ferry 2")


WITH_CLAUSES = [
    ("1848", "@1 sell 2 VR doubles 0"),
    ("1848", "VR lay 57 H11 1 with P2"),
    ("1848", "VR token H11.1 with P2"),
    ("1820", "@1 fund 20 to 40"),
    ("1820", "LSR increase 10 at 71 to @1:2 @2:1"),
    ("1820", "LSR decrease 5 from @2:1 loans 2 into LUR"),
    ("1820", "LSR acquire shares 1"),
    ("1820", "@1 float LSR 5 at 71 on G7=150/0 M15.2 to @1:2"),
]


@pytest.mark.parametrize(("name", "text"), WITH_CLAUSES)
def test_moves_of_one_title_are_read_back_as_they_are_written(name: str, text: str) -> None:
    assert format_action(parse_action(TITLES[name], text)) == text


def test_an_action_is_written_by_its_fields_alone() -> None:
    class Escort(Action, frozen=True, tag="escort"):
        company: CompanyId
        kinds: tuple[Annotated[str, "train"], ...]
        using: Annotated[PrivateId | None, "helper"] = None

    verb = verb_of(Escort)
    action = Escort(ANN, CompanyId(Owner(VR)), ("2", "3+"), as_private("P2"))
    assert verb.write(action) == "escort VR 2 3+ using P2"
    assert verb.read(TITLE, ["escort", "using", "P2", "VR", "2", "3+"]).action(ANN) == action
    assert example_of(TITLE, verb) == "escort VR 2"


def test_a_field_that_players_have_no_words_for_is_a_mistake_of_the_programmer() -> None:
    class Nameless(Action, frozen=True, tag="nameless"):
        weight: float

    with pytest.raises(TypeError, match="Nameless: players have no words for the field weight"):
        verb_of(Nameless)
