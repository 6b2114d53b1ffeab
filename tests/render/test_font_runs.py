"""Pictures are lettered in the language of whoever looks at them, and their alt text can be read in it too."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import TileId
from bot.engine.play.game import Game
from bot.engine.state.board import PlacedTile
from bot.i18n import use_language
from bot.render.catalogue import scene_of
from bot.render.scenes.tables import market_alt, player_text
from bot.render.shapes.alt_text import LONGEST, map_alt, truncate_alt_text
from bot.render.shapes.scene import Scene
from bot.render.worker import paint_sync
from bot.titles.registry import TITLES
from tests.families import few

MOVES = 90
KINDS = ("map", "market", "company", "player", "tiles")
NAMES = {"name", "inset", "initials", "home name", "goal name", "mark name", "label"}
"""Roles of what is printed on a board and stays as it is in every language."""

ENGLISH = re.compile(
    r"\b(the|is|are|has|with|from|and|or|of|to|not|at|par|round|phase|train|trains|share|shares|company|none|nobody|left"
    r"|Cash|Price|Player|Net worth|Trains|Tokens|Loans|Company|Treasury|Certificates|Yellow|Green|Brown|bank|bid|lay|buy)\b"
)


@pytest.fixture(scope="module", params=list(TITLES))
def game(request: pytest.FixtureRequest) -> Game:
    """The beginning of a game of one title."""
    title = TITLES[request.param]
    chance = RandomGame(title, title.players.start, 5)
    for player, name in zip(chance.game.state.players, ("Ann", "Bob", "Cid", "Dora"), strict=False):
        player.name = name
    for _ in islice(chance.moves(), MOVES):
        pass
    return chance.game


def pictures(game: Game) -> dict[str, Scene]:
    """One of every kind, in the language that is spoken."""
    subjects = {"company": next(iter(game.state.companies)), "player": "Ann"}
    return {kind: scene_of(game, kind, (), subjects.get(kind, "")) for kind in KINDS}


def proper_names(game: Game) -> re.Pattern[str]:
    """What companies, privates, cousins and title are called, and moves in a sentence."""
    title = game.title
    names = [noun.name for noun in (*title.companies.values(), *title.privates.values())]
    moves = r"(buy|float|ask) [^.?]*"
    return re.compile("|".join([*map(re.escape, sorted(names, key=len, reverse=True)), re.escape(title.name), moves]))


def test_a_german_table_sees_german_pictures(game: Game) -> None:
    with use_language("de"):
        german = pictures(game)
    named = proper_names(game)
    for kind, scene in german.items():
        shapes = [*scene.base, *(shape for placed in scene.placed for shape in placed.sprite.shapes), *scene.over]
        texts = [shape.text for shape in shapes if hasattr(shape, "text") and shape.role not in NAMES]
        assert [text for text in texts if ENGLISH.search(named.sub("", text))] == [], kind
    heads = set(german["market"].texts("table"))
    assert {"Spieler", "Geld", "Vermögen", "Gesellschaft", "Kurs", "Züge"} <= heads and heads & {
        "Direktor",
        "Präsident",
    }
    assert "Geld" in german["player"].texts("label") and "Gelb" in german["tiles"].texts("colour")


def test_alt_texts_are_german_line_by_line(game: Game) -> None:
    named = proper_names(game)
    with use_language("de"):
        german = pictures(game)
    for kind, scene in german.items():
        assert [line for line in scene.alt.split("\n") if ENGLISH.search(named.sub("", line))] == [], kind


def test_english_pictures_stay_english(game: Game) -> None:
    with use_language("de"):
        pictures(game)
    assert {"Player", "Cash", "Certs", "Net", "worth", "Company", "Price", "Trains"} <= set(
        pictures(game)["market"].texts("table")
    )


def test_what_is_remembered_of_one_language_is_not_shown_in_another() -> None:
    """The printed market holds the meaning of its zones, and is painted once."""
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"], seed=1)
    first, german, again = (paint_sync("1848", game.encode(), "market", (), "", code) for code in ("en", "de", "en"))
    assert first.png == again.png != german.png and first.alt == again.alt != german.alt
    keys = set()
    for code in ("en", "de"):
        with use_language(code):
            scene = scene_of(game, "market")
        keys |= {placed.sprite.key for placed in scene.placed if ":grid:" in placed.sprite.key}
    assert len(keys) == 2


def test_alt_texts_are_cut_between_lines_and_long_lists_between_their_items() -> None:
    lines = ["one line, and more"] * 200
    assert len(truncate_alt_text(lines)) <= LONGEST and set(truncate_alt_text(lines).split("\n")) == {
        "one line, and more",
        "…",
    }
    long = truncate_alt_text(["first", "many words, " * 200])
    assert len(long) <= LONGEST and long.startswith("first\nmany words, ") and long.endswith(" words, …")
    assert truncate_alt_text(["one", "two"]) == "one\ntwo"


@pytest.mark.parametrize("title", few(TITLES, 1, 5))
def test_the_longest_alt_texts_are_of_whole_sentences_what_matters_first(title: str) -> None:
    """As many players as there can be, with long names, every company under way and tiles everywhere."""
    players = max(TITLES[title].players)
    played = RandomGame(TITLES[title], players, 3, is_audited=False)
    game = next(game for number, game in enumerate(played.moves()) if number == 300 or game.state.finished)
    for player in game.state.players:
        player.name = f"Bartholomew {player.id}"
    for hex_id in game.board_rules.map.hexes:
        if game.tile_at(hex_id).colour == "white":
            game.state.board.tiles.setdefault(hex_id, PlacedTile(TileId("57"), 1))
    for code in ("en", "de"):
        with use_language(code):
            market, board = market_alt(game), map_alt(game, ())
            every = [player_text(game, player) for player in game.state.order]
        lines = market.split("\n")
        assert len(market) <= LONGEST and set(every) <= set(lines)
        assert all(line.endswith(".") for line in lines[3 : 3 + len(every)])
        assert len(board) <= LONGEST and board.endswith((".", ", …"))
        assert re.fullmatch(r"\S+ \S+/\d", re.split(r", |: ", re.sub(r"(, …|\.)$", "", board))[-1])
