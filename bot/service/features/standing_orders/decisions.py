"""The decisions of each standing order on a position: make a move, wait, or end with a reason."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import IPO, POOL, Message, Owner, PlayerId, Rejected, Text, as_company, msg
from bot.engine.notation import money
from bot.engine.play import Game, Procedure
from bot.engine.play.holdings import president_of, price_of, share_unit
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
    RunRoutes,
)
from bot.service.plans.plan import AutoReply

from .orders import REVENUE, Baseline, BidUpTo, BuyUntil, Order, PassUntil, RunCompany, round_key, seen_now


@dataclass(frozen=True)
class OrderAct:
    action: Action


@dataclass(frozen=True)
class OrderWait:
    """The order does not act on the present decision; `is_declined` if it wants more, or pays no more than its
    limit.
    """

    is_declined: bool = False


@dataclass(frozen=True)
class OrderEnd:
    """The order is over; its owner gets the reason."""

    reason: Text


Decision = OrderAct | OrderWait | OrderEnd

HAS_MOVED = "You made a move yourself."
ROUND_OVER = "The round is over."
ASKED_ELSE = "You must decide: {decision}."
IS_YOURS = "{lot} is yours."
IS_GONE = "{lot} has gone to {owner}."
IS_CLOSED = "{lot} is no longer in play."
COMPANY_CLOSED = "{company} is no longer in play."

OPEN_ENDS = frozenset({HAS_MOVED, ROUND_OVER, ASKED_ELSE, IS_YOURS, IS_GONE, IS_CLOSED, COMPANY_CLOSED})
"""Reasons to end that reveal nothing of an order's numbers and wishes."""


# -- deciding -----------------------------------------------------------------------------------------


def decide(game: Game, player: PlayerId, order: Order, own_bids: Sequence[Owner] = ()) -> Decision:
    """The decision of an order now that its player is asked.

    `own_bids` are lots on which the last bid is the player's.
    """
    if isinstance(order, PassUntil):
        return _pass(game, player, order)
    if isinstance(order, BuyUntil):
        return _buy(game, player, order)
    if isinstance(order, BidUpTo):
        return _bid(game, player, order, own_bids)
    if isinstance(order, RunCompany):
        return _operate(game, order)
    return _reply(game, player, order)


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


def way_out(game: Game, by: Owner) -> Action | None:
    """Passing, or ending the turn, if either is allowed."""
    return next((action for action in (Pass(by), Done(by)) if game.allows(action)), None)


def changes(
    game: Game, player: PlayerId, seen: Baseline, wake: Sequence[str], companies: Sequence[str]
) -> Iterator[Message]:
    """The events since then that somebody wanted to hear of, in sentences."""
    now = seen_now(game)
    if "phase" in wake and now.phase != seen.phase:
        yield msg("Phase {phase} has begun.", msg(now.phase))
    if "trains" in wake and now.trains != seen.trains:
        yield msg("The bank sold a train.")
    for company in companies or now.holdings:
        before, held = (one.shares(company, now.units.get(company, 1)) for one in (seen, now))
        others = {owner for owner in {*before, *held} if owner.startswith("@") and owner != player}
        if "start" in wake and company in now.prices and company not in seen.prices:
            yield msg("{company} has been started.", company)
        if "sale" in wake and any(held.get(owner, 0) < before.get(owner, 0) for owner in others):
            yield msg("{company} has been sold.", company)
        if "buy" in wake and any(held.get(owner, 0) > before.get(owner, 0) for owner in others):
            yield msg("{company} has been bought.", company)
        if "president" in wake and now.presidents.get(company) not in (seen.presidents.get(company), "", None):
            director, role = now.presidents[company], msg(game.title.director_word)
            yield msg("{director} is {role} of {company} now.", director, role, company)
        is_held = held.get(player, 0) > 0
        if "price" in wake and is_held and now.prices.get(company) != seen.prices.get(company, now.prices.get(company)):
            yield msg("{company} is at {money} now.", company, money(game, now.prices.get(company, 0)))


def woken(before: Baseline, after: Game, player: PlayerId, order: PassUntil) -> Message | None:
    """The event of one move that wakes a passing player; None where nothing does. Holdings are compared across
    each single move: a player who buys and sells in one turn holds as much afterwards as before.
    """
    if order.rounds != "all" and order.seen.round != before.round:
        return None
    return next(changes(after, player, before, order.wake, order.companies), None)


def _pass(game: Game, player: PlayerId, order: PassUntil) -> Decision:
    verbs = game.open_verbs()
    by = passes_for(game, player)
    if by is None or Answer in verbs:
        return OrderWait()
    if order.rounds != "all" and order.seen.round != round_key(game):
        return OrderEnd(ROUND_OVER)
    happened = next(changes(game, player, order.seen, order.wake, order.companies), None)
    if happened is not None:
        return OrderEnd(happened)
    action = way_out(game, by)
    if action and game.title.awaited.isdisjoint(verbs):
        return OrderAct(action)
    if game.frame.entity in game.state.companies:
        return OrderWait()
    step = game.step
    return OrderEnd(msg(ASKED_ELSE, msg(step.name)) if step else "The game is over.")


def _buy(game: Game, player: PlayerId, order: BuyUntil) -> Decision:
    if not is_own_turn(game, player) or not any(BuyShares in step.verbs for step in game.open_steps()):
        return OrderWait()
    company = as_company(order.company)
    action_out = way_out(game, player)
    if company in getattr(game.frame.memory, "bought", ()) and action_out:
        # The purchase of this turn has been made: the turn is ended, the order goes on.
        return OrderAct(action_out)
    held, unit = game.company(company).percent_held_by(player), share_unit(game.company(company))
    if unit != order.seen.units.get(company, unit):
        return OrderEnd(msg("A share of {company} is {unit}% now, and you hold {held}%.", company, unit, held))
    if held >= order.percent:
        return OrderEnd(msg("You hold {held}% of {company}.", held, company))
    if game.company(company).closed:
        return OrderEnd(msg(COMPANY_CLOSED, company))
    price = price_of(game, company) if game.company(company).position is not None else 0
    if order.most and price > order.most:
        return OrderEnd(msg("{company} costs {money} now.", company, money(game, price)))
    director = president_of(game.company(company))
    if director not in (player, order.seen.presidents.get(order.company) or None):
        return OrderEnd(
            msg("{director} is {role} of {company} now.", director or "", msg(game.title.director_word), company)
        )
    refusal: Rejected | None = None
    for source in [order.source] if order.source else [IPO, POOL]:
        action = BuyShares(player, company, Owner(source))
        try:
            game.check(action)
        except Rejected as found:
            refusal = refusal or found
            continue
        return OrderAct(action)
    return OrderEnd(
        msg("{company} cannot be bought: {refusal}", company, refusal.sentence_with_rule)
        if refusal
        else msg("{company} cannot be bought.", company)
    )


def _bid(game: Game, player: PlayerId, order: BidUpTo, own_bids: Sequence[Owner]) -> Decision:
    steps = game.open_steps()
    if not any(Bid in step.verbs or BuyPrivate in step.verbs for step in steps) or not is_own_turn(game, player):
        return OrderWait()
    private = game.state.privates.get(order.lot)  # type: ignore[call-overload]
    if private is not None and (private.owner == player or private.closed):
        return OrderEnd(msg(IS_YOURS, order.lot) if private.owner == player else msg(IS_CLOSED, order.lot))
    if private is not None and private.owner is not None:
        return OrderEnd(msg(IS_GONE, order.lot, private.owner))
    options = [action for step in steps for action in step.options(game) if action.by == player]
    can_bid = any(isinstance(option, Bid) and option.lot == order.lot for option in options)
    if order.lot in game.state.companies and game.controller_of(Owner(order.lot)) == player and not can_bid:
        return OrderEnd(msg(IS_YOURS, order.lot))
    if order.lot in own_bids and all(isinstance(option, Bid | BuyPrivate | Pass | Done) for option in options):
        action = way_out(game, player)
        return OrderAct(action) if action else OrderWait()
    for option in options:
        if isinstance(option, BuyPrivate) and option.private == order.lot and option.price <= order.most:
            return OrderAct(option)
    bids = sorted((o for o in options if isinstance(o, Bid) and o.lot == order.lot), key=lambda bid: bid.price)
    if bids and bids[0].price <= order.most:
        return OrderAct(bids[0])
    if bids:
        return OrderEnd(msg("{lot} would cost {money} now.", order.lot, money(game, bids[0].price)))
    if any(isinstance(option, BuyPrivate) and option.private == order.lot for option in options):
        return OrderWait(is_declined=True)
    if any(not isinstance(option, Pass | Done) for option in options):
        # Something else than this auction can be done in the turn, which is not the order's to pass over.
        return OrderWait()
    action = way_out(game, player)
    return OrderAct(action) if action else OrderWait()


def _operate(game: Game, order: RunCompany) -> Decision:
    company = as_company(order.company)
    if (
        game.frame.entity != company
        or {*game.frame.asked} - {game.controller_of(company)}
        or not is_run_in(game.procedure)
    ):
        return OrderWait()
    ended = _guarded(game, order)
    if ended:
        return OrderEnd(ended)
    step = game.step
    verbs = step.verbs if step else ()
    if RunRoutes in verbs:
        if order.run == "ask":
            return OrderWait()
        earned = best_set(game, company, clock=time.monotonic).revenue
        if "route" in order.guards and earned < order.expected:
            return OrderEnd(
                msg(
                    "{company} would run for {money}, down from {before}.",
                    company,
                    money(game, earned),
                    money(game, order.expected),
                )
            )
        action: Action = best_run(game, company, time.monotonic)
        return OrderAct(action) if game.allows(action) else OrderWait()
    if Dividend in verbs:
        if order.revenue == "ask":
            return OrderWait()
        action = Dividend(company, order.revenue)  # type: ignore[arg-type]
        return (
            OrderAct(action)
            if game.allows(action)
            else OrderEnd(msg("{company} cannot {revenue}.", company, msg(REVENUE[order.revenue])))
        )
    due = next((one for one in step.options(game) if type(one) in game.title.dues), None) if step else None
    if due is not None:
        if order.other == "ask":
            return OrderWait()
        if game.costs_its_player(due):
            return OrderEnd(msg("{company} cannot pay its dues from its own treasury.", company))
        return OrderAct(due)
    wishes = {LayTile: order.track, PlaceToken: order.token, BuyTrain: order.trains}
    if "ask" in ([wish for kind, wish in wishes.items() if kind in verbs] or [order.other]):
        return OrderWait()
    action_out = way_out(game, company)
    if action_out and BuyTrain in verbs and not game.state.trains_of(company) and falls_by(game, action_out):
        return OrderEnd(msg("{company} has no train, so its price would fall.", company))
    return (
        OrderAct(action_out)
        if action_out
        else OrderEnd(
            msg("{company} must decide ({decision}) and cannot pass.", company, msg(step.name if step else "act"))
        )
    )


def falls_by(game: Game, action: Action) -> bool:
    """Whether a company's price falls, or it leaves the game, by its own move."""
    after = game.copy()
    after.apply(action)
    company = after.company(action.by)
    before = price_of(game, company.id) if game.company(action.by).position is not None else 0
    return company.closed or (price_of(after, company.id) if company.position is not None else 0) < before


def is_run_in(plan: Procedure) -> bool:
    """Whether it is the plan of a company's turn: such an order is not about offers, mergers and the like."""
    return any(RunRoutes in step.verbs for step in plan.steps if not callable(step))


def _guarded(game: Game, order: RunCompany) -> Text:
    """The reason why an order for a company ends before it does anything; empty when it goes on."""
    now = seen_now(game)
    if "trains" in order.guards and now.phase != order.seen.phase:
        return msg("Phase {phase} has begun.", msg(now.phase))
    if "trains" in order.guards and now.trains != order.seen.trains:
        return "The bank sold a train."
    before, price = order.seen.prices.get(order.company, 0), now.prices.get(order.company, 0)
    if "price" in order.guards and price < before:
        return msg("{company} has fallen to {money}.", order.company, money(game, price))
    return ""


def _reply(game: Game, player: PlayerId, order: AutoReply) -> Decision:
    if order.about:
        return OrderWait()
    by = next((action.by for action in _answers(game) if game.controller_of(action.by) == player), None)
    if by is None:
        return OrderWait()
    if order.agree and not takes(order, game.title.offered(game, player)):
        return OrderWait(is_declined=True)
    action = Answer(by, order.agree)
    return OrderAct(action) if game.allows(action) else OrderWait()


def takes(order: AutoReply, offered: int | None) -> bool:
    """Whether an order agrees to receive this sum, or to pay it if it is negative."""
    if offered is None:
        return not order.least
    return offered >= order.least if offered >= 0 else -offered <= order.most


def _answers(game: Game) -> Iterator[Action]:
    for step in game.open_steps():
        if Answer in step.verbs:
            yield from (action for action in step.options(game) if isinstance(action, Answer))
