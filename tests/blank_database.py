"""An empty database in the present form: migrations are run once, not for every test that wants one."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from sqlalchemy import create_engine

from bot.store.file.migrate import migrate


def write_blank(path: Path) -> None:
    """Put an empty database there, unless there is one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(_blank())


@cache
def _blank() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "signalbox.db"
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
        return path.read_bytes()
