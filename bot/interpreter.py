"""How the Python was built that runs this. As a program: whether it is a good one to run Signalbox (exit code 0), asked before
anything is installed."""

from __future__ import annotations

import platform
import sys
import sysconfig


def is_optimised() -> bool:
    """Whether it was built with the measured profile of a run: `--enable-optimizations`. Debian builds so without saying it."""
    arguments = sysconfig.get_config_var("CONFIG_ARGS") or ""
    return "--enable-optimizations" in arguments or "deb_system" in sysconfig.get_scheme_names()


def interpreter_line() -> str:
    """The version of Python, and what it costs that it was not built for speed."""
    version = f"Python {platform.python_version()}"
    if is_optimised():
        return f"{version}, built with optimisation"
    return f"{version}, built without optimisation: everything takes about a tenth longer than with Debian's python3"


if __name__ == "__main__":
    sys.exit(not (sys.version_info >= (3, 11) and is_optimised()))
