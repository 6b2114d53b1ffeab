"""Private companies: income, closing by choice, what they can do once closed (18GB, differences from 1830)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, HexId, IllegalMove, Owner, PrivateId, is_permitted, msg
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun, president_of
from bot.engine.play.steps import close_private, operating_turn, pay_income
from bot.engine.state import Action, LayTile, PlaceToken, Private, TileLaid, TokenPlaced

from .actions import ClosePrivate
from .components import BORDER_COST, EXTRA_LAY, KEEPERS, PRIVATES, SEVERN, TAFF_VALE, TOKEN_PLACE, TOKEN_PRICE
from .interpretations import interpretation_flags
from .state import title_state

SECTION = "18GB private companies"
PRIVATE_TOKEN = "private's token"


@dataclass(frozen=True)
class ClosePrivates:
    """The owner of a private may close it at any time, in turn or not, from the first operating round on."""

    name: str = "close a private"
    verbs: tuple[type[Action], ...] = (ClosePrivate,)

    def opens(self, game: Game) -> bool:
        return may_close(game) and any(private.owner and not private.closed for private in game.state.privates.values())

    def options(self, game: Game) -> Iterator[Action]:
        if may_close(game):
            for private in game.state.privates.values():
                if private.owner is not None and not private.closed:
                    yield ClosePrivate(private.owner, private.id)

    def check(self, game: Game, action: ClosePrivate) -> None:
        """Only by its owner, only once, not before the first operating round."""
        private = game.state.privates.get(action.private)
        if private is None or private.owner != action.by:
            raise IllegalMove("{private} does not belong to {by}.", SECTION, action.private, game.state.name(action.by))
        if private.closed:
            raise IllegalMove("{private} is already closed.", SECTION, private.id)
        if not may_close(game):
            raise IllegalMove("Privates are closed after the first stock round.", SECTION)

    def apply(self, game: Game, action: ClosePrivate) -> None:
        close(game, game.private(action.private))


def may_close(game: Game) -> bool:
    """After the first stock round."""
    now = game.state.round
    return now.kind == "operating" or (now.kind == "stock" and now.number > 1)


def close(game: Game, private: Private) -> None:
    """Pay the income one last time; from now on the private's other abilities count."""
    pay_income(game, private, PRIVATES[private.id].income)
    close_private(game, private)


def keeper_of(game: Game, hex_id: HexId) -> Private | None:
    sign = KEEPERS.get(hex_id)
    private = game.state.privates.get(sign) if sign is not None else None
    return None if private is None or private.closed else private


def check_kept(game: Game, hex_id: HexId) -> None:
    """Refuse building on a private's hex before the blue phase."""
    private = keeper_of(game, hex_id)
    if private is not None and not has_phase_begun(game, "4+2"):
        raise IllegalMove(
            "{hex} is blocked by {private} until it closes or the first 4+2 train is sold.", SECTION, hex_id, private.id
        )


def close_on_building(game: Game, event: TileLaid) -> None:
    """Building on a private's hex closes it (from the blue phase on)."""
    private = keeper_of(game, event.hex)
    if private is not None:
        close(game, private)


# -- what closed privates do --------------------------------------------------------------------------


def check_right(game: Game, company: CompanyId, private_id: PrivateId, what: str) -> Private:
    """The private, if the company may use its ability now.

    :raises IllegalMove: it is open, used, or belongs to somebody else than the company's president.
    """
    private = game.state.privates.get(private_id)
    if private is None or private.owner is None or private.owner != president_of(game.company(company)):
        sentence = "{private} does not belong to {company}'s {director}."
        raise IllegalMove(sentence, SECTION, private_id, company, msg(game.title.director_word))
    if not private.closed:
        raise IllegalMove("{private} helps with {what} only after it has been closed.", SECTION, private_id, what)
    if private.ability_used:
        raise IllegalMove("{private}'s power has been used.", SECTION, private_id)
    return private


def has_right(game: Game, company: CompanyId, private_id: PrivateId) -> bool:
    return is_permitted(check_right, game, company, private_id, "")


def lay_rebate(game: Game, company: CompanyId, private_id: PrivateId, action: LayTile) -> int:
    """Taff Vale waives the Severn tunnel's cost; AF and LS give a lay beside the others, at its price."""
    if private_id == TAFF_VALE and action.hex == SEVERN:
        check_right(game, company, private_id, "track")
        return BORDER_COST
    hex_id, tiles = EXTRA_LAY.get(private_id, (None, frozenset()))
    if action.hex != hex_id or action.tile not in tiles:
        raise IllegalMove("{private} does not help with {tile} on {hex}.", SECTION, private_id, action.tile, action.hex)
    check_right(game, company, private_id, "track")
    return 0


def is_extra(game: Game, action: LayTile) -> bool:
    """Whether the lay is in addition to those of the turn."""
    return action.using in EXTRA_LAY


def token_price(game: Game, action: PlaceToken) -> int:
    """The price of the charter's next token, within reach; with GN or MC 0 within reach, 50 elsewhere."""
    company = CompanyId(action.by)
    if action.using is None:
        if (action.hex, action.city) not in game.board_rules.reached_cities(game, company):
            raise IllegalMove("{company} does not reach {hex}.", "", company, action.hex)
        return game.company(company).tokens_left[0]
    if TOKEN_PLACE.get(action.using) != action.hex:
        raise IllegalMove("{using} gives no token on {hex}.", SECTION, action.using, action.hex)
    check_right(game, company, action.using, "tokens")
    return 0 if leads_to(game, company, action.hex) else TOKEN_PRICE


def leads_to(game: Game, company: CompanyId, hex_id: HexId) -> bool:
    """Whether the company's track leads into the city; version 1 of the rules accepted track pointing there."""
    if interpretation_flags(game).tokens_are_free_where_track_points:
        return hex_id in game.board_rules.network(game, company).hexes
    return any(stop.hex == hex_id for stop in game.board_rules.network(game, company).stops)


def private_tokens(game: Game, company: CompanyId) -> Iterator[PlaceToken]:
    for private_id, hex_id in TOKEN_PLACE.items():
        if has_right(game, company, private_id):
            yield PlaceToken(Owner(company), hex_id, 0, private_id)


def note_private_token(game: Game, event: TokenPlaced) -> None:
    """Note that the turn's token is a private's; a company that came to York or Carlisle by it may lay a green tile
    there.
    """
    if event.using is not None:
        operating_turn(game).used.append(PRIVATE_TOKEN)
        title_state(game).green_hexes.setdefault(event.company, []).append(event.hex)
