"""Why a move was chosen, in one sentence. Whoever judges a move says what speaks for it; here it gets its words."""

from __future__ import annotations

from bot.engine.data.actions import Answer, BuyShares, BuyTrain, Dividend, LayTile, Par, PlaceToken
from bot.engine.holdings.certificates import smallest
from bot.engine.ids import is_player
from bot.engine.play.game import Game
from bot.engine.said import Said, said
from bot.engine.words.narration import money

from .judging import Rated
from .outlook import outlook, to_float, traits_of

PLAIN = {
    "bid": said("It brings more than it costs."),
    "cut": said("It is too dear as it stands."),
    "found": said("A company of its own earns more than money in hand."),
    "merge": said("Together they earn more."),
    "due": said("A company that does not pay what is due is lost."),
    "gain": said("It is better off with it."),
    "swap": said("The money buys something better."),
    "leave": said("The shares are not worth their price."),
}
"""What can be said without looking at the position."""


def reason(game: Game, best: Rated) -> Said | None:
    """The sentence; None for what explains itself, like best routes or passing."""
    action = best.action
    if isinstance(action, LayTile | PlaceToken) and not is_player(action.by):
        return why_built(game, action, best.gains)
    if isinstance(action, BuyShares):
        return why_bought(game, action)
    if isinstance(action, Par):
        return why_started(game, action)
    if isinstance(action, Dividend):
        return why_paid(action)
    if isinstance(action, BuyTrain):
        return why_train(game, action)
    if isinstance(action, Answer):
        return said("The offer is worth it.") if action.agree else said("The offer is not worth it.")
    return PLAIN.get(best.why)


def why_built(game: Game, action: LayTile | PlaceToken, gains: tuple[int, int, int]) -> Said:
    """What track or a token earns."""
    now, later, stops = gains
    if now > 0:
        return said("{company} can earn {amount} more with its trains.", action.by, money(game, now))
    if later > 0:
        most = traits_of(game).most
        return said("With a {train} train {company} could earn {amount} more.", most, action.by, money(game, later))
    if stops > 0:
        return said("It brings more stops into reach: {number}.", stops)
    if isinstance(action, PlaceToken):
        return said("It keeps the place from others.")
    return said("It leads to where more can be earned.")


def why_bought(game: Game, action: BuyShares) -> Said:
    """What a share is expected to pay."""
    company = game.company(action.company)
    if not company.floated:
        return said("{company} comes nearer to its launch.", company.id)
    share = outlook(game, company.id).dividends * smallest(company) * action.shares / 100
    return said("It may pay {amount} until the end.", money(game, int(share / 10) * 10))


def why_started(game: Game, action: Par) -> Said:
    """What a start needs."""
    trial = game.copy()
    trial.apply(action)
    cost = int(to_float(trial, trial.company(action.company)))
    if not cost:
        return said("{company} begins at once.", action.company)
    return said("{company} begins with {amount} more.", action.company, money(game, cost))


def why_paid(action: Dividend) -> Said:
    """What becomes of the revenue."""
    if action.kind == "withhold":
        return said("{company} saves for a train.", action.by)
    return said("The owners have the money, and the price does not fall.")


def why_train(game: Game, action: BuyTrain) -> Said:
    """What a train is for."""
    if not game.state.trains_of(action.by):
        return said("Without a train {company} earns nothing.", action.by)
    numbers = game.title.phase_numbers
    begins = next((phase.name for phase in game.title.phases if phase.begins_on == action.kind), None)
    if begins is not None and numbers[begins] > numbers[game.state.phase]:
        return said("It ends the time of older trains.")
    return said("It earns more than it costs.")
