"""Answering an interaction: defer first, edit the answer once; only their author sees refusals."""

from __future__ import annotations

import io
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import accumulate
from typing import Any, TypeVar

import aiohttp
import discord

from bot.engine import IllegalMove, PersonId, Rejected
from bot.i18n import set_reader_language, tr, tr_error
from bot.metrics import REFUSALS
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.sessions.answer_moment import answered_at
from bot.service.sessions.at_work import at_work
from bot.store import StoreError

from .client import Interaction
from .failure_kinds import EXPECTED, FailureKind, brief, failure_kind_of, send_first_accepted

log = logging.getLogger(__name__)

Item = TypeVar("Item", bound=discord.ui.DynamicItem[Any])

LONGEST = 1900
"""Discord takes 2000 characters; a little room is left for a frame."""


def person_of(user: discord.abc.User) -> PersonId:
    return PersonId(f"discord:{user.id}")


def values_of(interaction: Interaction) -> list[str]:
    data: Any = interaction.data or {}
    return [str(value) for value in data.get("values", ())]


def custom_id_of(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def truncate(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def whole_lines(lines: Sequence[str], most: int = LONGEST) -> list[str]:
    """The first lines that fit into `most` characters; no line is broken."""
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines, ends, strict=True) if end <= most + 1]


def escape(text: str) -> str:
    """Text in which names cannot format or ping."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(text))


def refusal_text(refusal: Rejected) -> str:
    lines = [tr_error(refusal), *(f"• `{option}`" for option in refusal.instead)]
    return truncate("\n".join(lines))


def files(pictures: Sequence[Picture]) -> list[discord.File]:
    return [discord.File(io.BytesIO(picture.png), picture.name, description=tr(picture.alt)) for picture in pictures]


async def is_within_rate_limit(interaction: Interaction) -> bool:
    """Whether this user may ask now; tells them the reason if not."""
    try:
        interaction.client.doorman.acquire(person_of(interaction.user))
    except Rejected as refusal:
        REFUSALS.labels(type(refusal).__name__).inc()
        try:
            await interaction.response.send_message(refusal_text(refusal), ephemeral=True)
        except discord.HTTPException as error:
            if error.code not in EXPECTED:
                raise
        return False
    return True


async def unknown_button(interaction: Interaction) -> None:
    if await is_within_rate_limit(interaction):
        async with respond(interaction):
            raise IllegalMove("That button no longer works; use the buttons of the game's newest message.")


@asynccontextmanager
async def respond(interaction: Interaction, private: bool = True, is_update: bool = False) -> AsyncIterator[None]:
    """Acknowledge at once; turn refusals and failures of the database into a sentence for the author.

    With `is_update` the answer replaces the message whose button was pressed.
    """
    with interaction.client.doorman.track():
        try:
            await interaction.response.defer(ephemeral=private, thinking=not is_update)
        except discord.HTTPException as error:
            if error.code not in EXPECTED:
                raise
            log.info("interaction %s came too late (%s)", interaction.id, error.code)
        try:
            await set_user_language(interaction)
            with answered_at(interaction.created_at):
                async with at_work(person_of(interaction.user)):
                    yield
        except Rejected as refusal:
            REFUSALS.labels(type(refusal).__name__).inc()
            await edit(interaction, refusal_text(refusal))
        except (StoreError, PictureFailed) as error:
            log.warning("not done: %s", error)
            await edit(interaction, tr(error.said))


async def answer_failure(interaction: Interaction, error: BaseException) -> None:
    """Handle an unexpected error of a command, button or form: logged once with its cause; the user gets a sentence."""
    if isinstance(error, discord.HTTPException) and error.code in EXPECTED:
        log.info("interaction failed as expected: %s", error.code)
        return
    if (
        isinstance(error, discord.HTTPException | aiohttp.ClientError | TimeoutError)
        and failure_kind_of(error) is FailureKind.DOWN
    ):
        log.warning("Discord does not work, an interaction had no answer (%s)", brief(error))
        text = tr("Discord is not working at the moment. Check whether it was done before you try again.")
    else:
        log.error("interaction failed", exc_info=error)
        text = tr("Something went wrong; nothing was changed. The error is logged.")
    if interaction.response.is_done():
        await interaction.edit_original_response(content=text)
    else:
        await interaction.response.send_message(text, ephemeral=True)


def form_fields(part: Any) -> list[dict[str, Any]]:
    """All fields of a submitted form, at any depth."""
    if isinstance(part, list):
        return [field for one in part for field in form_fields(one)]
    if not isinstance(part, dict):
        return []
    if "value" in part:
        return [part]
    return form_fields(part.get("components")) + form_fields(part.get("component"))


async def set_user_language(interaction: Interaction) -> None:
    """Use the user's language from now on: their choice, else the language of their Discord client."""
    chosen = await interaction.client.tables.languages.chosen_language(person_of(interaction.user))
    set_reader_language(chosen or str(interaction.locale))


async def edit(
    interaction: Interaction, text: str, pictures: Sequence[Picture] | None = (), view: discord.ui.View | None = None
) -> discord.Message | None:
    """Put the answer into the acknowledged interaction, without pictures and buttons where Discord does not take
    them; safe to repeat. Returns the message if it was delivered. With None for pictures, the message keeps its
    pictures.
    """
    change = partial(
        interaction.edit_original_response,
        content=truncate(tr(text)),
        allowed_mentions=discord.AllowedMentions.none(),
    )
    whole = partial(
        change,
        attachments=discord.utils.MISSING if pictures is None else files(pictures),
        view=view or discord.utils.MISSING,
    )
    try:
        return await send_first_accepted([whole, partial(change, attachments=[], view=None)])
    except discord.HTTPException as error:
        if error.code not in EXPECTED:
            raise
        log.info("an answer was not delivered (%s)", error.code)
        return None


def is_ephemeral(interaction: Interaction) -> bool:
    """Whether the button's message is visible only to this user, so that it may be changed."""
    return interaction.message is not None and interaction.message.flags.ephemeral
