"""`signalbox worker`: does work that may wait for the bots and commands of a server."""

from __future__ import annotations

import argparse
import asyncio
from importlib import import_module
from typing import Any

from bot.jobs.job_types import JobType
from bot.jobs.queue import QueueNotInstalled, install_schema
from bot.jobs.worker import Worker
from bot.ops.backups import VERIFICATION_JOB
from bot.ops.logs import set_up
from bot.ops.settings import InvalidSetting
from bot.render.worker import TIMELAPSE

from .agreement import AGREEMENT
from .main import NotFound, settings
from .selfplay import SELFPLAY
from .store import DOCTOR
from .title_check import TRIAL
from .tournament import TOURNAMENT


def worker(arguments: argparse.Namespace) -> int:
    """Work until told to end. Exit 1 when the server went away, 2 where there is none, or no queue on it."""
    chosen = settings()
    if chosen.server is None:
        raise InvalidSetting("A worker needs a database on a server: SIGNALBOX_DATABASE_URL.")
    if arguments.prepare:
        is_new = asyncio.run(install_schema(chosen.server))
        print(f"{chosen.server}: {'the queue is made' if is_new else 'the queue is there'}")
        return 0
    kinds = known_job_types(arguments.module)
    only = arguments.only.split(",") if arguments.only else []
    if unknown := [name for name in only if name not in kinds]:
        raise InvalidSetting(f"there are no jobs called {unknown[0]}; there are: {', '.join(kinds)}")
    set_up(chosen.log_form, chosen.secret_values)
    try:
        asyncio.run(Worker(chosen.server, kinds, arguments.jobs, only).run(is_waiting=not arguments.once))
    except QueueNotInstalled as error:
        raise NotFound(str(error)) from error
    return 0


def known_job_types(module: str | None = None) -> dict[str, JobType[Any, Any]]:
    """The kinds of jobs by name, with those of a module's `KINDS`.

    :raises InvalidSetting: there is no such module.
    """
    known: list[JobType[Any, Any]] = [DOCTOR, VERIFICATION_JOB, SELFPLAY, TIMELAPSE, TOURNAMENT, AGREEMENT, TRIAL]
    if module:
        try:
            known += import_module(module).KINDS
        except (ImportError, AttributeError) as error:
            raise InvalidSetting(f"{module} has no kinds of jobs: {error}") from error
    return {kind.name: kind for kind in known}
