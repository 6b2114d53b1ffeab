"""Scenes to PNG: Cairo for what is new, kept pixels for the rest. The only place that knows Pillow."""

from __future__ import annotations

import io
import os
import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from bot.assets import asset_folder

from .cairo_library import load_cairo
from .private_folder import private_folder, replace_file

FONTS = asset_folder("fonts")


def _use_bundled_fonts(folder: Path) -> None:
    """Show fontconfig only the bundled fonts, so that every machine draws the same."""
    text = f'<?xml version="1.0"?><fontconfig><dir>{FONTS}</dir><cachedir>{folder}</cachedir></fontconfig>'
    configuration = folder / f"{crc32(text.encode()):08x}.conf"
    if not configuration.exists() or configuration.read_text() != text:
        replace_file(configuration, text.encode())
    os.environ["FONTCONFIG_FILE"] = str(configuration)


FOLDER = private_folder(Path(tempfile.gettempdir()) / f"signalbox-fonts-{os.geteuid()}")
"""Results that take long to find, for other processes."""

_use_bundled_fonts(FOLDER)
load_cairo(FOLDER)

from cairosvg.parser import Tree  # noqa: E402 - after the fonts are chosen
from cairosvg.surface import PNGSurface  # noqa: E402
from PIL import Image  # noqa: E402

from bot.render.shapes import PAPER, Scene, Shape, Sprite, Text  # noqa: E402

from .cairo_direct import can_draw, draw_on, draw_surface, needs_fonts  # noqa: E402
from .picture import Picture  # noqa: E402
from .sprite_files import PaintedSprite, SpriteFiles  # noqa: E402
from .svg import document  # noqa: E402

MOST_SPRITE_BYTES = 96 * 2**20
COMPRESSION = 3
FRAME_MILLISECONDS, LAST_MILLISECONDS = 700, 5000
COLOURS, SAMPLED = 255, 3
"""The number of colours of a picture, and the distance in pixels, across and down, at which they are sampled to choose
them."""


class Painter:
    """Paints scenes and remembers sprites, a bounded number of bytes of them, and on disk for the next process. Strips are
    painted anew: they take the place of hundreds of spaces and little time. `compression` is that of PNG, 0 to 9: more is
    smaller and slower.
    """

    def __init__(self, compression: int = COMPRESSION, files: SpriteFiles | None = None) -> None:
        self.compression = compression
        self.files = files or SpriteFiles(FOLDER / "sprites", FONTS)
        self._sprites = SpriteCache(MOST_SPRITE_BYTES)

    def paint(self, scene: Scene) -> Picture:
        """A PNG with at most 256 colours."""
        data = io.BytesIO()
        reduce_colours(self.pixels(scene)).save(data, "PNG", compress_level=self.compression)
        return Picture(f"{scene.name}.png", data.getvalue(), scene.alt)

    def pixels(self, scene: Scene) -> Image.Image:
        picture = Image.new("RGB", (scene.width, scene.height), PAPER)
        if scene.base:
            layer = rasterise(scene.base, 0, 0, scene.width, scene.height)
            picture.paste(layer, (0, 0), layer)
        for placed in scene.placed:
            sprite = self._sprite(placed.sprite)
            x, y = placed.at[0] + sprite.corner[0], placed.at[1] + sprite.corner[1]
            picture.paste(sprite.pixels, (round(x), round(y)), sprite.pixels)
        if scene.over:
            layer = rasterise(scene.over, 0, 0, scene.width, scene.height)
            picture.paste(layer, (0, 0), layer)
        return picture

    def _sprite(self, sprite: Sprite) -> PaintedSprite:
        known = None if sprite.is_strip else self._sprites.get(sprite.key)
        if known is None:
            known = _paint_sprite(sprite) if sprite.is_strip else self._find_or_paint(sprite)
            if not sprite.is_strip:
                self._sprites.keep(sprite.key, known)
        return known

    def _find_or_paint(self, sprite: Sprite) -> PaintedSprite:
        found = self.files.find(sprite)
        if found is None:
            found = _paint_sprite(sprite)
            self.files.keep(sprite, found)
        return found


def _paint_sprite(sprite: Sprite) -> PaintedSprite:
    """Crops the empty border."""
    left, top = -sprite.half_width, -sprite.half_height
    x, y = sprite.middle
    pixels = rasterise(sprite.shapes, x + left, y + top, -2 * left, -2 * top)
    box = pixels.getbbox() or (0, 0, 1, 1)
    return PaintedSprite(pixels.crop(box), (left + box[0], top + box[1]))


class SpriteCache:
    """Painted images by key, limited in bytes; the least recently used are dropped."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._images: OrderedDict[str, PaintedSprite] = OrderedDict()

    def __len__(self) -> int:
        return len(self._images)

    def get(self, key: str) -> PaintedSprite | None:
        found = self._images.get(key)
        if found is not None:
            self._images.move_to_end(key)
        return found

    def keep(self, key: str, image: PaintedSprite) -> None:
        self._images[key] = image
        self.size += image.size
        while self.size > self.most and len(self._images) > 1:
            self.size -= self._images.popitem(last=False)[1].size


def reduce_colours(picture: Image.Image) -> Image.Image:
    """The picture in at most 256 colours, chosen from a part of its pixels: much sooner, and no further off."""
    size = (max(1, picture.width // SAMPLED), max(1, picture.height // SAMPLED))
    sample = picture.resize(size, Image.Resampling.NEAREST)
    palette = sample.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def build_gif(frames: Sequence[Image.Image], width: int, most_bytes: int) -> bytes:
    """An endless GIF of pictures of one size, scaled to `width`; every other frame is left out until it is small enough.

    The last frame stays longer.
    """
    scaled = [_scale(frame, width) for frame in frames]
    palette = reduce_colours(scaled[-1])
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in scaled]
    while True:
        data = io.BytesIO()
        times = [FRAME_MILLISECONDS] * (len(small) - 1) + [LAST_MILLISECONDS]
        small[0].save(data, "GIF", save_all=True, append_images=small[1:], duration=times, loop=0, optimize=False)
        if data.tell() <= most_bytes or len(small) <= 2:
            return data.getvalue()
        small = [*small[:-1:2], small[-1]]


def _scale(frame: Image.Image, width: int) -> Image.Image:
    height = round(frame.height * width / frame.width)
    return frame if frame.width <= width else frame.resize((width, height), Image.Resampling.LANCZOS)


def rasterise(shapes: tuple[Shape, ...], left: float, top: float, width: float, height: float) -> Image.Image:
    if can_draw(shapes):
        pixels = draw_surface(shapes, left, top, width, height)
    else:
        # Beside SVG a text is of one font.
        foreign = [shape for shape in shapes if isinstance(shape, Text) and needs_fonts(shape)]
        text = document([shape for shape in shapes if shape not in foreign], left, top, width, height)
        pixels = PNGSurface(Tree(bytestring=text.encode(), unsafe=False), None, 96).cairo
        draw_on(pixels, foreign, left, top)
    size, stride = (pixels.get_width(), pixels.get_height()), pixels.get_stride()
    pixels.flush()
    return Image.frombuffer("RGBA", size, bytes(pixels.get_data()), "raw", "BGRa", stride, 1)
