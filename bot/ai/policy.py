"""The one function: a position and a seat make a move and its reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from bot.engine import CompanyId, IllegalMove, Message, PlayerId, SeededRandom, is_player, seat_number
from bot.engine.play import Game
from bot.engine.play.holdings import certificate_count
from bot.engine.play.steps import best_run
from bot.engine.state import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    DiscardTrain,
    Dividend,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    RunRoutes,
    SellShares,
)

from .bid_scores import score_auction_purchases, score_bids, score_price_cuts
from .company_forecast import rounds_left
from .explanations import reason
from .intention import NOTHING_RECALLED, CompanyFacts, Intention, Recollection, company_facts, event_since, intention
from .move_evaluator import (
    OFTEN_OVERLOOKED,
    REFUSED,
    UNLIKELY,
    Evaluator,
    ScoredMove,
    best_of,
    evenly_spaced,
    gain_of_agreeing,
    pending_proposal,
    steady_chance,
    verb_of,
)
from .prior import is_in_need, large_losses_last, ordered_by_people
from .stock import launches, score_trades, thinks_of
from .title_parameters import STEADY, SkillLevel, parameters_of, title_ai
from .track_plans import score_builds, score_unblocking_moves
from .trains import is_idle_loan, score_discards, score_forced_sales, score_trains

Kind = TypeVar("Kind", bound=Action)

UNSEEN = 20011
"""Replaces the secret seed in the look-ahead."""

MOST_OF_A_VERB, MOST_LISTED = 24, 60
"""Maximum number of moves of a verb that are judged, where nothing judges the verb in particular, and that are listed."""

UNJUDGED = 200.0
"""How far below doing nothing a move is listed that nothing judges."""

MISJUDGED = (*OFTEN_OVERLOOKED, BuyTrain, Dividend)

LEAST = 1.0
"""Minimum gain for which acting beats doing nothing."""

DEEP = (BuyShares, BuyTrain, Dividend, Par, SellShares)
"""The verbs that lead to other moves in the same turn: withheld revenue buys a train, a sale buys shares."""

QUICK = SkillLevel("quick", 3, 0, 0.0, 0, 0)

MOST_MOVES = 4


@dataclass(frozen=True)
class Decision:
    action: Action
    reason: Message | None


class NotedPurchase(NamedTuple):
    """Shares bought in the stock round of that number, and the facts of their company then."""

    number: int
    facts: CompanyFacts


class Tabu:
    """Moves that a player does not repeat in the same round: proposing what was refused, or selling what they
    bought; and what players have in mind for the stock round.
    """

    def __init__(self, game: Game, moves: Mapping[PlayerId, Sequence[Action]]) -> None:
        self._round, self._moves = copy(game.state.round), dict(moves)
        self._intention = intention(game) if game.state.round.kind == "stock" else Intention()
        self._bought: dict[PlayerId, dict[CompanyId, NotedPurchase]] = defaultdict(dict)

    def of(self, game: Game, player: PlayerId) -> Sequence[Action]:
        """Empty when another round has begun."""
        self._enter(game)
        return self._moves.get(player, ())

    def recollection(self, game: Game, player: PlayerId) -> Recollection:
        self._enter(game)
        lately = self._bought[player].items()
        return Recollection(
            self._intention,
            {company: one.facts for company, one in lately if one.number >= game.state.round.number - 1},
        )

    def remember(self, game: Game, companies: Mapping[PlayerId, Collection[CompanyId]]) -> None:
        """Purchases of an earlier stock round, with the position after them."""
        for player, some in companies.items():
            for company in some:
                self._bought[player][company] = NotedPurchase(game.state.round.number, company_facts(game, company))

    def _enter(self, game: Game) -> None:
        if game.state.round != self._round:
            self._round, self._moves = copy(game.state.round), {}
            if game.state.round.kind == "stock":
                self._intention = intention(game)

    def note(self, game: Game, action: Action) -> None:
        """To be called before the move is made."""
        proposal = pending_proposal(game)
        proposer = game.controller_of(proposal.by) if proposal is not None else None
        if isinstance(action, Answer) and not action.agree and proposal is not None and proposer is not None:
            self._add(game, proposer, proposal)
        if isinstance(action, BuyShares) and is_player(action.by):
            self._add(game, PlayerId(action.by), SellShares(action.by, action.company, action.shares))
            facts = company_facts(game, action.company)
            self._bought[PlayerId(action.by)][action.company] = NotedPurchase(game.state.round.number, facts)

    def _add(self, game: Game, player: PlayerId, move: Action) -> None:
        self._moves[player] = [*self.of(game, player), move]


def choose(
    game: Game,
    seat: PlayerId,
    seed: int,
    strength: SkillLevel = STEADY,
    ruled_out: Collection[Action] = (),
    recalled: Recollection = NOTHING_RECALLED,
) -> Decision:
    """The move of a seat that is asked: the same for the same arguments, on every machine.

    `seed` varies how games go; `ruled_out` are moves that are not made in this round: what somebody has refused, and sales of
    companies, however many shares, that the player has bought in it; `recalled` is what the seat has in mind.

    :raises IllegalMove: the seat is not asked, or has nothing to decide.
    """
    if seat not in game.players_to_act():
        raise IllegalMove("It is not {seat}'s turn.", "", game.state.name(seat))
    judge = evaluator_of(game, seat, seed, strength, recalled)
    best = next(iter(ranking(judge, ruled_out)), None)
    if best is None:
        raise IllegalMove("{seat} has nothing to decide.", "", game.state.name(seat))
    return Decision(best.action, reason(judge, best))


def best_moves(
    game: Game, seat: PlayerId, seed: int, strength: SkillLevel, ruled_out: Collection[Action] = ()
) -> list[Action]:
    """The moves that the seat might make, best first; the arguments are those of `choose`."""
    ranked = ranking(evaluator_of(game, seat, seed, strength), ruled_out)
    return [one.action for one in ranked if one.score > UNLIKELY / 2] or [one.action for one in ranked[:1]]


def evaluator_of(
    game: Game, seat: PlayerId, seed: int, strength: SkillLevel, recalled: Recollection = NOTHING_RECALLED
) -> Evaluator:
    number = seed * 7919 + game.state.moves * 104729 + seat_number(seat)
    return Evaluator(without_seed(game), seat, strength, SeededRandom(number), seed, recalled=recalled)


def ranking(judge: Evaluator, ruled_out: Collection[Action] = ()) -> list[ScoredMove]:
    """The moves that the seat considers, best first."""
    ranked = people_ranking(judge, ruled_out) if judge.strength.follows_people else computed_ranking(judge, ruled_out)
    return sorted(ranked, key=lambda one: is_fickle(judge, one.action)) if judge.strength.is_steadfast else ranked


def people_ranking(judge: Evaluator, ruled_out: Collection[Action]) -> list[ScoredMove]:
    """The moves as people would order them, except that large losses come last. The weights were learned without the clock
    of purchases. People made few purchases in need, so those are computed.
    """
    careful = computed_ranking(judge, ruled_out)
    if is_in_need(judge):
        return careful
    plain = replace(judge, strength=replace(judge.strength, renews=False), looks=0)
    ranked = careful if judge.clock is None else computed_ranking(plain, ruled_out)
    return large_losses_last(judge, ordered_by_people(plain, ranked), careful)


def computed_ranking(judge: Evaluator, ruled_out: Collection[Action] = ()) -> list[ScoredMove]:
    """The moves by what they seem to gain. Moves that are not played on to the end of the turn come last."""
    judged = rate(judge)
    rated = [one for one in judged if not is_ruled_out(one.action, ruled_out)]
    # Players who must sell sell what they have bought, if they have nothing else.
    rated = rated or [one for one in judged if isinstance(one.action, SellShares)]
    rated = rated or [ScoredMove(action, 0.0) for action in judge.options() if action not in ruled_out]
    first = with_lookahead(judge, rated) if judge.strength.ahead else rated
    kept = {one.action for one in first}
    best = noisy(judge, moves_thought_of(judge, first))
    rest = [one for one in rated if one.action not in kept]
    return [*sorted(best, key=lambda one: -one.score), *sorted(rest, key=lambda one: -one.score)]


def is_fickle(judge: Evaluator, action: Action) -> bool:
    """Whether the move sells shares that the player bought in this stock round or the last, though no event that can be
    named has happened to the company. Players who must sell may sell anything, and so may those who will have to pay for the
    trains of companies.
    """
    game = judge.game
    if (
        not isinstance(action, SellShares)
        or game.state.round.kind != "stock"
        or action.company not in judge.recalled.bought
    ):
        return False
    must_sell = certificate_count(game, judge.seat) > game.title.rules.certificate_limit(game, judge.seat)
    if must_sell or (judge.clock is not None and judge.payment_due > 0):
        return False
    return event_since(game, judge.recalled.bought[action.company], action.company) is None


def is_ruled_out(action: Action, ruled_out: Collection[Action]) -> bool:
    """Whether the move is among those, or sells another number of the same company's shares."""
    sales = [(one.by, one.company) for one in ruled_out if isinstance(one, SellShares)]
    return action in ruled_out or (isinstance(action, SellShares) and (action.by, action.company) in sales)


def without_seed(game: Game) -> Game:
    """A copy without the seed, which nobody at the table knows, unless all that it decides is shown from the start."""
    copied = Game.decode(game.title, game.encode())
    copied.ground = game.ground
    copied.route_search = game.route_search
    if not game.title.shows_draws:
        copied.state.seed = UNSEEN
    return copied


def moves_thought_of(judge: Evaluator, rated: list[ScoredMove]) -> list[ScoredMove]:
    """The moves that the player does not overlook: a player never overlooks doing nothing, an answer, a train, or
    a company they have started.
    """
    return [one for one in rated if thinks_of(judge, one.action)] or rated


def noisy(judge: Evaluator, rated: list[ScoredMove]) -> list[ScoredMove]:
    """Judgements with errors: larger for weaker players and larger gains, but none for doing nothing or for
    companies the player has started.
    """
    # Impossible moves make nothing else worth more.
    spread = max((one.score for one in rated if one.score < -REFUSED), default=0.0) * judge.strength.noise / 1000
    return [replace(one, score=one.score + spread * misjudgement(judge, one.action)) for one in rated]


def misjudgement(judge: Evaluator, action: Action) -> int:
    """How far the player overrates (up to 1000) or underrates a move. A player who believes in a company is less
    willing to sell it. The dividend of the last run is always plain.
    """
    is_last_run = isinstance(action, Dividend) and bool(judge.game.state.ending) and rounds_left(judge.game) <= 1
    if not isinstance(action, MISJUDGED) or launches(judge, action) or is_last_run:
        return 0
    return steady_chance(judge, action, "believes") * (-1 if isinstance(action, SellShares) else 1)


def rate(judge: Evaluator) -> list[ScoredMove]:
    """Every move that is considered, with what it seems to gain; doing nothing gains nothing."""
    game = judge.game
    verbs = game.step.verbs if game.step is not None else ()
    if RunRoutes in verbs:
        return [ScoredMove(best_run(game, CompanyId(game.actor_in_turn)), 0.0)]
    actions = list(judge.options())
    idle, answers = _of(actions, Pass, Done), _of(actions, Answer)
    trains, discards = _of(actions, BuyTrain), _of(actions, DiscardTrain)
    purchases, sales = _of(actions, BuyShares, Par), _of(actions, SellShares)
    bids, cuts = _of(actions, Bid), _of(actions, ReducePrice)
    outright = auction_purchases(game, _of(actions, BuyPrivate))
    lays: list[LayTile | PlaceToken] = _of(actions, LayTile, PlaceToken)
    builds = [action for action in lays if action.by in game.state.companies]
    forced, free = (sales, []) if BuyTrain in verbs else ([], sales)
    own = title_ai(game.title.id)
    rated = [ScoredMove(action, LEAST) for action in idle]
    rated += rate_answers(judge, answers)
    rated += own.score_moves(judge, actions) if own.score_moves else []
    rated += score_builds(judge, builds) + score_trades(judge, [*purchases, *free], bool(idle))
    rated += score_bids(judge, bids) + score_auction_purchases(judge, outright) + score_discards(judge, discards)
    rated += score_trains(judge, trains) + score_forced_sales(judge, forced) + score_price_cuts(game, cuts, outright)
    done = {*idle, *answers, *trains, *discards, *sales, *bids, *cuts, *builds, *purchases, *outright}
    others = [
        action
        for action in actions
        if action not in done and verb_of(action) not in own.handled and not is_idle_loan(game, action)
    ]
    # While a company builds, what its president may do at any time can wait.
    others = [action for action in others if not is_player(action.by)] if builds else others
    rated += _rate_others(judge, few_of_each(others), LayTile in verbs and not builds)
    if judge.strength.lists_all:
        rated += unlikely_rest(actions, [one.action for one in rated])
    return rated or [ScoredMove(action, 0.0) for action in actions]


def auction_purchases(game: Game, actions: Sequence[BuyPrivate]) -> list[BuyPrivate]:
    """Those by which a player buys a private that nobody has had yet."""
    return [one for one in actions if is_player(one.by) and game.state.privates[one.private].owner is None]


def _of(actions: Sequence[Action], *kinds: type[Kind]) -> list[Kind]:
    return [action for action in actions if isinstance(action, kinds)]


def _rate_others(judge: Evaluator, actions: Sequence[Action], is_blocked: bool) -> list[ScoredMove]:
    """Moves that nothing else judges; where the company is blocked they may open a way for its track."""
    if is_blocked:
        return score_unblocking_moves(judge, actions)
    later = parameters_of(judge.game).later
    return [ScoredMove(action, judge.gain(action) - later.get(verb_of(action), 0.0)) for action in actions]


def unlikely_rest(actions: Sequence[Action], judged: Sequence[Action]) -> list[ScoredMove]:
    """The possible moves that nothing judges, some of each verb."""
    known = {*judged}
    return [
        ScoredMove(one, UNLIKELY - UNJUDGED)
        for one in few_of_each([one for one in actions if one not in known], MOST_LISTED)
    ]


def few_of_each(actions: list[Action], most: int = MOST_OF_A_VERB) -> list[Action]:
    verbs = dict.fromkeys(type(action) for action in actions)
    return [one for verb in verbs for one in evenly_spaced([a for a in actions if type(a) is verb], most)]


def rate_answers(judge: Evaluator, answers: list[Answer]) -> list[ScoredMove]:
    """Agree if that is better than refusing, regardless of other moves."""
    gains = {answer.by: gain_of_agreeing(judge.game, answer) for answer in answers if answer.agree}
    return [ScoredMove(one, gains.get(one.by, 0.0) * (1 if one.agree else -1)) for one in answers]


def with_lookahead(judge: Evaluator, rated: list[ScoredMove]) -> list[ScoredMove]:
    """The best moves, rescored by where they lead in this turn; all others rank behind them."""
    best = sorted(rated, key=lambda one: -one.score)[: judge.strength.ahead]
    best = [one for one in best if one.score > UNLIKELY / 2] or best
    if len(best) < 2 or not any(isinstance(one.action, DEEP) for one in best):
        return rated
    return [replace(one, score=played_on(judge, one)) for one in best]


def played_on(judge: Evaluator, one: ScoredMove) -> float:
    """The gain of the move and of the moves that follow it in the same turn, as long as any of them gains
    anything.
    """
    is_over = isinstance(one.action, Pass | Done | Answer) or one.then is not None
    trial = None if is_over else judge.after(one.action)
    if trial is None:
        return one.score
    entity, score = judge.game.frame.entity, one.score
    for _ in range(MOST_MOVES):
        is_over = trial.state.finished or not trial.state.flow or trial.frame.entity != entity
        if is_over or judge.seat not in trial.players_to_act() or judge.looks > judge.strength.looks:
            break
        quick = replace(QUICK, renews=judge.strength.renews)
        inner = Evaluator(trial, judge.seat, quick, SeededRandom(0), is_deep=False)
        following = best_of(rate(inner))
        judge.looks += inner.looks
        if following is None or isinstance(following.action, Pass | Done):
            break
        score += following.score
        trial.apply(following.action)
    return score
