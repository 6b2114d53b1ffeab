"""Sentences for what happens in 1820 alone (and where its words differ)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.engine.data import events as shared
from bot.engine.data.events import Event
from bot.engine.ids import BANK, IPO, POOL, Owner
from bot.engine.play.game import Game

from . import auctions, companies, consent, debts, rounds
from .box.nouns import COUSINS
from .operating import british_rail, costs, stations, track
from .operating import trains as purchases
from .stock import floating, future_trains, increase, shares, stock
from .takeover import issue, liquidation, takeover, transfer


def _place(game: Game, company: Owner, source: Owner) -> str:
    return {IPO: f"{company}'s treasury", POOL: "the pool", BANK: "the bank"}.get(source) or game.state.name(source)


def _bought(game: Game, event: shared.SharesBought) -> str:
    source = _place(game, event.company, event.source)
    return f"{game.state.name(event.by)} buys {event.percent}% of {event.company} from {source} for £{event.price}."


def _round(game: Game, event: shared.RoundBegan) -> str:
    if event.kind == "stock":
        return f"Stock round {event.number} begins."
    name = "Operating round" if event.kind == "operating" else "Issue and takeover round"
    return f"{name} {event.number}.{event.part} begins."


def _dealt(game: Game, event: rounds.CardsDealt) -> str:
    order = ", ".join(f"{number} {game.state.name(player)}" for number, player in enumerate(event.order, 1))
    cousins = ", ".join(f"{cousin} {COUSINS[cousin].name}" for cousin in event.cousins)
    return f"Number cards: {order}. Cousins: {cousins}."


def _dividend(game: Game, event: shared.DividendPaid) -> str:
    if not event.revenue:
        return ""
    parts = ", ".join(
        f"{game.state.name(owner) if owner != event.company else 'treasury'} £{amount}"
        for owner, amount in event.amounts
    )
    return f"{event.company} pays £{event.revenue}: {parts or 'nobody holds a share'}."


def _lobby(game: Game, event: floating.LobbyFunded) -> str:
    if event.added == event.amount:
        return f"{game.state.name(event.by)} funds a lobby with £{event.amount}."
    whose = "the" if event.by == event.owner else f"{game.state.name(event.owner)}'s"
    return f"{game.state.name(event.by)} raises {whose} lobby of £{event.amount - event.added} to £{event.amount}."


def _proposed(game: Game, event: consent.Proposed) -> str:
    who = ", ".join(game.state.name(player) for player in event.asked)
    return f"{game.state.name(event.by)} proposes: {event.text}. Asked: {who}."


def _liquidated(game: Game, event: liquidation.CompanyLiquidated) -> str:
    who = event.buyer or "The bank"
    return f"{who} takes what is left of {event.company} for £{event.amount}."


def _shared(game: Game, event: liquidation.LiquidationShared) -> str:
    if event.owed:
        return f"Shareholders of {event.company} owe £{event.owed} a share for its loans."
    return f"Each share of {event.company} gets £{event.received}." if event.received else ""


def _income(game: Game, event: stock.IncomePaid) -> str:
    less = "; ".join(f"{game.state.name(player)} £{amount} less" for player, amount in event.deducted)
    return f"Everybody receives £{event.amount}{f' ({less})' if less else ''}."


def _won(game: Game, event: future_trains.TrainWon) -> str:
    when = ", to be paid from the next income" if event.is_owed else ""
    return f"{game.state.name(event.player)} takes the future {event.kind} train for £{event.price}{when}."


def _chart(game: Game, event: issue.ChartMoved) -> str:
    return f"Cost of business: column {event.column if event.column <= 17 else 'END'}."


def _assets(game: Game, event: transfer.AssetsTransferred) -> str:
    loans = f", {event.loans} loan(s)" if event.loans else ""
    return (
        f"{event.company} gets from {event.source}: £{event.money}{loans}, {event.stations} station(s), "
        f"{event.trains} train(s)."
    )


def _costs(game: Game, event: costs.CostsPaid) -> str:
    helped = f", £{event.helped} of it its director's" if event.helped else ""
    return f"{event.company} pays £{event.amount} {event.what}{helped}."


def _earned(game: Game, event: british_rail.BritishRailEarned) -> str:
    parts = ", ".join(f"{name} £{money}" for name, money in event.parts)
    return f"British Rail earns £{sum(money for _, money in event.parts)} ({parts})."


def _bid(game: Game, event: auctions.BidMade) -> str:
    return f"{game.state.name(event.by) if event.by else 'The bank'} bids £{event.amount} for {event.lot}."


def _cousin(game: Game, event: shared.PrivateBought) -> str:
    name = COUSINS[event.private].name
    return f"{game.state.name(event.by)} takes {event.private} {name} for £{event.price}."


def _agreed(game: Game, event: consent.Agreed) -> str:
    return f"{game.state.name(event.by)} {'agrees' if event.is_agreed else 'refuses'}."


SENTENCES: Mapping[type[Event], Callable[[Game, Any], str]] = {
    shared.SharesBought: _bought,
    shared.RoundBegan: _round,
    shared.DividendPaid: _dividend,
    shared.PrivateBought: _cousin,
    shared.PrivateClosed: lambda game, e: f"{e.private} {COUSINS[e.private].name} leaves the game.",
    rounds.CardsDealt: _dealt,
    auctions.BidMade: _bid,
    auctions.BidReturned: lambda game, e: f"{game.state.name(e.player)}'s £{e.amount} on {e.lot} is returned.",
    auctions.LotsOpened: lambda game, e: f"Auction of {' and '.join(e.lots)}: anybody may bid, from £{e.least} on.",
    future_trains.TrainWon: _won,
    future_trains.TrainsWithdrawn: lambda game, e: (
        f"Nobody bids; future {' and '.join(e.kinds)} train(s) leave the game."
    ),
    future_trains.TrainsMissing: lambda game, e: (
        f"The supply lacks {' and '.join(e.kinds)}: none is sold as a future train."
    ),
    british_rail.VictoriaDied: lambda game, e: (
        f"Queen Victoria is dead. British Rail begins at £{e.price} with all its shares in the pool."
    ),
    british_rail.BritishRailEarned: _earned,
    companies.PutIntoLiquidation: lambda game, e: f"{e.company} goes into liquidation: {e.why}.",
    companies.LoansRepaid: lambda game, e: f"{e.company} repays {e.loans} loan(s).",
    consent.Proposed: _proposed,
    consent.Agreed: _agreed,
    costs.CostsPaid: _costs,
    costs.CostsNeglected: lambda game, e: f"{e.company} does not pay £{e.amount} {e.what}.",
    debts.Bankrupt: lambda game, e: f"{game.state.name(e.owner)} lacks £{e.lacks} and is bankrupt.",
    floating.LobbyFunded: _lobby,
    floating.LobbyResolved: lambda game, e: f"The lobby of {game.state.name(e.owner)} (£{e.amount}) is resolved.",
    floating.DistancePaid: lambda game, e: (
        f"{game.state.name(e.player)} pays £{e.amount} for {e.edges} hexagon edge(s) between {e.company}'s stations."
    ),
    increase.SharesIncreased: lambda game, e: (
        f"{e.company} has {e.shares} shares now; {e.to_pool} of them go to the pool."
    ),
    issue.ChartMoved: _chart,
    issue.SuppliesDiscarded: lambda game, e: f"{e.count} {e.kind} train(s) leave the supply.",
    issue.SharesReduced: lambda game, e: (
        f"{e.company} is a private company now." if e.is_private else f"{e.company} has {e.shares} shares now."
    ),
    issue.SharesIssued: lambda game, e: f"{e.company} issues {e.shares} share(s) for £{e.money}.",
    future_trains.TrainAssigned: lambda game, e: (
        f"{game.state.name(e.holder)} assigns the future {e.kind} train to {e.company}."
    ),
    purchases.DirectorHelped: lambda game, e: (
        f"{game.state.name(e.director)} gives {e.company} £{e.amount} for a train."
    ),
    purchases.HelpPromised: lambda game, e: (
        f"{game.state.name(e.director)} will pay £{e.amount} of {e.company}'s next train."
        if e.amount
        else f"{game.state.name(e.director)} pays no more of {e.company}'s next train than its treasury lacks."
    ),
    purchases.CompanyClosed: lambda game, e: f"{e.company} closes: {e.why}.",
    shares.FeeHalved: lambda game, e: (
        f"Vignoles brings {game.state.name(e.director)} £{e.amount} of {e.company}'s distance fee back."
    ),
    stations.StationReplaced: lambda game, e: f"British Rail replaces a station of {e.company} on {e.hex}.",
    stock.IncomePaid: _income,
    stock.LobbiesOpened: lambda game, e: f"The stock round is interrupted; {e.number} lobby(s) to resolve.",
    stock.CardTaken: lambda game, e: f"Order of passing: {', '.join(map(game.state.name, e.order)) or 'nobody yet'}.",
    takeover.TakeoverFailed: lambda game, e: f"{e.company} is not taken over: {e.why}.",
    takeover.CompanyAcquired: lambda game, e: (
        f"{e.buyer} takes {e.company} over for £{e.amount}, £{e.per_share} a share."
    ),
    liquidation.CompanyLiquidated: _liquidated,
    liquidation.LiquidationShared: _shared,
    track.CousinPaid: lambda game, e: f"{e.cousin} earns £{e.amount} from {e.company}.",
    transfer.AssetsTransferred: _assets,
    transfer.OveragePaid: lambda game, e: f"{e.company} pays £{e.amount} for {e.stations} station(s) above its limit.",
}
