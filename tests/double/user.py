"""A person at a Discord client: only what such a client allows."""

from __future__ import annotations

from typing import Any

from .model import APPLICATION, BOT, CHANNEL, GUILD
from .server import Double

STRING, INTEGER, SUBCOMMAND, USER = 3, 4, 1, 6


class Person:
    """Uses registered commands, visible buttons, and text."""

    def __init__(self, double: Double, name: str) -> None:
        self.double = double
        self.name = name
        self.id = double.world.add_user(name)
        self.seen = 0

    async def slash(self, command: str, channel: str = CHANNEL, **values: Any) -> dict[str, Any]:
        """Use a command such as `game new`; returns the answered message.

        :raises AssertionError: the command or an option does not exist, a required one is missing, a choice is not offered.
        """
        data = self._command(command, values)
        return await self._interact(2, channel, data)

    async def complete(self, command: str, channel: str, option: str, typed: str) -> list[str]:
        """What is offered while typing an option."""
        data = self._command(command, {option: typed}, focused=option)
        interaction = await self._send(4, channel, data)
        body = await self.double.wait_for(lambda: interaction.get("answer"), f"choices of {command}")
        return [choice["value"] for choice in body["data"]["choices"]]

    def _command(self, command: str, values: dict[str, Any], focused: str = "") -> dict[str, Any]:
        names = command.split()
        found = next((entry for entry in self.double.world.commands if entry["name"] == names[0]), None)
        assert found, f"no command {names[0]}"
        level, options = found, []
        if len(names) == 2:
            level = next((entry for entry in found["options"] if entry["name"] == names[1]), None)
            assert level, f"no command {command}"
        known = {option["name"]: option for option in level.get("options") or []}
        assert set(values) <= set(known), f"{command} has no options {set(values) - set(known)}"
        if not focused:
            missing = [name for name, option in known.items() if option.get("required") and name not in values]
            assert not missing, f"{command} needs {missing}"
        for name, value in values.items():
            choices = [choice["value"] for choice in known[name].get("choices") or []]
            assert not choices or value in choices, f"{value} is not offered for {name}"
            options.append({"name": name, "type": known[name]["type"], "value": value})
            if name == focused:
                options[-1]["focused"] = True
        if len(names) == 2:
            options = [{"name": names[1], "type": SUBCOMMAND, "options": options}]
        return {"id": found["id"], "name": names[0], "type": 1, "options": options}

    async def click(self, message: dict[str, Any], label: str) -> dict[str, Any]:
        """Press a button that stands on the message now."""
        items = [item for row in message["components"] for item in row["components"]]
        found = next((item for item in items if item.get("label") == label), None)
        assert found, f"no button {label!r}; there are {[item.get('label') for item in items]}"
        data = {"custom_id": found["custom_id"], "component_type": 2, "id": found.get("id", 1)}
        return await self._interact(3, message["channel_id"], data, message)

    async def say(self, channel: str, text: str, mention: bool = True) -> None:
        """Write in a channel. Without the intent the bot reads only what mentions it."""
        content = f"<@{BOT}> {text}" if mention else text
        world = self.double.world
        message = world.message(channel, self.id, {"content": content}, {})
        message["mentions"] = [world.users[BOT]] if mention else []
        event = {**message, "member": world.member(self.id)}
        if not mention:
            event["content"] = ""
        await self.double.dispatch("MESSAGE_CREATE", event)

    async def _interact(
        self, kind: int, channel: str, data: dict[str, Any], message: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        interaction = await self._send(kind, channel, data, message)
        return await self.double.wait_for(
            lambda: interaction.get("message") if (interaction.get("message") or {}).get("done") else None,
            f"the answer to {data}",
        )

    async def _send(
        self, kind: int, channel: str, data: dict[str, Any], message: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        world = self.double.world
        number = world.number()
        interaction: dict[str, Any] = {
            "id": number,
            "application_id": APPLICATION,
            "type": kind,
            "data": data,
            "guild_id": GUILD,
            "channel_id": channel,
            "channel": {**world.channels[channel], "permissions": "0"},
            "member": {**world.member(self.id), "user": world.users[self.id]},
            "token": f"token-{number}",
            "version": 1,
            "app_permissions": str((1 << 50) - 1),
            "locale": "en-US",
            "guild_locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {"0": GUILD},
            "context": 0,
            "attachment_size_limit": 10485760,
        }
        if message is not None:
            interaction["message"] = {key: value for key, value in message.items() if key not in ("private", "done")}
        self.double.interactions[number] = interaction
        sent = dict(interaction)
        await self.double.dispatch("INTERACTION_CREATE", sent)
        return interaction
