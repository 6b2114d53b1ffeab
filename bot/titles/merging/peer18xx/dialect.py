"""How games from 18xx.games are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from bot.engine import IPO, POOL, CompanyId, Owner, PlayerId, as_company, as_private, is_permitted
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import CompanyFormed, RedeemShares, check_room, current_stock_turn, unstarted_companies
from bot.engine.state import Action, Bid, BuyShares, OperatingRoundMemory, Pass
from bot.formats.peer18xx import action_translation
from bot.formats.peer18xx.certificate_ids import PRESIDENT, ShareNumbers
from bot.formats.peer18xx.dialect import Dialect
from bot.formats.peer18xx.file_format import RawAction, says_nothing
from bot.formats.peer18xx.questions import PASS
from bot.formats.peer18xx.replay import LogReplay

from ..actions import GiveUpMajor, MergeMinors, RemoveToken, TurnIntoMajor
from ..components import MINOR_MINIMUM, MOST_MINORS, MOST_MINORS_OF_ONE
from ..family import is_to_come, kind_of, merging
from ..formation import forming_of
from ..mergers import reached_minors
from ..nationalization import CompanyNationalized
from ..rounds import BANK_BROKEN
from ..state import title_state
from .questions import QUESTIONS


def slot_of(game: Game, action: RemoveToken) -> int:
    """The slot of a new major's token in its city there: tokens at home, and homes that are kept, come before tokens that came from
    elsewhere; a major has the slot of its minor.
    """
    board, company = game.state.board, CompanyId(action.by)
    minors = forming_of(game).members

    def is_at_home(sign: CompanyId) -> bool:
        return any(action.hex in game.title.companies[one].home for one in (minors if sign == company else [sign]))

    kept = [one.company for one in board.reservations if (one.hex, one.city) == (action.hex, action.city)]
    tokens = board.tokens_in(action.hex, action.city)
    return [*kept, *sorted(tokens, key=is_at_home, reverse=True)].index(company)


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
        """A minor's pass in the merger round, unless it says that all its partners are named; a major goes on. A minor
        that has had its turn passes in the merger round, even if the last company's turn is not over here.
        """
        game, company = replay.game, Owner(str(raw["entity"]))
        if game.state.finished or self._partners(replay, company):
            return None
        if game.frame.entity == company and game.frame.plan == "trainless":
            return Pass(company)
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
                replay.seen_shares = {
                    one for one in replay.seen_shares if action_translation.company_of_share(one) != major
                }
                partners = self._partners(replay, company)
                return MergeMinors(company, tuple(partners), major) if partners else TurnIntoMajor(company, major)
            case "buy_shares":
                replay.seen_shares.difference_update(map(str, raw["shares"]))
                return RedeemShares(company, int(raw["percent"]) // 10)
            case "remove_token":
                place = action_translation.place_token(replay, raw)
                return RemoveToken(company, place.hex, place.city)
            case "choose":
                return GiveUpMajor(company)
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
        """Majors and late minors are not known there before the first 3-train, when tokens keep places that are kept
        here; the national railway has no share.
        """
        values = merging(game)
        state["cert_limit"] = game.title.rules.certificate_limit(game, game.state.order[0])
        state["flags"] = {}
        state["bank_broken"] = title_state(game).is_broken
        for company in list(state["corps"]):
            kind = kind_of(game, company)
            is_late = is_to_come(game, company) or (kind == "major" and not has_phase_begun(game, "3"))
            if is_late or kind == "national":
                del state["corps"][company]
            elif "price" in state["corps"][company]:
                state["corps"][company]["par"] = state["corps"][company]["price"][0]
        for player, name in names.items():
            owned = game.state.privates_of(player)
            state["players"][name]["value"] -= sum(values.privates[one.id].price for one in owned)
        for hex_id, _ in values.kept:
            state["reservations"].pop(hex_id, None)
        if game.state.finished:
            state["end_reason"] = "bank" if game.state.ending == BANK_BROKEN else "final_phase"

    # -- writing ------------------------------------------------------------------------------------

    def peer_waits(self, game: Game) -> bool:
        """It asks players who could pay twice the lowest price of the market's starting prices for a company, even if no major
        can begin for that, or no place is left for a minor.
        """
        if super().peer_waits(game):
            return True
        player = game.player_in_turn
        majors = unstarted_companies(game, "major") if has_phase_begun(game, "4") else []
        minors = [one for one in unstarted_companies(game, "minor") if not is_to_come(game, one)]
        is_open = bool(majors or minors) and not current_stock_turn(game).bought
        is_rich = game.state.cash[player] >= MINOR_MINIMUM
        return is_open and is_rich and is_permitted(check_room, game, player, "")

    def proposal(self, game: Game) -> Action | None:
        return game.state.offer or title_state(game).proposal

    def preceding(self, game: Game, action: Action) -> Iterator[Mapping[str, Any]]:
        """The minors one after the other, as each can be reached; a pass if more could follow."""
        if isinstance(action, TurnIntoMajor):
            yield {"type": "convert"}
        if isinstance(action, MergeMinors):
            members, waiting = [CompanyId(action.by)], list(action.others)
            while waiting:
                found = next(one for one in candidates(game, members) if one in waiting)
                waiting.remove(found)
                members.append(found)
                yield {"type": "merge", "corporation": found}
            if candidates(game, members):
                yield PASS

    def unasked_answer(self, game: Game) -> RawAction | None:
        """The pass of a minor that can neither convert nor merge."""
        if not game.state.flow or game.frame.plan != "merger turn" or game.frame.at:
            return None
        step = game.step
        is_asked = step is not None and step.opens(game)
        return None if is_asked else {**PASS, "entity": game.frame.entity, "entity_type": "corporation"}

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        match action:
            case Bid() if action.lot in game.state.companies:
                raw["corporation"] = raw.pop("company")
            case GiveUpMajor():
                raw |= {"type": "choose", "choice": "nationalize"}
            case TurnIntoMajor() | MergeMinors():
                raw |= {"type": "merge", "corporation": action.company}
            case RemoveToken():
                raw |= {"type": "remove_token", "slot": slot_of(game, action)}
            case RedeemShares():
                company = CompanyId(action.by)
                numbers = shares.holdings_of(company)[POOL][: action.shares]
                named = {"shares": shares.names(company, numbers), "percent": 10 * action.shares}
                raw |= {"type": "buy_shares", **named}

    def follow_shares(self, game: Game, shares: ShareNumbers) -> None:
        """A minor's share is the last of the treasury there; who has two takes the president's certificate for the
        first.
        """
        for event in game.events:
            if isinstance(event, CompanyNationalized) and kind_of(game, event.company) == "major":
                held = shares.holdings_of(event.company)
                held.clear()
                held[IPO] = list(range(len(game.company(event.company).certificates)))
            if isinstance(event, CompanyFormed) and len(event.owners) > 1:
                self._follow_merger(game, event, shares)

    def _follow_merger(self, game: Game, event: CompanyFormed, shares: ShareNumbers) -> None:
        company, held = event.company, shares.holdings_of(event.company)
        for owner in event.owners:
            own = held.get(owner, [])
            if PRESIDENT in held[IPO] and len(own) == 1:
                shares.move(company, list(own), owner, IPO)
                shares.move(company, [PRESIDENT], IPO, owner)
            else:
                shares.move(company, held[IPO][-1:], IPO, owner)
            holder = shares.holder(company)
            if holder not in (IPO, owner) and len(held[owner]) > len(held[holder]) + 1:
                shares.exchange(game.company(company), holder, owner, holder)


def candidates(game: Game, members: list[CompanyId]) -> list[CompanyId]:
    """The minors that could be added to these, as 18xx.games asks for them."""
    if len(members) == MOST_MINORS:
        return []
    owners = Counter(game.controller_of(member) for member in members)
    near = dict.fromkeys(one for member in members for one in reached_minors(game, member) if one not in members)
    return [one for one in near if owners[game.controller_of(one)] < MOST_MINORS_OF_ONE]
