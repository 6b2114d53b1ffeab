"""Routes about the bot itself, its commands, its guilds and their members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_double.calls import Call
from tests.discord_double.errors import ApiError
from tests.discord_double.limits_commands import CREATES_A_DAY, check_commands
from tests.discord_double.model import Guild, Json
from tests.discord_double.routes import NO_CONTENT, Answer, route

if TYPE_CHECKING:
    from tests.discord_double.server import Emulator


@route("GET", "/gateway/bot")
def gateway_bot(emulator: Emulator, call: Call) -> Answer:
    """Where the gateway is."""
    limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": emulator.gateway.max_concurrency}
    return 200, {"url": emulator.gateway_url, "shards": 1, "session_start_limit": limit}


@route("GET", "/users/@me")
def own_user(emulator: Emulator, call: Call) -> Answer:
    """Who the bot is."""
    return 200, emulator.payloads.own_user()


@route("GET", "/applications/@me")
@route("GET", "/oauth2/applications/@me")
def own_application(emulator: Emulator, call: Call) -> Answer:
    """What application the bot belongs to."""
    return 200, emulator.payloads.application()


@route("GET", "/users/{user}")
def other_user(emulator: Emulator, call: Call) -> Answer:
    """Any account."""
    user = emulator.world.users.get(call.number("user"))
    if user is None:
        raise ApiError(404, 10013)
    return 200, emulator.payloads.user(user)


@route("POST", "/users/@me/channels")
def open_dm(emulator: Emulator, call: Call) -> Answer:
    """The conversation with a user; refusal comes only with the first message."""
    user = emulator.world.users.get(int(call.form.get("recipient_id") or 0))
    if user is None or user is emulator.world.bot:
        raise ApiError(400, 50035, ["recipient_id"])
    return 200, emulator.payloads.channel(emulator.world.dm_with(user))


# -- commands -----------------------------------------------------------------------------------------


def _scope(emulator: Emulator, call: Call) -> int | None:
    if call.number("application") != emulator.world.application_id:
        raise ApiError(403, 50001)
    if "guild" not in call.where:
        return None
    if call.number("guild") not in emulator.world.guilds:
        raise ApiError(403, 50001)
    return call.number("guild")


@route("GET", "/applications/{application}/commands")
@route("GET", "/applications/{application}/guilds/{guild}/commands")
def list_commands(emulator: Emulator, call: Call) -> Answer:
    """What is registered."""
    return 200, emulator.world.commands.get(_scope(emulator, call), [])


@route("PUT", "/applications/{application}/commands")
@route("PUT", "/applications/{application}/guilds/{guild}/commands")
def overwrite_commands(emulator: Emulator, call: Call) -> Answer:
    """Register a whole set; only new names cost of the daily budget."""
    scope = _scope(emulator, call)
    commands = call.body if isinstance(call.body, list) else []
    check_commands(commands)
    before = {(command["type"], command["name"]): command for command in emulator.world.commands.get(scope, [])}
    fresh = [command for command in commands if (command.get("type") or 1, command["name"]) not in before]
    if emulator.world.commands_created + len(fresh) > CREATES_A_DAY:
        raise ApiError(400, 30034)
    emulator.world.commands_created += len(fresh)
    emulator.world.commands[scope] = [_registered(emulator, command, scope, before) for command in commands]
    return 200, emulator.world.commands[scope]


def _registered(emulator: Emulator, command: Json, scope: int | None, before: dict[tuple[int, str], Json]) -> Json:
    old = before.get((command.get("type") or 1, command["name"]))
    permissions = command.get("default_member_permissions")
    form = {"type": 1, "description": "", "dm_permission": True} | command
    form |= {
        "integration_types": command.get("integration_types") or [0],
        "id": old["id"] if old else str(emulator.world.new_id()),
        "application_id": str(emulator.world.application_id),
        "version": str(emulator.world.new_id()),
        "default_member_permissions": None if permissions is None else str(permissions),
    }
    return form if scope is None else form | {"guild_id": str(scope)}


@route("POST", "/applications/{application}/commands")
@route("POST", "/applications/{application}/guilds/{guild}/commands")
def add_command(emulator: Emulator, call: Call) -> Answer:
    """Register one command, in place of one of the same name."""
    scope = _scope(emulator, call)
    kept = [old for old in emulator.world.commands.get(scope, []) if old["name"] != call.form.get("name")]
    check_commands([*kept, call.form])
    new = _registered(emulator, call.form, scope, {})
    emulator.world.commands[scope] = [*kept, new]
    emulator.world.commands_created += 1
    return 201, new


@route("DELETE", "/applications/{application}/commands/{command}")
@route("DELETE", "/applications/{application}/guilds/{guild}/commands/{command}")
def remove_command(emulator: Emulator, call: Call) -> Answer:
    """Take one command away."""
    scope = _scope(emulator, call)
    kept = [old for old in emulator.world.commands.get(scope, []) if old["id"] != call.where["command"]]
    if len(kept) == len(emulator.world.commands.get(scope, [])):
        raise ApiError(404, 10063)
    emulator.world.commands[scope] = kept
    return NO_CONTENT


# -- guilds -------------------------------------------------------------------------------------------


def _guild(emulator: Emulator, call: Call) -> Guild:
    guild = emulator.world.guilds.get(call.number("guild"))
    if guild is None or emulator.world.bot.id not in guild.members:
        raise ApiError(404, 10004)
    return guild


@route("GET", "/guilds/{guild}")
def get_guild(emulator: Emulator, call: Call) -> Answer:
    """A guild."""
    return 200, emulator.payloads.guild_answer(_guild(emulator, call))


@route("GET", "/guilds/{guild}/channels")
def guild_channels(emulator: Emulator, call: Call) -> Answer:
    """Its channels without threads."""
    return 200, emulator.payloads.guild(_guild(emulator, call))["channels"]


@route("GET", "/guilds/{guild}/threads/active")
def active_threads(emulator: Emulator, call: Call) -> Answer:
    """Its open threads."""
    threads = emulator.payloads.guild(_guild(emulator, call))["threads"]
    members = [thread["member"] for thread in threads if "member" in thread]
    return 200, {"threads": threads, "members": members, "has_more": False}


@route("GET", "/guilds/{guild}/roles")
def guild_roles(emulator: Emulator, call: Call) -> Answer:
    """Its roles."""
    return 200, emulator.payloads.roles(_guild(emulator, call))


@route("GET", "/guilds/{guild}/members")
def guild_members(emulator: Emulator, call: Call) -> Answer:
    """Its members."""
    guild = _guild(emulator, call)
    return 200, [emulator.payloads.member(guild, emulator.world.users[number]) for number in guild.members]


@route("GET", "/guilds/{guild}/members/{user}")
def guild_member(emulator: Emulator, call: Call) -> Answer:
    """One member."""
    guild = _guild(emulator, call)
    if call.number("user") not in guild.members:
        raise ApiError(404, 10007)
    return 200, emulator.payloads.member(guild, emulator.world.users[call.number("user")])
