"""Simulated people: the same seed is the same crowd, its games are real, and drop-outs are replaced."""

from __future__ import annotations

from bot.cli.simulate import summary_of
from bot.cli.simulated_people import Simulation, SimulationReport


async def test_a_crowd_fills_tables_and_the_same_seed_is_the_same_crowd() -> None:
    first, again, other = [await Simulation(7, 3, 20, seed).run() for seed in (3, 3, 4)]
    assert first == again and first != other
    assert first.games >= 1 and first.running + first.ended + first.broken == first.games
    assert len(first.fill_days) == first.games


def test_ranges_are_those_of_the_seeds() -> None:
    found = summary_of([SimulationReport(games=10, ended=number, fill_days=[float(number)]) for number in range(1, 10)])
    assert found["games"] == 10 and found["ended"] == 5 and found["median_fill_days"] == 5
    assert found["ended_range"] == [1.4, 8.6] and found["median_length_days"] is None
