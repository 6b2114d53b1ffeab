"""The questions of 18xx.games to a company of 1844 in its turn."""

from __future__ import annotations

from bot.engine import CompanyId, PrivateId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun, president_of
from bot.engine.play.steps import operating_turn
from bot.engine.state import BuyTrain, LayTile, PlaceToken
from bot.formats.peer18xx.questions import PeerQuestion, also_in_need

from ..components import BOEDELIBAHN, FURKA, MILANO, OERLIKON, PRE_SBB, PRINTED_PRIVATES
from ..events import TargetReached
from ..peer_compat import asks_for_trains
from ..track import can_help, rights

LEAST_FOR_PRIVATE = 1
SOLD_TO_COMPANIES = tuple(sign for sign in PRINTED_PRIVATES if sign not in (MILANO, OERLIKON))


def asks_for_track(game: Game, company: CompanyId) -> bool:
    """Whether it waits for a tile: the first of the turn, P2's, also if P2 must be bought first, or a tunnel, whether
    it can be built or not. A payment of a target comes too late for P2."""
    late = sum(event.amount for event in game.events if isinstance(event, TargetReached) and event.company == company)
    return (
        not operating_turn(game).lays
        or can_help(game, company, BOEDELIBAHN)
        or bool(rights(game, company))
        or (not game.private(BOEDELIBAHN).ability_used and _can_buy(game, company, BOEDELIBAHN, late=late))
    )


def asks_for_targets(game: Game, company: CompanyId) -> bool:
    """18xx.games checks for targets reached, and passes automatically."""
    return True


def asks_for_privates(game: Game, company: CompanyId) -> bool:
    if game.title.companies[company].kind == PRE_SBB:
        return False
    return _can_buy(game, company, *SOLD_TO_COMPANIES) or _can_use_private(game, company)


def _can_buy(game: Game, company: CompanyId, *signs: PrivateId, late: int = 0) -> bool:
    """Whether a player has one of these privates and the company could pay the least for it, without what came too late."""
    is_open = has_phase_begun(game, "3") and not has_phase_begun(game, "5")
    owners = [game.private(sign).owner for sign in signs if not game.private(sign).closed]
    can_pay = game.state.cash[company] - late >= LEAST_FOR_PRIVATE
    return is_open and can_pay and any(owner is not None and is_player(owner) for owner in owners)


def _can_use_private(game: Game, company: CompanyId) -> bool:
    director, furka = president_of(game.company(company)), game.private(FURKA)
    if not furka.closed and has_phase_begun(game, "3") and furka.owner in (company, director):
        return True
    return any(train.owner == director for train in game.state.trains)


QUESTIONS = (
    PeerQuestion(LayTile, asks_for_track),
    PeerQuestion(LayTile, asks_for_targets, is_automatic=True),
    PeerQuestion(PlaceToken),
    PeerQuestion(PlaceToken, asks_for_targets, is_automatic=True),
    PeerQuestion(BuyTrain, also_in_need(asks_for_trains)),
    PeerQuestion(BuyTrain, asks_for_privates),
)
