"""Which numbered certificates of the SBB 18xx.games gives to whom when it forms."""

from __future__ import annotations

from bot.engine import IPO, POOL, Owner, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import president_of
from bot.formats.peer18xx.certificate_ids import PRESIDENT, ShareNumbers

from ..components import PRE_SBB_ORDER, SBB


def exchange(shares: ShareNumbers, game: Game) -> None:
    """Company by company, owner by owner, the first certificates of the size; then the director gets theirs."""
    double = game.company(SBB).certificates[PRESIDENT].percent
    for company in PRE_SBB_ORDER:
        for owner, numbers in shares.holdings_of(company).items():
            given: list[int] = []
            for number in numbers:
                is_double = number == PRESIDENT
                given.append(
                    next(
                        new
                        for new in shares.holdings_of(SBB)[IPO]
                        if new not in given and (game.company(SBB).certificates[new].percent == double) == is_double
                    )
                )
            shares.move(SBB, given, IPO, owner if is_player(owner) else POOL)
    _elect(shares, game)


def _elect(shares: ShareNumbers, game: Game) -> None:
    record, director = game.company(SBB), president_of(game.company(SBB))
    if director is None:
        return
    held = shares.holdings_of(SBB)
    double = record.certificates[PRESIDENT].percent

    def doubles(owner: Owner) -> list[int]:
        return [number for number in held.get(owner, []) if record.certificates[number].percent == double]

    if not doubles(director):
        directors = dict.fromkeys(map(shares.holder, PRE_SBB_ORDER))
        givers = (POOL, list(directors)[-1], *held)
        giver = next(owner for owner in givers if doubles(owner))
        shares.move(SBB, doubles(giver)[:1], giver, director)
        shares.move(SBB, held[director][:2], director, giver)
    former = shares.holder(SBB)
    if former != director:
        given = [number for number in doubles(director) if number != PRESIDENT][:1]
        shares.move(SBB, [PRESIDENT], former, director)
        shares.move(SBB, given, director, former)
