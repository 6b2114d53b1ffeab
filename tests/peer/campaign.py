"""`make peer PEER=…`: random games played here and by the engine of a checkout of 18xx.games, compared move by move.

Results are kept by what the rules' files are, so that a campaign goes on where it stopped and begins anew when they change. Its
games are jobs as those of `bot.jobs`: processes here play them, or workers of a server whose tree has the same rules.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.ai.coverage import Coverage
from bot.cli.games import worker_server
from bot.engine.play import VARIANT
from bot.formats.peer18xx.registry import DIALECTS
from bot.jobs.dispatch import run_jobs
from bot.jobs.job_types import JobFailed, JobType
from bot.ops.settings import InvalidSetting
from bot.store import Server, StoreError
from bot.titles.registry import TITLES, title_folders
from tests.peer.engine import Peer, PeerFailed
from tests.peer.explained import reason_of
from tests.peer.games import Differs, play_beside

PROJECT = Path(__file__).resolve().parents[2]
GAMES = 200
WHOLE, EXPLAINED, DIFFERENT = "whole", "explained", "different"


@dataclass(frozen=True)
class Order:
    """A random game to be played."""

    title: str
    players: int
    seed: int
    rules: str

    @property
    def options(self) -> dict[str, str]:
        """Options that change the box, the map or the companies take turns with the seeds."""
        chosen = (option for option in TITLES[self.title].options if option.name in ("map", "companies", VARIANT))
        return {option.name: list(option.choices)[self.seed % len(option.choices)] for option in chosen}


@dataclass(frozen=True)
class Outcome:
    """What became of it: so many moves made in both, and what they `exercised`; or the `difference` that ended it."""

    title: str
    players: int
    seed: int
    rules: str
    moves: int = 0
    difference: str = ""
    exercised: dict[str, list[str]] = field(default_factory=dict)

    @property
    def reason(self) -> str | None:
        """Why the difference is known, if it is."""
        return reason_of(self.title, self.difference)

    @property
    def state(self) -> str:
        """Whole, explained or different."""
        if not self.difference:
            return WHOLE
        return EXPLAINED if self.reason else DIFFERENT


@dataclass
class Table:
    """The games of one title with so many players: how they ended, and the seed that comes next."""

    title: str
    players: int
    wanted: int
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    running: int = 0

    def __post_init__(self) -> None:
        self.seeds: Iterator[int] = count()

    def number(self, state: str) -> int:
        """How many games ended so."""
        return sum(outcome.state == state for outcome in self.outcomes.values())

    @property
    def is_open(self) -> bool:
        """Whether another game is wanted: too few are whole or under way."""
        return self.number(WHOLE) + self.running < self.wanted and self.number(DIFFERENT) < self.wanted

    def next_order(self) -> Order | None:
        """The next game, if one is wanted."""
        if not self.is_open:
            return None
        seed = next(seed for seed in self.seeds if seed not in self.outcomes)
        return Order(self.title, self.players, seed, rules_of(self.title))


@cache
def rules_of(title: str) -> str:
    """A sign for what decides whether a game differs: the engine, what reads and writes the peer's files, the title's folder
    with its dialect and known differences, families of titles, and the files beside this one. Other titles do not count."""
    titles = PROJECT / "bot" / "titles"
    others = {Path(str(place.folder)) for number, place in title_folders().items() if number != title}
    shared = [*(PROJECT / "bot" / "engine").rglob("*.py"), *(PROJECT / "bot" / "formats").rglob("*.py")]
    own = [path for path in titles.rglob("*") if path.suffix in (".py", ".toml") and not others & {*path.parents}]
    files = [*shared, *own, PROJECT / "bot" / "ai" / "fuzzer.py"]
    digest = hashlib.sha256()
    for path in sorted([*files, *Path(__file__).parent.glob("[dg]*.*")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def peer() -> Peer:
    """The engine of this process, for all its games.

    :raises JobFailed: there is none here.
    """
    checkout = os.environ.get("PEER", "")
    if reason := why_not(checkout):
        raise JobFailed(reason)
    return Peer(Path(checkout))


def one_game(order: Order) -> Outcome:
    """Play it.

    :raises JobFailed: the rules here are others than it was ordered by, or the engine there is missing or gone.
    """
    if rules_of(order.title) != order.rules:
        raise JobFailed(f"the rules of {order.title} are others in this tree")
    known = (order.title, order.players, order.seed, order.rules)
    try:
        beside = play_beside(peer(), order.title, order.players, order.seed, order.options)
        exercised = {kind: sorted(names) for kind, names in vars(beside.coverage).items()}
        return Outcome(*known, len(beside.texts), "", exercised)
    except Differs as difference:
        return Outcome(*known, 0, str(difference))
    except PeerFailed as error:
        raise JobFailed(str(error)) from error


PEER = JobType("peer", Order, Outcome, one_game, seconds=3600)
KINDS = [PEER]


class Campaign:
    """All tables, the file of their results, and the bar."""

    def __init__(self, tables: list[Table], results: Path) -> None:
        self.tables = tables
        self.results = results
        self.rules = {table.title: rules_of(table.title) for table in tables}
        self.console = Console(stderr=True)
        self._read()

    def _read(self) -> None:
        """Take up the results that stand for the present rules."""
        by_name = {(table.title, table.players): table for table in self.tables}
        lines = self.results.read_text(encoding="utf-8").splitlines() if self.results.exists() else []
        for line in lines:
            outcome = Outcome(**json.loads(line))
            table = by_name.get((outcome.title, outcome.players))
            if table and outcome.rules == self.rules[outcome.title]:
                table.outcomes[outcome.seed] = outcome

    async def run(self, jobs: int, server: Server | None = None) -> None:
        """Play until every table has as many whole games as it wants, table after table in turn: in so many processes, or by
        the workers of a server.

        :raises JobFailed: a game could not be played.
        """
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self.console, disable=not self.console.is_terminal) as bar:
            tasks = {
                (table.title, table.players): bar.add_task(
                    f"{table.title} with {table.players}", total=table.wanted, completed=table.number(WHOLE)
                )
                for table in self.tables
            }
            by_name = {(table.title, table.players): table for table in self.tables}
            # What was explained or differs is made up for: there are more orders when those before are done.
            while any(table.is_open for table in self.tables):
                async with aclosing(run_jobs(PEER, self._orders(), jobs, server)) as outcomes:
                    async for outcome in outcomes:
                        name = (outcome.title, outcome.players)
                        by_name[name].running -= 1
                        self.note(by_name[name], outcome)
                        bar.update(tasks[name], completed=by_name[name].number(WHOLE))

    def _orders(self) -> Iterator[Order]:
        """Games to be played, as long as a table wants another one."""
        turn = count()
        while found := self._next(next(turn)):
            table, order = found
            table.running += 1
            yield order

    def _next(self, turn: int) -> tuple[Table, Order] | None:
        for offset in range(len(self.tables)):
            table = self.tables[(turn + offset) % len(self.tables)]
            order = table.next_order()
            if order is not None:
                return table, order
        return None

    def note(self, table: Table, outcome: Outcome) -> None:
        """Keep a result, and tell a difference."""
        table.outcomes[outcome.seed] = outcome
        with self.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome)) + "\n")
        if outcome.state == DIFFERENT:
            self.console.print(
                f"DIFFERENT {outcome.title} with {outcome.players}, seed {outcome.seed}: {outcome.difference}",
                markup=False,
            )

    def exercised(self, title: str) -> str:
        """What the whole games of a title exercised of its box, and what they did not."""
        coverage = Coverage()
        for table in self.tables:
            for outcome in table.outcomes.values() if table.title == title else ():
                coverage.add(Coverage(**{kind: set(names) for kind, names in outcome.exercised.items()}))
        counts = coverage.counts(TITLES[title])
        return "; ".join(
            f"{kind} {len(seen & wanted)} of {len(wanted)}"
            + (f" (never {', '.join(sorted(wanted - seen))})" if wanted - seen else "")
            for kind, wanted, seen in counts
        )

    def report(self) -> bool:
        """Print the table of counts; whether there is no unexplained difference."""
        print(f"{'title':6} {'players':>7} {'whole':>6} {'moves':>8} {'explained':>9} {'different':>9}")
        for table in self.tables:
            moves = sum(outcome.moves for outcome in table.outcomes.values())
            counts = f"{table.number(WHOLE):6} {moves:8} {table.number(EXPLAINED):9} {table.number(DIFFERENT):9}"
            print(f"{table.title:6} {table.players:7} {counts}")
        for title in dict.fromkeys(table.title for table in self.tables):
            print(f"exercised {title}: {self.exercised(title)}")
        everything = [outcome for table in self.tables for outcome in table.outcomes.values()]
        for reason, number in Counter(one.reason for one in everything if one.state == EXPLAINED).most_common():
            print(f"explained {number} times: {reason}")
        for outcome in everything:
            if outcome.state == DIFFERENT:
                print(f"DIFFERENT {outcome.title} with {outcome.players}, seed {outcome.seed}: {outcome.difference}")
        return not any(outcome.state == DIFFERENT for outcome in everything)


def why_not(checkout: str) -> str:
    """Why there can be no campaign; empty if there can."""
    if not checkout:
        return "PEER names no checkout of 18xx.games"
    if not (Path(checkout) / "lib" / "engine" / "game" / "base.rb").is_file():
        return f"{checkout} is no checkout of 18xx.games"
    return "" if shutil.which("ruby") else "there is no ruby"


def main(arguments: list[str]) -> int:
    """Exit 0 if nothing differs, or if there is nothing to compare with; 1 otherwise."""
    parser = argparse.ArgumentParser(prog="make peer", description=__doc__)
    parser.add_argument("--peer", default=os.environ.get("PEER", ""), help="a checkout of 18xx.games")
    parser.add_argument("--games", type=int, default=GAMES, help="whole games for each number of players")
    parser.add_argument("--title", choices=list(DIALECTS), help="one title alone")
    parser.add_argument("--players", type=int, help="one number of players alone")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument(
        "--workers",
        action="store_true",
        help="let the workers of SIGNALBOX_DATABASE_URL play (worker --with tests.peer.campaign)",
    )
    parser.add_argument("--results", type=Path, default=PROJECT / ".peer.jsonl", help="where results are kept")
    parser.add_argument("--report", action="store_true", help="only the counts so far")
    chosen = parser.parse_args(arguments)
    reason = why_not(chosen.peer)
    if reason:
        print(f"LOUD: {reason}; nothing was compared with 18xx.games", file=sys.stderr)
        return 0
    tables = [
        Table(title, players, chosen.games)
        for title in DIALECTS
        for players in TITLES[title].players
        if chosen.title in (None, title) and chosen.players in (None, players)
    ]
    campaign = Campaign(tables, chosen.results)
    if not chosen.report:
        os.environ["PEER"] = chosen.peer
        try:
            asyncio.run(campaign.run(chosen.jobs, worker_server(chosen.workers)))
        except (InvalidSetting, JobFailed, StoreError) as error:
            print(f"make peer: {error}", file=sys.stderr)
            return 1
    return 0 if campaign.report() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
