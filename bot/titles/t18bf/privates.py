"""Private companies: income, purchase by companies, ferries of the Irish Sea (18BF §7.1, §10.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.ids import CompanyId, HexId, PrivateId
from bot.engine.message import either
from bot.engine.notation.verb import check_name, written
from bot.engine.play.game import Game
from bot.engine.play.holdings.trains import has_begun
from bot.engine.play.steps.privates import BuyPrivates, pay_income
from bot.engine.play.steps.routes import RunTrains
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action
from bot.engine.state.events import PrivateBought
from bot.engine.state.state import TurnMemory

from .components import INCOME, IRELAND, IRISH_FERRIES, PERIOD, PRIVATES
from .state import special


def income(game: Game, private: PrivateId) -> int:
    """What the private pays now: printed, for ferries and undergrounds by phase (§7.1)."""
    by_period = INCOME.get(private)
    return by_period[PERIOD[game.state.phase]] if by_period else PRIVATES[private].income


def pay_incomes(game: Game) -> None:
    """Privates pay their owners at the start of each operating round (§10)."""
    for private in game.state.privates.values():
        pay_income(game, private, income(game, private.id))


def may_buy(game: Game, company: CompanyId) -> None:
    """From phase 3 on, at any point of its turn, for £1 to face value, without loans (§7.1, §10.2)."""
    if not has_begun(game, "3"):
        raise IllegalMove("Companies buy privates from phase 3 on.", "18BF §7.1")


BUY_PRIVATES = BuyPrivates(may_buy, "18BF §7.1", from_anyone=lambda game: True)


# -- the Irish Sea ------------------------------------------------------------------------------------


@written(
    "ferry {private} {hex}",
    "a ferry and an area of Ireland",
    "ferry F1 H2",
    private=lambda title, word: check_name("ferry", word, IRISH_FERRIES),
    hex=lambda title, word: check_name("area of Ireland", word, IRELAND),
)
class AssignFerry(Action, frozen=True, tag="ferry"):
    """An Irish Sea ferry serves this area of Ireland in this round (§10.6)."""

    private: PrivateId
    hex: HexId


def own_ferries(game: Game, company: CompanyId) -> list[PrivateId]:
    """The company's Irish Sea ferries."""
    return [private.id for private in game.state.privates_of(company) if private.id in IRISH_FERRIES]


def waiting_ferries(game: Game, company: CompanyId) -> list[PrivateId]:
    """Those that have not been assigned in this round."""
    return [ferry for ferry in own_ferries(game, company) if ferry not in special(game).ferries]


def free_areas(game: Game, company: CompanyId) -> list[HexId]:
    """Areas of Ireland that none of the company's ferries serves yet."""
    taken = [special(game).ferries.get(ferry) for ferry in own_ferries(game, company)]
    return [hex_id for hex_id in IRELAND if hex_id not in taken]


def assign(game: Game, company: CompanyId, private: PrivateId, hex_id: HexId) -> None:
    """The ferry serves the area in this round."""
    special(game).ferries[private] = hex_id
    game.board_changed()
    game.tell("{company} assigns {private} to {name}.", company, private, game.land.map.hexes[hex_id].name)


def assign_without_choice(game: Game, company: CompanyId) -> None:
    """Where the company reaches no more free areas than it has ferries that wait, they go there."""
    ferries = waiting_ferries(game, company)
    if not ferries or not game.state.trains_of(company):
        return
    reached = {stop.hex for stop in game.land.network(game, company).stops}
    areas = sorted(free_areas(game, company), key=lambda hex_id: (hex_id not in reached, hex_id))
    if sum(area in reached for area in areas) <= len(ferries):
        for ferry, area in zip(ferries, areas, strict=False):
            assign(game, company, ferry, area)


def begin_ferries(game: Game) -> None:
    """Ferries are assigned anew in each turn."""
    company = game.company_in_turn
    for ferry in own_ferries(game, company):
        special(game).ferries.pop(ferry, None)
        game.board_changed()
    assign_without_choice(game, company)


@dataclass(frozen=True)
class AssignFerries:
    """The company assigns its Irish Sea ferries to areas of Ireland, each to another one (§10.6)."""

    name: str = "assign a ferry"
    verbs: tuple[type[Action], ...] = (AssignFerry,)

    def opens(self, game: Game) -> bool:
        """While a ferry of a company with trains is not assigned."""
        company = game.company_in_turn
        return bool(waiting_ferries(game, company) and game.state.trains_of(company))

    def options(self, game: Game) -> Iterator[Action]:
        """Each ferry that waits to each free area."""
        company = game.company_in_turn
        return (
            AssignFerry(company, ferry, hex_id)
            for ferry in waiting_ferries(game, company)
            for hex_id in free_areas(game, company)
        )

    def check(self, game: Game, action: AssignFerry) -> None:
        """Refuse ferries of others, other places, and two ferries to one area."""
        company = CompanyId(action.by)
        waiting = waiting_ferries(game, company)
        if action.private not in waiting:
            raise IllegalMove("{company} assigns {waiting} now.", "18BF §10.6", company, either(waiting))
        if action.hex not in free_areas(game, company):
            areas = ", ".join(free_areas(game, company))
            raise IllegalMove(
                "{private} can serve {areas}; two ferries serve different areas.", "18BF §10.6", action.private, areas
            )

    def apply(self, game: Game, action: AssignFerry) -> None:
        """The area is worth £10 more to the company in this round."""
        assign(game, CompanyId(action.by), action.private, action.hex)


def assign_what_was_bought(game: Game, event: PrivateBought) -> None:
    """A ferry that changes hands serves no area yet; one bought when the run is the question serves in it (§10, §10.6)."""
    if event.private not in IRISH_FERRIES:
        return
    special(game).ferries.pop(event.private, None)
    for turn in game.state.flow:
        steps = game.title.plans[turn.plan].steps
        if isinstance(turn.memory, TurnMemory) and isinstance(steps[turn.at], RunTrains):
            assign_without_choice(game, CompanyId(event.by))
            turn.at = steps.index(AssignFerries())
