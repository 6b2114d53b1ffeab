"""Routes of interactions: the first answer, the original answer, followups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_double.calls import Call
from tests.discord_double.errors import ApiError
from tests.discord_double.interactions import CHOICES, DEFER, DEFER_UPDATE, MESSAGE, MODAL, UPDATE, Interaction
from tests.discord_double.limits import check_callback, check_message
from tests.discord_double.model import (
    CHAT_INPUT_COMMAND,
    DEFAULT,
    EPHEMERAL,
    LOADING,
    Json,
    PostedMessage,
    number_components,
)
from tests.discord_double.routes import NO_CONTENT, Answer, route

if TYPE_CHECKING:
    from tests.discord_double.server import Emulator

WEBHOOK = "/webhooks/{application}/{token}"


@route("POST", "/interactions/{interaction}/{token}/callback")
def first_answer(emulator: Emulator, call: Call) -> Answer:
    """The first answer, within three seconds and only once."""
    interaction = emulator.interactions.for_callback(call.number("interaction"), call.where["token"])
    check_callback(call.form, call.uploads, interaction.kind, interaction.message)
    answer, data = call.form["type"], call.form.get("data") or {}
    if answer in (MESSAGE, DEFER):
        _send_original(emulator, interaction, call, data, answer)
    elif answer in (UPDATE, DEFER_UPDATE):
        interaction.original = interaction.message
        if interaction.original is None:
            raise ApiError(400, 50035, ["there is no message to update"], "limits")
        if answer == UPDATE:
            emulator.messages.edit(interaction.original, data, call.uploads)
    elif answer == CHOICES:
        interaction.choices = list(data.get("choices") or [])
    elif answer == MODAL:
        interaction.modal = data | {"components": number_components(list(data["components"]))}
    emulator.interactions.answered(interaction, answer)
    if call.query.get("with_response", "").lower() not in ("1", "true"):
        return NO_CONTENT
    return 200, _callback_response(emulator, interaction, answer)


def _send_original(emulator: Emulator, interaction: Interaction, call: Call, data: Json, answer: int) -> None:
    flags = int(data.get("flags") or 0)
    body = data if answer == MESSAGE else {"flags": (flags & EPHEMERAL) | LOADING}
    interaction.original = emulator.messages.send(
        interaction.channel,
        emulator.world.bot,
        body,
        call.uploads,
        kind=CHAT_INPUT_COMMAND if interaction.kind == "command" else DEFAULT,
        interaction=interaction.metadata(),
        seen_only_by=interaction.user,
    )


def _callback_response(emulator: Emulator, interaction: Interaction, answer: int) -> Json:
    told: Json = {"id": str(interaction.id), "type": interaction.metadata()["type"]}
    if interaction.original is not None:
        told |= {
            "response_message_id": str(interaction.original.id),
            "response_message_loading": interaction.original.loading,
            "response_message_ephemeral": interaction.original.ephemeral,
        }
    response: Json = {"interaction": told}
    if answer in (MESSAGE, UPDATE, DEFER) and interaction.original is not None:
        kind = UPDATE if answer == UPDATE else MESSAGE
        response["resource"] = {"type": kind, "message": emulator.payloads.message(interaction.original)}
    return response


def _interaction(emulator: Emulator, call: Call) -> Interaction:
    return emulator.interactions.for_webhook(call.number("application"), call.where["token"])


def _answer_message(emulator: Emulator, call: Call) -> tuple[Interaction, PostedMessage]:
    """The message of the path: `@original`, a followup, or the component's own.

    :raises ApiError: 10008.
    """
    interaction = _interaction(emulator, call)
    if call.where.get("message", "@original") == "@original":
        found = interaction.original
    else:
        known = [interaction.original, interaction.message, *interaction.followups]
        found = next((each for each in known if each is not None and each.id == call.number("message")), None)
    if found is None or found.deleted:
        raise ApiError(404, 10008)
    return interaction, found


@route("POST", WEBHOOK)
def followup(emulator: Emulator, call: Call) -> Answer:
    """A further message; the first after a deferral takes the place of the waiting one."""
    interaction = _interaction(emulator, call)
    check_message(call.form, call.uploads, interaction=True)
    if interaction.original is not None and interaction.original.loading:
        return 200, emulator.payloads.message(_settle(emulator, interaction.original, call))
    message = emulator.messages.send(
        interaction.channel,
        emulator.world.bot,
        call.form,
        call.uploads,
        interaction=interaction.metadata(),
        seen_only_by=interaction.user,
    )
    message.reply_to = interaction.original
    interaction.followups.append(message)
    return 200, emulator.payloads.message(message)


def _settle(emulator: Emulator, message: PostedMessage, call: Call) -> PostedMessage:
    """Fill the waiting message; whether it is ephemeral was settled when it was deferred."""
    flags = int(call.form.get("flags") or 0) & ~EPHEMERAL
    return emulator.messages.edit(message, call.form | {"flags": flags}, call.uploads)


@route("GET", WEBHOOK + "/messages/{message}")
def get_answer(emulator: Emulator, call: Call) -> Answer:
    """An answer as it stands."""
    return 200, emulator.payloads.message(_answer_message(emulator, call)[1])


@route("PATCH", WEBHOOK + "/messages/{message}")
def edit_answer(emulator: Emulator, call: Call) -> Answer:
    """Change an answer, or fill the one that waits."""
    _, message = _answer_message(emulator, call)
    check_message(call.form, call.uploads, edited=message, interaction=True)
    return 200, emulator.payloads.message(_settle(emulator, message, call))


@route("DELETE", WEBHOOK + "/messages/{message}")
def delete_answer(emulator: Emulator, call: Call) -> Answer:
    """Take an answer away."""
    emulator.messages.delete(_answer_message(emulator, call)[1])
    return NO_CONTENT
