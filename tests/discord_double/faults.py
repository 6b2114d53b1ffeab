"""Failures on demand: what Discord and the network do to a bot on a bad day."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from tests.discord_double.calls import Call
from tests.discord_double.errors import MESSAGES
from tests.discord_double.model import Json

Form = Literal["json", "bare", "html"]
"""How a refusal looks: Discord's JSON with a code, JSON without one, or the page of whoever stands before Discord."""

FOREVER = math.inf
"""Until `Faults.lift`."""

VIA = {"Via": "1.1 google"}
"""Discord itself has answered; without it discord.py takes a 429 for a ban and gives up."""

PAGE = """<!DOCTYPE html>
<html lang="en-US">
<head><title>Access denied | discord.com used Cloudflare to restrict access</title></head>
<body><h1>Error {status}</h1><p>The owner of this website has banned you temporarily.</p></body>
</html>
"""


@dataclass(eq=False)
class Fault:
    """One kind of failure for the next `times` requests that match `route`, a pattern such as `POST /channels/*/messages` or a
    template such as `POST /channels/{channel}/messages`, and for which `when` holds.

    `status` 0 lets the request through (late by `delay` seconds, with its answer lost, or never answered: `is_silent`).
    A silent one with a status is never answered and never heard.
    """

    route: str
    times: float = 1
    status: int = 0
    code: int = 0
    retry_after: float = 0.0
    is_global: bool = False
    delay: float = 0.0
    is_lost: bool = False
    is_silent: bool = False
    is_lifted: bool = False
    form: Form = "json"
    has_via: bool = True
    scope: str = ""
    when: Callable[[Call], bool] | None = None

    def befalls(self, call: Call) -> bool:
        """Whether it is for a request."""
        names = (str(call), f"{call.method} {call.template}")
        fits = any(name == self.route or fnmatchcase(name, self.route) for name in names)
        return fits and (self.when is None or self.when(call))

    def body(self) -> Json | str:
        """The body of the failing answer."""
        if self.form == "html":
            return PAGE.replace("{status}", str(self.status))
        if self.status == 429:
            limits = {"retry_after": self.retry_after, "global": self.is_global}
            return {"message": MESSAGES.get(self.code, "You are being rate limited."), **limits, **self._code()}
        return {"message": MESSAGES.get(self.code, f"{self.status}: emulated failure"), **self._code()}

    def _code(self) -> Json:
        return {} if self.form == "bare" or (self.status == 429 and not self.code) else {"code": self.code}

    def headers(self) -> dict[str, str]:
        """What a refusal has beside its body."""
        limits = {"Retry-After": str(math.ceil(self.retry_after))} if self.status == 429 else {}
        if self.status == 429 and self.has_via:
            limits["X-RateLimit-Scope"] = self.scope or ("global" if self.is_global else "user")
        return limits | (VIA if self.has_via else {})


class Faults:
    """The failures that are still to come."""

    def __init__(self) -> None:
        self.pending: list[Fault] = []
        self._silent: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        """A failure from now on."""
        self.pending.append(fault)
        return fault

    def fail(
        self,
        route: str,
        status: int,
        times: float = 1,
        code: int = 0,
        delay: float = 0.0,
        form: Form = "json",
        when: Callable[[Call], bool] | None = None,
    ) -> Fault:
        """Answer with a status without doing anything. A page (`form="html"`) never comes from Discord itself."""
        return self.add(
            Fault(route, times, status, code, delay=delay, form=form, has_via=form != "html", when=when),
        )

    def rate_limit(
        self,
        route: str,
        retry_after: float = 0.05,
        times: float = 1,
        is_global: bool = False,
        has_via: bool = True,
        form: Form = "json",
    ) -> Fault:
        """Answer with 429, by Discord itself or (without Via) by whoever stands before it."""
        return self.add(
            Fault(route, times, 429, retry_after=retry_after, is_global=is_global, has_via=has_via, form=form)
        )

    def ban(self, route: str = "*", times: float = FOREVER) -> Fault:
        """Cloudflare bans the bot's address: 429, a page, no Via."""
        return self.rate_limit(route, 3600.0, times, has_via=False, form="html")

    def lose_answer(self, route: str, times: float = 1) -> Fault:
        """Do what is asked, then cut the line before the answer."""
        return self.add(Fault(route, times, is_lost=True))

    def slow(self, route: str, seconds: float, times: float = 1) -> Fault:
        """Answer late."""
        return self.add(Fault(route, times, delay=seconds))

    def silence(self, route: str, times: float = FOREVER, is_heard: bool = False) -> Fault:
        """Never answer, having done what is asked or not, until the fault is lifted, which cuts the lines."""
        fault = self.add(Fault(route, times, status=0 if is_heard else 503, is_silent=True))
        self._silent.append(fault)
        return fault

    def lift(self) -> None:
        """All is well again."""
        self.pending.clear()
        for fault in self._silent:
            fault.is_lifted = True
        self._silent.clear()

    def take(self, call: Call) -> Fault | None:
        """The failure that befalls a request, if any."""
        for fault in self.pending:
            if fault.befalls(call):
                fault.times -= 1
                if fault.times <= 0:
                    self.pending.remove(fault)
                return fault
        return None
