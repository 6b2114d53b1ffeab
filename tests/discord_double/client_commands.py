"""What the client's command line allows: registered commands, declared options, given choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.discord_double.model import DM, FORUM, Channel, Json, User, World
from tests.discord_double.payloads import Payloads

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, NUMBER, ATTACHMENT = 1, 2, 3, 4, 5, 6, 7, 10, 11


class ClientRefuses(AssertionError):
    """A Discord client would not let the user do this."""


@dataclass(frozen=True)
class Path:
    """A command with the subcommands that lead to its options."""

    command: Json
    steps: tuple[Json, ...]

    @property
    def name(self) -> str:
        """As typed, with the slash."""
        return "/" + " ".join(entry["name"] for entry in (self.command, *self.steps))

    @property
    def options(self) -> list[Json]:
        """The declared options."""
        last = self.steps[-1] if self.steps else self.command
        return [option for option in last.get("options") or [] if option["type"] not in (SUBCOMMAND, GROUP)]

    def data(self, options: list[Json], resolved: Json) -> Json:
        """The data of the interaction."""
        for step in reversed(self.steps):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        form = {"id": self.command["id"], "name": self.command["name"], "type": 1, "options": options}
        if "guild_id" in self.command:
            form["guild_id"] = self.command["guild_id"]
        return form | ({"resolved": resolved} if resolved else {})


@dataclass
class Entered:
    """Options as sent, with what they refer to."""

    options: list[Json] = field(default_factory=list)
    resolved: Json = field(default_factory=dict)


def resolve(world: World, text: str, channel: Channel, is_admin: bool) -> Path:
    """The registered command that a text such as `game new` names.

    :raises ClientRefuses: there is none, or it is not offered here or to this user.
    """
    first, *rest = text.removeprefix("/").split()
    scopes = [channel.guild.id, None] if channel.guild else [None]
    registered = [command for scope in scopes for command in world.commands.get(scope, []) if command["type"] == 1]
    command = next((each for each in registered if each["name"] == first), None)
    if command is None:
        raise ClientRefuses(f"/{first} is not registered; there are {sorted(each['name'] for each in registered)}")
    _check_offered(command, channel, is_admin)
    steps: list[Json] = []
    level = command
    for word in rest:
        branches = [option for option in level.get("options") or [] if option["type"] in (SUBCOMMAND, GROUP)]
        found = next((option for option in branches if option["name"] == word), None)
        if found is None:
            raise ClientRefuses(f"/{text}: {word} is none of {[option['name'] for option in branches]}")
        steps.append(found)
        level = found
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in level.get("options") or []):
        raise ClientRefuses(f"/{text} needs a subcommand: {[option['name'] for option in level['options']]}")
    return Path(command, tuple(steps))


def _check_offered(command: Json, channel: Channel, is_admin: bool) -> None:
    if channel.type == FORUM:
        raise ClientRefuses("nothing can be typed in a forum, only in its posts")
    contexts = command.get("contexts")
    is_direct = channel.type == DM
    if is_direct and (command.get("dm_permission") is False or (contexts is not None and 1 not in contexts)):
        raise ClientRefuses(f"/{command['name']} is not offered in direct messages")
    if not is_direct and contexts is not None and 0 not in contexts:
        raise ClientRefuses(f"/{command['name']} is not offered in servers")
    if not is_direct and command.get("default_member_permissions") is not None and not is_admin:
        raise ClientRefuses(
            f"/{command['name']} is for members with permissions {command['default_member_permissions']}"
        )


def typed_options(
    payloads: Payloads, path: Path, given: Mapping[str, Any], channel: Channel, focused: tuple[str, str] | None = None
) -> Entered:
    """Options as the client sends them; with `focused` an unfinished command whose one option is being typed.

    :raises ClientRefuses: unknown or missing options, values that the client would not accept.
    """
    declared = {option["name"]: option for option in path.options}
    names = [*given, *([focused[0]] if focused else [])]
    if unknown := [name for name in names if name not in declared]:
        raise ClientRefuses(f"{path.name} has no option {unknown}; it has {list(declared)}")
    missing = [name for name, option in declared.items() if option.get("required") and given.get(name) in (None, "")]
    if missing and focused is None:
        raise ClientRefuses(f"{path.name} needs {missing}")
    entered = Entered()
    for name, option in declared.items():
        if focused is not None and name == focused[0]:
            if not option.get("autocomplete"):
                raise ClientRefuses(f"{path.name} {name} has no completion")
            entered.options.append({"name": name, "type": option["type"], "value": focused[1], "focused": True})
        elif given.get(name) is not None:
            value = _value(payloads, option, given[name], channel, entered.resolved)
            entered.options.append({"name": name, "type": option["type"], "value": value})
    return entered


def _value(payloads: Payloads, option: Json, value: Any, channel: Channel, resolved: Json) -> Any:
    name, kind = option["name"], option["type"]
    if option.get("choices"):
        return _choice(option, value)
    if kind == STRING:
        return _string(option, value)
    if kind in (INTEGER, NUMBER):
        if isinstance(value, bool) or not isinstance(value, int | float) or (kind == INTEGER and value != int(value)):
            raise ClientRefuses(f"{name}: {value!r} is no number of this kind")
        if value < option.get("min_value", value) or value > option.get("max_value", value):
            raise ClientRefuses(f"{name}: {value} is out of bounds")
        return value
    if kind == BOOLEAN and isinstance(value, bool):
        return value
    if kind == USER:
        return enter_person(payloads, value, channel, resolved)
    if kind == ATTACHMENT and isinstance(value, tuple):
        attachment = payloads.world.add_file(*value)
        resolved.setdefault("attachments", {})[str(attachment.id)] = payloads.attachment(channel, attachment, True)
        return str(attachment.id)
    if kind == CHANNEL and getattr(value, "id", None) in payloads.world.channels:
        place = payloads.world.channels[value.id]
        resolved.setdefault("channels", {})[str(place.id)] = {
            "id": str(place.id),
            "type": place.type,
            "name": place.name,
            "permissions": "0",
        }
        return str(place.id)
    raise ClientRefuses(f"{name}: {value!r} does not fit an option of type {kind}")


def _choice(option: Json, value: Any) -> Any:
    for choice in option["choices"]:
        if value in (choice["name"], choice["value"]):
            return choice["value"]
    raise ClientRefuses(f"{option['name']}: {value!r} is none of {[choice['name'] for choice in option['choices']]}")


def _string(option: Json, value: Any) -> str:
    text = " ".join(str(value).split("\n"))
    if not option.get("min_length", 1) <= len(text) <= option.get("max_length", 6000):
        raise ClientRefuses(f"{option['name']}: a text of {len(text)} characters")
    return text


def enter_person(payloads: Payloads, value: Any, channel: Channel, resolved: Json) -> str:
    """Enter a person into the resolved data; returns the id.

    :raises ClientRefuses: no user.
    """
    user: User | None = payloads.world.users.get(getattr(value, "id", 0))
    if user is None:
        raise ClientRefuses(f"{value!r} is no user")
    resolved.setdefault("users", {})[str(user.id)] = payloads.user(user)
    if channel.guild is not None and user.id in channel.guild.members:
        member = payloads.member(channel.guild, user, with_user=False, permissions=payloads.permissions(channel, user))
        resolved.setdefault("members", {})[str(user.id)] = member
    return str(user.id)
