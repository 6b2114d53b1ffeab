"""Tunnels, the Furka-Oberalp line, the extra lay of P2, and what goes with laying track (1844 §V, §VII, §XIV)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Owner, PrivateId, is_permitted
from bot.engine.play import Game, has_options
from bot.engine.play.holdings import check_cash, has_phase_begun, pay, president_of
from bot.engine.play.steps import LayTrack, operating_turn
from bot.engine.state import Action, LayTile, PrivateClosed

from .actions import LayFurka
from .board_rules import format_hex, mouths, tunnel_at, with_furka, with_tunnel
from .components import BOEDELIBAHN, FURKA, FURKA_PAYMENT, FURKA_TILES, TUNNEL_COST, TUNNEL_HEXES, TUNNEL_TILES, TUNNELS
from .flotation import pay_targets
from .interpretations import interpretation_flags
from .peer_compat import check_asked, is_passed_over, note_late_money
from .state import title_state
from .tiles import TILES


def is_laying(game: Game) -> bool:
    return isinstance(game.step, LayTrack)


def has_right(game: Game, company: CompanyId, sign: PrivateId) -> bool:
    """Whether the company may use a private's power: it or its director owns it, the first 3/3H is sold (§V)."""
    private = game.private(sign)
    if private.closed or private.owner is None or not has_phase_begun(game, "3"):
        return False
    return private.owner in (company, president_of(game.company(company)))


# -- parameters of the shared step ----------------------------------------------------------------------


def check_lay(game: Game, action: LayTile) -> None:
    """One tile a turn, laid or upgraded; P2 gives an additional yellow tile, once in the game (§V, §XIII)."""
    if action.using in TUNNELS or action.tile in TUNNEL_TILES or action.hex in TUNNEL_HEXES:
        check_tunnel(game, action)
    if action.using is not None:
        check_helper(game, CompanyId(action.by), action.using, action)
    elif operating_turn(game).lays:
        raise IllegalMove("Only one tile may be laid or upgraded per turn.", "1844 §XIV")


def has_more_lays(game: Game, company: CompanyId) -> bool:
    """Whether a tile, P2's tile or a tunnel may still be laid."""
    return (
        not operating_turn(game).lays
        or (can_help(game, company, BOEDELIBAHN) and any(True for _ in game.board_rules.reached_hexes(game, company)))
        or any(True for _ in tunnels_to_build(game, company))
    )


def can_help(game: Game, company: CompanyId, sign: PrivateId) -> bool:
    """Whether P2's lay is still available."""
    return sign == BOEDELIBAHN and has_right(game, company, sign) and not game.private(sign).ability_used


def check_helper(game: Game, company: CompanyId, sign: PrivateId, action: LayTile) -> None:
    if sign != BOEDELIBAHN:
        raise IllegalMove("{sign} does not help with that tile.", "1844 §V", sign)
    if not can_help(game, company, sign):
        raise IllegalMove("{company} cannot use {sign} now.", "1844 §V", company, sign)
    if action.tile in TILES and TILES[action.tile].colour != "yellow":
        raise IllegalMove("{sign} gives a yellow tile.", "1844 §V", sign)


def rebate(game: Game, company: CompanyId, sign: PrivateId, action: LayTile) -> int:
    """P2 does not reduce the price."""
    check_helper(game, company, sign, action)
    return 0


def is_extra(game: Game, action: LayTile) -> bool:
    """P2's tile is laid in addition to the usual tile."""
    return action.using == BOEDELIBAHN


# -- tunnels ----------------------------------------------------------------------------------------------


def rights(game: Game, company: CompanyId) -> list[PrivateId]:
    """The unused building rights of the company's director."""
    built = title_state(game).tunnels
    director = president_of(game.company(company))
    return [sign for sign in TUNNELS if sign not in built and director and game.private(sign).owner == director]


def tunnels_to_build(game: Game, company: CompanyId) -> Iterator[LayTile]:
    """All tunnels that the company could build now, with its director's next right."""
    for sign in rights(game, company)[:1]:
        for hex_id in filter(game.board_rules.network(game, company).hexes.__contains__, TUNNEL_HEXES):
            for tile in TUNNEL_TILES:
                for rotation in range(6 if tile == TUNNEL_TILES[0] else 3):
                    action = LayTile(company, tile, hex_id, rotation, sign)
                    if is_permitted(check_tunnel, game, action):
                        yield action


def check_tunnel(game: Game, action: LayTile) -> None:
    """§VII"""
    company, section, board = CompanyId(action.by), "1844 §VII", game.state.board
    if action.using not in TUNNELS:
        raise IllegalMove("A tunnel is built with a share of the tunnel company: lay X78 H19 3 with T2.", section)
    if action.using in title_state(game).tunnels:
        raise IllegalMove("{using} has built its tunnel.", section, action.using)
    if action.using not in rights(game, company):
        raise IllegalMove("{using} does not belong to {company}'s director.", section, action.using, company)
    if action.hex not in TUNNEL_HEXES or action.tile not in TUNNEL_TILES:
        raise IllegalMove("Tunnels can only be built on {hexes}.", section, ", ".join(TUNNEL_HEXES))
    if tunnel_at(board, action.hex) is not None:
        raise IllegalMove("There is a tunnel on {hex} already.", section, action.hex)
    if action.rotation not in range(6):
        raise IllegalMove("A rotation is 0 to 5: steps of 60 degrees clockwise.")
    exits = TILES[action.tile].rotate(action.rotation).exits
    if not exits <= mouths(action.hex):
        raise IllegalMove("In this rotation, the tunnel does not open at a mouth of {hex}.", section, action.hex)
    reached = game.board_rules.reached_edges(game, company, action.hex)
    above = board.tiles.get(action.hex)
    is_joined = interpretation_flags(game).joins_tunnels_beneath_the_line
    if is_joined and above is not None and TILES[above.tile].exits & exits:
        raise IllegalMove("The Furka-Oberalp line opens at the same edge of {hex}.", section, action.hex)
    if not (reached if above is not None and not is_joined else reached & exits):
        raise IllegalMove("{company} does not reach a mouth of that tunnel.", section, company)
    check_cash(game, company, TUNNEL_COST, section)


@dataclass(frozen=True)
class BuildTunnel:
    """Before or after its track a company builds tunnels, one for each of its director's rights."""

    name: str = "build a tunnel"
    verbs: tuple[type[Action], ...] = (LayTile,)

    def opens(self, game: Game) -> bool:
        return is_laying(game) and any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        return tunnels_to_build(game, game.company_in_turn)

    def check(self, game: Game, action: LayTile) -> None:
        if not is_laying(game):
            raise IllegalMove("Tunnels are built at the beginning of a company's turn.", "1844 §XIII")
        check_tunnel(game, action)

    def apply(self, game: Game, action: LayTile) -> None:
        """Pay 100 and build; the Gotthard tunnel is the GB's target."""
        company, sign, board = CompanyId(action.by), action.using, game.state.board
        if sign is None:
            raise ValueError("no right is named")
        pay(game, company, BANK, TUNNEL_COST, "tunnel")
        if action.hex in board.tiles:
            title_state(game).beneath.append(action.hex)
        board.tiles[action.hex] = with_tunnel(board, action.hex, action.tile, action.rotation)
        title_state(game).tunnels[sign] = action.hex
        game.board_changed()
        game.log("{company} builds a tunnel at {hex} with {private}.", company, format_hex(action.hex), sign)
        pay_targets(game)


# -- the Furka-Oberalp ------------------------------------------------------------------------------------


def furka_owner(game: Game) -> Owner | None:
    """The player or company that owns P4, from the first 3/3H on."""
    private = game.private(FURKA)
    return private.owner if not private.closed and has_phase_begun(game, "3") else None


@dataclass(frozen=True)
class FurkaLine:
    """The owner of P4 lays the whole line at any time: in their own turn or in that of a company they direct."""

    name: str = "lay the Furka-Oberalp line"
    verbs: tuple[type[Action], ...] = (LayFurka,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        entity, owner = game.actor_in_turn, furka_owner(game)
        if owner is not None and owner in (entity, game.controller_of(entity)) and not is_passed_over(game):
            yield LayFurka(entity)

    def check(self, game: Game, action: LayFurka) -> None:
        private = game.private(FURKA)
        if private.closed:
            raise IllegalMove("The Furka-Oberalp line is already laid.", "1844 §V")
        if not has_phase_begun(game, "3"):
            raise IllegalMove("The Furka-Oberalp line is laid once the first 3/3H has been bought.", "1844 §V")
        if private.owner not in (action.by, game.controller_of(action.by)):
            raise IllegalMove("P4 does not belong to {by}.", "1844 §V", game.state.name(action.by))
        check_asked(game)

    def apply(self, game: Game, action: LayFurka) -> None:
        note_late_money(game)
        lay_furka(game)


def lay_furka(game: Game) -> None:
    """Lay the tiles; the owner gets 80, P4 closes."""
    private, board = game.private(FURKA), game.state.board
    for hex_id in FURKA_TILES:
        board.tiles[hex_id] = with_furka(board, hex_id)
    game.board_changed()
    private.closed, private.ability_used = True, True
    owner = private.owner or BANK
    game.log("The Furka-Oberalp line is laid; {owner} gets {payment}.", owner, game.title.money(FURKA_PAYMENT))
    pay(game, BANK, owner, FURKA_PAYMENT, "Furka-Oberalp")
    game.emit(PrivateClosed(private.id))
    pay_targets(game)
