"""Sentences: what happened, and what is asked. One table a kind of event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bot.engine.data import events as facts
from bot.engine.data.actions import BuyTrain, Pass
from bot.engine.data.events import Event
from bot.engine.ids import BANK, DEPOT, IPO, POOL, HexId, Owner
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal

Sentence = Callable[[Game, Any], str]

PLACES = {BANK: "the bank", IPO: "the bank", POOL: "the pool", DEPOT: "the bank"}


def name(game: Game, owner: Owner) -> str:
    """How people call an owner."""
    return PLACES.get(owner) or game.state.name(owner)


def narrate(game: Game, happened: Iterable[Event]) -> list[str]:
    """A sentence for every event that is worth one, in order."""
    return [said for event in happened if (said := sentence(game, event))]


def sentence(game: Game, event: Event) -> str | None:
    """The sentence about one event, in the title's words where it has its own; None when it is not worth a line."""
    writer = game.title.sentences.get(type(event)) or TABLE.get(type(event))
    said = writer(game, event) if writer else ""
    return upper(said) if said else None


def money(game: Game, amount: int) -> str:
    """A sum in the title's currency."""
    return f"{game.title.currency}{amount}"


def a_train(kind: str) -> str:
    """`a 3+ train`, `an 8 train`."""
    return f"a{'n' if kind.startswith(('8', '11', '18')) else ''} {kind} train"


def upper(words: str) -> str:
    """The words with a capital at the beginning, the rest as it is."""
    return words[:1].upper() + words[1:]


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`; a word that has an `or` in it is set off by commas."""
    *first, final = list(words) or [""]
    if not first:
        return final
    comma = "," if any(f" {last} " in word for word in (*first, final)) else ""
    return f"{', '.join(first)}{comma} {last} {final}"


def place(game: Game, hex_id: HexId) -> str:
    """A space with the name printed on it: `H11 (Melbourne)`."""
    called = game.land.map.hexes[hex_id].name
    return f"{hex_id} ({called})" if called else hex_id


def _round_began(game: Game, event: facts.RoundBegan) -> str:
    if event.kind == "operating":
        return f"Operating round {event.number}.{event.part} of {event.number}.{event.of} begins."
    return f"{event.kind.capitalize()} round {event.number} begins."


def _bought_private(game: Game, event: facts.PrivateBought) -> str:
    printed = game.title.privates[event.private].name
    seller = "" if event.seller == BANK else f" from {name(game, event.seller)}"
    return f"{name(game, event.by)} buys {event.private} {printed}{seller} for {money(game, event.price)}."


def _bought_shares(game: Game, event: facts.SharesBought) -> str:
    return (
        f"{name(game, event.by)} buys {event.percent}% of {event.company} from {name(game, event.source)} "
        f"for {money(game, event.price)}."
    )


def _president(game: Game, event: facts.PresidentChanged) -> str:
    who = name(game, event.president) if event.president else "nobody"
    return f"{who} is now {game.title.director_word} of {event.company}."


def _price_moved(game: Game, event: facts.PriceMoved) -> str:
    if event.after == event.before:
        return f"{event.company} stays at {money(game, event.after)}."
    word = "rises" if event.after > event.before else "falls"
    return f"{event.company} {word} from {money(game, event.before)} to {money(game, event.after)}."


def _tile(game: Game, event: facts.TileLaid) -> str:
    verb = f"upgrades {event.replaced} to" if event.replaced else "lays"
    cost = f" for {money(game, event.cost)}" if event.cost else ""
    return f"{name(game, event.by)} {verb} {event.tile} on {place(game, event.hex)}, turned by {event.rotation}{cost}."


def _token(game: Game, event: facts.TokenPlaced) -> str:
    cost = f" for {money(game, event.cost)}" if event.cost else ""
    return f"{event.company} places a token on {place(game, event.hex)}{cost}."


def _ran(game: Game, event: facts.RoutesRun) -> str:
    lines = "; ".join(event.trains)
    return f"{event.company} runs for {money(game, event.revenue)}{f' ({lines})' if lines else ''}."


def _dividend(game: Game, event: facts.DividendPaid) -> str:
    shares = ", ".join(f"{name(game, owner)} {money(game, amount)}" for owner, amount in event.amounts)
    to = f": {shares}" if shares else "; no player holds a share"
    return f"{event.company} pays {money(game, event.revenue)}, {money(game, event.per_share)} a share{to}."


def _train(game: Game, event: facts.TrainBought) -> str:
    trade = f" and its {event.trade_in}" if event.trade_in else ""
    seller = name(game, event.source)
    return f"{event.company} buys {a_train(event.kind)} from {seller} for {money(game, event.price)}{trade}."


def _rusted(game: Game, event: facts.TrainsRusted) -> str:
    losers = listed(dict.fromkeys(name(game, owner) for owner in event.owners))
    lost = f"{losers} {'lose' if len(set(event.owners)) > 1 else 'loses'} by it" if losers else "nobody had one"
    return f"All {listed(event.kinds)} trains rust; {lost}."


def _ended(game: Game, event: facts.GameEnded) -> str:
    places = ", ".join(f"{name(game, player)} {money(game, total)}" for player, total in event.scores)
    return f"The game is over: {event.reason}. {places}."


TABLE: dict[type[Event], Sentence] = {
    facts.RoundBegan: _round_began,
    facts.PriceReduced: lambda game, e: f"{name(game, e.by)} lowers {e.private} to {money(game, e.price)}.",
    facts.BidMade: lambda game, e: f"{name(game, e.by)} bids {money(game, e.price)} for {e.lot}.",
    facts.PrivateBought: _bought_private,
    facts.PrivatePaid: lambda game, e: f"{e.private} pays {name(game, e.owner)} {money(game, e.amount)}.",
    facts.PrivateClosed: lambda game, e: f"{e.private} {game.title.privates[e.private].name} closes.",
    facts.CompanyStarted: lambda game, e: f"{name(game, e.by)} starts {e.company} at {money(game, e.price)}.",
    facts.SharesBought: _bought_shares,
    facts.SharesSold: lambda game, e: (
        f"{name(game, e.by)} sells {e.percent}% of {e.company} for {money(game, e.price)}."
    ),
    facts.PresidentChanged: _president,
    facts.CompanyFloated: lambda game, e: f"{e.company} is launched with {money(game, e.capital)}.",
    facts.PriceMoved: _price_moved,
    facts.TileLaid: _tile,
    facts.TokenPlaced: _token,
    facts.RoutesRun: _ran,
    facts.DividendPaid: _dividend,
    facts.RevenueWithheld: lambda game, e: f"{e.company} keeps {money(game, e.revenue)}.",
    facts.TrainBought: _train,
    facts.TrainExported: lambda game, e: f"{upper(a_train(e.kind))} leaves the bank unsold.",
    facts.TrainDiscarded: lambda game, e: f"{e.company} gives up {a_train(e.kind)}.",
    facts.TrainsRusted: _rusted,
    facts.PhaseBegan: lambda game, e: f"Phase {e.phase} begins.",
    facts.LoanTaken: lambda game, e: f"{e.company} takes a loan of {money(game, e.amount)}.",
    facts.Contributed: lambda game, e: (
        f"{name(game, e.player)} adds {money(game, e.amount)} to {e.company}'s money for a train."
    ),
    facts.WentBankrupt: lambda game, e: f"{name(game, e.player)} is bankrupt.",
    facts.GameEndTriggered: lambda game, e: f"The game will end {e.when}: {e.reason}.",
    facts.GameEnded: _ended,
    facts.ProposalWithdrawn: lambda game, e: f"{name(game, e.by)} withdraws the proposal.",
    facts.Passed: lambda game, e: f"{name(game, e.by)} passes ({e.step})." if e.step else "",
}
"""Payments and the beginnings of turns have no sentence of their own: other events tell of them."""


def question(game: Game) -> str:
    """One sentence: who is asked, and what: `Ann (VR): lay track or pass.`"""
    if game.state.finished:
        return "The game is over."
    people = listed(game.state.name(player) for player in game.asked())
    companies = listed(asked_for(game))
    return f"{people}{f' ({companies})' if companies else ''}: {asked_to(game)}."


def asked_for(game: Game) -> list[Owner]:
    """The companies for which the question is."""
    step, entity = game.step, game.frame.entity
    owners = [entity] if entity or step is None else [action.by for action in step.options(game)]
    return [owner for owner in dict.fromkeys(owners) if owner in game.state.companies]


def asked_to(game: Game) -> str:
    """What is asked, without who: the open step, what may be done beside it, passing."""
    offer = game.state.offer
    if offer is not None:
        wanted = f"{a_train(offer.kind)} of {offer.source}" if isinstance(offer, BuyTrain) else offer.private
        return f"sell {wanted} to {offer.by} for {money(game, offer.price)}? Agree or refuse"
    asks = getattr(game.step, "asks", None)
    if asks is not None:
        return str(asks(game))
    names = [step.name for step in game.open_steps()]
    said = [one for one in names if not any(other != one and other.startswith(one) for other in names)]
    return listed([*said, "pass"] if may_pass(game) else said, "or")


def may_pass(game: Game) -> bool:
    """Whether passing is among the legal moves."""
    step, entity = game.step, game.frame.entity
    if step is None or entity is None or Pass not in step.verbs:
        return False
    try:
        game.check(Pass(entity))
    except Refusal:
        return False
    return True


def where(game: Game) -> str:
    """The round and the phase in a few words."""
    current = game.state.round
    part = (
        f"{current.number}.{current.part} of {current.number}.{current.of}"
        if current.kind == "operating" or current.of > 1
        else str(current.number)
    )
    number = "" if current.kind == "auction" else f" {part}"
    return f"{current.kind.capitalize()} round{number}, phase {game.state.phase}"
