"""Sentences: what happened, and what is asked. One table a kind of event."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.ids import BANK, IPO, POOL, HexId, Owner, PrivateId
from bot.engine.message import GAP, Message, Sentence, Value, either, joined, said, together, whom
from bot.engine.play.game import Game
from bot.engine.refusals import permits
from bot.engine.state import events as facts
from bot.engine.state.actions import BuyPrivate, Pass
from bot.engine.state.events import Event


def narrate(game: Game, happened: Iterable[Event]) -> list[Message]:
    """A sentence for every event that is worth one, in order; a trade before whom it makes president, which is settled first."""
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
    """The sentence about one event, in the title's words where it has its own; None when it is not worth a line."""
    writer = game.title.sentences.get(type(event)) or TABLE.get(type(event))
    if isinstance(writer, str):
        return said(writer, *(_value(getattr(event, gap)) for gap in GAP.findall(writer)))
    return writer(game, event) if writer else None


def _value(field: Value | tuple[Value, ...]) -> Value:
    return together(field) if isinstance(field, tuple) else field


def money(game: Game, amount: int) -> str:
    """A sum in the title's currency."""
    return game.title.money(amount)


def a_train(kind: str) -> Message:
    """`a 3+ train`, `an 8 train`."""
    return said("an {kind} train" if kind.startswith(("8", "11", "18")) else "a {kind} train", kind)


def upper(words: str) -> str:
    """The words with a capital at the beginning, the rest as it is."""
    return words[:1].upper() + words[1:]


def lot(game: Game, sign: Owner) -> Value:
    """What is auctioned, with the name printed on it if it is a private: `P4 Peel and Hay`."""
    printed = game.title.privates.get(PrivateId(sign))
    return joined(" ", [sign, said(printed.name)]) if printed else sign


def named_space(game: Game, hex_id: HexId) -> str:
    """A space with the name printed on it: `H11 (Melbourne)`."""
    called = game.land.map.hexes[hex_id].name
    return f"{hex_id} ({called})" if called else hex_id


def _round_began(game: Game, event: facts.RoundBegan) -> Message:
    if event.kind == "operating":
        number, part, of = event.number, event.part, event.of
        if of == 1:
            return said("Operating round {number}.{part} begins.", number, part)
        return said("Operating round {number}.{part} of {set}.{of} begins.", number, part, number, of)
    return said("{kind} round {number} begins.", said(event.kind.capitalize()), event.number)


def _bought_private(game: Game, event: facts.PrivateBought) -> Message:
    what, price = lot(game, event.private), money(game, event.price)
    if event.seller == BANK:
        return said("{by} buys {private} for {price}.", event.by, what, price)
    return said("{by} buys {private} from {seller} for {price}.", event.by, what, event.seller, price)


def _bought_shares(game: Game, event: facts.SharesBought) -> Message:
    what = (event.by, event.percent, event.company)
    if event.source == POOL and event.price:
        return said("{by} buys {percent}% of {company} from the pool for {price}.", *what, money(game, event.price))
    if event.source == POOL:
        return said("{by} gets {percent}% of {company} from the pool.", *what)
    if event.price:
        template = "{by} buys {percent}% of {company} from {source} for {price}."
        return said(template, *what, whom(event.source), money(game, event.price))
    return said("{by} gets {percent}% of {company} from {source}.", *what, whom(event.source))


def bought_of_treasury(game: Game, event: facts.SharesBought) -> Message:
    """Who gets which shares from where, if those that nobody has bought yet lie in the company's treasury."""
    if event.source != IPO:
        return _bought_shares(game, event)
    template = "{by} buys {percent}% of {company} from {owner}'s treasury for {price}."
    return said(template, event.by, event.percent, event.company, event.company, money(game, event.price))


def _sold_shares(game: Game, event: facts.SharesSold) -> Message:
    template = "{by} sells {percent}% of {company} for {price}."
    return said(template, event.by, event.percent, event.company, money(game, event.price))


def president_said(game: Game, event: facts.PresidentChanged) -> Message:
    """Who directs a company now."""
    who = event.president or said("nobody")
    return said("{who} is now {role} of {company}.", who, said(game.title.director_word), event.company)


def price_moved(game: Game, event: facts.PriceMoved) -> Message:
    """Where a price is now, and from where it came."""
    before, after = money(game, event.before), money(game, event.after)
    if event.after == event.before:
        return said("{company} stays at {price}.", event.company, after)
    if event.after > event.before:
        return said("{company} rises from {before} to {after}.", event.company, before, after)
    return said("{company} falls from {before} to {after}.", event.company, before, after)


def _tile(game: Game, event: facts.TileLaid) -> Message:
    verb = said("upgrades {replaced} to", event.replaced) if event.replaced else said("lays")
    rest = (whom(event.by), verb, event.tile, named_space(game, event.hex), event.rotation)
    if not event.cost:
        return said("{by} {verb} {tile} on {hex}, turned by {rotation}.", *rest)
    return said("{by} {verb} {tile} on {hex}, turned by {rotation} for {cost}.", *rest, money(game, event.cost))


def _token(game: Game, event: facts.TokenPlaced) -> Message:
    where = named_space(game, event.hex)
    if not event.cost:
        return said("{company} places a token on {hex}.", event.company, where)
    return said("{company} places a token on {hex} for {cost}.", event.company, where, money(game, event.cost))


def _ran(game: Game, event: facts.RoutesRun) -> Message:
    revenue = money(game, event.revenue)
    if not event.trains:
        return said("{company} runs for {revenue}.", event.company, revenue)
    return said(
        "{company} runs for {revenue} ({trains}).", event.company, revenue, "; ".join(by_kind(game, event.trains))
    )


def by_kind(game: Game, trains: Iterable[str]) -> list[str]:
    """The lines of a run, each with the kind of its train, if it is still there: numbers of trains are for moves."""
    kinds = {str(train.id): train.kind for train in game.state.trains}
    parts = (line.partition(":") for line in trains)
    return [f"{kinds.get(train, train)}{colon}{run}" for train, colon, run in parts]


def _dividend(game: Game, event: facts.DividendPaid) -> Message:
    each = f"{money(game, event.per_share)}{'½' if event.and_half else ''}"
    what = (event.company, money(game, event.revenue), each)
    if not event.amounts:
        return said("{company} pays {revenue}, {per_share} a share; no player holds a share.", *what)
    return said("{company} pays {revenue}, {per_share} a share: {shares}.", *what, _sums(game, event.amounts))


def _sums(game: Game, sums: Iterable[tuple[Owner, int]]) -> Message:
    return joined(", ", (joined(" ", (whom(owner), money(game, amount))) for owner, amount in sums))


def _train(game: Game, event: facts.TrainBought) -> Message:
    what = (event.company, a_train(event.kind), whom(event.source), money(game, event.price))
    if event.source == POOL and not event.trade_in:
        return said("{company} buys {train} from the pool for {price}.", *what[:2], what[-1])
    if not event.trade_in:
        return said("{company} buys {train} from {source} for {price}.", *what)
    return said("{company} buys {train} from {source} for {price} and its {trade}.", *what, event.trade_in)


def _rusted(game: Game, event: facts.TrainsRusted) -> Message:
    kinds, losers = together(event.kinds), dict.fromkeys(map(whom, event.owners))
    if not losers:
        return said("All {kinds} trains rust; nobody had one.", kinds)
    many = "All {kinds} trains rust; {losers} lose trains."
    return said(many if len(losers) > 1 else "All {kinds} trains rust; {losers} loses trains.", kinds, together(losers))


def _ended(game: Game, event: facts.GameEnded) -> Message:
    return said("The game is over: {reason}. {scores}.", said(event.reason), _sums(game, event.scores))


TABLE: dict[type[Event], Sentence] = {
    facts.Noted: lambda game, e: e.sentence,
    facts.RoundBegan: _round_began,
    facts.PriceReduced: lambda game, e: said(
        "{by} lowers {private} to {price}.", e.by, e.private, money(game, e.price)
    ),
    facts.BidMade: lambda game, e: said("{by} bids {price} for {lot}.", e.by, money(game, e.price), lot(game, e.lot)),
    facts.PrivateBought: _bought_private,
    facts.PrivatePaid: lambda game, e: said(
        "{private} pays {owner} {price}.", e.private, e.owner, money(game, e.amount)
    ),
    facts.PrivateClosed: lambda game, e: said(
        "{private} {name} closes.", e.private, said(game.title.privates[e.private].name)
    ),
    facts.CompanyStarted: lambda game, e: said(
        "{by} starts {company} at {price}.", e.by, e.company, money(game, e.price)
    ),
    facts.SharesBought: _bought_shares,
    facts.SharesSold: _sold_shares,
    facts.PresidentChanged: president_said,
    facts.CompanyFloated: lambda game, e: said("{company} floats with {capital}.", e.company, money(game, e.capital)),
    facts.PriceMoved: price_moved,
    facts.TileLaid: _tile,
    facts.TokenPlaced: _token,
    facts.RoutesRun: _ran,
    facts.DividendPaid: _dividend,
    facts.RevenueWithheld: lambda game, e: said("{company} keeps {revenue}.", e.company, money(game, e.revenue)),
    facts.EarnedNothing: "{company} earns nothing.",
    facts.TrainBought: _train,
    facts.TrainExported: lambda game, e: said("{train} leaves the bank unsold.", a_train(e.kind)),
    facts.TrainDiscarded: lambda game, e: said("{company} gives up {train}.", e.company, a_train(e.kind)),
    facts.TrainsRusted: _rusted,
    facts.PhaseBegan: lambda game, e: said("Phase {phase} begins.", said(e.phase)),
    facts.LoanTaken: lambda game, e: said("{company} takes a loan of {amount}.", e.company, money(game, e.amount)),
    facts.Contributed: lambda game, e: said(
        "{player} adds {amount} to {company}'s money for a train.", e.player, money(game, e.amount), e.company
    ),
    facts.WentBankrupt: "{player} is bankrupt.",
    facts.GameEndTriggered: lambda game, e: said("The game will end {when}: {reason}.", said(e.when), said(e.reason)),
    facts.GameEnded: _ended,
    facts.ProposalWithdrawn: "{by} withdraws the proposal.",
    facts.Passed: lambda game, e: said("{by} passes ({step}).", e.by, said(e.step)) if e.step else None,
}
"""Payments and the beginnings of turns have no sentence of their own: other events tell of them."""


def question(game: Game) -> Message:
    """One sentence: who is asked, and what: `Ann (VR): lay track or pass.`"""
    if game.state.finished:
        return said("The game is over.")
    people = together(game.state.name(player) for player in game.asked())
    companies = asked_for(game)
    if not companies:
        return said("{people}: {what}.", people, asked_to(game))
    return said("{people} ({companies}): {what}.", people, together(companies), asked_to(game))


def question_alone(game: Game) -> Message:
    """The question to the only one who is asked, where his name stands before it: `VR: lay track or pass.`"""
    if game.state.finished or len(game.asked()) != 1:
        return question(game)
    companies = asked_for(game)
    return said("{who}: {what}.", together(companies), asked_to(game)) if companies else said("{1}.", asked_to(game))


def asked_for(game: Game) -> list[Owner]:
    """The companies for which the question is; none where others are asked than who decides for the one in turn."""
    step, entity, asked = game.step, game.frame.entity, game.frame.asked
    if entity and asked and game.decider(entity) not in asked:
        return []
    owners = [entity] if entity or step is None else [action.by for action in step.options(game)]
    return [owner for owner in dict.fromkeys(owners) if owner in game.state.companies]


def asked_to(game: Game) -> Message:
    """What is asked, without who: the open step, what may be done beside it, passing."""
    offer = game.state.offer
    if offer is not None:
        wanted: Value = (
            offer.private
            if isinstance(offer, BuyPrivate)
            else said("{kind} of {source}", a_train(offer.kind), offer.source)
        )
        buyer = game.state.name(offer.by)
        return said("sell {wanted} to {buyer} for {money}? Agree or refuse", wanted, buyer, money(game, offer.price))
    asks = getattr(game.step, "asks", None)
    if asks is not None and (asked := asks(game)):
        return said(asked)
    names = [step.name for step in game.asked_steps()]
    shortest = [one for one in names if not any(other != one and other.startswith(one) for other in names)]
    return either(map(said, [*shortest, "pass"] if may_pass(game) else shortest))


def may_pass(game: Game) -> bool:
    """Whether passing is among the legal moves."""
    step, entity = game.step, game.frame.entity
    if step is None or entity is None or Pass not in step.verbs:
        return False
    return permits(game.check, Pass(entity))


def where(game: Game) -> Message:
    """The round and the phase in a few words."""
    current, phase = game.state.round, game.state.phase
    kind = said(current.kind.capitalize())
    if current.kind == "auction":
        return said("{kind} round, phase {phase}", kind, said(phase))
    part: Value = current.number
    if current.kind == "operating" and current.of == 1:
        part = f"{current.number}.{current.part}"
    elif current.kind == "operating" or current.of > 1:
        part = said("{number}.{part} of {set}.{of}", current.number, current.part, current.number, current.of)
    return said("{kind} round {part}, phase {phase}", kind, part, said(phase))
