"""By which version of the rules a file's game is read: the one that it names, or the oldest by which it goes as it tells."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.games.game_record import GameRecordFile, build_game_record
from bot.formats.peer18xx.file_format import Log
from bot.service.imports.file_io import encode_game_file, write_18xx
from bot.service.imports.formats import import_file, parse_game, replay_of, rules_of
from bot.titles.registry import OLDER_VERSIONS, TITLES
from bot.untrusted_input import InvalidFile

FIRST, NEWEST = OLDER_VERSIONS["18GB", 1], TITLES["18GB"]


@pytest.fixture(scope="module")
def sold() -> dict[str, Any]:
    """A game of 18GB by version 1 of the rules, with a sale in the first stock round, which version 2 forbids."""
    table = RandomGame(FIRST, 2, 0, {}, is_audited=False)
    next(game for game in table.moves() if " sell " in table.texts[-1])
    game = table.game
    assert (game.state.round.kind, game.state.round.number) == ("stock", 1)
    found: dict[str, Any] = json.loads(encode_game_file(build_game_record(game, table.texts)))
    return found


def as_file(data: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """The file with something else in it; None takes away."""
    return {key: value for key, value in {**data, **changed}.items() if value is not None}


def version(data: dict[str, Any]) -> int:
    """By which it is read."""
    return rules_of(parse_game(data, "game.json")).version


def test_a_file_names_the_version_and_is_brought_here_by_it(sold: dict[str, Any]) -> None:
    assert sold["rules"] == 1
    assert json.loads(encode_game_file(import_file(json.dumps(sold).encode(), "game.json").course)) == sold
    with pytest.raises(InvalidFile, match="first stock round"):
        import_file(json.dumps(as_file(sold, rules=2)).encode(), "game.json")


def test_a_version_that_this_release_lacks_is_refused(sold: dict[str, Any]) -> None:
    with pytest.raises(InvalidFile, match=r"it uses version 9 of the 18GB rules, which this release"):
        version(as_file(sold, rules=9))


def test_a_file_of_0_1_0_is_read_by_version_1(sold: dict[str, Any]) -> None:
    assert version(as_file(sold, rules=None)) == 1
    assert import_file(json.dumps(as_file(sold, rules=None)).encode(), "game.json").course.rules == 1


def test_a_file_without_a_version_that_goes_by_version_2_alone_is_read_by_it(sold: dict[str, Any]) -> None:
    options = sold["options"] | {"first_sales": "allowed"}
    assert version(as_file(sold, rules=None, options=options)) == 2


def test_what_a_file_without_a_version_tells_of_its_end_decides_too(sold: dict[str, Any]) -> None:
    wrong = {name: total + 1 for name, total in sold["result"].items()}
    assert version(as_file(sold, rules=None, result=wrong)) == 2


def test_a_game_exported_for_18xx_games_is_read_back_by_its_version(sold: dict[str, Any]) -> None:
    log = json.loads(write_18xx(msgspec.convert(sold, GameRecordFile)).content)
    assert log["settings"]["signalbox_rules"] == 1
    assert version(log) == 1
    del log["settings"]["signalbox_rules"]
    assert version(log) == 1, "the only one by which it goes"
    game = parse_game(log, "game.json")
    assert isinstance(game, Log)
    assert replay_of(game).run().title is FIRST
    log["settings"]["signalbox_rules"] = "1"
    with pytest.raises(InvalidFile, match="is no number"):
        parse_game(log, "game.json")


def test_a_game_begun_elsewhere_is_read_by_the_newest_rules(sold: dict[str, Any]) -> None:
    log = json.loads(write_18xx(msgspec.convert(sold, GameRecordFile)).content)
    del log["settings"]["signalbox_options"]
    assert version(log) == NEWEST.version


def test_titles_of_one_version_are_never_tried(sold: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.imports.formats.versions_of", lambda title: (NEWEST,))
    monkeypatch.setattr("bot.service.imports.formats.follow", None)
    assert rules_of(GameRecordFile("18GB", ("A", "B"), ("nonsense",))) is NEWEST
