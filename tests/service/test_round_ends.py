"""What ends a turn, a round or the game says so before it is done; what cannot be had yet says when it comes."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import PlayerId, as_company
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.state.actions import Action, Pass
from bot.i18n import use_language
from bot.service.parser.preview import foretold
from bot.service.views.position_text import thing_text
from bot.titles.registry import TITLES
from tests.golden.playthrough import beginning_of, path_of
from tests.service.test_components_info import ANN, auctioned, new, play

CID = PlayerId("@3")


def before_the_end(title: str) -> tuple[Game, Action]:
    """The last position of a title's kept play-through, and the move by which it ended."""
    found = TITLES[title]
    beginning = beginning_of(path_of(found).read_text(encoding="utf-8"))
    game = RandomGame(found, beginning.players, beginning.seed, is_audited=False).game
    *moves, last = [parse_action(found, text) for text in beginning.moves]
    for action in moves:
        game.apply(action)
    return game, last


@pytest.mark.parametrize(
    ("title", "end"),
    [
        ("1820", "The game is over: no player controls a company. Player 1 £427, Player 2 £291."),
        (
            "18GB",
            "The game is over: all trains have been sold or removed. Player 2 £532, Player 1 £354, Player 3 £108.",
        ),
    ],
)
def test_a_move_that_ends_the_game_after_its_turn_says_so(title: str, end: str) -> None:
    game, last = before_the_end(title)
    before = game.encode()
    assert foretold(game, last).endswith(end)
    assert game.encode() == before


def test_the_last_pass_says_which_rounds_begin() -> None:
    game = play(auctioned(), "par VR 90; pass")
    assert foretold(game, Pass(CID)) == ""
    play(game, "pass; buy VR; pass; pass")
    assert foretold(game, Pass(ANN)) == "Operating round 1.1 begins. Stock round 2 begins."
    with use_language("de"):
        assert foretold(game, Pass(ANN)) == "Betriebsrunde 1.1 beginnt. Aktienrunde 2 beginnt."


def test_a_company_that_nobody_can_start_yet_says_when_it_begins() -> None:
    told = thing_text(new("18GB"), "LYR")
    assert "LYR: not started (from the second stock round on);" in told
    game = new("18GB")
    game.state.round.number = 2
    assert "LYR: not started; cash" in thing_text(game, "LYR")
    for title, sign, when in (
        ("18BF", "CR", "in a merger from phase 3 on, by its director's share from phase 4 on"),
        ("18BF", "LMS", "from phase 6 on"),
        ("18BF", "BE", "from phase 3 on"),
        ("1844", "SBB", "with the first 5/5H train"),
        ("1820", "BR", "when Queen Victoria dies"),
    ):
        assert f"{sign}: not started ({when});" in thing_text(new(title), sign)


def test_whose_private_keeps_a_company_stands_beside_it() -> None:
    game = new("18GB")
    game.private(next(sign for sign in game.state.privates if sign == "LB")).owner = ANN
    assert "not started (only by Ann, who owns LB);" in thing_text(game, "LNWR")
    game.company(as_company("LNWR")).par = 70
    assert "not started (" not in thing_text(game, "LNWR")


def test_1844_says_how_mountain_railways_and_tunnels_are_had_before_they_can_be() -> None:
    game = new("1844")
    assert "It is sold later, in share rounds; face value sfr 150." in thing_text(game, "B1")
    assert "place it on a free mountain immediately (1844 §VI)." in thing_text(game, "B1")
    assert "companies its owner directs build the tunnel (1844 §VII)." in thing_text(game, "T1")
    assert "comes with P6" in thing_text(game, "FNM") and "comes with P6" not in thing_text(game, "RhB")
