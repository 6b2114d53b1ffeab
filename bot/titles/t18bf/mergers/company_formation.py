"""New public companies and systems: assets, shares, stations, the share sale, going back (18BF §12.2-§12.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, repeat

from bot.engine import IPO, POOL, CompanyId, IllegalMove, Owner, PlayerId, Text, is_player, msg, require
from bot.engine.play import Game
from bot.engine.play.holdings import certificate_count, pay, president_of, price_of, share_unit, shares_of_president
from bot.engine.play.steps import NewShareSale, absorb, begin_formed, players_from, remove_company, undo_formation
from bot.engine.state import Action, Certificate, PresidentChanged, SharesBought, TokenPlaced
from bot.titles.t18bf.company_closure import column_at
from bot.titles.t18bf.components import COMPANIES, HIGHEST_START, LONDON, TOKEN_PER_HEX
from bot.titles.t18bf.state import Forming, kind_of, title_state

from .proposals import City, ConvertMinor, KeepStations, Merge, key_of

MOST_CHOICES = 400
"""Maximum number of listed choices of stations; any legal choice is accepted."""


def forming_of(game: Game) -> Forming:
    """The company being formed; a ValueError if there is none."""
    return require(title_state(game).forming, "no company is being formed")


# -- the parts of every merger ------------------------------------------------------------------------


def distribute_certificates(
    game: Game, company_id: CompanyId, holdings: Mapping[Owner, int], director: PlayerId
) -> None:
    """Distribute the certificates so that everybody holds these shares; the treasury has the rest.

    The director gets the director's certificate if their shares are enough for it, else it is in the treasury.
    """
    record = game.company(company_id)
    large = shares_of_president(record)
    has_certificate = holdings.get(director, 0) >= large
    owners = [director if has_certificate else IPO]
    for owner, shares in holdings.items():
        owners += [owner] * (shares - (large if has_certificate and owner == director else 0))
    record.certificates = [
        Certificate(one.percent, owner)
        for one, owner in zip(record.certificates, chain(owners, repeat(IPO)), strict=False)
    ]


def shares_of(game: Game, company_id: CompanyId) -> dict[Owner, int]:
    """The number of shares by owner: players and the pool."""
    record = game.company(company_id)
    owners: Iterable[Owner] = [*game.state.order, POOL]
    return {
        owner: record.percent_held_by(owner) // share_unit(record) for owner in owners if record.percent_held_by(owner)
    }


def first_director(shares: Mapping[Owner, int], owners: Sequence[PlayerId]) -> PlayerId:
    """The player with most shares; among equals the first in `owners` (§12.3)."""
    return max(owners, key=lambda player: shares.get(player, 0))


# -- public companies ---------------------------------------------------------------------------------


def start_column(prices: Sequence[int]) -> int:
    """A public company's start: a minor's own price, or the sum of the highest and the lowest price, £200 at most
    (§12.2, §12.3).
    """
    return column_at(prices[0] if len(prices) == 1 else min(min(prices) + max(prices), HIGHEST_START))


def form_public(game: Game, proposal: ConvertMinor | Merge, members: list[CompanyId]) -> None:
    """Minors become a public company: one share each, two for a single minor; then stations, then the sale
    (§12.2-§12.4).
    """
    company_id, before = proposal.company, game.encode().decode()
    owners = [owner for member in members if (owner := president_of(game.company(member))) is not None]
    shares: dict[Owner, int] = {}
    for owner in owners:
        shares[owner] = shares.get(owner, 0) + (2 if len(members) == 1 else 1)
    column = start_column([price_of(game, member) for member in members])
    director = first_director(shares, owners)
    for member in members:
        absorb(game, member, company_id)
    begin_formed(game, company_id, (0, column), members)
    distribute_certificates(game, company_id, shares, director)
    game.emit(PresidentChanged(company_id, director))
    begin_forming(
        game, Forming(company=company_id, members=members, director=director, key=key_of(proposal), before=before)
    )


def begin_forming(game: Game, forming: Forming) -> None:
    """Ask for stations, unless there is only one choice, and for public companies sell shares."""
    title_state(game).forming = forming
    game.push("forming", forming.company)
    choices = list(islice(station_choices(game, forming), 2))
    if len(choices) == 1:
        settle_stations(game, forming, choices[0])


def log_undone(game: Game, company: CompanyId, needed: int) -> None:
    game.log("Nobody holds {needed} shares of {company}: the merger is undone.", needed, company)


# -- stations -----------------------------------------------------------------------------------------


def cities_of(game: Game, members: Sequence[CompanyId]) -> list[City]:
    """Every station of the merging companies; a city with several stations is repeated."""
    return [spot for member in members for spot in game.state.board.cities_of(member)]


def stations_to_keep(game: Game, forming: Forming) -> int:
    """The number of stations the new company takes: two, never two in a hex except London; a system up to all its
    tokens.
    """
    places = cities_of(game, forming.members)
    if kind_of(forming.company) == "system":
        return min(len(places), len(game.company(forming.company).tokens_left))
    return min(2, len({hex_id for hex_id, _ in places}) + _more_in_london(places))


def _more_in_london(places: Sequence[City]) -> int:
    return max(0, sum(hex_id == LONDON for hex_id, _ in places) - 1)


def station_choices(game: Game, forming: Forming) -> Iterator[tuple[City, ...]]:
    places = sorted(cities_of(game, forming.members))
    seen = set()
    for choice in combinations(places, stations_to_keep(game, forming)):
        if choice not in seen and _may_keep(forming, choice):
            seen.add(choice)
            yield choice


def _may_keep(forming: Forming, choice: Sequence[City]) -> bool:
    if kind_of(forming.company) == "system":
        return True
    outside = [hex_id for hex_id, _ in choice if hex_id != LONDON]
    return len(set(outside)) == len(outside)


@dataclass(frozen=True)
class ChooseStations:
    """The director chooses the new company's stations, if there is a choice (§12.3, §12.6)."""

    name: str = "keep stations"
    verbs: tuple[type[Action], ...] = (KeepStations,)

    def opens(self, game: Game) -> bool:
        return len(list(islice(station_choices(game, forming_of(game)), 2))) > 1

    def prompt(self, game: Game) -> Text:
        return msg(
            "choose which {needed} station(s) of the merged companies stay", stations_to_keep(game, forming_of(game))
        )

    def options(self, game: Game) -> Iterator[Action]:
        forming = forming_of(game)
        for choice in islice(station_choices(game, forming), MOST_CHOICES):
            yield KeepStations(forming.company, choice)

    def check(self, game: Game, action: KeepStations) -> None:
        """As many stations of the merging companies as there are tokens, no two on a hex except in London."""
        forming = forming_of(game)
        needed = stations_to_keep(game, forming)
        if len(action.places) != needed:
            raise IllegalMove("{company} keeps {needed} station(s).", "18BF §12.3", forming.company, needed)
        if not _may_keep(forming, action.places):
            raise IllegalMove("A public company may have only one station in a hex, except in London.", "18BF §12.3")
        left = cities_of(game, forming.members)
        for spot in action.places:
            if spot not in left:
                raise IllegalMove("No merging company has that station on {place}.", "18BF §12.3", spot[0])
            left.remove(spot)

    def apply(self, game: Game, action: KeepStations) -> None:
        """Replace tokens free of charge; the others leave the map."""
        settle_stations(game, forming_of(game), action.places)
        game.next_step()


def settle_stations(game: Game, forming: Forming, kept: Sequence[City]) -> None:
    """The new company's tokens replace the old tokens; the merged companies are gone (§12.2, §12.3)."""
    board, record = game.state.board, game.company(forming.company)
    for hex_id, city in kept:
        old = next(token for token in board.tokens_in(hex_id, city) if token in forming.members)
        board.swap_token(hex_id, city, old, forming.company)
        record.tokens_left = record.tokens_left[1:]
        game.emit(TokenPlaced(forming.company, hex_id, city, 0))
    for member in forming.members:
        remove_company(game, member, is_gone=True)
    if forming.dropped is not None:
        remove_company(game, forming.dropped, is_gone=True)


def spare_tokens(placed: int, total: int) -> tuple[int, ...]:
    """The prices of the tokens left after placing `placed` of `total`."""
    return (TOKEN_PER_HEX,) * (total - placed)


# -- the share sale -----------------------------------------------------------------------------------


def open_sale(game: Game) -> None:
    """Shareholders may buy, from the director to the left (§12.4); shares of systems are not sold (§12.6)."""
    forming = forming_of(game)
    if kind_of(forming.company) == "public":
        holders = shares_of(game, forming.company)
        forming.asked = [player for player in players_from(game, forming.director) if holders.get(player)]
    SALE.ask_next(game)


def open_single_sale(game: Game) -> None:
    """All players may buy one share, from the director to the left (§12.4)."""
    forming = forming_of(game)
    if kind_of(forming.company) == "public":
        forming.asked = players_from(game, forming.director)
    SINGLE_SALE.ask_next(game)


def check_director(game: Game) -> None:
    """Undo the merger unless a player now holds the director's certificate (§12.3, §12.4)."""
    forming = forming_of(game)
    record = game.company(forming.company)
    if not is_player(record.certificates[0].owner):
        needed = shares_of_president(record)
        undo_formation(game, forming)
        log_undone(game, forming.company, needed)


def _certificates_after(game: Game, player: PlayerId, number: int) -> int:
    """The certificates the player would have; the director's is a single certificate for two shares."""
    forming = forming_of(game)
    held = shares_of(game, forming.company)
    after = {**held, player: held.get(player, 0) + number}
    now = certificate_count(game, player)
    director = _director_of(forming, after)
    return (
        now
        - game.company(forming.company).count_of(player)
        + after[player]
        - (director == player and after[player] > 1)
    )


def _director_of(forming: Forming, shares: Mapping[Owner, int]) -> PlayerId:
    """The director so far, unless another player has more."""
    players = [PlayerId(owner) for owner in shares if is_player(owner)]
    return first_director(shares, [forming.director, *players])


def _sell_new_shares(game: Game, player: PlayerId, number: int) -> None:
    forming = forming_of(game)
    cost = number * price_of(game, forming.company)
    shares = shares_of(game, forming.company)
    shares[player] = shares.get(player, 0) + number
    pay(game, player, forming.company, cost, f"shares of {forming.company}")
    game.emit(SharesBought(player, forming.company, IPO, 10 * number, cost))
    director = _director_of(forming, shares)
    distribute_certificates(game, forming.company, shares, director)
    if director != forming.director:
        forming.director = director
        game.emit(PresidentChanged(forming.company, director))


SALE, SINGLE_SALE = (
    NewShareSale(section="18BF §12.4", certificates=_certificates_after, buy=_sell_new_shares, most=most)
    for most in (8, 1)
)


def names_of(kind: str) -> list[CompanyId]:
    return [company for company, noun in COMPANIES.items() if noun.kind == kind]
