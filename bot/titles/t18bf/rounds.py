"""Rounds of 18BF: set-up, stock, operating and merger rounds, phases, the end (18BF §3, §8, §9.5, §10.11, §12.1, §13)."""

from __future__ import annotations

from collections.abc import Container

from bot.engine import CompanyId, PlayerId, SeededRandom, msg
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun, set_up_cash, set_up_companies, set_up_trains
from bot.engine.play.holdings.trains import restock
from bot.engine.play.steps import (
    begin_company_turn,
    begin_next_of_set,
    close_private,
    end_game,
    export_next,
    open_merger_round,
    operating_round,
    order_by_kinds,
    trigger_end,
)
from bot.engine.play.steps import begin_stock_round as begin_in_order
from bot.engine.state import Event, PhaseBegan, Private, Round, TrainBought, TrainExported, TurnBegan

from . import components
from .company_closure import fall
from .loans import pay_interest, redeem_loans, remember_loans
from .state import kind_of, title_state

# -- set-up -------------------------------------------------------------------------------------------


def set_up(game: Game) -> None:
    """Draw the seven privates and the batches of minors (§3, §7)."""
    state, generator = game.state, SeededRandom(game.state.seed)
    set_up_cash(game, components.BANK_CASH, components.STARTING_CASH[len(state.players)])
    set_up_companies(game, components.COMPANIES.values())
    railways = generator.permutation(components.RAILWAY_PRIVATES)[: components.PRIVATES_IN_PLAY]
    for sign in components.PRIVATES:
        if sign in railways or sign not in components.RAILWAY_PRIVATES:
            state.privates[sign] = Private(sign, components.MINIMUM_BID.get(sign, components.PRIVATES[sign].price))
    title_state(game).batches = draw_batches(generator)
    set_up_trains(game, {family: range(number) for family, number in components.TRAIN_CARDS.items()})
    for noun in components.COMPANIES.values():
        for home in noun.home:
            state.board.reserve(home, noun.home_city or 0, noun.id)
    state.round = Round("set-up", 0)
    game.push("game")


def draw_batches(generator: SeededRandom) -> list[list[CompanyId]]:
    """Twelve minors for the start, six for the second stock round, six for phase 3 (§7.2)."""
    ones, others = generator.permutation(components.GROUP_A), generator.permutation(components.GROUPS_B_AND_C)
    a, b = components.BATCH
    late, second = (*ones[:a], *others[:b]), (*ones[a : 2 * a], *others[b : 2 * b])
    return [
        [minor for minor in components.COMPANIES if minor in batch]
        for batch in ((*ones[2 * a :], *others[2 * b :]), second, late)
    ]


# -- stock rounds -------------------------------------------------------------------------------------


def begin_stock_round(game: Game) -> None:
    """The holder of the priority deal begins, the others follow clockwise (§9)."""
    if is_stalemate(game):
        end_game(game, msg("nothing has changed for {number} sets of operating rounds", components.MOST_QUIET_SETS))
    else:
        begin_in_order(game)


def is_stalemate(game: Game) -> bool:
    """Whether nothing has advanced the game for a long time; from phase 4 on the removal of trains does."""
    is_quiet = title_state(game).quiet_sets >= components.MOST_QUIET_SETS and not has_phase_begun(game, "4")
    return is_quiet and game.state.options.get("stalemate") == "ends"


def reset_stalemate(game: Game, event: Event) -> None:
    """A train, a new company, a closure or a takeover advances the game."""
    title_state(game).quiet_sets = 0


# -- operating rounds ---------------------------------------------------------------------------------


def begin_operating_set(game: Game) -> None:
    """Two operating rounds follow a stock round; the last set of the game may have three (§10, §13)."""
    state = game.state
    rounds = title_state(game).last_set if state.ending else 2
    state.round = Round("operating", state.round.number, 0, rounds)


def next_operating_round(game: Game) -> None:
    """Each operating round has a merger round; the game ends after the last (§10.11, §13)."""
    if not begin_next_of_set(game) and title_state(game).is_last_set:
        end_game(game)


def next_company(game: Game) -> None:
    """The first in operating order that has not had its turn (§10)."""
    company = next_in_order(game, operating_round(game).done)
    if company is not None:
        begin_company_turn(game, company, "minor turn" if kind_of(company) == "minor" else "company turn")


def begin_turn(game: Game) -> None:
    """Interest will be due on the current loans (§10.8)."""
    company = game.company_in_turn
    game.emit(TurnBegan(company))
    remember_loans(game, company)


def settle_loans(game: Game) -> None:
    """Pay interest first, then repay loans (§10.8, §10.9)."""
    company = game.company_in_turn
    pay_interest(game, company)
    if game.company(company).position is not None:
        redeem_loans(game, company)


def end_turn(game: Game) -> None:
    """A company without a train falls one space (§10.10, §11); its shares may be sold from now on (§9.1)."""
    company = game.company_in_turn
    game.company(company).operated = True
    if not game.state.trains_of(company):
        fall(game, company)


def export_train(game: Game) -> None:
    """In phases 4 to 7 the next new train leaves the game after the second operating round (§10.11)."""
    if game.state.round.part != 2 or not has_phase_begun(game, "4") or has_phase_begun(game, "8"):
        return
    export_next(game)


def begin_merger_round(game: Game) -> None:
    """From phase 3 on a merger round follows each operating round (§12)."""
    if has_phase_begun(game, "3"):
        open_merger_round(game)


def return_to_stock_round(game: Game) -> None:
    """A stock round follows; after the end was triggered it is the last (§13)."""
    if game.state.ending:
        title_state(game).is_last_set = True
    title_state(game).quiet_sets += 1
    game.frame.at = 0


# -- reactions ----------------------------------------------------------------------------------------


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    """Unstarted minors and their reservations leave in phase 5, private railways in phase 8; trains above the limits
    are discarded (§8, §10.5).
    """
    if has_phase_begun(game, "5"):
        game.state.board.reservations = []
        for company in game.state.companies.values():
            company.closed = company.closed or (kind_of(company.id) == "minor" and company.position is None)
    if has_phase_begun(game, "8"):
        for private in game.state.privates.values():
            if private.id in components.RAILWAY_PRIVATES:
                close_private(game, private)
    game.board_changed()
    game.push("discard")


def on_train_gone(game: Game, event: TrainBought | TrainExported) -> None:
    """Replace the card of an unlimited family; the first 4+4/6G triggers the end (§10.10, §13)."""
    restock(game, event)
    family = next(train.family for train in game.state.trains if train.id == event.train)
    if family != "4+4" or game.state.ending:
        return
    if isinstance(event, TrainBought) or game.state.options.get("end") == "any":
        see_last_train(game)


def see_last_train(game: Game) -> None:
    """Three more operating rounds: one and a pair, or a triple set after the next stock round (§13)."""
    current = game.state.round
    title_state(game).last_set = components.ROUNDS_TO_THE_END - max(0, current.of - current.part)
    trigger_end(game, "the first 4+4/6G train has left the bank", "after three more operating rounds")


# -- the end ------------------------------------------------------------------------------------------


def final_price(game: Game, company_id: CompanyId) -> int:
    """The price after one space to the left for each loan (§13)."""
    company = game.company(company_id)
    return 0 if company.position is None else components.MARKET.price((0, max(0, company.position[1] - company.loans)))


def net_worth(game: Game, player: PlayerId) -> int:
    """Cash, shares at the adjusted price, minors at twice it, ferries and undergrounds at face value (§13)."""
    total = game.state.cash[player]
    for company in game.state.companies.values():
        held = company.percent_held_by(player)
        if held:
            unit = {"minor": 50, "public": 10, "system": 5}[kind_of(company.id)]
            total += final_price(game, company.id) * held // unit
    return total + sum(components.PRIVATES[private.id].price for private in game.state.privates_of(player))


# -- whose turn it is (§10) -----------------------------------------------------------------------------


def operating_order(game: Game) -> list[CompanyId]:
    """All companies in play: minors, then publics, then systems, each by falling price, the upper marker first."""
    return order_by_kinds(game, ("minor", "public", "system"))


def next_in_order(game: Game, done: Container[CompanyId]) -> CompanyId | None:
    return next((company for company in operating_order(game) if company not in done), None)
