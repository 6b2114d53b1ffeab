"""Buttons that run a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import discord

from bot.commands.discord.interactions import (
    Button,
    IdForm,
    PersistentItem,
    form_fields,
    is_ephemeral,
    person_of,
    set_user_language,
)
from bot.engine import GameId, Text
from bot.i18n import tr
from bot.service.features.plans.offers import IDLY
from bot.service.plans.parser import LONGEST
from bot.service.registry.command import FollowUp

PLAN_FORM = IdForm("plan:{game}")

QUICK = {
    "pass": "Pass until the round ends",
    "wake": "Pass until shares are traded",
    "idle": "When I can only sell or pass, pass for me",
}
"""Plans with a button of their own."""

QUICK_TEXTS = {"pass": "pass", "wake": "pass until sale buy start president", "idle": IDLY}


class UndoButton(PersistentItem, form="un:{game}:{version}", command="undo"):
    """Undoes one's own last move, while nothing has followed it."""

    label = "Undo"


class RematchButton(PersistentItem, form="rm:{game}", command="rematch"):
    """Opens a lobby like a game that is over."""

    label = "Rematch"


class SnoozeButton(PersistentItem, form="sn:{game}", command="clock snooze"):
    """Delays the next reminder by a day."""

    label = "Remind me tomorrow"

    def values(self) -> Mapping[str, Any]:
        return {"hours": 24}


class OrderButton(PersistentItem, form="au:{game}:{verb:pass|wake|idle|drop}:{order}"):
    """Gives a usual plan, or drops a plan. Its label counts one's own plans: a number of the database would reveal
    others'.
    """

    order = 0

    def build(self) -> Button:
        if self.verb == "drop":
            return Button(label=tr("Drop {number}", self.number), style=discord.ButtonStyle.danger)
        return Button(label=tr(QUICK[self.verb]), style=self.style)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        client, is_update = interaction.client, is_ephemeral(interaction)
        if self.verb == "drop":
            cancel = client.tables.plans.drop_plans
            drop = partial(cancel, self.game, person_of(interaction.user), self.order)
            await client.run_command(interaction, "auto list", {}, self.game, is_update=is_update, before=drop)
        else:
            await client.run_command(
                interaction, "plan", {"order": QUICK_TEXTS[self.verb]}, self.game, is_update=is_update
            )


class PlanButton(PersistentItem, form="pn:{game}:{order:.+}", command="plan", is_update=True):
    """Gives the plan of these words."""

    order: str
    label = "Plan ahead"

    def values(self) -> Mapping[str, Any]:
        return {"order": self.order}


class PlanDraftButton(PersistentItem, form="pd:{game}:{order:.+}"):
    """Opens a form with the plan of these words, whose numbers its reader fills in."""

    order: str
    label = "Bid up to …"

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form, which only the first response can do."""
        await set_user_language(interaction)
        form = discord.ui.Modal(title=tr("Plan"), custom_id=PLAN_FORM.format(game=self.game), timeout=900)
        form.add_item(discord.ui.TextInput(label=tr("Plan"), custom_id="order", max_length=LONGEST, default=self.order))
        await interaction.response.send_modal(form)


async def on_plan_form(interaction: discord.Interaction[Any], form: Mapping[str, Any]) -> None:
    """Give the plan of a form, which another process may have opened."""
    typed = next((field.get("value", "") for field in form_fields(interaction.data)), "").strip()
    await interaction.client.run_command(
        interaction, "plan", {"order": typed}, form["game"], is_update=is_ephemeral(interaction)
    )


class SandboxButton(
    PersistentItem, form="if:{game}:{version}:{verb:commit|back|drop|plan}", command="whatif {0.act}", is_update=True
):
    """Makes the sandbox's moves, removes the last move, or empties it."""

    LABELS: ClassVar = {
        "commit": "Make these moves",
        "back": "Take back the last move",
        "drop": "Discard the moves",
        "plan": "Make it when the turn comes",
    }

    def build(self) -> Button:
        style = discord.ButtonStyle.success if self.verb == "commit" else self.style
        return Button(label=tr(self.LABELS[self.verb]), style=style)

    @property
    def act(self) -> str:
        return "make" if self.verb == "commit" else self.verb


class RewindButton(PersistentItem, form="rw:{game}:{version}:{number}", command="moderate rewind", is_update=True):
    """Rewinds, unless somebody has moved since the preview."""

    def build(self) -> Button:
        return Button(label=tr("Go back to {number}", self.number), style=discord.ButtonStyle.danger)

    def values(self) -> Mapping[str, Any]:
        return {"record": self.number, "sure": True}


class SeasonButton(PersistentItem, form="se:{season}:{verb:enter|leave}", command="season {0.verb}"):
    """Enters or leaves a season."""

    season: int
    LABELS: ClassVar = {"enter": "Enter", "leave": "Leave"}

    def build(self) -> Button:
        return Button(label=tr(self.LABELS[self.verb]), style=self.style)

    def values(self) -> Mapping[str, Any]:
        return {"season": self.season}


# -- votes --------------------------------------------------------------------------------------------


class QuestionButton(PersistentItem, form="qa:{question}:{answer:yes|no}", command="vote {0.answer}"):
    question: int
    answer: str

    def build(self) -> Button:
        if self.answer == "yes":
            return Button(label=tr("Agree"), style=discord.ButtonStyle.success)
        return Button(label=tr("Refuse"), style=discord.ButtonStyle.danger)

    def values(self) -> Mapping[str, Any]:
        return {"vote": self.question}


class AskUndoButton(PersistentItem, form="vu:{game}:{number}", command="vote undo", is_update=True):
    """Asks all who have moved since an entry whether they agree to undo back to it."""

    label, style = "Ask the others", discord.ButtonStyle.primary

    def values(self) -> Mapping[str, Any]:
        return {"record": self.number}


def plan_button(game_id: GameId, order: str, label: Text, is_draft: bool) -> PersistentItem:
    return (PlanDraftButton if is_draft else PlanButton)(game_id, order, label=tr(label))


# -- follow-ups ---------------------------------------------------------------------------------------

FOLLOW_UPS: Mapping[str, Callable[[GameId, int, FollowUp], PersistentItem]] = {
    "vote undo": lambda game, version, one: AskUndoButton(game, one.values["record"]),
    "vote yes": lambda game, version, one: QuestionButton(one.values["vote"], "yes"),
    "vote no": lambda game, version, one: QuestionButton(one.values["vote"], "no"),
    "moderate rewind": lambda game, version, one: RewindButton(game, version, one.values["record"]),
    "whatif make": lambda game, version, one: SandboxButton(game, version, "commit"),
    "whatif back": lambda game, version, one: SandboxButton(game, version, "back"),
    "whatif plan": lambda game, version, one: SandboxButton(game, version, "plan"),
    "whatif drop": lambda game, version, one: SandboxButton(game, version, "drop"),
    "plan": lambda game, version, one: plan_button(game, one.values["order"], one.label, one.is_draft),
}
"""The button of a command that may follow, in a game at this position."""

WITHOUT_GAME: Mapping[str, Callable[[FollowUp], PersistentItem]] = {
    "season enter": lambda one: SeasonButton(one.values["season"], "enter"),
    "season leave": lambda one: SeasonButton(one.values["season"], "leave"),
}
"""The button of a command that may follow and is about no game."""
