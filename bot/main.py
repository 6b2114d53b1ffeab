"""The composition root: every front door gets from here what it runs beside itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.ops.side_services import BoardPages, MailLetters, SideServices
from bot.service.game_service import GameService

if TYPE_CHECKING:
    from bot.render.worker import Renderer


def build_board(
    tables: GameService, port: int, public: str, doorman: RateLimiter | None = None, sends_mail: bool = False
) -> BoardPages:
    from bot.commands.web.server import BoardServer

    return BoardServer(tables, port, public, doorman, sends_mail)


def build_mail(tables: GameService, settings: Settings, studio: Renderer, doorman: RateLimiter) -> MailLetters:
    from bot.commands.mail.service import MailService

    return MailService(tables, settings, studio, doorman)


def mail_fingerprint(settings: Settings) -> int | None:
    """None where no mail is sent."""
    if settings.mail is None:
        return None
    from bot.commands.mail.signatures import AddressSigner

    return AddressSigner.load_or_create(settings.data).fingerprint


SIDE_SERVICES = SideServices(build_board, build_mail, mail_fingerprint)


async def run_discord(token: str, settings: Settings) -> int:
    """Run the bot on Discord, with board pages and mail where settings say so; returns the exit code."""
    from bot.commands.discord.run import run_bot

    return await run_bot(token, settings, SIDE_SERVICES)


async def run_mail(settings: Settings) -> int:
    """Run by mail without Discord; returns the exit code."""
    from bot.commands.mail.main import run_mail

    return await run_mail(settings, SIDE_SERVICES)


async def run_console(settings: Settings, is_strict: bool) -> int:
    """Run the table in this terminal; returns the exit code."""
    from bot.commands.terminal.console import run_console

    return await run_console(
        settings.data,
        is_strict,
        settings.web,
        settings.web_address,
        settings.server,
        SIDE_SERVICES,
        settings.titles,
    )
