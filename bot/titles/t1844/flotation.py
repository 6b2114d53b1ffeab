"""How companies begin, and how they get the rest of their capital (1844 §VIII, §XXII)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, IPO, CompanyId, IllegalMove
from bot.engine.board import Stop
from bot.engine.play import Game, has_options
from bot.engine.play.holdings import has_phase_begun, pay, place_marker
from bot.engine.play.steps import float_company, is_in_turn
from bot.engine.state import Action

from .actions import ClaimTargets
from .board_rules import tunnel_at
from .components import BEGINS_AT, CAPITAL_SHARES, COMPANIES, GB, GOTTHARD, HISTORICAL, TARGETS, TOKENS_BY_PRICE
from .events import TargetReached
from .interpretations import interpretation_flags
from .state import title_state


def give_tokens(game: Game, company_id: CompanyId) -> None:
    """One to five station markers for a large historical company, by its issue price (§XVI)."""
    company, noun = game.company(company_id), COMPANIES[company_id]
    if noun.kind == HISTORICAL:
        company.tokens_left = tuple(noun.tokens[: TOKENS_BY_PRICE[company.par or 100]])


def may_launch(game: Game, company_id: CompanyId) -> bool:
    """Half of the shares are bought; those in the pool count (§IV)."""
    company = game.company(company_id)
    return not company.floated and 100 - company.percent_held_by(IPO) >= BEGINS_AT[COMPANIES[company_id].kind]


def launch(game: Game, company_id: CompanyId) -> None:
    """Working capital: 2 or 5 issue prices; all 10 for a historical company once the first 6/6H is sold (§XXII)."""
    company, kind = game.company(company_id), COMPANIES[company_id].kind
    if not interpretation_flags(game).keeps_marker_at_launch and company.position is not None:
        place_marker(game, company_id, company.position)
    shares = CAPITAL_SHARES[kind]
    if has_phase_begun(game, "6"):
        give_up_target(game, company_id)
        shares *= 2 if kind == HISTORICAL else 1
    float_company(game, company_id, shares * (company.par or 0))


def give_up_target(game: Game, company_id: CompanyId) -> None:
    record = title_state(game)
    record.waiting = [other for other in record.waiting if other != company_id]


def pay_targets(game: Game) -> None:
    """Pay the rest of the capital once to every company whose home is connected with its target (§VIII).

    18xx.games checks targets in companies' turns: track built in a share round counts from the next turn.
    """
    waits = interpretation_flags(game).targets_wait_for_turns
    if waits and not is_in_turn(game):
        return
    for company_id in list(title_state(game).waiting):
        waits_for_turn = waits and not any(True for _ in game.state.board.cities_of(company_id))
        if not waits_for_turn and has_reached_target(game, company_id):
            pay_target(game, company_id)


def pay_target(game: Game, company_id: CompanyId) -> None:
    give_up_target(game, company_id)
    amount = CAPITAL_SHARES[COMPANIES[company_id].kind] * (game.company(company_id).par or 0)
    game.emit(TargetReached(company_id, amount))
    pay(game, BANK, company_id, amount, "rest of the capital")


def has_reached_target(game: Game, company_id: CompanyId) -> bool:
    """Whether the company is launched and a train without limit could run from home to target: past no city full of
    others' markers.

    The GB's target is the Gotthard tunnel: any player may have built it.
    """
    if not game.company(company_id).floated:
        return False
    if company_id == GB:
        return tunnel_at(game.state.board, GOTTHARD) is not None
    return game.memoise(("target reached", company_id), lambda: _is_joined_to_target(game, company_id))


def _is_joined_to_target(game: Game, company_id: CompanyId) -> bool:
    home, target = home_stop(game, company_id), TARGETS[company_id]
    # From the target: less is built there, and what is reached changes less often.
    ends = [Stop(target, node.id) for node in game.tile_at(target).nodes]
    return (
        home in game.board_rules.track_index(game).network(ends, game.board_rules.blocked_stops(game, company_id)).stops
    )


@dataclass(frozen=True)
class SeeTargets:
    """Claim a target that 18xx.games finds reached, in some of its versions before the company has placed its first
    marker.
    """

    name: str = "find targets reached"
    verbs: tuple[type[Action], ...] = (ClaimTargets,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        if interpretation_flags(game).targets_wait_for_turns:
            found = tuple(company for company in title_state(game).waiting if has_reached_target(game, company))
            if found:
                yield ClaimTargets(game.actor_in_turn, found)

    def check(self, game: Game, action: ClaimTargets) -> None:
        """Only connected targets; targets that were paid already do not matter."""
        for company_id in action.companies:
            if company_id in title_state(game).waiting and not has_reached_target(game, company_id):
                raise IllegalMove("{company} is not connected to its destination.", "1844 §VIII", company_id)
        if not interpretation_flags(game).targets_wait_for_turns:
            raise IllegalMove("Targets are found automatically.", "1844 §VIII")

    def apply(self, game: Game, action: ClaimTargets) -> None:
        for company_id in action.companies:
            if company_id in title_state(game).waiting:
                pay_target(game, company_id)


def home_stop(game: Game, company_id: CompanyId) -> Stop | None:
    """The city of the home base: the marker's city, or the city reserved for it."""
    board, home = game.state.board, COMPANIES[company_id].home[0]
    for city, _ in enumerate(game.tile_at(home).cities):
        if company_id in (*board.tokens_in(home, city), *board.reservations_in(home, city)):
            return game.board_rules.city_stop(board, home, city)
    return None
