"""The pay of single stops and single bonuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.board import Stop

from .model import PairBonus, RouteBonus, RouteProblem, SetBonus, TrackBonus


def stop_payments(problem: RouteProblem, counted: Sequence[Stop], scale: str) -> list[tuple[Stop, int]]:
    """The pay of each stop to trains of that scale. Only the highest of the counted stops of one place pays, the first if equal."""
    best: dict[str, tuple[int, Stop]] = {}
    for stop in counted:
        worth = problem.values[stop]
        if worth.place:
            known = best.get(worth.place)
            if known is None or worth.pay(scale) > known[0]:
                best[worth.place] = worth.pay(scale), stop
    paid = []
    for stop in counted:
        worth = problem.values[stop]
        paid.append((stop, worth.pay(scale) if not worth.place or best[worth.place][1] == stop else 0))
    return paid


def bonus_money(problem: RouteProblem, bonus: RouteBonus, counted: Sequence[Stop], segments: Iterable[int]) -> int:
    if isinstance(bonus, TrackBonus):
        crossed = not bonus.segments.isdisjoint(segments)
        return (bonus.money + bonus.per_stop * len(counted)) if crossed else 0
    if isinstance(bonus, SetBonus):
        count = sum(bonus.tag in problem.values[stop].tags for stop in counted)
        return max((money for number, money in bonus.by_count.items() if number <= count), default=0)
    return _pair_money(problem, bonus, counted)


def _pair_money(problem: RouteProblem, bonus: PairBonus, counted: Sequence[Stop]) -> int:
    ones = [stop for stop in counted if bonus.one in problem.values[stop].tags]
    others = [stop for stop in counted if bonus.other in problem.values[stop].tags] if ones else []
    if not bonus.by_stop:
        return bonus.money if others and len({*ones, *others}) > 1 else 0
    pairs = [(one, other) for one in ones for other in others if one != other]
    return max((bonus.money + bonus.by_stop.get(a, 0) + bonus.by_stop.get(b, 0) for a, b in pairs), default=0)
