"""How the board of 1820 looks: tokens of two colours or with stripes, London once more."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import HexId, Message, Text, as_company, is_player, join_or_chain, join_values, msg
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle, SideTable, TokenStyle
from bot.engine.state import Private

from .components import FLOAT_SIZES, LOAN_INTEREST, MAINTENANCE, PHASE_OF_COLUMN, TAKEOVER_PREMIUM
from .operations.stations import station_cost
from .state import title_state

FACES = {
    as_company("L&BR"): TokenStyle("#000000", "", ""),
    as_company("LO&PR"): TokenStyle("#ba55d3", "", ""),
    as_company("ST&AR"): TokenStyle("#ff6347", "", ""),
    as_company("Y&NR"): TokenStyle("#ff0000", "", ""),
    as_company("LBR"): TokenStyle("#4169e1", "", ""),
    as_company("SA&MR"): TokenStyle("#cd853f", "", ""),
    as_company("B&GR"): TokenStyle("#38b0de", "", ""),
    as_company("S&D"): TokenStyle("#006400", "", ""),
    as_company("CFR"): TokenStyle("#006400", "#ffffff", "#ffffff"),
    as_company("L&GR"): TokenStyle("", "#6b8e23", "#6b8e23"),
    as_company("SRBWH&G"): TokenStyle("", "#000000", "#000000"),
    as_company("C&HPR"): TokenStyle("", "#cd853f", "#cd853f"),
    as_company("M&PR"): TokenStyle("", "#00ff00", "#00ff00"),
    as_company("M&GN"): TokenStyle("", "#000000", "#000000"),
    as_company("S&DR"): TokenStyle("", "#ff0000", "#ff0000"),
    as_company("SDR"): TokenStyle("", "#ffffff", "#ffffff"),
    as_company("P&WR"): TokenStyle("", "#000000", "#000000"),
    as_company("C&WR"): TokenStyle("", "#00ff00", "#00ff00"),
    as_company("CVHR"): TokenStyle("#8b008b", "#ffff00", ""),
    as_company("MSJ&AR"): TokenStyle("", "#ffffff", "#ffffff"),
    as_company("B&DJR"): TokenStyle("", "#ffff00", "#38b0de"),
    as_company("MHR"): TokenStyle("", "#ffffff", "#ffffff"),
    as_company("CNR"): TokenStyle("", "#000000", "#000000"),
}
"""Lower half, stripe on the upper half, stripe on the lower half. Companies of a single colour are not listed."""

SHORT = {"yellow": "Yel", "green": "Grn", "blue": "Blu", "brown": "Brn", "red": "Red", "gray": "Gry"}
TINTS = {"blue": "#8fb4dd"}
"""Phases whose colour is not a tile colour."""


def charts(game: Game) -> Iterator[SideTable]:
    """The cost of business (figure 10.1), with the marker on its column."""
    columns = range(len(PHASE_OF_COLUMN))
    rows: list[tuple[Text, ...]] = [
        ("Phase", *(SHORT[PHASE_OF_COLUMN[column]] for column in columns)),
        ("Floats with", *("/".join(str(size) for size in FLOAT_SIZES[column]) for column in columns)),
        ("Premium", *(str(TAKEOVER_PREMIUM[column]) for column in columns)),
        ("Train limit", *(str(game.title.phase(PHASE_OF_COLUMN[column]).train_limit) for column in columns)),
        ("Interest %", *(str(LOAN_INTEREST[column]) for column in columns)),
    ]
    for train, costs in MAINTENANCE.items():
        rows.append((msg("{train} costs", train), *(str(costs[column]) for column in columns)))
    heads = (*(str(column + 1) for column in columns), "END")
    tints = tuple(TINTS.get(phase, phase) for phase in PHASE_OF_COLUMN)
    told = tuple(cost_of_business(game, column) for column in columns)
    yield SideTable("Cost of business", heads, tuple(rows), tints, title_state(game).column, told)


def cost_of_business(game: Game, column: int) -> Message:
    phase, prices = PHASE_OF_COLUMN[column], {train: costs[column] for train, costs in MAINTENANCE.items()}
    return msg(
        "Cost of business (1820 figure 10.1), column {number} of {columns}: phase {phase}; a company floats with "
        "{sizes} shares and may have {limit} trains; a takeover costs the price {premium} spaces up; interest "
        "{interest}% of a loan; maintenance of a train: {costs}",
        column + 1,
        len(PHASE_OF_COLUMN),
        msg(phase),
        join_or_chain(FLOAT_SIZES[column]),
        game.title.phase(phase).train_limit,
        TAKEOVER_PREMIUM[column],
        LOAN_INTEREST[column],
        join_values(", ", [f"{train} £{cost}" for train, cost in prices.items() if cost] or [msg("none")]),
    )


def lines(game: Game) -> Iterator[Text]:
    """The lobby line from the highest marker, number cards, current auction, cousins, future trains, the private
    track.
    """
    record, state = title_state(game), game.state
    if record.lobbies:
        markers = sorted(record.lobbies, key=lambda lobby: -lobby.amount)
        yield msg("Lobby: {lobbies}", ", ".join(f"£{lobby.amount} {state.name(lobby.player)}" for lobby in markers))
    if record.next_order:
        yield msg("Next order: {players}", ", ".join(map(state.name, record.next_order)))
    for cousin, bid in record.cousin_bids.items():
        yield msg("{name}: £{amount} by {player}", game.title.privates[cousin].name, bid.amount, state.name(bid.player))
    if record.auction is not None:
        auction = record.auction
        best = msg(
            "£{best} by {bidder}", auction.best, state.name(auction.bidder) if auction.bidder else msg("the bank")
        )
        yield msg("Auction of {lots}: {best}", ", ".join(auction.lots), best if auction.best else msg("no bid yet"))
    for private in state.privates.values():
        if private.owner is not None and not private.closed:
            yield cousin_line(game, private)
    future = [f"{state.name(train.owner)} {train.kind}" for train in state.trains if is_player(train.owner)]
    if future:
        yield msg("Future trains: {future}", ", ".join(future))
    if record.private_track:
        yield msg("Private companies: {private_track}", ", ".join(record.private_track))


def cousin_line(game: Game, cousin: Private) -> str:
    held = [
        f"{company.id} {company.percent_held_by(cousin.id)}%"
        for company in game.state.companies.values()
        if company.percent_held_by(cousin.id)
    ]
    name, owner = game.title.privates[cousin.id].name, game.state.name(cousin.owner or cousin.id)
    return f"{cousin.id} {name} ({owner}): £{game.state.cash[cousin.id]}{f', {chr(32).join(held)}' if held else ''}"


LOOK = BoardStyle(
    zones={"l": "gray", "y": "yellow", "g": "green", "b": "#8fb4dd", "n": "brown", "e": "red"},
    insets=(HexId("M13"),),
    faces=FACES,
    charts=charts,
    lines=lines,
    token_price=lambda game, printed: station_cost(game),
)
