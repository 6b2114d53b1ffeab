"""Facts of a box that are missing or misspelt are refused in a sentence when the title is loaded, never in play."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import main
from bot.cli.title_check import find_box
from bot.engine.board import BoardRules, Layout, parse_map, parse_tiles
from bot.engine.play import FaultyTitle, Game, list_box_faults, require_sound
from bot.engine.play.holdings import parse_market
from bot.titles.classic import build_title
from bot.titles.lint import lint_title
from bot.titles.registry import TITLES, read_record, title_folders

FAMILY = ["1889", "1830", "18Chesapeake"]

OF_A_KIND = 2
"""Records of a kind in each title that are damaged."""


def load(values: Any) -> None:
    """:raises FaultyTitle: the values are refused."""
    require_sound(values.id, list_box_faults(build_title(values)))


# -- each field of each record ------------------------------------------------------------------------------


def damages(value: object) -> Iterator[tuple[str, object]]:
    """Ways in which somebody may get a fact wrong, each with its name."""
    if isinstance(value, str):
        yield from (("misspelt", f"{value}q"), ("empty", "")) if value else ()
    elif isinstance(value, int) and not isinstance(value, bool):
        yield "negative", -1
    elif isinstance(value, tuple) and value:
        yield "empty", ()
    if value is not None:
        yield "none", None


@cache
def records(title: str) -> list[tuple[str, Any, Callable[[Any], Any]]]:
    """The parts of a title's box and values: their kinds, and how the values are with another instead."""
    values = TITLES[title].family
    found: list[tuple[str, Any, Callable[[Any], Any]]] = [("Classic", values, lambda other: other)]
    for name in ("companies", "privates", "trains"):
        for key, noun in getattr(values, name).items():
            found.append((type(noun).__name__, noun, _in_table(values, name, key)))
    for sign, powers in values.powers.items():
        found += [(type(power).__name__, power, _in_powers(values, sign, n)) for n, power in enumerate(powers)]
    for name in ("phases", "options", "lays"):
        parts = getattr(values, name)
        found += [(type(part).__name__, part, _in_tuple(values, name, n)) for n, part in enumerate(parts)]
    return found


def _in_table(values: Any, name: str, key: str) -> Callable[[Any], Any]:
    """A noun is filed under its own sign, as the box files it."""

    def put(other: Any) -> Any:
        table = getattr(values, name)
        own = "name" if name == "trains" else "id"
        entries = [(getattr(other, own), other) if sign == key else (sign, noun) for sign, noun in table.items()]
        return replace(values, **{name: dict(entries)})

    return put


def _in_powers(values: Any, sign: str, number: int) -> Callable[[Any], Any]:
    def put(other: Any) -> Any:
        powers = [*values.powers[sign]]
        powers[number] = other
        return replace(values, powers={**values.powers, sign: tuple(powers)})

    return put


def _in_tuple(values: Any, name: str, number: int) -> Callable[[Any], Any]:
    def put(other: Any) -> Any:
        parts = [*getattr(values, name)]
        parts[number] = other
        return replace(values, **{name: tuple(parts)})

    return put


TEXTS = {
    "Classic.currency",
    "CompanySpec.kind",
    "CompanySpec.name",
    "LayPair.plan",
    "Option.explanation",
    "Option.name",
    "Phase.name",
    "Presidency.decision",
    "PrivateSpec.name",
    "PrivateSpec.power",
    "PrivateSpec.section",
}
"""Fields whose text the title itself makes up: nothing else can say that it is misspelt."""

MAY_LACK = {
    "Classic.after_set none",
    "Classic.currency empty",
    "Classic.options empty",
    "Classic.several empty",
    "Classic.trades_from none",
    "Classic.uncounted empty",
    "Classic.unlimited empty",
    "CompanySpec.kind empty",
    "CompanySpec.otherwise empty",
    "Lay.token none",
    "Presidency.company empty",
    "PrivateSpec.power empty",
    "PrivateSpec.price_range none",
    "PrivateSpec.section empty",
    "TrainKind.rusts_on none",
}
"""Facts that a title has or has not."""

ELSEWHERE = {"Classic.id empty", "Classic.id misspelt"}
"""The registry compares the number with the record's: see below."""


def test_every_field_that_is_missing_or_misspelt_is_refused_but_free_text() -> None:
    accepted: dict[str, None] = {}
    for title in FAMILY:
        seen: Counter[str] = Counter()
        for kind, record, put in records(title):
            seen[kind] += 1
            for field in fields(record) if seen[kind] <= OF_A_KIND else ():
                for how, damage in damages(getattr(record, field.name)):
                    try:
                        load(put(replace(record, **{field.name: damage})))
                    except FaultyTitle as error:
                        assert all(fault.endswith(".") for fault in error.faults), error
                    else:
                        accepted[f"{kind}.{field.name} {how}"] = None
    assert {*accepted} == {f"{field} misspelt" for field in TEXTS} | MAY_LACK | ELSEWHERE


def faults_of(**values: Any) -> str:
    with pytest.raises(FaultyTitle) as caught:
        load(replace(TITLES["1889"].family, **values))
    return " ".join(caught.value.faults)


BOX = TITLES["1889"].family


def company(name: str, **changes: Any) -> Mapping[str, Any]:
    return {**BOX.companies, name: replace(BOX.companies[name], **changes)}


def tile_sheet(text: str) -> BoardRules:
    return BoardRules(BOX.land.map, {**BOX.land.tiles, **parse_tiles(text)})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"companies": company("KO", home=("",))}, "KO has no home: its field `home` is empty"),
        ({"companies": company("KO", home=())}, "KO has no home: its field `home` is empty"),
        ({"companies": company("KO", home=("J5",))}, "J5, the home of KO, has no city."),
        ({"companies": company("KO", home=("I4",))}, "the map does not say so: `home:KO`"),
        ({"companies": company("KO", tokens=(0, "40"))}, "The CompanySpec KO: its field tokens is (0, '40'), no "),
        ({"cash": {2: 420}}, "`cash` says nothing for 3 players."),
        ({"bank": 10}, "`bank` has 10, and the players begin with 2340"),
        ({"sold_in": ("3", "V")}, "`sold_in` names the phase 'V', which never comes."),
        ({"new_trains": {"9": 1}}, "`new_trains` names the phase '9'"),
        ({"runs": {"9": None}}, "its field runs is"),
        ({"trains": {"2+": replace(BOX.trains["2"], name="2+")}}, "Nothing says how a 2+ runs: add it to `runs`."),
        ({"ends_at": "e"}, "`ends_at` names the zone e, which no cell of the market has."),
        ({"market": parse_market("75 80 90", {})}, "No cell of the market is a first price"),
        ({"goal_money": 50}, "no hex of the map is a destination"),
        ({"powers": {"ZZ": ()}}, "`powers` names ZZ, which is no private."),
        ({"floats_at": 5}, "`floats_at` is 5: a percentage"),
        ({"lays": ()}, "`lays` is empty"),
        ({"look": None}, "title.py: its field look is None, no BoardStyle."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_value_that_leads_nowhere_is_named(changes: Mapping[str, Any], told: str) -> None:
    assert told in faults_of(**changes)


def test_parts_of_the_board_that_nobody_can_use_stop_no_game_and_are_told_by_the_check() -> None:
    far = parse_map("Z90 white", BOX.land.map.layout).hexes
    sheet = tile_sheet("998 mauve x1 | 0-1\n999 green x1 'Q' | 0-1")
    board = replace(BOX.land.map, hexes={**BOX.land.map.hexes, **far})
    title = build_title(replace(BOX, land=BoardRules(board, sheet.tiles)))
    assert [*list_box_faults(title)] == []
    told = lint_title(title)
    assert "Tile 998 is mauve, a colour that no phase allows." in told
    assert "Tile 999 has the label Q, and no hex." in told
    assert "Z90 is beside no other hex." in told


def test_cards_of_no_train_are_refused_before_the_first_move() -> None:
    title = build_title(replace(BOX, cards=lambda game: {"2": 6, "3q": 5}))
    with pytest.raises(FaultyTitle) as caught:
        Game.new(title, ["A", "B", "C"], {}, 1)
    assert "`cards` counts no 3-trains." in caught.value.faults
    assert "`cards` counts '3q', which is no family of trains." in caught.value.faults


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (lambda: parse_map("A2 white\nA4 grey | 0-9", Layout(True, False)), "in the line: A4 grey | 0-9"),
        (lambda: parse_map("A2 white\nA2 white", Layout(True, False)), "the space A2 is there twice"),
        (lambda: parse_tiles("Mine yellow x1 | 0-3\nOther green | 0-7"), "in: Other green | 0-7"),
        (lambda: parse_tiles("Mine yellow x1 | 0-3\nOther green x | 0-2"), "in: Other green x | 0-2"),
        (lambda: parse_tiles("Mine yellow x1 | 0-3\nOther green x1 | 0-7"), "not 7, in the line: Other green x1 | 0-7"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(read: Callable[[], object], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        read()


# -- where it is told ---------------------------------------------------------------------------------------


def test_title_check_says_the_faults_and_looks_at_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = [f"{sign} has no home." for sign in ("SC", "QLL")]

    def refuse(title: str) -> None:
        raise FaultyTitle(title, faults)

    monkeypatch.setattr("bot.cli.title_check.versions_of", refuse)
    assert main(["title", "check", "1889", "--games", "0"]) == 1
    first, todo, *others = capsys.readouterr().out.splitlines()
    assert (
        first == "next box        SC has no home. QLL has no home." and todo.strip().startswith("mend") and not others
    )


def test_the_check_of_a_title_does_not_stop_at_another_that_is_faulty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good = {name: title for name, title in TITLES.items() if name != "1830"}
    monkeypatch.setattr("bot.titles.registry.TITLES._found", good)
    monkeypatch.setattr("bot.titles.registry.list_box_faults", lambda title: ["PRR has no home."])
    assert find_box(title_folders()["1889"]).found == "its own"


def test_a_command_that_needs_a_faulty_title_says_why_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.titles.registry.list_box_faults", lambda title: ["KO has no home."])
    monkeypatch.setattr("bot.titles.registry.TITLES._found", {})
    assert main(["selfplay", "1889", "--players", "2", "--seed", "1"]) == 1
    assert capsys.readouterr().err.strip().endswith("1889: KO has no home.")


def test_a_record_that_cannot_be_read_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "title.toml").write_text('id = "1889"\nnaem = "1889"\n', encoding="utf-8")
    with pytest.raises(FaultyTitle, match=r"title\.toml: Object contains unknown field `naem`"):
        read_record(tmp_path / "title.toml")
