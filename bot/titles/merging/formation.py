"""New majors: shares, assets, tokens, the sale of shares, going back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import IPO, CompanyId, IllegalMove, NotYourTurn, PlayerId, Text, is_permitted, msg, require
from bot.engine.notation import hex_name, money
from bot.engine.play import Game
from bot.engine.play.holdings import (
    Position,
    certificate_count,
    check_cash,
    ordinary_certificates,
    pay,
    place_marker,
    president_of,
    price_of,
    remove_marker,
    settle_presidency,
    sort_by_price,
)
from bot.engine.state import Action, BuyShares, Pass, Passed, PresidentChanged, SharesBought, State

from .actions import MergeMinors, RemoveToken, TurnIntoMajor, key_of
from .components import HIGHEST_MERGED, LAST_TOKEN, LOWEST_MERGED, TOKENS_KEPT
from .events import MajorFormed, TokenRemoved
from .family import Place, merging
from .nationalization import remove_company
from .prices import cell_below
from .state import MajorInFormation, title_state

Token = tuple[int, Place | None]
"""A token on a charter: its price and its place on the map."""


def forming_of(game: Game) -> MajorInFormation:
    """:raises ValueError: no company is being formed."""
    return require(title_state(game).forming, "no company is being formed")


def members_of(game: Game, proposal: TurnIntoMajor | MergeMinors) -> list[CompanyId]:
    """In operating order."""
    others = proposal.others if isinstance(proposal, MergeMinors) else ()
    return sort_by_price(game, [CompanyId(proposal.by), *others])


def starting_cell(game: Game, members: Sequence[CompanyId]) -> Position:
    """A minor's own price, or the lowest and the highest together, within limits; rounded down to a starting price."""
    prices = [price_of(game, member) for member in members]
    together = max(LOWEST_MERGED, min(HIGHEST_MERGED, min(prices) + max(prices)))
    return cell_below(game, "pz", prices[0] if len(prices) == 1 else together)


def owners_of(game: Game, members: Sequence[CompanyId]) -> list[PlayerId]:
    """The owner of each of the minors."""
    return [require(president_of(game.company(member)), f"nobody owns {member}") for member in members]


def players_from(game: Game, first: PlayerId) -> list[PlayerId]:
    seat = game.state.order.index(first)
    return game.state.order[seat:] + game.state.order[:seat]


def form_major(game: Game, proposal: TurnIntoMajor | MergeMinors) -> None:
    """Minors become a major: a share each, two for a single minor; then tokens are removed and shares sold."""
    before, company, members = game.encode().decode(), proposal.company, members_of(game, proposal)
    owners, cell = owners_of(game, members), starting_cell(game, members)
    tokens = transfer_tokens(game, members, company)
    for member in members:
        absorb(game, member, company)
        remove_marker(game, member)
    for member in members:
        remove_company(game, member, is_gone=True)
    record = game.company(company)
    record.floated, record.operated = True, False
    place_marker(game, company, cell)
    record.par = price_of(game, company)
    game.emit(MajorFormed(company, tuple(members), tuple(owners), record.par))
    for owner in owners if len(members) > 1 else [*owners, *owners]:
        give_share(game, company, owner)
    seats = players_from(game, owners[0])
    buyers = [player for player in seats if player in owners] if len(members) > 1 else seats
    several = [player for player in seats if player in owners]
    key = key_of(proposal)
    title_state(game).forming = MajorInFormation(
        company, members, owners[0], buyers, several, tokens, key=key, before=before
    )
    game.push("forming", company)


def absorb(game: Game, old: CompanyId, new: CompanyId) -> None:
    """Transfer all assets and loans of the old company to the new company."""
    pay(game, old, new, game.state.cash[old], f"{old} becomes part of {new}")
    for train in game.state.trains_of(old):
        game.state.move_train(train, new)
    for private in game.state.privates_of(old):
        private.owner = new
    game.company(new).loans += game.company(old).loans


def give_share(game: Game, company: CompanyId, owner: PlayerId) -> None:
    """A share for a minor; who would have two takes the president's certificate for them, if it is still there."""
    record = game.company(company)
    if not take_presidency(game, company, owner):
        record.move_certificates(ordinary_certificates(record, IPO)[-1:], owner)
    settle_presidency(game, company)


def take_presidency(game: Game, company: CompanyId, player: PlayerId) -> bool:
    """Give the player with one share the president's certificate of the treasury instead; whether that was possible."""
    record = game.company(company)
    if record.certificates[0].owner != IPO or record.percent_held_by(player) != 10:
        return False
    record.move_certificates(ordinary_certificates(record, player)[:1], IPO)
    record.move_president(player)
    game.emit(PresidentChanged(company, player))
    return True


# -- tokens -------------------------------------------------------------------------------------------


def transfer_tokens(game: Game, members: Sequence[CompanyId], company: CompanyId) -> list[Token]:
    """Replace the minors' tokens by the major's, the first on the charter first; of several in a city the last stays. Returns
    all tokens.
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


def open_second_sale(game: Game) -> None:
    """An automatic step: after those who had the minors all players may buy a share, from the president to the left. The
    merger is undone if nobody has the president's certificate.
    """
    forming = forming_of(game)
    president = president_of(game.company(forming.company))
    if president is None:
        undo_formation(game)
    elif len(forming.members) > 1:
        forming.several = []
        forming.asked = players_from(game, president)
        SaleOfNewShares(merging(game).section).ask_next(game)
        if forming.asked[:1] == [forming.last_pass]:
            forming.asked.pop(0)
            SaleOfNewShares(merging(game).section).ask_next(game)


def undo_formation(game: Game) -> None:
    """Restore the state before the merger, which may not be proposed again in this turn."""
    forming, moves = forming_of(game), game.state.moves
    state: State = type(game).decode(game.title, forming.before.encode()).state
    game.state, state.moves = state, moves
    title_state(game).refused.append(forming.key)
    game.board_changed()
    game.log("Nobody can be president of {company}: the merger is undone.", forming.company)


def open_sale(game: Game) -> None:
    """An automatic step: the owners of the minors buy, from the first of them to the left; a single owner before others."""
    SaleOfNewShares(merging(game).section).ask_next(game)


def finish(game: Game) -> None:
    """An automatic step: the company is formed; trains above its limit are discarded."""
    title_state(game).forming = None
    game.push("discard")


@dataclass(frozen=True)
class SaleOfNewShares:
    """The players asked buy shares of the treasury in turn, one or as many as they want."""

    section: str
    name: str = "buy shares of the new company"
    verbs: tuple[type[Action], ...] = (BuyShares, Pass)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked)

    def ask_next(self, game: Game) -> None:
        asked = forming_of(game).asked
        while asked and not self.can_buy(game, asked[0]):
            asked.pop(0)
        game.frame.asked = asked[:1]

    def can_buy(self, game: Game, player: PlayerId) -> bool:
        return is_permitted(self.check_purchase, game, BuyShares(player, forming_of(game).company))

    def prompt(self, game: Game) -> Text:
        company = forming_of(game).company
        return msg("buy a share of {company} at {money}, or pass", company, money(game, price_of(game, company)))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.frame.asked[0]
        yield Pass(player)
        yield BuyShares(player, forming_of(game).company)

    def check(self, game: Game, action: BuyShares | Pass) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("Only the player whose turn it is can buy.", self.section)
        if isinstance(action, BuyShares):
            self.check_purchase(game, action)

    def check_purchase(self, game: Game, action: BuyShares) -> None:
        """One share of the treasury, within the limits."""
        forming, player = forming_of(game), PlayerId(action.by)
        if (action.company, action.source, action.shares) != (forming.company, IPO, 1):
            raise IllegalMove("A share of {company} is sold now, from its treasury.", self.section, forming.company)
        record, rules = game.company(forming.company), game.title.rules
        if not ordinary_certificates(record, IPO):
            raise IllegalMove("The treasury of {company} has no share left.", self.section, record.id)
        check_cash(game, player, price_of(game, record.id), self.section)
        most = rules.holding_limit(game, record.id)
        if record.percent_held_by(player) + 10 > most:
            raise IllegalMove("No player may buy beyond {most}% of {company}.", self.section, most, record.id)
        limit = rules.certificate_limit(game, player)
        if certificate_count(game, player) >= limit:
            raise IllegalMove("Your certificate limit is {limit} and you have reached it.", self.section, limit)

    def apply(self, game: Game, action: BuyShares | Pass) -> None:
        forming, player = forming_of(game), PlayerId(action.by)
        if isinstance(action, Pass):
            game.emit(Passed(player, self.name))
            forming.last_pass = forming.asked.pop(0)
        else:
            forming.last_pass = None
            buy_new_share(game, player, forming.company)
            if player not in forming.several:
                forming.asked.pop(0)
        self.ask_next(game)


def buy_new_share(game: Game, player: PlayerId, company: CompanyId) -> None:
    """The money is the company's. Who had one share takes the president's certificate, if it is still there."""
    price = price_of(game, company)
    pay(game, player, company, price, f"share of {company}")
    if not take_presidency(game, company, player):
        record = game.company(company)
        record.move_certificates(ordinary_certificates(record, IPO)[:1], player)
    game.emit(SharesBought(player, company, IPO, 10, price))
    settle_presidency(game, company)


def holder_of_president(game: Game, company: CompanyId) -> PlayerId | None:
    """The president, or before there is one the player who decides."""
    president, forming = president_of(game.company(company)), title_state(game).forming
    return forming.leader if president is None and forming and forming.company == company else president
