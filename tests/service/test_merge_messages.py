"""What follows from a move for several companies or privates alike is told in one sentence."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import BUILDER, RECKLESS, RandomGame
from bot.engine.message import GAP, Message, msg
from bot.engine.notation.messages import sentence
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.engine.state.actions import Answer, BuyTrain, DeclareBankruptcy
from bot.i18n import tr, tr_lines, use_language
from bot.i18n.po import catalogue
from bot.service.parser.merge_messages import EVERY, SEVERAL, merge_alike
from bot.service.parser.preview import foretold
from bot.service.parser.suggestions import legal_texts
from bot.titles.registry import TITLES
from bot.titles.t18bf.events import SharesTraded


def told(*sentences: Message, title: str = "1830") -> list[str]:
    return tr_lines(merge_alike(sentences, TITLES[title].words.several), {})


def closes(private: str) -> Message:
    return msg("{private} {name} closes.", private, "Name")


def test_privates_that_close_together_are_named_in_one_sentence() -> None:
    phase = msg("Phase {phase} begins.", "5")
    assert told(phase, closes("P1"), closes("P2"), phase, closes("P5")) == ["Phase 5 begins.", "P1, P2 and P5 close."]
    assert told(closes("P1")) == ["P1 Name closes."]
    with use_language("de"):
        assert told(closes("P1"), closes("P2")) == ["P1 und P2 schließen."]


def test_only_what_happens_alike_is_one_sentence() -> None:
    president = "{who} is now {role} of {company}."
    assert told(msg(president, "A", "director", "LSR"), msg(president, "B", "director", "LUR")) == [
        "A is now director of LSR.",
        "B is now director of LUR.",
    ]
    assert told(msg(president, "A", "director", "LSR"), msg(president, "A", "director", "LUR")) == [
        "A is now director of LSR and LUR."
    ]


def test_companies_that_were_never_launched_leave_18gb_in_one_sentence() -> None:
    template = "{company} never floated and leaves the game with {train}; its home token remains."
    assert told(msg(template, "CR", "a 6X train"), msg(template, "LYR", "a 6X train"), title="18GB") == [
        "CR and LYR never floated and leave the game with a train each; their home tokens remain."
    ]


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_every_sentence_about_several_has_one_about_one(title: Title) -> None:
    known = catalogue("de")
    for one, several in {**SEVERAL, **title.words.several}.items():
        assert one in known
        gaps, many = GAP.findall(one), GAP.findall(several)
        assert any(gap.startswith(EVERY) for gap in many)
        assert {gap.removeprefix(EVERY) for gap in many} <= {*gaps}
        german = GAP.findall(known[several])
        assert sorted(german) == sorted(many)


def test_the_pool_is_named_as_it_should_be() -> None:
    game = Game.new(TITLES["18BF"], ["A", "B", "C"], {}, 1)
    event = SharesTraded("pool", "LNE", 0, 200)  # type: ignore[arg-type]
    sold = sentence(game, event)
    assert sold is not None
    assert tr_lines([sold], {}) == ["The pool of shares is paid £200 and gets no further share of LNE."]
    with use_language("de"):
        assert tr_lines([sold], {}) == ["Der Aktienpool erhält £200 und bekommt keine weitere Aktie von LNE."]
        losers = msg("All {kinds} trains rust; {losers} loses trains.", "3H", msg("the pool"))
        assert tr(losers) == "Alle 3H-Züge verrosten, und zwar bei dem Pool."


def offered() -> tuple[Game, BuyTrain]:
    """An offer for another director's train, whose acceptance ends the operating round."""
    for game in RandomGame(TITLES["1830"], 3, 1, wanted=BUILDER, is_audited=False).moves():
        for action in game.legal_actions():
            if isinstance(action, BuyTrain) and "With the consent of" in foretold(game, action):
                return game, action
    raise AssertionError("no offer")


def test_what_others_agree_to_is_told_with_the_purchase_itself() -> None:
    game, action = offered()
    lines = foretold(game, action)
    assert f"{action.by} buys a {action.kind} train from {action.source} for ${action.price}." in lines
    trial = game.copy()
    trial.apply(action)
    assert foretold(trial, Answer(trial.players_to_act()[0], True)) == lines.partition(": ")[2]


def test_only_what_a_company_had_at_its_end_is_its_last_money() -> None:
    """A minor of 18BF borrows for track, pays for it, falls and closes: three payments to the bank, one of them its last."""
    moves = RandomGame(TITLES["18BF"], 5, 5, wanted=RECKLESS, is_audited=False).moves()
    game = next(game for game in moves if game.state.moves == 279)
    lines = foretold(game, parse_action(game.title, "BE lay 9 U15 1"))
    assert (
        "BE closes without compensation. BE's last £26 go to the bank." in lines and lines.count("go to the bank") == 1
    )


def test_why_the_game_ends_is_said_once_and_nothing_of_what_is_paid_after_it() -> None:
    moves = RandomGame(TITLES["1830"], 3, 0, is_audited=False).moves()
    game = next(game for game in moves if DeclareBankruptcy in game.open_verbs())
    action = next(action for action in game.legal_actions() if isinstance(action, DeclareBankruptcy))
    lines = foretold(game, action)
    assert lines.count("is bankrupt") == 1 and "The game is over: Player 1 is bankrupt." in lines
    assert not lines.endswith(" pays $71.")


def test_the_only_one_who_is_asked_needs_no_name_beside_him_who_may_take_his_offer_back() -> None:
    game, action = offered()
    trial = game.copy()
    trial.apply(action)
    assert legal_texts(trial)[:3] == ["agree", "refuse", f"{game.state.name(game.players_to_act()[0])} withdraw"]
