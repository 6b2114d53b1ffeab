"""One message a slot: sent once, edited while it changes, deleted when nobody needs it, also after a crash."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec

from bot.language import say
from bot.render.painting.picture import Picture
from bot.store import BEGUN, Notice, PostRecord

from .interactions.answers import cut, files
from .interactions.client import Client
from .interactions.places import opened

log = logging.getLogger(__name__)

AGAIN = "-# After an interruption; this may be there already.\n"
"""Stands before a post whose first attempt had an unknown end; where Discord still knows its nonce, it is not seen."""

NO_FILES = "I may not attach files here, so there are no pictures; `/board words` shows everything in words."

MISSING_PERMISSIONS, UNKNOWN_MESSAGE = 50013, 10008
GONE = {UNKNOWN_MESSAGE, 10003, 10004, 50001}
"""A message that cannot be had any more, or its place."""

EDIT_SECONDS = 15.0
"""So long Discord may take for a change: edits of old messages are few, and the library waits for its turn."""

LOOKED_THROUGH = 50
"""So many messages of a channel are looked through for one that may have been sent before a crash."""

A_ROW = 5

ROOM_AFTER = 850
"""Characters for what stands below the pictures of a record, all of which has 4000."""


class Later(Exception):
    """Discord does not let the message of this slot be changed now; it shall be tried again."""


async def no_pictures() -> list[Picture]:
    """Nothing to be seen."""
    return []


@dataclass(frozen=True)
class Post:
    """What shall stand in a slot: words before and after the pictures, buttons. `shown` says what the pictures, painted
    only when they are needed, are of. A record has Discord's newer layout, in which a mention tells nobody."""

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
        """Names what is shown: alike where it is the same."""
        ids = [getattr(button, "custom_id", None) or getattr(button, "url", "") for button in self.buttons]
        said = msgspec.json.encode([self.words, self.after, ids, self.shown])
        return hashlib.sha256(said).hexdigest()[:24]


@dataclass
class Slots:
    """The slots of all games."""

    client: Client

    async def put(
        self,
        channel: discord.abc.Messageable,
        row: PostRecord,
        post: Post,
        notices: Sequence[Notice] = (),
        old: PostRecord | None = None,
    ) -> PostRecord:
        """Have the slot show this: a message is sent where there is none, else changed where it shows something else.

        These notices are posted with it; `old` is the message that it takes the place of, to be deleted afterwards.

        :raises Later: it cannot be changed now.
        :raises discord.HTTPException: Discord does not take it.
        """
        if row.message is not None and row.digest == post.digest:
            return row
        if row.message is not None and await self.edit(row, post):
            row = msgspec.structs.replace(row, digest=post.digest)
        else:
            # A message that somebody has deleted is sent anew.
            row = row if row.message is None else self.new(row.game, row.slot, row.channel, row.version)
            row = await self._send(channel, row, post, old)
            if not row.digest and await self.edit(row, post):
                row = msgspec.structs.replace(row, digest=post.digest)
        await self.client.tables.outbox.set_post(row, notices)
        return row

    def new(self, game: int, slot: str, channel: str, version: int, notices: Sequence[Notice] = ()) -> PostRecord:
        """A row for a message that is still to be sent. Of notices that an older release had begun to post, some may be
        there already."""
        now = self.client.tables.desk.now()
        nonce = hashlib.sha256(f"{game} {slot} {version} {now}".encode()).hexdigest()[:20]
        return PostRecord(game, slot, None, channel, nonce, now, version, again=any(map(begun_as, notices)))

    async def _send(
        self, channel: discord.abc.Messageable, row: PostRecord, post: Post, old: PostRecord | None
    ) -> PostRecord:
        """Send the message; that it was begun is on disk before."""
        outbox = self.client.tables.outbox
        is_again = (await outbox.posts(row.game)).get(row.slot) == row
        found = await self.find(row, post) if is_again else None
        if found is not None:
            # Of two attempts the later one may have been found, which is marked.
            return msgspec.structs.replace(row, message=str(found.id), digest="", again=row.again or is_marked(found))
        await outbox.begin_post(row, old)
        try:
            message = await self._with_pictures(channel, row, post, is_again)
        except discord.HTTPException as error:
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
        self, channel: discord.abc.Messageable, row: PostRecord, post: Post, is_again: bool
    ) -> discord.Message:
        """Send it with its pictures; where files may not be attached without them, which is said."""
        before = AGAIN if is_again or row.again else ""
        pictures = await post.pictures()
        more: dict[str, Any] = {"nonce": row.nonce, "silent": post.is_silent or post.is_record}
        try:
            return await channel.send(files=files(pictures), **shape(post, pictures, before), **more)
        except discord.Forbidden as error:
            if error.code != MISSING_PERMISSIONS or not pictures:
                raise
        return await channel.send(**shape(post, (), f"{before}{say(NO_FILES)}\n"), **more)

    async def edit(self, row: PostRecord, post: Post) -> bool:
        """Have a message show this; whether it is still there.

        :raises Later: Discord does not let it be changed now.
        """
        pictures = await post.pictures()
        before = AGAIN if row.again else ""
        try:
            async with asyncio.timeout(EDIT_SECONDS):
                await self._edited(row, post, pictures, before)
        except TimeoutError as error:
            raise Later(row.slot) from error
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                return False
            if error.status == 429:
                raise Later(row.slot) from error
            raise
        return True

    async def _edited(self, row: PostRecord, post: Post, pictures: Sequence[Picture], before: str) -> None:
        """Change a message; in a thread that has been archived, after that is undone; without pictures where there may be
        none."""
        message = self.message(row)

        async def change(shown: Sequence[Picture], before: str = before) -> None:
            await message.edit(attachments=files(shown), **shape(post, shown, before))

        try:
            await opened(self.client, row.channel, partial(change, pictures))
        except discord.Forbidden as error:
            if error.code != MISSING_PERMISSIONS or not pictures:
                raise
            await change((), f"{before}{say(NO_FILES)}\n")

    async def remove(self, row: PostRecord) -> None:
        """Delete a slot's message, if it is still there."""
        if row.message is not None:
            try:
                await opened(self.client, row.channel, self.message(row).delete)
            except discord.HTTPException as error:
                if error.code not in GONE:
                    raise
        await self.client.tables.outbox.drop_post(row)

    async def find(self, row: PostRecord, post: Post) -> discord.Message | None:
        """The message that was sent for a slot before an interruption, known by its buttons; None where none is found, or Discord
        does not let it be looked for.

        :raises discord.DiscordServerError: Discord is down; it may be found later.
        """
        wanted = {getattr(button, "custom_id", None) for button in post.buttons} - {None}
        try:
            channel = self.client.get_partial_messageable(int(row.channel))
            async for message in channel.history(limit=LOOKED_THROUGH):
                if message.author == self.client.user and wanted & set(ids_in(message)):
                    return message
        except discord.DiscordServerError:
            raise
        except discord.HTTPException as error:
            log.info("what was sent before cannot be looked for (%s)", error.code, extra={"game": row.game})
        return None

    def message(self, row: PostRecord) -> discord.PartialMessage:
        """The message of a slot, wherever it stands."""
        return self.client.get_partial_messageable(int(row.channel)).get_partial_message(int(row.message or 0))


def shape(post: Post, pictures: Sequence[Picture], before: str) -> dict[str, Any]:
    """How Discord is told of a post: as a layout, or as a plain message."""
    people = [discord.Object(user) for user in post.mentions]
    quietly = discord.AllowedMentions(users=people, everyone=False, roles=False)
    if not post.is_record:
        view = discord.ui.View(timeout=None)
        for button in post.buttons:
            view.add_item(button)
        text = "\n".join(filter(None, (f"{before}{post.words}", post.after)))
        return {"content": cut(text), "view": view, "allowed_mentions": quietly}
    layout = discord.ui.LayoutView(timeout=None)
    layout.add_item(discord.ui.TextDisplay(f"{before}{post.words}"))
    for picture in pictures:
        item = discord.MediaGalleryItem(f"attachment://{picture.name}", description=say(picture.alt))
        layout.add_item(discord.ui.MediaGallery(item))
    if post.after:
        layout.add_item(discord.ui.TextDisplay(post.after[:ROOM_AFTER]))
    for start in range(0, len(post.buttons), A_ROW):
        layout.add_item(discord.ui.ActionRow(*post.buttons[start : start + A_ROW]))
    return {"view": layout, "allowed_mentions": quietly}


def begun_as(notice: Notice) -> str:
    """The nonce under which posting a notice was begun; empty when it was not."""
    reference = notice.reference or ""
    return reference.removeprefix(BEGUN) if reference.startswith(BEGUN) else ""


def is_marked(message: discord.Message) -> bool:
    """Whether a message says that it may be there already."""
    said = [message.content, *(getattr(part, "content", "") for part in parts_of(message.components))]
    return AGAIN.strip() in "\n".join(said)


def ids_in(message: discord.Message) -> Iterator[str]:
    """The ids of a message's buttons."""
    return (name for part in parts_of(message.components) if (name := getattr(part, "custom_id", None)))


def parts_of(components: Sequence[Any]) -> Iterator[Any]:
    """Every component, from the outside in."""
    for component in components:
        yield component
        yield from parts_of(getattr(component, "children", ()))
