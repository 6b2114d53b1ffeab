"""Other languages: the catalogue is whole, and what players read in games of every title is in German."""

from __future__ import annotations

import re

import pytest

from bot.engine.games.selfplay import RandomGame
from bot.engine.play.game import Game
from bot.engine.refusals import NotAllowed, Refusal
from bot.engine.titles.registry import TITLES
from bot.engine.words.narration import narrate, question
from bot.engine.words.text import action_of
from bot.language import LANGUAGES, language_of, po, refused, say, speaking
from bot.language.catalogue import FOLDER, GAP, Catalogue, Message
from bot.language.extract import brought_up_to_date, messages
from bot.tables.reading.help import help_text
from bot.tables.texts.panel import player_text, status_text, trains_text
from bot.tables.texts.turn import turn_text

OTHERS = [language for language in LANGUAGES if language != "en"]
MOVES = 90
UNREAD = 0.02
"""The share of what players read that may be put together in a way that the catalogue does not see through."""

ENGLISH = re.compile(
    r"\b(the|is|are|has|have|with|from|and|or|of|to|not|you|your|its|it|must|may|cannot|buy|buys|sells|pays|train|trains"
    r"|share|shares|company|companies|begins|pass|asked)\b"
)


def entries(language: str) -> list[po.Entry]:
    """The catalogue of a language as it is written."""
    return list(po.read((FOLDER / f"{language}.po").read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_a_translation_with_the_same_gaps(language: str) -> None:
    lacking = [entry.message for entry in entries(language) if entry.message and not entry.translation]
    assert lacking == []
    differ = [
        (entry.message, entry.translation)
        for entry in entries(language)
        if set(GAP.findall(entry.message)) != set(GAP.findall(entry.translation))
    ]
    assert [pair for pair in differ if pair[0]] == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogue_holds_what_the_program_says(language: str) -> None:
    known = {entry.message for entry in entries(language)}
    lacking = [message for message in messages() if message not in known]
    assert lacking == [], "run `make words` and translate"


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_stands_twice(language: str) -> None:
    found = [entry.message for entry in entries(language)]
    assert len(found) == len(set(found))


def test_a_catalogue_is_written_as_it_was_read() -> None:
    made = [po.Entry("", "Language: xx\n"), po.Entry('a "b" {c}', "zwei\nZeilen {c}", ("#: here",))]
    assert list(po.read(po.written(made))) == made
    with pytest.raises(ValueError, match="line 1"):
        list(po.read("msgid nothing quoted"))


def test_gaps_are_filled_and_named_things_stay() -> None:
    with speaking("de"):
        assert say("Ann buys 10% of VR from the pool for £90.") == "Ann kauft 10% VR (von: der Pool) für £90."
        assert say("Ann (VR): lay track, take a loan or pass.") == (
            "Ann (VR): Gleis legen, einen Kredit aufnehmen oder passen."
        )
        assert say("In: Ann, Bob") == "Dabei: Ann, Bob" and say("Ann, Bob") == "Ann, Bob"
        assert say("- Phase 3 begins.\n    lay 57 H11 2") == "- Phase 3 beginnt.\n    lay 57 H11 2"
        assert say("<@17> **Ann asks to end the game now.** Waiting for Bob.") == (
            "<@17> **Ann bittet, das Spiel jetzt zu beenden.** Warten auf Bob."
        )
        assert say("Ann proposes: float LSR 5 at 71 on F6=57/0 to Bob:2. Asked: Bob.") == (
            "Ann schlägt vor: float LSR 5 at 71 on F6=57/0 to Bob:2. Gefragt: Bob."
        )
        assert say("Ann: agree with Bob to: ask Cid for LSR? Agree or refuse.").endswith(
            "ask Cid for LSR? Annehmen oder ablehnen."
        )
        assert say("Whatever this is, nobody wrote it.") == "Whatever this is, nobody wrote it."
    assert say("Phase 3 begins.") == "Phase 3 begins."


def test_a_refusal_keeps_its_section() -> None:
    with speaking("de"):
        assert say("No shares are sold in the first stock round. (1848 §6.5)") == (
            "In der ersten Aktienrunde werden keine Aktien verkauft. (1848 §6.5)"
        )


def test_a_refusal_is_told_by_its_template() -> None:
    refusal = NotAllowed("{company} is at its limit of {limit} train(s).", "1848 §8.1", "VR", 4)
    assert str(refusal) == refused(refusal) == "VR is at its limit of 4 train(s). (1848 §8.1)"
    assert refused(NotAllowed("{reason}", "", refusal.said)) == "VR is at its limit of 4 train(s)."
    with speaking("de"):
        assert refused(refusal) == "VR hat die Zuggrenze von 4 Zug/Zügen erreicht. (1848 §8.1)"
        assert refused(NotAllowed("Nobody wrote {this} (or {that}).", "", "x", 3)) == "Nobody wrote x (or 3)."


def test_languages_are_known_by_their_codes() -> None:
    assert [language_of(code) for code in ("de", "de-AT", "en-US", "sv-SE", "")] == ["de", "de", "en", "en", "en"]


def test_what_people_type_cannot_make_it_slow() -> None:
    message = Message("{a} and {b} or {c} to {d}.", "{a} {b} {c} {d}")
    assert message.gaps_in("and or to " * 500) is None
    for text in (" and ".join(["x or y: z; Q. A"] * 100), "buys for from " * 140, "a to b of " * 150):
        assert Catalogue.of("de").say(text[:2000]).count("x or y") <= 100


@pytest.fixture(scope="module", params=list(TITLES))
def said(request: pytest.FixtureRequest) -> list[str]:
    """What players of one title read at the beginning of a game of chance: each text once."""
    title = TITLES[request.param]
    texts: list[str] = []
    chance = RandomGame(title, title.players.start, 5)
    for number, game in zip(range(MOVES), chance.moves(), strict=False):
        texts.append(question(game))
        if number % 6 == 0:
            texts += read_by_players(game)
    return list(dict.fromkeys(line for text in texts for line in text.split("\n")))


def read_by_players(game: Game) -> list[str]:
    """The panel, help, buttons and some refusals of a position."""
    player = game.asked()[0]
    texts = [status_text(game), trains_text(game), turn_text(game, player), help_text(game)]
    texts.append(player_text(game, game.state.name(player)))
    for move in ("@1 sell 1 VR", "@1 buy 1 P9", f"{player} pass", f"{player} buy 2 SAR"):
        try:
            narrate(game.copy(), game.copy().apply(action_of(game.title, move)))
        except Refusal as refusal:
            texts.append(str(refusal))
    return texts


def test_players_read_german(said: list[str]) -> None:
    names = [noun.name for title in TITLES.values() for noun in (*title.companies.values(), *title.privates.values())]
    same = [*map(re.escape, sorted(names, key=len, reverse=True)), r"\S+ buy \S+ from \S+ for \d+", r"float [^?]*"]
    named = re.compile("|".join(same))
    with speaking("de"):
        german = {text: say(text) for text in said if not text.startswith("    ")}
    left = {text: told for text, told in german.items() if ENGLISH.search(named.sub("", told))}
    assert len(left) <= len(german) * UNREAD, left


def test_a_translation_stays_when_a_gap_is_called_otherwise() -> None:
    entries = [po.Entry("{by} buys {what} for {money}.", "Für {money} kauft {by}: {what}.", ("#: here",))]
    found = list(brought_up_to_date(entries, {"{player} buys {share} for {price}.": "there"}))
    assert found == [
        po.Entry("{player} buys {share} for {price}.", "Für {price} kauft {player}: {share}.", ("#: there",))
    ]
