"""The cost and the consequences of a legal move: made on a copy, and shown where the move itself does not say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby

import msgspec

from bot.engine import BANK, HexId, Owner, Rejected, as_company, join_and, msg
from bot.engine.notation.messages import money, sentence
from bot.engine.play.game import Game
from bot.engine.state import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyTrain,
    Dividend,
    Event,
    Exchange,
    LayTile,
    Par,
    PlaceToken,
    ReducePrice,
    SellShares,
)
from bot.engine.state import events as facts
from bot.i18n import pronoun_for, tr, tr_lines

from .components_info import lot_note
from .merge_messages import merge_alike

ECHOES: tuple[type[Event], ...] = (
    facts.Passed,
    facts.PriceReduced,
    facts.PrivateBought,
    facts.CompanyStarted,
    facts.SharesBought,
    facts.SharesSold,
    facts.TileLaid,
    facts.TokenPlaced,
    facts.TrainBought,
    facts.TrainDiscarded,
    facts.RevenueWithheld,
    facts.EarnedNothing,
    facts.ProposalWithdrawn,
)
"""Events that only repeat the move, or the reason for a price fall; a title has its own (`Words.echoes`)."""

NAMED_BY_MOVE: tuple[type[Event], ...] = (facts.CompanyStarted, facts.TileLaid, facts.TokenPlaced)
"""Events that the text of a move which needs consent names in full."""

PURCHASES: tuple[type[Event], ...] = (facts.PrivateBought, facts.TrainBought)
"""Events that it names too, repeated only before their consequences."""

BY_ITSELF: tuple[type[Event], ...] = (
    facts.DividendPaid,
    facts.PriceMoved,
    facts.PrivatePaid,
    facts.RevenueWithheld,
    facts.RoutesRun,
    facts.TokenPlaced,
)
"""Events between turns that happen after any last move."""

SAYS_PRICE = (Bid, BuyPrivate, BuyTrain)
"""Moves whose text names what the actor pays."""


def about(game: Game, action: Action) -> str:
    """The component that a move is about, before anybody owns it; empty if there is none."""
    told = lot_note(game, named) if (named := lot_named(action)) is not None else ""
    return f"{told}." if told else ""


def lot_named(action: Action) -> Owner | None:
    """The private or company that a move buys, bids for, starts or gives up; none for a lot that only becomes cheaper."""
    match action:
        case Bid(lot=named) | Par(company=named):
            return named
        case ReducePrice():
            return None
    private: Owner | None = getattr(action, "private", None)
    return private


def outcome(game: Game, action: Action) -> str:
    """The places that a tile or a token's city leads to, the cost of a move, and what follows."""
    exits = exits_of(game, action) if isinstance(action, LayTile | PlaceToken) else []
    leads = tr("to {spaces}.", "+".join(exits)) if exits else ""
    return " ".join(filter(None, [leads, foretold(game, action)]))


def exits_of(game: Game, action: LayTile | PlaceToken) -> list[HexId]:
    """The hexes to which a tile leads, laid like this, or the city of a token, where there are several to choose
    from.
    """
    if isinstance(action, LayTile):
        exits = game.board_rules.tiles[action.tile].rotate(action.rotation).exits
    else:
        tile = game.tile_at(action.hex)
        exits = tile.exits_of(tile.cities[action.city].id) if len(tile.cities) > 1 else frozenset()
    return game.board_rules.map.neighbours_across(action.hex, exits)


def exits_note(game: Game, action: Action) -> str:
    """The same in words; empty for other moves, and where there is no track."""
    exits = exits_of(game, action) if isinstance(action, LayTile | PlaceToken) else []
    return tr("track to {what}", join_and(exits)) if exits else ""


def foretold(game: Game, action: Action) -> str:
    """The cost or gain of the move, and what follows at once, in a line; empty where the move says it all.

    The move is tried, with everything that happens automatically up to the next decision: nobody's answer is
    guessed. After the turn, only changes of the table count: rounds, phases, trains, companies, the end.
    """
    trial = position_after(game, action)
    if trial is None:
        return ""
    after = beyond(trial, turn_of(game))
    if isinstance(action, Answer):
        return " ".join([*(line for line in outright(trial) if line not in answers(trial, action)), *after])
    found = news(trial, action)
    consent = () if waits_for_consent(game) else with_consent(trial)
    # A company's gains and losses come before its director's payments for it.
    own, others = (sums(trial, action, found, owner) for owner in (action.by, trial.controller_of(action.by)))
    is_own, end = trial.controller_of(action.by) in (action.by, None), list(ended_company_notes(trial, action))
    later = [*(() if is_own or trial.state.finished else others), *opened_hexes(trial), *end]
    return " ".join([*(() if end else own), *flows(trial, action), *found, *later, *consent, *after])


def beyond(trial: Game, turn: Sequence[tuple[str, Owner | None]]) -> list[str]:
    """Events between a move that has ended this turn and the next decision, as far as they change the table."""
    if is_within(trial, turn):
        return []
    following = trial.copy()
    following.events = []
    following.advance()
    without = (*BY_ITSELF, *ECHOES, *trial.title.words.echoes, *trial.title.words.by_itself)
    return event_sentences(following, (event for event in following.events if not isinstance(event, without)))


def cost_lines(game: Game, action: Action, lines: Iterable[str]) -> list[str]:
    trial = position_after(game, action)
    return list(sums(trial, action, list(lines), action.by)) if trial is not None else []


def opened_hexes(trial: Game) -> Iterator[str]:
    """Where players may build since privates have closed."""
    closed = {event.private for event in trial.events if isinstance(event, facts.PrivateClosed)}
    spaces = [space.id for space in trial.board_rules.map.hexes.values() if not closed.isdisjoint(space.privates)]
    if spaces:
        yield tr("Track can then be laid on {hexes}.", join_and(spaces))


def ended_company_notes(trial: Game, action: Action) -> Iterator[str]:
    """For a company that a move has ended: what it had left, and that it buys no train."""
    company = trial.state.companies.get(as_company(action.by))
    if company is None or not company.closed:
        return
    payments = (event for event in trial.events if isinstance(event, facts.Paid))
    to_bank = [event.amount for event in payments if (event.payer, event.payee) == (action.by, BANK)]
    if to_bank:
        yield tr("{company}'s last {money} go to the bank.", company.id, money(trial, to_bank[-1]))
    if isinstance(action, BuyTrain):
        yield tr("No train is bought.")


def with_consent(trial: Game) -> Iterator[str]:
    """The players asked after a move that was tried, and what follows once all have agreed, except what the move
    names.
    """
    if not waits_for_consent(trial):
        return
    asked, lines, bought, position = trial.players_to_act(), list[str](), list[str](), trial
    for player in asked:
        answer = Answer(player, True)
        found = position_after(position, answer)
        if found is None:
            return
        told_of = [line for line in outright(found, NAMED_BY_MOVE) if line not in answers(found, answer)]
        lines += [*told_of, *beyond(found, turn_of(position))]
        bought += event_sentences(found, (event for event in found.events if isinstance(event, PURCHASES)))
        position = found
    people = join_and(map(trial.state.name, asked))
    if any(line not in bought for line in lines):
        yield tr("With the consent of {people}: {what}", people, " ".join(lines))
    else:
        yield tr("If {people} agrees." if len(asked) == 1 else "If {people} agree.", people)


def waits_for_consent(trial: Game) -> bool:
    if not trial.state.flow or trial.frame.at >= len(trial.procedure.steps):
        return False
    step = trial.procedure.steps[trial.frame.at]
    return not callable(step) and Answer in step.verbs and step.opens(trial)


def outright(trial: Game, without: tuple[type[Event], ...] = ()) -> list[str]:
    """Sentences about all that happened by a move that was tried."""
    left_out = (*trial.title.words.echoes, *without)
    return event_sentences(trial, (event for event in trial.events if not isinstance(event, left_out)))


def answers(game: Game, action: Answer) -> list[str]:
    """The sentences that only repeat an answer."""
    told = msg("{by} agrees." if action.agree else "{by} refuses.", action.by)
    return tr_lines([told], game.state.names)


def position_after(game: Game, action: Action) -> Game | None:
    """A copy in which the move has been made, up to the next decision or the turn's end; None where it is not legal."""
    trial, turn = game.copy(), turn_of(game)

    def still_the_same(position: Game) -> None:
        if not is_within(position, turn):
            raise TurnOver

    try:
        step = trial.step_for(action)
    except Rejected:
        return None
    trial.events = []
    with suppress(TurnOver):
        step.apply(trial, action)
        trial.advance(still_the_same)
    return trial


class TurnOver(Exception):
    """The turn in which a move was tried has ended."""


def turn_of(game: Game) -> list[tuple[str, Owner | None]]:
    """Whose turn it is, and in what, from the whole game to what is done within it; what begins within a turn
    comes last.
    """
    return [(frame.plan, frame.entity) for frame in game.state.flow]


def is_within(position: Game, turn: Sequence[tuple[str, Owner | None]]) -> bool:
    return turn_of(position)[: len(turn)] == turn


def news(trial: Game, action: Action) -> list[str]:
    """Sentences about the consequences of a move that was tried; the move does not mention a private's exchange,
    one that a bid buys at once, or who else gets a private.
    """

    def comes(event: Event) -> bool:
        is_sold = isinstance(event, facts.PrivateBought) and (event.by != action.by or isinstance(action, Bid))
        return is_sold or (isinstance(event, facts.SharesBought) and isinstance(action, Exchange))

    return event_sentences(trial, (event for event in trial.events if comes(event) or is_news(trial, event)))


def event_sentences(game: Game, events: Iterable[Event]) -> list[str]:
    """A sentence for each event that is worth it, each once; events alike about several things share one."""
    happened = list(join_price_moves(events))
    if any(isinstance(event, facts.GameEnded) for event in happened):
        # Its sentence has the reason.
        happened = [event for event in happened if not isinstance(event, facts.GameEndTriggered | facts.WentBankrupt)]
    every = (sentence(game, event) for event in happened)
    return tr_lines(merge_alike(filter(None, every), game.title.words.several), game.state.names)


def join_price_moves(events: Iterable[Event]) -> Iterator[Event]:
    """These events; consecutive moves of a price in the same direction become one."""

    def way(event: Event) -> object:
        return (event.company, event.after > event.before) if isinstance(event, facts.PriceMoved) else event

    for _, group in groupby(events, way):
        alike = list(group)
        first, last = alike[0], alike[-1]
        if isinstance(first, facts.PriceMoved) and isinstance(last, facts.PriceMoved):
            first = msgspec.structs.replace(first, after=last.after)
        yield first


def falls(game: Game, action: Action) -> list[str]:
    """The prices that fall because of a move in the same turn, a sentence each."""
    trial = position_after(game, action)
    moved = (event for event in trial.events if isinstance(event, facts.PriceMoved)) if trial is not None else ()
    return event_sentences(game, (event for event in moved if event.after < event.before))


def sums(trial: Game, action: Action, found: Sequence[str], owner: Owner | None) -> Iterator[str]:
    """The sums that somebody paid or got by the move that was tried, unless its text or a `found` sentence says
    so.
    """
    # The money of a company that becomes part of another one goes with it.
    is_gone = owner in trial.state.companies and trial.company(as_company(owner)).closed
    if owner is None or is_gone or isinstance(action, Dividend):
        return
    payments = [event for event in trial.events if isinstance(event, facts.Paid)]
    paid = amount_paid(payments, owner)
    is_said = owner == action.by and isinstance(action, SAYS_PRICE)
    if paid and not is_said and not tells(found, trial.state.name(owner), money(trial, paid)):
        yield tr("{owner} pays {money}.", trial.state.name(owner), money(trial, paid))
    got = sum(event.amount for event in payments if event.payee == owner)
    if got and isinstance(action, SellShares) and not tells(found, trial.state.name(owner), money(trial, got)):
        yield tr("{owner} gets {money}.", trial.state.name(owner), money(trial, got))


def flows(trial: Game, action: Action) -> Iterator[str]:
    """The bank's payments to privates that have not moved themselves; for a tile or a first price, that nothing is
    paid.
    """
    payments = [event for event in trial.events if isinstance(event, facts.Paid)]
    for payment in () if isinstance(action, Dividend) else payments:
        if payment.payer == BANK and payment.payee in trial.state.privates and payment.payee != action.by:
            yield tr("{owner} gets {money}.", payment.payee, money(trial, payment.amount))
    if isinstance(action, LayTile | Par) and not payments:
        yield tr("It costs nothing.")


def tells(lines: Iterable[str], owner: str, amount: str) -> bool:
    wanted = {word.lower() for word in (*pronoun_for(owner).split(), *amount.split())}
    return any(wanted <= {word.strip(".,;:()").lower() for word in line.split()} for line in lines)


def amount_paid(payments: list[facts.Paid], owner: Owner) -> int:
    return sum(event.amount for event in payments if event.payer == owner)


def is_news(game: Game, event: Event) -> bool:
    """Whether an event says more than the move itself; a price that stays where it is does not."""
    is_still = isinstance(event, facts.PriceMoved) and event.before == event.after
    return not is_still and not isinstance(event, (*ECHOES, *game.title.words.echoes))
