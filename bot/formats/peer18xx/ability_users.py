"""Who uses a private, or sells shares, during whose turn: 18xx.games does not say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from bot.engine import Owner, PlayerId, PrivateId, is_player
from bot.engine.state import Pass, SellShares, StockTurnMemory

from .file_format import RawAction
from .turn_tracker import may_pass

if TYPE_CHECKING:
    from .replay import LogReplay


def sells_for_company(replay: LogReplay, raw: RawAction) -> bool:
    is_his = replay.game.controller_of(replay.game.actor_in_turn) == replay.player(raw["entity"])
    return raw["type"] == "sell_shares" and is_his and any(SellShares in s.verbs for s in replay.game.open_steps())


def may_use(replay: LogReplay, private_id: Owner, raw: RawAction) -> bool:
    """Whether the company in turn is the present user of the private: its owner, or a company of its owner's."""
    private = replay.game.state.privates.get(PrivateId(private_id))
    entity = replay.game.frame.entity
    if private is None or private.owner is None or entity is None:
        return True
    if not is_player(private.owner):
        return private.owner == entity
    if replay.game.controller_of(entity) != private.owner:
        return False
    following = replay.company_in_turn()
    if following in (None, entity) or replay.game.controller_of(Owner(str(following))) != private.owner:
        return True
    return is_for_present(replay, raw, Owner(str(following)))


def is_for_present(replay: LogReplay, raw: RawAction, following: Owner) -> bool:
    """Whether what a private does is allowed now, but would not be in the turn of the company that acts next."""
    action, there = replay.dialect.translate(replay, raw), replay.game.copy()
    while there.frame.entity != following and may_pass(there):
        passing = Pass(there.frame.entity or Owner(""))
        if not there.allows(passing):
            break
        there.apply(passing)
    return replay.game.allows(action) and not there.allows(replace(action, by=following))


def may_use_in_stock_turn(replay: LogReplay, private_id: Owner) -> bool:
    """Whether, in a stock turn, the player who owns the private may act; True outside stock turns and for other
    owners.
    """
    private = replay.game.state.privates.get(PrivateId(private_id))
    owner = private.owner if private else None
    if owner is None or not is_player(owner) or not isinstance(replay.game.frame.memory, StockTurnMemory):
        return True
    return PlayerId(owner) in replay.game.players_to_act()
