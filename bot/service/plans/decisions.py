"""The act of a plan in a position: make a move, wait, or end with a reason. Pure: the position is never changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as changed

from bot.engine import (
    IPO,
    POOL,
    Message,
    Owner,
    PlayerId,
    Rejected,
    Text,
    as_company,
    as_private,
    is_player,
    msg,
    names_to_seats,
)
from bot.engine.notation import money
from bot.engine.notation.text import verb_of
from bot.engine.play import Game, Procedure
from bot.engine.play.holdings import price_of
from bot.engine.play.steps import best_run, best_set
from bot.engine.state import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    Dividend,
    Done,
    LayTile,
    Pass,
    PlaceToken,
    ReducePrice,
    RunRoutes,
    SellShares,
)
from bot.service.parser.moves import check_skips, exact_action, named_actor, passes_before, read_clause, verb_said
from bot.service.parser.suggestions import passed_by
from bot.service.parser.vocabulary import words_of

from .conditions import COMPANY_CLOSED, format_condition, has_come_true
from .facts import round_key
from .plan import AWAKE, IDLE, OFFERS, AutoReply, Bids, Buy, Case, Do, Plan, RunBest, Stay, Step


@dataclass(frozen=True)
class Act:
    """Make this move; the plan is then `plan`."""

    action: Action
    plan: Plan


@dataclass(frozen=True)
class Wait:
    """The plan does not act on the present decision; `is_declined` if it wants more, or pays no more than its
    limit.
    """

    is_declined: bool = False


@dataclass(frozen=True)
class Finish:
    """The plan is over; its owner gets the reason."""

    reason: Text


Decision = Act | Wait | Finish

HAS_MOVED = "You made a move yourself."
ROUND_OVER = "The round is over."
TURN_OVER = "The turn of the company is over."
DONE = "Everything in it is done."
ASKED_ELSE = "You must decide: {decision}."
IS_YOURS = "{lot} is yours."
IS_GONE = "{lot} has gone to {owner}."
IS_CLOSED = "{lot} is no longer in play."
IS_EXPIRED = "Its last day is over."

OPEN_ENDS = frozenset(
    {HAS_MOVED, ROUND_OVER, TURN_OVER, DONE, ASKED_ELSE, IS_YOURS, IS_GONE, IS_CLOSED, IS_EXPIRED, COMPANY_CLOSED}
)
"""Reasons to end that reveal nothing of a plan's numbers and wishes."""

REVENUE = {"pay": "pay it out", "withhold": "withhold it", "half": "pay half of it out"}

ASKS: dict[str, tuple[type[Action], ...]] = {
    "track": (LayTile,),
    "token": (PlaceToken,),
    "routes": (RunRoutes,),
    "dividend": (Dividend,),
    "trains": (BuyTrain,),
}
"""Decisions of a company's turn that a plan may leave to its owner."""


def clock_of_routes() -> Callable[[], float]:
    """The clock that limits the search for routes while others wait for a move to be saved."""
    return time.monotonic


def evaluate(
    game: Game, player: PlayerId, plan: Plan, leads: Sequence[Owner] = (), clock: Callable[[], float] | None = None
) -> Decision:
    """The decision of a plan now that its player is asked.

    `leads` are lots on which the last bid is the player's. `clock` limits the search for routes; None lets it take
    as long as it needs.
    """
    if game.state.finished or not is_due(game, player, plan.turn):
        return Wait()
    if plan.turn == IDLE and plan.at == AWAKE:
        return Wait()
    key = round_key(game) if plan.turn != IDLE else ""
    if past := past_reason(game, plan):
        return Finish(past)
    true = next((when for when in plan.wake if has_come_true(game, player, when)), None)
    if true is not None:
        return Finish(msg("The condition is met: {condition}.", format_condition(true)))
    if plan.again and plan.at != key:
        plan = changed(plan, steps=plan.again)
    turn = _Turn(game, player, changed(plan, at=key), tuple(leads), clock)
    try:
        decision = turn.decision()
    except Rejected as refusal:
        # A refusal may name players, who are kept by their seats.
        return Finish(names_to_seats(refusal.sentence_with_rule, game.state.names))
    if isinstance(decision, Act) and (plan.budget or plan.keep):
        return within_means(game, player, decision)
    return decision


def past_reason(game: Game, plan: Plan) -> str:
    """Why a plan for a round that is over has ended; empty for all others."""
    if not plan.at or plan.rounds == "all" or plan.at == round_key(game):
        return ""
    return ROUND_OVER if is_player(Owner(plan.turn)) else TURN_OVER


def is_due(game: Game, player: PlayerId, turn: str) -> bool:
    """Whether the player is asked for what a plan of that turn is about."""
    if turn == OFFERS:
        return any(game.controller_of(action.by) == player for action in answers(game))
    if turn == IDLE:
        return player in game.players_to_act() and is_own_turn(game, player) and can_only_sell(game)
    if turn == player:
        return passes_for(game, player) is not None and Answer not in game.open_verbs()
    if turn not in game.state.companies or game.frame.entity != turn:
        return False
    is_his = game.controller_of(Owner(turn)) == player and not {*game.frame.asked} - {player}
    return is_his and is_run_in(game.procedure)


def is_own_turn(game: Game, player: PlayerId) -> bool:
    """Whether the player decides for themselves, not for a company."""
    return player in game.frame.asked or game.frame.entity == player


def passes_for(game: Game, player: PlayerId) -> Owner | None:
    """The owner for whom a player passes: the player, or their company where companies do something other than
    operate.
    """
    entity = game.frame.entity
    if is_own_turn(game, player):
        return player
    is_his = entity in game.state.companies and entity is not None and game.controller_of(entity) == player
    return entity if is_his and not game.frame.asked and game.state.round.kind != "operating" else None


def can_only_sell(game: Game) -> bool:
    """Whether the player in turn can sell shares, or pass, and nothing else."""
    steps = game.open_steps()
    return any(SellShares in step.verbs for step in steps) and all(
        isinstance(option, SellShares | Pass | Done) for step in steps for option in step.options(game)
    )


def is_run_in(procedure: Procedure) -> bool:
    """Whether it is the procedure of a company's turn, not of offers, mergers and the like."""
    return any(RunRoutes in step.verbs for step in procedure.steps if not callable(step))


def way_out(game: Game, by: Owner) -> Action | None:
    """Passing, or ending the turn, if either is allowed."""
    return next((action for action in (Pass(by), Done(by)) if game.allows(action)), None)


def answers(game: Game) -> Iterator[Action]:
    for step in game.open_steps():
        if Answer in step.verbs:
            yield from (action for action in step.options(game) if isinstance(action, Answer))


def within_means(game: Game, player: PlayerId, act: Act) -> Decision:
    """The act with what it spends noted, or the end of a plan that would spend too much."""
    plan, after = act.plan, game.copy()
    after.apply(act.action)
    left = after.state.cash[player]
    spent = plan.spent + max(0, game.state.cash[player] - left)
    if plan.budget and spent > plan.budget:
        return Finish(msg("It would spend {money}, more than you allow.", money(game, spent)))
    if plan.keep and left < min(plan.keep, game.state.cash[player]):
        return Finish(msg("It would leave you {money}.", money(game, left)))
    return replace(act, plan=changed(plan, spent=spent))


def takes(reply: AutoReply, offered: int | None) -> bool:
    """Whether a reply agrees to receive this sum, or to pay it if it is negative."""
    if offered is None:
        return not reply.least
    return offered >= reply.least if offered >= 0 else -offered <= reply.most


def falls_by(game: Game, action: Action) -> bool:
    """Whether a company's price falls, or it leaves the game, by its own move."""
    after = game.copy()
    after.apply(action)
    company = after.company(action.by)
    before = price_of(game, company.id) if game.company(action.by).position is not None else 0
    return company.closed or (price_of(after, company.id) if company.position is not None else 0) < before


def kinds_of(game: Game, clause: str) -> set[type[Action]]:
    """The kinds of moves that a clause may mean by its verb; none where its words cannot be read."""
    try:
        exact = exact_action(game, clause)
        if exact is not None:
            return {type(exact)}
        _, words = named_actor(game, words_of(game, clause))
        verb = verb_said(game, words)[0] if words else ""
    except Rejected:
        return set()
    return {kind for kind in game.title.verbs if verb in verb_of(kind).words}


@dataclass(frozen=True)
class _Turn:
    """A plan in the position in which it is due."""

    game: Game
    player: PlayerId
    plan: Plan
    leads: tuple[Owner, ...]
    clock: Callable[[], float] | None

    def decision(self) -> Decision:
        if self.plan.turn in self.game.state.companies:
            verbs = self.game.step.verbs if self.game.step else ()
            if any(not {*ASKS[word]}.isdisjoint(verbs) for word in self.plan.asks):
                return Wait()
            due = self._due()
            if due is not None:
                return due
        steps = self.plan.steps
        while steps:
            found = self._step(steps[0], steps[1:])
            if isinstance(found, Wait) and isinstance(steps[0], Bids):
                return self._pass_meanwhile(steps) or found
            if found is not None:
                return found
            steps = steps[1:]
        return self._end()

    def _pass_meanwhile(self, steps: tuple[Step, ...]) -> Decision | None:
        """The pass of a plan to bid, and else to pass, while there is nothing to bid for."""
        if len(steps) < 2 or not isinstance(steps[1], Stay):
            return None
        found = self._stay(steps[1], ())
        return self._act(found.action, steps) if isinstance(found, Act) else None

    def _step(self, step: Step, rest: tuple[Step, ...]) -> Decision | None:
        """The decision of the first step; None where it is done, or its time in this turn is past."""
        if isinstance(step, Case):
            is_so = all(has_come_true(self.game, self.player, when) for when in step.when)
            chosen = step.then if is_so else step.other
            found = None if chosen is None else self._step(chosen, rest)
            if isinstance(found, Act) and chosen is not None and found.plan.steps[:1] == (chosen,):
                # Passing over a step on the way does not settle the question.
                return self._act(found.action, (step, *rest))
            return found
        if isinstance(step, Do):
            return self._do(step, rest)
        if isinstance(step, Buy):
            return self._buy(step, rest)
        if isinstance(step, Bids):
            return self._bid(step, rest)
        if isinstance(step, RunBest):
            return self._run(step, rest)
        if isinstance(step, Stay):
            return self._stay(step, rest)
        return self._reply(step, rest)

    def _act(self, action: Action, steps: tuple[Step, ...]) -> Act:
        return Act(action, changed(self.plan, steps=steps))

    def _end(self) -> Decision:
        """No step is left: a turn in which something has been bought is ended with the plan."""
        out = way_out(self.game, self.player) if self._has_bought() else None
        if out is not None:
            return self._act(out, ())
        return Wait() if self.plan.again else Finish(DONE)

    def _has_bought(self, company: str = "") -> bool:
        bought = getattr(self.game.frame.memory, "bought", ()) if is_own_turn(self.game, self.player) else ()
        return company in bought if company else bool(bought)

    def _due(self) -> Decision | None:
        """Pay what a company must pay at this point, if it costs its president nothing and no step says otherwise."""
        game, step = self.game, self.game.step
        due = next((one for one in step.options(game) if type(one) in game.title.dues), None) if step else None
        if due is None:
            return None
        first = self.plan.steps[0] if self.plan.steps else None
        if isinstance(first, Do) and type(due) in kinds_of(game, first.text):
            return None
        if game.costs_its_player(due):
            return Finish(msg("{company} cannot pay what it owes from its own treasury.", due.by))
        return self._act(due, self.plan.steps)

    # -- a move ---------------------------------------------------------------------------------------

    def _do(self, step: Do, rest: tuple[Step, ...]) -> Decision | None:
        game = self.game
        try:
            action = read_clause(game, step.text, (self.player,))
            skipped = passes_before(game, action)
            check_skips(game, [*skipped, action], step.text)
            if not skipped:
                game.check(action)
        except Rejected as refusal:
            return self._after_refusal(step, rest, refusal)
        if game.controller_of(action.by) != self.player:
            return Finish(msg("You do not decide for {owner}.", action.by))
        return self._act(skipped[0], (step, *rest)) if skipped else self._act(action, rest)

    def _after_refusal(self, step: Do, rest: tuple[Step, ...], refusal: Rejected) -> Decision:
        """A move that is not allowed now: it belongs to the next turn, to another decision, or is refused for good."""
        out = way_out(self.game, self.player) if self._has_bought() else None
        if out is not None:
            return self._act(out, (step, *rest))
        kinds = kinds_of(self.game, step.text)
        positions = (self.game, *(trial for _, trial in passed_by(self.game)))
        if kinds and all(position.open_verbs().isdisjoint(kinds) for position in positions):
            return Wait()
        reason = names_to_seats(refusal.sentence_with_rule, self.game.state.names)
        return Finish(msg("{move} is not possible: {refusal}", step.text, reason))

    # -- shares ---------------------------------------------------------------------------------------

    def _buy(self, step: Buy, rest: tuple[Step, ...]) -> Decision | None:
        game, player = self.game, self.player
        if not is_own_turn(game, player) or not any(BuyShares in one.verbs for one in game.open_steps()):
            return Wait()
        name = as_company(step.company)
        company = game.state.companies[name]
        held = company.percent_held_by(player)
        if held >= step.percent:
            # Alone it ends with the figures.
            is_only = self.plan.steps == (step,) and not self._has_bought()
            return Finish(msg("You hold {held}% of {company}.", held, name)) if is_only else None
        out = way_out(game, player) if self._has_bought(name) else None
        if out is not None:
            # The purchase of this turn has been made: the turn is ended, the plan goes on.
            return self._act(out, (step, *rest))
        if company.closed:
            return Finish(msg(COMPANY_CLOSED, name))
        price = price_of(game, name) if company.position is not None else 0
        if step.most and price > step.most:
            return Finish(msg("{company} costs {money} now.", name, money(game, price)))
        refusal: Rejected | None = None
        for source in [step.source] if step.source else [IPO, POOL]:
            action = BuyShares(player, name, Owner(source))
            try:
                game.check(action)
            except Rejected as found:
                refusal = refusal or found
                continue
            return self._act(action, (step, *rest))
        out = way_out(game, player) if self._has_bought() else None
        if out is not None:
            return self._act(out, (step, *rest))
        if refusal is None:
            return Finish(msg("{company} cannot be bought.", name))
        return Finish(msg("{company} cannot be bought: {refusal}", name, refusal.sentence_with_rule))

    # -- auctions -------------------------------------------------------------------------------------

    def _bid(self, step: Bids, rest: tuple[Step, ...]) -> Decision | None:
        options = self._auction_options()
        if not options:
            return Wait()
        ends = {lot: self._lot_end(lot, options) for lot in step.most}
        won = sum(reason is not None and reason.template == IS_YOURS for reason in ends.values())
        most = {lot: limit for lot, limit in step.most.items() if ends[lot] is None}
        if not step.lower and (not most or (step.wins and won >= step.wins)):
            last = [reason for reason in ends.values() if reason is not None]
            return None if rest or not last else Finish(last[-1])
        free = self._free_lots(step, most, won, options)
        found = next((action for lot in free if (action := self._lot_action(lot, most[lot], options))), None)
        if found is not None:
            return self._act(found, (step, *rest))
        return self._bid_nothing(step, rest, most, free, options)

    def _auction_options(self) -> list[Action]:
        """The player's moves, if something is auctioned and it is their turn."""
        game = self.game
        steps = game.open_steps()
        is_auction = any(not {Bid, BuyPrivate, ReducePrice}.isdisjoint(one.verbs) for one in steps)
        if not is_auction or not is_own_turn(game, self.player):
            return []
        return [action for one in steps for action in one.options(game) if action.by == self.player]

    def _leads_safely(self, most: Mapping[str, int], options: Sequence[Action]) -> bool:
        """Whether the player leads on a lot, and could do nothing but bid, buy lots or pass."""
        is_plain = all(isinstance(option, Bid | BuyPrivate | ReducePrice | Pass | Done) for option in options)
        return is_plain and any(lot in self.leads for lot in most)

    def _free_lots(self, step: Bids, most: Mapping[str, int], won: int, options: Sequence[Action]) -> list[str]:
        """The lots to bid for now: those that the player does not lead, as many as they may still win."""
        led = [lot for lot in most if lot in self.leads]
        free = [lot for lot in most if lot not in led] if not step.wins or won + len(led) < step.wins else []
        return [*led, *free] if led and not self._leads_safely(most, options) else free

    def _bid_nothing(
        self,
        step: Bids,
        rest: tuple[Step, ...],
        most: Mapping[str, int],
        free: Sequence[str],
        options: Sequence[Action],
    ) -> Decision | None:
        """Nothing can be bid within the maxima: lower a price, pass, wait, or end."""
        game = self.game
        costs = {lot: price for lot in free if (price := self._cost(lot, most[lot], options)) is not None}
        left = most.keys() - costs.keys()
        if costs and not left and not step.lower:
            lot, price = next(iter(costs.items()))
            return None if rest else Finish(msg("{lot} would cost {money} now.", lot, money(game, price)))
        kept = changed(step, most={lot: limit for lot, limit in step.most.items() if lot not in costs})
        lowered = self._lowered_price(step)
        if lowered is not None:
            return self._act(lowered, (kept, *rest))
        if any(isinstance(one, BuyPrivate) and one.private in left for one in options):
            return Wait(is_declined=True)
        has_more = any(not isinstance(one, Pass | Done) for one in options)
        if has_more and not costs and not self._leads_safely(most, options):
            # Something other than these lots can be done in the turn, which is not the plan's to pass over.
            return Wait()
        out = way_out(game, self.player)
        return self._act(out, (kept, *rest)) if out else Wait()

    def _lowered_price(self, step: Bids) -> Action | None:
        lower = (ReducePrice(self.player, as_private(lot)) for lot in step.lower)
        return next((action for action in lower if self.game.allows(action)), None)

    def _lot_end(self, lot: str, options: Sequence[Action]) -> Message | None:
        """Why nobody bids for a lot any more; None while it may be won."""
        game = self.game
        private = game.state.privates.get(as_private(lot))
        if private is not None and private.closed:
            return msg(IS_CLOSED, lot)
        if private is not None and private.owner is not None:
            return msg(IS_YOURS, lot) if private.owner == self.player else msg(IS_GONE, lot, private.owner)
        can_bid = any(isinstance(option, Bid) and option.lot == lot for option in options)
        if lot in game.state.companies and game.controller_of(Owner(lot)) == self.player and not can_bid:
            return msg(IS_YOURS, lot)
        return None

    def _lot_action(self, lot: str, most: int, options: Sequence[Action]) -> Action | None:
        """The purchase of a lot, or the least bid for it, within its maximum."""
        for option in options:
            if isinstance(option, BuyPrivate) and option.private == lot and option.price <= most:
                return option
        bids = sorted((one for one in options if isinstance(one, Bid) and one.lot == lot), key=lambda bid: bid.price)
        return bids[0] if bids and bids[0].price <= most else None

    def _cost(self, lot: str, most: int, options: Sequence[Action]) -> int | None:
        """The least bid for a lot, if it is beyond its maximum."""
        least = min((one.price for one in options if isinstance(one, Bid) and one.lot == lot), default=None)
        return least if least is not None and least > most else None

    # -- a company's turn -----------------------------------------------------------------------------

    def _run(self, step: RunBest, rest: tuple[Step, ...]) -> Decision | None:
        game = self.game
        company = as_company(self.plan.turn)
        if company not in game.state.companies:
            return Finish(msg("Only a company runs trains."))
        verbs = game.step.verbs if game.step else ()
        if RunRoutes in verbs:
            earned = best_set(game, company, clock=self.clock).revenue
            if earned < step.least:
                template = "{company} would run for {money}, less than {least}."
                return Finish(msg(template, company, money(game, earned), money(game, step.least)))
            action: Action = best_run(game, company, self.clock)
            return self._act(action, (step, *rest) if step.revenue else rest) if game.allows(action) else Wait()
        if Dividend in verbs:
            if not step.revenue:
                return None
            action = Dividend(company, step.revenue)  # type: ignore[arg-type]
            if not game.allows(action):
                return Finish(msg("{company} cannot {revenue}.", company, msg(REVENUE[step.revenue])))
            return self._act(action, rest)
        if any(not trial.open_verbs().isdisjoint({RunRoutes, Dividend}) for _, trial in passed_by(game)):
            return self._act(Pass(company), (step, *rest))
        return None

    def _stay(self, step: Stay, rest: tuple[Step, ...]) -> Decision | None:
        game, verbs = self.game, self.game.open_verbs()
        company = game.state.companies.get(as_company(self.plan.turn))
        by = company.id if company is not None else passes_for(game, self.player)
        out = way_out(game, by) if by is not None else None
        name = msg(game.step.name if game.step else "act")
        after = (
            (step, *rest)
            if not step.turns or self._has_bought()
            else ((Stay(step.turns - 1), *rest) if step.turns > 1 else rest)
        )
        if company is not None:
            if out is None:
                return Finish(msg("{company} must decide ({decision}) and cannot pass.", company.id, name))
            if BuyTrain in verbs and not game.state.trains_of(company.id) and falls_by(game, out):
                return Finish(msg("{company} has no train, so its price would fall.", company.id))
            return self._act(out, after)
        if out is not None and game.title.awaited.isdisjoint(verbs):
            return self._act(out, after)
        return Wait() if game.frame.entity in game.state.companies else Finish(msg(ASKED_ELSE, name))

    # -- offers ---------------------------------------------------------------------------------------

    def _reply(self, step: AutoReply, rest: tuple[Step, ...]) -> Decision | None:
        game = self.game
        by = next((action.by for action in answers(game) if game.controller_of(action.by) == self.player), None)
        if by is None:
            return Wait()
        if step.agree and not takes(step, game.title.offered(game, self.player)):
            return Wait(is_declined=True)
        action = Answer(by, step.agree)
        return self._act(action, (step, *rest)) if game.allows(action) else Wait()
