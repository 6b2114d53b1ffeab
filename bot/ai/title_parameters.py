"""The parameters of a computer player for each title: a few numbers; and how strong players differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

from bot.engine import IPO, POOL
from bot.engine.play import Game


@dataclass(frozen=True)
class TitleParameters:
    """A title's numbers.

    `sets` stock rounds of a usual game; `tempo` trains that the bank sells or loses in an operating round beside those
    for companies that have none; `stop` what a stop of a train's way comes to earn; `rises` from which multiples of its
    price a dividend moves a share up, one space each; `floats` percent that float a company, by kind, or by phase, the
    last of them for all later phases; `private` what an income of 1 from a private is worth, in operating rounds;
    `most` a train that comes to be used, as what a place on the board is worth in the end; `reserve` what a player
    keeps at the auction to start a company; `fear` what a pound costs that a company lacks for a train; `idle` the part
    of its price that a share loses in the end while its company has no train; `bank` what a company that nobody directs
    pays in an operating round; `feeds` whose shares earn for the company itself; `lent` where nobody must add to a
    company's money for a train: the part of a train's run that it earns without any train; `sight` how many operating
    rounds ahead outlooks hold; `borrows` what a loan brings where it is taken only for a train, since it costs the
    share price; `loan` what a loan comes to that shareholders pay back when their company is wound up;
    `is_last_train_the_end` whether the game ends with the bank's trains; `extras` what privates are worth beyond income
    and price; `waits` companies that cannot be launched before a phase; `capital` how many times its price a company
    has when it is launched, by kind, where that is not all its shares; `pool_falls` for how much percent in the pool a
    price falls a space after a stock round; `upkeep` what a train costs in an operating round, by the column of the
    costs of business, until it costs more than it earns (1820 §7.2.5, §10.5); `later` what moves of a verb cost beyond
    what is seen at once: half of the ten shares of 18GB pay the bank until they are sold, and no company goes back to
    five; below zero what they save: a debt of 1844 grows by half in every share round, and who owes buys nothing (1844
    §XVII); `marks` what of the title's own record routes depend on; `lays` and `pairs` the maximum of them that are
    compared, at any strength: fewer where companies are many and their trains long; `do_presidents_pay` whether a
    president's own privates pay for what the trains of their companies visit.
    """

    sets: int
    tempo: float
    stop: int
    rises: tuple[float, ...]
    floats: Mapping[str, int]
    private: int
    most: str
    reserve: int = 0
    fear: float = 0.3
    idle: float = 0.0
    bank: int = 0
    feeds: str = ""
    lent: float | None = None
    loan: int = 0
    is_last_train_the_end: bool = False
    extras: Mapping[str, int] = field(default_factory=dict)
    waits: Mapping[str, str] = field(default_factory=dict)
    capital: Mapping[str, int] = field(default_factory=dict)
    pool_falls: int = 0
    upkeep: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    later: Mapping[str, float] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    do_presidents_pay: bool = False
    lays: int = 12
    pairs: int = 10
    borrows: int = 0
    sight: float = inf


TRAITS = {
    "1848": TitleParameters(
        sets=9,
        tempo=0.85,
        stop=36,
        rises=(0,),
        floats={"2": 60},
        private=7,
        most="5",
        reserve=300,
        fear=0.1,
        bank=90,
        lent=0.0,
        extras={"P6": 120},
        waits={"COM": "6"},
        borrows=100,
    ),
    "18GB": TitleParameters(
        sets=8,
        tempo=1.1,
        stop=34,
        rises=(0, 2, 3, 4),
        floats={"2+1": 40, "3+1": 60},
        private=6,
        most="5+2",
        reserve=150,
        fear=0.1,
        idle=0.5,
        feeds=IPO,
        lent=1.0,
        is_last_train_the_end=True,
        do_presidents_pay=True,
        later={"convert": 80.0},
    ),
    "1844": TitleParameters(
        sets=9,
        tempo=1.0,
        stop=32,
        rises=(0,),
        floats={"1": 50, "regional": 60},
        capital={"pre-SBB": 2, "historical": 5, "regional": 5},
        private=7,
        most="5",
        reserve=250,
        fear=0.8,
        sight=5.0,
        later={"repay": -100.0},
        extras={"P5": 60, "P6": 150, "P7": 115},
    ),
    "18BF": TitleParameters(
        sets=11,
        tempo=1.1,
        stop=32,
        rises=(1,),
        floats={"2": 0},
        private=7,
        most="5",
        feeds=IPO,
        marks=("ferries",),
        lays=8,
        pairs=4,
    ),
    "1830": TitleParameters(
        sets=8,
        tempo=0.9,
        stop=36,
        rises=(0,),
        floats={"2": 60},
        private=6,
        most="5",
        reserve=420,
        fear=1.0,
        feeds=POOL,
        extras={"MH": 40, "CA": 60, "BO": 60},
    ),
    "1820": TitleParameters(
        sets=9,
        tempo=1.0,
        stop=36,
        rises=(1, 2, 4),
        floats={"yellow": 0},
        private=0,
        most="5+",
        loan=200,
        bank=1400,
        pool_falls=5,
        extras=dict.fromkeys(("GWS", "SDS", "CBV", "RSCF", "BI", "GLCC", "JL", "JH", "VF"), 40),
        upkeep={
            "2+": (0, 0, 10, 25, 50),
            "3+": (0, 0, 0, 10, 25, 50, 100),
            "5+": (0, 0, 0, 0, 0, 25, 50, 100, 160),
            "8+": (0, 0, 0, 0, 0, 0, 0, 0, 50, 100, 160, 250),
            "5D+": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 160, 250, 400),
            "FLOOD": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400, 650),
        },
    ),
}


@dataclass(frozen=True)
class SkillLevel:
    """How well a computer plays.

    `lays` the number of lays and tokens that are searched for routes, and `pairs` the number of which the second lay is
    chosen with the first; `noise` how far its judgement goes astray, as a part of the most there is to gain; `ahead`
    how many of the best moves are played on to the end of the turn; `looks` how many positions all of it may cost;
    `overlooks` what part of its possibilities it does not see; `keeps` what part of its worth it keeps in hand when it
    buys shares, but no more than `most_kept`, and all of it after `easy` stock rounds; `sight` how many operating
    rounds ahead it sees what companies earn and when trains rust; `thrift` how much it likes what is cheap: gains are
    divided by the price to that power; `rush` what a train from the bank is worth to it beside what it earns, as a part
    of what its company pays; below zero who would rather have one train and the money; `trades` whether it sells shares
    without having to.
    """

    name: str
    lays: int
    pairs: int
    noise: float
    ahead: int
    looks: int
    overlooks: float = 0.0
    keeps: float = 0.0
    most_kept: int = 250
    easy: int = 4
    sight: float = inf
    thrift: float = 0.5
    rush: float = 0.5
    trades: bool = True


LEARNER = SkillLevel(
    "learner", 1, 0, 1.0, 0, 60, 0.45, 0.45, most_kept=400, easy=1, sight=3.0, thrift=1.0, rush=-0.6, trades=False
)
STEADY = SkillLevel("steady", 6, 2, 0.65, 0, 160, 0.28, 0.25, most_kept=400)
STRONG = SkillLevel("strong", 12, 10, 0.01, 3, 400, thrift=0.3)
STRENGTHS = {strength.name: strength for strength in (LEARNER, STEADY, STRONG)}


def parameters_of(game: Game) -> TitleParameters:
    return TRAITS[game.title.id]
