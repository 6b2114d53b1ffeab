"""Sentences for what happens in 1820 alone (and where its words differ)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data import events as shared
from bot.engine.data.events import Event
from bot.engine.ids import IPO
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, joined, said, verbatim, whom

from . import auctions, companies, consent, debts, rounds
from .box.nouns import COUSINS
from .operating import british_rail, costs, stations, track
from .operating import trains as purchases
from .stock import floating, future_trains, increase, shares, stock
from .takeover import issue, liquidation, takeover, transfer


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


def _dealt(game: Game, event: rounds.CardsDealt) -> Said:
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


def _lobby(game: Game, event: floating.LobbyFunded) -> Said:
    if event.added == event.amount:
        return said("{by} funds a lobby with £{amount}.", event.by, event.amount)
    before = event.amount - event.added
    if event.by == event.owner:
        return said("{by} raises the lobby of £{before} to £{amount}.", event.by, before, event.amount)
    template = "{by} raises {owner}'s lobby of £{before} to £{amount}."
    return said(template, event.by, event.owner, before, event.amount)


def _proposed(game: Game, event: consent.Proposed) -> Said:
    return said("{by} proposes: {text}. Asked: {asked}.", event.by, verbatim(event.text), joined(", ", event.asked))


def _liquidated(game: Game, event: liquidation.CompanyLiquidated) -> Said:
    buyer = event.buyer or said("the bank")
    return said("{buyer} takes what is left of {company} for £{amount}.", buyer, event.company, event.amount)


def _shared(game: Game, event: liquidation.LiquidationShared) -> Said | None:
    if event.owed:
        return said("Shareholders of {company} owe £{owed} a share for its loans.", event.company, event.owed)
    return said("Each share of {company} gets £{received}.", event.company, event.received) if event.received else None


def _income(game: Game, event: stock.IncomePaid) -> Said:
    if not event.deducted:
        return said("Everybody receives £{amount}.", event.amount)
    less = joined("; ", (said("{player} £{amount} less", player, amount) for player, amount in event.deducted))
    return said("Everybody receives £{amount} ({less}).", event.amount, less)


def _chart(game: Game, event: issue.ChartMoved) -> Said:
    return said("Cost of business: column {column}.", event.column if event.column <= 17 else "END")


def _assets(game: Game, event: transfer.AssetsTransferred) -> Said:
    money = said("£{money}, {loans} loan(s)", event.money, event.loans) if event.loans else f"£{event.money}"
    template = "{company} gets from {source}: {money}, {stations} station(s), {trains} train(s)."
    return said(template, event.company, event.source, money, event.stations, event.trains)


def _costs(game: Game, event: costs.CostsPaid) -> Said:
    if not event.helped:
        return said("{company} pays £{amount} {what}.", event.company, event.amount, said(event.what))
    template = "{company} pays £{amount} {what}, £{helped} of it its director's."
    return said(template, event.company, event.amount, said(event.what), event.helped)


def _earned(game: Game, event: british_rail.BritishRailEarned) -> Said:
    parts = joined(", ", (joined(" £", (said(name), money)) for name, money in event.parts))
    return said("British Rail earns £{total} ({parts}).", sum(money for _, money in event.parts), parts)


def _bid(game: Game, event: auctions.BidMade) -> Said:
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
    rounds.CardsDealt: _dealt,
    auctions.BidMade: _bid,
    auctions.BidReturned: "{player}'s £{amount} on {lot} is returned.",
    auctions.LotsOpened: "Auction of {lots}: anybody may bid, from £{least} on.",
    future_trains.TrainWon: lambda game, e: said(
        "{player} takes the future {kind} train for £{price}, to be paid from the next income."
        if e.is_owed
        else "{player} takes the future {kind} train for £{price}.",
        e.player,
        e.kind,
        e.price,
    ),
    future_trains.TrainsWithdrawn: "Nobody bids; future {kinds} train(s) leave the game.",
    future_trains.TrainsMissing: "The supply lacks {kinds}: none is sold as a future train.",
    british_rail.VictoriaDied: "Queen Victoria is dead. British Rail begins at £{price} with all its shares in the pool.",
    british_rail.BritishRailEarned: _earned,
    companies.PutIntoLiquidation: lambda game, e: said(
        "{company} goes into liquidation: {why}.", e.company, said(e.why)
    ),
    companies.LoansRepaid: "{company} repays {loans} loan(s).",
    consent.Proposed: _proposed,
    consent.Agreed: lambda game, e: said("{by} agrees." if e.is_agreed else "{by} refuses.", e.by),
    costs.CostsPaid: _costs,
    costs.CostsNeglected: lambda game, e: said(
        "{company} does not pay £{amount} {what}.", e.company, e.amount, said(e.what)
    ),
    debts.Bankrupt: "{owner} lacks £{lacks} and is bankrupt.",
    floating.LobbyFunded: _lobby,
    floating.LobbyResolved: "The lobby of {owner} (£{amount}) is resolved.",
    floating.DistancePaid: "{player} pays £{amount} for {edges} hexagon edge(s) between {company}'s stations.",
    increase.SharesIncreased: "{company} has {shares} shares now; {to_pool} of them go to the pool.",
    issue.ChartMoved: _chart,
    issue.SuppliesDiscarded: "{count} {kind} train(s) leave the supply.",
    issue.SharesReduced: lambda game, e: (
        said("{company} is a private company now.", e.company)
        if e.is_private
        else said("{company} has {shares} shares now.", e.company, e.shares)
    ),
    issue.SharesIssued: "{company} issues {shares} share(s) for £{money}.",
    future_trains.TrainAssigned: "{holder} assigns the future {kind} train to {company}.",
    purchases.DirectorHelped: "{director} gives {company} £{amount} for a train.",
    purchases.HelpPromised: lambda game, e: (
        said("{director} will pay £{amount} of {company}'s next train.", e.director, e.amount, e.company)
        if e.amount
        else said("{director} pays no more of {company}'s next train than its treasury lacks.", e.director, e.company)
    ),
    purchases.CompanyClosed: lambda game, e: said("{company} closes: {why}.", e.company, said(e.why)),
    shares.FeeHalved: "Vignoles brings {director} £{amount} of {company}'s distance fee back.",
    stations.StationReplaced: "British Rail replaces a station of {company} on {hex}.",
    stock.IncomePaid: _income,
    stock.LobbiesOpened: "The stock round is interrupted; {number} lobby(s) to resolve.",
    stock.CardTaken: lambda game, e: said(
        "Order of passing: {order}.", joined(", ", e.order) if e.order else said("nobody yet")
    ),
    takeover.TakeoverFailed: lambda game, e: said("{company} is not taken over: {why}.", e.company, said(e.why)),
    takeover.CompanyAcquired: "{buyer} takes {company} over for £{amount}, £{per_share} a share.",
    liquidation.CompanyLiquidated: _liquidated,
    liquidation.LiquidationShared: _shared,
    track.CousinPaid: "{cousin} earns £{amount} from {company}.",
    transfer.AssetsTransferred: _assets,
    transfer.OveragePaid: "{company} pays £{amount} for {stations} station(s) above its limit.",
}
