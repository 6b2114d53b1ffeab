"""What a computer player is told of each title: a few numbers; and how strong players differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Traits:
    """A title's numbers.

    `sets` stock rounds of a usual game; `tempo` trains that the bank sells or loses in an operating round; `stop` what a
    stop of a train's way comes to earn; `rises` from which multiples of its price a dividend moves a share up, one space
    each; `floats` percent that launch a company, by phase, the last one for all later ones; `private` what an income of 1
    from a private is worth, in operating rounds; `growth` of a company's earnings from round to round; `most` a train
    that comes to be used, as what a place on the board is worth in the end; `reserve` what a player keeps at the auction to
    start a company; `fear` what a pound costs that a company lacks for a train; `idle` the part of its price that a share
    loses in the end while its company has no train; `bank` what a
    company that nobody directs pays in an operating round; `extras` what privates are worth beyond income and price; `waits` companies that cannot be launched
    before a phase.
    """

    sets: int
    tempo: float
    stop: int
    rises: tuple[float, ...]
    floats: Mapping[str, int]
    private: int
    growth: float
    most: str
    reserve: int = 0
    fear: float = 0.3
    idle: float = 0.0
    bank: int = 0
    extras: Mapping[str, int] = field(default_factory=dict)
    waits: Mapping[str, str] = field(default_factory=dict)


TRAITS = {
    "1848": Traits(9, 1.7, 36, (0,), {"2": 60}, 7, 0.05, "5", 300, 0.1, 0, 90, {"P6": 120}, {"COM": "6"}),
    "18GB": Traits(8, 1.8, 34, (0, 2, 3, 4), {"2+1": 40, "3+1": 60}, 6, 0.05, "5+2", 150, 0.1, 0.5),
    "1844": Traits(9, 2.0, 32, (0,), {"1": 50}, 7, 0.05, "5", 250, 0.8, 0, 0, {"P5": 60, "P6": 150, "P7": 115}),
    "18BF": Traits(11, 2.2, 32, (1,), {"2": 0}, 7, 0.05, "5"),
    "1830": Traits(8, 1.8, 36, (0,), {"2": 60}, 6, 0.05, "5", 420, 1.0, 0, 0, {"MH": 40, "CA": 60, "BO": 60}),
    "1820": Traits(9, 2.0, 36, (1, 2, 4), {"yellow": 0}, 0, 0.04, "5+"),
}


@dataclass(frozen=True)
class Strength:
    """How well a computer plays. `lays` so many lays and tokens are searched for routes; `noise` how far its judgement goes
    astray, as a part of what it judges; `ahead` how many of the best moves are played on to the end of the turn; `looks`
    how many positions all of it may cost."""

    name: str
    lays: int
    noise: float
    ahead: int
    looks: int


LEARNER = Strength("learner", 4, 0.6, 0, 60)
STEADY = Strength("steady", 8, 0.06, 0, 160)
STRONG = Strength("strong", 16, 0.01, 3, 400)
STRENGTHS = {strength.name: strength for strength in (LEARNER, STEADY, STRONG)}
