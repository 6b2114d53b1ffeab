"""Titles that are checked without being played: each kind of planted mistake is found, and the real ones have none."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bot.engine.ids import HexId, TileId, as_company, as_private
from bot.engine.play.board_style import TokenStyle
from bot.engine.play.holdings.market import MarketSpec
from bot.engine.play.steps.privates import BuyPrivateFromPlayer
from bot.engine.play.title import Procedure, Title
from bot.engine.state.actions import Action
from bot.formats.peer18xx.registry import missing_options
from bot.titles.lint import lint_title
from bot.titles.registry import NAMES, OLDER_VERSIONS, TITLES, example_title

PROJECT = Path(__file__).resolve().parents[2]

BOX = TITLES["1848"]


@pytest.mark.parametrize(
    "title", [*TITLES.values(), *OLDER_VERSIONS.values()], ids=lambda title: f"{title.id}-{title.version}"
)
def test_nothing_is_wrong_with_a_title(title: Title) -> None:
    assert [*lint_title(title), *missing_options(title)] == []


def test_titles_stand_in_the_registry_by_their_numbers_names_and_versions() -> None:
    assert {number: (title.id, title.name) for number, title in TITLES.items()} == {
        number: (number, name) for number, name in NAMES.items()
    }
    assert {key: (title.id, title.version) for key, title in OLDER_VERSIONS.items()} == {
        key: key for key in OLDER_VERSIONS
    }
    assert {title.id: title.version for title in TITLES.values()} == {
        number: 1 + sum(number == name for name, _ in OLDER_VERSIONS) for number in TITLES
    }


def test_a_title_is_imported_when_it_is_first_asked_for() -> None:
    asks = "import sys; from bot.titles.registry import TITLES; TITLES['1848']; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True).stdout.split()
    assert "bot.titles.t1848.title" in loaded
    assert not [name for name in loaded if name.startswith("bot.titles.t") and ".t1848" not in name]


def test_no_title_is_named_outside_its_folder() -> None:
    """But the example in help; what docstrings cite is a rule of another title."""
    named = re.compile(rf"(?<![\w§.])(?:{'|'.join(map(re.escape, TITLES))})(?!\w)")
    example = example_title()
    found = []
    for path in (PROJECT / "bot").rglob("*.py"):
        if "migrations" in path.parts or (path.is_relative_to(PROJECT / "bot/titles") and path.parent.name != "titles"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        cited = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in cited:
                names = {*named.findall(node.value)} - ({example} if node.value != example else set())
                found += [f"{path.relative_to(PROJECT)}:{node.lineno}: {name}" for name in names]
    assert found == []


def test_a_title_of_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / "t18xy"
    folder.mkdir(parents=True)
    (folder / "title.toml").write_text('id = "18XY"\nname = "18XY Elsewhere"\n')
    (folder / "title.py").write_text(
        "from dataclasses import replace\nfrom bot.titles.registry import TITLES\n"
        "TITLE = replace(TITLES['1848'], id='18XY', name='18XY Elsewhere', version=1)\n"
    )
    (tmp_path / "elsewhere-1.dist-info").mkdir()
    (tmp_path / "elsewhere-1.dist-info" / "entry_points.txt").write_text("[signalbox.titles]\n18XY = elsewhere.t18xy\n")
    asks = (
        "from bot.ai.title_parameters import TRAITS; from bot.titles.registry import NAMES, TITLES;"
        " print(NAMES['18XY'], TITLES['18XY'].id, TRAITS['18XY'].most in TITLES['18XY'].trains)"
    )
    told = {**os.environ, "PYTHONPATH": f"{PROJECT}{os.pathsep}{tmp_path}"}
    shown = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True, env=told).stdout
    assert shown == "18XY Elsewhere 18XY True\n"


def company(sign: str, **changes: Any) -> Title:
    """1848 with another company of that sign."""
    key = as_company(sign)
    return replace(BOX, companies={**BOX.companies, key: replace(BOX.companies[key], **changes)})


def train(name: str, **changes: Any) -> Title:
    """1848 with other trains of that kind."""
    return replace(BOX, trains={**BOX.trains, name: replace(BOX.trains[name], **changes)})


def private(sign: str, **changes: Any) -> Title:
    """1848 with another private of that sign."""
    key = as_private(sign)
    return replace(BOX, privates={**BOX.privates, key: replace(BOX.privates[key], **changes)})


def phase(number: int, **changes: Any) -> Title:
    """1848 with another phase."""
    phases = [*BOX.phases]
    phases[number] = replace(phases[number], **changes)
    return replace(BOX, phases=tuple(phases))


def space(name: str, **changes: Any) -> Title:
    """1848 with another space on its map."""
    hexes = {**BOX.land.map.hexes, HexId(name): replace(BOX.land.map.hexes[HexId(name)], **changes)}
    return replace(BOX, land=replace(BOX.land, map=replace(BOX.land.map, hexes=hexes)))


def option(**changes: Any) -> Title:
    """1848 with another first option."""
    return replace(BOX, options=(replace(BOX.options[0], **changes), *BOX.options[1:]))


def without_plan(name: str) -> Title:
    """1848 without a plan."""
    return replace(BOX, plans={key: plan for key, plan in BOX.plans.items() if key != name})


def zone(letter: str) -> Title:
    """1848 with one more zone of its market."""
    return replace(BOX, market=MarketSpec(BOX.market.rows, {**BOX.market.zones, letter: "nowhere"}))


class Demanding:
    """A memory that cannot begin by itself."""

    def __init__(self, what: str) -> None:
        self.what = what


class Bought(Action, frozen=True, tag="bought"):
    """An action that is written like a shared one."""

    form: ClassVar[str] = "buy"


class BuyOtherwise:
    """A step that takes it."""

    name = "buy otherwise"
    verbs = (Bought,)


class Weighed(Action, frozen=True, tag="weigh"):
    weight: float


class Nothing:
    """A step that nobody can write the action of."""

    name = "do nothing"
    verbs = (Weighed,)


PLANTED: list[tuple[Callable[[], Title], str]] = [
    (lambda: replace(BOX, trains={**BOX.trains, "9": BOX.trains["2"]}), "filed under 9"),
    (
        lambda: replace(
            BOX,
            companies={
                **BOX.companies,
                as_company("P1"): replace(BOX.companies[as_company("VR")], id=as_company("P1")),
            },
        ),
        "P1 names 2 things",
    ),
    (lambda: replace(BOX, phases=(*BOX.phases, BOX.phases[-1])), "There are 2 phases"),
    (
        lambda: replace(BOX, plans={**BOX.plans, "discard": Procedure("discard", BOX.plans["discard"].steps[1:])}),
        "In the plan discard nobody is asked for trains",
    ),
    (lambda: company("VR", certificates=(20, 10)), "VR add up to 30%"),
    (lambda: company("VR", tokens=(0, -40)), "costs less than nothing"),
    (lambda: company("VR", home=(HexId("Z99"),)), "The home of VR, Z99, is on no map"),
    (lambda: company("VR", home_city=7), "has no city 7"),
    (lambda: space("H11", kept_for=("NOBODY",)), "kept for NOBODY"),
    (lambda: space("H11", plus="Z99"), "The value of Z99"),
    (lambda: replace(BOX, look=replace(BOX.look, insets=(HexId("Z99"),))), "shows Z99 again"),
    (lambda: replace(BOX, look=replace(BOX.look, faces={as_company("XX"): TokenStyle()})), "XX has a token's face"),
    (lambda: zone("q"), "in the zone q"),
    (lambda: replace(BOX, look=replace(BOX.look, zones={**BOX.look.zones, "w": "yellow"})), "w has a colour"),
    (lambda: train("2", rusts_on="9"), "rusts on 9"),
    (lambda: train("2", rusts_on=BOX.trains["2"].family), "rusts on itself"),
    (lambda: train("3", trade_in={"9": 100}), "takes 9 in"),
    (lambda: train("3", available_from="99"), "from phase 99 on"),
    (lambda: phase(2, begins_on="9"), "begins on 9"),
    (lambda: phase(2, colours=("green",)), "The colours of phase"),
    (lambda: phase(0, colours=("mauve",)), "The colours of phase"),
    (lambda: phase(1, train_limit=0), "has 0 trains and"),
    (lambda: private("P1", available_from="99"), "can be had from phase 99"),
    (lambda: private("P1", price_range=(50, 20)), "from 50 to 20"),
    (lambda: option(choices={"rulebook": "as printed"}), "leaves no choice"),
    (lambda: option(for_chance="neither"), "Chance chooses neither"),
    (lambda: replace(BOX, options=()), "need the option rules: 18xx.games"),
    (lambda: without_plan("company turn"), "company turn is begun, but is no plan"),
    (lambda: without_plan("game"), "There is no plan game"),
    (lambda: without_plan("train offer"), "The plan company turn makes offers, and there is no plan train offer"),
    (
        lambda: replace(
            BOX,
            plans={
                **BOX.plans,
                "siesta": Procedure("siesta", (BuyPrivateFromPlayer(lambda game, private: None, "1848"),)),
            },
        ),
        "The plan siesta makes offers, and there is no plan private offer",
    ),
    (lambda: replace(BOX, plans={**BOX.plans, "siesta": Procedure("siesta", ())}), "Nothing names the plan siesta"),
    (
        lambda: replace(BOX, plans={**BOX.plans, "discard": Procedure("discard", (Nothing(),))}),
        "Weighed: players have no words for the field weight",
    ),  # type: ignore[arg-type]
    (
        lambda: replace(BOX, plans={**BOX.plans, "discard": Procedure("discard", (BuyOtherwise(),))}),  # type: ignore[arg-type]
        "buy begins a shared action and Bought",
    ),
    (lambda: replace(BOX, composers={TileId: lambda game, by: iter(())}), "no step takes it"),  # type: ignore[dict-item,arg-type]
    (lambda: replace(BOX, sentences={}), "has no sentence"),
    (lambda: replace(BOX, reactions=((str, print),)), "is no event"),  # type: ignore[arg-type]
    (lambda: replace(BOX, special_type=Demanding), "cannot be created"),
    (lambda: replace(BOX, rules=replace(BOX.rules, route_problem=lambda *given: int("4D"))), "A 2 train cannot run"),  # type: ignore[arg-type,return-value]
]


@pytest.mark.parametrize(("planted", "told"), PLANTED, ids=[told for _, told in PLANTED])
def test_a_planted_mistake_is_found(planted: Callable[[], Title], told: str) -> None:
    title = planted()
    found = [*lint_title(title), *missing_options(title)]
    assert any(told in fault for fault in found), found
