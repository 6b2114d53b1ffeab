"""The one function: a position and a seat make a move and its reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from bot.engine import CompanyId, IllegalMove, Message, PlayerId, SeededRandom, is_player, seat_number
from bot.engine.play import Game
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
from .move_evaluator import (
    OFTEN_OVERLOOKED,
    REFUSED,
    UNLIKELY,
    Evaluator,
    ScoredMove,
    best_of,
    drawn,
    gain_of_agreeing,
    proposed,
    sampled,
    verb_of,
)
from .stock import launches, score_trades, thinks_of
from .title_parameters import STEADY, SkillLevel, parameters_of, title_ai
from .track_plans import score_builds, score_unblocking_moves
from .trains import is_idle_loan, score_discards, score_forced_sales, score_trains

UNSEEN = 20011
"""Replaces the secret seed in the look-ahead."""

MOST_OF_A_VERB = 24

MISJUDGED = (*OFTEN_OVERLOOKED, BuyTrain, Dividend)

LEAST = 1.0
"""Minimum gain for which acting beats doing nothing."""

DEEP = (BuyShares, BuyTrain, Dividend, Par, SellShares)
"""The verbs that lead to other moves in the same turn: withheld revenue buys a train, a sale buys shares."""

QUICK = SkillLevel("quick", 3, 0, 0.0, 0, 0)

PLAIN = replace(QUICK, rush=0.0, name="plain")

MOST_MOVES = 4


@dataclass(frozen=True)
class Decision:
    action: Action
    reason: Message | None


class Tabu:
    """Moves that a player does not repeat in the same round: proposing what was refused, or selling what they
    bought.
    """

    def __init__(self, game: Game, moves: Mapping[PlayerId, Sequence[Action]]) -> None:
        self._round, self._moves = copy(game.state.round), dict(moves)

    def of(self, game: Game, player: PlayerId) -> Sequence[Action]:
        """Empty when another round has begun."""
        if game.state.round != self._round:
            self._round, self._moves = copy(game.state.round), {}
        return self._moves.get(player, ())

    def note(self, game: Game, action: Action) -> None:
        """To be called before the move is made."""
        proposal = proposed(game)
        proposer = game.controller_of(proposal.by) if proposal is not None else None
        if isinstance(action, Answer) and not action.agree and proposal is not None and proposer is not None:
            self._add(game, proposer, proposal)
        if isinstance(action, BuyShares) and is_player(action.by):
            self._add(game, PlayerId(action.by), SellShares(action.by, action.company, action.shares))

    def _add(self, game: Game, player: PlayerId, move: Action) -> None:
        self._moves[player] = [*self.of(game, player), move]


def choose(
    game: Game, seat: PlayerId, seed: int, strength: SkillLevel = STEADY, ruled_out: Collection[Action] = ()
) -> Decision:
    """The move of a seat that is asked: the same for the same arguments, on every machine.

    `seed` varies how games go; `ruled_out` are moves that are not made in this round: what somebody has refused, and sales of
    companies, however many shares, that the player has bought in it.

    :raises IllegalMove: the seat is not asked, or has nothing to decide.
    """
    if seat not in game.players_to_act():
        raise IllegalMove("It is not {seat}'s turn.", "", game.state.name(seat))
    judge = evaluator_of(game, seat, seed, strength)
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


def evaluator_of(game: Game, seat: PlayerId, seed: int, strength: SkillLevel) -> Evaluator:
    number = seed * 7919 + game.state.moves * 104729 + seat_number(seat)
    return Evaluator(blinded(game), seat, strength, SeededRandom(number), seed)


def ranking(judge: Evaluator, ruled_out: Collection[Action] = ()) -> list[ScoredMove]:
    """The moves that the seat considers, best first. Moves that are not played on to the end of the turn come last."""
    judged = rate(judge)
    rated = [one for one in judged if not is_ruled_out(one.action, ruled_out)]
    # Players who must sell sell what they have bought, if they have nothing else.
    rated = rated or [one for one in judged if isinstance(one.action, SellShares)]
    rated = rated or [ScoredMove(action, 0.0) for action in judge.options() if action not in ruled_out]
    first = deepened(judge, rated) if judge.strength.ahead else rated
    kept = {one.action for one in first}
    best = noisy(judge, seen(judge, first))
    rest = [one for one in rated if one.action not in kept]
    return [*sorted(best, key=lambda one: -one.score), *sorted(rest, key=lambda one: -one.score)]


def is_ruled_out(action: Action, ruled_out: Collection[Action]) -> bool:
    """Whether the move is among those, or sells another number of the same company's shares."""
    sales = [(one.by, one.company) for one in ruled_out if isinstance(one, SellShares)]
    return action in ruled_out or (isinstance(action, SellShares) and (action.by, action.company) in sales)


def blinded(game: Game) -> Game:
    """A copy without the seed, which nobody at the table knows, unless all that it decides is shown from the start."""
    copied = Game.decode(game.title, game.encode())
    copied.ground = game.ground
    copied.route_search = game.route_search
    if not game.title.shows_draws:
        copied.state.seed = UNSEEN
    return copied


def seen(judge: Evaluator, rated: list[ScoredMove]) -> list[ScoredMove]:
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
    return drawn(judge, action, "believes") * (-1 if isinstance(action, SellShares) else 1)


def rate(judge: Evaluator) -> list[ScoredMove]:
    """Every move that is considered, with what it seems to gain; doing nothing gains nothing."""
    game = judge.game
    step = game.step
    if step is not None and RunRoutes in step.verbs:
        return [ScoredMove(best_run(game, CompanyId(game.actor_in_turn)), 0.0)]
    actions = list(judge.options())
    answers = [action for action in actions if isinstance(action, Answer)]
    idle = [ScoredMove(action, LEAST) for action in actions if isinstance(action, Pass | Done)]
    rated: list[ScoredMove] = []
    builds = [a for a in actions if isinstance(a, LayTile | PlaceToken) and a.by in game.state.companies]
    trains = [action for action in actions if isinstance(action, BuyTrain)]
    discards = [action for action in actions if isinstance(action, DiscardTrain)]
    sales = [action for action in actions if isinstance(action, SellShares)]
    forced = sales if step is not None and BuyTrain in step.verbs else []
    trades = [*(a for a in actions if isinstance(a, BuyShares | Par)), *(sales if not forced else [])]
    bids = [action for action in actions if isinstance(action, Bid)]
    cuts = [action for action in actions if isinstance(action, ReducePrice)]
    outright = [
        action
        for action in actions
        if isinstance(action, BuyPrivate) and is_player(action.by) and game.state.privates[action.private].owner is None
    ]
    own = title_ai(game.title.id)
    done = {*builds, *trades, *sales, *trains, *discards, *bids, *cuts, *outright, *answers}
    others = [
        action
        for action in actions
        if action not in done
        and not isinstance(action, Pass | Done)
        and verb_of(action) not in own.handled
        # While a company builds, what its president may do at any time can wait.
        and not (builds and is_player(action.by))
        and not is_idle_loan(game, action)
    ]
    rated += rate_answers(judge, answers)
    rated += own.score_moves(judge, actions) if own.score_moves else []
    rated += score_builds(judge, builds) + score_trades(judge, trades, bool(idle)) + score_bids(judge, bids)
    rated += score_auction_purchases(judge, outright) + score_discards(judge, discards)
    rated += score_trains(judge, trains) + score_forced_sales(judge, forced)
    rated += score_price_cuts(game, cuts, outright)
    if step is not None and LayTile in step.verbs and not builds:
        rated += score_unblocking_moves(judge, few_of_each(others))
    else:
        later = parameters_of(game).later
        rated += [
            ScoredMove(action, judge.gain(action) - later.get(verb_of(action), 0.0)) for action in few_of_each(others)
        ]
    return idle + rated or [ScoredMove(action, 0.0) for action in actions]


def few_of_each(actions: list[Action]) -> list[Action]:
    verbs = dict.fromkeys(type(action) for action in actions)
    return [one for verb in verbs for one in sampled([a for a in actions if type(a) is verb], MOST_OF_A_VERB)]


def rate_answers(judge: Evaluator, answers: list[Answer]) -> list[ScoredMove]:
    """Agree if that is better than refusing, regardless of other moves."""
    gains = {answer.by: gain_of_agreeing(judge.game, answer) for answer in answers if answer.agree}
    return [ScoredMove(one, gains.get(one.by, 0.0) * (1 if one.agree else -1)) for one in answers]


def deepened(judge: Evaluator, rated: list[ScoredMove]) -> list[ScoredMove]:
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
        inner = Evaluator(
            trial, judge.seat, PLAIN if judge.strength.is_plain else QUICK, SeededRandom(0), is_deep=False
        )
        following = best_of(rate(inner))
        judge.looks += inner.looks
        if following is None or isinstance(following.action, Pass | Done):
            break
        score += following.score
        trial.apply(following.action)
    return score
