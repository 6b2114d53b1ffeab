"""The parts of standing orders that were visible in moves that are taken back: everybody who saw them could use them in
another try.

An order shows itself by an act, by an end that says something of its numbers or wishes, and by letting pass what it was
offered: who tries one sum after the other and takes each back would know its maximum in the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from bot.engine import PersonId, seat
from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.engine.state import Action, Answer, Bid, BuyPrivate, BuyShares, Done, Pass
from bot.i18n import present_template
from bot.service.plans.plan import AutoReply
from bot.store import MoveKind, MoveRecord, OrderRecord

from .decisions import OPEN_ENDS, OrderWait, decide
from .orders import BidUpTo, BuyUntil, Order, PassUntil, RunCompany, order_of


def disclosed(
    game: Game,
    orders: Iterable[OrderRecord],
    line: Collection[int],
    undone: Sequence[MoveRecord],
    person: PersonId,
    own: Collection[int],
    offers: Mapping[int, Game],
) -> Iterator[OrderRecord]:
    """The orders disclosed in records that this person would take back, the last of which led to this position.

    `line` are the numbers of the records that stay, `own` the seats that this person holds: their moves there
    by hand tell others nothing. Their moves for somebody else, as a sitter or the moderator, tell them that the
    order has waited. `offers` are the positions, by record, on which somebody has answered (`answered_at`):
    several may have been asked there.
    """
    numbers = {record.number for record in undone}
    moves = [(record, parse_action(game.title, record.text)) for record in undone if record.kind == MoveKind.MOVE]
    acts = [(record, action) for record, action in moves if is_act(record)]
    by_hand = [
        (record, action)
        for record, action in moves
        # If its position stays, anybody can still see that the order waits there.
        if not record.auto and record.parent not in line and (record.person != person or record.seat not in own)
    ]
    for order in orders:
        kept = order_of(order.data)
        if order.ended in line or (isinstance(kept, AutoReply) and kept.about):
            continue
        has_acted = any(
            record.seat == order.seat and record.number > order.number and may_make(kept, action)
            for record, action in acts
        )
        # An end shows only in that its owner is asked.
        is_open_end = present_template(order.reason.template) in OPEN_ENDS
        has_ended = order.ended in numbers and not is_open_end and was_asked(game, order, undone)
        has_waited = any(
            record.seat == order.seat and record.number > order.number and is_left_to_owner(kept, action)
            for record, action in by_hand
        )
        is_new = isinstance(kept, AutoReply) or any(is_about(kept, action) for _, action in moves)
        has_declined = order.ended not in numbers and is_new and declines(game, order)
        has_let_pass = isinstance(kept, AutoReply) and any(
            number >= order.number and declines(offered, order) for number, offered in offers.items()
        )
        if has_acted or has_ended or has_waited or has_declined or has_let_pass:
            yield order


def answered_at(game: Game, line: Collection[int], undone: Sequence[MoveRecord]) -> list[int]:
    """The records on whose positions, which do not stay, somebody has answered."""
    return [
        record.parent
        for record in undone
        if record.kind == MoveKind.MOVE
        and record.parent not in line
        and isinstance(parse_action(game.title, record.text), Answer)
    ]


def is_left_to_owner(order: Order, action: Action) -> bool:
    """Whether a move was made by hand while an order to bid or to answer waited."""
    if isinstance(order, BidUpTo):
        return action.by.startswith("@")
    return isinstance(order, AutoReply) and isinstance(action, Answer)


def was_asked(game: Game, order: OrderRecord, undone: Sequence[MoveRecord]) -> bool:
    """Whether the owner of an order that has ended is asked now, or has moved since."""
    since = order.ended or 0
    return seat(order.seat) in game.players_to_act() or any(
        record.seat == order.seat and record.number > since for record in undone
    )


def is_act(record: MoveRecord) -> bool:
    """Whether a record was made by somebody's standing order (or by a computer player): not a forced pass."""
    return record.kind == MoveKind.MOVE and record.auto and bool(record.person)


def may_make(order: Order, action: Action) -> bool:
    if isinstance(order, RunCompany):
        return action.by == order.company
    if isinstance(order, AutoReply):
        return isinstance(action, Answer)
    if isinstance(action, Pass | Done) or isinstance(order, PassUntil):
        return isinstance(action, Pass | Done)
    if isinstance(order, BuyUntil):
        return isinstance(action, BuyShares) and action.company == order.company
    return isinstance(action, Bid | BuyPrivate) and is_about(order, action)


def is_about(order: Order, action: Action) -> bool:
    return isinstance(order, BidUpTo) and order.lot in (getattr(action, "lot", ""), getattr(action, "private", ""))


def declines(game: Game, order: OrderRecord) -> bool:
    kept, player = order_of(order.data), seat(order.seat)
    if not isinstance(kept, BidUpTo | AutoReply) or player not in game.players_to_act():
        return False
    return decide(game, player, kept) == OrderWait(is_declined=True)
