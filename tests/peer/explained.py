"""Differences that are known, each with its reason: those of a title in its `title.toml`; its page tells of them. A game ends where it meets one."""

from __future__ import annotations

import re

from bot.titles.registry import title_folders

EVERYWHERE = (
    (
        r"Timeout::Error",
        "the searches there for what companies reach took more than a minute",
    ),
    (
        r" lay .*refused there: Must use new track",
        "the search there enters no stop twice, by whatever way it comes, and so overlooks walks along the new track; a file is loaded"
        " without this question",
    ),
)
"""What may happen in every title: what the difference says, and why it is there."""


def reason_of(title: str, difference: str) -> str | None:
    """Why the difference is known, if it is."""
    peer = title_folders()[title].record.peer
    known = ((one.pattern, one.reason) for one in (peer.differences if peer is not None else ()))
    return next((reason for pattern, reason in (*EVERYWHERE, *known) if re.search(pattern, difference)), None)
