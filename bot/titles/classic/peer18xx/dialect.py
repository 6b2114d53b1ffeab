"""How games from 18xx.games are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from bot.engine import BANK, POOL, REMOVED, HexId, Owner, PlayerId, as_company, as_private
from bot.engine.play import Game
from bot.engine.state import Action, Event, Exchange, Pass, PlaceToken, PrivateBought, SellShares
from bot.formats.peer18xx import action_translation
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.dialect import Dialect, rename_privates
from bot.formats.peer18xx.file_format import RawAction
from bot.formats.peer18xx.replay import LogReplay

from .. import powers
from ..family import Classic, classic
from ..game_end import BANK_BROKEN, TOP_PRICE
from .questions import QUESTIONS

END_REASONS = {BANK_BROKEN: "bank", TOP_PRICE: "stock_market"}


class ClassicDialect(Dialect):
    """The logs of a title with these values; names as in `Dialect`."""

    steps = {
        "Track": "lay track",
        "Token": "place a token",
        "Route": "run trains",
        "Dividend": "pay or withhold",
        "BuyTrain": "buy trains",
        "BuyCompany": "buy trains",
    }
    questions = QUESTIONS

    def __init__(
        self,
        values: Classic,
        prints: Mapping[str, int],
        optional_rules: Mapping[str, Mapping[str, str]],
        private_names: Mapping[str, str] | None = None,
    ) -> None:
        self.prints, self.optional_rules, self.private_names = prints, optional_rules, private_names or {}
        shares = [f"{power.company}_1" for _, power in values.privates_with(powers.Share)]
        presidents = [power.company for _, power in values.privates_with(powers.Presidency) if power.company]
        self.given = frozenset(shares + [f"{company}_0" for company in presidents])

    def out_of_turn_action(self, replay: LogReplay, raw: RawAction) -> Action | None:
        """A private is exchanged, or its player's tile is laid, in turn or not."""
        if raw.get("entity_type") == "company" and raw["type"] == "lay_tile":
            return self._players_lay(replay, raw)
        if raw["type"] != "buy_shares" or raw.get("entity_type") != "company":
            return None
        plain = action_translation.buy_shares(replay, {**raw, "entity": replay.log.players[0][0]})
        private = as_private(str(raw["entity"]))
        return Exchange(replay.game.private(private).owner or Owner(""), private, plain.source)

    def _players_lay(self, replay: LogReplay, raw: RawAction) -> Action | None:
        """The lay of a player's private; passes that the file leaves out come before it."""
        owner = replay.game.private(as_private(str(raw["entity"]))).owner
        lays = dict(classic(replay.game).privates_with(powers.Lay))
        power = lays.get(as_private(str(raw["entity"])))
        if owner is None or power is None or power.by is not powers.LayBy.PLAYER:
            return None
        action = action_translation.lay_tile(replay, raw, owner, as_private(str(raw["entity"])))
        while not replay.game.allows(action) and replay.may_pass():
            replay.pass_once()
        replay.tile_places[str(raw["tile"])] = str(raw["hex"])
        return action

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """Extra state of 18xx.games. The comparison counts no privates; a home in either of two cities is kept in the
        hex there.
        """
        state["cert_limit"] = game.title.rules.certificate_limit(game, game.state.order[0])
        state["bank_broken"] = game.state.ending == BANK_BROKEN or game.state.cash[BANK] < 0
        state["flags"] = {}
        for player, name in names.items():
            owned = game.state.privates_of(player)
            state["players"][name]["value"] -= sum(game.title.privates[one.id].price for one in owned)
        for hex_id, kept in state["reservations"].items():
            if len(kept) > 1:
                state["reservations"][hex_id] = {"hex": kept["0"]}
        if game.state.finished:
            state["end_reason"] = END_REASONS.get(str(game.state.ending), "bankrupt")

    def extra_log_entry(self, game: Game, event: Event) -> RawAction | None:
        """The pass of a private's seller who is asked there for its tile, whether any can be laid or not."""
        if not isinstance(event, PrivateBought) or game.frame.plan != "seller-lay":
            return None
        can_lay = any(not callable(step) and step.opens(game) for step in game.procedure.steps)
        raw = {"type": "pass", "entity": event.private, "entity_type": "company"}
        return None if can_lay else rename_privates(raw, self.private_names)

    def follow_shares(self, game: Game, shares: ShareNumbers) -> None:
        """The last share of the pool there is taken out of the game: if it was the only one, it was moved to its buyer."""
        for company in game.state.companies.values():
            held = shares.holdings_of(company.id)
            for _ in range(company.count_of(REMOVED) - len(held.get(REMOVED, ()))):
                buyers = (owner for owner in held if len(held[owner]) > company.count_of(owner))
                source = POOL if held.get(POOL) else next(buyers)
                shares.move(company.id, held[source][-1:], source, REMOVED)

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        if isinstance(action, PlaceToken) and action.using in dict(classic(game).privates_with(powers.RevenueMarker)):
            marker = {"type": "assign", "entity": action.using, "entity_type": "company"}
            raw.clear()
            raw |= {**marker, "target": action.hex, "target_type": "hex"}
        if isinstance(action, Exchange):
            found = classic(game).privates_with(powers.ExchangeFor)
            company = next(as_company(power.company) for sign, power in found if sign == action.private)
            number = shares.to_buy(game.company(company), action.source, 10)
            named = {"shares": shares.names(company, [number]), "percent": 10}
            raw |= {"type": "buy_shares", "entity": action.private, "entity_type": "company", **named}
        for sign, power in classic(game).privates_with(powers.Lay):
            if power.by is powers.LayBy.SELLER and game.frame.plan == "seller-lay" and isinstance(action, Pass):
                raw |= {"entity": sign, "entity_type": "company"}
            is_its_token = power.token is not None and game.frame.plan == power.token.plan
            if is_its_token and isinstance(action, PlaceToken | Pass):
                raw |= {"entity": sign, "entity_type": "company"}

    def player_action(self, replay: LogReplay, raw: RawAction) -> Action:
        found = super().player_action(replay, raw)
        entity = replay.game.frame.entity
        is_forced = isinstance(found, SellShares) and entity in replay.game.state.companies
        return replace(found, by=entity) if is_forced else found

    def private_action(self, replay: LogReplay, raw: RawAction) -> Action:
        """Tokens after a private's lay are the company's own; markers are `assign` there."""
        private, values = as_private(str(raw["entity"])), classic(replay.game)
        if raw["type"] == "buy_train":
            return action_translation.buy_train(replay, raw, replay.game.company_in_turn, private)
        if raw["type"] == "assign" and raw.get("target_type") == "hex":
            return PlaceToken(replay.game.actor_in_turn, HexId(str(raw["target"])), 0, private)
        found = super().private_action(replay, raw)
        is_own = private not in dict(values.privates_with(powers.TokenHelp))
        return replace(found, using=None) if isinstance(found, PlaceToken) and is_own else found
