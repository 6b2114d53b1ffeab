"""How games from 18xx.games are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.engine import IPO, CompanyId, Owner, PlayerId, as_company, as_private
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import RedeemShares
from bot.engine.state import Action, Answer, Bid, BuyShares, OperatingRoundMemory, Pass
from bot.formats.peer18xx import action_translation
from bot.formats.peer18xx.certificate_ids import ShareNumbers
from bot.formats.peer18xx.dialect import Dialect
from bot.formats.peer18xx.file_format import RawAction, says_nothing
from bot.formats.peer18xx.replay import LogReplay

from ..actions import ConvertMinor, Merge, RemoveToken
from ..family import kind_of, merging
from ..rounds import BANK_BROKEN
from .questions import QUESTIONS

LOANS = 72


class MergingDialect(Dialect):
    """Minors are named one by one there before they merge; the major that they become is named last."""

    steps = {
        "RedeemShares": "redeem shares",
        "Track": "lay track",
        "Token": "place a token",
        "Route": "run trains",
        "Dividend": "pay, half or withhold",
        "BuyCompanyPreloan": "pay interest and repay loans",
        "BuyTrain": "buy trains",
        "BuyCompany": "buy trains",
    }
    questions = QUESTIONS

    def __init__(self, prints: Mapping[str, int], optional_rules: Mapping[str, Mapping[str, str]]) -> None:
        self.prints, self.optional_rules = prints, optional_rules

    # -- reading ------------------------------------------------------------------------------------

    def is_part(self, replay: LogReplay, raw: RawAction) -> bool:
        """Whether the action only begins a merger that a later action completes."""
        return raw["type"] == "convert" or (
            raw["type"] == "merge" and kind_of(replay.game, as_company(str(raw["corporation"]))) == "minor"
        )

    def company_pass(self, replay: LogReplay, raw: RawAction) -> Action | None:
        """A minor's pass in the merger round, unless it says that all its partners are named; a major goes on. A minor that
        has had its turn passes in the merger round, even if the last company's turn is not over here."""
        game, company = replay.game, Owner(str(raw["entity"]))
        if game.state.finished or self._partners(replay, company):
            return None
        if game.frame.entity == company and game.frame.plan == "trainless":
            return Answer(company, False)
        rounds = [frame.memory for frame in game.state.flow if isinstance(frame.memory, OperatingRoundMemory)]
        has_operated = bool(rounds) and company in rounds[-1].done and game.frame.entity != company
        if has_operated and kind_of(game, as_company(company)) == "minor" and game.state.round.kind == "operating":
            while replay.may_pass() and (game.frame.plan, game.frame.entity) != ("merger turn", company):
                replay.pass_once()
        return Pass(company) if (game.frame.plan, game.frame.entity) == ("merger turn", company) else None

    def _partners(self, replay: LogReplay, company: Owner) -> list[CompanyId]:
        """The minors that the company has named in the actions just before."""
        found = []
        for raw in self._before(replay):
            if raw.get("entity") != company or raw["type"] not in ("merge", "pass"):
                break
            if raw["type"] == "pass" or not self.is_part(replay, raw):
                continue
            found.append(as_company(str(raw["corporation"])))
        return found[::-1]

    def _before(self, replay: LogReplay) -> Iterator[RawAction]:
        earlier = reversed(replay.effective[: replay.number - 1])
        return (raw for raw in earlier if not says_nothing(str(raw["type"])))

    def company_action(self, replay: LogReplay, raw: RawAction) -> Action:
        company = Owner(str(raw["entity"]))
        match raw["type"]:
            case "merge":
                major = as_company(str(raw["corporation"]))
                replay.seen_shares = {one for one in replay.seen_shares if action_translation.company_of_share(one) != major}
                partners = self._partners(replay, company)
                return Merge(company, tuple(partners), major) if partners else ConvertMinor(company, major)
            case "buy_shares":
                replay.seen_shares.difference_update(map(str, raw["shares"]))
                return RedeemShares(company, int(raw["percent"]) // 10)
            case "remove_token":
                place = action_translation.place_token(replay, raw)
                return RemoveToken(company, place.hex, place.city)
            case "choose":
                return Answer(company, True)
        return super().company_action(replay, raw)

    def player_action(self, replay: LogReplay, raw: RawAction) -> Action:
        match raw["type"]:
            case "bid":
                lot = raw.get("corporation") or raw["company"]
                return Bid(replay.player(raw["entity"]), as_private(str(lot)), int(raw["price"]))
            case "par":
                company = as_company(str(raw["corporation"]))
                replay.seen_shares = {
                    one for one in replay.seen_shares if action_translation.company_of_share(one) != company
                }
            case "buy_shares" if replay.game.frame.plan == "forming":
                return self._buy_new_share(replay, raw)
        return super().player_action(replay, raw)

    def _buy_new_share(self, replay: LogReplay, raw: RawAction) -> Action:
        """The certificate goes back to the treasury if the buyer takes the president's for it."""
        player, share = replay.player(raw["entity"]), str(raw["shares"][0])
        company = action_translation.company_of_share(share)
        record = replay.game.company(company)
        if record.certificates[0].owner != IPO or record.percent_held_by(player) != 10:
            replay.seen_shares.add(share)
        return BuyShares(player, company)

    # -- comparing ------------------------------------------------------------------------------------

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """Majors and late minors are not known there before the first 3-train; the national railway has no share."""
        values = merging(game)
        state["cert_limit"] = game.title.rules.certificate_limit(game, game.state.order[0])
        state["loans_left"] = LOANS - sum(company.loans for company in game.state.companies.values())
        state["flags"] = {}
        state["bank_broken"] = state["bank_broken"] or game.state.ending == BANK_BROKEN
        for company in list(state["corps"]):
            kind = kind_of(game, company)
            is_late = (kind == "major" or company in values.late_minors) and not has_phase_begun(game, "3")
            if is_late or kind == "national":
                del state["corps"][company]
        if game.state.finished:
            state["end_reason"] = "bank" if game.state.ending == BANK_BROKEN else "final_phase"

    # -- writing ------------------------------------------------------------------------------------

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        if isinstance(action, Bid) and action.lot in game.state.companies:
            raw["corporation"] = raw.pop("company")
        if isinstance(action, Answer) and game.frame.plan == "trainless":
            raw |= {"type": "choose", "choice": "nationalize"} if action.agree else {"type": "pass"}
