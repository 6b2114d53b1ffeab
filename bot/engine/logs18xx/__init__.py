"""Games of 18xx.games as our actions, and back."""

from .divergence import Divergence
from .history import BadLog, Log, effective_actions, read_log
from .replay import Replay

__all__ = ["BadLog", "Divergence", "Log", "Replay", "effective_actions", "read_log"]
