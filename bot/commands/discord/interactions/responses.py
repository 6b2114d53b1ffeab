"""Answering an interaction: defer first, edit the answer once; refusals go to their author alone."""

from __future__ import annotations

import io
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import accumulate
from typing import Any, TypeVar

import discord

from bot.engine.refusals import IllegalMove, Rejected
from bot.i18n import refused, say, speak
from bot.metrics import REFUSALS
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.sessions.names import plain_name
from bot.store import StoreError

from .client import Interaction
from .failure_kinds import EXPECTED, first_taken

log = logging.getLogger(__name__)

Item = TypeVar("Item", bound=discord.ui.DynamicItem[Any])

LONGEST = 1900
"""Discord takes 2000 characters; a little room is left for a frame."""


def person_of(user: discord.abc.User) -> str:
    """The person's key in the database."""
    return f"discord:{user.id}"


def values_of(interaction: Interaction) -> list[str]:
    """What was chosen in a menu, or nothing."""
    data: Any = interaction.data or {}
    return [str(value) for value in data.get("values", ())]


def custom_id_of(interaction: Interaction) -> str:
    """The id of the button, menu or form that was used, or nothing."""
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def cut(text: str) -> str:
    """Text that fits a message."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def whole_lines(lines: Sequence[str], most: int = LONGEST) -> list[str]:
    """As many of these lines, from the first one on, as fit into so many characters: none is broken off."""
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines, ends, strict=True) if end <= most + 1]


def plain(text: str) -> str:
    """Text in which names cannot format or ping."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(text))


def called(name: str) -> str:
    """A member as answers call him: by the name that he has, or would have, at a table."""
    return plain(plain_name(name) or name)


def refusal_text(refusal: Rejected) -> str:
    """A refusal with what would be allowed."""
    lines = [refused(refusal), *(f"• `{option}`" for option in refusal.instead)]
    return cut("\n".join(lines))


def files(pictures: Sequence[Picture]) -> list[discord.File]:
    """Pictures as attachments with their alt text."""
    return [discord.File(io.BytesIO(picture.png), picture.name, description=say(picture.alt)) for picture in pictures]


async def admitted(interaction: Interaction) -> bool:
    """Whether this user may ask now; if not, he is told why."""
    try:
        interaction.client.doorman.admit(person_of(interaction.user))
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
    """A button or menu of another release, or of no release."""
    if await admitted(interaction):
        async with answering(interaction):
            raise IllegalMove("That button no longer works; use the buttons of the game's newest message.")


@asynccontextmanager
async def answering(interaction: Interaction, private: bool = True, is_update: bool = False) -> AsyncIterator[None]:
    """Acknowledge at once; turn refusals and failures of the database into a sentence for the author.

    `is_update` says that the answer takes the place of the message whose button was pressed.
    """
    with interaction.client.doorman.in_hand():
        try:
            await interaction.response.defer(ephemeral=private, thinking=not is_update)
        except discord.HTTPException as error:
            if error.code not in EXPECTED:
                raise
            log.info("interaction %s came too late (%s)", interaction.id, error.code)
        try:
            await speak_to(interaction)
            yield
        except Rejected as refusal:
            REFUSALS.labels(type(refusal).__name__).inc()
            await edit(interaction, refusal_text(refusal))
        except (StoreError, PictureFailed) as error:
            log.warning("not done: %s", error)
            await edit(interaction, say(error.said))


async def speak_to(interaction: Interaction) -> None:
    """Speak the user's language from now on: the one that he chose, else the one that his Discord is set to."""
    chosen = await interaction.client.tables.languages.chosen_by(person_of(interaction.user))
    speak(chosen or str(interaction.locale))


async def edit(
    interaction: Interaction, text: str, pictures: Sequence[Picture] | None = (), view: discord.ui.View | None = None
) -> discord.Message | None:
    """Put the answer into the acknowledged interaction, without pictures and buttons where Discord does not take it with them;
    safe to repeat. The message, where it was delivered. Pictures that are None stay those that it has."""
    change = partial(
        interaction.edit_original_response,
        content=cut(say(text)),
        allowed_mentions=discord.AllowedMentions.none(),
    )
    whole = partial(
        change,
        attachments=discord.utils.MISSING if pictures is None else files(pictures),
        view=view or discord.utils.MISSING,
    )
    try:
        return await first_taken([whole, partial(change, attachments=[], view=None)])
    except discord.HTTPException as error:
        if error.code not in EXPECTED:
            raise
        log.info("an answer was not delivered (%s)", error.code)
        return None


def is_panel(interaction: Interaction) -> bool:
    """Whether the button pressed stands on a message that only this user sees, so that it may be changed."""
    return interaction.message is not None and interaction.message.flags.ephemeral
