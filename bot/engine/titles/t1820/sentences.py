"""Sentences for what happens in 1820 alone (and where its words differ)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data import events as shared
from bot.engine.data.events import Event
from bot.engine.ids import IPO
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, joined, said, verbatim, whom

from . import events
from .box.nouns import COUSINS


def _bought(game: Game, event: shared.SharesBought) -> Said:
    treasury = said("{company}'s treasury", event.company)
    source = treasury if event.source == IPO else whom(event.source)
    template = "{by} buys {percent}% of {company} from {source} for £{price}."
    return said(template, event.by, event.percent, event.company, source, event.price)


def _round(game: Game, event: shared.RoundBegan) -> Said:
    if event.kind == "stock":
        return said("Stock round {number} begins.", event.number)
    if event.kind == "operating":
        return said("Operating round {number}.{part} begins.", event.number, event.part)
    return said("Issue and takeover round {number}.{part} begins.", event.number, event.part)


def _dealt(game: Game, event: events.CardsDealt) -> Said:
    order = joined(", ", (joined(" ", card) for card in enumerate(event.order, 1)))
    cousins = joined(", ", (f"{cousin} {COUSINS[cousin].name}" for cousin in event.cousins))
    return said("Number cards: {order}. Cousins: {cousins}.", order, cousins)


def _dividend(game: Game, event: shared.DividendPaid) -> Said | None:
    if not event.revenue:
        return None
    shares = (
        joined(" £", (said("treasury") if owner == event.company else owner, amount)) for owner, amount in event.amounts
    )
    parts = joined(", ", shares) if event.amounts else said("nobody holds a share")
    return said("{company} pays £{revenue}: {parts}.", event.company, event.revenue, parts)


def _lobby(game: Game, event: events.LobbyFunded) -> Said:
    if event.added == event.amount:
        return said("{by} funds a lobby with £{amount}.", event.by, event.amount)
    before = event.amount - event.added
    if event.by == event.owner:
        return said("{by} raises the lobby of £{before} to £{amount}.", event.by, before, event.amount)
    template = "{by} raises {owner}'s lobby of £{before} to £{amount}."
    return said(template, event.by, event.owner, before, event.amount)


def _proposed(game: Game, event: events.Proposed) -> Said:
    return said("{by} proposes: {text}. Asked: {asked}.", event.by, verbatim(event.text), joined(", ", event.asked))


def _liquidated(game: Game, event: events.CompanyLiquidated) -> Said:
    buyer = event.buyer or said("the bank")
    return said("{buyer} takes what is left of {company} for £{amount}.", buyer, event.company, event.amount)


def _shared(game: Game, event: events.LiquidationShared) -> Said | None:
    if event.owed:
        return said("Shareholders of {company} owe £{owed} a share for its loans.", event.company, event.owed)
    return said("Each share of {company} gets £{received}.", event.company, event.received) if event.received else None


def _income(game: Game, event: events.IncomePaid) -> Said:
    if not event.deducted:
        return said("Everybody receives £{amount}.", event.amount)
    less = joined("; ", (said("{player} £{amount} less", player, amount) for player, amount in event.deducted))
    return said("Everybody receives £{amount} ({less}).", event.amount, less)


def _chart(game: Game, event: events.ChartMoved) -> Said:
    return said("Cost of business: column {column}.", event.column if event.column <= 17 else "END")


def _assets(game: Game, event: events.AssetsTransferred) -> Said:
    money = said("£{money}, {loans} loan(s)", event.money, event.loans) if event.loans else f"£{event.money}"
    template = "{company} gets from {source}: {money}, {stations} station(s), {trains} train(s)."
    return said(template, event.company, event.source, money, event.stations, event.trains)


def _costs(game: Game, event: events.CostsPaid) -> Said:
    if not event.helped:
        return said("{company} pays £{amount} {what}.", event.company, event.amount, said(event.what))
    template = "{company} pays £{amount} {what}, £{helped} of it its director's."
    return said(template, event.company, event.amount, said(event.what), event.helped)


def _earned(game: Game, event: events.BritishRailEarned) -> Said:
    parts = joined(", ", (joined(" £", (said(name), money)) for name, money in event.parts))
    return said("British Rail earns £{total} ({parts}).", sum(money for _, money in event.parts), parts)


def _bid(game: Game, event: events.BidMade) -> Said:
    return said("{by} bids £{amount} for {lot}.", event.by or said("the bank"), event.amount, event.lot)


def _cousin(game: Game, event: shared.PrivateBought) -> Said:
    template = "{by} takes {private} {name} for £{price}."
    return said(template, event.by, event.private, COUSINS[event.private].name, event.price)


SENTENCES: Mapping[type[Event], Sentence] = {
    shared.SharesBought: _bought,
    shared.RoundBegan: _round,
    shared.DividendPaid: _dividend,
    shared.PrivateBought: _cousin,
    shared.PrivateClosed: lambda game, e: said("{private} {name} leaves the game.", e.private, COUSINS[e.private].name),
    events.CardsDealt: _dealt,
    events.BidMade: _bid,
    events.BidReturned: "{player}'s £{amount} on {lot} is returned.",
    events.LotsOpened: "Auction of {lots}: anybody may bid, from £{least} on.",
    events.TrainWon: lambda game, e: said(
        "{player} takes the future {kind} train for £{price}, to be paid from the next income."
        if e.is_owed
        else "{player} takes the future {kind} train for £{price}.",
        e.player,
        e.kind,
        e.price,
    ),
    events.TrainsWithdrawn: "Nobody bids; future {kinds} train(s) leave the game.",
    events.TrainsMissing: "The supply lacks {kinds}: none is sold as a future train.",
    events.VictoriaDied: "Queen Victoria is dead. British Rail begins at £{price} with all its shares in the pool.",
    events.BritishRailEarned: _earned,
    events.PutIntoLiquidation: lambda game, e: said("{company} goes into liquidation: {why}.", e.company, said(e.why)),
    events.LoansRepaid: "{company} repays {loans} loan(s).",
    events.Proposed: _proposed,
    events.Agreed: lambda game, e: said("{by} agrees." if e.is_agreed else "{by} refuses.", e.by),
    events.CostsPaid: _costs,
    events.CostsNeglected: lambda game, e: said(
        "{company} does not pay £{amount} {what}.", e.company, e.amount, said(e.what)
    ),
    events.Bankrupt: "{owner} lacks £{lacks} and is bankrupt.",
    events.LobbyFunded: _lobby,
    events.LobbyResolved: "The lobby of {owner} (£{amount}) is resolved.",
    events.DistancePaid: "{player} pays £{amount} for {edges} hexagon edge(s) between {company}'s stations.",
    events.SharesIncreased: "{company} has {shares} shares now; {to_pool} of them go to the pool.",
    events.ChartMoved: _chart,
    events.SuppliesDiscarded: "{count} {kind} train(s) leave the supply.",
    events.SharesReduced: lambda game, e: (
        said("{company} is a private company now.", e.company)
        if e.is_private
        else said("{company} has {shares} shares now.", e.company, e.shares)
    ),
    events.SharesIssued: "{company} issues {shares} share(s) for £{money}.",
    events.TrainAssigned: "{holder} assigns the future {kind} train to {company}.",
    events.DirectorHelped: "{director} gives {company} £{amount} for a train.",
    events.HelpPromised: lambda game, e: (
        said("{director} will pay £{amount} of {company}'s next train.", e.director, e.amount, e.company)
        if e.amount
        else said("{director} pays no more of {company}'s next train than its treasury lacks.", e.director, e.company)
    ),
    events.CompanyClosed: lambda game, e: said("{company} closes: {why}.", e.company, said(e.why)),
    events.FeeHalved: "Vignoles brings {director} £{amount} of {company}'s distance fee back.",
    events.StationReplaced: "British Rail replaces a station of {company} on {hex}.",
    events.IncomePaid: _income,
    events.LobbiesOpened: "The stock round is interrupted; {number} lobby(s) to resolve.",
    events.CardTaken: lambda game, e: said(
        "Order of passing: {order}.", joined(", ", e.order) if e.order else said("nobody yet")
    ),
    events.TakeoverFailed: lambda game, e: said("{company} is not taken over: {why}.", e.company, said(e.why)),
    events.CompanyAcquired: "{buyer} takes {company} over for £{amount}, £{per_share} a share.",
    events.CompanyLiquidated: _liquidated,
    events.LiquidationShared: _shared,
    events.CousinPaid: "{cousin} earns £{amount} from {company}.",
    events.AssetsTransferred: _assets,
    events.OveragePaid: "{company} pays £{amount} for {stations} station(s) above its limit.",
}
