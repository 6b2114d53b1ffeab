"""Track and tokens: one tile a turn, the lays of the Champlain & St. Lawrence and of the Delaware & Hudson."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import CompanyId, HexId, IllegalMove, TokenSections, TrackSections, same_ref
from bot.engine.play import Game
from bot.engine.play.steps import LayTileAbility, LayTrack, PlaceTokens, operating_turn, printed_cost
from bot.engine.state import LayTile, PlaceToken

from .components import CHAMPLAIN, CHAMPLAIN_TILES, DELAWARE, DELAWARE_TILES
from .privates import check_kept
from .stock import SECTION

TRACK_SECTIONS = same_ref(TrackSections, SECTION)
TOKEN_SECTIONS = same_ref(TokenSections, SECTION)

TOKEN_PLAN = "token in Scranton"
BURLINGTON, SCRANTON = HexId("B20"), HexId("F16")


def can_lay_more(game: Game, company: CompanyId) -> bool:
    return not operating_turn(game).lays


def check_lay(game: Game, action: LayTile) -> None:
    """One tile a turn, not on a private's hex."""
    check_kept(game, action.hex)
    if not can_lay_more(game, CompanyId(action.by)):
        raise IllegalMove("Only one tile may be laid or upgraded per turn.", SECTION)


TRACK = LayTrack(section=TRACK_SECTIONS, may_lay=check_lay, has_more=can_lay_more)
TOKENS = PlaceTokens(TOKEN_SECTIONS)


# -- lays that need not be reached ------------------------------------------------------------------------


def check_delaware_lay(game: Game, company: CompanyId) -> None:
    """Refuse the Delaware & Hudson's lay when the turn's tile may not be laid: it counts as that tile."""
    if not isinstance(game.step, LayTrack) or not can_lay_more(game, company):
        raise IllegalMove(
            "{private}'s tile is the company's tile for this turn; lay it in the track step.", SECTION, DELAWARE
        )


def offer_token(game: Game, company: CompanyId) -> None:
    """Offer a token placement immediately after the lay."""
    game.push(TOKEN_PLAN, company)


def scranton_price(game: Game, action: PlaceToken) -> int:
    """Free of charge, and only there."""
    if action.hex != SCRANTON:
        raise IllegalMove("The token must be placed on {hex} now or not at all.", SECTION, SCRANTON)
    return 0


def scranton_tokens(game: Game, company: CompanyId) -> Iterator[PlaceToken]:
    yield PlaceToken(company, SCRANTON)


CHAMPLAIN_LAY = LayTileAbility(CHAMPLAIN, BURLINGTON, CHAMPLAIN_TILES, TRACK_SECTIONS, printed_cost, is_extra=True)
DELAWARE_LAY = LayTileAbility(
    DELAWARE, SCRANTON, DELAWARE_TILES, TRACK_SECTIONS, printed_cost, check_delaware_lay, then=offer_token
)
DELAWARE_TOKEN = PlaceTokens(TOKEN_SECTIONS, "place a token in Scranton", price=scranton_price, more=scranton_tokens)
