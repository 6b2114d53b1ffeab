"""Plans worth a tap: after one's own move, and ahead of a turn to come."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from bot.engine import Message, Owner, PlayerId, is_permitted, is_player, msg
from bot.engine.play import Game
from bot.engine.state import Action, Bid, BuyPrivate, BuyShares, Dividend, Done, Par, Pass, RunRoutes
from bot.service.plans.parser import read_plan
from bot.service.plans.plan import IDLE

QUIET = "pass until start, president, sale of mine"
IDLY = "idle: pass until start, sale of mine"


@dataclass(frozen=True)
class PlanOffer:
    """A plan in words, and the label of its button."""

    label: Message
    plan: str


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
    if any({Bid, BuyPrivate} & {*step.verbs} for step in game.open_steps()) or not _has_shares(game):
        return
    if player not in standing:
        bought = [move.company for move in moves if isinstance(move, BuyShares | Par) and is_player(move.by)]
        if bought:
            again = f"buy {bought[-1]}; pass until start, sale, president"
            yield PlanOffer(msg("Buy {company} again, then pass", bought[-1]), again)
            yield PlanOffer(msg("Then pass until somebody starts or sells what I hold"), QUIET)
        else:
            yield PlanOffer(msg("Pass until somebody starts or sells what I hold"), QUIET)
    if IDLE not in standing:
        yield PlanOffer(msg("When I can only sell or pass, pass for me"), IDLY)


def _has_shares(game: Game) -> bool:
    """Whether shares can be bought in this title as yet."""
    return any(company.position is not None for company in game.state.companies.values())


def _company_turn(game: Game, standing: Collection[str], moves: Sequence[Action]) -> Iterator[PlanOffer]:
    """The same every turn, after a turn in which a company only ran and paid."""
    company = moves[-1].by if moves else Owner("")
    uses = [move.kind for move in moves if isinstance(move, Dividend)]
    is_plain = all(isinstance(move, Pass | Done | RunRoutes | Dividend) for move in moves)
    if company in game.state.companies and company not in standing and uses and is_plain:
        yield PlanOffer(msg("The same every turn: {company}", company), _write_run(company, uses[-1]))


def _write_run(company: str, use: str) -> str:
    return f"{company}: run best; {use}; pass every turn until phase, next, fall of {company}"
