"""The ledger of companies in words: a line for each operating round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine import CompanyId, Message, literal, msg
from bot.engine.games.company_ledger import CompanyRound
from bot.engine.notation import money
from bot.engine.play import Game
from bot.i18n.labels import format_round_label


def revenue_message(game: Game, line: CompanyRound) -> Message:
    """The company's revenue in the round, paid or withheld."""
    paid, withheld = line.paid or 0, line.withheld or 0
    if not paid and not withheld:
        return msg("no revenue")
    if paid and withheld:
        return msg("{money}, {half} of it paid", money(game, paid + withheld), money(game, paid))
    return msg("{money} paid", money(game, paid)) if paid else msg("{money} withheld", money(game, withheld))


def price_text(game: Game, line: CompanyRound) -> str:
    return money(game, line.price) if line.price is not None else "–"


def trains_text(line: CompanyRound) -> str:
    return ", ".join(line.trains) or "–"


def ledger_messages(
    game: Game, ledger: Mapping[CompanyId, Sequence[CompanyRound]], company: CompanyId | None = None
) -> list[Message]:
    """The lines of a company; without one those of all."""
    text = "{company} {round}: {revenue}; price {price}, treasury {treasury}, trains {trains}"
    return [
        msg(
            text,
            literal(name),
            literal(format_round_label(line.label)),
            revenue_message(game, line),
            price_text(game, line),
            money(game, line.treasury),
            literal(trains_text(line)),
        )
        for name, lines in ledger.items()
        if company in (None, name)
        for line in lines
    ]
