"""Plans worth a tap: after one's own move, and ahead of a turn to come."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from bot.engine import IPO, POOL, Message, Owner, PlayerId, is_permitted, is_player, msg
from bot.engine.play import Game
from bot.engine.state import Action, Bid, BuyPrivate, BuyShares, Company, Dividend, Par, ReducePrice
from bot.service.plans.parser import read_plan
from bot.service.plans.plan import IDLE

QUIET = "pass until start, president of mine, sale of mine"
IDLY = "idle: pass until start, sale of mine"

MOST_OTHERS = 3
"""Other companies offered after a purchase."""


@dataclass(frozen=True)
class PlanOffer:
    """A plan in words, and the label of its button. Its reader fills in the numbers of a draft."""

    label: Message
    plan: str
    is_draft: bool = False


def list_offers(game: Game, player: PlayerId, standing: Collection[str], moves: Sequence[Action]) -> list[PlanOffer]:
    """The plans to offer to a player who is not asked: nothing for a turn for which they have a plan.

    `standing` are the turns of the player's plans, `moves` what the player's last turn consisted of, oldest first.
    """
    found = [*_own_turn(game, player, standing, moves), *_company_turn(game, standing, moves)]
    return [offer for offer in found if is_permitted(_check, game, player, offer)]


def _check(game: Game, player: PlayerId, offer: PlanOffer) -> None:
    """:raises Rejected: it makes no sense now."""
    read_plan(game, player, offer.plan)


def _own_turn(game: Game, player: PlayerId, standing: Collection[str], moves: Sequence[Action]) -> Iterator[PlanOffer]:
    if any({Bid, BuyPrivate, ReducePrice} & {*step.verbs} for step in game.open_steps()):
        yield from _auction_turn(game, player, moves) if player not in standing else ()
        return
    if not _has_shares(game):
        return
    if player not in standing:
        yield from _stock_turn(game, player, moves)
    if IDLE not in standing:
        yield PlanOffer(msg("When I can only sell or pass, pass for me"), IDLY)


def _auction_turn(game: Game, player: PlayerId, moves: Sequence[Action]) -> Iterator[PlanOffer]:
    lowered = [move.private for move in moves if isinstance(move, ReducePrice)]
    if lowered:
        yield PlanOffer(msg("Lower {lot} again", lowered[-1]), f"lower {lowered[-1]}")
    bids = [f"{lot.sign} up to {price}" for lot in game.title.words.lots(game) if (price := lot.bid_of(player))]
    if bids:
        yield PlanOffer(msg("Bid up to …"), f"bid {', '.join(bids)}", is_draft=True)
    yield PlanOffer(msg("Pass until the auction is over"), "pass")


def _stock_turn(game: Game, player: PlayerId, moves: Sequence[Action]) -> Iterator[PlanOffer]:
    bought = [move.company for move in moves if isinstance(move, BuyShares | Par) and is_player(move.by)]
    if not bought:
        yield PlanOffer(msg("Pass until somebody starts a company or sells what I hold"), QUIET)
        return
    last = game.company(bought[-1])
    limit = game.title.rules.holding_limit(game, last.id)
    yield PlanOffer(msg("Keep buying {company}, then pass", last.id), f"buy {last.id} to {limit}; {QUIET}")
    yield PlanOffer(msg("Then pass until somebody starts a company or sells what I hold"), QUIET)
    others = [one for one in game.state.companies.values() if one.id != last.id and _is_for_sale(game, one)]
    for company in sorted(others, key=lambda one: -one.percent_held_by(player))[:MOST_OTHERS]:
        yield PlanOffer(msg("Then buy {company}, then pass", company.id), f"buy {company.id}; {QUIET}")


def _is_for_sale(game: Game, company: Company) -> bool:
    is_run = company.position is not None and game.controller_of(company.id) is not None
    return is_run and bool(company.percent_held_by(IPO) or company.percent_held_by(POOL))


def _has_shares(game: Game) -> bool:
    """Whether shares can be bought in this title as yet."""
    return any(company.position is not None for company in game.state.companies.values())


def _company_turn(game: Game, standing: Collection[str], moves: Sequence[Action]) -> Iterator[PlanOffer]:
    """Only running and using the revenue as this time, from now on."""
    company = moves[-1].by if moves else Owner("")
    uses = [move.kind for move in moves if isinstance(move, Dividend)]
    if company in game.state.companies and company not in standing and uses:
        yield PlanOffer(msg("From now on only run: {company}", company), _write_run(company, uses[-1]))


def _write_run(company: str, use: str) -> str:
    return f"{company}: run best; {use}; pass every turn until phase, next, fall of {company}"
