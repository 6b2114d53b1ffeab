"""Placing stations, and British Rail markers that take their place (1820 §7.2.2, §13.5, §14.3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, HexId, IllegalMove
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import check_cash, pay
from bot.engine.play.steps import operating_turn
from bot.engine.state import Action, PlaceToken, TokenPlaced
from bot.titles.t1820.companies import cash_of, max_funds, treasury_owner
from bot.titles.t1820.components import BRITISH_RAIL, STATION_COST, STATION_COST_YELLOW, STEPHENSON
from bot.titles.t1820.cousins import count_use, investment, times_used

from .track import pay_cousin

STEPHENSON_PAY = 50


def replace_station(game: Game, company: CompanyId, hex_id: HexId, city: int) -> None:
    """Replace the station by a British Rail marker."""
    there = game.state.board.tokens[hex_id][city]
    there[there.index(company)] = BRITISH_RAIL
    game.board_changed()
    game.log("British Rail replaces a station of {company} on {hex}.", company, hex_id)


def replace_all_stations(game: Game, company: CompanyId) -> None:
    """Every station of the company becomes British Rail's (§7.2.7, §8.4.3, §8.5)."""
    for hex_id, city in list(game.state.board.cities_of(company)):
        replace_station(game, company, hex_id, city)


def free_stations(game: Game, company: CompanyId) -> int:
    """The number of stations the company may still place or acquire free of charge (§14.3.2)."""
    held = investment(game, STEPHENSON, company)
    return max(0, min(held, 3) - times_used(game, STEPHENSON, company))


def use_stephenson(game: Game, company: CompanyId) -> None:
    """Use the free station; the cousin earns £50."""
    count_use(game, STEPHENSON, company)
    pay_cousin(game, STEPHENSON, company, STEPHENSON_PAY)


def station_cost(game: Game) -> int:
    """£40 in the yellow phase, £100 later (§7.2.2)."""
    return STATION_COST_YELLOW if game.state.phase == "yellow" else STATION_COST


@dataclass(frozen=True)
class PlaceStation:
    """Place a station in an open circle that the company's track reaches, once a round."""

    name: str = "place a station"
    verbs: tuple[type[Action], ...] = (PlaceToken,)

    def opens(self, game: Game) -> bool:
        """While a station can be placed and paid, if need be after taking loans."""
        company = game.company(game.company_in_turn)
        if not company.tokens_left or operating_turn(game).tokens_placed:
            return False
        if not free_stations(game, company.id) and station_cost(game) > max_funds(game, company.id):
            return False
        return any(
            len(game.state.board.tokens_in(hex_id, city)) < game.tile_at(hex_id).cities[city].slots
            for hex_id, city in game.board_rules.reached_cities(game, company.id)
        )

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        for hex_id, city in game.board_rules.reached_cities(game, company):
            for helper in (None, STEPHENSON):
                yield from filter_allowed(self, game, [PlaceToken(company, hex_id, city, helper)])

    def cost(self, game: Game, action: PlaceToken) -> int:
        """Nothing with Stephenson & Fox."""
        return 0 if action.using is not None else station_cost(game)

    def check(self, game: Game, action: PlaceToken) -> None:
        company = game.company(action.by)
        if not company.tokens_left:
            raise IllegalMove("{company} has no station left on its charter.", "1820 §7.2.2", company.id)
        if operating_turn(game).tokens_placed:
            raise IllegalMove("Only one station may be placed per round.", "1820 §7.2.2")
        if action.using is not None and (action.using != STEPHENSON or not free_stations(game, company.id)):
            raise IllegalMove(
                "{cousin} does not give {company} a free station.", "1820 §14.3.2", action.using, company.id
            )
        cities = game.tile_at(action.hex).cities if action.hex in game.board_rules.map.hexes else ()
        if action.city not in range(len(cities)):
            raise IllegalMove("There is no such city on {hex}.", "1820 §7.2.2", action.hex)
        if len(game.state.board.tokens_in(action.hex, action.city)) >= cities[action.city].slots:
            raise IllegalMove("There is no open circle on {hex}.", "1820 §7.2.2", action.hex)
        if (action.hex, action.city) not in game.board_rules.reached_cities(game, company.id):
            raise IllegalMove("{company} has no route to {hex}.", "1820 §7.2.2", company.id, action.hex)
        check_cash(game, company.id, self.cost(game, action), "1820 §7.2.2", cash_of(game, company.id))

    def apply(self, game: Game, action: PlaceToken) -> None:
        """An older station of the company in that place returns to the charter."""
        company = game.company(action.by)
        cost = self.cost(game, action)
        pay(game, treasury_owner(game, company.id), BANK, cost, "station")
        if action.using is not None:
            use_stephenson(game, company.id)
        company.tokens_left = company.tokens_left[:-1]
        older = [place for place in game.state.board.cities_of(company.id) if place[0] == action.hex]
        game.state.board.place_token(action.hex, action.city, company.id)
        game.board_changed()
        operating_turn(game).tokens_placed += 1
        game.emit(TokenPlaced(company.id, action.hex, action.city, cost))
        for hex_id, city in older:
            replace_station(game, company.id, hex_id, city)
            company.tokens_left += (0,)
