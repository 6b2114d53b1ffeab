"""Discord's refusals."""

from __future__ import annotations

from collections.abc import Sequence

from tests.discord_double.model import Json

INVALID_FORM = 50035

MESSAGES = {
    10003: "Unknown Channel",
    10004: "Unknown Guild",
    10007: "Unknown Member",
    10008: "Unknown Message",
    10013: "Unknown User",
    10015: "Unknown Webhook",
    10062: "Unknown interaction",
    10063: "Unknown application command",
    30003: "Maximum number of pinned messages reached for the channel (250)",
    30033: "Max number of thread participants has been reached (1000)",
    30034: "Max number of daily application command creates has been reached (200)",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later",
    40005: "Request entity too large",
    40060: "Interaction has already been acknowledged.",
    50001: "Missing Access",
    50005: "Cannot edit a message authored by another user",
    50006: "Cannot send an empty message",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50024: "Cannot execute action on this channel type",
    50027: "Invalid Webhook Token",
    50035: "Invalid Form Body",
    50083: "Thread is archived",
    50109: "The request body contains invalid JSON.",
    50278: "Cannot send messages to this user due to having no mutual guilds",
    160004: "A thread has already been created for this message",
    160005: "Thread is locked",
    160006: "Maximum number of active threads reached",
}
"""The sentences that go with the error codes."""


class ApiError(Exception):
    """An answer of 4xx: status, Discord's code, and what exactly was wrong where an oracle found it; a limit that will be over
    says in how many seconds (`retry_after`)."""

    def __init__(
        self, status: int, code: int, details: Sequence[str] = (), oracle: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(f"{status} {code} {MESSAGES.get(code, '')}: {'; '.join(details)}".rstrip(": "))
        self.status = status
        self.code = code
        self.details = tuple(details)
        self.oracle = oracle
        self.retry_after = retry_after

    def body(self) -> Json:
        """The error as JSON."""
        form: Json = {"code": self.code, "message": MESSAGES.get(self.code, "error")}
        if self.retry_after is not None:
            form |= {"retry_after": self.retry_after, "global": False}
        if self.details:
            form["errors"] = {"_errors": [{"code": "DOUBLE", "message": detail} for detail in self.details]}
        return form


def invalid(details: Sequence[str], oracle: str) -> ApiError:
    """400 Invalid Form Body, found by an oracle."""
    return ApiError(400, INVALID_FORM, details, oracle)
