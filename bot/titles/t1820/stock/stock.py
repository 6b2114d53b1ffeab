"""Stock rounds: income, turns, number cards, prices at the end (1820 §6.1, §6.2, §6.5, §6.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import (
    BANK,
    IPO,
    POOL,
    CompanyId,
    IllegalMove,
    Owner,
    PlayerId,
    Text,
    as_company,
    is_player,
    join_values,
    msg,
)
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import check_cash, pay, sort_by_price
from bot.engine.play.steps import current_stock_round, current_stock_turn
from bot.engine.state import (
    Action,
    BuyShares,
    Done,
    Pass,
    Passed,
    Round,
    RoundBegan,
    SellShares,
    SharesBought,
    StockRoundMemory,
    StockTurnMemory,
    TakeLoan,
)
from bot.titles.t1820 import companies, game_end
from bot.titles.t1820.actions import FundLobby, IncreaseShares, RequestShare
from bot.titles.t1820.company_debt import owe_loans
from bot.titles.t1820.components import BRITISH_RAIL, FALL_OPTION, INCOME, LOAN
from bot.titles.t1820.consent import propose
from bot.titles.t1820.state import title_state

from .flotation import check_fund, fund, fund_options
from .increase import check_increase, increase_sample, increase_shares
from .shares import buy, can_take, check_purchase, check_sale, most_to_sell, sell

Move = BuyShares | TakeLoan | RequestShare | SellShares | FundLobby | IncreaseShares | Pass | Done


# -- the round ----------------------------------------------------------------------------------------


def begin_stock_round(game: Game) -> None:
    """§5"""
    state, memory = game.state, title_state(game)
    number = state.round.number + 1 if state.round.kind == "issue" else 1
    state.round = Round("stock", number)
    memory.is_resolved, memory.quiet_turns, memory.next_order = False, 0, []
    memory.sold, memory.tiles_of_round, memory.fees = {}, [], {}
    game.emit(RoundBegan("stock", number, 1, 1))
    game.push("stock round", None, StockRoundMemory())


def pay_income(game: Game) -> None:
    """£800 each, up to the stock round after Victoria's death; less what is owed for future trains (§6.2, §6.4.2)."""
    memory = title_state(game)
    if memory.has_income_ended:
        return
    memory.has_income_ended = memory.is_victoria_dead
    is_due = game.state.round.number > 1
    for player in game.state.order:
        pay(game, BANK, player, INCOME - (memory.deductions.get(player, 0) if is_due else 0), "income")
    if not is_due or not memory.deductions:
        game.log("Everybody receives £{amount}.", INCOME)
        return
    less = (msg("{player} £{amount} less", player, amount) for player, amount in memory.deductions.items())
    game.log("Everybody receives £{amount} ({less}).", INCOME, join_values("; ", less))
    memory.deductions = {}


def next_turn(game: Game) -> None:
    """The next player; the lobbies after a whole round without funding or growth; the end when all have passed."""
    memory, order, turns = title_state(game), game.state.order, current_stock_round(game)
    if not memory.is_resolved and memory.quiet_turns >= len(order):
        memory.is_resolved = True
        game.log("The stock round is interrupted; {number} lobby(s) to resolve.", len(memory.lobbies))
        game.frame.at -= 1
        game.push("lobbies")
        return
    if memory.is_resolved and len(memory.next_order) == len(order):
        return
    game.frame.at -= 1
    player = order[turns.turns % len(order)]
    turns.turns += 1
    memory.actor = None
    game.push("stock turn", player, StockTurnMemory(), asked=[player])


def end_turn(game: Game) -> None:
    """Count quiet turns; after the lobbies passing takes a number card and acting returns it (§6.5.1)."""
    memory, turn = title_state(game), current_stock_turn(game)
    player = game.player_in_turn
    has_acted = memory.actor is not None
    memory.quiet_turns = 0 if "lobby" in turn.bought else memory.quiet_turns + 1
    if not memory.is_resolved:
        return
    before = list(memory.next_order)
    if has_acted and player in memory.next_order:
        memory.next_order.remove(player)
    elif not has_acted and player not in memory.next_order:
        memory.next_order.append(player)
    if before != memory.next_order:
        order = join_values(", ", memory.next_order) if memory.next_order else msg("nobody yet")
        game.log("Order of passing: {order}.", order)


def end_stock_round(game: Game) -> None:
    """Prices fall for shares in the pool and rise where all are held; the second cards give the new order (§6.7)."""
    state = game.state
    listed = [company.id for company in state.companies.values() if company.position is not None]
    for company_id in sort_by_price(game, listed):
        company = game.company(company_id)
        if company_id != BRITISH_RAIL and company.count_of(POOL):
            companies.move_price(
                game, company_id, -companies.pool_fall(company, companies.option_value(game, FALL_OPTION))
            )
        if companies.is_public(company) and not company.count_of(POOL) and not company.count_of(IPO):
            companies.move_price(game, company_id, 1)
    state.order = list(title_state(game).next_order)
    state.priority = state.order[0]
    game_end.after_stock_round(game)


# -- a turn -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TakeTurn:
    """Act for oneself, a cousin or a company: sell, do one thing, sell; or pass (§6.5.1, §6.5.2, §6.5.3)."""

    name: str = "act in the stock round"
    verbs: tuple[type[Action], ...] = (
        BuyShares,
        TakeLoan,
        RequestShare,
        SellShares,
        FundLobby,
        IncreaseShares,
        Pass,
        Done,
    )

    def prompt(self, game: Game) -> Text:
        memory = title_state(game)
        if current_stock_turn(game).bought:
            is_company = memory.actor in game.state.companies
            more = msg("buy more of {company}'s shares, or done", memory.actor or "")
            return more if is_company else "sell shares, or done"
        may_fund = not memory.is_resolved and (memory.actor is None or is_player(memory.actor))
        if memory.actor is None:
            trade = "fund a lobby, sell or buy shares, let a company grow, or pass"
            return trade if may_fund else "sell or buy shares, or pass"
        return (
            "fund a lobby, sell or buy shares, let a company grow, or done"
            if may_fund
            else "sell or buy shares, or done"
        )

    def opens(self, game: Game) -> bool:
        memory = current_stock_turn(game)
        actor = title_state(game).actor
        if not memory.bought or actor is None:
            return True
        if actor in game.state.companies:
            return any(isinstance(option, BuyShares | TakeLoan) for option in self.options(game))
        return any(most_to_sell(game, actor, company) for company in game.state.companies)

    def options(self, game: Game) -> Iterator[Action]:
        yield from filter_allowed(self, game, self._candidates(game, game.player_in_turn))

    def _candidates(self, game: Game, player: PlayerId) -> Iterator[Move]:
        may_buy, acting = not current_stock_turn(game).bought, title_state(game).actor
        yield Pass(player)
        yield Done(player)
        if may_buy and not title_state(game).is_resolved:
            yield from fund_options(game, player)
            yield from increase_sample(game, player)
        owners: list[Owner] = [player, *(cousin.id for cousin in game.state.privates_of(player))]
        actors = [one for one in owners if acting in (None, one)]
        for company in game.state.companies.values():
            if not company.floated:
                continue
            for actor in actors:
                if may_buy and can_take(game, actor, company):
                    for source in (IPO, POOL):
                        yield BuyShares(actor, company.id, source)
                    for holder in companies.share_owners(game, company):
                        yield RequestShare(actor, holder, company.id)
                for shares in range(1, company.count_of(actor) + 1):
                    yield SellShares(actor, company.id, shares)
            if companies.director_player(game, company.id) == player:
                for shares in range(1, company.count_of(POOL) + 1):
                    yield BuyShares(company.id, company.id, POOL, shares)
                yield TakeLoan(company.id)

    def check(self, game: Game, action: Move) -> None:
        turn, actor = current_stock_turn(game), title_state(game).actor
        player = game.player_in_turn
        if isinstance(action, Pass | Done):
            self._check_end(game, player, action)
            return
        acting = player if isinstance(action, IncreaseShares) else action.by
        if actor is not None and actor != acting:
            raise IllegalMove("You act for {actor} in this turn.", "1820 §6.5.1", game.state.name(actor))
        if isinstance(action, SellShares):
            if action.by in game.state.companies:
                raise IllegalMove("Companies do not sell shares in stock rounds.", "1820 §6.5.3")
            check_sale(game, action.by, action.company, action.shares, None)
            return
        if turn.bought and action.by not in game.state.companies:
            raise IllegalMove("You have taken your action this turn; you may only sell.", "1820 §6.5.2")
        if isinstance(action, TakeLoan):
            self._check_loan(game, action)
        elif isinstance(action, FundLobby):
            if not is_player(action.by):
                raise IllegalMove("Only players fund lobbies.", "1820 §6.5.2")
            check_fund(game, action)
        elif isinstance(action, IncreaseShares):
            if turn.bought:
                raise IllegalMove("You have taken your action this turn; you may only sell.", "1820 §6.5.2")
            if companies.is_directed_by_cousin(game, CompanyId(action.by)):
                raise IllegalMove("Cousins cannot increase share counts.", "1820 §6.5.2")
            check_increase(game, action)
        else:
            self._check_purchase(game, action)

    def _check_purchase(self, game: Game, action: BuyShares | RequestShare) -> None:
        is_company = action.by in game.state.companies
        if isinstance(action, RequestShare):
            if is_company:
                raise IllegalMove("A company can only buy its own shares from the pool.", "1820 §6.5.3.1")
            check_purchase(game, action.by, action.company, action.holder)
        elif is_company:
            self._check_buy_back(game, action)
        else:
            if action.source not in (IPO, POOL):
                sentence = "To buy from a holder, ask: ask {holder} for {company}."
                raise IllegalMove(sentence, "1820 §6.5.2.4", action.source, action.company)
            if action.shares != 1:
                raise IllegalMove("Buy one share at a time.", "1820 §6.5.2.4")
            check_purchase(game, action.by, action.company, action.source)

    def _check_end(self, game: Game, player: PlayerId, action: Pass | Done) -> None:
        has_acted = title_state(game).actor is not None
        if action.by != player:
            raise IllegalMove("Only the player can end the turn.", "1820 §6.5.1")
        if isinstance(action, Done) != has_acted:
            word = "done" if has_acted else "pass"
            raise IllegalMove("End this turn with: {word}.", "1820 §6.5.1", word)
        if current_stock_turn(game).changed:
            raise IllegalMove("The loan was taken for shares from the pool: buy them.", "1820 §17.1")
        if has_acted:
            return
        for company in game.state.companies.values():
            director = title_state(game).directors.get(company.id)
            if director is None or is_player(director) or companies.player_of(game, director) != player:
                continue
            if most_to_sell(game, director, company.id):
                sentence = "You cannot pass while {cousin} directs {company} and can sell its shares."
                raise IllegalMove(sentence, "1820 §6.5.1", director, company.id)

    def _check_buy_back(self, game: Game, action: BuyShares) -> None:
        company = game.company(action.by)
        if action.company != action.by or action.source != POOL:
            raise IllegalMove("A company can only buy its own shares from the pool.", "1820 §6.5.3.1")
        if not companies.is_public(company) or companies.is_in_liquidation(company):
            raise IllegalMove("{company} cannot buy its own shares now.", "1820 §6.5.3.1", company.id)
        if not 1 <= action.shares <= company.count_of(POOL):
            raise IllegalMove(
                "The pool has {number} share(s) of {company}.", "1820 §6.5.3.1", company.count_of(POOL), company.id
            )
        check_cash(game, company.id, companies.price(game, company.id) * action.shares, "1820 §6.5.3.1")
        if companies.is_directed_by_cousin(game, company.id):
            raise IllegalMove("A cousin directs {company}; it can only be sold.", "1820 §14.1", company.id)

    def _check_loan(self, game: Game, action: TakeLoan) -> None:
        """Loans are taken only as needed outside operating rounds: for a share that the treasury cannot pay."""
        company = game.state.companies.get(CompanyId(action.by))
        if company is None:
            raise IllegalMove("Companies take loans.", "1820 §17.1")
        if companies.is_directed_by_cousin(game, company.id):
            raise IllegalMove("A cousin directs {company}; it cannot take loans.", "1820 §14.1", company.id)
        if not company.count_of(POOL):
            raise IllegalMove("The pool has no share of {company}, so it needs no loan.", "1820 §17.1", company.id)
        cash = game.state.cash[company.id]
        if cash >= companies.price(game, company.id):
            raise IllegalMove("{company} can pay for a share without a loan.", "1820 §17.1", company.id)
        companies.check_loan(game, company.id)
        number = 1
        while cash + number * LOAN < companies.price_after(company, -number):
            number += 1
            companies.check_loan(game, company.id, number)

    def apply(self, game: Game, action: Move) -> None:
        """Actions that need another player's consent wait for it."""
        player = game.player_in_turn
        if isinstance(action, Pass | Done):
            if isinstance(action, Pass):
                game.emit(Passed(player, self.name))
            game.next_step()
        elif isinstance(action, SellShares):
            title_state(game).actor = action.by
            current_stock_turn(game).sold.append(action.company)
            sell(game, action.by, action.company, action.shares)
        elif isinstance(action, FundLobby):
            mark(game, player, "lobby")
            fund(game, action)
        elif isinstance(action, IncreaseShares):
            propose(game, action, [sale.buyer for sale in action.sales])
        elif isinstance(action, TakeLoan):
            title_state(game).actor = action.by
            current_stock_turn(game).changed = [CompanyId(action.by)]
            companies.take_loans(game, CompanyId(action.by))
        elif action.by in game.state.companies and isinstance(action, BuyShares):
            mark(game, action.by, action.company)
            current_stock_turn(game).changed = []
            buy_back(game, action)
        elif isinstance(action, RequestShare):
            propose(game, action, [action.holder])
        else:
            mark(game, action.by, action.company)
            buy(game, action.by, action.company, action.source)


def mark(game: Game, actor: Owner, what: str) -> None:
    """Remember the owner acted for, and the action used up in this turn: a company bought or `lobby`."""
    title_state(game).actor = actor
    current_stock_turn(game).bought.append(as_company(what))


def execute_purchase(game: Game, action: RequestShare) -> None:
    """Transfer the share after its holder agreed; that holder has sold it and buys none in this round (§6.5.2.4)."""
    mark(game, action.by, action.company)
    buy(game, action.by, action.company, action.holder)
    title_state(game).sold.setdefault(action.holder, []).append(action.company)


def execute_increase(game: Game, action: IncreaseShares) -> None:
    mark(game, game.actor_in_turn, "lobby")
    increase_shares(game, action)


def buy_back(game: Game, action: BuyShares) -> None:
    """A company buys its own shares; loans beyond its shares in play are repaid (§6.5.3.1)."""
    company = game.company(action.by)
    money = companies.price(game, company.id) * action.shares
    companies.transfer_shares(game, company, POOL, IPO, action.shares)
    pay(game, company.id, BANK, money, "own shares")
    percent = action.shares * (100 // companies.size(company))
    game.emit(SharesBought(company.id, company.id, POOL, percent, money))
    if companies.excess_loans(company):
        owe_loans(game, company.id, companies.excess_loans(company))
