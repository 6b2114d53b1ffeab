"""`signalbox simulate`: how tables fill and end among people who do not exist."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from statistics import median, quantiles
from typing import Any

from bot.untrusted_input import InvalidFile

from .games import progress_bar
from .simulated_people import Simulation, SimulationReport


def simulate(arguments: argparse.Namespace) -> int:
    if not 0 <= arguments.drop_outs <= 100:
        raise InvalidFile("--drop-outs is a number from 0 to 100")
    seeds = range(arguments.seed, arguments.seed + arguments.seeds)
    reports = []
    for seed in progress_bar(seeds, "simulating", len(seeds)):
        simulation = Simulation(arguments.people, arguments.days, arguments.drop_outs, seed)
        reports.append(asyncio.run(simulation.run()))
        print(f"seed {seed}: {reports[-1].ended} of {reports[-1].games} games ended", file=sys.stderr)
    found = summary_of(reports)
    if arguments.json:
        print(json.dumps({"people": arguments.people, "days": arguments.days, "seeds": [*seeds], **found}))
        return 0
    for name, value in found.items():
        print(f"{name}: {value}")
    return 0


def summary_of(reports: Sequence[SimulationReport]) -> dict[str, Any]:
    """Medians over the seeds, each with the range of 90 of 100 of them."""
    counts = ("games", "ended", "running", "broken", "lobbies", "substitutes")
    found: dict[str, Any] = {}
    for name in counts:
        found |= with_range(name, [float(getattr(one, name)) for one in reports])
    found |= with_range("ended_share", [one.ended / one.games for one in reports if one.games])
    found |= with_range("median_fill_days", [median(one.fill_days) for one in reports if one.fill_days])
    found |= with_range("median_length_days", [median(one.length_days) for one in reports if one.length_days])
    found |= with_range("computer_seat_share", [one.computer_seats / one.seats for one in reports if one.seats])
    return found


def with_range(name: str, values: Iterable[float]) -> dict[str, Any]:
    """A median, and under `<name>_range` the 5th and 95th of 100; None where nothing was measured."""
    known = sorted(values)
    if not known:
        return {name: None, f"{name}_range": None}
    cuts = quantiles(known, n=20, method="inclusive") if len(known) > 1 else [known[0]] * 19
    return {name: round(median(known), 3), f"{name}_range": [round(cuts[0], 3), round(cuts[-1], 3)]}
