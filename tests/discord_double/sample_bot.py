"""A small bot that uses every kind of thing the emulator offers; the tests of the emulator run it."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
from typing import Any

import discord
from discord import app_commands

TITLES = ("1848", "18GB", "1844", "18BF", "1820")
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c63000100000500010d0a2db4"
    "0000000049454e44ae426082"
)


class CountButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"count:(?P<number>\d+)"):
    """A button whose whole memory is its custom_id."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(discord.ui.Button(label=f"count {number}", custom_id=f"count:{number}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> CountButton:
        """The button that was pressed."""
        return cls(int(match["number"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Count on, in place."""
        await interaction.response.edit_message(content=f"count is {self.number + 1}", view=counting(self.number + 1))


def counting(number: int) -> discord.ui.View:
    """A view that survives restarts."""
    view = discord.ui.View(timeout=None)
    view.add_item(CountButton(number))
    return view


class NoteModal(discord.ui.Modal, title="A note"):
    """A form with one required field."""

    note: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Note", max_length=100)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Repeat it."""
        await interaction.response.send_message(f"noted: {self.note.value}", ephemeral=True)


class Ask(discord.ui.View):
    """A select, and a button that opens the form."""

    @discord.ui.select(placeholder="Title", options=[discord.SelectOption(label=title) for title in TITLES])
    async def choose(self, interaction: discord.Interaction, select: discord.ui.Select[Any]) -> None:
        """Say what was chosen."""
        await interaction.response.send_message(f"chosen: {select.values[0]}")

    @discord.ui.button(label="Write a note")
    async def write(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        """Open the form."""
        await interaction.response.send_modal(NoteModal())


class RivalModal(discord.ui.Modal, title="A rival"):
    """A form of labelled fields."""

    pace: discord.ui.Label[Any] = discord.ui.Label(
        text="Pace",
        component=discord.ui.Select(options=[discord.SelectOption(label="fast"), discord.SelectOption(label="slow")]),
    )
    rival: discord.ui.Label[Any] = discord.ui.Label(text="Rival", component=discord.ui.UserSelect())
    reason: discord.ui.Label[Any] = discord.ui.Label(
        text="Why", component=discord.ui.TextInput(style=discord.TextStyle.paragraph, required=False)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Tell what was filled in, and a little more that goes away again."""
        parts: list[Any] = [label.component for label in (self.pace, self.rival, self.reason)]
        pace, rival, reason = parts
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.followup.send(f"{pace.values[0]} {rival.values[0].name} {reason.value}")
        more = await interaction.followup.send("and more", ephemeral=True, wait=True)
        await more.delete()


class Layout(discord.ui.LayoutView):
    """Components of the second version."""

    text: discord.ui.TextDisplay[Any] = discord.ui.TextDisplay("Top")
    row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()

    @row.button(label="Open")
    async def open(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        """Open the form."""
        await interaction.response.send_modal(RivalModal())


game = app_commands.Group(name="game", description="Games", guild_only=True)


@game.command(description="Open a game")
@app_commands.choices(
    pace=[app_commands.Choice(name="fast play", value="fast"), app_commands.Choice(name="slow", value="slow")]
)
async def new(
    interaction: discord.Interaction, title: str, pace: str = "slow", seats: app_commands.Range[int, 2, 7] = 3
) -> None:
    """Defer, then answer with a picture and a button."""
    await interaction.response.defer(thinking=True)
    picture = discord.File(io.BytesIO(PIXEL), "map.png", description=f"Map of {title}")
    text = f"{title} for {seats}, {pace}"
    await interaction.edit_original_response(content=text, attachments=[picture], view=counting(0))


@new.autocomplete("title")
async def complete_title(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Titles that begin so; `many` breaks the limit of 25 on purpose."""
    names = (
        [f"many {number}" for number in range(26)] if typed == "many" else [name for name in TITLES if typed in name]
    )
    return [app_commands.Choice(name=name, value=name) for name in names]


@app_commands.command(description="Secrets in a direct message")
async def secret(interaction: discord.Interaction) -> None:
    """Answer the user alone, write to them, or say why not."""
    try:
        await interaction.user.send("psst")
    except discord.Forbidden as error:
        await interaction.response.send_message(f"refused: {error.code}", ephemeral=True)
    else:
        await interaction.response.send_message("sent", ephemeral=True)


@app_commands.command(description="A thread for a game")
async def thread(interaction: discord.Interaction, name: str, person: discord.Member | None = None) -> None:
    """Open a thread, write in it, and tell of it in a followup."""
    await interaction.response.defer()
    assert isinstance(interaction.channel, discord.TextChannel)
    opened = await interaction.channel.create_thread(name=name, type=discord.ChannelType.public_thread)
    await opened.send(f"welcome {person.mention if person else ''}", nonce=str(interaction.id))
    await interaction.followup.send(f"opened {opened.mention}")


@app_commands.command(description="A form")
async def ask(interaction: discord.Interaction) -> None:
    """Show the select and the button."""
    await interaction.response.send_message("ask", view=Ask(timeout=None))


@app_commands.command(description="Components of the second version")
async def layout(interaction: discord.Interaction) -> None:
    """A text, a picture beside another text, a button."""
    view = Layout(timeout=None)
    picture = discord.File(io.BytesIO(PIXEL), "map.png")
    beside: discord.ui.Section[Any] = discord.ui.Section(
        "Beside", accessory=discord.ui.Thumbnail(picture, description="a map")
    )
    view.add_item(discord.ui.Container(beside))
    await interaction.response.send_message(view=view, file=picture)


@app_commands.command(description="Read a file")
async def load(interaction: discord.Interaction, file: discord.Attachment) -> None:
    """Fetch the file and say how long it is."""
    await interaction.response.send_message(f"{file.filename}: {len(await file.read())} bytes, @everyone")


@app_commands.command(description="Break a limit on purpose")
async def wrong(interaction: discord.Interaction, how: str) -> None:
    """Do what Discord refuses, and answer with the code of its refusal."""
    try:
        await break_limit(interaction, how)
    except discord.HTTPException as error:
        text = f"{error.status} {error.code}"
        if interaction.response.is_done():
            await interaction.edit_original_response(content=text)
        else:
            await interaction.response.send_message(text)


async def break_limit(interaction: discord.Interaction, how: str) -> None:
    """One transgression."""
    if how == "long":
        await interaction.response.send_message("x" * 2001)
    elif how == "twice":
        await interaction.response.send_message("once")
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        await interaction.client.http.request(
            discord.http.Route("POST", path),
            json={"type": 4, "data": {"content": "twice"}},
        )
    elif how == "ids":
        button = {"type": 2, "style": 1, "label": "a", "custom_id": "same"}
        await interaction.client.http.request(
            discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=interaction.channel_id),
            json={"content": "x", "components": [{"type": 1, "components": [button, button]}]},
        )
    elif how == "route":
        await interaction.client.http.request(discord.http.Route("GET", "/no/such/place"))
    elif how == "log":
        raise ValueError("provoked")


class Sample(discord.Client):
    """The client."""

    def __init__(self, reads_content: bool = False) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = intents.dm_messages = True
        intents.message_content = reads_content
        super().__init__(intents=intents, allowed_mentions=discord.AllowedMentions(everyone=False, users=True))
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Commands and buttons."""
        self.add_dynamic_items(CountButton)
        commands: tuple[Any, ...] = (game, secret, thread, ask, layout, load, wrong)
        for command in commands:
            self.tree.add_command(command)
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        """Repeat what can be read."""
        if message.author.bot:
            return
        await message.channel.send(
            f"heard {message.clean_content or 'nothing'!r}", reference=message, mention_author=False
        )


async def main() -> None:
    """Run until SIGTERM."""
    discord.utils.setup_logging()
    client = Sample(os.environ.get("DISCORD_MESSAGE_CONTENT") == "1")
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: asyncio.create_task(client.close()))
    await client.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main())
