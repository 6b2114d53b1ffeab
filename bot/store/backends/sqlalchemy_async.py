"""SQLAlchemy's asynchronous engine. Its package would also load the mapper of objects: 6 MB, which nothing here uses."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec

PACKAGE = "sqlalchemy.ext.asyncio"

_is_ours = PACKAGE not in sys.modules
if _is_ours:
    _found = find_spec(PACKAGE)
    assert _found is not None
    sys.modules[PACKAGE] = module_from_spec(_found)  # stands in for the package while its engine is loaded

from sqlalchemy.ext.asyncio.engine import AsyncConnection, AsyncEngine, create_async_engine  # noqa: E402

if _is_ours:
    del sys.modules[PACKAGE]  # importing the package itself loads all of it, with this same engine

__all__ = ["AsyncConnection", "AsyncEngine", "create_async_engine"]
