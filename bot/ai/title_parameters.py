"""The parameters of a computer player for each title: a few numbers; and how strong players differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from typing import TYPE_CHECKING

from bot.engine.play import Game, Title
from bot.engine.state import Action
from bot.titles.registry import TITLES, find_title_module

if TYPE_CHECKING:
    from .move_evaluator import Evaluator, ScoredMove


@dataclass(frozen=True)
class TitleParameters:
    """A title's numbers.

    `sets` stock rounds of a usual game; `tempo` trains that the bank sells or loses in an operating round beside those
    for companies that have none; `stop` what a stop of a train's way comes to earn; `rises` from which multiples of its
    price a dividend moves a share up, one space each; `floats` percent that float a company, by kind, or by phase, the
    last of them for all later phases; `private` what an income of 1 from a private is worth, in operating rounds;
    `most` a train that comes to be used, as what a place on the board is worth in the end; `reserve` what a player
    keeps at the auction to start a company, or `kept` what all of them keep together; `paid` what people pay for privates
    at the auction (means of recorded games); `closes` the phase in which privates close; `fear` what a pound costs that a company lacks for a train; `idle` the part
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
    kept: int = 0
    paid: Mapping[str, int] = field(default_factory=dict)
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
    set_rounds: int = 0
    does_bank_end: bool = True
    closes: str = ""
    start: int = 0
    places: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class TitleAi:
    """The knowledge of computer players and random players about one title: `AI` in its folder's `ai.py`.

    `verb_weights` how often random players choose its verbs; `score_moves` judges the verbs in `handled`, whose gain comes
    only moves later. `taste` is how many of ten simulated people like the title best (`signalbox simulate`).
    """

    parameters: TitleParameters | None = None
    taste: int = 0
    verb_weights: Mapping[str, int] = field(default_factory=dict)
    handled: Collection[str] = ()
    score_moves: Callable[[Evaluator, list[Action]], list[ScoredMove]] | None = None


@cache
def title_ai(title: str) -> TitleAi:
    """Empty where the title's folder says nothing."""
    module = find_title_module(title, "ai")
    return module.AI if module is not None else TitleAi()


class TitleTraits(dict[str, TitleParameters]):
    """The parameters by title, each found when it is first asked for."""

    def __missing__(self, title: str) -> TitleParameters:
        found = title_ai(title).parameters or usual_parameters(TITLES[title])
        self[title] = found
        return found


TRAITS = TitleTraits()


def usual_parameters(title: Title) -> TitleParameters:
    """The numbers of a title that gives none: those of a usual game, until tournaments have found better numbers."""
    lasting = (name for name, train in title.trains.items() if train.rusts_on is None)
    most = next(lasting, [*title.trains][-1])
    floats = {title.phases[0].name: 60}
    return TitleParameters(sets=8, tempo=0.9, stop=34, rises=(0,), floats=floats, private=6, most=most, reserve=300)


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
    without having to; `idle` what a build counts less by which no train earns more; `lists_all` whether it lists all moves, also those that it would not make; `follows_people` whether the prior that was
    learned from people orders them; `is_steadfast` whether it keeps shares bought in this stock round and the last,
    unless something has happened to the company; `renews` whether it expects companies to renew their trains by a clock of
    purchases, and fears ruin.
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
    idle: float = 0.0
    lists_all: bool = False
    follows_people: bool = False
    is_steadfast: bool = False
    renews: bool = False


LEARNER = SkillLevel(
    "learner", 1, 0, 1.0, 0, 60, 0.45, 0.45, most_kept=400, easy=1, sight=3.0, thrift=1.0, rush=-0.6, trades=False
)
STEADY = SkillLevel("steady", 6, 2, 0.65, 0, 160, 0.28, 0.25, most_kept=400)
STRONG = SkillLevel("strong", 12, 10, 0.01, 3, 400, thrift=0.3)
CLUB = replace(
    STRONG,
    name="club",
    ahead=8,
    looks=1000,
    idle=10.0,
    lists_all=True,
    follows_people=True,
    is_steadfast=True,
    renews=True,
)
STRENGTHS = {strength.name: strength for strength in (LEARNER, STEADY, STRONG, CLUB)}


def auction_reserve(game: Game) -> int:
    """The money that a player keeps at the auction to start a company."""
    parameters = parameters_of(game)
    return parameters.kept // len(game.state.players) or parameters.reserve


USUAL_START = 80
"""The price of a start where no games of the title are known."""


def usual_start(game: Game) -> int:
    return parameters_of(game).start or USUAL_START


def parameters_of(game: Game) -> TitleParameters:
    return TRAITS[game.title.id]
