"""Standing orders in Discord: given, listed and dropped where only their owner sees it."""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import app_commands

from bot.commands.discord.interactions import completion
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import current_game
from bot.commands.discord.interactions.responses import edit, escape, is_ephemeral, person_of, respond
from bot.engine import GameId
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove, Rejected
from bot.i18n import tr
from bot.service.features.standing_orders.orders import WAKE
from bot.service.features.standing_orders.parser import EXAMPLES
from bot.store import StoreError

QUICK = {
    "pass": "Pass until the round ends",
    "wake": "Pass until shares move",
}
"""Plans with a button of their own."""

QUICK_TEXTS = {"pass": "pass", "wake": "pass until sale buy start president"}
MOST_DROPS = 15

auto_group = app_commands.Group(name="auto", description="Standing orders: private until they act", guild_only=True)


class OrderButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"au:(?P<game>\d{1,9}):(?P<verb>pass|wake|drop):(?P<order>\d{1,9})",
):
    """Gives a usual plan, or drops a plan. Its label counts one's own plans: a number of the database would reveal
    others'.
    """

    def __init__(self, game_id: GameId, verb: str, order: int = 0, number: int = 0) -> None:
        self.game, self.verb, self.order = game_id, verb, order
        label = QUICK.get(verb, tr("Drop {number}", number))
        style = discord.ButtonStyle.danger if verb == "drop" else discord.ButtonStyle.secondary
        super().__init__(discord.ui.Button(label=tr(label), style=style, custom_id=f"au:{game_id}:{verb}:{order}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> OrderButton:
        return cls(GameId(int(match["game"])), match["verb"], int(match["order"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        tables = interaction.client.tables
        person = person_of(interaction.user)
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            if self.verb == "drop":
                await tables.orders.cancel_orders(self.game, person, self.order)
            else:
                await tables.orders.give_order(self.game, person, QUICK_TEXTS[self.verb])
            await show_orders(interaction, self.game)


async def show_orders(interaction: Interaction, game_id: GameId, before: str = "") -> None:
    """Show one's own plans: the text of each, its present effect, why it has ended."""
    found = await interaction.client.tables.orders.own_orders(game_id, person_of(interaction.user))
    lines = [before] if before else []
    view = discord.ui.View(timeout=None)
    for verb in QUICK:
        view.add_item(OrderButton(game_id, verb))
    for number, standing in list(enumerate(found, 1))[-MOST_DROPS:]:
        record = standing.record
        if standing.is_over:
            lines.append(f"~~{number}. {escape(standing.text)}~~ {tr('Over:')} {escape(standing.now)}")
        else:
            now = [tr("Now it would: `{move}`", standing.now)] if standing.now else []
            lines.append(" ".join([f"{number}. {escape(standing.text)}", *now]))
        view.add_item(OrderButton(game_id, "drop", record.id, number))
    lines += [] if found else [tr("You have no standing orders here. Only you see them until they act.")]
    lines.append(tr("More with `/auto say`, for example: {example}.", ", ".join(f"`{text}`" for text in EXAMPLES[:6])))
    await edit(interaction, "\n".join(lines), view=view)


async def give(interaction: Interaction, text: str) -> None:
    async with respond(interaction):
        game = await current_game(interaction)
        given = await interaction.client.tables.orders.give_order(game, person_of(interaction.user), text)
        await show_orders(interaction, game, tr("Noted, visible only to you: {order}", escape(given.text)))


@auto_group.command(name="say", description="Give a standing order in words, e.g. pass until sale start")
@app_commands.describe(order="pass until ... | buy VR to 60 max 100 | bid P4 up to 200 | run VR pay | refuse")
async def auto_say(interaction: Interaction, order: app_commands.Range[str, 1, 200]) -> None:
    await give(interaction, order)


@auto_say.autocomplete("order")
async def complete_order(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Examples with the names of this game; reveals nobody's plans."""
    try:
        _, game = await interaction.client.tables.desk.require_started(await current_game(interaction))
    except (Rejected, StoreError):
        return []
    wanted = typed.lower().strip()
    return [app_commands.Choice(name=text, value=text) for text in examples(game) if wanted in text.lower()][:25]


def examples(game: Game) -> list[str]:
    found = ["pass", *(f"pass until {word}" for word in WAKE), "pass until sale buy start", "refuse", "agree"]
    for company, record in game.state.companies.items():
        if record.position is not None and not record.closed:
            found += [
                f"buy {company}",
                f"run {company} pay",
                f"run {company} withhold",
            ]
    found += [
        f"bid {private.id} up to {private.price}" for private in game.state.privates.values() if not private.owner
    ]
    return found


@auto_group.command(name="pass", description="Pass for you until something happens")
@app_commands.describe(wake="What ends it immediately", every_round="Also in later rounds")
@app_commands.choices(
    wake=[
        app_commands.Choice(name="nothing: until the round ends", value=""),
        app_commands.Choice(
            name="anyone buys or sells shares, starts or takes over a company", value="sale buy start president"
        ),
        *(app_commands.Choice(name=meaning, value=word) for word, meaning in WAKE.items()),
    ]
)
async def auto_pass(interaction: Interaction, wake: str = "", every_round: bool = False) -> None:
    await give(interaction, f"pass{' all' if every_round else ''}{f' until {wake}' if wake else ''}")


@auto_group.command(name="buy", description="Buy shares of a company, one per turn")
@app_commands.describe(
    company="Its abbreviation, e.g. VR", to="Until you hold this percentage", most="Maximum price per share"
)
async def auto_buy(
    interaction: Interaction,
    company: app_commands.Range[str, 1, 20],
    to: app_commands.Range[int, 1, 100] | None = None,
    most: app_commands.Range[int, 1, 9999] | None = None,
) -> None:
    await give(interaction, f"buy {company}{f' to {to}' if to else ''}{f' max {most}' if most else ''}")


@auto_group.command(name="bid", description="Bid on a lot up to a secret maximum")
@app_commands.describe(lot="What you bid for, e.g. P4", most="Your highest bid")
async def auto_bid(
    interaction: Interaction, lot: app_commands.Range[str, 1, 20], most: app_commands.Range[int, 1, 99999]
) -> None:
    await give(interaction, f"bid {lot} up to {most}")


@auto_group.command(name="run", description="Run a company: no track, no token, best routes, pay or withhold")
@app_commands.describe(
    company="Its abbreviation, e.g. VR",
    revenue="What to do with the revenue",
    ask="What you still want to decide yourself",
)
@app_commands.choices(
    revenue=[app_commands.Choice(name=word, value=word) for word in ("pay", "withhold", "half")],
    ask=[app_commands.Choice(name=word, value=word) for word in ("track", "token", "trains", "routes", "dividend")],
)
async def auto_run(
    interaction: Interaction, company: app_commands.Range[str, 1, 20], revenue: str = "pay", ask: str = ""
) -> None:
    await give(interaction, f"run {company} {revenue}{f' {ask} ask' if ask else ''}")


@auto_group.command(name="list", description="Your standing orders, what each would do now, and why some ended")
async def auto_list(interaction: Interaction) -> None:
    async with respond(interaction):
        await show_orders(interaction, await current_game(interaction))


@auto_group.command(name="drop", description="Drop a standing order in this game, or all of them")
@app_commands.describe(order="Its number; by default all of them")
async def auto_drop(interaction: Interaction, order: app_commands.Range[int, 1] | None = None) -> None:
    tables = interaction.client.tables
    async with respond(interaction):
        game = await current_game(interaction)
        person = person_of(interaction.user)
        if order is not None:
            found = await tables.orders.own_orders(game, person)
            if order > len(found):
                raise IllegalMove("You have {number} standing orders here.", "", len(found))
            order = found[order - 1].record.id
        number = await tables.orders.cancel_orders(game, person, order)
        await show_orders(interaction, game, tr("{number} dropped.", number))


auto_buy.autocomplete("company")(completion.companies)
auto_run.autocomplete("company")(completion.companies)
auto_bid.autocomplete("lot")(completion.lots)
auto_drop.autocomplete("order")(completion.own_orders)
