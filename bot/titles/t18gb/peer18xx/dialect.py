"""How games of 18GB from 18xx.games are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine import POOL, HexId, Owner, PlayerId, as_company, as_private
from bot.engine.play import Game
from bot.engine.play.holdings import price_of
from bot.engine.state import Action, BuyShares, SellShares
from bot.formats.peer18xx import action_translation
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.dialect import Dialect
from bot.formats.peer18xx.file_format import RawAction
from bot.formats.peer18xx.replay import LogReplay

from ..actions import ClosePrivate, Convert
from ..companies import is_in_receivership
from ..components import EAST_WEST, PRIVATES
from ..rounds import TOP_PRICE
from ..state import is_small, scenario, title_state
from ..stock import sale_price
from .questions import QUESTIONS, asks_player


def buy_shares(replay: LogReplay, raw: RawAction) -> BuyShares:
    """The new shares of a launched company come out of the pool, as if they had been sold there."""
    company = action_translation.company_of_share(str(raw["shares"][0]))
    if replay.game.company(company).floated:
        noun = replay.game.title.companies[company]
        replay.seen_shares.update(f"{company}_{index}" for index in range(len(noun.certificates), len(noun.grown)))
    return action_translation.buy_shares(replay, raw)


PRINTS = (
    ("A20", "F5", "H19", "I2", "I14", "J3", "J25"),
    ("D25", "G18", "H9"),
    ("F21", "G4", "G16", "H15"),
    ("B21", "D23", "H21", "I6", "J11"),
)


class Dialect18GB(Dialect):
    steps = {
        "TrackAndToken": "lay track or place a token",
        "Route": "run trains",
        "Dividend": "pay or withhold",
        "BuyTrain": "buy trains",
    }
    parts = {"H3": (1,), "J17": (0, 2), "I10": (2,)}
    out_of_turn_kinds = frozenset({"choose_ability"})
    passes_twice = True
    optional_rules = {"two_player_ew": {"map": EAST_WEST}, "four_player_alt": {"companies": "alternative"}}

    questions = QUESTIONS

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """Further data of 18xx.games; a started company's starting price is its present price there."""
        record = title_state(game)
        state["bank_broken"] = False
        state["cert_limit"] = scenario(game).certificates
        for player, name in names.items():
            state["players"][name]["value"] -= sum(PRIVATES[p.id].price for p in game.state.privates_of(player))
        for company in state["corps"]:
            company_id = as_company(company)
            entry = state["corps"][company]
            entry["type"] = "5-share" if is_small(game, company_id) else "10-share"
            entry["receivership"] = is_in_receivership(game, company_id)
            if game.company(company_id).certificates[0].owner == POOL:
                entry["owner"], entry["receivership"] = "pool", True
            if entry["ipoed"]:
                entry["par"] = price_of(game, company_id)
        state["flags"] = {
            "insolvent": sorted(record.insolvent),
            "train_bought": record.train_bought,
            "end_game_near": record.last_trains,
        }
        if game.state.finished:
            state["end_reason"] = "stock_market" if game.state.ending == TOP_PRICE else "final_train"

    def company_action(self, replay: LogReplay, raw: RawAction) -> Action:
        entity = str(raw["entity"])
        if raw["type"] == "convert":
            return Convert(Owner(entity), as_company(entity))
        return super().company_action(replay, raw)

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        """Conversions are choices of a player, or a verb of their own; private's abilities are used by the private."""
        if isinstance(action, Convert):
            if action.by == action.company:
                raw |= {"type": "convert"}
            else:
                raw |= {"type": "choose", "choice": f"convert_{action.company}"}
        elif isinstance(action, SellShares) and not game.state.trains_of(action.company):
            raw |= {"share_price": sale_price(game, action.company)}
        elif isinstance(action, ClosePrivate):
            raw |= {"type": "choose_ability", "entity": action.private, "entity_type": "company", "choice": "close"}

    def print_number(self, game: Game, hex_id: HexId) -> int:
        """Prints of a kind are numbered in each scenario anew."""
        kind = next((kind for kind in PRINTS if hex_id in kind), (hex_id,))
        return [other for other in kind if other in game.board_rules.map.hexes].index(hex_id)

    def peer_waits(self, game: Game) -> bool:
        return asks_player(game)

    def player_action(self, replay: LogReplay, raw: RawAction) -> Action:
        player = replay.player(raw["entity"])
        match raw["type"]:
            case "buy_shares":
                return buy_shares(replay, raw)
            case "choose":
                return Convert(player, as_company(str(raw["choice"]).removeprefix("convert_")))
        return super().player_action(replay, raw)

    def private_action(self, replay: LogReplay, raw: RawAction) -> Action:
        private = as_private(str(raw["entity"]))
        if raw["type"] == "choose_ability":
            return ClosePrivate(replay.game.private(private).owner or Owner(""), private)
        return super().private_action(replay, raw)


DIALECT = Dialect18GB()
