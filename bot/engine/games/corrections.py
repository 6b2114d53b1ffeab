"""The corrections that a moderator may make by hand: money and tokens. No rule is asked; only the books must still
balance.

A correction has one exact text form, like a move, so that a game with corrections is replayed and exported like any
other: `correct cash @1 150`, `correct token VR H11.0`, `correct no-token VR H11.0`, `correct revenue VR 440` (what a
company in turn has just run).
"""

from __future__ import annotations

from bot.engine import BANK, CompanyId, HexId, IllegalMove, Message, Owner, ParseError, as_company, msg
from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.engine.state import Board, TurnMemory

FIRST_WORD = "correct"
MOST_CASH = 10**6


def is_correction(text: str) -> bool:
    return text.startswith(f"{FIRST_WORD} ")


def replay_text(game: Game, text: str, was_accepted: bool = False) -> None:
    """Make a recorded move or correction. A move that `was_accepted` is not searched for a better run again: a search
    that had too little time then might find it now.

    :raises Rejected: it cannot be made, or is not a move.
    """
    if is_correction(text):
        apply_correction(game, text)
    else:
        game.is_redoing = was_accepted
        try:
            game.apply(parse_action(game.title, text))
        finally:
            game.is_redoing = False


def apply_correction(game: Game, text: str) -> Message:
    """Make a correction; returns what has changed, in words.

    :raises ParseError: it is not a correction.
    :raises IllegalMove: it cannot be made; nothing has changed.
    """
    words = text.split()
    if len(words) == 4 and words[1] == "cash" and words[3].isdecimal():
        return _correct_cash(game, Owner(words[2]), int(words[3][:9]))
    if len(words) == 4 and words[1] == "revenue" and words[3].isdecimal():
        return _correct_revenue(game, as_company(words[2]), int(words[3][:9]))
    if len(words) == 4 and words[1] in ("token", "no-token"):
        hex_id, _, city = words[3].partition(".")
        if city.isdecimal() and len(city) < 3:
            return _correct_token(game, words[1] == "token", as_company(words[2]), HexId(Owner(hex_id)), int(city))
    raise ParseError(
        "Write a correction like this: correct cash @1 150, correct revenue VR 440, correct token VR H11.0, correct no-token VR H11.0."
    )


def _correct_cash(game: Game, owner: Owner, amount: int) -> Message:
    cash = game.state.cash
    if owner not in cash or owner == BANK:
        raise IllegalMove("{owner} cannot hold cash.", "", owner)
    if amount > MOST_CASH:
        raise IllegalMove("Cash cannot exceed {limit}.", "", MOST_CASH)
    before = cash[owner]
    if amount >= before:
        pay(game, BANK, owner, amount - before, "correction")
    else:
        pay(game, owner, BANK, before - amount, "correction")
    sign = game.title.currency
    return msg("{owner} has {amount} instead of {before}", owner, f"{sign}{amount}", f"{sign}{before}")


def _correct_revenue(game: Game, company: CompanyId, amount: int) -> Message:
    memory = game.frame.memory
    if not isinstance(memory, TurnMemory) or game.frame.entity != company or not memory.revenue:
        raise IllegalMove("{company} did not run its trains immediately before this.", "", company)
    if not 0 < amount <= MOST_CASH:
        raise IllegalMove("Revenue must be between 1 and {limit}.", "", MOST_CASH)
    before, memory.revenue = memory.revenue, amount
    sign = game.title.currency
    return msg("{company} has run for {amount} instead of {before}", company, f"{sign}{amount}", f"{sign}{before}")


def _correct_token(game: Game, is_placed: bool, company_id: CompanyId, hex_id: HexId, city: int) -> Message:
    if company_id not in game.state.companies:
        raise IllegalMove("There is no company {company}.", "", company_id)
    if hex_id not in game.board_rules.map.hexes or city not in range(len(game.tile_at(hex_id).cities)):
        raise IllegalMove("There is no city {city} on {hex}.", "", city, hex_id)
    company, board = game.company(company_id), game.state.board
    if is_placed:
        if not company.tokens_left:
            raise IllegalMove("{company} has no token left.", "", company_id)
        company.tokens_left = company.tokens_left[1:]
        board.place_token(hex_id, city, company_id)
        what = msg("{company} has a token on {hex} now", company_id, hex_id)
    else:
        remove_token(board, hex_id, city, company_id)
        printed = game.title.companies[company_id].tokens
        used = len(printed) - len(company.tokens_left) - 1
        company.tokens_left = (printed[used] if used in range(len(printed)) else 0, *company.tokens_left)
        what = msg("{company} has its token from {hex} back", company_id, hex_id)
    game.board_changed()
    return what


def remove_token(board: Board, hex_id: HexId, city: int, company: CompanyId) -> None:
    """Take one token of a company out of a city.

    :raises IllegalMove: it has none there.
    """
    tokens = board.tokens_in(hex_id, city)
    if company not in tokens:
        raise IllegalMove("{company} has no token in city {city} of {hex_id}.", "", company, city, hex_id)
    tokens.remove(company)
