"""Turns and reminders by mail, for people who play in Discord."""

from __future__ import annotations

from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.responses import edit, person_of, respond
from bot.engine.refusals import IllegalMove
from bot.store import DELIVERIES

mail_group = app_commands.Group(name="mail", description="Mail: your turns and reminders at an address of yours")

SAID = {
    "turns": "From now on you get a mail for every turn of yours, and reminders.",
    "digest": "From now on you get one mail a day with the games that wait for you.",
    "reminders": "From now on you get reminders by mail, not here.",
    "nothing": "From now on you only get answers to your own mails.",
}


def check_mail(interaction: Interaction) -> None:
    """Refuse where no mail is sent.

    :raises IllegalMove: that is so.
    """
    if interaction.client.settings.mail is None:
        raise IllegalMove("This bot sends no mail.")


@mail_group.command(name="address", description="Get mail at this address; confirm it by replying")
@app_commands.describe(address="Your address, like ann@example.org")
async def address(interaction: Interaction, address: app_commands.Range[str, 3, 200]) -> None:
    async with respond(interaction):
        check_mail(interaction)
        found = await interaction.client.tables.mail.request_confirmation(address, person_of(interaction.user))
        await edit(
            interaction,
            "A mail went to that address, or to you, a short time ago; look for it, or try again later."
            if found is None
            else "A mail is on its way to that address. Reply with any text to confirm the address; nothing else "
            "is sent there until then.",
        )


@mail_group.command(name="send", description="Which mails you get")
@app_commands.describe(what="Every turn, one mail a day, only reminders, or nothing")
@app_commands.choices(what=[app_commands.Choice(name=wish, value=wish) for wish in DELIVERIES])
async def send(interaction: Interaction, what: str) -> None:
    async with respond(interaction):
        check_mail(interaction)
        await interaction.client.tables.mail.set_delivery(person_of(interaction.user), what)
        await edit(interaction, SAID[what])


@mail_group.command(name="forget", description="Delete your address")
async def forget(interaction: Interaction) -> None:
    async with respond(interaction):
        await interaction.client.tables.mail.forget_address(person_of(interaction.user))
        await edit(interaction, "Your address is deleted.")
