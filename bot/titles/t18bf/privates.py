"""Private companies: income, purchase by companies, ferries of the Irish Sea (18BF §7.1, §10.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from bot.engine import CompanyId, HexId, IllegalMove, PrivateId, join_or
from bot.engine.notation import name_field
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import BuyPrivates, RunTrains, pay_income
from bot.engine.state import Action, PrivateBought, TurnMemory

from .components import INCOME, IRELAND, IRISH_FERRIES, PERIOD, PRIVATES
from .state import title_state


def income(game: Game, private: PrivateId) -> int:
    """The private's current income: printed; for ferries and undergrounds by phase (§7.1)."""
    by_period = INCOME.get(private)
    return by_period[PERIOD[game.state.phase]] if by_period else PRIVATES[private].income


def pay_incomes(game: Game) -> None:
    """At the start of each operating round (§10)."""
    for private in game.state.privates.values():
        pay_income(game, private, income(game, private.id))


def check_buy(game: Game, company: CompanyId) -> None:
    """From phase 3 on, at any point of its turn, for £1 to face value, without loans (§7.1, §10.2)."""
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Companies buy privates from phase 3 on.", "18BF §7.1")


BUY_PRIVATES = BuyPrivates(check_buy, "18BF §7.1", from_anyone=lambda game: True)


# -- the Irish Sea ------------------------------------------------------------------------------------


FERRY = name_field("ferry", "a ferry", "Which private?", lambda title: IRISH_FERRIES)
AREA = name_field("area of Ireland", "an area of Ireland", "Where?", lambda title: IRELAND)


class AssignFerry(Action, frozen=True, tag="ferry"):
    """Assign an Irish Sea ferry to this area of Ireland for the round (§10.6)."""

    private: Annotated[PrivateId, FERRY]
    hex: Annotated[HexId, AREA]


def own_ferries(game: Game, company: CompanyId) -> list[PrivateId]:
    return [private.id for private in game.state.privates_of(company) if private.id in IRISH_FERRIES]


def waiting_ferries(game: Game, company: CompanyId) -> list[PrivateId]:
    """Ferries not assigned in this round yet."""
    return [ferry for ferry in own_ferries(game, company) if ferry not in title_state(game).ferries]


def free_areas(game: Game, company: CompanyId) -> list[HexId]:
    taken = [title_state(game).ferries.get(ferry) for ferry in own_ferries(game, company)]
    return [hex_id for hex_id in IRELAND if hex_id not in taken]


def assign(game: Game, company: CompanyId, private: PrivateId, hex_id: HexId) -> None:
    title_state(game).ferries[private] = hex_id
    game.board_changed()
    game.log("{company} assigns {private} to {name}.", company, private, game.board_rules.map.hexes[hex_id].name)


def assign_without_choice(game: Game, company: CompanyId) -> None:
    """Assign waiting ferries if the company reaches no more free areas than it has ferries."""
    ferries = waiting_ferries(game, company)
    if not ferries or not game.state.trains_of(company):
        return
    reached = {stop.hex for stop in game.board_rules.network(game, company).stops}
    areas = sorted(free_areas(game, company), key=lambda hex_id: (hex_id not in reached, hex_id))
    if sum(area in reached for area in areas) <= len(ferries):
        for ferry, area in zip(ferries, areas, strict=False):
            assign(game, company, ferry, area)


def begin_ferries(game: Game) -> None:
    """Ferries are assigned anew in each turn."""
    company = game.company_in_turn
    for ferry in own_ferries(game, company):
        title_state(game).ferries.pop(ferry, None)
        game.board_changed()
    assign_without_choice(game, company)


@dataclass(frozen=True)
class AssignFerries:
    """The company assigns its Irish Sea ferries to areas of Ireland, at most one to each area (§10.6)."""

    name: str = "assign a ferry"
    verbs: tuple[type[Action], ...] = (AssignFerry,)

    def opens(self, game: Game) -> bool:
        company = game.company_in_turn
        return bool(waiting_ferries(game, company) and game.state.trains_of(company))

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        return (
            AssignFerry(company, ferry, hex_id)
            for ferry in waiting_ferries(game, company)
            for hex_id in free_areas(game, company)
        )

    def check(self, game: Game, action: AssignFerry) -> None:
        company = CompanyId(action.by)
        waiting = waiting_ferries(game, company)
        if action.private not in waiting:
            raise IllegalMove("{company} assigns {waiting} now.", "18BF §10.6", company, join_or(waiting))
        if action.hex not in free_areas(game, company):
            areas = ", ".join(free_areas(game, company))
            raise IllegalMove(
                "{private} can serve {areas}; two ferries serve different areas.", "18BF §10.6", action.private, areas
            )

    def apply(self, game: Game, action: AssignFerry) -> None:
        """The area is worth £10 more to the company in this round."""
        assign(game, CompanyId(action.by), action.private, action.hex)


def assign_bought_ferry(game: Game, event: PrivateBought) -> None:
    """A ferry that changes hands serves no area yet; if bought during the run decision it serves in that run (§10,
    §10.6).
    """
    if event.private not in IRISH_FERRIES:
        return
    title_state(game).ferries.pop(event.private, None)
    for turn in game.state.flow:
        steps = game.title.plans[turn.plan].steps
        if isinstance(turn.memory, TurnMemory) and isinstance(steps[turn.at], RunTrains):
            assign_without_choice(game, CompanyId(event.by))
            turn.at = steps.index(AssignFerries())
