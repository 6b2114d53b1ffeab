"""The trial: each step in its turn, what came of it, and everything taken away again, also after a failure."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.commands.discord.discord_errors import UNREACHABLE, intents, reason_to_end
from bot.render.painting.picture import Picture

from .transcript import Transcript, kind_of

STEP_SECONDS = 60.0
"""Longest time of a step that waits for nobody, in seconds."""

OK, FAILED, SKIPPED = "ok", "failed", "skipped"

Undoing = Callable[[], Awaitable[object]]


class Missing(Exception):
    """This step cannot be tried here; the message says why."""


class Wrong(Exception):
    """Discord did something unexpected; the message says what."""


@dataclass(frozen=True)
class TrialOptions:
    """The operator's options: the server, perhaps a channel and a forum in it, and the seconds to wait for somebody
    (0: nobody is there).
    """

    guild: int
    channel: int | None = None
    forum: int | None = None
    patience: float = 120.0


@dataclass(frozen=True)
class Outcome:
    """The outcome of a step, with its duration in seconds."""

    step: str
    result: str
    seconds: float
    seen: str


class SmokeClient(discord.Client):
    """A client that records its requests, and passes on what people press and type."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(
            intents=intents(reads_content=False),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            http_trace=transcript.trace(),
        )
        self.transcript = transcript
        self.interactions: asyncio.Queue[discord.Interaction[Any]] = asyncio.Queue()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        self.transcript.interactions[str(interaction.id)] = kind_of(interaction)
        self.interactions.put_nowait(interaction)


@dataclass
class Trial:
    """One trial of a server. It holds what steps share: the channel, the thread, messages."""

    token: str
    wishes: TrialOptions
    pictures: Sequence[Picture]
    tell: Callable[[str], None]

    transcript: Transcript = field(default_factory=Transcript)
    outcomes: list[Outcome] = field(default_factory=list)
    undoing: list[tuple[str, Undoing]] = field(default_factory=list)
    connecting: asyncio.Task[None] | None = None
    guild: discord.Guild | None = None
    channel: discord.TextChannel | None = None
    forum: discord.ForumChannel | None = None
    thread: discord.Thread | None = None
    post: discord.Thread | None = None
    record: discord.Message | None = None

    def __post_init__(self) -> None:
        self.client = SmokeClient(self.transcript)

    @property
    def server(self) -> discord.Guild:
        assert self.guild is not None
        return self.guild

    @property
    def home(self) -> discord.Thread:
        """The thread in which most steps run."""
        assert self.thread is not None
        return self.thread

    def names(self) -> dict[int, str]:
        found = {self.wishes.guild: "guild"}
        if self.client.application_id is not None:
            found[self.client.application_id] = "application"
        for thing, name in ((self.client.user, "bot"), (self.channel, "channel"), (self.forum, "forum")):
            if thing is not None:
                found.setdefault(thing.id, name)
        for number, tag in enumerate(self.forum.available_tags if self.forum is not None else (), 1):
            found[tag.id] = f"tag-{number}"
        return found

    async def run(self, steps: Sequence[SmokeStep], show: Callable[[Outcome], None]) -> bool:
        """Run all steps, then clean up; returns whether nothing failed. Each outcome is shown at once."""

        def note(outcome: Outcome) -> None:
            self.outcomes.append(outcome)
            show(outcome)

        try:
            for step in steps:
                note(await self._try(step))
        finally:
            note(await self._clean())
        return all(outcome.result != FAILED for outcome in self.outcomes)

    async def _try(self, step: SmokeStep) -> Outcome:
        done = {outcome.step for outcome in self.outcomes if outcome.result == OK}
        if lacking := [name for name in step.needs if name not in done]:
            return Outcome(step.name, SKIPPED, 0.0, f"needs: {', '.join(lacking)}")
        if step.asks and not self.wishes.patience:
            return Outcome(step.name, SKIPPED, 0.0, "nobody is there to do it")
        self.transcript.step = step.name
        begun = time.monotonic()
        result, seen = FAILED, ""
        try:
            async with asyncio.timeout(STEP_SECONDS + (self.wishes.patience if step.asks else 0.0)):
                result, seen = OK, await step.do(self)
        except Missing as missing:
            result, seen = SKIPPED, str(missing)
        except Exception as error:
            result, seen = FAILED, trouble(error)
        return Outcome(step.name, result, time.monotonic() - begun, seen)

    async def _clean(self) -> Outcome:
        """Delete everything that was created, the last first."""
        self.transcript.step = "clean up"
        begun = time.monotonic()
        left: list[str] = []
        count = len(self.undoing)
        while self.undoing:
            what, undo = self.undoing.pop()
            try:
                async with asyncio.timeout(STEP_SECONDS):
                    await undo()
            except Exception as error:
                left.append(f"{what} is left behind ({trouble(error)})")
        await self.client.close()
        if self.connecting is not None:
            self.connecting.cancel()
            await asyncio.gather(self.connecting, return_exceptions=True)
        seen = "; ".join(left) or f"{count} things were taken away"
        return Outcome("clean up", FAILED if left else OK, time.monotonic() - begun, seen)


@dataclass(frozen=True)
class SmokeStep:
    """Something to try, with the steps that it needs; `asks` where somebody has to do something. `do` returns what
    was seen.

    `do` raises `Missing` where it cannot be tried, and anything else where it fails.
    """

    name: str
    do: Callable[[Trial], Awaitable[str]]
    needs: tuple[str, ...] = ()
    asks: bool = False


def trouble(error: Exception) -> str:
    if sentence := reason_to_end(error):
        return sentence
    if isinstance(error, discord.HTTPException):
        return f"Discord refuses: {error.status}, code {error.code}: {' '.join(error.text.split())[:200]}"
    if isinstance(error, TimeoutError):
        return "nothing came in time"
    if isinstance(error, UNREACHABLE):
        return f"Discord cannot be reached: {error}"
    return str(error) if isinstance(error, Wrong) else f"{type(error).__name__}: {error}"
