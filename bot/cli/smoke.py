"""`signalbox smoke`: an operator's trial of a real server, step by step, with a file of what was asked and answered."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

import discord

from bot.commands.discord.smoke.steps import STEPS
from bot.commands.discord.smoke.transcript import FORMAT
from bot.commands.discord.smoke.trial import Outcome, Trial, TrialOptions
from bot.engine.play import Game
from bot.render.painting.picture import Picture
from bot.render.worker import paint_sync
from bot.store import write_file
from bot.threads import run_in_thread
from bot.titles.registry import TITLES, example_title

from .main import WRONG_USE

BROKEN_OFF = 130

KINDS = ("map", "market")


def smoke(arguments: argparse.Namespace) -> int:
    """Exit 0 when no step failed, 1 when one did, 2 without a token, 130 when it was broken off."""
    token = os.environ.get("DISCORD_TOKEN", "").strip()
    if not token:
        print("signalbox: DISCORD_TOKEN is not set; it stands in the developer portal on the page Bot", file=sys.stderr)
        return WRONG_USE
    # Failures are printed below, in one sentence.
    for name in ("discord", "bot"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    wishes = TrialOptions(
        arguments.guild, arguments.channel, arguments.forum, 0.0 if arguments.unattended else arguments.wait
    )
    print(f"{'step':<16}{'result':<9}{'time':>8}  what was seen", flush=True)
    try:
        return asyncio.run(_try(token, wishes, arguments.out))
    except asyncio.CancelledError:
        return BROKEN_OFF


def pictures() -> list[Picture]:
    title = example_title()
    position = Game.new(TITLES[title], ["East", "West", "North"]).encode()
    return [paint_sync(title, position, kind, (), "", "en") for kind in KINDS]


async def _try(token: str, wishes: TrialOptions, out: Path | None) -> int:
    trial = Trial(token, wishes, await run_in_thread(pictures), ask)
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    path = out or Path(f"smoke-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.json")
    try:
        is_well = await trial.run(STEPS, show)
    finally:
        write_file(path, report(trial).encode())
        print(f"requests and answers, without names, ids and secrets: {path}")
    failed = [outcome.step for outcome in trial.outcomes if outcome.result == "failed"]
    print("nothing failed" if is_well else f"failed: {', '.join(failed)}")
    return 0 if is_well else 1


def ask(what: str) -> None:
    print(f"  >> {what}", flush=True)


def show(outcome: Outcome) -> None:
    print(f"{outcome.step:<16}{outcome.result:<9}{outcome.seconds:>6.1f} s  {outcome.seen}", flush=True)


def report(trial: Trial) -> str:
    exchanges = trial.transcript.redact(trial.names())
    steps = [
        {"step": outcome.step, "result": outcome.result, "seconds": round(outcome.seconds, 1)}
        for outcome in trial.outcomes
    ]
    made = {"format": FORMAT, "made": f"{datetime.now(UTC):%Y-%m-%d}", "discord.py": discord.__version__}
    return json.dumps(made | {"steps": steps, "exchanges": exchanges}, indent=1, ensure_ascii=False) + "\n"
