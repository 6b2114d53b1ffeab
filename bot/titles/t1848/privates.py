"""Privates in companies' hands, and the Tasmania tile (1848 §4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, IllegalMove, Owner, TileId, join_or
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun, president_of
from bot.engine.play.steps import LayTrack, close_private
from bot.engine.state import Action, LayTile, TileLaid

from .components import DESERT_REBATE, GHAN_REBATE, TASMANIA, TASMANIA_HEXES, TASMANIA_TILE
from .interpretations import interpretation_flags


def has_right(game: Game, company: CompanyId, private_id: Owner) -> bool:
    """Whether the company may use a private's power: it or its director owns it, from the first 3/3+ on (§4.1)."""
    private = game.private(private_id)
    if private.ability_used or private.owner is None or not (private.closed or has_phase_begun(game, "3")):
        return False
    if private.closed and private.id not in (DESERT_REBATE, GHAN_REBATE):
        return False
    return private.owner in (company, president_of(game.company(company)))


def check_buy_privates(game: Game, company: CompanyId) -> None:
    """From the first 3/3+ on (§4.1)."""
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Privates may be sold to companies once the first 3/3+ train has been bought.", "1848 §4.1")


def may_lay_tasmania(game: Game, company: CompanyId) -> bool:
    """Whether the company may lay the Tasmania tile in its turn: while it builds track (§7.3), besides its normal build
    (§4.4).

    On 18xx.games only a company that owns P3 may, at any time of its turn.
    """
    if not has_right(game, company, TASMANIA):
        return False
    if interpretation_flags(game).owner_alone_lays_tasmania:
        return game.private(TASMANIA).owner == company
    return interpretation_flags(game).lays_tasmania_at_any_time or isinstance(game.step, LayTrack)


def keeps_track_open(game: Game) -> bool:
    """Whether a company still builds track after its normal build: it can lay the Tasmania tile."""
    return not interpretation_flags(game).lays_tasmania_at_any_time and any(
        True for _ in TasmaniaTile(is_forced=False).options(game)
    )


@dataclass(frozen=True)
class TasmaniaTile:
    """Lay the Tasmania tile: in a company's turn by choice, at the first 5/5+ by force (§4.4)."""

    is_forced: bool
    name: str = "lay the Tasmania tile"
    verbs: tuple[type[Action], ...] = (LayTile,)

    def opens(self, game: Game) -> bool:
        owner = game.actor_in_turn
        private = game.private(TASMANIA)
        if private.ability_used:
            return False
        return self.is_forced or may_lay_tasmania(game, CompanyId(owner))

    def options(self, game: Game) -> Iterator[Action]:
        if not self.opens(game):
            return
        for hex_id in TASMANIA_HEXES:
            for rotation in game.board_rules.fitting_rotations(game.state.board, TileId(TASMANIA_TILE), hex_id):
                yield LayTile(game.actor_in_turn, TileId(TASMANIA_TILE), hex_id, rotation)

    def check(self, game: Game, action: LayTile) -> None:
        if action.tile != TASMANIA_TILE:
            raise IllegalMove("Track is laid and upgraded at the beginning of a company's turn.", "1848 §7.3")
        if not self.opens(game):
            if interpretation_flags(game).owner_alone_lays_tasmania:
                raise IllegalMove("On 18xx.games only a company that owns P3 lays the Tasmania tile.", "1848 §4.4")
            raise IllegalMove(
                "The Tasmania tile is laid by the owner of P3, from the first 3/3+ on, while track is built.",
                "1848 §4.4",
            )
        if action.hex not in TASMANIA_HEXES:
            names = join_or(TASMANIA_HEXES)
            raise IllegalMove("The Tasmania tile goes to {names}.", "1848 §4.4", names)
        rotations = game.board_rules.fitting_rotations(game.state.board, action.tile, action.hex)
        if action.rotation not in rotations:
            allowed = ", ".join(str(rotation) for rotation in rotations)
            raise IllegalMove(
                "In this rotation its track leads nowhere; it fits rotated by {rotations}.", "1848 §7.4.7", allowed
            )

    def apply(self, game: Game, action: LayTile) -> None:
        """The tile is free of charge, besides the company's own track."""
        game.board_rules.lay(game.state.board, action.tile, action.hex, action.rotation)
        game.board_changed()
        game.private(TASMANIA).ability_used = True
        game.emit(TileLaid(action.by, action.tile, action.hex, action.rotation, None, 0))


def close_privates(game: Game) -> None:
    """All privates close; the rights of P2 and P4 stay with their owners; the Tasmania tile is laid now (§4.3-§4.5)."""
    for private in game.state.privates.values():
        close_private(game, private)
    tasmania = game.private(TASMANIA)
    if tasmania.owner is not None and not tasmania.ability_used and game.controller_of(tasmania.owner) is not None:
        game.push("tasmania", tasmania.owner)
