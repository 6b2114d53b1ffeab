"""Privates: their sale by the bank, incomes, closing, and how they come into other hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Owner, PlayerId, PrivateId, is_permitted, is_player, msg
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import check_cash, pay, president_of
from bot.engine.state import Action, BuyPrivate, Private, PrivateBought, PrivateClosed, PrivatePaid, StockTurnMemory

from .consent import AnswerOffer
from .stock import record_action


def unsold_privates(game: Game) -> list[Private]:
    return [private for private in game.state.privates.values() if private.owner is None and not private.closed]


def sell_private(game: Game, private: Private, player: PlayerId, price: int) -> None:
    pay(game, player, BANK, price, private.id)
    private.owner = player
    game.emit(PrivateBought(player, private.id, BANK, price))


def pay_income(game: Game, private: Private, income: int) -> None:
    if private.owner is not None and not private.closed and income:
        game.emit(PrivatePaid(private.id, private.owner, income))
        pay(game, BANK, private.owner, income, f"income of {private.id}")


def pay_incomes(game: Game) -> None:
    """An automatic step: every open private pays its income to its owner."""
    for private in game.state.privates.values():
        pay_income(game, private, game.title.rules.income(game, private.id))


def close_private(game: Game, private: Private) -> None:
    """Close the private if it is open, and withdraw offers to buy it."""
    if private.closed:
        return
    private.closed = True
    game.board_changed()
    game.emit(PrivateClosed(private.id))
    offer = game.state.offer
    if isinstance(offer, BuyPrivate) and offer.private == private.id:
        game.state.offer = None
        game.log("The offer for {private} is void.", private.id)


@dataclass(frozen=True)
class BuyPrivates:
    """The company in turn buys privates from its president, each within its printed range.

    `may_buy(game, company)` raises the refusal against any such purchase, `from_anyone(game)` says whether other players
    sell too, who are asked; `section` names the rule that is quoted.
    """

    may_buy: Callable[[Game, CompanyId], None]
    section: str
    from_anyone: Callable[[Game], bool] = lambda game: False
    name: str = "buy a private"
    verbs: tuple[type[Action], ...] = (BuyPrivate,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        cash = game.state.cash[company]
        for private in game.state.privates.values() if is_permitted(self.may_buy, game, company) else ():
            if private.owner is None or not is_player(private.owner):
                continue
            try:
                low, high = self._price_range(game, company, private.id)
            except IllegalMove:
                continue
            if low <= cash:
                for price in dict.fromkeys((low, min(high, cash))):
                    yield BuyPrivate(company, private.id, price)

    def _price_range(self, game: Game, company: CompanyId, private_id: PrivateId) -> tuple[int, int]:
        private = game.state.privates.get(private_id)
        if private is None or private.closed:
            raise IllegalMove("{private} is not in play.", self.section, private_id)
        span = game.title.privates[private_id].price_range
        if span is None:
            raise IllegalMove("Companies cannot buy {private}.", self.section, private_id)
        self.may_buy(game, company)
        is_for_sale = private.owner is not None and is_player(private.owner) and self.from_anyone(game)
        if not is_for_sale and self.from_anyone(game):
            raise IllegalMove("No player owns {private}.", self.section, private_id)
        if private.owner != president_of(game.company(company)) and not is_for_sale:
            sentence = "{company} may only buy privates from its own {director}."
            raise IllegalMove(sentence, self.section, company, msg(game.title.director_word))
        return span

    def check(self, game: Game, action: BuyPrivate) -> None:
        company, private = CompanyId(action.by), action.private
        span = self._price_range(game, company, private)
        if not span[0] <= action.price <= span[1]:
            low, high = map(game.title.money, span)
            raise IllegalMove("{private} can be bought for {low} to {high}.", self.section, private, low, high)
        check_cash(game, company, action.price, self.section)

    def apply(self, game: Game, action: BuyPrivate) -> None:
        owner = game.private(action.private).owner
        if owner is None or owner == president_of(game.company(action.by)):
            transfer_private(game, action)
        else:
            ask_owner(game, action)


def ask_owner(game: Game, action: BuyPrivate) -> None:
    """Ask the private's owner, by the plan named `private offer`."""
    game.state.offer = action
    game.push("private offer", action.by, asked=[PlayerId(game.private(action.private).owner or Owner(""))])


def transfer_private(game: Game, action: BuyPrivate) -> None:
    private = game.private(action.private)
    seller = private.owner or Owner("")
    pay(game, action.by, seller, action.price, private.id)
    private.owner = action.by
    game.board_changed()
    game.emit(PrivateBought(action.by, private.id, seller, action.price))


@dataclass(frozen=True)
class BuyPrivateFromPlayer:
    """In a stock round, as their purchase, a player buys a private of another player, who is asked.

    `may_buy(game, private)` raises the refusal against it.
    """

    may_buy: Callable[[Game, PrivateId], None]
    section: str
    name: str = "buy a private from a player"
    verbs: tuple[type[Action], ...] = (BuyPrivate,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        """Each for as little as possible, for its printed price, for everything."""
        player = game.player_in_turn
        for private in game.title.privates.values():
            prices = sorted({1, private.price, game.state.cash[player]})
            yield from filter_allowed(self, game, (BuyPrivate(player, private.id, price) for price in prices))

    def check(self, game: Game, action: BuyPrivate) -> None:
        private = game.state.privates.get(action.private)
        if private is None or private.closed or private.owner in (None, action.by) or not is_player(private.owner):
            raise IllegalMove("No other player owns {private}.", self.section, action.private)
        if game.memory(StockTurnMemory).bought:
            raise IllegalMove("You have already bought something this turn.", self.section)
        self.may_buy(game, private.id)
        cash, money = game.state.cash[action.by], game.title.money
        if not 1 <= action.price <= cash:
            raise IllegalMove("You can offer {low} to {high}.", self.section, money(1), money(cash))

    def apply(self, game: Game, action: BuyPrivate) -> None:
        ask_owner(game, action)


def transfer_and_record_purchase(game: Game, action: BuyPrivate) -> None:
    """Transfer the private; for a player that is the purchase of the turn."""
    transfer_private(game, action)
    if is_player(action.by):
        game.memory(StockTurnMemory).bought.append(CompanyId(action.private))
        record_action(game, PlayerId(action.by))


def private_offer(section: str) -> AnswerOffer:
    """The owner of a private agrees to sell it, or refuses: to a company that the owner does not direct, or to another player."""
    return AnswerOffer("agree to sell a private", section, BuyPrivate, transfer_and_record_purchase)
