"""The parts that an acquiring company takes over: money, loans, stations, trains (1820 §8.4.3, §13.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, HexId, IllegalMove, Text, is_permitted, msg
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import pay
from bot.engine.state import Action, Company, Done, TakeLoan, TokenPlaced
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import GiveUpStation
from bot.titles.t1820.company_debt import owe_loans
from bot.titles.t1820.components import OVERAGE, STATION_LIMIT, STATION_MAXIMUM
from bot.titles.t1820.operations.costs import TakeLoans
from bot.titles.t1820.operations.stations import free_stations, replace_station, use_stephenson
from bot.titles.t1820.state import title_state


def transfer_assets(game: Game, source_id: CompanyId, target_id: CompanyId, with_treasury: bool = True) -> None:
    """Move stations and trains; unless the source was liquidated (§8.5) also its money, its loans and the stations on
    its charter, and it returns to the supply.
    """
    source, target = game.company(source_id), game.company(target_id)
    memory = title_state(game)
    money = game.state.cash[source_id] if with_treasury else 0
    loans = source.loans if with_treasury else 0
    pay(game, source_id, companies.treasury_owner(game, target_id), money, f"treasury of {source_id}")
    memory.stations_before = station_count(game, target)
    places = list(game.state.board.cities_of(source_id))
    game.state.board.replace_tokens(source_id, target_id)
    game.board_changed()
    for hex_id, city in places:
        game.emit(TokenPlaced(target_id, hex_id, city, 0))
    unplaced = len(source.tokens_left) if with_treasury else 0
    target.tokens_left += (0,) * unplaced
    trains = game.state.trains_of(source_id)
    for train in trains:
        game.state.move_train(train, target_id)
    told = msg("£{money}, {loans} loan(s)", money, loans) if loans else f"£{money}"
    template = "{company} gets from {source}: {money}, {stations} station(s), {trains} train(s)."
    game.log(template, target_id, source_id, told, len(places) + unplaced, len(trains))
    source.loans = 0
    source.tokens_left = ()
    if with_treasury:
        companies.return_to_supply(game, source_id)
    if len(game.state.trains_of(target_id)) > companies.train_limit(game):
        game.push("discard")
    game.push("stations", target_id)
    if loans:
        target.loans += loans
        if not companies.is_private(target):
            companies.move_price(game, target_id, -loans)
        owe_loans(game, target_id, companies.excess_loans(target))


def station_count(game: Game, company: Company) -> int:
    return len(list(game.state.board.cities_of(company.id))) + len(company.tokens_left)


def trim_stations(game: Game, company: Company) -> None:
    """Remove the stations above the maximum of a company's new smaller size (§13.6)."""
    title_state(game).stations_before = station_count(game, company)
    game.push("stations", company.id)


def double_station_hexes(game: Game, company: CompanyId) -> list[HexId]:
    spaces = [hex_id for hex_id, _ in game.state.board.cities_of(company)]
    return [hex_id for hex_id in dict.fromkeys(spaces) if spaces.count(hex_id) > 1]


def overage(game: Game, company: Company) -> int:
    """The gained stations above the limit (§13.6)."""
    allowed = max(STATION_LIMIT[companies.size(company)], title_state(game).stations_before)
    return max(0, station_count(game, company) - allowed)


@dataclass(frozen=True)
class SortStations:
    """Give up stations: one of two in a hex, those above the maximum, and any others, down to the limit."""

    name: str = "keep or give up stations"
    verbs: tuple[type[Action], ...] = (GiveUpStation, Done)

    def opens(self, game: Game) -> bool:
        company = game.company(game.company_in_turn)
        if not company.floated:
            return False
        return overage(game, company) > 0 or self.must_give_up(game, company)

    def must_give_up(self, game: Game, company: Company) -> bool:
        """Whether there are two stations on a hex, or more than the maximum."""
        return bool(double_station_hexes(game, company.id)) or self._is_above(game, company)

    def _is_above(self, game: Game, company: Company) -> bool:
        return station_count(game, company) > STATION_MAXIMUM[companies.size(company)]

    def prompt(self, game: Game) -> Text:
        company = game.company(game.company_in_turn)
        two = double_station_hexes(game, company.id)
        if two:
            return msg("abandon one of the two stations on {hex}", two[0])
        if self._is_above(game, company):
            return msg(
                "abandon stations: {company} may have {limit}", company.id, STATION_MAXIMUM[companies.size(company)]
            )
        return msg("abandon stations, or done (stations above the limit cost £{cost})", self.fee(game, company))

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        candidates: list[GiveUpStation | Done] = [Done(company), GiveUpStation(company)]
        candidates += [GiveUpStation(company, *place) for place in dict.fromkeys(game.state.board.cities_of(company))]
        yield from filter_allowed(self, game, candidates)

    def fee(self, game: Game, company: Company) -> int:
        """£100 for each station above the limit, less the stations that Stephenson & Fox pay for."""
        return OVERAGE * max(0, overage(game, company) - free_stations(game, company.id))

    def check(self, game: Game, action: GiveUpStation | Done) -> None:
        company = game.company(action.by)
        two = double_station_hexes(game, company.id)
        if isinstance(action, Done):
            if two:
                raise IllegalMove("Remove one of the two stations on {hex}.", "1820 §8.4.3", two[0])
            if self._is_above(game, company):
                sentence = "{company} may have at most {limit} stations."
                raise IllegalMove(sentence, "1820 §13.6", company.id, STATION_MAXIMUM[companies.size(company)])
            if self.fee(game, company) > companies.cash_of(game, company.id):
                raise IllegalMove(
                    "Keeping them costs £{cost}; {company} has £{cash}. Abandon more stations.",
                    "1820 §8.4.3",
                    self.fee(game, company),
                    company.id,
                    companies.cash_of(game, company.id),
                )
            return
        if action.hex is None:
            if not company.tokens_left:
                raise IllegalMove("{company} has no unplaced station.", "1820 §8.4.3", company.id)
        elif (action.hex, action.city) not in list(game.state.board.cities_of(company.id)):
            raise IllegalMove("{company} has no station there on {hex}.", "1820 §8.4.3", company.id, action.hex)
        if two:
            if action.hex not in two:
                raise IllegalMove("First remove one of the two stations on {hex}.", "1820 §8.4.3", two[0])
            return
        if action.hex is not None and company.tokens_left:
            raise IllegalMove("Remove unplaced stations first.", "1820 §8.4.3")

    def apply(self, game: Game, action: GiveUpStation | Done) -> None:
        company = game.company(action.by)
        if isinstance(action, GiveUpStation):
            if action.hex is None:
                company.tokens_left = company.tokens_left[:-1]
            else:
                replace_station(game, company.id, action.hex, action.city)
            return
        above, fee = overage(game, company), self.fee(game, company)
        for _ in range(above - fee // OVERAGE):
            use_stephenson(game, company.id)
        if fee:
            pay(game, companies.treasury_owner(game, company.id), BANK, fee, "stations above the limit")
            game.log(
                "{company} pays £{amount} for {stations} station(s) above its limit.", company.id, fee, fee // OVERAGE
            )
        title_state(game).stations_before = station_count(game, company)
        game.next_step()


@dataclass(frozen=True)
class LoanForStations(TakeLoans):
    """Take loans outside operating rounds as needed (§17.1): to keep stations that the treasury cannot pay for."""

    def check(self, game: Game, action: TakeLoan) -> None:
        """Also refuse loans while stations must go or can be kept without loans."""
        super().check(game, action)
        company, sorting = game.company(action.by), SortStations()
        if is_permitted(sorting.check, game, Done(company.id)) or sorting.must_give_up(game, company):
            raise IllegalMove("Loans may only be taken as needed.", "1820 §17.1")
