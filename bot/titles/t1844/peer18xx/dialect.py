"""How games of 1844 from 18xx.games are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine import BANK, IPO, POOL, CompanyId, HexId, Owner, PlayerId, PrivateId, TileId, as_company, as_private
from bot.engine.play import Game
from bot.engine.play.holdings import default_doubles, share_unit
from bot.engine.state import Action, BuyShares, Event, LayTile, SellShares
from bot.formats.peer18xx import action_translation
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.dialect import Dialect
from bot.formats.peer18xx.file_format import RawAction
from bot.formats.peer18xx.replay import LogReplay
from bot.titles.t1844 import components

from ..actions import ClaimTargets, LayFurka, PayDebt, ReturnToken, TakeEva
from ..events import SbbFormed, TargetReached
from ..player_debt import total_debt
from ..state import title_state
from ..stock import sale_price, unplaced_mountain
from .certificate_ids import exchange
from .questions import QUESTIONS

LATER_VALUES = {components.MILANO: 180}
"""Where the later edition prints another price."""


class Dialect1844(Dialect):
    steps = {
        "Track": "lay track",
        "DestinationCheck": "lay track",
        "Token": "place a token",
        "Route": "run trains",
        "Dividend": "pay or withhold",
        "BuyTrain": "buy trains",
        "BuyCompany": "buy trains",
    }
    optional_actions = frozenset({LayFurka})
    prints = {
        "D25": 1,
        "G18": 2,
        "C12": 1,
        "D13": 2,
        "E18": 3,
        "H13": 4,
        "K10": 5,
        "K20": 6,
        "K22": 7,
        "G28": 1,
        "I28": 2,
        "L21": 1,
        "G8": 1,
    }
    given = frozenset({"MOB_1", "FNM_1", "FNM_2", "FNM_3"})
    questions = QUESTIONS
    effects_only = frozenset({ClaimTargets})

    def out_of_turn_action(self, replay: LogReplay, raw: RawAction) -> Action | None:
        """Targets that 18xx.games found reached; most of them have been found here by then."""
        if raw["type"] != "destination_connection":
            return None
        companies = tuple(as_company(str(name)) for name in raw["corporations"])
        return ClaimTargets(replay.game.actor_in_turn, companies)

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """The data of 18xx.games about targets, mountains, tunnels and debts, and its way to count worth."""
        record = title_state(game)
        for player in game.state.players:
            seat = state["players"][names[player.id]]
            seat["value"] -= self._privates_value(game, player.id)
            seat["debt"] = total_debt(game, player.id)
        state["flags"] = {}
        board = state["board"]
        for hex_id in record.mountains.values():
            board.pop(hex_id, None)
        for hex_id in record.tunnels.values():
            words = board[hex_id][0].split("-")
            board[hex_id] = [words[1] if len(words) > 1 and hex_id in record.beneath else words[0], 0]
        for company in state["corps"].values():
            company["trains"] = sorted(kind.partition("-")[0] for kind in company["trains"])
        state["bank_broken"] = game.state.ending == components.BANK_IS_EMPTY or game.state.cash[BANK] < 0
        if game.state.finished:
            state["end_reason"] = "bank" if game.state.ending == components.BANK_IS_EMPTY else "bankrupt"

    def _privates_value(self, game: Game, player: PlayerId) -> int:
        """18xx.games' comparison deducts every private's value from their worth; we count only active privates."""
        record = title_state(game)
        printed = sum(
            LATER_VALUES.get(sign, components.PRIVATES[sign].price)
            for sign in components.PRINTED_PRIVATES
            if game.private(sign).owner == player and (not game.private(sign).closed or self._keeps_eva(game, sign))
        )
        active = sum(
            components.PRIVATES[sign].price
            for sign in (*components.MOUNTAINS, *components.TUNNELS)
            if sign in record.active and game.private(sign).owner == player
        )
        return printed + active

    def _keeps_eva(self, game: Game, sign: PrivateId) -> bool:
        """18xx.games keeps P7 open until the EVA is given away."""
        return sign == components.OERLIKON and any(train.owner.startswith("@") for train in game.state.trains)

    def company_action(self, replay: LogReplay, raw: RawAction) -> Action:
        if raw["type"] == "remove_token":
            return self._remove_token(replay, raw)
        return super().company_action(replay, raw)

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        match action:
            case LayTile() if action.tile in components.MARKERS:
                raw |= {"entity": unplaced_mountain(game, action.by), "entity_type": "company"}
            case SellShares() if not game.company(action.company).operated:
                raw |= {"share_price": sale_price(game, action.company)}
            case LayFurka():
                raw |= {
                    "type": "choose_ability",
                    "entity": components.FURKA,
                    "entity_type": "company",
                    "choice": "Place",
                }
            case TakeEva():
                raw |= {
                    "type": "choose_ability",
                    "entity": components.OERLIKON,
                    "entity_type": "company",
                    "choice": action.by,
                }
            case PayDebt():
                raw |= {"type": "payoff_player_debt"}
            case ReturnToken():
                raw |= {"type": "remove_token", "slot": 0}

    def extra_log_entry(self, game: Game, event: Event) -> RawAction | None:
        if not isinstance(event, TargetReached):
            return None
        return {"type": "destination_connection", "corporations": [event.company]}

    def follow_shares(self, game: Game, shares: ShareNumbers) -> None:
        if any(isinstance(event, SbbFormed) for event in game.events):
            exchange(shares, game)

    def _remove_token(self, replay: LogReplay, raw: RawAction) -> ReturnToken:
        place = action_translation.place_token(replay, {**raw, "entity": components.SBB})
        return ReturnToken(components.SBB, place.hex, place.city)

    def player_action(self, replay: LogReplay, raw: RawAction) -> Action:
        player = replay.player(raw["entity"])
        match raw["type"]:
            case "buy_shares":
                return self._buy_shares(replay, raw)
            case "sell_shares":
                return self._sell_shares(replay, raw)
            case "payoff_player_debt":
                return PayDebt(player)
        return super().player_action(replay, raw)

    def _sizes(self, replay: LogReplay, raw: RawAction) -> tuple[CompanyId, list[int]]:
        """The company, and of how many shares each named certificate is."""
        shares = [str(share) for share in raw["shares"]]
        company = action_translation.company_of_share(shares[0])
        printed = replay.game.title.companies[company].certificates
        unit = share_unit(replay.game.company(company))
        return company, [printed[int(share.rsplit("_", 1)[1])] // unit for share in shares]

    def _buy_shares(self, replay: LogReplay, raw: RawAction) -> BuyShares:
        plain = action_translation.buy_shares(replay, raw)
        company, sizes = self._sizes(replay, raw)
        source = POOL if company == components.SBB else plain.source
        return BuyShares(plain.by, company, source if source == POOL else IPO, sum(sizes))

    def _sell_shares(self, replay: LogReplay, raw: RawAction) -> SellShares:
        plain = action_translation.sell_shares(replay, raw)
        company, sizes = self._sizes(replay, raw)
        doubles = None
        if company == components.SBB and "SBB_0" not in [str(share) for share in raw["shares"]]:
            named = sum(size > 1 for size in sizes)
            doubles = (
                named if named != default_doubles(replay.game.company(components.SBB), plain.by, plain.shares) else None
            )
        frame = replay.game.frame
        by = frame.entity if frame.entity in replay.game.state.companies else plain.by
        return SellShares(Owner(by or ""), company, plain.shares, doubles)

    def private_action(self, replay: LogReplay, raw: RawAction) -> Action:
        private = as_private(str(raw["entity"]))
        entity = replay.game.actor_in_turn
        if private == components.FURKA and raw["type"] == "choose_ability":
            return LayFurka(entity)
        if private == components.OERLIKON and raw["type"] == "choose_ability":
            return TakeEva(Owner(str(raw["choice"])))
        if raw["type"] == "lay_tile" and private in components.MOUNTAINS:
            return LayTile(entity, TileId(str(raw["tile"]).rsplit("-", 1)[0]), HexId(str(raw["hex"])), 0)
        return super().private_action(replay, raw)


DIALECT = Dialect1844()
