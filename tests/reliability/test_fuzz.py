"""Whatever is typed or uploaded: it is taken, or refused with a sentence; nothing crashes, hangs or grows.

The suite tries some hundreds of inputs; `make soak` 80,000, and 20,000 forged buttons (test_abuse.py).
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from benchmarks.load import resident_mb
from bot.ai.fuzzer import RandomGame
from bot.engine.games.game_record import build_game_record
from bot.engine.notation.text import format_action, parse_action, verb_words
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.formats.peer18xx.registry import DIALECTS
from bot.service.game_service import GameService
from bot.service.imports.file_io import encode_game_file, read_file, write_18xx
from bot.service.parser.moves import parse_moves, suggest
from bot.store import Server, Store
from bot.titles.registry import TITLES
from tests.store.postgres_cluster import IN_TIME_ON_BOTH

TEXTS_IN_SUITE, TEXTS_IN_SOAK, TEXTS_OF_A_PART = 150, 60_000, 5_000
FILES_IN_SUITE, FILES_IN_SOAK, FILES_OF_A_PART = 100, 20_000, 2_500
PART = 500
"""hypothesis is called so often for a long campaign: it keeps what it has tried in memory."""

LONGEST_SENTENCE = 700
MOST_CALLS, HANG_SECONDS, MOST_GROWTH_MB = 1_000_000, 60.0, 60.0
"""What one input may cost: calls of functions, which are the same on every machine; a hang outside Python shows in seconds alone."""

COUNTED_FROM = 0.2
"""An input that took so many seconds is tried again, and its calls are counted."""

MOST_MOVES = 160
JUNK = (
    "@1",
    "@9",
    "0",
    "-1",
    "99999999999999999999",
    ";",
    ";;",
    "=",
    ">",
    "best",
    "pool",
    "@everyone",
    "'; --",
    "\u202e",
)


def calls_of(act: Callable[[], None]) -> int:
    """How many calls of functions it makes, in this thread and in those that it begins."""
    calls = itertools.count()

    def profile(frame: object, event: str, arg: object) -> None:
        if event in ("call", "c_call"):
            next(calls)

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return next(calls)


class Meter:
    """The slowest input in seconds of work (not of waiting for a processor), and the most calls of one that was slow."""

    def __init__(self) -> None:
        self.slowest, self.text, self.count, self.calls = 0.0, "", 0, 0
        self.memory = resident_mb(_own())

    def take(self, what: str, act: Callable[[], None]) -> None:
        """Do it and look how long it took."""
        began = time.process_time()
        act()
        seconds = time.process_time() - began
        self.count += 1
        if seconds > COUNTED_FROM:
            self.calls = max(self.calls, calls_of(act))
        if seconds > self.slowest:
            self.slowest, self.text = seconds, what[:200]

    def judge(self, record_property: Callable[[str, object], None]) -> None:
        """Say what was found; refuse hangs and growth."""
        grown = resident_mb(_own()) - self.memory
        figure = f"{self.count} inputs: slowest {self.slowest:.3f} s ({self.text!r}), at most {self.calls} calls, memory {grown:+.1f} MB"
        record_property("figure", figure)
        assert self.calls < MOST_CALLS and self.slowest < HANG_SECONDS, figure
        assert grown < MOST_GROWTH_MB, figure


@pytest.mark.parametrize("is_aside", [False, True], ids=["here", "in a thread"])
def test_calls_are_bounded_and_seconds_are_not(is_aside: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.COUNTED_FROM", 0.0)
    monkeypatch.setattr(f"{__name__}.MOST_CALLS", 5000)

    def work(calls: int) -> None:
        def make() -> None:
            for _ in range(calls):
                len(())

        if is_aside:
            thread = threading.Thread(target=make)
            thread.start()
            thread.join()
        else:
            make()

    few, many = Meter(), Meter()
    few.take("few", lambda: work(1000))
    few.judge(lambda name, value: None)
    many.take("many", lambda: work(6000))
    with pytest.raises(AssertionError, match=r"at most 6\d{3} calls"):
        many.judge(lambda name, value: None)


def _own() -> int:
    return int(Path("/proc/self").resolve().name)


# -- what is typed ------------------------------------------------------------------------------------


@cache
def positions() -> tuple[Game, ...]:
    """One position of every kind of frame that the beginning of a random game of each title comes to."""
    found: dict[tuple[str, str], Game] = {}
    for title in TITLES.values():
        game = RandomGame(title, max(3, title.players.start), 4, is_audited=False)
        for at in itertools.islice(game.moves(), MOST_MOVES):
            if not at.state.finished:
                found.setdefault((title.id, at.frame.plan), at.copy())
    return tuple(found.values())


@cache
def legal_texts(place: int) -> tuple[str, ...]:
    """Legal moves of a position, some of each kind."""
    return tuple(format_action(action) for action in positions()[place].legal_actions())[:200]


@cache
def words_of(place: int) -> tuple[str, ...]:
    """Words that mean something there."""
    game = positions()[place]
    names = [*game.title.companies, *game.state.privates, *game.title.trains, *list(game.title.land.map.hexes)[:20]]
    return (*verb_words(game.title), *names, *(player.name for player in game.state.players), *JUNK)


@st.composite
def typed(draw: st.DrawFn) -> tuple[int, str]:
    """A position, and what somebody types there: anything, words of the game, or a legal move spoilt."""
    place = draw(st.integers(0, len(positions()) - 1))
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return place, draw(st.text(max_size=120))
    word = st.sampled_from(words_of(place)) | st.text(max_size=4)
    if kind == 1:
        return place, " ".join(draw(st.lists(word, max_size=10)))
    clauses = draw(st.lists(st.sampled_from(legal_texts(place)), min_size=1, max_size=3 if kind == 3 else 1))
    words = "; ".join(clauses).split(" ")
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(words)))
        match draw(st.integers(0, 2)):
            case 0:
                words.insert(at, draw(word))
            case 1:
                del words[at : at + 1]
            case _:
                words[at : at + 1] = [draw(word)]
    return place, " ".join(words)


def type_it(place: int, text: str) -> None:
    """Read it, do what it says, complete it."""
    game = positions()[place]
    before = game.encode()
    trial = game.copy()
    try:
        for action in parse_moves(trial, text):
            trial.apply(action)
    except Rejected as refusal:
        assert 0 < len(refusal.sentence) < LONGEST_SENTENCE
    assert all(len(line) <= 100 for line in suggest(game, text[:100]))
    assert game.encode() == before


def campaign(
    strategy: st.SearchStrategy[Any], act: Callable[[Meter, Any], None], meter: Meter, number: int, part: int = 0
) -> None:
    """Try so many inputs; each part of a long campaign tries others."""
    for first in range(part * number, (part + 1) * number, PART):
        some = settings(
            max_examples=min(PART, number), deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        some = settings(some, derandomize=number <= PART)
        seed(first)(some(given(strategy)(lambda found: act(meter, found))))()


def take_typed(meter: Meter, found: tuple[int, str]) -> None:
    """One text that is typed."""
    meter.take(repr(found), lambda: type_it(*found))


def test_anything_typed_is_read_or_refused() -> None:
    campaign(typed(), take_typed, Meter(), TEXTS_IN_SUITE)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(TEXTS_IN_SOAK // TEXTS_OF_A_PART))
def test_anything_typed_without_end(record_property: Callable[[str, object], None], part: int) -> None:
    positions()
    meter = Meter()
    campaign(typed(), take_typed, meter, TEXTS_OF_A_PART, part)
    meter.judge(record_property)


# -- what is uploaded ---------------------------------------------------------------------------------


@cache
def files() -> tuple[Any, ...]:
    """Short games in both forms."""
    found: list[Any] = []
    for title in TITLES.values():
        players = max(3, title.players.start)
        game = Game.new(title, [f"Player {number}" for number in range(1, players + 1)], {}, 2)
        played = RandomGame(title, players, 2, is_audited=False)
        for _ in itertools.islice(played.moves(), 25):
            pass
        for text in played.texts:
            game.apply(parse_action(title, text))
        course = build_game_record(game, played.texts)
        found.append(json.loads(encode_game_file(course)))
        if title.id in DIALECTS:
            found.append(json.loads(write_18xx(course).content))
    return tuple(found)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**25), 10**25),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=30),
    st.sampled_from(["../../etc/passwd", "file:///etc/passwd", "1848", "1820", "@1", "pass", "18xx.games"]),
    st.lists(st.integers(0, 3), max_size=5),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
)


def places_in(data: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every path to a value."""
    yield before
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in parts:
        yield from places_in(value, (*before, key))


@cache
def paths(number: int) -> tuple[tuple[Any, ...], ...]:
    """Every path in a file but the empty one."""
    return tuple(places_in(files()[number]))[1:]


@st.composite
def uploaded(draw: st.DrawFn) -> bytes:
    """A game's file in which something is wrong."""
    number = draw(st.integers(0, len(files()) - 1))
    data = json.loads(json.dumps(files()[number]))
    for _ in range(draw(st.integers(0, 3))):
        *way, last = draw(st.sampled_from(paths(number)))
        inner = data
        try:
            for key in way:
                inner = inner[key]
            match draw(st.integers(0, 2)):
                case 0:
                    del inner[last]
                case 1:
                    inner[last] = draw(LEAVES)
                case _:
                    inner[last] = inner[draw(st.sampled_from(paths(number)))[-1]]
        except (KeyError, IndexError, TypeError):
            continue
    content = json.dumps(data).encode()
    match draw(st.integers(0, 9)):
        case 0:
            return content[: draw(st.integers(0, len(content)))]
        case 1:
            at = draw(st.integers(0, len(content) - 1))
            return content[:at] + draw(st.binary(max_size=4)) + content[at + 1 :]
        case 2:
            return draw(st.binary(max_size=60)) if draw(st.booleans()) else b"[" * draw(st.integers(1, 100_000))
    return content


def test_a_log_of_a_title_that_18xx_games_does_not_have_is_refused() -> None:
    """Found by the campaign below."""
    log = next(data for data in files() if "format" not in data)
    with pytest.raises(Rejected, match=r"which is supported for: 1848"):
        read_file(json.dumps(log | {"title": "1820"}).encode())


class Importer:
    """Tables into which files are brought, each by another person."""

    def __init__(self, place: Path | Server) -> None:
        self.loop = asyncio.new_event_loop()
        self.tables = GameService(self.loop.run_until_complete(Store.open(place)), TITLES)
        self.persons = itertools.count()
        self.taken = 0

    def bring(self, content: bytes) -> None:
        """Import it, or refuse it."""
        person = f"x:{next(self.persons)}"
        if sys.getprofile() is not None:
            # Threads that are begun now are counted.
            self.loop.set_default_executor(ThreadPoolExecutor(1))
        try:
            self.loop.run_until_complete(self.tables.transfer.import_game(read_file(content).course, person))
            self.taken += 1
        except Rejected as refusal:
            assert 0 < len(refusal.sentence) < 2000

    def close(self) -> None:
        """End it."""
        self.loop.run_until_complete(self.tables.desk.store.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()


def upload(place: Path | Server, meter: Meter, number: int, part: int = 0) -> int:
    """Try so many files; returns how many were good games after all."""
    importer = Importer(place)
    campaign(
        uploaded(), lambda meter, found: meter.take(repr(found), lambda: importer.bring(found)), meter, number, part
    )
    importer.close()
    return importer.taken


@pytest.mark.parametrize("place", IN_TIME_ON_BOTH, indirect=True)
def test_any_file_is_a_game_or_refused(place: Path | Server) -> None:
    assert 0 < upload(place, Meter(), FILES_IN_SUITE) < FILES_IN_SUITE


@pytest.mark.soak
@pytest.mark.parametrize("part", range(FILES_IN_SOAK // FILES_OF_A_PART))
def test_any_file_without_end(place: Path | Server, record_property: Callable[[str, object], None], part: int) -> None:
    files()
    meter = Meter()
    upload(place, meter, FILES_OF_A_PART, part)
    meter.judge(record_property)
