"""Painted sprites on disk, so that the next process need not paint them: each in a file that is named by all that it depends on,
which are its shapes, the programs that paint and the fonts."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from struct import Struct, error
from typing import NamedTuple
from zlib import compress, crc32, decompress
from zlib import error as ZlibError

import cairocffi
import cairosvg
import PIL
from PIL import Image

from bot.render.shapes.scene import Sprite

from .private_folder import replace_file

MOST_FILES = 4000
"""More than all titles have; a file has 3 KB on average."""

HEAD = Struct("<Idd2H")
"""The checksum of the rest, the corner, width and height."""


class PaintedSprite(NamedTuple):
    """A painted sprite cropped to its contents, and its corner relative to the sprite's middle."""

    pixels: Image.Image
    corner: tuple[float, float]

    @property
    def size(self) -> int:
        return 4 * self.pixels.width * self.pixels.height


class SpriteFiles:
    """The files of a folder which nobody else may write to. Files that cannot be read or written are painted as if
    there were none."""

    def __init__(self, folder: Path, fonts: Path, most: int = MOST_FILES) -> None:
        self.folder = folder
        self.fonts = fonts
        self.most = most

    @cached_property
    def painted_by(self) -> str:
        """The values beside the shapes on which the pixels depend."""
        own = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
        fonts = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(self.fonts.iterdir())]
        libraries = cairocffi.VERSION, cairocffi.cairo_version(), cairosvg.__version__, PIL.__version__
        return repr((sha256(b"".join(own)).hexdigest(), fonts, libraries))

    def find(self, sprite: Sprite) -> PaintedSprite | None:
        with suppress(OSError, error, ZlibError, ValueError):
            data = self._path(sprite).read_bytes()
            checksum, x, y, width, height = HEAD.unpack_from(data)
            if checksum == crc32(data[4:]):
                pixels = decompress(data[HEAD.size :])
                return PaintedSprite(Image.frombytes("RGBA", (width, height), pixels), (x, y))
        return None

    def keep(self, sprite: Sprite, painted: PaintedSprite) -> None:
        pixels = painted.pixels
        rest = HEAD.pack(0, *painted.corner, *pixels.size)[4:] + compress(pixels.tobytes(), 1)
        path = self._path(sprite)
        with suppress(OSError):
            self.folder.mkdir(0o700, exist_ok=True)
            self._count += 1
            replace_file(path, crc32(rest).to_bytes(4, "little") + rest)
            if self._count > self.most:
                self._drop_oldest()

    @cached_property
    def _count(self) -> int:
        """The number of files, as far as this process knows: listing them all takes longer than keeping one."""
        return len(os.listdir(self.folder))

    def _drop_oldest(self) -> None:
        """Half of the files."""
        files = sorted(self.folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        dropped = len(files) // 2
        for path in files[:dropped]:
            path.unlink(missing_ok=True)
        self._count = len(files) - dropped

    def _path(self, sprite: Sprite) -> Path:
        shown = repr((self.painted_by, sprite.shapes, sprite.middle, sprite.half_width, sprite.half_height))
        return self.folder / sha256(shown.encode()).hexdigest()
