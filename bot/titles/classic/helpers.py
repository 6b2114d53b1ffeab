"""Privates that help with tokens, markers and trains; money for destinations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.engine import BANK, CompanyId, HexId, IllegalMove, PrivateId, TokenSections, is_player, same_ref
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle, Marker
from bot.engine.play.holdings import counted_trains, has_phase_begun, pay
from bot.engine.play.steps import PlaceMarker, PlaceTokens, close_private, printed_price
from bot.engine.state import Company, PlaceToken, Private, TokenPlaced

from .family import Classic, classic
from .powers import RevenueMarker, TokenHelp, TrainDiscount

# -- tokens -------------------------------------------------------------------------------------------------


def helper_of(game: Game, company: CompanyId, private: PrivateId) -> Private:
    """The open and unused private of the company.

    :raises IllegalMove: it is another's, has closed, or is used up.
    """
    record = game.state.privates.get(private)
    if record is None or record.owner != company or record.closed or record.ability_used:
        sentence = "{private} does not belong to {company}, or it is used up."
        raise IllegalMove(sentence, classic(game).section, private, company)
    return record


def check_help(game: Game, action: PlaceToken) -> None:
    """Refuse a private that places no token. One that marks a hex is judged here too: its refusal says more."""
    values = classic(game)
    for step in game.procedure.anytime:
        if isinstance(step, PlaceMarker) and step.private == action.using:
            step.check(game, action)
    if action.using not in dict(values.privates_with(TokenHelp)):
        raise IllegalMove("{using} does not help with tokens.", values.section, action.using or "")


def price_of_token(game: Game, action: PlaceToken) -> int:
    if action.using is None:
        return printed_price(game, action)
    values, company = classic(game), game.company(action.by)
    power = dict(values.privates_with(TokenHelp))[action.using]
    helper_of(game, company.id, action.using)
    if not company.tokens_left:
        raise IllegalMove("{company} has no token left.", values.section, company.id)
    if not power.hexes:
        return printed_price(game, PlaceToken(action.by, action.hex, action.city)) * power.percent // 100
    if action.hex not in power.hexes.split():
        sentence = "{private} places a token on one of these hexes: {hexes}."
        raise IllegalMove(sentence, values.section, action.using, ", ".join(power.hexes.split()))
    return company.tokens_left[0] * power.percent // 100


def helped_tokens(game: Game, company: CompanyId) -> Iterator[PlaceToken]:
    """Tokens that privates may place."""
    for sign, power in classic(game).privates_with(TokenHelp):
        hexes = map(HexId, power.hexes.split())
        named = [(hex_id, city) for hex_id in hexes for city in range(len(game.tile_at(hex_id).cities))]
        for hex_id, city in named or game.board_rules.reached_cities(game, company):
            yield PlaceToken(company, hex_id, city, sign)


def spend_own_token(game: Game, company: Company, action: PlaceToken) -> None:
    """The token is the company's next, also with a private's help."""
    company.tokens_left = company.tokens_left[1:]
    if action.using is not None:
        game.private(action.using).ability_used = True


def build_tokens(values: Classic) -> PlaceTokens:
    return PlaceTokens(
        same_ref(TokenSections, values.section),
        may_help=check_help,
        price=price_of_token,
        spend=spend_own_token,
        more=helped_tokens,
    )


# -- markers ------------------------------------------------------------------------------------------------


def check_mark(game: Game, action: PlaceToken) -> None:
    """Only a company with a train, and a hex with a city in its reach."""
    section, company = classic(game).section, CompanyId(action.by)
    if not counted_trains(game, company):
        raise IllegalMove("{company} has no train.", section, company)
    if action.hex not in [hex_id for hex_id, _ in game.board_rules.reached_cities(game, company)]:
        raise IllegalMove("{company} has no route to {hex}.", section, company, action.hex)


def build_markers(values: Classic) -> list[PlaceMarker]:
    return [
        PlaceMarker(sign, tuple(map(HexId, power.hexes.split())), values.section, check_mark)
        for sign, power in values.privates_with(RevenueMarker)
    ]


def list_marks(game: Game) -> Iterator[tuple[HexId, Private, RevenueMarker]]:
    """The markers that count: the hex, the private, whose owner earns by it, and its power."""
    for sign, power in classic(game).privates_with(RevenueMarker):
        private = game.state.privates.get(sign)
        if private is not None and private.marked_hex and not (power.until and has_phase_begun(game, power.until)):
            yield private.marked_hex, private, power


def draw_marks(game: Game) -> Iterable[Marker]:
    for hex_id, private, _ in list_marks(game):
        owner = private.owner if private.owner and not is_player(private.owner) else None
        yield Marker(hex_id, str(private.id), CompanyId(owner) if owner else None)


def marked_values(game: Game, company: CompanyId) -> dict[HexId, int]:
    """Revenue that its markers add to the company's trains, by hex."""
    return {hex_id: power.amount for hex_id, private, power in list_marks(game) if private.owner == company}


# -- trains -------------------------------------------------------------------------------------------------


def train_rebate(game: Game, company: CompanyId, private: PrivateId, kind: str) -> int:
    """:raises IllegalMove: the private does not help, or not with this kind, or is another's."""
    power = dict(classic(game).privates_with(TrainDiscount)).get(private)
    if power is None or kind not in power.trains.split():
        sentence = "{private} gives no discount on a {kind} train."
        raise IllegalMove(sentence, classic(game).section, private, kind)
    helper_of(game, company, private)
    return power.amount + game.title.trains[kind].price * power.percent // 100


def close_after_discount(game: Game, private: PrivateId) -> None:
    if dict(classic(game).privates_with(TrainDiscount))[private].closes:
        close_private(game, game.private(private))


# -- destinations -------------------------------------------------------------------------------------------


def pay_for_goal(game: Game, event: TokenPlaced) -> None:
    """A reaction: a token in its destination brings the company money."""
    if event.hex in game.board_rules.map.goals_of(event.company):
        pay(game, BANK, event.company, classic(game).goal_money, "destination")


def companies_at_goal(game: Game) -> list[CompanyId]:
    """The companies with a token in their destination."""
    rules, board = game.board_rules, game.state.board
    return [
        company
        for company in game.state.companies
        if any(
            company in board.tokens_in(hex_id, city)
            for hex_id in rules.map.goals_of(company)
            for city in range(len(game.tile_at(hex_id).cities))
        )
    ]


def build_look(values: Classic) -> BoardStyle:
    """The title's look with the markers of its privates, and without destinations that are reached."""
    look = values.look
    return replace(
        look,
        marks=lambda game: (*look.marks(game), *draw_marks(game)),
        spent=lambda game: (*look.spent(game), *companies_at_goal(game)),
    )
