"""The parts of plans that were visible in moves that are taken back: everybody who saw them could use them in another try.

A plan shows itself by an act, by an end that says something of its numbers or wishes, and by letting pass what it was
offered: a player who tries one sum after the other and takes each back would know its maximum in the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from bot.engine import Owner, PersonId, is_player, seat
from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.engine.state import Action, Answer, Done, Pass
from bot.i18n import present_template
from bot.service.plans import OFFERS, Bids, Plan, Wait, evaluate
from bot.service.plans.decisions import OPEN_ENDS
from bot.service.plans.plan import IDLE, QUESTIONS
from bot.store import MoveKind, MoveRecord, OrderRecord

from .records import plan_of


def list_disclosed(
    game: Game,
    rows: Sequence[OrderRecord],
    line: Collection[int],
    undone: Sequence[MoveRecord],
    person: PersonId,
    own: Collection[int],
    offers: Mapping[int, Game],
) -> Iterator[OrderRecord]:
    """The plans disclosed in records that this person would take back, the last of which led to this position, as
    they were before those; `rows` are all states of all plans.

    `line` are the numbers of the records that stay, `own` the seats that this person holds: their moves there
    by hand tell others nothing. Their moves for somebody else, as a sitter or the moderator, tell them that the
    plan has waited. `offers` are the positions, by record, on which somebody has answered (`answered_at`):
    several may have been asked there.
    """
    numbers = {record.number for record in undone}
    moves = [(record, parse_action(game.title, record.text)) for record in undone if record.kind == MoveKind.MOVE]
    acts = [(record, action) for record, action in moves if is_act(record)]
    by_hand = [
        (record, action)
        for record, action in moves
        # If its position stays, anybody can still see that the plan waits there.
        if not record.auto and record.parent not in line and (record.person != person or record.seat not in own)
    ]
    for states in plans_of(rows):
        first, ends = states[0], [state for state in states if state.ended is not None]
        kept = [state for state in states if state is first or state.number in line][-1]
        latest = [state for state in states if state is first or state.number in line or state.number in numbers][-1]
        plan = plan_of(kept)
        if plan.turn in QUESTIONS or kept.ended is not None or any(end.ended == 0 for end in ends):
            continue
        turns = {plan_of(row).turn for row in rows if row.seat == first.seat}
        has_acted = any(
            record.seat == first.seat and record.number > first.number and may_make(plan, action, turns)
            for record, action in acts
        )
        # An end shows only in that its owner is asked.
        has_ended = any(
            end.number in numbers
            and present_template(end.reason.template) not in OPEN_ENDS
            and was_asked(game, end, undone)
            for end in ends
        )
        has_waited = any(
            record.seat == first.seat and record.number > first.number and is_left_to_owner(plan, action)
            for record, action in by_hand
        )
        is_new = plan.turn == OFFERS or any(is_about(plan, action) for _, action in moves)
        has_declined = latest.ended is None and is_new and declines(game, latest)
        has_let_pass = plan.turn == OFFERS and any(
            number >= first.number and declines(offered, kept) for number, offered in offers.items()
        )
        if has_acted or has_ended or has_waited or has_declined or has_let_pass:
            yield kept


def plans_of(rows: Sequence[OrderRecord]) -> Iterator[list[OrderRecord]]:
    """The states of each plan, oldest first."""
    for plan in dict.fromkeys(row.plan for row in rows):
        yield [row for row in rows if row.plan == plan]


def answered_at(game: Game, line: Collection[int], undone: Sequence[MoveRecord]) -> list[int]:
    """The records on whose positions, which do not stay, somebody has answered."""
    return [
        record.parent
        for record in undone
        if record.kind == MoveKind.MOVE
        and record.parent not in line
        and isinstance(parse_action(game.title, record.text), Answer)
    ]


def is_left_to_owner(plan: Plan, action: Action) -> bool:
    """Whether a move was made by hand while a plan to bid or to answer waited."""
    if lots_of(plan):
        return action.by.startswith("@")
    return plan.turn == OFFERS and isinstance(action, Answer)


def was_asked(game: Game, end: OrderRecord, undone: Sequence[MoveRecord]) -> bool:
    """Whether the owner of a plan that has ended is asked now, or has moved since."""
    return seat(end.seat) in game.players_to_act() or any(
        record.seat == end.seat and record.number > end.number for record in undone
    )


def is_act(record: MoveRecord) -> bool:
    """Whether a record was made by somebody's plan (or by a computer player): not a forced pass."""
    return record.kind == MoveKind.MOVE and record.auto and bool(record.person)


def may_make(plan: Plan, action: Action, turns: Collection[str]) -> bool:
    """Whether an act may be of this plan; `turns` are those of all plans of its seat."""
    if plan.turn == OFFERS or isinstance(action, Answer):
        return plan.turn == OFFERS and isinstance(action, Answer)
    if plan.turn == IDLE:
        return isinstance(action, Pass | Done)
    return action.by == plan.turn or (is_player(Owner(plan.turn)) and action.by not in turns)


def lots_of(plan: Plan) -> set[str]:
    """The lots that a plan bids for."""
    return {lot for step in (*plan.steps, *plan.again) if isinstance(step, Bids) for lot in (*step.most, *step.lower)}


def is_about(plan: Plan, action: Action) -> bool:
    return not lots_of(plan).isdisjoint({getattr(action, "lot", ""), getattr(action, "private", "")})


def declines(game: Game, record: OrderRecord) -> bool:
    plan, player = plan_of(record), seat(record.seat)
    if (plan.turn != OFFERS and not lots_of(plan)) or player not in game.players_to_act():
        return False
    return evaluate(game, player, plan) == Wait(is_declined=True)
