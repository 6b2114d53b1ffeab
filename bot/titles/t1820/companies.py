"""Companies of 1820: sizes, shares in play, directors, purses, prices, loans (1820 §10.6, §10.7, §13, §16, §17)."""

from __future__ import annotations

from bot.engine import BANK, IPO, POOL, CompanyId, IllegalMove, Owner, PlayerId, Text, is_player, msg
from bot.engine.play import Game, Option
from bot.engine.play.holdings import pay, place_marker, price_of, remove_marker
from bot.engine.play.holdings.market import move
from bot.engine.state import Certificate, Company, LoanTaken, PresidentChanged

from . import components
from .state import title_state


def option_value(game: Game, option: Option) -> str:
    """The value chosen by the table. Games older than the option use its default."""
    return game.state.options.get(option.name, option.default)


# -- what a company is --------------------------------------------------------------------------------


def size(company: Company) -> int:
    """The number of shares (table 13.1)."""
    return len(company.certificates)


def is_in_play(company: Company) -> bool:
    """Floated and neither acquired, liquidated nor closed since."""
    return company.floated and not company.closed


def is_private(company: Company) -> bool:
    """A company of one share (§13.2)."""
    return is_in_play(company) and size(company) == 1


def is_public(company: Company) -> bool:
    """A company with a price and a director; British Rail does not count (§13.3, §13.5)."""
    return is_in_play(company) and size(company) > 1 and company.id != components.BRITISH_RAIL


def is_in_liquidation(company: Company) -> bool:
    """Whether its marker is in the gray area (§10.7)."""
    return company.position is not None and company.position[1] == components.LIQUIDATION


def public_companies(game: Game) -> list[Company]:
    return [company for company in game.state.companies.values() if is_public(company)]


def shares_in_play(company: Company) -> int:
    """All shares outside the company's treasury (§10.6)."""
    return size(company) - company.count_of(IPO)


def share_owners(game: Game, company: Company) -> list[Owner]:
    """Players and cousins with shares of the company, players first, both in a fixed order."""
    owners: list[Owner] = [*game.state.order, *game.state.privates]
    held = {certificate.owner for certificate in company.certificates}
    return [owner for owner in owners if owner in held]


def resize(company: Company, shares: int, holdings: dict[Owner, int]) -> None:
    """Give the company this number of equal certificates, held as stated; the rest is in its treasury."""
    owners = [owner for owner, number in holdings.items() for _ in range(number)]
    owners += [IPO] * (shares - len(owners))
    company.certificates = [Certificate(100 // shares, owner) for owner in owners]


def holdings(company: Company) -> dict[Owner, int]:
    """The number of shares by owner, without the treasury."""
    found: dict[Owner, int] = {}
    for certificate in company.certificates:
        if certificate.owner != IPO:
            found[certificate.owner] = found.get(certificate.owner, 0) + 1
    return found


def transfer_shares(game: Game, company: Company, source: Owner, target: Owner, shares: int) -> None:
    """Move shares from one owner to another.

    :raises ValueError: the source holds fewer.
    """
    found = [certificate for certificate in company.certificates if certificate.owner == source]
    if len(found) < shares:
        raise ValueError(f"{source} holds {len(found)} shares of {company.id}, not {shares}")
    company.move_certificates(found[len(found) - shares :], target)
    sort_director_first(game, company)


# -- directors (§13.4) --------------------------------------------------------------------------------


def director_of(game: Game, company: CompanyId) -> Owner | None:
    return title_state(game).directors.get(company)


def director_player(game: Game, company: CompanyId) -> PlayerId | None:
    """The player who decides for the company as director or for a cousin."""
    return player_of(game, director_of(game, company))


def player_of(game: Game, owner: Owner | None) -> PlayerId | None:
    """The owner if a player, else the cousin's player."""
    if owner is None:
        return None
    if is_player(owner):
        return PlayerId(owner)
    cousin = game.state.privates.get(owner)  # type: ignore[call-overload]
    return PlayerId(cousin.owner) if cousin and cousin.owner else None


def is_directed_by_cousin(game: Game, company: CompanyId) -> bool:
    """§14.1"""
    director = director_of(game, company)
    return director is not None and not is_player(director)


def companies_directed_by(game: Game, player: Owner) -> list[Company]:
    """The companies that a player directs in person, not through a cousin."""
    directors = title_state(game).directors
    return [company for company in game.state.companies.values() if directors.get(company.id) == player]


def sort_director_first(game: Game, company: Company) -> None:
    """Move a share of the director to the front of the certificates, where the director is looked up."""
    director = title_state(game).directors.get(company.id)
    own = next((one for one in company.certificates if one.owner == director), None)
    if own is not None:
        company.certificates.remove(own)
        company.certificates.insert(0, own)
    company.has_president = own is not None


def set_director(game: Game, company: Company, director: Owner | None) -> None:
    record = title_state(game)
    before = record.directors.get(company.id)
    if director is None:
        record.directors.pop(company.id, None)
    else:
        record.directors[company.id] = director
    sort_director_first(game, company)
    if before != director:
        game.emit(PresidentChanged(company.id, PlayerId(director) if director else None))


def first_director(game: Game, company: Company) -> Owner | None:
    """The largest holder; among equals players before cousins, then in order of the number cards."""
    owners = share_owners(game, company)
    return max(owners, key=lambda owner: company.count_of(owner), default=None)


def after_purchase(game: Game, company: Company, buyer: Owner) -> None:
    director = director_of(game, company.id)
    if director is None:
        set_director(game, company, first_director(game, company))
    elif is_player(buyer) and company.count_of(buyer) > company.count_of(director):
        set_director(game, company, buyer)


def next_directors(game: Game, company: Company, seller: Owner, left: int) -> list[Owner]:
    """The possible directors once the director keeps `left` shares: the same, another player, or several tied cousins.

    Empty when nobody holds a share any more.
    """
    others = [owner for owner in share_owners(game, company) if owner != seller]
    most = max((company.count_of(owner) for owner in others), default=0)
    if left >= most:
        return [seller] if left else []
    tied = [owner for owner in others if company.count_of(owner) == most]
    order = game.state.order
    first = player_of(game, seller)
    start = order.index(first) + 1 if first in order else 0
    ranked = [player for player in order[start:] + order[:start] if player in tied]
    return list(ranked[:1]) or tied


# -- money --------------------------------------------------------------------------------------------


def possible_buyers(game: Game) -> list[Owner]:
    """The players, and the cousins that are owned by a player."""
    privates = game.state.privates.values()
    return [*game.state.order, *(cousin.id for cousin in privates if cousin.owner is not None and not cousin.closed)]


def shares_to_buy(shares: int) -> int:
    """The number of shares that must be bought of this total (§6.5.2.2, §6.6.2)."""
    return -(-components.PARTICIPATION * shares // 100)


def loans_for(amount: int) -> int:
    return max(0, -(-amount // components.LOAN))


def treasury_owner(game: Game, company: CompanyId) -> Owner:
    """The owner of the company's money; a private company's treasury is its director's cash (§13.2)."""
    director = director_of(game, company)
    return director if director is not None and is_private(game.company(company)) else company


def cash_of(game: Game, company: CompanyId) -> int:
    return game.state.cash[treasury_owner(game, company)]


def director_cash(game: Game, company: CompanyId) -> int:
    """The cash the director can add; for a private company it is the director's own."""
    director = director_of(game, company)
    return 0 if director is None or is_private(game.company(company)) else game.state.cash[director]


def move_price(game: Game, company: CompanyId, steps: int) -> None:
    """Move up (down if negative) on the market, as far as there are spaces (§16.2.1)."""
    position = game.company(company).position
    if position is not None and steps:
        move(game, company, (0, column_after(position[1], steps)))


def set_price(game: Game, company: CompanyId, money: int) -> None:
    """Put the marker at this starting price, under those already there."""
    game.company(company).par = money
    column = next(number for number, cell in enumerate(components.MARKET.rows[0]) if cell and cell.price == money)
    place_marker(game, company, (0, column))


def put_into_liquidation(game: Game, company: CompanyId, why: Text) -> None:
    """Move the marker to the gray space, under those already there (§10.7)."""
    record = game.company(company)
    if not is_in_liquidation(record):
        move(game, company, (0, components.LIQUIDATION))
        game.log("{company} goes into liquidation: {why}.", company, msg(why))


def price(game: Game, company: CompanyId) -> int:
    """0 without a price."""
    return price_of(game, company)


def price_after(company: Company, steps: int) -> int:
    """The share price this number of spaces up (down if negative), 0 without a price."""
    return 0 if company.position is None else components.MARKET.price((0, column_after(company.position[1], steps)))


def column_after(column: int, steps: int) -> int:
    """The column this number of spaces up, as far as there are spaces (§16.2.1)."""
    return min(components.TOP, max(components.LIQUIDATION, column + steps))


def fall_for_issue(company: Company, shares: int) -> int:
    """The spaces the price falls for an issue: one for each 5% (rounding up) or share, whichever is fewer (§8.3)."""
    return min(shares, -(-shares * (100 // size(company)) // 5))


def room_to_fall(company: Company, shares: int = 0) -> int:
    """The spaces that the price may fall without reaching liquidation, after an issue of `shares`."""
    return (company.position or (0, 0))[1] - components.LIQUIDATION - 1 - fall_for_issue(company, shares)


# -- loans (§17) --------------------------------------------------------------------------------------


def check_loan(game: Game, company: CompanyId, number: int = 1) -> None:
    record = game.company(company)
    if not is_public(record):
        raise IllegalMove("{company} is not a public company and takes no loans.", "1820 §17.1", company)
    if is_in_liquidation(record):
        raise IllegalMove("{company} is in liquidation and takes no loans.", "1820 §17.1", company)
    if record.loans + number > shares_in_play(record):
        sentence = "{company} has {record} shares in play and {loans} loans; loans may not outnumber shares."
        raise IllegalMove(sentence, "1820 §17.2", company, shares_in_play(record), record.loans)
    if number > room_to_fall(record):
        raise IllegalMove("That would put {company} into liquidation.", "1820 §17.1", company)


def loans_to_take(company: Company, shares: int = 0) -> int:
    """The number of loans the company may take, after an issue of `shares` (§17.2)."""
    return max(0, min(shares_in_play(company) + shares - company.loans, room_to_fall(company, shares)))


def max_funds(game: Game, company: CompanyId) -> int:
    """The cash the company can spend, including all loans it may take."""
    record = game.company(company)
    may_borrow = is_public(record) and not is_in_liquidation(record)
    return cash_of(game, company) + (loans_to_take(record) * components.LOAN if may_borrow else 0)


def take_loans(game: Game, company: CompanyId, number: int = 1) -> None:
    """£200 each; the price falls a space for each (§17.1)."""
    for _ in range(number):
        game.company(company).loans += 1
        pay(game, BANK, company, components.LOAN, "loan")
        game.emit(LoanTaken(company, components.LOAN))
        move_price(game, company, -1)


def repay_loans(game: Game, company: CompanyId, number: int, payer: Owner) -> None:
    """£200 each from this purse; the price rises a space for each (§7.2.9, §17.3)."""
    if not number:
        return
    pay(game, payer, BANK, components.LOAN * number, "repaid loans")
    game.company(company).loans -= number
    game.log("{company} repays {loans} loan(s).", company, number)
    move_price(game, company, number)


def excess_loans(company: Company) -> int:
    """The loans that must be repaid immediately (§17.2)."""
    return max(0, company.loans - (shares_in_play(company) if size(company) > 1 else 0))


def interest(game: Game, company: CompanyId) -> int:
    """The cost of the company's loans in an operating round (§7.2.8)."""
    return game.company(company).loans * components.LOAN * components.LOAN_INTEREST[title_state(game).column] // 100


def maintenance_of(game: Game, kind: str) -> int:
    """The cost of a train of this kind in an operating round (§7.2.5)."""
    return components.MAINTENANCE[kind][title_state(game).column]


def maintenance(game: Game, company: CompanyId) -> int:
    return sum(maintenance_of(game, train.kind) for train in game.state.trains_of(company))


def train_limit(game: Game) -> int:
    """Table 5.1"""
    return game.title.phase(game.state.phase).train_limit


# -- leaving the game ---------------------------------------------------------------------------------


def return_to_supply(game: Game, company: CompanyId) -> None:
    """The company can be floated again (§8.1, §13.1); its money goes to the bank."""
    record, memory = game.company(company), title_state(game)
    pay(game, company, BANK, game.state.cash[company], f"treasury of {company}")
    remove_marker(game, company)
    memory.directors.pop(company, None)
    if company in memory.private_track:
        memory.private_track.remove(company)
    record.floated, record.operated, record.par, record.loans = False, False, None, 0
    record.tokens_left = ()
    record.has_president = False
    record.certificates = [Certificate(percent, IPO) for percent in components.COMPANIES[company].certificates]


def close(game: Game, company: CompanyId) -> None:
    """Remove the company from the game permanently (§7.2.7)."""
    return_to_supply(game, company)
    game.company(company).closed = True


def larger_sizes(company: Company) -> list[int]:
    return [shares for shares in components.SIZES if shares > size(company)]


def pool_fall(company: Company, option: str) -> int:
    """The spaces the price falls after a stock round for shares in the pool (§6.7, or §16.2.2 by option)."""
    shares = company.count_of(POOL)
    return min(shares, shares * (100 // size(company)) // int(option))


def minimum_bid(game: Game, company: Company) -> int:
    """The current price for every share in play (§8.4.2)."""
    return price(game, company.id) * shares_in_play(company)
