"""Rounds of 1844: set-up, operating rounds, phases, the end of the game (1844 §III, §XIII, §XIX, §XX, §XXIII)."""

from __future__ import annotations

from bot.engine import BANK, POOL, REMOVED, CompanyId, Owner, PlayerId, TrainId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import (
    Position,
    has_phase_begun,
    set_up_cash,
    set_up_companies,
    set_up_trains,
    share_unit,
    step_left_or_down,
    step_up,
    trains_for_sale,
    value_of_shares,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.holdings.trains import export
from bot.engine.play.steps import (
    begin_next_of_set,
    close_private,
    is_in_turn,
    log_idle,
    operating_turn,
    pay_parts,
    put_token,
    trigger_end,
)
from bot.engine.state import PhaseBegan, Private, Round, Train, TurnBegan

from . import components, sbb_formation
from .flotation import give_up_target, pay_targets
from .interpretations import interpretation_flags
from .player_debt import total_debt
from .state import title_state
from .track import lay_furka
from .trains import forget_sales

# -- set-up -------------------------------------------------------------------------------------------


def set_up(game: Game) -> None:
    """§III"""
    state = game.state
    set_up_cash(game, components.BANK_CASH, components.STARTING_CASH[len(state.players)])
    set_up_companies(game, components.COMPANIES.values())
    for noun in components.COMPANIES.values():
        if noun.home:
            state.board.reserve(noun.home[0], noun.home_city or 0, noun.id)
    for private in components.PRIVATES.values():
        owner = None if private.id in components.PRINTED_PRIVATES else BANK
        state.privates[private.id] = Private(private.id, private.price, owner)
    if interpretation_flags(game).p6_costs_180:
        state.privates[components.MILANO].price = components.LATER_MILANO_PRICE
    cards = {family: range(number) for family, number in components.TRAIN_CARDS.items()} | {"5": components.FIVES}
    set_up_trains(
        game, cards if interpretation_flags(game).has_20_eights else cards | {"8E": range(components.UNLIMITED_EIGHTS)}
    )
    state.trains.append(Train(TrainId(components.EVA), "5", "5H", REMOVED))
    title_state(game).waiting = list(components.TARGETS)
    state.round = Round("auction")
    game.push("game")


# -- operating rounds ---------------------------------------------------------------------------------


def next_operating_round(game: Game) -> None:
    """Begin the next round of the set, after the SBB has formed if due (§XII); on 18xx.games the game may end before,
    and after the last round of a set a train is sold abroad first.
    """
    current, now = game.state.round, interpretation_flags(game)
    is_last = current.part >= current.of
    waits = is_last and (now.export_precedes_sbb or (now.end_precedes_sbb and bool(game.state.ending)))
    if title_state(game).is_forming and not waits:
        game.frame.at -= 1
        sbb_formation.form_sbb(game)
        return
    begin_next_of_set(game)


def sell_abroad(game: Game) -> None:
    """Remove a new train from the game at the end of each set, from the phase of the first 2/2H on (§XVII)."""
    cards = trains_for_sale(game)
    if has_phase_begun(game, "2") and cards:
        export(game, cards[0])


def form_after_export(game: Game) -> None:
    """Form the SBB immediately if the first 5/5H was sold abroad (§XII)."""
    if title_state(game).is_forming:
        sbb_formation.form_sbb(game)


def begin_turn(game: Game) -> None:
    """Place the first marker at home, free of charge (§XVI)."""
    company_id = game.company_in_turn
    noun, board = components.COMPANIES[company_id], game.state.board
    forget_sales(game)
    game.emit(TurnBegan(company_id))
    if noun.home and not any(True for _ in board.cities_of(company_id)):
        home = noun.home[0]
        kept = [place.city for place in board.reservations if (place.hex, place.company) == (home, company_id)]
        put_token(game, company_id, home, kept[0] if kept else 0)
    pay_targets(game)


def after_run(game: Game) -> None:
    """A company that earned nothing pays no dividend, and falls (§XIX); P6 closes when the FNM runs first (§V)."""
    company_id = game.company_in_turn
    if not operating_turn(game).revenue:
        log_idle(game)
        on_dividend(game, company_id, 0)
    elif company_id == components.FNM:
        close_private(game, game.private(components.MILANO))


def share_out(game: Game, company_id: CompanyId, revenue: int) -> None:
    """Round players' parts up, and the company's part for shares in the pool down (§XVIII)."""
    company, pool = game.company(company_id), revenue * game.company(company_id).percent_held_by(POOL) // 100
    held = [
        (seat.id, company.percent_held_by(seat.id)) for seat in game.state.players if company.percent_held_by(seat.id)
    ]
    parts: list[tuple[Owner, int]] = [(player, -(-revenue * percent // 100)) for player, percent in held]
    each, rest = divmod(revenue * share_unit(company), 100)
    pay_parts(game, company_id, revenue, [*parts, *([(company_id, pool)] if pool else [])], each, bool(rest))


def on_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """Right for a dividend, left without; at the end of a row up or down (§XIX)."""
    company = game.company(company_id)
    company.operated = True
    position = company.position or (0, 0)
    move(
        game,
        company_id,
        position_after_rise(game, company_id, position) if paid else step_left_or_down(components.MARKET, position),
    )


def position_after_rise(game: Game, company_id: CompanyId, position: Position) -> Position:
    """One space to the right, for regional railways never beyond the red line; otherwise one up (§X, §XIX)."""
    beside = (position[0], position[1] + 1)
    is_barred = components.COMPANIES[company_id].kind == components.REGIONAL and components.MARKET.is_in_zone(
        beside, "t"
    )
    return step_up(components.MARKET, position) if is_barred or components.MARKET.cell(beside) is None else beside


# -- reactions ----------------------------------------------------------------------------------------


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    """Downgrades, the end of the privates, the SBB, targets, limits (§XX)."""
    begins_on = game.title.phase(event.phase).begins_on or ""
    if begins_on in components.DOWNGRADES:
        downgrade(game, components.DOWNGRADES[begins_on])
    if event.phase == "5":
        close_privates(game)
        title_state(game).is_forming = True
    if event.phase == "6":
        for company in game.state.companies.values():
            if components.COMPANIES[company.id].kind == components.HISTORICAL and not company.floated:
                give_up_target(game, company.id)
    if event.phase == "5":
        build_eva(game)
    if is_in_turn(game) or not interpretation_flags(game).discards_in_turns_alone:
        game.push("discard")


def discard_late(game: Game) -> None:
    """On 18xx.games trains above a limit that fell with an export are given up when the next operating round begins."""
    if interpretation_flags(game).discards_in_turns_alone:
        game.push("discard")


def downgrade(game: Game, kind: str) -> None:
    changed = [train for train in game.state.trains if train.kind == kind and train.owner != REMOVED]
    for train in changed:
        game.state.move_train(train, train.owner, f"{kind}H")
    if changed:
        game.log("All {kind} trains become {into} trains.", kind, f"{kind}H")


def close_privates(game: Game) -> None:
    """All privates close; the Furka-Oberalp line is laid at the last moment (§V)."""
    if not game.private(components.FURKA).closed:
        lay_furka(game)
    for sign in components.PRINTED_PRIVATES:
        close_private(game, game.private(sign))


def build_eva(game: Game) -> None:
    """The owner of P7 may give the EVA to a company they direct, immediately or later (§V)."""
    owner = game.private(components.OERLIKON).owner
    if owner is None or not is_player(owner):
        return
    game.state.move_train(next(train for train in game.state.trains if train.id == components.EVA), owner)
    game.log("The EVA is built: {player} may give this 5H to one of their companies.", owner)
    if not interpretation_flags(game).eva_waits_for_a_turn:
        game.push("eva", owner, asked=[PlayerId(owner)])


def on_track(game: Game, event: object) -> None:
    """New track or a new marker may connect a company with its target (§VIII)."""
    pay_targets(game)


# -- the end ------------------------------------------------------------------------------------------


def detect_game_end(game: Game, event: object) -> None:
    """When the bank has no money, finish the current set of operating rounds, or the next set (§XXIII).

    18xx.games waits until the bank owes some.
    """
    if game.state.cash[BANK] < (0 if interpretation_flags(game).ends_when_bank_owes else 1):
        trigger_end(game, components.BANK_IS_EMPTY)


def net_worth(game: Game, player: PlayerId) -> int:
    state = game.state
    paying = sum(
        components.PRIVATES[sign].price
        for sign in (*components.MOUNTAINS, *components.TUNNELS)
        if state.privates[sign].owner == player and sign in title_state(game).active
    )
    return state.cash[player] + value_of_shares(game, player) + paying - total_debt(game, player)
