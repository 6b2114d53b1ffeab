"""Games of 18xx.games as our actions, and back."""

from .history import BadLog, Log, effective_actions, read_log
from .replay import Divergence, Replay

__all__ = ["BadLog", "Divergence", "Log", "Replay", "effective_actions", "read_log"]
