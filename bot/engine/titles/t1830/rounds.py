"""Set-up, rounds, phases and the end of a game of 1830."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.data.events import GameEndTriggered, PhaseBegan, PrivatePaid, RoundBegan, TurnBegan
from bot.engine.data.state import Certificate, Company, Private, Round, StockRoundMemory, Train, WaterfallMemory
from bot.engine.holdings.certificates import smallest
from bot.engine.holdings.market import down, in_order, left, move, price_of, right, up
from bot.engine.holdings.money import deal_out, pay
from bot.engine.ids import BANK, DEPOT, IPO, CompanyId, PlayerId, TrainId, is_player
from bot.engine.steps.dividends import operating_turn
from bot.engine.steps.homes import keep_homes
from bot.engine.steps.powers import close
from bot.engine.steps.rounds import begin_next_of_set, end_game, operating_round, take_turn
from bot.engine.steps.stock import round_of

from .box.nouns import (
    BANK_CASH,
    COMPANIES,
    MARKET,
    PRIVATES,
    SIXES_OPTION,
    STARTING_CASH,
    TRAIN_CARDS,
)
from .special import special

if TYPE_CHECKING:
    from bot.engine.play.game import Game

BANK_BROKEN = "the bank has run out of money"


def set_up(game: Game) -> None:
    """Money, companies, privates, trains, reservations, and the auction."""
    state = game.state
    deal_out(game, BANK_CASH, STARTING_CASH[len(state.players)])
    for noun in COMPANIES.values():
        certificates = [Certificate(percent, IPO) for percent in noun.certificates]
        state.companies[noun.id] = Company(noun.id, certificates, list(noun.tokens))
        state.cash[noun.id] = 0
    state.privates = {noun.id: Private(noun.id, noun.price) for noun in PRIVATES.values()}
    for family, number in TRAIN_CARDS.items():
        more = family == "6" and state.options[SIXES_OPTION.name] != SIXES_OPTION.default
        state.trains += [
            Train(TrainId(f"{family}-{index}"), family, family, DEPOT) for index in range(number + int(more))
        ]
    keep_homes(game)
    state.round = Round("auction")
    game.push("game")


def begin_auction(game: Game) -> None:
    """The first player begins."""
    game.push("auction", game.state.order[0], WaterfallMemory())


def pay_incomes(game: Game) -> None:
    """Every private pays its owner."""
    for private in game.state.privates.values():
        if private.owner is not None and not private.closed:
            income = PRIVATES[private.id].income
            game.happened(PrivatePaid(private.id, private.owner, income))
            pay(game, BANK, private.owner, income, f"income of {private.id}")


def begin_stock_round(game: Game) -> None:
    """The holder of the priority deal begins, the others follow clockwise."""
    state = game.state
    number = state.round.number + 1 if state.round.kind == "operating" else 1
    state.round = Round("stock", number)
    start = state.order.index(state.priority)
    state.order = state.order[start:] + state.order[:start]
    game.happened(RoundBegan("stock", number, 1, 1))
    game.push("stock round", None, StockRoundMemory())


def end_stock_round(game: Game) -> None:
    """Sold-out companies rise; the player after the last to act gets the priority deal."""
    state = game.state
    sold_out = [
        company.id
        for company in state.companies.values()
        if company.position is not None and all(is_player(one.owner) for one in company.certificates)
    ]
    for company_id in in_order(game, sold_out):
        move(game, company_id, up(MARKET, state.companies[company_id].position or (0, 0)))
    last = round_of(game).last_to_act
    if last is not None:
        state.priority = state.order[(state.order.index(last) + 1) % len(state.order)]


def begin_operating_set(game: Game) -> None:
    """One, two or three operating rounds follow a stock round, as the phase says now."""
    rounds = game.title.phase(game.state.phase).operating_rounds
    game.state.round = Round("operating", game.state.round.number, 0, rounds)


def next_operating_round(game: Game) -> None:
    """After the last round of a set the game may end."""
    current = game.state.round
    if current.part < current.of:
        begin_next_of_set(game)
    elif game.state.ending:
        end_game(game)


def begin_again(game: Game) -> None:
    """A stock round follows each set of operating rounds."""
    game.frame.at = 1


def next_company(game: Game) -> None:
    """The highest priced company that has not had its turn."""
    done = operating_round(game).done
    waiting = [company.id for company in game.state.companies.values() if company.floated and company.id not in done]
    if waiting:
        take_turn(game, in_order(game, waiting)[0])


def begin_turn(game: Game) -> None:
    """Say whose turn it is; nothing has been sold for its train."""
    special(game).sold_at = 0
    game.happened(TurnBegan(game.company_in_turn))


def close_without_revenue(game: Game) -> None:
    """A company that earned nothing falls like one that withholds."""
    if not operating_turn(game).revenue:
        after_dividend(game, game.company_in_turn, 0)


def after_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """One space to the right for a dividend, one to the left without; at the end of a row up or down."""
    company = game.company(company_id)
    company.operated = True
    position = company.position or (0, 0)
    beside = left(MARKET, position)
    lower = beside if beside != position else down(MARKET, position)
    move(game, company_id, right(MARKET, position) if paid else lower)


def on_phase(game: Game, event: PhaseBegan) -> None:
    """Privates close with the first 5-train; limits fall."""
    if event.phase == "5":
        for private in game.state.privates.values():
            close(game, private)
    game.push("discard")


def watch_for_the_end(game: Game, event: object) -> None:
    """When the bank has no money the set of operating rounds is played to its end, or the next one."""
    state = game.state
    if not state.ending and state.cash[BANK] <= 0:
        state.ending = BANK_BROKEN
        game.happened(GameEndTriggered(state.ending, "after this set of operating rounds"))


def worth(game: Game, player: PlayerId) -> int:
    """The player's total: cash, shares, open privates at their printed price."""
    state = game.state
    shares = sum(
        price_of(game, company.id) * company.held_by(player) // smallest(company)
        for company in state.companies.values()
    )
    return state.cash[player] + shares + sum(PRIVATES[private.id].price for private in state.privates_of(player))
