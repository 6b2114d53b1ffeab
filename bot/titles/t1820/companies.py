"""Companies of 1820: sizes, shares in play, directors, purses, prices, loans (1820 §10.6, §10.7, §13, §16, §17)."""

from __future__ import annotations

from bot.engine.ids import BANK, IPO, POOL, CompanyId, Owner, PlayerId, is_player
from bot.engine.message import Text, said
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import move, place_marker, price_of, take_off
from bot.engine.play.holdings.money import pay
from bot.engine.play.title import Option
from bot.engine.refusals import IllegalMove
from bot.engine.state.events import LoanTaken, PresidentChanged
from bot.engine.state.state import Certificate, Company

from . import components
from .state import special


def chosen(game: Game, option: Option) -> str:
    """What the table plays by. A game that was begun before there was the option is played by its default."""
    return game.state.options.get(option.name, option.default)


# -- what a company is --------------------------------------------------------------------------------


def size(company: Company) -> int:
    """Its number of shares (table 13.1)."""
    return len(company.certificates)


def is_in_play(company: Company) -> bool:
    """Floated and neither acquired, liquidated nor closed since."""
    return company.floated and not company.closed


def is_private(company: Company) -> bool:
    """A company of one share (§13.2)."""
    return is_in_play(company) and size(company) == 1


def is_public(company: Company) -> bool:
    """A company with a price and a director; British Rail is none (§13.3, §13.5)."""
    return is_in_play(company) and size(company) > 1 and company.id != components.BRITISH_RAIL


def in_liquidation(company: Company) -> bool:
    """Whether its marker lies in the gray area (§10.7)."""
    return company.position is not None and company.position[1] == components.LIQUIDATION


def public_companies(game: Game) -> list[Company]:
    """All public companies."""
    return [company for company in game.state.companies.values() if is_public(company)]


def in_play(company: Company) -> int:
    """Shares in play: all outside the company's treasury (§10.6)."""
    return size(company) - company.count_of(IPO)


def share_owners(game: Game, company: Company) -> list[Owner]:
    """Players and cousins with shares of the company, players first, both in a fixed order."""
    owners: list[Owner] = [*game.state.order, *game.state.privates]
    held = {certificate.owner for certificate in company.certificates}
    return [owner for owner in owners if owner in held]


def resize(company: Company, shares: int, holdings: dict[Owner, int]) -> None:
    """Give the company so many equal certificates, held as said; the rest lies in its treasury."""
    owners = [owner for owner, number in holdings.items() for _ in range(number)]
    owners += [IPO] * (shares - len(owners))
    company.certificates = [Certificate(100 // shares, owner) for owner in owners]


def holdings(company: Company) -> dict[Owner, int]:
    """How many shares everybody holds, the treasury left out."""
    found: dict[Owner, int] = {}
    for certificate in company.certificates:
        if certificate.owner != IPO:
            found[certificate.owner] = found.get(certificate.owner, 0) + 1
    return found


def give(game: Game, company: Company, source: Owner, target: Owner, shares: int) -> None:
    """Move shares from one owner to another.

    :raises ValueError: the source holds fewer.
    """
    found = [certificate for certificate in company.certificates if certificate.owner == source]
    if len(found) < shares:
        raise ValueError(f"{source} holds {len(found)} shares of {company.id}, not {shares}")
    for certificate in found[len(found) - shares :]:
        certificate.owner = target
    arrange(game, company)


# -- directors (§13.4) --------------------------------------------------------------------------------


def director_of(game: Game, company: CompanyId) -> Owner | None:
    """The player or cousin who directs the company."""
    return special(game).directors.get(company)


def director_player(game: Game, company: CompanyId) -> PlayerId | None:
    """The player who decides for the company, for himself or for his cousin."""
    return player_of(game, director_of(game, company))


def player_of(game: Game, owner: Owner | None) -> PlayerId | None:
    """The player behind an owner: himself, or a cousin's player."""
    if owner is None:
        return None
    if is_player(owner):
        return PlayerId(owner)
    cousin = game.state.privates.get(owner)  # type: ignore[call-overload]
    return PlayerId(cousin.owner) if cousin and cousin.owner else None


def directed_by_cousin(game: Game, company: CompanyId) -> bool:
    """Whether a cousin directs it (§14.1)."""
    director = director_of(game, company)
    return director is not None and not is_player(director)


def directed_by(game: Game, player: Owner) -> list[Company]:
    """The companies that a player himself directs."""
    directors = special(game).directors
    return [company for company in game.state.companies.values() if directors.get(company.id) == player]


def arrange(game: Game, company: Company) -> None:
    """Let a share of the director lie first among the certificates, where everybody looks for the director."""
    director = special(game).directors.get(company.id)
    own = next((one for one in company.certificates if one.owner == director), None)
    if own is not None:
        company.certificates.remove(own)
        company.certificates.insert(0, own)
    company.has_president = own is not None


def set_director(game: Game, company: Company, director: Owner | None) -> None:
    """Hand the charter to somebody."""
    record = special(game)
    before = record.directors.get(company.id)
    if director is None:
        record.directors.pop(company.id, None)
    else:
        record.directors[company.id] = director
    arrange(game, company)
    if before != director:
        game.happened(PresidentChanged(company.id, PlayerId(director) if director else None))


def first_director(game: Game, company: Company) -> Owner | None:
    """The largest holder: of equal ones a player before a cousin, then in order of the number cards."""
    owners = share_owners(game, company)
    return max(owners, key=lambda owner: company.count_of(owner), default=None)


def after_purchase(game: Game, company: Company, buyer: Owner) -> None:
    """A player who now holds more than the director takes over."""
    director = director_of(game, company.id)
    if director is None:
        set_director(game, company, first_director(game, company))
    elif is_player(buyer) and company.count_of(buyer) > company.count_of(director):
        set_director(game, company, buyer)


def heirs(game: Game, company: Company, seller: Owner, left: int) -> list[Owner]:
    """Who directs the company when its director keeps so many shares: himself, another one, or several tied cousins.

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
    """Who buys shares: the players, and the cousins that have one."""
    privates = game.state.privates.values()
    return [*game.state.order, *(cousin.id for cousin in privates if cousin.owner is not None and not cousin.closed)]


def to_be_bought(shares: int) -> int:
    """How many shares of so many must be bought (§6.5.2.2, §6.6.2)."""
    return -(-components.PARTICIPATION * shares // 100)


def loans_for(amount: int) -> int:
    """How many loans bring so much."""
    return max(0, -(-amount // components.LOAN))


def purse(game: Game, company: CompanyId) -> Owner:
    """Where the company's money lies: a private company's treasury is its director's cash (§13.2)."""
    director = director_of(game, company)
    return director if director is not None and is_private(game.company(company)) else company


def cash_of(game: Game, company: CompanyId) -> int:
    """What the company can pay at once."""
    return game.state.cash[purse(game, company)]


def help_of(game: Game, company: CompanyId) -> int:
    """What the director can add to the company's money; that of a private company is his own."""
    director = director_of(game, company)
    return 0 if director is None or is_private(game.company(company)) else game.state.cash[director]


def move_price(game: Game, company: CompanyId, steps: int) -> None:
    """Up (or down, when negative) on the market, as far as there are spaces (§16.2.1)."""
    position = game.company(company).position
    if position is not None and steps:
        move(game, company, (0, moved(position[1], steps)))


def set_price(game: Game, company: CompanyId, money: int) -> None:
    """The company's marker lies at this starting price, under those already there."""
    game.company(company).par = money
    column = next(number for number, cell in enumerate(components.MARKET.rows[0]) if cell and cell.price == money)
    place_marker(game, company, (0, column))


def put_into_liquidation(game: Game, company: CompanyId, why: Text) -> None:
    """The marker goes to the gray space, under those already there (§10.7)."""
    record = game.company(company)
    if not in_liquidation(record):
        move(game, company, (0, components.LIQUIDATION))
        game.tell("{company} goes into liquidation: {why}.", company, said(why))


def price(game: Game, company: CompanyId) -> int:
    """The present price of a share, 0 without one."""
    return price_of(game, company)


def price_after(company: Company, steps: int) -> int:
    """The price of a share so many spaces up (down, when negative), 0 without one."""
    return 0 if company.position is None else components.MARKET.price((0, moved(company.position[1], steps)))


def moved(column: int, steps: int) -> int:
    """So many spaces up from there, as far as there are spaces (§16.2.1)."""
    return min(components.TOP, max(components.LIQUIDATION, column + steps))


def fall_for_issue(company: Company, shares: int) -> int:
    """Spaces that the price falls for an issue: each 5% (rounding up) or share, whichever is fewer (§8.3)."""
    return min(shares, -(-shares * (100 // size(company)) // 5))


def room_to_fall(company: Company, shares: int = 0) -> int:
    """Spaces that the price may fall without reaching liquidation, after an issue of so many shares."""
    return (company.position or (0, 0))[1] - components.LIQUIDATION - 1 - fall_for_issue(company, shares)


# -- loans (§17) --------------------------------------------------------------------------------------


def check_loan(game: Game, company: CompanyId, number: int = 1) -> None:
    """Raise the refusal against taking loans."""
    record = game.company(company)
    if not is_public(record):
        raise IllegalMove("{company} is not a public company and takes no loans.", "1820 §17.1", company)
    if in_liquidation(record):
        raise IllegalMove("{company} is in liquidation and takes no loans.", "1820 §17.1", company)
    if record.loans + number > in_play(record):
        sentence = "{company} has {record} shares in play and {loans} loans; loans may not outnumber shares."
        raise IllegalMove(sentence, "1820 §17.2", company, in_play(record), record.loans)
    if number > room_to_fall(record):
        raise IllegalMove("That would put {company} into liquidation.", "1820 §17.1", company)


def loans_to_take(company: Company, shares: int = 0) -> int:
    """How many loans the company may take, after an issue of so many shares (§17.2)."""
    return max(0, min(in_play(company) + shares - company.loans, room_to_fall(company, shares)))


def means(game: Game, company: CompanyId) -> int:
    """What the company can pay at once or after taking as many loans as it may."""
    record = game.company(company)
    may_borrow = is_public(record) and not in_liquidation(record)
    return cash_of(game, company) + (loans_to_take(record) * components.LOAN if may_borrow else 0)


def take_loans(game: Game, company: CompanyId, number: int = 1) -> None:
    """£200 each; the price falls a space for each (§17.1)."""
    for _ in range(number):
        game.company(company).loans += 1
        pay(game, BANK, company, components.LOAN, "loan")
        game.happened(LoanTaken(company, components.LOAN))
        move_price(game, company, -1)


def repay_loans(game: Game, company: CompanyId, number: int, payer: Owner) -> None:
    """£200 each from this purse; the price rises a space for each (§7.2.9, §17.3)."""
    if not number:
        return
    pay(game, payer, BANK, components.LOAN * number, "repaid loans")
    game.company(company).loans -= number
    game.tell("{company} repays {loans} loan(s).", company, number)
    move_price(game, company, number)


def excess_loans(company: Company) -> int:
    """Loans that must be repaid at once (§17.2)."""
    return max(0, company.loans - (in_play(company) if size(company) > 1 else 0))


def interest(game: Game, company: CompanyId) -> int:
    """What the company's loans cost in an operating round (§7.2.8)."""
    return game.company(company).loans * components.LOAN * components.LOAN_INTEREST[special(game).column] // 100


def maintenance_of(game: Game, kind: str) -> int:
    """What a train of this kind costs in an operating round (§7.2.5)."""
    return components.MAINTENANCE[kind][special(game).column]


def maintenance(game: Game, company: CompanyId) -> int:
    """What all trains of the company cost."""
    return sum(maintenance_of(game, train.kind) for train in game.state.trains_of(company))


def train_limit(game: Game) -> int:
    """The limit of the present phase (table 5.1)."""
    return game.title.phase(game.state.phase).train_limit


# -- leaving the game ---------------------------------------------------------------------------------


def return_to_supply(game: Game, company: CompanyId) -> None:
    """The company can be floated anew (§8.1, §13.1); its money goes to the bank."""
    record, memory = game.company(company), special(game)
    pay(game, company, BANK, game.state.cash[company], f"treasury of {company}")
    take_off(game, company)
    memory.directors.pop(company, None)
    if company in memory.private_track:
        memory.private_track.remove(company)
    record.floated, record.operated, record.par, record.loans = False, False, None, 0
    record.tokens_left = []
    record.has_president = False
    record.certificates = [Certificate(percent, IPO) for percent in components.COMPANIES[company].certificates]


def close(game: Game, company: CompanyId) -> None:
    """The company leaves the game for good (§7.2.7)."""
    return_to_supply(game, company)
    game.company(company).closed = True


def larger_sizes(company: Company) -> list[int]:
    """The share-counts that it can grow to."""
    return [shares for shares in components.SIZES if shares > size(company)]


def pool_fall(company: Company, option: str) -> int:
    """Spaces that the price falls after a stock round for shares in the pool (§6.7, or §16.2.2 by option)."""
    shares = company.count_of(POOL)
    return min(shares, shares * (100 // size(company)) // int(option))


def minimum_bid(game: Game, company: Company) -> int:
    """The present price for every share in play (§8.4.2)."""
    return price(game, company.id) * in_play(company)
