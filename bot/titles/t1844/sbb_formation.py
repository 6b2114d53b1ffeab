"""The Swiss State Railway: formed of V1 to V5 when the first 5/5H has been sold (1844 §XII)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, IPO, POOL, REMOVED, CompanyId, HexId, IllegalMove, Owner, PlayerId, TrainId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import (
    pay,
    place_marker,
    president_of,
    price_of,
    remove_marker,
    share_unit,
    shares_for_presidency,
)
from bot.engine.state import Action, Certificate, PresidentChanged, Train

from .actions import ReturnToken
from .board_rules import format_hex
from .components import MARKET, PRE_SBB_ORDER, SBB, SBB_CAPITAL, SBB_CARD, SBB_PRICE, SBB_TOKEN, SBB_TRAIN
from .events import SbbFormed
from .flotation import give_up_target, pay_targets
from .interpretations import interpretation_flags
from .player_debt import borrow_for_exchange
from .state import title_state

SECTION = "1844 §XII"


def form_sbb(game: Game) -> None:
    """Merge all five companies, whether or not they have begun."""
    title_state(game).is_forming = False
    state, sbb = game.state, game.company(SBB)
    sbb.par, sbb.floated = SBB_PRICE, True
    place_marker(game, SBB, MARKET.cells_in("s")[0])
    pay(game, BANK, SBB, SBB_CAPITAL, "working capital")
    state.trains.append(Train(TrainId(SBB_CARD), SBB_TRAIN, SBB_TRAIN, SBB))
    directors: list[PlayerId] = []
    payments: dict[PlayerId, int] = {}
    for company_id in PRE_SBB_ORDER:
        director = president_of(game.company(company_id))
        if director is not None:
            directors.append(director)
        for player, amount in exchange_shares(game, company_id):
            payments[player] = payments.get(player, 0) + amount
        merge(game, company_id)
    game.board_changed()
    pay_targets(game)
    elect_director(game, directors)
    game.emit(SbbFormed(tuple(payments.items())))
    game.push("sbb formation", SBB)


def exchange_shares(game: Game, company_id: CompanyId) -> list[tuple[PlayerId, int]]:
    """Each certificate becomes one certificate of the SBB: the director's a double certificate. The bank pays the
    difference to 100, or receives it; players owe what they lack. Unowned shares go to the pool.
    """
    company, sbb = game.company(company_id), game.company(SBB)
    difference = price_of(game, company_id) - SBB_PRICE
    shares: dict[PlayerId, int] = {}
    for certificate in company.certificates:
        size = certificate.percent // share_unit(company)
        owner = certificate.owner if is_player(certificate.owner) else POOL
        sbb.move_certificates([next_certificate(sbb.certificates, size * share_unit(sbb))], owner)
        if is_player(owner):
            shares[PlayerId(owner)] = shares.get(PlayerId(owner), 0) + size
    for player, number in shares.items():
        settle_difference(game, player, difference * number)
    return [(player, difference * number) for player, number in shares.items()]


def next_certificate(certificates: list[Certificate], percent: int) -> Certificate:
    """The first unowned certificate of that size; among double certificates the director's comes last."""
    ordinary = [found for found in certificates[1:] if found.owner == IPO and found.percent == percent]
    return ordinary[0] if ordinary else certificates[0]


def settle_difference(game: Game, player: PlayerId, amount: int) -> None:
    """The bank pays the player, or the player pays the bank, with debt if necessary."""
    if amount >= 0:
        pay(game, BANK, player, amount, "exchange into the SBB")
        return
    paid = min(-amount, game.state.cash[player])
    pay(game, player, BANK, paid, "exchange into the SBB")
    if paid < -amount:
        borrow_for_exchange(game, player, -amount - paid)


def merge(game: Game, company_id: CompanyId) -> None:
    state, company, sbb = game.state, game.company(company_id), game.company(SBB)
    pay(game, company_id, SBB, state.cash[company_id], "merger")
    for train in state.trains_of(company_id):
        state.move_train(train, SBB)
    sbb.tokens_left += (SBB_TOKEN,) * len(company.tokens_left)
    state.board.replace_tokens(company_id, SBB)
    for cities in state.board.tokens.values():
        for city in cities:
            while city.count(SBB) > 1:
                city.reverse()
                city.remove(SBB)
                city.reverse()
                sbb.tokens_left += (SBB_TOKEN,)
    state.board.reservations = [kept for kept in state.board.reservations if kept.company != company_id]
    give_up_target(game, company_id)
    remove_marker(game, company_id)
    company.move_certificates(company.certificates, REMOVED)
    company.tokens_left, company.closed, company.floated = (), True, False


def elect_director(game: Game, directors: list[PlayerId]) -> None:
    """The player with most shares; among equals the former director of the V1, then of the V2 and so on (§XII).

    The director needs a double certificate: two single certificates are exchanged with the pool, or else with the
    former director of the V5.
    """
    company = game.company(SBB)
    most = max(company.percent_held_by(seat.id) for seat in game.state.players)
    if most < company.certificates[0].percent:
        return
    order = [*dict.fromkeys(directors), *game.state.order]
    new = next(player for player in order if company.percent_held_by(player) == most)
    give_double(game, new, directors)
    former = company.certificates[0].owner
    if former != new:
        company.move_certificates(shares_for_presidency(company, new) or (), former)
        company.move_president(new)
    game.emit(PresidentChanged(SBB, new))


def give_double(game: Game, player: PlayerId, directors: list[PlayerId]) -> None:
    """A player with only single certificates exchanges two of them for a double certificate of the pool, if there is
    any. If not, 18xx.games turns to the last of all former directors, each taken at their first company.
    """
    company = game.company(SBB)
    size = company.certificates[0].percent
    doubles = [certificate for certificate in company.certificates if certificate.percent == size]
    givers: list[Owner] = (
        [POOL, *list(dict.fromkeys(directors))[-1:]]
        if interpretation_flags(game).last_director_gives_double
        else [POOL]
    )
    spare = next((certificate for giver in givers for certificate in doubles if certificate.owner == giver), None)
    if spare is None or any(certificate.owner == player for certificate in doubles):
        return
    company.move_certificates(shares_for_presidency(company, player) or (), spare.owner)
    company.move_certificates([spare], player)


# -- two markers on one space ---------------------------------------------------------------------------


def double_token_hexes(game: Game) -> list[HexId]:
    places = [hex_id for hex_id, _ in game.state.board.cities_of(SBB)]
    return [hex_id for hex_id in dict.fromkeys(places) if places.count(hex_id) > 1]


@dataclass(frozen=True)
class ReturnTokens:
    """The SBB's director takes one of two markers on a hex back; it may be placed again for 100."""

    name: str = "take back one of two markers on a hex"
    verbs: tuple[type[Action], ...] = (ReturnToken,)

    def opens(self, game: Game) -> bool:
        return bool(double_token_hexes(game)) and game.controller_of(SBB) is not None

    def options(self, game: Game) -> Iterator[Action]:
        for hex_id, city in game.state.board.cities_of(SBB):
            if hex_id in double_token_hexes(game):
                yield ReturnToken(SBB, hex_id, city)

    def check(self, game: Game, action: ReturnToken) -> None:
        if action.hex not in double_token_hexes(game):
            raise IllegalMove("The SBB does not have two markers on {hex}.", SECTION, action.hex)
        if (action.hex, action.city) not in list(game.state.board.cities_of(SBB)):
            raise IllegalMove("The SBB has no marker in city {city} of {hex}.", SECTION, action.city, action.hex)

    def apply(self, game: Game, action: ReturnToken) -> None:
        game.state.board.tokens[action.hex][action.city].remove(SBB)
        game.company(SBB).tokens_left += (SBB_TOKEN,)
        game.board_changed()
        game.log("The SBB takes a marker at {hex} back.", format_hex(action.hex))
