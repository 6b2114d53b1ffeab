"""Commands are run for a slash command or a button, and their replies shown: lines, pictures, files, buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

import discord

from bot.commands.discord.interactions import LONGEST, Interaction, edit, escape, refusal_text, respond
from bot.engine import GameId, StalePosition, Text
from bot.i18n import tr, tr_error
from bot.render.painting.picture import Picture
from bot.render.picture_kinds import HistoryOf, PictureOf
from bot.render.worker import PictureFailed, Renderer
from bot.service.features.plans.offers import IDLY
from bot.service.features.plans.records import plan_of
from bot.service.features.sandbox import MovePreview, SandboxState
from bot.service.game_service import GameSession, MoveResult
from bot.service.plans import IDLE
from bot.service.registry.command import Command, Plans, Polls, Reply, TurnNews
from bot.service.registry.commands import COMMANDS

from .command_buttons import FOLLOW_UPS, QUICK, WITHOUT_GAME, OrderButton
from .game_buttons import answer_move, news_picture, preview_pictures, show_turn, turn_view
from .lobby import show_lobby, show_options
from .request import DiscordRequest, Marked, ReplyWithView

MOST_DROPS = 15

LOBBIES = {
    "game new": show_lobby,
    "rematch": show_lobby,
    "game options": show_options,
    "game option": show_options,
    "game clock": show_options,
}
"""Commands that show a lobby, with what shows it."""


async def run_command(
    interaction: Interaction,
    name: str,
    values: Mapping[str, Any],
    game_id: GameId | None = None,
    version: int | None = None,
    is_update: bool = False,
    is_private: bool = True,
    before: Callable[[], Awaitable[object]] | None = None,
) -> Reply | None:
    """Run a command and show its reply, which is returned; None if it is refused. A button names its game and the
    position that it was made for. The act `before` is done once the interaction is acknowledged.
    """
    command, reply = COMMANDS[name], None
    request = DiscordRequest(interaction, game_id, version)
    async with respond(interaction, is_private, is_update):
        if before is not None:
            await before()
        try:
            reply = await command.run(request, **values)
        except StalePosition as refusal:
            await show_turn(interaction, await request.game_id(), tr_error(refusal))
        else:
            await show_reply(request, command, reply)
    return reply


async def show_reply(request: DiscordRequest, command: Command, reply: Reply) -> None:
    interaction, subject = request.interaction, reply.subject
    if isinstance(subject, MoveResult):
        await answer_move(interaction, subject)
        return
    if isinstance(subject, GameSession) and command.name in LOBBIES:
        await LOBBIES[command.name](interaction, subject)
        return
    studio = interaction.client.studio
    pictures, failures = await _paint(studio, reply.pictures)
    is_seen = bool(pictures) and not failures and reply.caption is not None
    lines: Sequence[Text] = [reply.caption] if is_seen and reply.caption else [*reply.lines, *failures]
    text, files = _text_and_files(request, reply, lines)
    files = [*pictures, *files, *await _subject_pictures(request, subject)]
    await edit(interaction, Marked(text), files, await _view(request, reply))


def _text_and_files(request: DiscordRequest, reply: Reply, lines: Sequence[Text]) -> tuple[str, list[Picture]]:
    """The text of a reply and the files below it; a text that is too long for a message is a file itself."""
    has_button = {*FOLLOW_UPS, *WITHOUT_GAME}
    typed = [request.spell(one.command, **one.values) for one in reply.follow_ups if one.command not in has_button]
    text = "\n".join([_escape_line(line) for line in [*lines, *typed]])
    if reply.refusal is not None:
        text = refusal_text(reply.refusal)
    if len(text) > LONGEST and reply.long:
        content = "\n".join(map(_to_text, lines)).encode()
        return tr("It is long, so here it is as a file."), [Picture(reply.long, content, reply.long)]
    if reply.is_latest_last:
        text = last_fitting_lines(text.split("\n"))
    return text, [Picture(file.name, file.content, file.about) for file in reply.files]


async def _subject_pictures(request: DiscordRequest, subject: object) -> list[Picture]:
    """The pictures of what the reply is about: a tried move, or what happened since the last turn of who asks."""
    studio = request.interaction.client.studio
    if isinstance(subject, SandboxState | MovePreview):
        return await preview_pictures(studio, subject.preview if isinstance(subject, SandboxState) else subject)
    if isinstance(subject, TurnNews) and subject.table.game is not None:
        return await news_picture(studio, subject.table.game, subject.since)
    return []


async def _view(request: DiscordRequest, reply: Reply) -> discord.ui.View:
    """The buttons below a reply; an empty view where it has none."""
    subject, view = reply.subject, discord.ui.View(timeout=None)
    if isinstance(reply, ReplyWithView) and reply.view is not None:
        return reply.view
    if isinstance(subject, TurnNews) and subject.table.game is not None:
        record, game = subject.table.record, subject.table.game
        return await turn_view(record.id, record.version, game, subject.table.seats_of(request.person))
    if isinstance(subject, Plans):
        for item in _plan_items(subject):
            view.add_item(item)
    if request.link:
        view.add_item(discord.ui.Button(label=tr("Board"), url=request.link))
    # `QUICK` has the idle plan already.
    is_double = isinstance(subject, Plans)
    follow_ups = [one for one in reply.follow_ups if not is_double or one.values.get("order") != IDLY]
    for one in follow_ups:
        if one.command in WITHOUT_GAME:
            view.add_item(WITHOUT_GAME[one.command](one))
    with_buttons = [one for one in follow_ups if one.command in FOLLOW_UPS]
    if with_buttons and not (isinstance(subject, Polls) and len(subject.polls) > 1):
        game_id = subject.polls[0].record.game if isinstance(subject, Polls) else await request.game_id()
        version = (await request.tables.desk.table(game_id)).record.version
        for one in with_buttons:
            view.add_item(FOLLOW_UPS[one.command](game_id, version, one))
    return view


def _plan_items(subject: Plans) -> Iterator[OrderButton]:
    """Buttons for the usual plans, and to drop present plans."""
    given = {plan_of(plan.record).turn for plan in subject.plans if not plan.is_over}
    for verb in QUICK:
        if verb != IDLE or IDLE not in given:
            yield OrderButton(subject.game_id, verb)
    for number, plan in list(enumerate(subject.plans, 1))[-MOST_DROPS:]:
        yield OrderButton(subject.game_id, "drop", plan.record.plan, number=number)


async def _paint(studio: Renderer, wanted: Sequence[PictureOf | HistoryOf]) -> tuple[list[Picture], list[Text]]:
    """The pictures, and why some could not be painted."""
    pictures: list[Picture] = []
    failures: list[Text] = []
    for one in wanted:
        try:
            pictures.append(await studio.paint(one))
        except PictureFailed as failure:
            failures.append(failure.said)
    return pictures, failures


def _to_text(line: Text) -> str:
    return line if isinstance(line, str) else tr(line)


def _escape_line(line: Text) -> str:
    """A line in which names cannot format or ping."""
    if isinstance(line, Marked):
        return line
    text = _to_text(line)
    return f"- {escape(text[2:])}" if text.startswith("- ") else escape(text)


def last_fitting_lines(lines: Sequence[str]) -> str:
    kept: list[str] = []
    size = 0
    for line in reversed(lines):
        size += len(line) + 1
        if size > LONGEST:
            break
        kept.insert(0, line)
    return "\n".join(kept)
