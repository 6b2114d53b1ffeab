"""A game as a text: how the table stands, who is asked, what is legal, what is chosen and what came of it.

The text holds its own moves: written anew, the game goes on by them as long as they are legal, and by chance from there. So
a change of rules shows where it tells, and no more than that.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.ai.fuzzer import ALL_TEMPERS, RandomGame
from bot.engine.ids import BANK, POOL
from bot.engine.notation.messages import question
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.play.title import Step, Title
from bot.engine.refusals import Rejected
from bot.engine.state.actions import Action
from bot.i18n import tr_lines
from bot.service.views.log_sections import section_of
from tests.message_helpers import told

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus")
HEAD = re.compile(r"^(\S+), (\d) players, seed (\d+), (\w+), at most (\d+) moves$", re.M)
CHOSEN = re.compile(r"^> ([^|\n]+?)(?: \|.*)?$", re.M)
IN_FULL = 2
"""How often a kind of decision is told in full: as often as something else is chosen in it."""

FEW = 4
"""So many moves of one verb are named; of more there is only their number."""


@dataclass(frozen=True)
class Beginning:
    """What a play-through begins from, and where it stops; `moves` that were chosen once."""

    title: str
    players: int
    seed: int
    temper: str
    most: int = 600
    moves: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Its first line."""
        return f"{self.title}, {self.players} players, seed {self.seed}, {self.temper}, at most {self.most} moves"


def path_of(title: Title) -> Path:
    """Where a title's play-through is kept."""
    return Path(__file__).with_name(f"{title.id}.txt")


def beginning_of(text: str) -> Beginning:
    """What a written play-through began from.

    :raises ValueError: it is none.
    """
    head = HEAD.search(text)
    if head is None:
        raise ValueError(f"no play-through begins with {text[:60]!r}")
    title, players, seed, temper, most = head.groups()
    return Beginning(title, int(players), int(seed), temper, int(most), tuple(CHOSEN.findall(text)))


def written(title: Title, beginning: Beginning) -> str:
    """The whole text."""
    return "\n".join(Telling(title, beginning).lines()) + "\n"


@dataclass
class Telling:
    """A play-through as it is told."""

    title: Title
    beginning: Beginning
    met: dict[str, Step] = field(default_factory=dict)
    done: set[type[Action]] = field(default_factory=set)
    told: Counter[tuple[str, int, type[Action]]] = field(default_factory=Counter)

    def lines(self) -> Iterator[str]:
        """Every line."""
        begun = self.beginning
        temper = next(temper for temper in ALL_TEMPERS if temper.name == begun.temper)
        table = RandomGame(self.title, begun.players, begun.seed, {}, temper, is_audited=False)
        game, recorded, stretch = table.game, list(begun.moves), ""
        for player, name in zip(game.state.players, NAMES, strict=False):
            player.name = name
        yield str(begun)
        while not game.state.finished and game.state.moves < begun.most:
            now = str(section_of(game)).partition(":")[0]
            if now != stretch:
                yield ""
                yield f"== {now}, phase {game.state.phase}"
                yield from () if "Operating" in now else standing(game)
                stretch = now
            self.met |= {step.name: step for step in game.open_steps()}
            action = chosen(game, recorded) or table.choice()
            yield from self._decision(game, action)
        yield ""
        yield from map(str, standing(game))
        yield f"Never asked: {', '.join(sorted(self._unmet())) or 'nothing'}."
        yield f"Never done: {', '.join(sorted(kind.__name__ for kind in self._undone())) or 'nothing'}."

    def _decision(self, game: Game, action: Action) -> Iterator[str]:
        """One decision, in full when it is rare, and what came of it."""
        kind = (game.frame.plan, game.frame.at, type(action))
        self.told[kind] += 1
        self.done.add(type(action))
        is_full = self.told[kind] <= IN_FULL
        if is_full:
            yield f"{game.state.moves + 1}. {tr_lines([question(game)], game.state.names)[0]}"
            yield f"  legal: {'; '.join(listed(game.legal_actions()))}"
        before = holdings(game)
        happened = game.apply(action)
        came = "; ".join(changes(before, holdings(game)))
        if is_full:
            yield f"> {format_action(action)}"
            yield from (f"  {line}" for line in told(game, happened))
            yield from [f"  {came}"] if came else []
        else:
            yield f"> {format_action(action)}{' | ' * bool(came)}{came}"

    def _unmet(self) -> set[str]:
        plans = self.title.plans.values()
        steps = (step for plan in plans for step in (*plan.steps, *plan.anytime, *plan.unasked) if not callable(step))
        return {step.name for step in steps} - self.met.keys()

    def _undone(self) -> set[type[Action]]:
        return set(self.title.verbs) - self.done


# -- what is chosen and what was possible --------------------------------------------------------------


def chosen(game: Game, recorded: list[str]) -> Action | None:
    """The next of the recorded moves; where it is not legal, none of them is made any more."""
    if not recorded:
        return None
    try:
        action = parse_action(game.title, recorded.pop(0))
        game.check(action)
    except Rejected:
        recorded.clear()
        return None
    return action


def listed(legal: Iterable[Action]) -> Iterator[str]:
    """Legal moves by verb: a few in full, of many their number."""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for action in legal:
        by, verb, rest = (*format_action(action).split(" ", 2), "")[:3]
        alike[f"{by} {verb}"].append(rest)
    for verb, moves in alike.items():
        if len(moves) > FEW:
            yield f"{verb} ({len(moves)})"
        else:
            yield f"{verb} {', '.join(moves)}".strip()


# -- what everybody has ---------------------------------------------------------------------------------

Holdings = dict[str, dict[str, int]]
"""By owner, how many of each thing: money, percent of companies, trains, privates; of companies price, tokens and loans too."""


def holdings(game: Game) -> Holdings:
    """What players, companies and the pool have."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    state = game.state
    for owner, money in state.cash.items():
        if owner != BANK:
            found[owner]["money"] = money
    for company in state.companies.values():
        for certificate in company.certificates:
            found[certificate.owner][f"{company.id}%"] += certificate.percent
        if company.position is not None and not company.closed:
            found[company.id]["price"] = price_of(game, company.id)
        if company.floated:
            found[company.id]["tokens"] = len(company.tokens_left)
            found[company.id]["loans"] = company.loans
    for train in state.trains:
        found[train.owner][f"{train.kind}-train"] += 1
    for private in state.privates.values():
        if private.owner is not None and not private.closed:
            found[private.owner][private.id] = 1
    shown = {*state.names, *state.companies, POOL}
    return {owner: found[owner] for owner in sorted(found) if owner in shown}


def standing(game: Game) -> Iterator[str]:
    """Everybody's things, a line each."""
    for owner, things in holdings(game).items():
        has = [f"{thing} {number}" for thing, number in things.items() if number]
        if has:
            yield f"  {owner}: {', '.join(has)}"


def changes(before: Holdings, after: Holdings) -> Iterator[str]:
    """What has become more or less, by owner."""
    for owner in sorted({*before, *after}):
        old, new = before.get(owner, {}), after.get(owner, {})
        changed = [
            f"{thing} {old.get(thing, 0)}→{new.get(thing, 0)}"
            for thing in dict.fromkeys((*old, *new))
            if old.get(thing, 0) != new.get(thing, 0)
        ]
        if changed:
            yield f"{owner} {', '.join(changed)}"
