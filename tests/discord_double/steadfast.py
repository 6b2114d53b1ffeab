"""Imported by the server that forks the helpers of bots under test: a bot that is killed while it asks for a helper does
not end the server, from which all later bots have theirs."""

from __future__ import annotations

import errno
import socket
from multiprocessing import reduction

received = reduction.recvfds


def recvfds(line: socket.socket, size: int) -> list[int]:
    """As the standard library's.

    :raises OSError: whoever asked is gone; the server takes that for a connection given up, which it survives.
    """
    try:
        return received(line, size)
    except (EOFError, OSError) as error:
        raise OSError(errno.ECONNABORTED, "whoever asked for a helper is gone") from error


reduction.recvfds = recvfds
