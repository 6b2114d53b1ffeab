"""The ledger of companies as plain values, ready to be written into the page."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.games.company_ledger import build_ledger
from bot.engine.games.game_record import GameRecordFile
from bot.engine.notation import money
from bot.engine.play import Game
from bot.i18n import tr
from bot.i18n.labels import format_round_label
from bot.service.views.ledger_text import price_text, revenue_message, trains_text


@dataclass(frozen=True)
class LedgerRow:
    round: str
    revenue: str
    price: str
    treasury: str
    trains: str


@dataclass(frozen=True)
class CompanyLedger:
    sign: str
    name: str
    lines: list[LedgerRow]


def company_ledgers(game: Game, course: GameRecordFile) -> list[CompanyLedger]:
    """:raises Rejected: a move is not legal by the rules that the game names."""
    return [
        CompanyLedger(
            company,
            game.title.companies[company].name,
            [
                LedgerRow(
                    format_round_label(line.label),
                    tr(revenue_message(game, line)),
                    price_text(game, line),
                    money(game, line.treasury),
                    trains_text(line),
                )
                for line in lines
            ],
        )
        for company, lines in build_ledger(game.title, course).items()
    ]
