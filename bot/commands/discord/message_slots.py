"""One message a slot: sent once, edited while it changes, deleted when nobody needs it, also after a crash."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec

from bot.engine import GameId
from bot.i18n import tr
from bot.render.painting.picture import Picture
from bot.store import BEGUN, REPLACED, Notice, PostRecord

from .interactions import (
    GONE,
    LONGEST,
    TOO_OLD_TO_EDIT,
    UNKNOWN_MESSAGE,
    FailureKind,
    GameClient,
    await_answer,
    brief,
    failure_kind_of,
    files,
    raise_if_passing,
    send_first_accepted,
    truncate,
    with_unarchived_thread,
)

log = logging.getLogger(__name__)

AGAIN = "-# After an interruption; this may have been posted already.\n"
"""Prefix of a post whose first attempt had an unknown end; not seen where Discord still knows its nonce."""

NO_FILES = "I may not attach files here, so there are no pictures; `/board words` shows everything in words."
NO_BUTTONS = "Discord does not accept this with pictures and buttons; use `/move`, `/map` and `/status` instead."
NO_WORDS = "Game {game} has moved on, but Discord does not accept my message about it; `/status` shows the position."

EDIT_SECONDS = 10.0
"""Longest time for a change, in seconds: the library waits for its turn, and a new message may be sooner."""

OLD, OLD_EDIT_SECONDS = 3600.0, 4.0
"""A message is old after `OLD` seconds: Discord takes few changes of old messages, and a new message is better than
a wait.
"""

REMOVING = 24 * 3600.0
"""Seconds for which it is tried to delete a message that nobody needs."""

LOOKED_THROUGH = 50
"""Messages of a channel that are searched for a message that may have been sent before a crash."""

A_ROW = 5

ROOM_AFTER = 850
"""Characters for the text below the pictures of a record, all of which has 4000."""


class RetryLater(Exception):
    """Discord does not let the message of this slot be changed now; it must be retried."""


async def no_pictures() -> list[Picture]:
    return []


@dataclass(frozen=True)
class SlotContent:
    """The desired content of a slot: words before and after the pictures, buttons. `shown` names the content of the
    pictures, which are painted only when they are needed. A record has Discord's newer layout, in which a mention
    pings nobody.
    """

    words: str
    after: str = ""
    buttons: Sequence[discord.ui.Item[Any]] = ()
    pictures: Callable[[], Awaitable[Sequence[Picture]]] = no_pictures
    shown: str = ""
    mentions: Sequence[int] = ()
    is_record: bool = False
    is_silent: bool = False

    @property
    def digest(self) -> str:
        """Identifies the content: equal where the content is the same."""
        ids = [getattr(button, "custom_id", None) or getattr(button, "url", "") for button in self.buttons]
        said = msgspec.json.encode([self.words, self.after, ids, self.shown])
        return hashlib.sha256(said).hexdigest()[:24]


class Edit(Enum):
    DONE = auto()
    GONE = auto()

    IMPOSSIBLE = auto()
    """Discord does not take the change, or not within an acceptable time."""


@dataclass
class MessageSlots:
    client: GameClient

    async def put(
        self,
        channel: discord.abc.Messageable,
        row: PostRecord,
        post: SlotContent,
        old: PostRecord | None = None,
    ) -> PostRecord:
        """Have the slot show this: send a message where there is none, else change it where it shows something else.

        `old` is the row of the message that it replaces, to be deleted afterwards.

        :raises RetryLater: it cannot be changed now.
        :raises discord.HTTPException: Discord does not take it.
        """
        if row.message is not None and row.digest == post.digest:
            return row
        outcome = Edit.DONE if row.message is None else await self.edit(row, post)
        if row.message is not None and outcome is Edit.DONE:
            row = msgspec.structs.replace(row, digest=post.digest)
        else:
            former = row
            if row.message is not None:
                # A message that somebody has deleted, or that cannot be changed any more, is sent anew.
                old = row if outcome is Edit.IMPOSSIBLE else old
                row = self.new(row.game, row.slot, row.channel, row.version)
            try:
                row = await self._send(channel, row, post, superseded_row(old) if old is not None else None)
            except discord.HTTPException:
                if outcome is Edit.IMPOSSIBLE:
                    await self._stay(former)
                raise
            if not row.digest and await self.edit(row, post) is Edit.DONE:
                row = msgspec.structs.replace(row, digest=post.digest)
        await self.client.tables.outbox.set_post(row)
        return row

    async def amend(self, row: PostRecord, post: SlotContent) -> PostRecord | None:
        """Have a message that has long been read show this. If Discord does not let it be changed it stays as it is,
        and a message that somebody has deleted is not sent anew. Returns its row, if it is still there.

        :raises RetryLater: it cannot be changed now.
        """
        if row.digest == post.digest:
            return row
        if await self.edit(row, post) is Edit.GONE:
            await self.client.tables.outbox.drop_post(row)
            return None
        row = msgspec.structs.replace(row, digest=post.digest)
        await self.client.tables.outbox.set_post(row)
        return row

    async def _stay(self, former: PostRecord) -> None:
        """The message that could not be changed stays in its slot, unless another message may be there."""
        outbox = self.client.tables.outbox
        if former.slot not in await outbox.posts(former.game):
            await outbox.move_post(superseded_row(former), former)

    def new(self, game_id: GameId, slot: str, channel: str, version: int, notices: Sequence[Notice] = ()) -> PostRecord:
        """A row for a message that is still to be sent. An older release may have posted some of these notices
        already.
        """
        now = self.client.tables.desk.now()
        nonce = hashlib.sha256(f"{game_id} {slot} {version} {now}".encode()).hexdigest()[:20]
        return PostRecord(
            game_id,
            slot,
            None,
            channel,
            nonce,
            now,
            version,
            again=any((notice.reference or "").startswith(BEGUN) for notice in notices),
        )

    async def _send(
        self, channel: discord.abc.Messageable, row: PostRecord, post: SlotContent, old: PostRecord | None
    ) -> PostRecord:
        """Send the message; the start is on disk before."""
        outbox = self.client.tables.outbox
        if old is not None:
            old = msgspec.structs.replace(old, made_at=row.made_at)
        begun = (await outbox.posts(row.game)).get(row.slot)
        is_again = begun is not None and begun.nonce == row.nonce
        found = await self._find(row, post) if is_again else None
        if found is not None:
            # The later of two attempts may have been found, which is marked.
            return msgspec.structs.replace(row, message=str(found.id), digest="", again=row.again or is_marked(found))
        await outbox.begin_post(row, old)
        try:
            message = await self._with_pictures(channel, row, post, is_again)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE and is_again:
                # It was sent, and somebody has deleted it: its nonce is spent.
                return await self._send(channel, self.new(row.game, row.slot, row.channel, row.version), post, old)
            if error.status < 500 and not is_again:
                await outbox.drop_post(row)
            raise
        except aiohttp.ClientConnectorError:
            if not is_again:
                await outbox.drop_post(row)
            raise
        # The message of the first attempt may be what Discord answers with: it shows what was to be said then.
        is_new = not is_again or is_marked(message)
        return msgspec.structs.replace(
            row, message=str(message.id), digest=post.digest if is_new else "", again=row.again or (is_again and is_new)
        )

    async def _with_pictures(
        self, channel: discord.abc.Messageable, row: PostRecord, post: SlotContent, is_again: bool
    ) -> discord.Message:
        """Send it with its pictures, or in the first plainer form that Discord takes."""
        before = AGAIN if is_again or row.again else ""
        more: dict[str, Any] = {"nonce": row.nonce, "silent": post.is_silent or post.is_record}
        pictures = await post.pictures()
        acts = [
            partial(channel.send, files=files(shown), **form, **more)
            for shown, form in forms(row.game, post, pictures, before)
        ]
        return await send_first_accepted(acts, bool(pictures))

    async def edit(self, row: PostRecord, post: SlotContent) -> Edit:
        """Have a message show this, or the part that Discord takes.

        :raises RetryLater: Discord does not let it be changed now.
        """
        pictures = await post.pictures()
        before = AGAIN if row.again else ""
        is_old = self.client.tables.desk.now() - row.made_at > OLD
        try:
            async with asyncio.timeout(OLD_EDIT_SECONDS if is_old else EDIT_SECONDS):
                await self._edit_in_first_form(row, post, pictures, before)
        except TimeoutError:
            return Edit.IMPOSSIBLE
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                return Edit.GONE
            verdict = failure_kind_of(error)
            if (
                error.code == TOO_OLD_TO_EDIT
                or verdict is FailureKind.REFUSED
                or (is_old and verdict is FailureKind.LATER)
            ):
                log.info(
                    "a message cannot be changed, a new message is sent (%s)", brief(error), extra={"game": row.game}
                )
                return Edit.IMPOSSIBLE
            if verdict is FailureKind.LATER:
                raise RetryLater(row.slot) from error
            raise
        return Edit.DONE

    async def _edit_in_first_form(
        self, row: PostRecord, post: SlotContent, pictures: Sequence[Picture], before: str
    ) -> None:
        """Change a message to the first form that Discord takes; if its thread has been archived, unarchive it
        first.
        """
        message = self.message(row)
        acts = [
            partial(
                with_unarchived_thread,
                self.client,
                row.channel,
                partial(message.edit, **{"content": None, "attachments": files(shown)} | form),
            )
            # A message in the newer layout cannot become plain.
            for shown, form in forms(row.game, post, pictures, before)
            if not post.is_record or "content" not in form
        ]
        await send_first_accepted(acts, bool(pictures))

    async def remove(self, row: PostRecord) -> None:
        """Delete a slot's message, if it is still there. If Discord refuses that, it is tried again for a while with
        each message of the game. If it is not known whether the message was sent, `clear` looks for it."""
        outbox, now = self.client.tables.outbox, self.client.tables.desk.now()
        if row.message is None and not row.slot.startswith(REPLACED):
            await outbox.move_post(row, superseded_row(row))
            return
        for found in await self._find_lost(row) if row.message is None else ():
            replaced = superseded_row(msgspec.structs.replace(row, message=str(found.id), made_at=now))
            await outbox.begin_post(replaced)
            await self.remove(replaced)
        if row.message is not None:
            try:
                await await_answer(partial(with_unarchived_thread, self.client, row.channel, self.message(row).delete))
            except (discord.HTTPException, TimeoutError) as error:
                raise_if_passing(error)
                if getattr(error, "code", 0) not in GONE:
                    log.warning("a message stays that nobody needs (%s)", brief(error), extra={"game": row.game})
                    if not row.slot.startswith(REPLACED):
                        await outbox.move_post(row, msgspec.structs.replace(superseded_row(row), made_at=now))
                        return
                    if now - row.made_at < REMOVING:
                        return
        await outbox.drop_post(row)

    async def clear(self, game_id: GameId) -> None:
        """Delete the messages that others have replaced, or that nobody needs any more."""
        rows = await self.client.tables.outbox.posts(game_id)
        # While a slot does not know its own message, nothing is taken for a lost message.
        is_settled = all(row.message is not None or row.slot.startswith(REPLACED) for row in rows.values())
        for row in rows.values():
            if row.slot.startswith(REPLACED) and (row.message is not None or is_settled):
                await self.remove(row)

    async def _find_lost(self, row: PostRecord) -> Sequence[discord.Message]:
        """The messages that may have been sent for a slot that nobody needs any more: they stand in no slot and have a
        button of its messages. If nothing may be read, Discord finds the message by its nonce for some minutes; after
        that it sends a new message, which is deleted at once.

        :raises discord.HTTPException: Discord does not answer now.
        """
        found = await self._strays(row, partial(is_button_of, row))
        if found is not None:
            return found
        channel = self.client.get_partial_messageable(int(row.channel))
        send = partial(channel.send, "…", nonce=row.nonce, silent=True, allowed_mentions=mentions_of(()))
        try:
            return [await await_answer(send)]
        except discord.HTTPException as error:
            raise_if_passing(error)
            log.info("what was sent before is not found (%s)", brief(error), extra={"game": row.game})
        return ()

    async def _find(self, row: PostRecord, post: SlotContent) -> discord.Message | None:
        """The message that was sent for a slot before an interruption, recognised by its buttons; None where none is
        found, or Discord does not let the bot search.

        :raises discord.HTTPException: Discord does not answer now; it may be found later.
        """
        wanted = {getattr(button, "custom_id", None) for button in post.buttons} - {None}
        return next(iter(await self._strays(row, wanted.__contains__) or ()), None)

    async def _strays(self, row: PostRecord, is_wanted: Callable[[str], bool]) -> list[discord.Message] | None:
        """The bot's latest messages in a slot's channel that stand in no slot of the game and have such a button,
        newest first; None if Discord does not let the bot read.

        :raises discord.HTTPException: Discord does not answer now.
        """
        known = {other.message for other in (await self.client.tables.outbox.posts(row.game)).values()}
        channel = self.client.get_partial_messageable(int(row.channel))
        try:
            found = [message async for message in channel.history(limit=LOOKED_THROUGH)]
        except discord.HTTPException as error:
            raise_if_passing(error)
            log.info("what was sent before cannot be looked for (%s)", brief(error), extra={"game": row.game})
            return None
        own = [message for message in found if message.author == self.client.user and str(message.id) not in known]
        # Without the permission Discord shows an empty channel.
        return [message for message in own if any(map(is_wanted, ids_in(message)))] if found else None

    def message(self, row: PostRecord) -> discord.PartialMessage:
        return self.client.get_partial_messageable(int(row.channel)).get_partial_message(int(row.message or 0))


def shape(post: SlotContent, pictures: Sequence[Picture], before: str) -> dict[str, Any]:
    """Discord's arguments for a post: a layout, or a plain message."""
    if not post.is_record:
        view = discord.ui.View(timeout=None)
        for button in post.buttons:
            view.add_item(button)
        text = "\n".join(filter(None, (f"{before}{post.words}", post.after)))
        return {"content": truncate(text), "view": view, "allowed_mentions": mentions_of(post.mentions)}
    layout = discord.ui.LayoutView(timeout=None)
    layout.add_item(discord.ui.TextDisplay(f"{before}{post.words}"))
    for picture in pictures:
        item = discord.MediaGalleryItem(f"attachment://{picture.name}", description=tr(picture.alt))
        layout.add_item(discord.ui.MediaGallery(item))
    if post.after:
        layout.add_item(discord.ui.TextDisplay(post.after[:ROOM_AFTER]))
    for start in range(0, len(post.buttons), A_ROW):
        layout.add_item(discord.ui.ActionRow(*post.buttons[start : start + A_ROW]))
    return {"view": layout, "allowed_mentions": mentions_of(post.mentions)}


def forms(
    game_id: GameId, post: SlotContent, pictures: Sequence[Picture], before: str
) -> Iterator[tuple[Sequence[Picture], dict[str, Any]]]:
    """The forms of a post with the pictures of each, plainer and plainer: complete, without pictures, in plain words
    without buttons, and without any text written by others.
    """
    yield pictures, shape(post, pictures, before)
    if pictures:
        yield (), shape(post, (), f"{before}{tr(NO_FILES)}\n")
    mentions = "".join(f"<@{user}> " for user in post.mentions)
    after = post.after[:ROOM_AFTER]
    room = LONGEST - len(before) - len(after) - len(tr(NO_BUTTONS)) - 3
    # The latest lines of a record count, and the first lines of a question.
    words = f"…{post.words[1 - room :]}" if post.is_record and len(post.words) > room else post.words[:room]
    plain = [f"{before}{words}\n{after}\n{tr(NO_BUTTONS)}"] if post.buttons or pictures else []
    for text in (*plain, f"{before}{mentions}{tr(NO_WORDS, game_id)}"):
        yield (), {"content": text, "view": None, "allowed_mentions": mentions_of(post.mentions)}


def superseded_row(row: PostRecord) -> PostRecord:
    """The row of a message that is replaced, or that nobody needs any more."""
    return msgspec.structs.replace(row, slot=f"{REPLACED}{row.message or row.slot}")


def is_button_of(row: PostRecord, name: str) -> bool:
    """Whether a button belongs to the messages of a slot, whose row is superseded."""
    slot, _, number = row.slot.removeprefix(REPLACED).partition(":")
    look, game, what, first = [*name.split(":"), "", "", ""][:4]
    is_of_game = (look, game) == ("look", str(row.game)) and first != ""
    return is_of_game and (what == "turn" if slot == "ping" else what != "turn" and first == number)


def mentions_of(users: Sequence[int]) -> discord.AllowedMentions:
    """Only these people are pinged by a message."""
    return discord.AllowedMentions(users=[discord.Object(user) for user in users], everyone=False, roles=False)


def is_marked(message: discord.Message) -> bool:
    """Whether a message says that it may be there already."""
    said = [message.content, *(getattr(part, "content", "") for part in parts_of(message.components))]
    return AGAIN.strip() in "\n".join(said)


def ids_in(message: discord.Message) -> Iterator[str]:
    return (name for part in parts_of(message.components) if (name := getattr(part, "custom_id", None)))


def parts_of(components: Sequence[Any]) -> Iterator[Any]:
    """Every component, from the outside in."""
    for component in components:
        yield component
        yield from parts_of(getattr(component, "children", ()))
