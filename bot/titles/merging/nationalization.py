"""The national railway: companies that it takes over, its tokens, its turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, POOL, CompanyId, HexId, Message, Owner, PlayerId, join_values, msg
from bot.engine.notation import format_train
from bot.engine.play import Game
from bot.engine.play.holdings import (
    buy_from_depot,
    has_phase_begun,
    pay,
    price_of,
    share_unit,
    sort_by_price,
    trains_for_sale,
)
from bot.engine.play.steps import hand_over_assets, is_in_turn, operating_turn, put_token, remove_company, withhold
from bot.engine.play.steps.trains import buy_from_pool
from bot.engine.state import Action, BuyTrain, Event, Pass, Passed, TokenPlaced

from .actions import GiveUpMajor
from .family import BORROWING, Place, kind_of, merging
from .prices import fall
from .state import title_state


class CompanyNationalized(Event, frozen=True, tag="CompanyNationalized"):
    """The national railway took a company over; `paid` is what players got for their shares at `price`."""

    company: CompanyId
    price: int
    paid: tuple[tuple[PlayerId, int], ...]


def format_nationalization(game: Game, event: CompanyNationalized) -> Message:
    money = game.title.money
    paid = [join_values(" ", (game.state.name(player), money(amount))) for player, amount in event.paid]
    result = join_values(", ", paid) if paid else msg("none")
    return msg("{company} is nationalised at {price}. Paid: {result}.", event.company, money(event.price), result)


def units_of(game: Game, company: CompanyId, owner: Owner) -> int:
    """The shares that an owner has; a minor's charter stands for two."""
    record = game.company(company)
    unit = 50 if kind_of(game, company) == "minor" else share_unit(record)
    return record.percent_held_by(owner) // unit


def nationalize(game: Game, company: CompanyId) -> None:
    """It repays what it can; its price falls, and falls further for loans left. The bank pays players for their shares
    at that price. The national railway may take the places of its tokens. A minor is gone, a major may be begun again.
    """
    record, values = game.company(company), merging(game)
    BORROWING.repay(game, company)
    fall(game, company, 1 + values.spaces_a_loan * record.loans)
    record.loans = 0
    hand_over_assets(game, company, values.national if values.operates else BANK)
    price = price_of(game, company)
    paid = tuple((player, price * units_of(game, company, player)) for player in game.state.order)
    for player, amount in paid:
        pay(game, BANK, player, amount, f"shares of {company}")
    game.emit(CompanyNationalized(company, price, tuple(one for one in paid if one[1])))
    replace_tokens(game, company)
    remove_company(game, company, is_gone=kind_of(game, company) == "minor")


def replace_tokens(game: Game, company: CompanyId) -> None:
    """The richest cities first: a token of the national railway takes the place, if it has none on the hex."""
    board, national = game.state.board, merging(game).national

    def worth(place: Place) -> tuple[int, HexId]:
        return max(game.tile_at(place[0]).cities[place[1]].revenue), place[0]

    for hex_id, city in sorted(board.cities_of(company), key=worth, reverse=True):
        board.tokens_in(hex_id, city).remove(company)
        if not board.has_token(hex_id, national) and game.company(national).tokens_left:
            place_national_token(game, hex_id, city)
    game.board_changed()


def place_national_token(game: Game, hex_id: HexId, city: int) -> None:
    """A token of the national railway, unless all that are left are promised to other hexes."""
    values, promised, board = merging(game), title_state(game).promised, game.state.board
    kept = [place for place in board.reservations if (place.hex, place.city) in values.kept]
    board.free(hex_id, values.national)
    board.reservations += [place for place in kept if place not in board.reservations]
    national = game.company(values.national)
    if hex_id in promised:
        promised.remove(hex_id)
    elif len(national.tokens_left) <= len(promised):
        return
    national.tokens_left = national.tokens_left[1:]
    board.place_token(hex_id, city, values.national)
    board.reservations += [place for place in kept if place not in board.reservations]
    game.board_changed()
    game.emit(TokenPlaced(values.national, hex_id, city, 0))


# -- companies without trains ---------------------------------------------------------------------------


def take_over_trainless(game: Game) -> None:
    """Minors that have operated and have no train are taken over; presidents of such majors are asked, at once or,
    after a round in phase 8, when the next round begins.
    """
    owners = {train.owner for train in game.state.trains}
    running = [one.id for one in game.state.companies.values() if one.position is not None and one.operated]
    trainless = sort_by_price(game, [one for one in running if one not in owners])
    for company in trainless:
        if kind_of(game, company) == "minor":
            nationalize(game, company)
    title_state(game).trainless = [one for one in trainless if kind_of(game, one) == "major"]
    if is_in_turn(game) or not has_phase_begun(game, "8"):
        ask_presidents(game)


def ask_presidents(game: Game) -> None:
    """An automatic step, before all else in a round."""
    if title_state(game).trainless:
        game.push("trainless")


def ask_trainless(game: Game) -> None:
    """An automatic step: the first of the majors without trains is asked."""
    waiting = title_state(game).trainless
    game.frame.entity = waiting[0] if waiting else None


@dataclass(frozen=True)
class KeepMajor:
    """The president of a major without trains lets the national railway take it over, or passes and keeps it."""

    name: str = "give up a company without trains"
    verbs: tuple[type[Action], ...] = (GiveUpMajor, Pass)

    def opens(self, game: Game) -> bool:
        return game.frame.entity is not None

    def prompt(self, game: Game) -> Message:
        return msg("let the national railway take {company} over, or pass", game.company_in_turn)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        yield Pass(company)
        yield GiveUpMajor(company)

    def check(self, game: Game, action: GiveUpMajor | Pass) -> None:
        """Both are allowed."""

    def apply(self, game: Game, action: GiveUpMajor | Pass) -> None:
        company = CompanyId(action.by)
        title_state(game).trainless.remove(company)
        game.frame.entity, game.frame.at = None, 0
        if isinstance(action, GiveUpMajor):
            nationalize(game, company)
        else:
            game.emit(Passed(company, self.name))


# -- its own turn: the player with the priority card runs its trains, all else is automatic -----------------


def place_national_home(game: Game) -> None:
    """An automatic step: the first token at home, unless it has come there before or stands in the place of another's."""
    national, promised = merging(game).national, title_state(game).promised
    (home,) = game.title.companies[national].home
    if home in promised and not game.state.board.has_token(home, national):
        promised.remove(home)
        put_token(game, national, home, len(game.tile_at(home).cities) - 1)


def keep_earnings(game: Game) -> None:
    """An automatic step: all earnings are kept."""
    revenue = operating_turn(game).revenue
    if revenue:
        withhold(game, merging(game).national, revenue)


def settle_national_loans(game: Game) -> None:
    """An automatic step: interest, then loans are repaid. If all loans do not cover the interest, it takes them all the
    same and pays nothing.
    """
    national = merging(game).national
    if BORROWING.pay_interest(game, national, title_state(game).loans_due):
        BORROWING.repay(game, national)
    else:
        BORROWING.borrow(game, national, BORROWING.max_funds(game, national), "interest")


def buy_national_trains(game: Game) -> None:
    """An automatic step: without a train the cheapest, with loans; then the next train of the bank as often as it can
    pay, also with what companies bring that are given up since a train was bought: it begins again after their presidents.
    """
    national, turn = merging(game).national, game.frame
    if not game.state.trains_of(national):
        kinds = game.title.trains
        pool = [(kinds[train.kind].price, train.kind) for train in game.state.trains_of(POOL)]
        new = [(kinds[card.family].price, card.family) for card in trains_for_sale(game)]
        price, kind = min([*new, *pool])
        if price <= BORROWING.max_funds(game, national):
            BORROWING.borrow(game, national, price, format_train(kind))
            if (price, kind) in pool:
                buy_from_pool(game, BuyTrain(national, kind, price, POOL))
            else:
                buy_from_depot(game, national, kind, price, BANK)
    while True:
        kind = trains_for_sale(game)[0].family
        price = game.title.trains[kind].price
        if game.state.cash[national] < price:
            break
        buy_from_depot(game, national, kind, price, BANK)
    if title_state(game).trainless:
        turn.at -= 1
