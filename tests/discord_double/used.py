"""The routes that the bot uses. Whoever adds one adds it here, and a cell for it to the fault matrix, or the reason why not."""

from __future__ import annotations

IN_THE_MATRIX = (
    THREADS := "POST /channels/{channel}/messages/{message}/threads",
    POSTS := "POST /channels/{channel}/threads",
    TAGS := "PATCH /channels/{channel}",
    SEND := "POST /channels/{channel}/messages",
    EDIT := "PATCH /channels/{channel}/messages/{message}",
    DELETE := "DELETE /channels/{channel}/messages/{message}",
    HISTORY := "GET /channels/{channel}/messages",
    FIRST_ANSWER := "POST /interactions/{interaction}/{token}/callback",
    ANSWER := "PATCH /webhooks/{application}/{token}/messages/{message}",
    CONVERSATION := "POST /users/@me/channels",
    PLACE := "GET /channels/{channel}",
    REACTION := "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me",
    MEMBER := "GET /guilds/{guild}/members/{user}",
    LOGIN := "GET /users/@me",
    APPLICATION := "GET /oauth2/applications/@me",
    COMMANDS := "PUT /applications/{application}/commands",
)

ELSEWHERE = {
    "GET /gateway/bot": "asked by several bots that share the work alone: tests/shards",
    "GET /guilds/{guild}": "likewise",
    "PUT /channels/{channel}/thread-members/{user}": "only for a lesson: tests/commands/test_lesson_discord.py",
}
"""Routes that the matrix does not have, and why."""

USED = {*IN_THE_MATRIX, *ELSEWHERE}
SIGNALBOX = ("run", "_bot.py")
"""How the commands of our own bots end; the sample bot and trials of servers may ask what they like."""


def is_ours(command: list[str]) -> bool:
    """Whether a process is a bot of ours."""
    return command[-1].endswith(SIGNALBOX) and "sample" not in command[-1]
