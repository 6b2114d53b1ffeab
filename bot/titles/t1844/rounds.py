"""Rounds of 1844: set-up, operating rounds, phases, the end of the game (1844 §III, §XIII, §XIX, §XX, §XXIII)."""

from __future__ import annotations

from bot.engine.ids import BANK, POOL, REMOVED, CompanyId, Owner, PlayerId, TrainId, is_player
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import deal_companies, smallest, value_of_shares
from bot.engine.play.holdings.market import Position, left_or_down, move, up
from bot.engine.play.holdings.money import deal_out
from bot.engine.play.holdings.trains import deal_trains, export, for_sale, has_begun
from bot.engine.play.steps.dividends import operating_turn, pay_parts, tell_idle
from bot.engine.play.steps.privates import close_private
from bot.engine.play.steps.rounds import begin_next_of_set, is_in_turn, trigger_end
from bot.engine.play.steps.tokens import put_token
from bot.engine.state.events import PhaseBegan, TurnBegan
from bot.engine.state.state import Private, Round, Train

from . import components, sbb_formation
from .flotation import give_up_target, pay_targets
from .interpretations import readings
from .player_debt import owed
from .state import special
from .track import lay_furka
from .trains import forget_sales

# -- set-up -------------------------------------------------------------------------------------------


def set_up(game: Game) -> None:
    """Money, companies, privates, trains, reservations (§III)."""
    state = game.state
    deal_out(game, components.BANK_CASH, components.STARTING_CASH[len(state.players)])
    deal_companies(game, components.COMPANIES.values())
    for noun in components.COMPANIES.values():
        if noun.home:
            state.board.reserve(noun.home[0], noun.home_city or 0, noun.id)
    for private in components.PRIVATES.values():
        owner = None if private.id in components.PRINTED_PRIVATES else BANK
        state.privates[private.id] = Private(private.id, private.price, owner)
    if readings(game).p6_costs_180:
        state.privates[components.MILANO].price = components.LATER_MILANO_PRICE
    cards = {family: range(number) for family, number in components.TRAIN_CARDS.items()} | {"5": components.FIVES}
    deal_trains(game, cards if readings(game).has_20_eights else cards | {"8E": range(components.UNLIMITED_EIGHTS)})
    state.trains.append(Train(TrainId(components.EVA), "5", "5H", REMOVED))
    special(game).waiting = list(components.TARGETS)
    state.round = Round("auction")
    game.push("game")


# -- operating rounds ---------------------------------------------------------------------------------


def next_operating_round(game: Game) -> None:
    """The next round of the set, after the SBB has formed if it must (§XII); on 18xx.games the game may be over before, and
    after the last round of a set a train is sold abroad first."""
    current, now = game.state.round, readings(game)
    is_last = current.part >= current.of
    waits = is_last and (now.export_precedes_sbb or (now.end_precedes_sbb and bool(game.state.ending)))
    if special(game).is_forming and not waits:
        game.frame.at -= 1
        sbb_formation.form(game)
        return
    begin_next_of_set(game)


def sell_abroad(game: Game) -> None:
    """At the end of each set one new train leaves the game, from the phase of the first 2/2H on (§XVII)."""
    cards = for_sale(game)
    if has_begun(game, "2") and cards:
        export(game, cards[0])


def form_after_export(game: Game) -> None:
    """If the first 5/5H was sold abroad the SBB forms at once (§XII)."""
    if special(game).is_forming:
        sbb_formation.form(game)


def begin_turn(game: Game) -> None:
    """The first marker is placed at home, free (§XVI)."""
    company_id = game.company_in_turn
    noun, board = components.COMPANIES[company_id], game.state.board
    forget_sales(game)
    game.happened(TurnBegan(company_id))
    if noun.home and not any(True for _ in board.cities_of(company_id)):
        home = noun.home[0]
        kept = [place.city for place in board.reservations if (place.hex, place.company) == (home, company_id)]
        put_token(game, company_id, home, kept[0] if kept else 0)
    pay_targets(game)


def after_run(game: Game) -> None:
    """A company that earned nothing pays no dividend, and falls (§XIX); P6 closes when the FNM runs first (§V)."""
    company_id = game.company_in_turn
    if not operating_turn(game).revenue:
        tell_idle(game)
        after_dividend(game, company_id, 0)
    elif company_id == components.FNM:
        close_private(game, game.private(components.MILANO))


def share_out(game: Game, company_id: CompanyId, revenue: int) -> None:
    """Players get their parts rounded up, the company that of the shares in the pool rounded down (§XVIII)."""
    company, pool = game.company(company_id), revenue * game.company(company_id).held_by(POOL) // 100
    held = [(seat.id, company.held_by(seat.id)) for seat in game.state.players if company.held_by(seat.id)]
    parts: list[tuple[Owner, int]] = [(player, -(-revenue * percent // 100)) for player, percent in held]
    each, rest = divmod(revenue * smallest(company), 100)
    pay_parts(game, company_id, revenue, [*parts, *([(company_id, pool)] if pool else [])], each, bool(rest))


def after_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """One space to the right for a dividend, one to the left without; at the end of a row up or down (§XIX)."""
    company = game.company(company_id)
    company.operated = True
    position = company.position or (0, 0)
    move(game, company_id, higher(game, company_id, position) if paid else left_or_down(components.MARKET, position))


def higher(game: Game, company_id: CompanyId, position: Position) -> Position:
    """One space to the right, for regional railways never beyond the red line; else one up (§X, §XIX)."""
    beside = (position[0], position[1] + 1)
    is_barred = components.COMPANIES[company_id].kind == components.REGIONAL and components.MARKET.in_zone(beside, "t")
    return up(components.MARKET, position) if is_barred or components.MARKET.cell(beside) is None else beside


# -- reactions ----------------------------------------------------------------------------------------


def on_phase(game: Game, event: PhaseBegan) -> None:
    """Downgrades, the end of the privates, the SBB, targets, limits (§XX)."""
    begins_on = game.title.phase(event.phase).begins_on or ""
    if begins_on in components.DOWNGRADES:
        downgrade(game, components.DOWNGRADES[begins_on])
    if event.phase == "5":
        close_privates(game)
        special(game).is_forming = True
    if event.phase == "6":
        for company in game.state.companies.values():
            if components.COMPANIES[company.id].kind == components.HISTORICAL and not company.floated:
                give_up_target(game, company.id)
    if event.phase == "5":
        build_eva(game)
    if is_in_turn(game) or not readings(game).discards_in_turns_alone:
        game.push("discard")


def discard_late(game: Game) -> None:
    """18xx.games asks for trains above a limit that fell with an export only when the next operating round begins."""
    if readings(game).discards_in_turns_alone:
        game.push("discard")


def downgrade(game: Game, kind: str) -> None:
    """All trains of a kind become H-trains."""
    changed = [train for train in game.state.trains if train.kind == kind and train.owner != REMOVED]
    for train in changed:
        train.kind = f"{kind}H"
    if changed:
        game.tell("All {kind} trains become {into} trains.", kind, f"{kind}H")


def close_privates(game: Game) -> None:
    """All privates close at the latest now; the Furka-Oberalp line is laid at the last moment (§V)."""
    if not game.private(components.FURKA).closed:
        lay_furka(game)
    for sign in components.PRINTED_PRIVATES:
        close_private(game, game.private(sign))


def build_eva(game: Game) -> None:
    """The owner of P7 has the EVA to give to a company that he directs, at once or later (§V)."""
    owner = game.private(components.OERLIKON).owner
    if owner is None or not is_player(owner):
        return
    next(train for train in game.state.trains if train.id == components.EVA).owner = owner
    game.tell("The EVA is built: {player} may give this 5H to one of their companies.", owner)
    if not readings(game).eva_waits_for_a_turn:
        game.push("eva", owner, asked=[PlayerId(owner)])


def on_track(game: Game, event: object) -> None:
    """New track or a new marker may join a company with its target (§VIII)."""
    pay_targets(game)


# -- the end ------------------------------------------------------------------------------------------


def watch_for_the_end(game: Game, event: object) -> None:
    """When the bank has no money the set of operating rounds is played to its end, or the next one (§XXIII).

    18xx.games waits until it owes some.
    """
    if game.state.cash[BANK] < (0 if readings(game).ends_when_bank_owes else 1):
        trigger_end(game, components.BANK_IS_EMPTY)


def worth(game: Game, player: PlayerId) -> int:
    """The player's final total."""
    state = game.state
    paying = sum(
        components.PRIVATES[sign].price
        for sign in (*components.MOUNTAINS, *components.TUNNELS)
        if state.privates[sign].owner == player and sign in special(game).active
    )
    return state.cash[player] + value_of_shares(game, player) + paying - owed(game, player)
