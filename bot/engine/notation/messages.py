"""Sentences: what happened, and what is asked. One table a kind of event."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine import (
    BANK,
    GAP,
    IPO,
    POOL,
    HexId,
    Message,
    Owner,
    PrivateId,
    Sentence,
    Value,
    is_permitted,
    is_player,
    join_and,
    join_or,
    join_values,
    msg,
    owner_name,
)
from bot.engine.play import Game
from bot.engine.state import BuyPrivate, Event, Pass
from bot.engine.state import events as facts


def narrate(game: Game, happened: Iterable[Event]) -> list[Message]:
    """A sentence for every event that deserves it, in order; a trade stands before the change of president it causes,
    which is settled first.
    """
    events = list(happened)
    for at, event in enumerate(events):
        if isinstance(event, facts.SharesSold | facts.SharesBought):
            before = enumerate(events[:at])
            changes = (
                n for n, one in before if isinstance(one, facts.PresidentChanged) and one.company == event.company
            )
            events.insert(next(changes, at), events.pop(at))
    return [told for event in events if (told := sentence(game, event))]


def sentence(game: Game, event: Event) -> Message | None:
    """None when the event is not worth a line."""
    writer = game.title.sentences.get(type(event)) or TABLE.get(type(event))
    if isinstance(writer, str):
        return msg(writer, *(_value(getattr(event, gap)) for gap in GAP.findall(writer)))
    return writer(game, event) if writer else None


def _value(field: Value | tuple[Value, ...]) -> Value:
    return join_and(field) if isinstance(field, tuple) else field


def money(game: Game, amount: int) -> str:
    return game.title.money(amount)


def format_train(kind: str) -> Message:
    """`a 3+ train`, `an 8 train`."""
    return msg("an {kind} train" if kind.startswith(("8", "11", "18")) else "a {kind} train", kind)


def capitalise(words: str) -> str:
    return words[:1].upper() + words[1:]


def lot_name(game: Game, sign: Owner) -> Value:
    """`P4 Peel and Hay` for a private company, else the sign."""
    printed = game.title.privates.get(PrivateId(sign))
    return join_values(" ", [sign, msg(printed.name)]) if printed else sign


def hex_name(game: Game, hex_id: HexId) -> str:
    """`H11 (Melbourne)`."""
    called = game.board_rules.map.hexes[hex_id].name
    return f"{hex_id} ({called})" if called else hex_id


def _format_round_start(game: Game, event: facts.RoundBegan) -> Message:
    if event.kind == "operating":
        number, part, of = event.number, event.part, event.of
        if of == 1:
            return msg("Operating round {number}.{part} begins.", number, part)
        return msg("Operating round {number}.{part} of {set}.{of} begins.", number, part, number, of)
    return msg("{kind} round {number} begins.", msg(event.kind.capitalize()), event.number)


def _format_private_purchase(game: Game, event: facts.PrivateBought) -> Message:
    what, price = lot_name(game, event.private), money(game, event.price)
    if event.seller == BANK:
        return msg("{by} buys {private} for {price}.", event.by, what, price)
    return msg("{by} buys {private} from {seller} for {price}.", event.by, what, event.seller, price)


def _format_share_purchase(game: Game, event: facts.SharesBought) -> Message:
    what = (event.by, event.percent, event.company)
    if event.source == POOL and event.price:
        return msg("{by} buys {percent}% of {company} from the pool for {price}.", *what, money(game, event.price))
    if event.source == POOL:
        return msg("{by} gets {percent}% of {company} from the pool.", *what)
    if event.price:
        template = "{by} buys {percent}% of {company} from {source} for {price}."
        return msg(template, *what, owner_name(event.source), money(game, event.price))
    return msg("{by} gets {percent}% of {company} from {source}.", *what, owner_name(event.source))


def format_treasury_purchase(game: Game, event: facts.SharesBought) -> Message:
    """The buyers of shares and their sources, if unsold shares are in the company's treasury."""
    if event.source != IPO:
        return _format_share_purchase(game, event)
    template = "{by} buys {percent}% of {company} from {owner}'s treasury for {price}."
    return msg(template, event.by, event.percent, event.company, event.company, money(game, event.price))


def _format_share_sale(game: Game, event: facts.SharesSold) -> Message:
    return msg(
        "{by} sells {percent}% of {company} for {price}.",
        event.by,
        event.percent,
        event.company,
        money(game, event.price),
    )


def format_president(game: Game, event: facts.PresidentChanged) -> Message:
    who = event.president or msg("nobody")
    return msg("{who} is now {role} of {company}.", who, msg(game.title.director_word), event.company)


def format_price_move(game: Game, event: facts.PriceMoved) -> Message:
    before, after = money(game, event.before), money(game, event.after)
    if event.after == event.before:
        return msg("{company} stays at {price}.", event.company, after)
    if event.after > event.before:
        return msg("{company} rises from {before} to {after}.", event.company, before, after)
    return msg("{company} falls from {before} to {after}.", event.company, before, after)


def _format_tile(game: Game, event: facts.TileLaid) -> Message:
    verb = msg("upgrades {replaced} to", event.replaced) if event.replaced else msg("lays")
    rest = (owner_name(event.by), verb, event.tile, hex_name(game, event.hex), event.rotation)
    if not event.cost:
        return msg("{by} {verb} {tile} on {hex}, rotation {rotation}.", *rest)
    return msg("{by} {verb} {tile} on {hex}, rotation {rotation}, for {cost}.", *rest, money(game, event.cost))


def _format_token(game: Game, event: facts.TokenPlaced) -> Message:
    where = hex_name(game, event.hex)
    if not event.cost:
        return msg("{company} places a token on {hex}.", event.company, where)
    return msg("{company} places a token on {hex} for {cost}.", event.company, where, money(game, event.cost))


def _format_run(game: Game, event: facts.RoutesRun) -> Message:
    revenue = money(game, event.revenue)
    if not event.trains:
        return msg("{company} runs for {revenue}.", event.company, revenue)
    return msg(
        "{company} runs for {revenue} ({trains}).", event.company, revenue, "; ".join(run_lines(game, event.trains))
    )


def run_lines(game: Game, trains: Iterable[str]) -> list[str]:
    """Each route with the kind of its train instead of the train's number, if the company still has it."""
    kinds = {str(train.id): train.kind for train in game.state.trains}
    parts = (line.partition(":") for line in trains)
    return [f"{kinds.get(train, train)}{colon}{run}" for train, colon, run in parts]


def _format_dividend(game: Game, event: facts.DividendPaid) -> Message:
    each = f"{money(game, event.per_share)}{'½' if event.and_half else ''}"
    what = (event.company, money(game, event.revenue), each)
    if not event.amounts:
        return msg("{company} pays {revenue}, {per_share} a share; no player holds a share.", *what)
    return msg("{company} pays {revenue}, {per_share} a share: {shares}.", *what, _format_sums(game, event.amounts))


def _format_sums(game: Game, sums: Iterable[tuple[Owner, int]]) -> Message:
    return join_values(", ", (join_values(" ", (owner_name(owner), money(game, amount))) for owner, amount in sums))


def _format_train_purchase(game: Game, event: facts.TrainBought) -> Message:
    what = (event.company, format_train(event.kind), owner_name(event.source), money(game, event.price))
    if event.source == POOL and not event.trade_in:
        return msg("{company} buys {train} from the pool for {price}.", *what[:2], what[-1])
    if not event.trade_in:
        return msg("{company} buys {train} from {source} for {price}.", *what)
    return msg("{company} buys {train} from {source} for {price} and its {trade}.", *what, event.trade_in)


def _format_rusted_trains(game: Game, event: facts.TrainsRusted) -> Message:
    kinds, losers = join_and(event.kinds), dict.fromkeys(map(owner_name, event.owners))
    if not losers:
        return msg("All {kinds} trains rust; nobody had one.", kinds)
    many = "All {kinds} trains rust; {losers} lose trains."
    return msg(many if len(losers) > 1 else "All {kinds} trains rust; {losers} loses trains.", kinds, join_and(losers))


def _format_pass(game: Game, event: facts.Passed) -> Message | None:
    """A company is asked several questions in a turn, so its sentence names the question."""
    if not event.step or is_player(event.by):
        return msg("{by} passes.", event.by) if event.step else None
    return msg("{by} passes ({step}).", event.by, msg(event.step))


def _format_game_end(game: Game, event: facts.GameEnded) -> Message:
    return msg("The game is over: {reason}. {scores}.", msg(event.reason), _format_sums(game, event.scores))


TABLE: dict[type[Event], Sentence] = {
    facts.Noted: lambda game, e: e.sentence,
    facts.RoundBegan: _format_round_start,
    facts.PriceReduced: lambda game, e: msg("{by} lowers {private} to {price}.", e.by, e.private, money(game, e.price)),
    facts.BidMade: lambda game, e: msg(
        "{by} bids {price} for {lot}.", e.by, money(game, e.price), lot_name(game, e.lot)
    ),
    facts.PrivateBought: _format_private_purchase,
    facts.PrivatePaid: lambda game, e: msg(
        "{private} pays {owner} {price}.", e.private, e.owner, money(game, e.amount)
    ),
    facts.PrivateClosed: lambda game, e: msg(
        "{private} {name} closes.", e.private, msg(game.title.privates[e.private].name)
    ),
    facts.CompanyStarted: lambda game, e: msg(
        "{by} starts {company} at {price}.", e.by, e.company, money(game, e.price)
    ),
    facts.SharesBought: _format_share_purchase,
    facts.SharesSold: _format_share_sale,
    facts.PresidentChanged: format_president,
    facts.CompanyFloated: lambda game, e: msg("{company} floats with {capital}.", e.company, money(game, e.capital)),
    facts.PriceMoved: format_price_move,
    facts.TileLaid: _format_tile,
    facts.TokenPlaced: _format_token,
    facts.RoutesRun: _format_run,
    facts.DividendPaid: _format_dividend,
    facts.RevenueWithheld: lambda game, e: msg("{company} withholds {revenue}.", e.company, money(game, e.revenue)),
    facts.EarnedNothing: "{company} earns nothing.",
    facts.TrainBought: _format_train_purchase,
    facts.TrainExported: lambda game, e: msg("{train} leaves the bank unsold.", format_train(e.kind)),
    facts.TrainDiscarded: lambda game, e: msg("{company} discards {train}.", e.company, format_train(e.kind)),
    facts.TrainsRusted: _format_rusted_trains,
    facts.PhaseBegan: lambda game, e: msg("Phase {phase} begins.", msg(e.phase)),
    facts.LoanTaken: lambda game, e: msg("{company} takes a loan of {amount}.", e.company, money(game, e.amount)),
    facts.Contributed: lambda game, e: msg(
        "{player} adds {amount} to {company}'s money for a train.", e.player, money(game, e.amount), e.company
    ),
    facts.WentBankrupt: "{player} is bankrupt.",
    facts.GameEndTriggered: lambda game, e: msg("The game will end {when}: {reason}.", msg(e.when), msg(e.reason)),
    facts.GameEnded: _format_game_end,
    facts.ProposalWithdrawn: "{by} withdraws the proposal.",
    facts.Passed: _format_pass,
}
"""Payments and the beginnings of turns have no sentence of their own: other events tell of them."""


def question(game: Game) -> Message:
    """The player asked and the decision: `Ann (VR): lay track or pass.`"""
    if game.state.finished:
        return msg("The game is over.")
    people = join_and(game.state.name(player) for player in game.players_to_act())
    companies = asked_companies(game)
    if not companies:
        return msg("{people}: {what}.", people, prompt_text(game))
    return msg("{people} ({companies}): {what}.", people, join_and(companies), prompt_text(game))


def short_question(game: Game) -> Message:
    """The question where the name of the only player asked stands before it: `VR: lay track or pass.`"""
    if game.state.finished or len(game.players_to_act()) != 1:
        return question(game)
    companies = asked_companies(game)
    return (
        msg("{who}: {what}.", join_and(companies), prompt_text(game)) if companies else msg("{1}.", prompt_text(game))
    )


def asked_companies(game: Game) -> list[Owner]:
    """The companies for which the question is; none if others are asked than the player who decides for the company in
    turn."""
    step, entity, asked = game.step, game.frame.entity, game.frame.asked
    if entity and asked and game.controller_of(entity) not in asked:
        return []
    owners = [entity] if entity or step is None else [action.by for action in step.options(game)]
    return [owner for owner in dict.fromkeys(owners) if owner in game.state.companies]


def prompt_text(game: Game) -> Message:
    """The decision without the player: the open step, what may be done beside it, passing."""
    offer = game.state.offer
    if offer is not None:
        wanted: Value = (
            offer.private
            if isinstance(offer, BuyPrivate)
            else msg("{kind} of {source}", format_train(offer.kind), offer.source)
        )
        buyer = game.state.name(offer.by)
        return msg("sell {wanted} to {buyer} for {money}? Agree or refuse", wanted, buyer, money(game, offer.price))
    asks = getattr(game.step, "prompt", None)
    if asks is not None and (asked := asks(game)):
        return msg(asked)
    names = [step.name for step in game.active_steps()]
    shortest = [one for one in names if not any(other != one and other.startswith(one) for other in names)]
    return join_or(map(msg, [*shortest, "pass"] if may_pass(game) else shortest))


def may_pass(game: Game) -> bool:
    step, entity = game.step, game.frame.entity
    if step is None or entity is None or Pass not in step.verbs:
        return False
    return is_permitted(game.check, Pass(entity))


def round_and_phase(game: Game) -> Message:
    current, phase = game.state.round, game.state.phase
    kind = msg(current.kind.capitalize())
    if current.kind == "auction":
        return msg("{kind} round, phase {phase}", kind, msg(phase))
    part: Value = current.number
    if current.kind == "operating" and current.of == 1:
        part = f"{current.number}.{current.part}"
    elif current.kind == "operating" or current.of > 1:
        part = msg("{number}.{part} of {set}.{of}", current.number, current.part, current.number, current.of)
    return msg("{kind} round {part}, phase {phase}", kind, part, msg(phase))
