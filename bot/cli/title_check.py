"""`signalbox title check`: what a title has and what it still lacks, on one screen."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bot.ai.coverage import Coverage
from bot.ai.fuzzer import ALL_TEMPERS, NoLegalMove, RandomGame, RandomPolicy
from bot.ai.title_parameters import title_ai
from bot.engine.play import FaultyTitle, Game, Title
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.file_format import InvalidLog
from bot.formats.peer18xx.registry import DIALECTS, missing_options
from bot.i18n.extract import lacking_translations
from bot.jobs.job_types import JobType
from bot.render.catalogue import scene_of
from bot.render.painting.contact_sheet import contact_sheet
from bot.render.painting.painter import Painter
from bot.render.painting.picture import Picture
from bot.service.imports.formats import load, replay_of
from bot.titles.lint import lint_title
from bot.titles.registry import TITLES, TitleFolder, title_folders, versions_of
from bot.untrusted_input import InvalidFile

from .games import progress_bar, run_in_parallel

PROJECT = Path(__file__).resolve().parents[2]
PEER_GAMES = 2
MOST_NAMED = 12
SAMPLE_MOVES = 300
COLOURS = ("yellow", "green", "brown", "gray")


@dataclass(frozen=True)
class Finding:
    """A line of the report: what was looked at and found. `todo` says what to do next; empty where all is well.
    `is_skipped` says that nothing could be looked at."""

    name: str
    found: str
    todo: str = ""
    is_skipped: bool = False

    @property
    def mark(self) -> str:
        return "skip" if self.is_skipped else "next" if self.todo else "ok"


@dataclass(frozen=True)
class TrialOrder:
    title: str
    players: int
    seed: int

    @property
    def temper(self) -> RandomPolicy:
        """All tempers take turns; the surveyor's companies come to the last trains where the bank breaks early."""
        return ALL_TEMPERS[self.seed % len(ALL_TEMPERS)]


@dataclass(frozen=True)
class TrialOutcome:
    """A random game of a trial: what it exercised, or its `failure`."""

    order: TrialOrder
    moves: int = 0
    failure: str = ""
    coverage: dict[str, list[str]] = field(default_factory=dict)


def play_trial(order: TrialOrder) -> TrialOutcome:
    coverage = Coverage()
    table = RandomGame(TITLES[order.title], order.players, order.seed, wanted=order.temper)
    try:
        for game in table.moves():
            coverage.note(game, table.texts[-1])
    except NoLegalMove as error:
        return TrialOutcome(order, len(table.texts), str(error))
    except Exception as error:
        return TrialOutcome(order, len(table.texts), str(table.build_failure(f"{type(error).__name__}: {error}")))
    return TrialOutcome(order, len(table.texts), "", {kind: sorted(names) for kind, names in vars(coverage).items()})


TRIAL = JobType("trial", TrialOrder, TrialOutcome, play_trial, seconds=3600)


def check(arguments: argparse.Namespace) -> int:
    """Exit 1 if anything is left to do."""
    place = title_folders().get(arguments.title)
    if place is None:
        raise InvalidFile(f"there is no title {arguments.title}; there are: {', '.join(title_folders())}")
    is_done = True
    for finding in findings(place, arguments):
        is_done &= not finding.todo
        print(
            f"{finding.mark:5}{finding.name:10} {finding.found}" + (f"\n      {finding.todo}" if finding.todo else "")
        )
    return 0 if is_done else 1


def findings(place: TitleFolder, arguments: argparse.Namespace) -> Iterator[Finding]:
    """Every line of the report, each as soon as it is known."""
    try:
        versions = versions_of(place.record.id)
        faults = [fault for title in versions for fault in (*lint_title(title), *missing_options(title))]
    except FaultyTitle as error:
        yield Finding("box", " ".join(error.faults), "mend the faults: nothing else can be looked at before")
        return
    except Exception as error:
        yield find_fault_of_code(place, error)
        return
    yield Finding(
        "rules",
        "; ".join(faults) or f"{len(versions)} version(s), no fault found",
        (faults and "mend the faults") or "",
    )
    yield find_unwritten(place)
    yield find_box(place)
    yield find_size(place)
    yield from find_coverage(place, arguments)
    yield find_stored_games(place, arguments)
    yield find_peer_games(place, arguments)
    yield find_words(place)
    yield find_page(place)
    yield find_numbers(place)
    yield find_golden(place)
    yield find_pictures(place, arguments.out, SAMPLE_MOVES if arguments.games else 0)


def find_fault_of_code(place: TitleFolder, error: Exception) -> Finding:
    """Names the error and the last line of the title's folder on the way there."""
    folder = str(place.folder)
    here = [line for line in traceback.extract_tb(error.__traceback__) if line.filename.startswith(folder)]
    where = f"{here[-1].filename}, line {here[-1].lineno}" if here else f"`import {place.package}.title` shows where"
    return Finding("code", f"{type(error).__name__}: {error}", f"mend it: {where}")


def find_unwritten(place: TitleFolder) -> Finding:
    """Rules that the title's record says are not written yet; random games do not miss them."""
    left = place.record.unwritten
    todo = "write and test each, then take it out of title.toml, `unwritten`"
    return Finding("unwritten", "; ".join(left) or "every rule is written", (left and todo) or "")


def find_box(place: TitleFolder) -> Finding:
    """Parts that are still those of another title, from which the folder was copied."""
    mine = TITLES[place.record.id]
    files: dict[str, str] = {}
    for other in _other_titles(place.record.id):
        same = {"map.py": mine.land.map.hexes == other.land.map.hexes, "tiles.py": mine.land.tiles == other.land.tiles}
        same["components.py"] = {*mine.companies} == {*other.companies}
        files |= {file: f"{file} is that of {other.id}" for file, is_same in same.items() if is_same}
    return Finding("box", "; ".join(files.values()) or "its own", (files and "write the title's own") or "")


def _other_titles(title: str) -> Iterator[Title]:
    """Faulty titles are left out: their own checks name their faults."""
    for name in TITLES:
        if name != title:
            with suppress(FaultyTitle):
                yield TITLES[name]


def find_size(place: TitleFolder) -> Finding:
    """Lines of code and data, without German, page and lesson; also those of the family whose values the title gives."""
    folder = Path(str(place.folder))
    lesson = folder / "lesson.py"
    code, data = _lines({*folder.rglob("*.py")} - {lesson}), _lines([folder / "title.toml"])
    found = f"{len(code) + len(data)} lines, {len(code)} of Python, {len(data)} of data"
    if lesson.exists():
        found += f", without the {len(_lines([lesson]))} of its lesson"
    family = TITLES[place.record.id].family
    if family is not None:
        shared = Path(str(sys.modules[type(family).__module__].__file__)).parent
        found += f"; its family, {shared.name}/, has {len(_lines(shared.rglob('*.py')))} of Python"
    return Finding("size", f"{found}; the longest has {max(map(len, code))} characters")


def _lines(paths: Iterable[Path]) -> list[str]:
    return [line for path in sorted(paths) for line in path.read_text(encoding="utf-8").splitlines()]


def find_coverage(place: TitleFolder, arguments: argparse.Namespace) -> Iterator[Finding]:
    title = TITLES[place.record.id]
    if not arguments.games:
        yield Finding("games", "none played: --games 0", is_skipped=True)
        return
    orders = [TrialOrder(title.id, players, seed) for players in title.players for seed in range(arguments.games)]
    bar = progress_bar(run_in_parallel(TRIAL, orders, arguments), "playing", len(orders))
    outcomes: list[TrialOutcome] = list(bar)
    failures = [outcome for outcome in outcomes if outcome.failure]
    played = f"{len(orders)} random games, {arguments.games} for each of {title.players.start} to {title.players.stop - 1} players"
    for failure in failures[:3]:
        order = failure.order
        once = (
            f"signalbox selfplay {title.id} --players {order.players} --seed {order.seed} --temper {order.temper.name}"
        )
        yield Finding("games", failure.failure, f"mend it; `{once}` plays that game again")
    if not failures:
        yield Finding("games", f"{played}: {sum(outcome.moves for outcome in outcomes)} moves, every position audited")
    coverage, ends = Coverage(), Counter[str]()
    for outcome in outcomes:
        coverage.add(Coverage(**{kind: set(names) for kind, names in outcome.coverage.items()}))
        ends.update(outcome.coverage.get("ends", ()))
    yield from coverage_findings(place, coverage, ends)


def coverage_findings(place: TitleFolder, coverage: Coverage, ends: Counter[str]) -> Iterator[Finding]:
    """A line for each kind of things in the box; the ends, with their numbers, must be those that the record names."""
    trial = place.record.trial
    for part, wanted, seen in coverage.counts(TITLES[place.record.id]):
        if part == "ends":
            found = ", ".join(f"{number} times {end}" for end, number in ends.most_common()) or "none"
            missing = sorted({*trial.ends} - {*ends})
        else:
            missing = sorted(wanted - seen - {*trial.unseen})
            aside = sorted(wanted - seen - {*missing})
            found = f"{len(wanted & seen)} of {len(wanted)}" + (
                f"; by tests of their own: {', '.join(aside)}" if aside else ""
            )
        shown = ", ".join(missing[:MOST_NAMED]) + (" …" if len(missing) > MOST_NAMED else "")
        todo = (
            f"missing: {shown}; try --games 200, else test them and name them in title.toml, [trial] unseen"
            if missing
            else ""
        )
        yield Finding(part, found, todo)


def find_stored_games(place: TitleFolder, arguments: argparse.Namespace) -> Finding:
    """Stored games of 18xx.games are replayed to their results."""
    title = place.record.id
    if title not in DIALECTS:
        return Finding("stored", "18xx.games does not play it, or peer18xx.py is missing", is_skipped=True)
    paths = list(stored_games(place, arguments))
    wrong = [reason for path in paths if (reason := difference_of(path))]
    if not paths:
        return Finding(
            "stored",
            "no stored game at hand; --stored DIR names a folder of them, --peer CHECKOUT has some",
            is_skipped=True,
        )
    todo = f"{wrong[0]}; `signalbox replay FILE` shows it" if wrong else ""
    return Finding(
        "stored", f"{len(paths) - len(wrong)} of {len(paths)} games of 18xx.games end with their results", todo
    )


def stored_games(place: TitleFolder, arguments: argparse.Namespace) -> Iterator[Path]:
    """Those of a folder that is named, else those beside the project and in 18xx.games' program, also of its variants."""
    if arguments.stored:
        yield from sorted(arguments.stored.glob("*.json"))
        return
    shared = Path(os.environ.get("SIGNALBOX_SHARED") or PROJECT.parent / "shared")
    yield from sorted((shared / "peer-games" / place.record.id).glob("*.json"))
    names = {place.record.id, *(place.record.peer.variants if place.record.peer else ())}
    plain = {re.sub(r"\W", "", name).lower() for name in names}
    for folder in sorted(Path(arguments.peer).glob("public/fixtures/*")) if arguments.peer else ():
        if folder.name.lower() in plain:
            yield from sorted(folder.glob("*.json"))


def difference_of(path: Path) -> str:
    """Why the game does not come to its result, and who is asked for what then; empty if it does."""
    try:
        runner = replay_of(load(path))  # type: ignore[arg-type]
    except (InvalidFile, InvalidLog) as error:
        return f"{path.name}: {error}"
    try:
        for _ in runner.steps():
            pass
        runner.check_result()
    except (Divergence, InvalidFile, InvalidLog) as error:
        return f"{path.name}: {error} {decision_of(runner.game)}".rstrip()
    return ""


def decision_of(game: Game) -> str:
    if game.state.finished or game.step is None:
        return ""
    return f"{game.frame.entity or ', '.join(game.players_to_act())} is asked to {game.step.name}."


def find_peer_games(place: TitleFolder, arguments: argparse.Namespace) -> Finding:
    """Random games beside the peer's engine, by the campaign of the tests."""
    if place.record.peer is None or place.record.id not in DIALECTS:
        return Finding("peer", "not in the peer's engine, or [peer] in title.toml is missing", is_skipped=True)
    if not arguments.peer or shutil.which("ruby") is None or not (PROJECT / "tests" / "peer").is_dir():
        return Finding("peer", "not compared: give --peer CHECKOUT, and have ruby and the tests", is_skipped=True)
    command = [sys.executable, "-m", "tests.peer.campaign", "--peer", arguments.peer, "--title", place.record.id]
    done = subprocess.run(
        [*command, "--games", str(PEER_GAMES)], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    different = next((line for line in lines if line.startswith("DIFFERENT")), "")
    covered = next((line for line in lines if line.startswith(f"exercised {place.record.id}")), "")
    todo = "" if done.returncode == 0 else f"{different or lines[-1]}; mend it, or explain it in title.toml"
    return Finding("peer", f"{PEER_GAMES} games for each number of players; {covered}", todo)


def find_words(place: TitleFolder) -> Finding:
    lacking = lacking_translations("de", place.record.id)
    shown = "; ".join(lacking[:3])
    todo = f"`make words`, then translate {place.folder}/de.po: {shown}" if lacking else ""
    return Finding("German", f"{len(lacking)} text(s) without translation", todo)


def find_page(place: TitleFolder) -> Finding:
    page = PROJECT / "docs" / "titles" / f"{place.record.id}.md"
    if place.record.credits is None:
        return Finding("page", "no credits", "add [credits] to title.toml: designer, publisher, rules, permission")
    if not page.exists():
        return Finding("page", "none", f"write docs/titles/{page.name}, then `make titles` and `make pictures`")
    return Finding("page", f"docs/titles/{page.name}, {len(page.read_text(encoding='utf-8').split())} words")


def find_numbers(place: TitleFolder) -> Finding:
    if title_ai(place.record.id).parameters is None:
        return Finding(
            "computers",
            "play with usual numbers",
            "ai.py: AI = TitleAi(parameters=…); compare by `signalbox tournament`",
        )
    return Finding("computers", "have numbers of their own")


def find_golden(place: TitleFolder) -> Finding:
    path = PROJECT / "tests" / "golden" / f"{place.record.id}.txt"
    todo = "" if path.exists() else f"`make golden TITLE={place.record.id}`, and read it against the rules"
    return Finding("golden", "a play-through is recorded" if path.exists() else "no play-through", todo)


def find_pictures(place: TitleFolder, out: Path, moves: int) -> Finding:
    """One sheet of the map at the beginning and after that many moves, the market, the tiles and companies."""
    try:
        pictures = list(paint_samples(place.record.id, moves))
    except Exception as error:
        return Finding("pictures", f"{type(error).__name__}: {error}", "mend what cannot be painted")
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{place.record.id}.png"
    path.write_bytes(contact_sheet(pictures))
    return Finding("pictures", f"{len(pictures)} on one sheet, {path}: look at it")


def paint_samples(name: str, number: int) -> Iterator[Picture]:
    """Pictures of the beginning of a random game, and of as late a position as it comes to: where it breaks off is another
    line's matter.
    """
    title, painter = TITLES[name], Painter()
    table = RandomGame(title, max(title.players.start, 3), 1, is_audited=False)
    start = late = table.game.copy()
    try:
        for game in islice(table.moves(), number):
            late = game
    except Exception:
        late = start
    yield painter.paint(scene_of(start, "map"))
    yield painter.paint(scene_of(late, "map"))
    yield painter.paint(scene_of(late, "market"))
    for colour in tile_colours(start):
        yield painter.paint(scene_of(start, "tiles", (), colour))
    begun = [company.id for company in late.state.companies.values() if company.position is not None]
    for company in begun[:2]:
        yield painter.paint(scene_of(late, "company", (), str(company)))


def tile_colours(game: Game) -> list[str]:
    """The colours of tiles that the game is played with, by its options."""
    colours = {tile.colour for tile in game.board_rules.tiles.values()}
    return [colour for colour in COLOURS if colour in colours]
