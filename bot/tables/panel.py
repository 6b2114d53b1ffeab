"""A position in plain text: the same facts as the pictures, for terminals and screen readers."""

from __future__ import annotations

from bot.engine.certificates import certificate_count, president_of
from bot.engine.game import Game
from bot.engine.ids import BANK, DEPOT, IPO, POOL, CompanyId, HexId, Owner, PlayerId
from bot.engine.market import key, price_of
from bot.engine.narration import money, question, where
from bot.engine.refusals import NotAllowed


def status_text(game: Game) -> str:
    """Round, question, bank and trains, every player, every company."""
    lines = [f"{game.title.name}: {where(game)}", question(game), ""]
    lines += [f"Bank {money(game, game.state.cash[BANK])}; trains left: {trains_left(game)}", ""]
    lines += [player_line(game, player) for player in game.state.order]
    lines.append("")
    lines += [company_line(game, company.id) for company in game.state.companies.values() if company.par is not None]
    for_sale = [private for private in game.state.privates.values() if private.owner is None and not private.closed]
    if for_sale:
        offers = ", ".join(f"{p.id} {money(game, p.price)}" for p in for_sale)
        lines += ["", f"Privates for sale: {offers}"]
    return "\n".join(lines)


def trains_left(game: Game) -> str:
    """How many cards of each family the bank has."""
    families: dict[str, int] = {}
    for train in game.state.trains:
        if train.owner == DEPOT:
            families[train.family] = families.get(train.family, 0) + 1
    return ", ".join(f"{number} x {family}" for family, number in families.items()) or "none"


def player_line(game: Game, player: PlayerId) -> str:
    """Cash, certificates, worth, shares, privates."""
    held = [
        f"{company.id} {company.held_by(player)}%{'*' if president_of(company) == player else ''}"
        for company in game.state.companies.values()
        if company.held_by(player)
    ]
    held += [private.id for private in game.state.privates_of(player)]
    limit = game.title.rules.certificate_limit(game, player)
    first = " (priority)" if player == game.state.priority else ""
    return (
        f"{game.state.name(player)}{first}: {money(game, game.state.cash[player])}, "
        f"{certificate_count(game, player)}/{limit} certificates, worth {money(game, game.title.rules.worth(game, player))}; "
        f"{', '.join(held) or 'nothing'}"
    )


def company_line(game: Game, company_id: CompanyId) -> str:
    """Price, treasury, trains, tokens, loans, unsold shares, who presides."""
    company = game.company(company_id)
    if company.closed:
        return f"{company_id}: no longer in play"
    president = president_of(company)
    trains = ", ".join(train.kind for train in game.state.trains_of(company_id)) or "no train"
    tokens = ", ".join(hex_id for hex_id, _ in game.state.board.places_of(company_id)) or "none"
    parts = [
        f"price {money(game, price_of(game, company_id))}" if company.position else "not started",
        f"cash {money(game, game.state.cash[company_id])}",
        trains,
        f"tokens on {tokens}",
        f"{len(company.tokens_left)} tokens left",
        f"unsold {company.held_by(IPO)}%",
        f"pool {company.held_by(POOL)}%",
    ]
    if company.loans:
        parts.append(f"{company.loans} loan(s)")
    parts += [private.id for private in game.state.privates_of(company_id)]
    if president:
        parts.append(f"{game.title.director_word} {game.state.name(president)}")
    return f"{company_id}{'' if company.floated else ' (not launched)'}: {'; '.join(parts)}"


def map_text(game: Game) -> str:
    """Every space with track or a name, with its tile, value and tokens."""
    lines = []
    for hex_id, space in game.title.land.map.hexes.items():
        tile = game.geometry(hex_id)
        if not tile.paths and not space.name and not tile.nodes:
            continue
        lines.append(space_line(game, hex_id))
    return "\n".join(lines)


def space_line(game: Game, hex_id: HexId) -> str:
    """One space in words."""
    space, tile = game.title.land.map.hexes[hex_id], game.geometry(hex_id)
    laid = game.state.board.tiles.get(hex_id)
    beside = game.title.land.map.beside[hex_id]
    parts = [f"{tile.colour}{f' tile {laid.tile} turned by {laid.rotation}' if laid else ''}"]
    exits = [other for edge in sorted(tile.exits) if (other := beside[edge])]
    if exits:
        parts.append(f"track to {', '.join(exits)}")
    colours = game.title.phase(game.state.phase).colours
    stops = [f"{node.kind} {node.value_in(colours)}" for node in tile.nodes]
    parts += stops
    for number in range(len(tile.cities)):
        tokens = game.state.board.tokens_in(hex_id, number)
        kept = [f"kept for {company}" for company in game.state.board.reserved_in(hex_id, number)]
        if tokens or kept:
            parts.append(f"city {number}: {', '.join([*tokens, *kept])}")
    if not laid and space.cost:
        parts.append(f"{space.terrain} {money(game, space.cost)}")
    return f"{hex_id}{f' {space.name}' if space.name else ''}: {'; '.join(parts)}"


def market_text(game: Game) -> str:
    """The chart, row by row, with the companies in each cell, top marker first."""
    lines = []
    for r, row in enumerate(game.title.market.rows):
        cells = []
        for c, cell in enumerate(row):
            stack = game.state.stacks.get(key((r, c)), [])
            cells.append("." if cell is None else f"{cell.price}{f'[{chr(32).join(stack)}]' if stack else ''}")
        lines.append(" ".join(cells))
    return "\n".join(lines)


def tiles_text(game: Game) -> str:
    """Which tiles are left, colour by colour."""
    by_colour: dict[str, list[str]] = {}
    for tile in game.title.land.tiles.values():
        left = game.title.land.left(game.state.board, tile.id)
        if left is None or left > 0:
            by_colour.setdefault(tile.colour, []).append(f"{tile.id}x{'*' if left is None else left}")
    return "\n".join(f"{colour}: {' '.join(tiles)}" for colour, tiles in by_colour.items())


def company_text(game: Game, name: str) -> str:
    """A company by name.

    :raises NotAllowed: there is none.
    """
    company = CompanyId(Owner(name.upper()))
    if company not in game.state.companies:
        raise NotAllowed(f"There is no company {name}; there are: {', '.join(game.state.companies)}.")
    noun = game.title.companies[company]
    return f"{noun.name}\n{company_line(game, company)}"


def player_text(game: Game, name: str) -> str:
    """A player by name.

    :raises NotAllowed: there is none.
    """
    for seat in game.state.players:
        if name.lower() in (seat.name.lower(), seat.id):
            return player_line(game, seat.id)
    names = ", ".join(seat.name for seat in game.state.players)
    raise NotAllowed(f"There is no player {name}; there are: {names}.")


def routes_text(game: Game, company: CompanyId) -> str:
    """The best routes of a company, with their proof."""
    from bot.engine.steps.routes import best_set

    found = best_set(game, company)
    lines = [f"{company}: {money(game, found.revenue)}, {'proven best' if found.proven else f'at most {found.bound}'}"]
    kinds: dict[str, str] = {train.id: train.kind for train in game.state.trains}
    for route in found.routes:
        parts = " + ".join(f"{amount} {name}" for name, amount in route.parts)
        lines.append(
            f"  {kinds[route.train]}: {' - '.join(stop.hex for stop in route.stops)} = {route.revenue} ({parts})"
        )
    return "\n".join(lines)
