"""Track and tokens: restrictive laying, two tiles and one city a turn, hills, estuaries, homes (18GB)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, HexId, IllegalMove, Owner, TileId, TrackSections, join_and
from bot.engine.play import Game
from bot.engine.play.steps import TrackBuild, check_reached, check_used, operating_turn
from bot.engine.state import Action, LayTile, PlaceToken, TileLaid

from .companies import is_in_receivership, is_insolvent
from .components import AT_ANY_TIME, BORDER_COST, COMPANIES, EXTRA_LAY, GREEN_HOMES, GREEN_TILES
from .interpretations import interpretation_flags
from .privates import check_kept, has_right
from .state import title_state

SECTION = "18GB track"
LAYS = 2


def may_build(game: Game, company: CompanyId) -> bool:
    """Neither insolvent companies nor companies in receivership lay track or place tokens."""
    return not is_insolvent(game, company) and not is_in_receivership(game, company)


def check_lay(game: Game, action: LayTile) -> None:
    """Two tiles a turn, one of them in a city hex; no building on a private's hex; estuary tiles are laid as
    printed.
    """
    check_kept(game, action.hex)
    tile = game.board_rules.tiles[action.tile]
    if tile.colour == "blue" and action.rotation:
        raise IllegalMove("{tile} must match the printed estuary: rotation 0.", SECTION, action.tile)
    if action.using in EXTRA_LAY:
        return
    lays = operating_turn(game).lays
    if len(lays) >= LAYS:
        raise IllegalMove("Only two tiles may be laid or upgraded per turn.", SECTION)
    if tile.cities and any(game.board_rules.tiles[lay.tile].cities for lay in lays):
        raise IllegalMove("Only one of a turn's two tiles may be a city.", SECTION)


def can_lay_more(game: Game, company: CompanyId) -> bool:
    """Whether a lay is left, or a closed private gives a lay on a hex within reach."""
    if len(operating_turn(game).lays) < LAYS:
        return True
    rights = [hex_id for private, (hex_id, _) in EXTRA_LAY.items() if has_right(game, company, private)]
    return bool(rights) and not set(rights).isdisjoint(game.board_rules.reached_hexes(game, company))


def cost(game: Game, action: LayTile) -> int:
    """The estuary's printed cost, and £50 for every track that newly points at a hill border."""
    space, old = game.board_rules.map.hexes[action.hex], game.tile_at(action.hex)
    first = 0 if action.hex in game.state.board.tiles else space.cost
    new = game.board_rules.tiles[action.tile].rotate(action.rotation).exits - old.exits
    return first + BORDER_COST * len(new & space.edges_with("mountain"))


def tiles_ignoring_phase(game: Game, company: CompanyId, hex_id: HexId) -> frozenset[TileId]:
    """Some companies may lay a green city early, at home or where a private gave them a token."""
    at_home = company in GREEN_HOMES and hex_id in COMPANIES[company].home
    return GREEN_TILES if at_home or hex_id in title_state(game).green_hexes.get(company, []) else frozenset()


def check_reach(game: Game, action: LayTile, section: TrackSections) -> None:
    """New track must be used; for a private's lay 18xx.games only requires that the company reaches the tile."""
    if action.using is not None and interpretation_flags(game).private_lays_meet_track:
        check_reached(game, action, section)
        return
    if action.using is not None and interpretation_flags(game).private_lays_need_no_use:
        if action.hex not in game.board_rules.reached_hexes(game, CompanyId(action.by)):
            raise IllegalMove("{by} does not reach {hex}.", section.reach, action.by, action.hex)
        return
    check_used(game, action, section)


@dataclass(frozen=True)
class UsePrivates:
    """On 18xx.games some closed privates help at any time of a company's turn, including an insolvent company's."""

    build: TrackBuild
    name: str = "use a private"
    verbs: tuple[type[Action], ...] = (LayTile, PlaceToken)

    def opens(self, game: Game) -> bool:
        company = game.company_in_turn
        return interpretation_flags(game).privates_help_at_any_time and any(
            has_right(game, company, private) for private in AT_ANY_TIME
        )

    def options(self, game: Game) -> Iterator[Action]:
        if not self.opens(game):
            return
        for step in (self.build.track, self.build.tokens):
            for option in step.options(game):
                if isinstance(option, LayTile | PlaceToken) and option.using in AT_ANY_TIME:
                    yield option

    def check(self, game: Game, action: LayTile | PlaceToken) -> None:
        if action.using not in AT_ANY_TIME or not interpretation_flags(game).privates_help_at_any_time:
            raise IllegalMove("Track is laid and tokens are placed before trains run.", SECTION)
        self.build.check(game, action)

    def apply(self, game: Game, action: LayTile | PlaceToken) -> None:
        self.build.apply(game, action)


def place_homes(game: Game) -> None:
    """Place home tokens at the start, whether or not their companies ever begin."""
    for company in game.state.companies.values():
        hex_id = COMPANIES[company.id].home[0]
        company.tokens_left = company.tokens_left[1:]
        game.state.board.place_token(hex_id, 0, company.id)


def settle_home(game: Game, event: TileLaid) -> None:
    """On the first tile of a hex with two cities the layer's own token goes to the connected city, another company's to
    the other city.
    """
    tokens = game.state.board.tokens.get(event.hex)
    if event.replaced is not None or tokens is None or len(game.tile_at(event.hex).cities) < 2:
        return
    companies = [company for city in tokens for company in city]
    cities: list[list[CompanyId]] = [[], []]
    for company in companies:
        city = 0 if Owner(company) == event.by else 1
        cities[city].append(company)
        tile = game.tile_at(event.hex)
        exits = game.board_rules.map.neighbours_across(event.hex, tile.exits_of(tile.cities[city].id))
        if exits:
            game.log(
                "{company}'s token is in the city of {hex} with track to {spaces}.", company, event.hex, join_and(exits)
            )
        else:
            game.log("{company}'s token is in the city of {hex} without track.", company, event.hex)
    game.state.board.tokens[event.hex] = cities
    game.board_changed()
