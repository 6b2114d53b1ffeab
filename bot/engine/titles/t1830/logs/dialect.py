"""How games of 1830 from 18xx.games are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine.data.actions import Action, Bid, BuyPrivate, DeclareBankruptcy, Exchange, Pass, PlaceToken, SellShares
from bot.engine.data.events import Event
from bot.engine.ids import HexId, Owner, PlayerId, as_private, is_player
from bot.engine.logs18xx import verbs
from bot.engine.logs18xx.dialect import can_do_something
from bot.engine.logs18xx.history import BadLog, RawAction
from bot.engine.logs18xx.questions import Question
from bot.engine.logs18xx.replay import Replay
from bot.engine.logs18xx.shares import ShareNumbers
from bot.engine.play.game import Game
from bot.engine.titles.t1830.box.nouns import BROWN_OPTION, DELAWARE, MOHAWK, NEW_YORK_CENTRAL, PRIVATES, SIXES_OPTION
from bot.engine.titles.t1830.rounds import BANK_BROKEN
from bot.engine.titles.t1830.track import TOKEN_PLAN

from .questions import QUESTIONS

PRINTS = (("F4", "J14", "F22"), ("E5", "D10"), ("E11", "H18"), ("E19", "H4", "B10", "H10", "H16"))
"""Spaces of one print."""

GIVEN = ("PRR_1", "B&O_0")
"""Certificates that come with privates."""


class RobberBarons:
    """1830's dialect."""

    steps: Mapping[str, str] = {
        "Track": "lay track",
        "Token": "place a token",
        "Route": "run trains",
        "Dividend": "pay or withhold",
        "BuyTrain": "buy trains",
        "BuyCompany": "buy trains",
    }
    parts: Mapping[str, tuple[int, ...]] = {}
    unasked: frozenset[str] = frozenset()
    passes_twice = False
    aside: frozenset[type[Action]] = frozenset()
    optional_rules: Mapping[str, Mapping[str, str]] = {
        "multiple_brown_from_ipo": {BROWN_OPTION.name: "anywhere"},
        "optional_6_train": {SIXES_OPTION.name: "three"},
    }
    questions: tuple[Question, ...] = QUESTIONS
    noted_alone: frozenset[type[Action]] = frozenset()

    def is_silent(self, raw: RawAction) -> bool:
        """Nothing that is recorded happens by itself here."""
        return False

    def meanwhile(self, replay: Replay, raw: RawAction) -> Action | None:
        """The Mohawk & Hudson is exchanged in turn or not."""
        if raw["type"] != "buy_shares" or raw.get("entity_type") != "company":
            return None
        plain = verbs.buy_shares(replay, {**raw, "entity": replay.log.players[0][0]})
        return Exchange(replay.game.private(MOHAWK).owner or Owner(""), MOHAWK, plain.source)

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """What 18xx.games keeps besides. The comparison counts no privates; a home in either of two cities is kept in the
        space there."""
        state["cert_limit"] = game.title.rules.certificate_limit(game, game.state.order[0])
        state["bank_broken"] = game.state.ending == BANK_BROKEN
        state["flags"] = {}
        for player, name in names.items():
            state["players"][name]["value"] -= sum(PRIVATES[p.id].price for p in game.state.privates_of(player))
        for hex_id, kept in state["reservations"].items():
            if len(kept) > 1:
                state["reservations"][hex_id] = {"hex": kept["0"]}
        if game.state.finished:
            state["end_reason"] = "bank" if game.state.ending == BANK_BROKEN else "bankrupt"

    def translate(self, replay: Replay, raw: RawAction) -> Action:
        """Our action.

        :raises BadLog: there is no such action in 1830.
        """
        if raw["entity_type"] == "player":
            return self._player_action(replay, raw)
        if raw["entity_type"] == "company":
            return self._private_action(replay, raw)
        if raw["type"] == "bankrupt":
            return DeclareBankruptcy(Owner(str(raw["entity"])))
        return verbs.company_action(replay, raw)

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        """What privates do is written as theirs."""
        is_of_delaware = game.frame.plan == TOKEN_PLAN and isinstance(action, PlaceToken | Pass)
        match action:
            case BuyPrivate():
                raw |= {"type": "buy_company"}
            case Exchange():
                number = shares.to_buy(game.company(NEW_YORK_CENTRAL), action.source, 10)
                named = {"shares": shares.names(NEW_YORK_CENTRAL, [number]), "percent": 10}
                raw |= {"type": "buy_shares", "entity": MOHAWK, "entity_type": "company", **named}
            case DeclareBankruptcy():
                raw |= {"type": "bankrupt"}
        if is_of_delaware:
            raw |= {"entity": DELAWARE, "entity_type": "company"}

    def print_number(self, game: Game, hex_id: HexId) -> int:
        """Among the spaces of one print."""
        return next((kind.index(hex_id) for kind in PRINTS if hex_id in kind), 0)

    def waits_for(self, game: Game) -> bool:
        """While he can do anything."""
        return can_do_something(game)

    def noted(self, game: Game, event: Event) -> RawAction | None:
        """Nothing."""
        return None

    def follow_shares(self, game: Game, shares: ShareNumbers) -> None:
        """Nothing."""

    def seller(self, game: Game, action: SellShares) -> Owner:
        """For a train the president sells, not the company."""
        return action.by if is_player(action.by) else game.decider(action.by) or action.by

    def _player_action(self, replay: Replay, raw: RawAction) -> Action:
        player = replay.player(raw["entity"])
        match raw["type"]:
            case "bid":
                replay.seen_shares.update(GIVEN)
                return Bid(player, as_private(str(raw["company"])), int(raw["price"]))
            case "buy_company":
                return BuyPrivate(player, as_private(str(raw["company"])), int(raw["price"]))
            case "sell_shares":
                plain = verbs.sell_shares(replay, raw)
                entity = replay.game.frame.entity
                return SellShares(
                    entity if entity in replay.game.state.companies else player, plain.company, plain.shares
                )
        return verbs.player_action(replay, raw)

    def _private_action(self, replay: Replay, raw: RawAction) -> Action:
        private, by = as_private(str(raw["entity"])), replay.game.in_turn
        if raw["type"] == "lay_tile":
            return verbs.lay_tile(replay, raw, by, private)
        if raw["type"] == "place_token":
            place = verbs.place_token(replay, raw)
            return PlaceToken(by, place.hex, place.city)
        raise BadLog(f"unknown action {raw['type']} of {private}")
