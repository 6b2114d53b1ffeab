"""The parts of a title: nouns as data, plans of turns, policies, reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from bot.engine import CompanyId, HexId, Owner, PlayerId, PrivateId, Rejected, Sentence, TileId
from bot.engine.board import BoardRules, Tile
from bot.engine.state import Action, Event

from .board_style import BoardStyle
from .glossary import Glossary
from .holdings import MarketSpec, operating_order, president_of

if TYPE_CHECKING:
    from bot.engine.routes.revenue import RouteProblem
    from bot.engine.state import Train

    from .audit import Audit
    from .game import Game
    from .move_builder import Composer


@dataclass(frozen=True)
class CompanySpec:
    """A company as printed: certificates in percent (the first is the president's if `has_president`).

    A company that can grow has its certificates after that in `grown`, and gets `more_tokens` (their prices) then.
    A company with `sizes` may come to have any of these numbers of equal shares; with one share it has no price. In some
    games it has the certificates of one of `otherwise`.
    """

    id: CompanyId
    name: str
    kind: str
    certificates: tuple[int, ...]
    tokens: tuple[int, ...]
    home: tuple[HexId, ...]
    colour: str
    text_colour: str
    has_president: bool = True
    home_city: int | None = None
    grown: tuple[int, ...] = ()
    more_tokens: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    otherwise: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def divisions(self) -> frozenset[tuple[int, ...]]:
        """Every way in which the company is divided into certificates, by their percents: as printed, and in rising order."""
        equal = ((100 // shares,) * shares for shares in self.sizes)
        printed = [self.certificates, self.grown, *self.otherwise, *equal]
        return frozenset([*printed, *(tuple(sorted(percents)) for percents in printed)])

    @cached_property
    def all_tokens(self) -> int:
        return len(self.tokens) + len(self.more_tokens)


@dataclass(frozen=True)
class PrivateSpec:
    """A private as printed: `brings` comes with it to the player who buys it from the bank, `power` is what it does for its
    owner. `price_range` is what a company may pay for it, None if it may not. `available_from` is the first phase in which
    it is for sale, `section` the rule about it.
    """

    id: PrivateId
    name: str
    price: int
    income: int
    power: str = ""
    price_range: tuple[int, int] | None = None
    available_from: str = ""
    section: str = ""
    brings: str = ""


@dataclass(frozen=True)
class TrainKind:
    """One side of a train card. `family` names the card, `rusts_on` the family whose first sale rusts it;
    if it `runs_once_more`, its company keeps it until it has run, beside its limit, and cannot sell it.

    `trade_in` lists families that may be given back, with what they take off the price. `available_from` is the
    phase from which the family is for sale beside the others; None: in the order of the cards. `is_unlimited` says
    that the bank never runs out of the family's cards, `is_single` that a company owns one of them, `is_tradeable` that
    companies sell it to each other.
    """

    name: str
    family: str
    price: int
    rusts_on: str | None = None
    trade_in: Mapping[str, int] = field(default_factory=dict)
    counts_for_limit: bool = True
    available_from: str | None = None
    is_unlimited: bool = False
    is_single: bool = False
    is_tradeable: bool = True
    runs_once_more: bool = False


@dataclass(frozen=True)
class Phase:
    """A phase: the train family whose first sale begins it, limits, tile colours, operating rounds a set."""

    name: str
    begins_on: str | None
    train_limit: int
    colours: tuple[str, ...]
    operating_rounds: int


PHASES_OF_1830 = (
    Phase("2", None, 4, ("yellow",), 1),
    Phase("3", "3", 4, ("yellow", "green"), 2),
    Phase("4", "4", 3, ("yellow", "green"), 2),
    Phase("5", "5", 2, ("yellow", "green", "brown"), 3),
    Phase("6", "6", 2, ("yellow", "green", "brown"), 3),
)
"""The phases of the first five train families, which many titles took from 1830."""


@dataclass(frozen=True)
class Option:
    """A named choice at set-up: the choices with a short explanation each, the default first.

    `for_chance` is the choice in randomly played games, if it differs: no table is there to end them.
    """

    name: str
    explanation: str
    choices: Mapping[str, str]
    for_chance: str = ""

    @property
    def default(self) -> str:
        return next(iter(self.choices))


VARIANT = "variant"
"""The name of the option that chooses among a title's variants."""


class Step(Protocol):
    """One kind of decision. A stateless value; its memory is in the frame or the state.

    `options` lists complete legal actions; where they are unbounded it lists a sensible sample and `check`
    decides. `check` raises a `Rejected` or returns; `apply` is called only after `check`. All methods but `apply` leave
    the state unchanged.
    """

    @property
    def name(self) -> str:
        """The players' word: `track`, `token` …"""

    @property
    def verbs(self) -> tuple[type[Action], ...]:
        """The actions this step takes."""

    def opens(self, game: Game) -> bool:
        """Whether a decision is needed now; a step that does not open is passed over."""

    def options(self, game: Game) -> Iterable[Action]:
        """The legal actions."""

    def check(self, game: Game, action: Any) -> None:
        """Raise `Rejected` if the rules forbid the action now."""

    def apply(self, game: Game, action: Any) -> None:
        """Do it."""


def filter_allowed(step: Step, game: Game, candidates: Iterable[Action]) -> Iterator[Action]:
    for action in candidates:
        try:
            step.check(game, action)
        except Rejected:
            continue
        yield action


def has_options(step: Step, game: Game) -> bool:
    """Whether the step lists anything: the `opens` of a decision that is open whenever something can be done."""
    return any(True for _ in step.options(game))


AutomaticStep = Callable[["Game"], None]
"""Runs when play reaches it in a plan: a payment, a home token, the next company."""


@dataclass(frozen=True)
class Procedure:
    """The order of play of one kind of frame: decisions and automatic steps in turn, and what may be done at any time.

    `anytime` steps stand beside the open decision, for the players asked; `unasked` steps are open to every player
    concerned, in turn or not.
    """

    name: str
    steps: tuple[Step | AutomaticStep, ...]
    anytime: tuple[Step, ...] = ()
    unasked: tuple[Step, ...] = ()

    @cached_property
    def steps_by_action(self) -> Mapping[tuple[int, type[Action]], Sequence[Step]]:
        """The judges of a kind of action where play has stopped at a step, by that step's place: the open decision, then the
        steps beside it, then the `unasked` steps."""
        found: dict[tuple[int, type[Action]], Sequence[Step]] = {}
        for at, step in enumerate(self.steps):
            open_ones = () if callable(step) else (step, *self.anytime)
            for kind in {kind for one in (*self.unasked, *open_ones) for kind in one.verbs}:
                found[at, kind] = [one for one in (*open_ones, *self.unasked) if kind in one.verbs]
        return found


Noun = TypeVar("Noun", CompanySpec, PrivateSpec)
Named = TypeVar("Named", TrainKind, Procedure)


def index_by_id(*nouns: Noun) -> dict[Any, Noun]:
    return {noun.id: noun for noun in nouns}


def index_by_name(*things: Named) -> dict[str, Named]:
    return {thing.name: thing for thing in things}


def price_offered(game: Game, player: PlayerId) -> int | None:
    """The offer for a train between two companies."""
    return None if game.state.offer is None else game.state.offer.price


def own_trains(game: Game, company: CompanyId) -> list[Train]:
    return game.state.trains_of(company)


def printed_income(game: Game, private: PrivateId) -> int:
    return game.title.privates[private].income


def limit_of_phase(game: Game, company: CompanyId) -> int:
    title = game.title
    return title.phases[title.phase_numbers[game.state.phase]].train_limit


def holder_of_presidency(game: Game, owner: Owner) -> PlayerId | None:
    company = game.state.companies.get(CompanyId(owner))
    return None if company is None else president_of(company)


@dataclass(frozen=True)
class Policies:
    """Policies that are asked from many places. Each takes the game first.

    `certificate_limit(game, player)` certificates, for which those of a company `counts_for_limit(game, company)`:
    usually all while it is in play; `holding_limit(game, company)` percent of one company that a player may buy up to;
    `pool_limit(game, company)` percent that may be in the pool; `train_limit(game, company)`; `route_problem(game,
    company, trains)` the route search's input; `must_own_train(game, company)`; `worth(game, player)` the player's
    final total; `president(game, owner)` who decides for a company; `counts_private(game, private)` whether a player's
    private counts as a certificate; `income(game, private)` what a private pays its owner; `pool_takes_president` whether the president's certificate may be sold when nobody
    can take it over; with `pool_is_free` shares of the pool are bought beyond the holding limit; `runs_with(game,
    company)` the trains that a company runs; `operating_order(game)` the companies that operate, the next set's first
    one first; `conclude(game)` after a move or an automatic step ends a game that ends at once when its end is certain.
    """

    certificate_limit: Callable[[Game, PlayerId], int]
    holding_limit: Callable[[Game, CompanyId], int]
    route_problem: Callable[[Game, CompanyId, Sequence[Train]], RouteProblem]
    must_own_train: Callable[[Game, CompanyId], bool]
    worth: Callable[[Game, PlayerId], int]
    counts_for_limit: Callable[[Game, CompanyId], bool] = lambda game, company: not game.company(company).closed
    pool_limit: Callable[[Game, CompanyId], int] = lambda game, company: 50
    train_limit: Callable[[Game, CompanyId], int] = limit_of_phase
    president: Callable[[Game, Owner], PlayerId | None] = holder_of_presidency
    counts_private: Callable[[Game, PrivateId], bool] = lambda game, private: False
    income: Callable[[Game, PrivateId], int] = printed_income
    pool_takes_president: bool = False
    pool_is_free: bool = False
    runs_with: Callable[[Game, CompanyId], list[Train]] = own_trains
    operating_order: Callable[[Game], list[CompanyId]] = operating_order
    conclude: Callable[[Game], None] = lambda game: None


Reaction = Callable[["Game", Any], None]


@dataclass(frozen=True, eq=False)
class Title:
    """One game box: everything printed in it and every rule that is its own. It equals only itself, so what follows
    from it can be kept (`lru_cache`).

    `land` is the usual map; `scenarios` are others, by the name that `State.scenario` has then. `variants` are other boxes and
    rules under the same id, by the choice of the option `variant`. `version` is raised
    when a game begun before would replay differently: it goes on by the older version (`registry.EDITIONS`).
    `offered(game, player)` is what a player who is asked to agree would get for their property, negative where they
    would pay, None where nothing is bought. `bidder(game, lot)` whose bid on a lot stands, in titles whose auctions
    give bids back. `composers` put moves together question by question that are too many to be listed. By a verb of
    `dues` a company pays what it owes at that point of its turn; for the use of one of `awaited` somebody has waited or
    paid. With `shows_draws` all that the seed of a game decides is drawn and shown before the first move. `director_word` and `privates_word` are what the box calls them; `words` tell what its things are for. `family` has
    the values of a title that belongs to a family. `doubts` are parts of the box that seem wrong and stop no game.
    """

    id: str
    name: str
    players: range
    currency: str
    companies: Mapping[CompanyId, CompanySpec]
    privates: Mapping[PrivateId, PrivateSpec]
    trains: Mapping[str, TrainKind]
    phases: tuple[Phase, ...]
    land: BoardRules
    market: MarketSpec
    rules: Policies
    plans: Mapping[str, Procedure]
    reactions: tuple[tuple[type[Event], Reaction], ...]
    special_type: type[Any]
    set_up: Callable[[Game], None]
    options: tuple[Option, ...] = ()
    director_word: str = "president"
    privates_word: str = "Privates"
    sentences: Mapping[type[Event], Sentence] = field(default_factory=dict)
    look: BoardStyle = field(default_factory=BoardStyle)
    words: Glossary = field(default_factory=Glossary)
    audits: tuple[Audit, ...] = ()
    scenarios: Mapping[str, BoardRules] = field(default_factory=dict)
    variants: Mapping[str, Title] = field(default_factory=dict)
    bank_is_unlimited: bool = False
    shows_draws: bool = False
    version: int = 1
    offered: Callable[[Game, PlayerId], int | None] = price_offered
    bidder: Callable[[Game, Owner], PlayerId | None] | None = None
    composers: Mapping[type[Action], Composer] = field(default_factory=dict)
    dues: frozenset[type[Action]] = frozenset()
    awaited: frozenset[type[Action]] = frozenset()
    family: Any = None
    doubts: Callable[[], Iterable[str]] = tuple

    def variant_of(self, options: Mapping[str, str]) -> Title:
        """The box and rules of a game with these options."""
        return self.variants.get(options.get(VARIANT, ""), self)

    def money(self, amount: int) -> str:
        """`£90`, in the currency of the box."""
        return f"{self.currency}{amount}"

    def reactions_to(self, kind: type[Event]) -> Sequence[Reaction]:
        if kind not in self.known_reactions:
            self.known_reactions[kind] = [reaction for heard, reaction in self.reactions if issubclass(kind, heard)]
        return self.known_reactions[kind]

    @cached_property
    def known_reactions(self) -> dict[type[Event], list[Reaction]]:
        """Those to the kinds of events that there have been."""
        return {}

    @cached_property
    def verbs(self) -> tuple[type[Action], ...]:
        """In the order of the title's plans."""
        return tuple(dict.fromkeys(kind for step in self.steps() for kind in step.verbs))

    @cached_property
    def tiles(self) -> Mapping[TileId, Tile]:
        """All tiles of the box, those of some scenarios too."""
        return {name: tile for land in (self.land, *self.scenarios.values()) for name, tile in land.tiles.items()}

    def steps(self) -> Iterator[Step]:
        for plan in self.plans.values():
            yield from (step for step in (*plan.steps, *plan.anytime, *plan.unasked) if not callable(step))

    def phase(self, name: str) -> Phase:
        return self.phases[self.phase_numbers[name]]

    @cached_property
    def phase_numbers(self) -> Mapping[str, int]:
        return {phase.name: number for number, phase in enumerate(self.phases)}
