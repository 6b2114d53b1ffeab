"""New majors: shares, assets, tokens, the sale of shares, going back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import IPO, CompanyId, IllegalMove, PlayerId, is_permitted, require
from bot.engine.notation import hex_name
from bot.engine.play import AutomaticStep, Game, Step
from bot.engine.play.holdings import (
    Position,
    certificate_count,
    ordinary_certificates,
    pay,
    president_of,
    price_of,
    settle_presidency,
    sort_by_price,
)
from bot.engine.play.steps import (
    NewShareSale,
    absorb,
    begin_formed,
    finish_formation,
    players_from,
    remove_company,
    undo_formation,
)
from bot.engine.state import Action, Event, PresidentChanged, SharesBought

from .actions import MergeMinors, RemoveToken, TurnIntoMajor
from .components import HIGHEST_MERGED, LAST_TOKEN, LOWEST_MERGED, TOKENS_KEPT
from .family import Place
from .prices import cell_below
from .state import MajorInFormation, title_state

Proposal = TurnIntoMajor | MergeMinors
Token = tuple[int, Place | None]
"""A token on a charter: its price and its place on the map."""


class TokenRemoved(Event, frozen=True, tag="TokenRemoved"):
    """A new major gave up a token."""

    company: CompanyId
    place: str


def forming_of(game: Game) -> MajorInFormation:
    """:raises ValueError: no company is being formed."""
    return require(title_state(game).forming, "no company is being formed")


def others_of(proposal: Proposal) -> Sequence[CompanyId]:
    return proposal.others if isinstance(proposal, MergeMinors) else ()


def members_of(game: Game, proposal: Proposal) -> list[CompanyId]:
    """In operating order."""
    return sort_by_price(game, [CompanyId(proposal.by), *others_of(proposal)])


def key_of(proposal: Proposal) -> str:
    """The minors, by which a refused proposal is remembered: what they would become makes no difference."""
    return " ".join(sorted((proposal.by, *others_of(proposal))))


def starting_cell(game: Game, members: Sequence[CompanyId]) -> Position:
    """A minor's own price, or the lowest and the highest together, within limits; rounded down to a starting price."""
    prices = [price_of(game, member) for member in members]
    together = max(LOWEST_MERGED, min(HIGHEST_MERGED, min(prices) + max(prices)))
    return cell_below(game, "pz", prices[0] if len(prices) == 1 else together)


def owners_of(game: Game, members: Sequence[CompanyId]) -> list[PlayerId]:
    """The owner of each of the minors."""
    return [require(president_of(game.company(member)), f"nobody owns {member}") for member in members]


def form_major(game: Game, proposal: Proposal) -> None:
    """Minors become a major: a share each, two for a single minor; then tokens are removed and shares sold."""
    before, company, members = game.encode().decode(), proposal.company, members_of(game, proposal)
    owners, cell = owners_of(game, members), starting_cell(game, members)
    tokens = transfer_tokens(game, members, company)
    for member in members:
        absorb(game, member, company)
    for member in members:
        remove_company(game, member, is_gone=True)
    begin_formed(game, company, cell, members, owners)
    for owner in owners if len(members) > 1 else [*owners, *owners]:
        give_share(game, company, owner, slice(-1, None))
        settle_presidency(game, company)
    seats = players_from(game, owners[0])
    several = [player for player in seats if player in owners]
    title_state(game).forming = MajorInFormation(
        company=company,
        members=members,
        director=owners[0],
        key=key_of(proposal),
        before=before,
        asked=list(several) if len(members) > 1 else seats,
        several=several,
        tokens=tokens,
    )
    game.push("forming", company)


def give_share(game: Game, company: CompanyId, owner: PlayerId, at: slice) -> None:
    """A share of the treasury, the certificate there `at`; who would have two takes the president's certificate for
    them, if it is still there.
    """
    record = game.company(company)
    if record.certificates[0].owner != IPO or record.percent_held_by(owner) != 10:
        record.move_certificates(ordinary_certificates(record, IPO)[at], owner)
    else:
        record.move_certificates(ordinary_certificates(record, owner)[:1], IPO)
        record.move_president(owner)
        game.emit(PresidentChanged(company, owner))


# -- tokens -------------------------------------------------------------------------------------------


def transfer_tokens(game: Game, members: Sequence[CompanyId], company: CompanyId) -> list[Token]:
    """Replace the minors' tokens by the major's, the first on the charter first; of several in a city the last stays.
    Returns all tokens.
    """
    board, record = game.state.board, game.company(company)
    places = [place for member in members for place in board.cities_of(member)]
    tokens: list[Token] = [(price, None) for price in record.tokens_left]
    for number, place in enumerate(places):
        later = places[number:]
        tokens = [(price, None if there in later else there) for price, there in tokens]
        free = next((slot for slot, (_, there) in enumerate(tokens) if there is None), len(tokens))
        tokens[free : free + 1] = [(tokens[free][0] if free < len(tokens) else 0, place)]
    for hex_id, city in places_of(tokens):
        board.swap_token(hex_id, city, next(one for one in board.tokens_in(hex_id, city) if one in members), company)
    for member in members:
        board.remove_tokens(member)
    game.board_changed()
    record.tokens_left = prices_left(tokens)
    return tokens


def places_of(tokens: Sequence[Token]) -> list[Place]:
    return [place for _, place in tokens if place is not None]


def prices_left(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(price for price, place in tokens if place is None)


@dataclass(frozen=True)
class RemoveTokens:
    """The new major keeps two tokens, on different hexes if there were several."""

    section: str
    name: str = "remove a token"
    verbs: tuple[type[Action], ...] = (RemoveToken,)

    def opens(self, game: Game) -> bool:
        hexes = [hex_id for hex_id, _ in places_of(forming_of(game).tokens)]
        return len(hexes) > TOKENS_KEPT or len(set(hexes)) < len(hexes)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        moves = (RemoveToken(company, *place) for place in places_of(forming_of(game).tokens))
        return (move for move in moves if is_permitted(self.check, game, move))

    def check(self, game: Game, action: RemoveToken) -> None:
        places = places_of(forming_of(game).tokens)
        left = {hex_id for hex_id, city in places if (hex_id, city) != (action.hex, action.city)}
        if (action.hex, action.city) not in places:
            raise IllegalMove("{company} has no token in that city of {hex}.", self.section, action.by, action.hex)
        if len(left) == 1 < len({hex_id for hex_id, _ in places}):
            raise IllegalMove("{company} must keep tokens on two different hexes.", self.section, action.by)

    def apply(self, game: Game, action: RemoveToken) -> None:
        forming, company = forming_of(game), game.company(action.by)
        removed = (action.hex, action.city)
        forming.tokens = [(price, None if place == removed else place) for price, place in forming.tokens]
        forming.has_removed = True
        game.state.board.tokens_in(*removed).remove(company.id)
        game.board_changed()
        company.tokens_left = prices_left(forming.tokens)
        game.emit(TokenRemoved(company.id, hex_name(game, action.hex)))


def settle_tokens(game: Game) -> None:
    """An automatic step: of the tokens that are not on the map only those stay that make two, and the last."""
    forming, record = forming_of(game), game.company(forming_of(game).company)
    if forming.has_removed:
        spare = TOKENS_KEPT - len(places_of(forming.tokens))
        record.tokens_left = (*sorted(record.tokens_left)[:spare], LAST_TOKEN)


# -- the sale of shares ---------------------------------------------------------------------------------


def buy_new_share(game: Game, player: PlayerId, number: int) -> None:
    """The money is the company's."""
    company = forming_of(game).company
    price = price_of(game, company)
    pay(game, player, company, price, f"share of {company}")
    give_share(game, company, player, slice(1))
    game.emit(SharesBought(player, company, IPO, 10, price))
    settle_presidency(game, company)


def build_formation(section: str) -> Iterator[Step | AutomaticStep]:
    """The owners of the minors buy, from the first of them to the left, a single owner before others; then all players
    a share, from the president to the left. The merger is undone if nobody has the president's certificate by then.
    """
    sale = NewShareSale(
        section=section,
        certificates=lambda game, player, number: certificate_count(game, player) + number,
        buy=buy_new_share,
        goes_on=lambda game, player: player in forming_of(game).several,
    )

    def open_second_sale(game: Game) -> None:
        forming = forming_of(game)
        president = president_of(game.company(forming.company))
        if president is None:
            undo_formation(game, forming)
            game.log("Nobody can be president of {company}: the merger is undone.", forming.company)
        elif len(forming.members) > 1:
            forming.several, forming.asked = [], players_from(game, president)
            sale.ask_next(game)
            if forming.asked[:1] == [forming.last_pass]:
                forming.asked.pop(0)
                sale.ask_next(game)

    yield from (RemoveTokens(section), settle_tokens, sale.ask_next, sale, open_second_sale, sale, finish_formation)
