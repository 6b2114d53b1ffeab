"""`python -m benchmarks.handoffs [--peer CHECKOUT] [--json]`: how often games that people played wait for another person, as they
were played and with plans.

A hand-off: another person has to decide. The games are 18xx.games' stored ones of the titles that play here: those beside the
project, more with a checkout of the peer. Their moves stay as they were; what is counted is who had to come for them:

* played: whoever moved. A move that is the only legal one needs nobody.
* oracle: when players have just moved, they plan what they really did afterwards, for the rest of the round, and for the next
  turn of each of their companies; a plan counts only where it does what they did, and ends with its wake words.
* taps: after each own move they tap the one button, of those that the bot offers then, that is right next, or none; a wrong act of
  it is a hand-off. Of bids they fill in the most that they ever bid for lots bid for so far: the one thing taken from later. By
  a switch the program passes for whoever can only sell or pass.

Waiting: a hand-off waits as long as it did, gaps above 14 days left out, in games that were not played at one table.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from msgspec.structs import replace as changed

from bot.engine import CompanyId, Owner, PlayerId
from bot.engine.games.game_record import GameRecordFile
from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import (
    Action,
    Bid,
    BuyPrivate,
    BuyShares,
    Dividend,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    RunRoutes,
)
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.file_format import Log
from bot.formats.peer18xx.registry import DIALECTS
from bot.service.features.plans.offers import list_offers
from bot.service.imports.formats import load, replay_of, watch_actions
from bot.service.plans import (
    Act,
    Bids,
    Do,
    Fact,
    Finish,
    Plan,
    RunBest,
    Stay,
    Step,
    When,
    evaluate,
    find_wakes,
    woken,
)
from bot.service.plans.parser import read_plan
from bot.service.plans.plan import IDLE
from bot.untrusted_input import InvalidFile

PROJECT = Path(__file__).resolve().parent.parent

LONGEST = 14 * 86400
"""Longer gaps in seconds are no waiting for a move: somebody had stopped playing."""

LEAST_DAYS = 0.5
"""A game that waited less in all was played at one table."""

Taken = tuple[PlayerId, str]
"""A seat and the owner whose turn it is."""


@dataclass(frozen=True)
class Decided:
    """A decision of a game: the position before it, and how many seconds it came after the action before."""

    game: Game
    action: Action
    player: PlayerId
    is_forced: bool
    seconds: float

    @property
    def turn(self) -> str:
        """The owner whose turn it is: the player, or the company that operates."""
        return str(self.action.by)

    @property
    def round(self) -> tuple[str, int, int]:
        return (self.game.state.round.kind, self.game.state.round.number, self.game.state.round.part)


@dataclass
class RecordedGame:
    name: str
    title: str
    decided: list[Decided]
    last: Game

    def after(self, index: int) -> Game:
        """The position after a decision."""
        return self.decided[index + 1].game if index + 1 < len(self.decided) else self.last


@dataclass
class Count:
    """The hand-offs of one game at one level, and the seconds that they waited."""

    hand_offs: int = 0
    waited: float = 0.0


@dataclass
class Course:
    """A game gone through once: who is there, and what they have planned."""

    recorded: RecordedGame
    plan: Callable[[Course, int], Mapping[Taken, Plan]]
    passes_alone: bool = False
    plans: dict[Taken, Plan] = field(default_factory=dict)
    there: PlayerId | None = None
    found: Count = field(default_factory=Count)
    is_warned: set[PlayerId] = field(default_factory=set)

    def count(self) -> Count:
        for index, one in enumerate(self.recorded.decided):
            if index and one.round != self.recorded.decided[index - 1].round:
                self.is_warned.clear()
            is_needed = one.player == self.there or not (self._is_done_by_plan(index) or self._is_passed(one))
            if is_needed and not one.is_forced:
                self._come(one)
                self.plans.pop((one.player, one.turn), None)
                self.plans |= self.plan(self, index)
                self.is_warned.discard(one.player)
            self._wake(index)
        return self.found

    def _come(self, one: Decided) -> None:
        if self.there != one.player:
            self.found.hand_offs += 1
            self.found.waited += one.seconds if one.seconds <= LONGEST else 0
        self.there = one.player

    def _is_done_by_plan(self, index: int) -> bool:
        """Whether the plan for this turn does what its owner did."""
        one = self.recorded.decided[index]
        key = (one.player, one.turn)
        if key not in self.plans:
            return False
        decision = evaluate(one.game, one.player, self.plans[key], leads_of(one))
        if isinstance(decision, Act) and is_same(one, decision.action):
            self.plans[key] = decision.plan
            return True
        if isinstance(decision, Act | Finish):
            del self.plans[key]
        return False

    def _is_passed(self, one: Decided) -> bool:
        """Whether the switch passes for a player who can only sell or pass, and nobody has started or sold since."""
        if not self.passes_alone or one.player in self.is_warned or one.turn != one.player:
            return False
        return isinstance(one.action, Pass | Done) and can_only_sell(one)

    def _wake(self, index: int) -> None:
        one = self.recorded.decided[index]
        before, after = one.game, self.recorded.after(index)
        for key, plan in [*self.plans.items()]:
            if key[0] != one.player and woken(before, after, key[0], plan) is not None:
                del self.plans[key]
        watch = Plan("", (Stay(),), wake=(*find_wakes("start"), *find_wakes("sale", ["mine"])))
        for player in after.state.order:
            if player != one.player and woken(before, after, player, watch) is not None:
                self.is_warned.add(player)


def leads_of(one: Decided) -> list[Owner]:
    lots = one.game.title.words.lots(one.game)
    return [Owner(lot.sign) for lot in lots if lot.leader == one.player]


def is_same(one: Decided, planned: Action) -> bool:
    """Whether a plan did what its owner did: of bids the same lot, of runs the same revenue."""
    if isinstance(planned, Bid) and isinstance(one.action, Bid):
        return planned.lot == one.action.lot
    if isinstance(planned, RunRoutes) and isinstance(one.action, RunRoutes):
        return revenue_after(one.game, planned) == revenue_after(one.game, one.action)
    if isinstance(planned, Pass | Done) and isinstance(one.action, Pass | Done):
        return True
    return planned == one.action


def revenue_after(game: Game, run: RunRoutes) -> int:
    trial = game.copy()
    events = trial.apply(run)
    return sum(getattr(event, "revenue", 0) for event in events)


def can_only_sell(one: Decided) -> bool:
    """Whether a player in their turn of a stock round can neither buy a share nor start a company."""
    if one.round[0] != "stock":
        return False
    options = (action for step in one.game.open_steps() for action in step.options(one.game))
    return not any(isinstance(action, BuyShares | Par) for action in options)


# -- the oracle -----------------------------------------------------------------------------------------------


def plan_all(course: Course, index: int) -> Mapping[Taken, Plan]:
    """What the player of a decision really did afterwards, as plans: of their own turns for the rest of the round, of each
    company for its next turn."""
    decided = course.recorded.decided
    here = decided[index]
    found: dict[Taken, Plan] = {}
    own = [*own_turns_later(decided, index)]
    if own:
        found[here.player, here.player] = plan_for_player(here.player, own)
    for company in companies_of(course.recorded.after(index), here.player):
        turn = next_turn(decided, index, company)
        if turn and turn[0].player == here.player:
            found[here.player, company] = plan_for_company(company, turn)
    return found


def later_of_round(decided: Sequence[Decided], index: int) -> Iterator[Decided]:
    for one in decided[index + 1 :]:
        if one.round != decided[index].round:
            return
        yield one


def own_turns_later(decided: Sequence[Decided], index: int) -> Iterator[Decided]:
    """What the player of a decision decides for themselves in the rest of the round."""
    player = decided[index].player
    return (
        one
        for one in later_of_round(decided, index)
        if one.player == player and one.turn == player and not one.is_forced
    )


def companies_of(game: Game, player: PlayerId) -> list[CompanyId]:
    return [company for company in game.state.companies if game.controller_of(Owner(company)) == player]


def next_turn(decided: Sequence[Decided], index: int, company: CompanyId) -> list[Decided]:
    """The rest of the turn that the company is in, or its next turn."""
    found: list[Decided] = []
    for one in decided[index + 1 :]:
        if found and (one.round != found[0].round or one.turn != company):
            break
        if one.turn == company:
            found.append(one)
    return found


def plan_for_player(player: PlayerId, own: Sequence[Decided]) -> Plan:
    bids = [one.action for one in own if isinstance(one.action, Bid | BuyPrivate | ReducePrice)]
    if bids and not any(isinstance(action, ReducePrice) for action in bids):
        most: dict[str, int] = {}
        for bid in bids:
            if isinstance(bid, Bid):
                most[str(bid.lot)] = max(bid.price, most.get(str(bid.lot), 0))
            elif isinstance(bid, BuyPrivate):
                most[str(bid.private)] = bid.price
        return Plan(player, (Bids(most),))
    steps: list[Step] = [Do(format_action(one.action)) for one in own]
    planned = [
        str(action.company)
        for one in own
        if isinstance(action := one.action, BuyShares | Par) and str(action.company) in one.game.state.companies
    ]
    return Plan(player, tuple(steps), () if bids else stock_wakes(planned))


def stock_wakes(planned: Sequence[str] = ()) -> tuple[When, ...]:
    """A sale of what the player holds or plans to buy, a start, another president."""
    sales = find_wakes("sale", ["mine", *dict.fromkeys(planned)])
    return (*sales, *find_wakes("start"))


def plan_for_company(company: CompanyId, turn: Sequence[Decided]) -> Plan:
    """The moves of a turn; wakes are a phase, another kind of train on top, a fall, other trains, another president, and changes
    of the hexes that it builds on."""
    steps: list[Step] = []
    hexes: list[str] = []
    for at, one in enumerate(turn):
        action = one.action
        if isinstance(action, RunRoutes):
            paid = next((after.action for after in turn[at:] if isinstance(after.action, Dividend)), None)
            steps.append(RunBest(str(paid.kind) if paid is not None else "", revenue_after(one.game, action)))
        elif isinstance(action, LayTile | PlaceToken):
            hexes.append(str(action.hex))
            steps.append(Do(format_action(action)))
        elif not isinstance(action, Dividend) and (one is turn[-1] or not isinstance(action, Pass | Done)):
            steps.append(Do(format_action(action)))
    wakes = [
        *find_wakes("phase"),
        *find_wakes("next"),
        *find_wakes("fall", [company]),
        *find_wakes("president", [company]),
        When(Fact("trains", company), "changes"),
        *(When(Fact("hex", name), "changes") for name in dict.fromkeys(hexes)),
    ]
    return Plan(company, tuple(steps), tuple(wakes))


# -- taps -----------------------------------------------------------------------------------------------------


def tap(course: Course, index: int) -> Mapping[Taken, Plan]:
    """The plans of the buttons, of those offered after this move, that are right for the player's next decision in the round and
    for the next turn of the company that has moved: one at most for each; nothing where none is."""
    decided = course.recorded.decided
    here, after = decided[index], course.recorded.after(index)
    if here.player in after.players_to_act():
        return {}
    standing = [turn for player, turn in course.plans if player == here.player]
    found: dict[Taken, Plan] = {}
    for offer in list_offers(after, here.player, [*standing, IDLE], last_moves(decided, index)):
        plan = read_plan(after, here.player, offer.plan)
        if offer.is_draft:
            plan = changed(plan, steps=(Bids({**highest_bids(course, here.player, index)}),))
        key = (here.player, plan.turn)
        if key not in found and is_right(decided, index, plan):
            found[key] = plan
    return found


def last_moves(decided: Sequence[Decided], index: int) -> list[Action]:
    """The moves of the turn that ends with this decision, oldest first."""
    found: list[Action] = []
    for one in decided[index::-1]:
        if (one.player, one.turn) != (decided[index].player, decided[index].turn):
            break
        found.append(one.action)
    return found[::-1]


def is_right(decided: Sequence[Decided], index: int, plan: Plan) -> bool:
    """Whether a plan begins with what its owner did next: in their own turn, or in a whole turn of the company."""
    player = decided[index].player
    if plan.turn != player:
        turn = next_turn(decided, index, CompanyId(Owner(plan.turn)))
        theirs = [one.action for one in turn if not isinstance(one.action, RunRoutes | Pass | Done)]
        is_later = bool(turn) and turn[0].round != decided[index].round
        uses = [RunBest(str(action.kind)) for action in theirs if isinstance(action, Dividend)]
        return is_later and len(theirs) == len(uses) == 1 and uses[0] in plan.steps
    following = next(own_turns_later(decided, index), None)
    if following is None:
        return False
    decision = evaluate(following.game, player, plan, leads_of(following))
    return isinstance(decision, Act) and is_same(following, decision.action)


def highest_bids(course: Course, player: PlayerId, index: int) -> Mapping[str, int]:
    """Of the lots bid for so far the most that the player ever bids: the one thing that is taken from later moves."""
    decided = course.recorded.decided
    bids = [one.action for one in decided if one.player == player and isinstance(one.action, Bid)]
    until = [one.action.lot for one in decided[: index + 1] if one.player == player and isinstance(one.action, Bid)]
    return {str(lot): max(bid.price for bid in bids if bid.lot == lot) for lot in dict.fromkeys(until)}


def nothing(course: Course, index: int) -> Mapping[Taken, Plan]:
    return {}


# -- games ----------------------------------------------------------------------------------------------------


def read_game(path: Path) -> RecordedGame:
    """:raises InvalidFile: the file cannot be read; :raises Divergence: our rules refuse an action."""
    record = load(path)
    times = moments(record)
    decided: list[Decided] = []
    before = 0.0

    def see(number: int, game: Game, action: Action) -> None:
        nonlocal before
        player = game.controller_of(action.by)
        now = times.get(number, before)
        if player is not None:
            decided.append(
                Decided(game.copy(), action, player, has_no_choice(game), max(0.0, now - before) if before else 0.0)
            )
        before = now

    last = watch_actions(record, see)
    return RecordedGame(path.stem, record.title, decided, last)


def has_no_choice(game: Game) -> bool:
    """Whether there is only one legal action; routes are always a choice."""
    found: set[Action] = set()
    for step in game.open_steps():
        if RunRoutes in step.verbs:
            return False
        found.update(step.options(game))
        if len(found) > 1:
            return False
    return len(found) == 1


def moments(record: Log | GameRecordFile) -> dict[int, float]:
    """When each action that was not taken back was made, by its place from 1."""
    actions = replay_of(record).effective if isinstance(record, Log) else []
    made = ((at, one.get("created_at")) for at, one in enumerate(actions, 1))
    return {at: float(when) for at, when in made if isinstance(when, int)}


def find_games(peer: str, titles: Iterable[str]) -> list[Path]:
    """The stored games of these titles, beside the project and in a checkout of the peer, each once."""
    shared = Path(os.environ.get("SIGNALBOX_SHARED") or PROJECT.parent / "shared") / "peer-games"
    roots = [shared, *([Path(peer) / "public" / "fixtures"] if peer else [])]
    found: dict[tuple[str, str], Path] = {}
    for title in titles:
        for root in roots:
            for path in sorted((root / title).glob("*.json")):
                found.setdefault((title, path.name), path)
    return [*found.values()]


LEVELS: Mapping[str, Callable[[RecordedGame], Count]] = {
    "played": lambda recorded: Course(recorded, nothing).count(),
    "oracle": lambda recorded: Course(recorded, plan_all).count(),
    "taps": lambda recorded: Course(recorded, tap, passes_alone=True).count(),
}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", default=os.environ.get("PEER", ""), help="a checkout of 18xx.games (default: PEER)")
    parser.add_argument("--titles", default="", help="titles whose games count, with commas (default: all)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args(argv)
    titles = [title for title in arguments.titles.split(",") if title]
    rows: list[dict[str, Any]] = []
    for path in find_games(arguments.peer, titles or [*DIALECTS]):
        try:
            recorded = read_game(path)
        except (InvalidFile, Divergence) as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        counts = {name: level(recorded) for name, level in LEVELS.items()}
        rows.append({"name": recorded.name, "title": recorded.title, "counts": counts})
        if not arguments.json:
            told = ", ".join(
                f"{name} {count.hand_offs} ({count.waited / 86400:.1f} d)" for name, count in counts.items()
            )
            print(f"{recorded.title} {recorded.name}: {told}")
    if not rows:
        print("no games: they lie beside the project in ../shared, or name a checkout with PEER=", file=sys.stderr)
        return 1
    report = build_report(rows)
    print(json.dumps(report) if arguments.json else table(report))
    return 0


def build_report(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Medians: of hand-offs over all games, of waiting over those played by post."""
    by_post = [row for row in rows if row["counts"]["played"].waited > LEAST_DAYS * 86400]
    return {
        "games": len(rows),
        "hand_offs": {name: median(row["counts"][name].hand_offs for row in rows) for name in LEVELS},
        "waiting_days": {
            name: round(median(row["counts"][name].waited / 86400 for row in by_post), 1) if by_post else None
            for name in LEVELS
        },
    }


def table(report: Mapping[str, Any]) -> str:
    lines = [f"{report['games']} games; medians", f"{'':8}{'hand-offs':>12}{'days':>8}"]
    for name in LEVELS:
        lines.append(f"{name:8}{report['hand_offs'][name]:>12}{report['waiting_days'][name]!s:>8}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
