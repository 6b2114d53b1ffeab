"""Sentences: what happened, and what is asked. One table a kind of event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import events as facts
from .events import Event
from .game import Game
from .ids import BANK, DEPOT, IPO, POOL, Owner

Sentence = Callable[[Game, Any], str]

PLACES = {BANK: "the bank", IPO: "the bank", POOL: "the pool", DEPOT: "the bank"}


def name(game: Game, owner: Owner) -> str:
    """How people call an owner."""
    return PLACES.get(owner) or game.state.name(owner)


def narrate(game: Game, happened: Iterable[Event]) -> list[str]:
    """A sentence for every event that is worth one, in order."""
    sentences = []
    for event in happened:
        writer = TABLE.get(type(event)) or game.title.sentences.get(type(event))
        if writer:
            sentence = writer(game, event)
            if sentence:
                sentences.append(sentence)
    return sentences


def money(game: Game, amount: int) -> str:
    """A sum in the title's currency."""
    return f"{game.title.currency}{amount}"


def _round_began(game: Game, event: facts.RoundBegan) -> str:
    if event.kind == "operating":
        return f"Operating round {event.number}.{event.part} of {event.of} begins."
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
    word = "rises" if event.after > event.before else "falls" if event.after < event.before else "stays"
    return f"{event.company} {word} from {money(game, event.before)} to {money(game, event.after)}."


def _tile(game: Game, event: facts.TileLaid) -> str:
    verb = f"upgrades {event.replaced} to" if event.replaced else "lays"
    place = game.title.land.map.hexes[event.hex].name
    cost = f" for {money(game, event.cost)}" if event.cost else ""
    called = f" ({place})" if place else ""
    return f"{name(game, event.by)} {verb} {event.tile} on {event.hex}{called}, turned by {event.rotation}{cost}."


def _token(game: Game, event: facts.TokenPlaced) -> str:
    place = game.title.land.map.hexes[event.hex].name
    cost = f" for {money(game, event.cost)}" if event.cost else ""
    return f"{event.company} places a token on {event.hex}{f' ({place})' if place else ''}{cost}."


def _ran(game: Game, event: facts.RoutesRun) -> str:
    lines = "; ".join(event.trains)
    return f"{event.company} runs for {money(game, event.revenue)}{f' ({lines})' if lines else ''}."


def _dividend(game: Game, event: facts.DividendPaid) -> str:
    shares = ", ".join(f"{name(game, owner)} {money(game, amount)}" for owner, amount in event.amounts)
    to = f": {shares}" if shares else "; no player holds a share"
    return f"{event.company} pays {money(game, event.revenue)}, {money(game, event.per_share)} a share{to}."


def _train(game: Game, event: facts.TrainBought) -> str:
    trade = f" and its {event.trade_in}" if event.trade_in else ""
    return f"{event.company} buys a {event.kind} train from {name(game, event.source)} for {money(game, event.price)}{trade}."


def _ended(game: Game, event: facts.GameEnded) -> str:
    places = ", ".join(f"{name(game, player)} {money(game, total)}" for player, total in event.scores)
    return f"The game is over: {event.reason}. {places}."


TABLE: dict[type[Event], Sentence] = {
    facts.RoundBegan: _round_began,
    facts.PriceReduced: lambda game, e: f"{name(game, e.by)} lowers {e.private} to {money(game, e.price)}.",
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
    facts.TrainExported: lambda game, e: f"A {e.kind} train leaves the bank unsold.",
    facts.TrainDiscarded: lambda game, e: f"{e.company} gives up a {e.kind} train.",
    facts.TrainsRusted: lambda game, e: f"Rusted: {', '.join(e.kinds)} ({', '.join(e.owners) or 'nobody had one'}).",
    facts.PhaseBegan: lambda game, e: f"Phase {e.phase} begins.",
    facts.LoanTaken: lambda game, e: f"{e.company} takes a loan of {money(game, e.amount)}.",
    facts.GameEndTriggered: lambda game, e: f"The game will end {e.when}: {e.reason}.",
    facts.GameEnded: _ended,
    facts.Passed: lambda game, e: f"{name(game, e.by)} passes ({e.step})." if e.step else "",
}
"""Payments and the beginnings of turns have no sentence of their own: other events tell of them."""


def question(game: Game) -> str:
    """One sentence: who is asked, and what."""
    if game.state.finished:
        return "The game is over."
    people = " and ".join(game.state.name(player) for player in game.asked())
    entity = game.frame.entity
    company = f" ({entity})" if entity and entity in game.state.companies else ""
    steps = ", or ".join(step.name for step in game.open_steps())
    return f"{people}{company}: {steps}."


def where(game: Game) -> str:
    """The round and the phase in a few words."""
    current = game.state.round
    part = f"{current.number}.{current.part} of {current.of}" if current.kind == "operating" else str(current.number)
    number = "" if current.kind == "auction" else f" {part}"
    return f"{current.kind.capitalize()} round{number}, phase {game.state.phase}"
