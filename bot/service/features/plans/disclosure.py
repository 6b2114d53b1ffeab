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
    moves = [(record, parse_action(game.title, record.text)) for record in undone if record.kind == MoveKind.MOVE]
    by_hand = list(moves_by_hand(moves, line, person, own))
    for states in plans_of(rows):
        first = states[0]
        kept = [state for state in states if state is first or state.number in line][-1]
        plan = plan_of(kept)
        if plan.turn in QUESTIONS or kept.ended is not None or any(state.ended == 0 for state in states):
            continue
        turns = {plan_of(row).turn for row in rows if row.seat == first.seat}
        if (
            has_acted(plan, first, moves, turns)
            or has_shown_its_end(game, states, undone)
            or has_waited(plan, first, by_hand)
            or has_declined(game, states, line, undone, moves)
            or has_let_pass(kept, first, offers)
        ):
            yield kept


PlayedMoves = Sequence[tuple[MoveRecord, Action]]


def moves_by_hand(
    moves: PlayedMoves, line: Collection[int], person: PersonId, own: Collection[int]
) -> Iterator[tuple[MoveRecord, Action]]:
    """Moves by hand that may show that a plan waited: if its position stays, anybody can still see that it waits there."""
    for record, action in moves:
        if not record.auto and record.parent not in line and (record.person != person or record.seat not in own):
            yield record, action


def has_acted(plan: Plan, first: OrderRecord, moves: PlayedMoves, turns: Collection[str]) -> bool:
    return any(
        is_act(record) and record.seat == first.seat and record.number > first.number and may_make(plan, action, turns)
        for record, action in moves
    )


def has_shown_its_end(game: Game, states: Sequence[OrderRecord], undone: Sequence[MoveRecord]) -> bool:
    """Whether a plan ended for a reason that tells something; an end shows only in that its owner is asked."""
    numbers = {record.number for record in undone}
    ends = [state for state in states if state.ended is not None and state.number in numbers]
    return any(present_template(end.reason.template) not in OPEN_ENDS and was_asked(game, end, undone) for end in ends)


def has_waited(plan: Plan, first: OrderRecord, by_hand: PlayedMoves) -> bool:
    return any(
        record.seat == first.seat and record.number > first.number and is_left_to_owner(plan, action)
        for record, action in by_hand
    )


def has_declined(
    game: Game, states: Sequence[OrderRecord], line: Collection[int], undone: Sequence[MoveRecord], moves: PlayedMoves
) -> bool:
    """Whether a plan lets pass what it is offered now, and would not have been offered without those moves."""
    numbers = {*line, *(record.number for record in undone)}
    latest = [state for state in states if state is states[0] or state.number in numbers][-1]
    plan = plan_of(latest)
    is_new = plan.turn == OFFERS or any(is_about(plan, action) for _, action in moves)
    return latest.ended is None and is_new and declines(game, latest)


def has_let_pass(kept: OrderRecord, first: OrderRecord, offers: Mapping[int, Game]) -> bool:
    return plan_of(kept).turn == OFFERS and any(
        number >= first.number and declines(offered, kept) for number, offered in offers.items()
    )


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
