"""The review of a finished game: everybody's chances from round to round, and the turns that changed them, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from bot.engine import Owner, PlayerId, Value, is_player, isolate, literal, msg
from bot.engine.play import Title
from bot.i18n import tr
from bot.i18n.labels import format_round_label

if TYPE_CHECKING:
    from bot.ai.chances import RoundChances
    from bot.ai.review import Review, TurningPoint


def review_head(title: Title, found: Review) -> str:
    return tr(
        "{title}: chances of winning, learned from {computers} games of computer players and {people} of people.",
        title.name,
        found.learned_from["computers"],
        found.learned_from["people"],
    )


def curve_lines(names: Mapping[PlayerId, str], curve: Sequence[RoundChances]) -> Iterator[str]:
    """A line for every round: `SR 2: Ann 31 %, Bob 44 %, Cid 25 %`."""
    for row in curve:
        parts = ", ".join(f"{isolate(names[seat])} {percent(row.chances[seat])}" for seat in sorted(row.chances))
        yield f"{format_round_label(row.label)}: {parts}"


def point_lines(names: Mapping[PlayerId, str], points: Sequence[TurningPoint]) -> Iterator[str]:
    """One line a turn: what was done, whose chances it changed; below it what would have been better."""
    for _, some in groupby(points, key=lambda point: point.turn):
        together = [*some]
        first = together[0]
        who: Value = first.by
        if first.better and not is_player(first.by):
            who = msg("{company} ({player})", first.by, first.seat)
        changes = ", ".join(
            f"{isolate(names[point.seat])} {percent(point.before)} → {percent(point.after)}" for point in together
        )
        made = "; ".join(_as_typed(move, first.by) for move in first.made)
        label = format_round_label(first.label)
        yield tr("{round}, {who}: {moves}. {changes}.", label, who, literal(made), literal(changes), names=names)
        yield from (_better_line(names, point) for point in together if point.better)


def _better_line(names: Mapping[PlayerId, str], point: TurningPoint) -> str:
    better = tr(
        "Better than {move}: {better} ({chance}).",
        literal(_as_typed(point.instead_of, point.by)),
        literal(_as_typed(point.better, point.by)),
        percent(point.possible),
    )
    return f"{better} {tr('{reason}', point.reason, names=names)}" if point.reason is not None else better


def percent(chance: float) -> str:
    return f"{round(100 * chance)} %"


def _as_typed(move: str, by: Owner) -> str:
    """A move as its owner would type it; of a run only the word, since routes are long."""
    typed = move.removeprefix(f"{by} ")
    return "run" if typed.startswith("run ") else typed
