"""How games of 1830 from 18xx.games are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from bot.engine import BANK, Owner, PlayerId
from bot.engine.play import Game
from bot.engine.state import Action, Exchange, Pass, PlaceToken, SellShares
from bot.formats.peer18xx import action_translation
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.dialect import Dialect
from bot.formats.peer18xx.file_format import RawAction
from bot.formats.peer18xx.replay import LogReplay

from ..components import BROWN_OPTION, DELAWARE, MOHAWK, NEW_YORK_CENTRAL, PRIVATES, SIXES_OPTION
from ..rounds import BANK_BROKEN
from ..track import TOKEN_PLAN
from .questions import QUESTIONS, asks_player


class Dialect1830(Dialect):
    steps = {
        "Track": "lay track",
        "Token": "place a token",
        "Route": "run trains",
        "Dividend": "pay or withhold",
        "BuyTrain": "buy trains",
        "BuyCompany": "buy trains",
    }
    optional_rules = {
        "multiple_brown_from_ipo": {BROWN_OPTION.name: "anywhere"},
        "optional_6_train": {SIXES_OPTION.name: "three"},
    }
    prints = {"J14": 1, "F22": 2, "D10": 1, "H18": 1, "H4": 1, "B10": 2, "H10": 3, "H16": 4}
    given = frozenset({"PRR_1", "B&O_0"})
    questions = QUESTIONS

    def out_of_turn_action(self, replay: LogReplay, raw: RawAction) -> Action | None:
        """The Mohawk & Hudson is exchanged in turn or not."""
        if raw["type"] != "buy_shares" or raw.get("entity_type") != "company":
            return None
        plain = action_translation.buy_shares(replay, {**raw, "entity": replay.log.players[0][0]})
        return Exchange(replay.game.private(MOHAWK).owner or Owner(""), MOHAWK, plain.source)

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """Extra state of 18xx.games. The comparison counts no privates; a home in either of two cities is kept in the
        hex there.
        """
        state["cert_limit"] = game.title.rules.certificate_limit(game, game.state.order[0])
        state["bank_broken"] = game.state.ending == BANK_BROKEN or game.state.cash[BANK] < 0
        state["flags"] = {}
        for player, name in names.items():
            state["players"][name]["value"] -= sum(PRIVATES[p.id].price for p in game.state.privates_of(player))
        for hex_id, kept in state["reservations"].items():
            if len(kept) > 1:
                state["reservations"][hex_id] = {"hex": kept["0"]}
        if game.state.finished:
            state["end_reason"] = "bank" if game.state.ending == BANK_BROKEN else "bankrupt"

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        is_of_delaware = game.frame.plan == TOKEN_PLAN and isinstance(action, PlaceToken | Pass)
        match action:
            case Exchange():
                number = shares.to_buy(game.company(NEW_YORK_CENTRAL), action.source, 10)
                named = {"shares": shares.names(NEW_YORK_CENTRAL, [number]), "percent": 10}
                raw |= {"type": "buy_shares", "entity": MOHAWK, "entity_type": "company", **named}
        if is_of_delaware:
            raw |= {"entity": DELAWARE, "entity_type": "company"}

    def peer_waits(self, game: Game) -> bool:
        """While the player can do anything, or could buy the Camden & Amboy."""
        return asks_player(game)

    def player_action(self, replay: LogReplay, raw: RawAction) -> Action:
        found = super().player_action(replay, raw)
        entity = replay.game.frame.entity
        is_forced = isinstance(found, SellShares) and entity in replay.game.state.companies
        return replace(found, by=entity) if is_forced else found

    def private_action(self, replay: LogReplay, raw: RawAction) -> Action:
        found = super().private_action(replay, raw)
        return replace(found, using=None) if isinstance(found, PlaceToken) else found


DIALECT = Dialect1830()
