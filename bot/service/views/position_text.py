"""A position in plain text: the same facts as the pictures, for terminals and screen readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.engine import (
    BANK,
    IPO,
    POOL,
    CompanyId,
    HexId,
    IllegalMove,
    Message,
    Owner,
    PlayerId,
    PrivateId,
    as_private,
    is_player,
    isolate,
    join_and,
    msg,
)
from bot.engine.board import COLOURS, Node, Tile, find_tiles
from bot.engine.notation import hex_name, money, near_words, question, round_and_phase
from bot.engine.play import Game
from bot.engine.play.holdings import (
    card_sides,
    format_certificates_short,
    president_of,
    price_of,
    remaining_in_depot,
    stack_key,
    trains_for_sale,
)
from bot.engine.state import Company
from bot.i18n import tr
from bot.service.parser.components_info import company_words, lot_of, private_text, shop, starts, train_text
from bot.service.parser.vocabulary import player_named
from bot.titles.registry import TITLES

PART = "; "
"""Separator between the parts of a hex in words, the first of which is its colour."""

SIDES = {
    "gauge": "change of gauge",
    "water": "water",
    "mountain": "mountain",
    "barrier": "barrier",
    "cost": "cost",
    "province": "inner frontier",
    "wall": "wall",
    "stub": "track must point",
}

MOST_PRICES = 12
"""Of a zone with more prices than this only the lowest and the highest are named."""


def status_text(game: Game) -> str:
    """Round, question, bank and trains, every player, every company that has a price, privates for sale."""
    paragraphs = [
        [f"{game.title.name}: {tr(round_and_phase(game))}", tr(question(game))],
        [tr("Bank {bank}; trains left: {trains}", bank_text(game), trains_left(game))],
        [player_line(game, player) for player in game.state.order],
        [company_line(game, company.id) for company in shown_companies(game)],
        [*map(tr, game.title.look.lines(game)), *map(tr, game.title.look.describe_charts(game))],
        shop(game),
    ]
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines)


def bank_text(game: Game) -> str:
    """The bank's money, or that it has no limit, or that it is broken and goes on with paper."""
    if game.title.bank_is_unlimited:
        return tr("without limit")
    left = game.state.cash[BANK]
    return money(game, left) if left >= 0 else tr("broken")


def worth(game: Game, player: PlayerId) -> int:
    return game.title.rules.worth(game, player)


def shown_companies(game: Game) -> list[Company]:
    """Companies that have a price, or are in play without a price."""
    return [company for company in game.state.companies.values() if company.par is not None or company.floated]


# -- trains and tiles ---------------------------------------------------------------------------------


def trains_left(game: Game) -> str:
    return ", ".join(f"{number} x {family}" for family, number in remaining_in_depot(game).items()) or tr("none")


def trains_text(game: Game) -> str:
    """Every family: cards left, prices of its sides, what rusts it, whether it is for sale now."""
    now, left_of = {card.family for card in trains_for_sale(game)}, remaining_in_depot(game)
    lines = []
    for family in dict.fromkeys(kind.family for kind in game.title.trains.values()):
        left = left_of.get(family, "0")
        kinds = card_sides(game, family)
        prices = ", ".join(f"{kind.name} {money(game, kind.price)}" for kind in kinds)
        rusts = next((tr("; rust with the first {rusts_on}", kind.rusts_on) for kind in kinds if kind.rusts_on), "")
        sentence = "{prices}: {left} left (for sale now){rusts}" if family in now else "{prices}: {left} left{rusts}"
        lines.append(tr(sentence, prices, left, rusts))
    return "\n".join(lines)


def tiles_text(game: Game, which: str = "") -> str:
    """The tiles left, colour by colour; only of these colours or numbers, if any are named.

    :raises IllegalMove: there are none that are called so.
    """
    tiles = [tile for tile in find_tiles(game.board_rules.tiles.values(), which, tr) if not tile.is_hidden]
    if not tiles:
        raise IllegalMove("There are no tiles {subject}.", "", which[:40])
    by_colour: dict[str, list[str]] = {}
    for tile in tiles:
        left = game.board_rules.tiles_left(game, tile.id)
        if left is None or left > 0:
            by_colour.setdefault(tile.colour, []).append(f"{tile.id}x{'*' if left is None else left}")
    return "\n".join(f"{tr(colour)}: {' '.join(tiles)}" for colour, tiles in by_colour.items()) or tr("None are left.")


def trains_of(game: Game, company: CompanyId) -> str:
    """The company's trains, `no train` when it has none."""
    trains = [train.kind for train in game.state.trains_of(company)]
    if not trains:
        return tr("no train")
    return tr("trains {trains}" if len(trains) > 1 else "train {trains}", ", ".join(trains))


# -- players ------------------------------------------------------------------------------------------


def player_line(game: Game, player: PlayerId) -> str:
    """Cash, certificates, worth, shares, privates; an asterisk marks what the player directs."""
    name = game.state.name(player)
    return tr(
        "{player}: {cash}, {held} certificates, net worth {worth}; {holdings}",
        tr("{player} (priority)", name) if player == game.state.priority else name,
        money(game, game.state.cash[player]),
        format_certificates_short(game, player),
        money(game, worth(game, player)),
        ", ".join(holdings(game, player)) or msg("owns nothing yet"),
    )


def holdings(game: Game, owner: Owner) -> list[str]:
    held = [
        f"{company.id} {company.percent_held_by(owner)}%{'*' if president_of(company) == owner else ''}"
        for company in game.state.companies.values()
        if company.percent_held_by(owner)
    ]
    return held + [str(private.id) for private in game.state.privates_of(owner)]


def player_text(game: Game, name: str) -> str:
    """A player's sheet, by name or number.

    :raises IllegalMove: there is no such player.
    """
    player = player_named(game, name)
    if player is None:
        names = [seat.name for seat in game.state.players]
        raise IllegalMove(
            "There is no player {name}{suggestions}; at this table: {players}.",
            "",
            name,
            near_words(name, names),
            ", ".join(names),
        )
    lines = [player_line(game, player)]
    for company in game.state.companies.values():
        percent = company.percent_held_by(player)
        if percent:
            role = f", {tr(game.title.director_word)}" if president_of(company) == player else ""
            lines.append(
                tr(
                    "  {company} {percent}%{role}, price {money}",
                    company.id,
                    percent,
                    role,
                    money(game, price_of(game, company.id)),
                )
            )
    for private in game.state.privates_of(player):
        noun = game.title.privates[private.id]
        power = f"; {tr(noun.power)}{tr(' (used)') if private.ability_used else ''}" if noun.power else ""
        income = tr(", income {money}", money(game, noun.income)) if noun.income else ""
        lines.append(f"  {private.id} {tr(noun.name)}{income}{power}")
    return "\n".join(lines)


# -- companies ----------------------------------------------------------------------------------------


def director_name(game: Game, company: Company) -> str:
    """The holder of the charter: a player's name, or a private's sign; empty if nobody holds it."""
    owner = company.certificates[0].owner
    has_one = company.has_president and (is_player(owner) or owner in game.state.privates)
    return game.state.name(owner) if has_one else ""


def company_line(game: Game, company_id: CompanyId) -> str:
    company = game.company(company_id)
    if company.closed:
        return tr("{company}: no longer in play", company_id)
    director = director_name(game, company)
    left = len(company.tokens_left)
    places = [*game.title.companies[company_id].tokens, *game.state.board.cities_of(company_id), *company.tokens_left]
    tokens = ", ".join(hex_id for hex_id, _ in game.state.board.cities_of(company_id))
    parts = [
        tr("price {money}", money(game, price_of(game, company_id)))
        if company.position
        else tr("no price")
        if company.floated
        else tr("not started ({later})", msg(later))
        if (later := starts(game, company_id))
        else tr("not started"),
        *([tr("par {money}", money(game, company.par))] if company.par and company.percent_held_by(IPO) else []),
        tr("cash {money}", money(game, game.state.cash[company_id])),
        trains_of(game, company_id),
        *([tr("tokens on {tokens}", tokens) if tokens else tr("no token on the map")] if places else []),
        *([tr("{left} token left" if left == 1 else "{left} tokens left", left)] if places else []),
        tr("unsold {percent}%", company.percent_held_by(IPO)),
        tr("pool {percent}%", company.percent_held_by(POOL)),
    ]
    if company.loans:
        parts.append(tr("{loans} loans" if company.loans > 1 else "{loans} loan", company.loans))
    parts += [private.id for private in game.state.privates_of(company_id)]
    if director:
        parts.append(f"{tr(game.title.director_word)} {director}")
    is_started = company.position is not None
    sign = tr("{company} (not floated)", company_id) if is_started and not company.floated else company_id
    return f"{sign}: {'; '.join(parts)}"


def find_company(game: Game, name: str) -> CompanyId | None:
    """The company of that sign or name; case does not matter. None where there is none."""
    wanted = name.strip().lower()
    nouns = game.title.companies.items()
    return next((sign for sign, noun in nouns if wanted in (sign.lower(), noun.name.lower())), None)


def require_company(game: Game, name: str) -> CompanyId:
    """The company of that name; case does not matter.

    :raises IllegalMove: there is none.
    """
    company = find_company(game, name)
    if company is not None:
        return company
    signs = [str(company) for company in game.state.companies]
    raise IllegalMove(
        "There is no company {name}{suggestions}; the companies are: {companies}.",
        "",
        name,
        near_words(name, signs),
        ", ".join(signs),
    )


def company_text(game: Game, name: str) -> str:
    """A company's charter, by its sign or its name.

    :raises IllegalMove: there is none.
    """
    company_id = require_company(game, name)
    noun, words = game.title.companies[company_id], company_words(game, company_id)
    if company_id not in game.state.companies:
        return "\n".join(filter(None, [noun.name, tr("It is not in this game."), words]))
    company = game.company(company_id)
    lines = [noun.name, company_line(game, company_id), holders_line(game, company)]
    if company.tokens_left and not company.closed:
        prices = (game.title.look.token_price(game, printed) for printed in company.tokens_left)
        lines.append(tr("next tokens cost {what}", ", ".join(money(game, price) for price in prices)))
    if noun.home:
        lines.append(tr("home {what}", ", ".join(hex_name(game, hex_id) for hex_id in noun.home)))
    goals = game.board_rules.map.goals_of(company_id)
    if goals and company_id not in game.title.look.spent(game):
        lines.append(tr("target {what}", ", ".join(hex_name(game, hex_id) for hex_id in goals)))
    lot = lot_of(game, company_id)
    if lot is not None and not lot.later:
        lines.append(tr("for sale from {money}", money(game, lot.price)))
    return "\n".join([*lines, words] if words else lines)


def holders_line(game: Game, company: Company) -> str:
    owners: list[Owner] = [*(seat.id for seat in game.state.players), *game.state.privates]
    holders = [(game.state.name(owner), company.percent_held_by(owner)) for owner in owners]
    held = ", ".join(f"{isolate(holder)} {percent}%" for holder, percent in holders if percent)
    return tr("held by {held}", held) if held else tr("held by no player")


def is_thing(game: Game, name: str) -> bool:
    try:
        return bool(thing_text(game, name))
    except IllegalMove:
        return False


def thing_text(game: Game, name: str) -> str:
    """A private, a train or a company, by its sign or its name; of a private and a company of one name the company.

    :raises IllegalMove: there is nothing of that name.
    """
    wanted, privates = name.strip().lower(), game.title.privates.items()
    private = next((sign for sign, _ in privates if wanted == sign.lower()), None)
    if private is not None:
        return private_text(game, private)
    train = next((kind for kind in game.title.trains if wanted == kind.lower()), None)
    if train is not None:
        return train_text(game, train)
    if find_company(game, name) is not None:
        return company_text(game, name)
    private = next((sign for sign, noun in privates if wanted == noun.name.lower()), None)
    if private is not None:
        return private_text(game, private)
    groups: tuple[Iterable[str], ...] = (game.state.companies, game.title.privates, game.title.trains)
    unknown = unknown_thing(game, name.strip(), groups) if wanted else msg("Which?")
    companies, signs, trains = map(", ".join, groups)
    template = "{unknown} Companies: {companies}. {privates}: {signs}. Trains: {trains}."
    raise IllegalMove(template, "", unknown, companies, msg(game.title.privates_word), signs, trains)


def unknown_thing(game: Game, name: str, groups: Iterable[Iterable[str]]) -> Message:
    """The sentence that nothing here has that name, with other games that have it, or similar names."""
    games = [
        title.name
        for title in TITLES.values()
        if name.lower() in (sign.lower() for nouns in (title.companies, title.privates) for sign in nouns)
    ]
    if games:
        return msg("{name} is not in {title}, but in {games}.", name, game.title.name, join_and(games))
    near = near_words(name, [sign for group in groups for sign in group])
    return msg("There is no {name}{suggestions}.", name, near)


# -- board and market ---------------------------------------------------------------------------------


def map_text(game: Game, spaces: Iterable[HexId] | None = None) -> str:
    """These hexes in words, or every hex of which the picture shows more than its colour."""
    if spaces is not None:
        return "\n".join(hex_line(game, hex_id) for hex_id in spaces)
    lines = ((space, hex_line(game, hex_id)) for hex_id, space in game.board_rules.map.hexes.items())
    return "\n".join(line for space, line in lines if space.name or game.tile_at(space.id).paths or PART in line)


def hex_line(game: Game, hex_id: HexId) -> str:
    """One hex in words: tile, track, stops with their values, tokens, terrain, other signs."""
    space, tile = game.board_rules.map.hexes[hex_id], game.tile_at(hex_id)
    laid = game.state.board.tiles.get(hex_id)
    beside = game.board_rules.map.neighbours[hex_id]
    lies = "{colour} tile {tile}, rotation {rotation}"
    parts = [tr(lies, tr(tile.colour), laid.tile, laid.rotation) if laid else tr(tile.colour)]
    exits = [other for edge in sorted(tile.exits) if (other := beside[edge])]
    if exits:
        parts.append(tr("track to {exits}", ", ".join(exits)))
    parts += stops_in_words(game, hex_id)
    if laid and tile.cost:
        parts.append(f"{tr('terrain')} {money(game, tile.cost)}")
    elif not laid and space.cost:
        parts.append(f"{', '.join(map(tr, space.terrains or ('terrain',)))} {money(game, space.cost)}")
    parts += signs_in_words(game, hex_id)
    return f"{hex_id}{f' {space.name}' if space.name else ''}: {PART.join(parts)}"


def stops_in_words(game: Game, hex_id: HexId) -> list[str]:
    tile, board = game.tile_at(hex_id), game.state.board
    colours = game.title.phase(game.state.phase).colours
    words = []
    for node in tile.nodes:
        value = node.value_in(colours)
        # A sum to which no track leads is shown only with its colours.
        is_sum = node.kind == "offboard" and not tile.exits
        said = "" if is_sum else f"{tr(stop_name(tile, node))}{f' {value}' if value else ''}"
        if node in tile.cities:
            number = tile.cities.index(node)
            tokens = board.tokens_in(hex_id, number)
            kept = [tr("reserved for {company}", company) for company in board.reservations_in(hex_id, number)]
            free = node.slots - len(tokens) - len(kept)
            places = [*tokens, *kept, *([tr("{free} free", free)] if free > 0 else [])]
            said += f" ({', '.join(places)})" if places else ""
        words += [said] if said else []
        if len(node.revenue) > 1:
            each = zip(node.colours or COLOURS, node.revenue, strict=False)
            words.append(tr("worth {what}", ", ".join(f"{tr(colour)} {revenue}" for colour, revenue in each)))
    return words


def stop_name(tile: Tile, node: Node) -> str:
    """The kind of a stop; where tracks end, the colour decides: off the board, at a port, or at another end of the
    line.
    """
    return (
        {"red": "off the board", "blue": "port"}.get(tile.colour, "terminus") if node.kind == "offboard" else node.kind
    )


def signs_in_words(game: Game, hex_id: HexId) -> Iterator[str]:
    """Further text for a hex in the picture: letters, whose target it is, what is there, features along its edges."""
    space, tile, look = game.board_rules.map.hexes[hex_id], game.tile_at(hex_id), game.title.look
    letters = [text for text in tile.labels if text != space.name]
    if space.is_later_label_due(tile):
        letters.append(tr("{later_label} later", space.later_label))
    icons = (icon.replace("bonus_", "+").replace("plus_", "+") for icon in tile.icons)
    letters += map(tr, icons)
    if letters:
        yield tr("marked {letters}", ", ".join(letters))
    goals = [company for company in space.goals if company not in look.spent(game)]
    if goals:
        yield tr("target of {goals}", ", ".join(goals))
    lying = [mark.text for mark in look.marks(game) if mark.hex == hex_id]
    lying += (tr("private {sign}", sign) for sign in space.privates if is_open(game, as_private(sign)))
    if lying:
        yield tr("here {things}", ", ".join(lying))
    along: dict[tuple[str, int], list[HexId]] = {}
    for side in space.sides:
        beside = game.board_rules.map.neighbours[hex_id][side.edge]
        if side.kind in SIDES and beside is not None:
            along.setdefault((SIDES[side.kind], side.cost), []).append(beside)
    for (what, cost), others in along.items():
        barrier = f"{tr(what)} {money(game, cost)}" if cost else tr(what)
        yield tr("{barrier} towards {spaces}", barrier, ", ".join(others))


def is_open(game: Game, sign: PrivateId) -> bool:
    private = game.state.privates.get(sign)
    return private is not None and not private.closed


def market_text(game: Game) -> str:
    """The chart in columns, companies beside their prices, top marker first; then what its zones mean."""
    grid = [[market_cell(game, r, c) for c, _ in enumerate(row)] for r, row in enumerate(game.title.market.rows)]
    widths = [max(len(row[c]) for row in grid if c < len(row)) for c in range(max(len(row) for row in grid))]
    lines = [" ".join(cell.ljust(widths[c]) for c, cell in enumerate(row)).rstrip() for row in grid]
    for zone, meaning in game.title.market.zones.items():
        prices = sorted({game.title.market.price(cell) for cell in game.title.market.cells_in(zone)})
        shown = prices if len(prices) <= MOST_PRICES else (prices[0], prices[-1])
        amounts = [money(game, price) for price in shown]
        span = ", ".join(amounts) if shown is prices else tr("{low} to {high}", *amounts)
        lines.append(f"{tr(meaning)}: {span}")
    return "\n".join(lines)


def market_cell(game: Game, row: int, column: int) -> str:
    """A price with the companies in its cell: `90[VR QR]`; a dot outside the chart."""
    cell = game.title.market.cell((row, column))
    stack = game.state.stacks.get(stack_key((row, column)), [])
    return "." if cell is None else f"{cell.price}{f'[{chr(32).join(stack)}]' if stack else ''}"
