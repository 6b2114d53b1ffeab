"""The folders of fonts and catalogues: `assets` beside the package in a checkout; its `share` if installed
(setup.py)."""

from __future__ import annotations

import errno
import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
FOLDERS = (PACKAGE / "share", PACKAGE.parent / "assets")


def asset_folder(name: str) -> Path:
    """The folder `fonts` or `language`.

    :raises FileNotFoundError: the program was installed without it.
    """
    found = next((folder / name for folder in FOLDERS if (folder / name).is_dir()), None)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(FOLDERS[0] / name))
    return found
