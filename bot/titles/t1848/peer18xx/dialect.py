"""How games of 1848 from 18xx.games are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine import Owner, PlayerId, as_private
from bot.engine.play import Game
from bot.engine.state import Action, BuyPrivate, Event, LayTile, ReducePrice, RoundBegan, TakeLoan
from bot.formats.peer18xx import action_translation
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.dialect import Dialect
from bot.formats.peer18xx.file_format import RawAction
from bot.formats.peer18xx.replay import LogReplay
from bot.titles.t1848 import components

from ..bank_of_england import loans_left
from ..rounds import BANK_BROKEN, FIVE_RECEIVERSHIPS, SIXTEEN_LOANS, TOP_PRICE, CitiesLinked
from ..state import title_state
from .questions import BANK_DIVIDEND, QUESTIONS

END_REASONS = {
    BANK_BROKEN: "bank",
    TOP_PRICE: "stock_market",
    SIXTEEN_LOANS: "stock_market",
    FIVE_RECEIVERSHIPS: "closed_five",
}
"""The names of the ends of the game in 18xx.games (§13.1); of several it reports the first that was met."""


class Dialect1848(Dialect):
    """The Bank of England's dividends and the test for the link happen automatically here."""

    steps = {
        "Track": "lay track",
        "Token": "place a token",
        "Route": "run trains",
        "BlockingLoan": "take a loan before receivership",
        "Dividend": "pay or withhold",
        "BuyTrain": "buy trains",
        "TakeLoanBuyCompany": "buy trains",
    }
    parts = {components.TASMANIA_TILE: (1,)}
    prints = {"F17": 1, "H11": 2, "E18": 1, "E14": 2, "F5": 3, "E2": 4, "F13": 1}
    given = frozenset({"QR_1", "CAR_0"})
    questions = QUESTIONS

    def is_silent(self, raw: RawAction) -> bool:
        return str(raw["entity"]) == components.BANK_OF_ENGLAND or raw["type"] == "destination_connection"

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """The data of 18xx.games about the Bank of England and past events; there no bank lends a player the missing
        cash (§5.5.3), their cash is negative.
        """
        record = title_state(game)
        for player, debt in record.debts.items():
            state["players"][names[player]]["cash"] -= debt
            state["bank"] += debt
        limits, fallen = components.CERTIFICATE_LIMIT[len(game.state.players)], len(record.receiverships)
        # With a sixth receivership their table is at its end, and the first limit is back; no share is bought any more.
        state["cert_limit"] = limits[fallen] if fallen < len(limits) else limits[0]
        state["loans_left"] = loans_left(game)
        state["corps"][components.BANK_OF_ENGLAND] |= {
            "owner": "pool",
            "loans": record.loans_given,
            "operated": False,
            "receivership": True,
        }
        state["flags"] = {"close_corp_count": len(record.receiverships), "sydney_adelaide_connected": record.is_linked}
        state["bank_broken"] = BANK_BROKEN in record.ends_met
        if game.state.finished:
            state["end_reason"] = END_REASONS[record.ends_met[0]] if record.ends_met else None

    def company_action(self, replay: LogReplay, raw: RawAction) -> Action:
        """Loans are not numbered here."""
        if raw["type"] == "take_loan":
            return TakeLoan(Owner(str(raw["entity"])))
        return super().company_action(replay, raw)

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        """The Tasmania tile is laid by its private (§4.4); loans are numbered."""
        if isinstance(action, LayTile) and action.tile == components.TASMANIA_TILE:
            raw |= {"entity": components.TASMANIA, "entity_type": "company"}
        if isinstance(action, TakeLoan):
            raw |= {"loan": title_state(game).loans_given}

    def extra_log_entry(self, game: Game, event: Event) -> RawAction | None:
        if isinstance(event, RoundBegan) and event.kind == "operating":
            return BANK_DIVIDEND
        if isinstance(event, CitiesLinked):
            return {"type": "destination_connection", "entity": game.frame.entity, "entity_type": "corporation"}
        return None

    def player_action(self, replay: LogReplay, raw: RawAction) -> Action:
        player = replay.player(raw["entity"])
        match raw["type"]:
            case "assign":
                return ReducePrice(player, as_private(str(raw["target"])))
            case "bid":
                return BuyPrivate(player, as_private(str(raw["company"])), int(raw["price"]))
        return super().player_action(replay, raw)

    def private_action(self, replay: LogReplay, raw: RawAction) -> Action:
        private = as_private(str(raw["entity"]))
        by = replay.game.company_in_turn
        if raw["type"] == "lay_tile":
            return action_translation.lay_tile(
                replay, raw, by, components.DESERT_REBATE if private == components.DESERT_REBATE else None
            )
        if raw["type"] == "buy_train" and private == components.GHAN_REBATE:
            return action_translation.buy_train(replay, raw, by, components.GHAN_REBATE)
        return super().private_action(replay, raw)


DIALECT = Dialect1848()
