"""Actions that only 18GB knows."""

from __future__ import annotations

from typing import ClassVar

from bot.engine import CompanyId, PrivateId
from bot.engine.state import Action


class Convert(Action, frozen=True, tag="convert"):
    """Turn a 5-share company into a 10-share company: by its president in a stock round, or as the company when it has
    no train.
    """

    form: ClassVar[str] = "convert[ {company}]"
    company: CompanyId


class ClosePrivate(Action, frozen=True, tag="close"):
    """Close a private: it pays once more, and its other abilities become available."""

    private: PrivateId
